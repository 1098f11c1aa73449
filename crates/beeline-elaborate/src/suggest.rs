//! "Did you mean …?"

/// The candidate nearest to `name`, if one is near enough to be a slip of the hand.
pub(crate) fn nearest<'c>(
    name: &str,
    candidates: impl Iterator<Item = &'c str>,
) -> Option<&'c str> {
    let length = name.chars().count();
    if length > 64 {
        return None;
    }
    let limit = match length {
        0..=1 => return None,
        2..=4 => 1,
        5..=8 => 2,
        _ => 3,
    };
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        if candidate == name || candidate.len().abs_diff(name.len()) > 4 * limit {
            continue;
        }
        let distance =
            if candidate.eq_ignore_ascii_case(name) { 0 } else { distance(name, candidate, limit) };
        // The smallest distance wins, then the alphabet: never the order of a hash map.
        if distance <= limit && best.is_none_or(|b| (distance, candidate) < b) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Edit distance with neighbouring swaps; anything above `limit` may come back as `limit + 1`.
fn distance(a: &str, b: &str, limit: usize) -> usize {
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    if a.len().abs_diff(b.len()) > limit {
        return limit + 1;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let change = usize::from(a[i - 1] != b[j - 1]);
            let mut cost = (above[j] + 1).min(row[j - 1] + 1).min(above[j - 1] + change);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                cost = cost.min(before[j - 2] + 1);
            }
            row.push(cost);
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        let names = ["floor", "direction", "door_open"];
        assert_eq!(nearest("flor", names.into_iter()), Some("floor"));
        assert_eq!(nearest("dirction", names.into_iter()), Some("direction"));
        assert_eq!(nearest("Floor", names.into_iter()), Some("floor"));
        assert_eq!(nearest("window", names.into_iter()), None);
        assert_eq!(nearest("x", ["y"].into_iter()), None);
    }
}
