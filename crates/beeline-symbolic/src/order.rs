//! In which order digits stand in a diagram: those that are used together stand near each other.
//!
//! FORCE (Aloul, Markov, Sakallah): each operation pulls what it touches towards its centre of gravity, again
//! and again, and the order in which all operations together span least is kept. It does not know what digits are.

/// Rounds without a better order before it ends.
const PATIENCE: usize = 12;
/// Rounds in all.
const ROUNDS: usize = 200;

/// An order of so many things, of which each group wants to stand together.
pub fn force(count: usize, groups: &[Vec<usize>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    let mut best = (span(&order, groups), order.clone());
    let mut without = 0;
    for _ in 0..ROUNDS {
        order = pulled(&order, groups);
        let own = span(&order, groups);
        if own < best.0 {
            best = (own, order.clone());
            without = 0;
        } else {
            without += 1;
        }
        if without >= PATIENCE {
            break;
        }
    }
    best.1
}

/// Where each thing stands.
fn places(order: &[usize]) -> Vec<usize> {
    let mut places = vec![0; order.len()];
    for (place, thing) in order.iter().enumerate() {
        places[*thing] = place;
    }
    places
}

/// How far groups reach, all together.
fn span(order: &[usize], groups: &[Vec<usize>]) -> usize {
    let places = places(order);
    let reach = |group: &Vec<usize>| {
        let of = || group.iter().map(|thing| places[*thing]);
        of().max().unwrap_or(0) - of().min().unwrap_or(0)
    };
    groups.iter().map(reach).sum()
}

/// One round.
fn pulled(order: &[usize], groups: &[Vec<usize>]) -> Vec<usize> {
    let places = places(order);
    let mut pulls = vec![(0.0f64, 0u32); order.len()];
    for group in groups.iter().filter(|group| !group.is_empty()) {
        let sum: usize = group.iter().map(|thing| places[*thing]).sum();
        let centre = sum as f64 / group.len() as f64;
        for thing in group {
            pulls[*thing].0 += centre;
            pulls[*thing].1 += 1;
        }
    }
    let wanted = |thing: usize| match pulls[thing] {
        (_, 0) => places[thing] as f64,
        (sum, times) => sum / f64::from(times),
    };
    let mut order = order.to_vec();
    // Stable: of those that want the same place the one that was first stays first.
    order.sort_by(|a, b| wanted(*a).total_cmp(&wanted(*b)));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_is_laid_out_as_a_chain() {
        // Neighbours in the chain 0 - 4 - 1 - 5 - 2 - 6 - 3 - 7 stand far apart at first.
        let chain = [0, 4, 1, 5, 2, 6, 3, 7];
        let groups: Vec<Vec<usize>> = chain.windows(2).map(<[usize]>::to_vec).collect();
        let before: Vec<usize> = (0..8).collect();
        let after = force(8, &groups);
        assert!(span(&after, &groups) < span(&before, &groups), "{after:?}");
        let mut sorted = after.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, before);
        // Nothing to say: nothing changes.
        assert_eq!(force(4, &[]), [0, 1, 2, 3]);
    }
}
