//! Variables that are said to differ pair by pair: together they are all different, which says more
//! than the pairs.

use beeline_solve::{Form, Term, Var};
use std::collections::{BTreeMap, BTreeSet};

/// Groups of three or more variables that all differ from each other; each pair is in one of them if
/// it is in any.
pub(super) fn of(forms: &[Form]) -> Vec<Vec<Var>> {
    let mut neighbours: BTreeMap<Var, BTreeSet<Var>> = BTreeMap::new();
    forms.iter().for_each(|form| pairs(form, &mut neighbours));
    let mut covered: BTreeSet<(Var, Var)> = BTreeSet::new();
    let mut out = Vec::new();
    for (&u, others) in &neighbours {
        for &v in others.range(u + 1..) {
            if covered.contains(&(u, v)) {
                continue;
            }
            let mut clique = vec![u, v];
            let both: Vec<Var> = others.intersection(&neighbours[&v]).copied().collect();
            for w in both {
                if clique.iter().all(|x| neighbours[x].contains(&w)) {
                    clique.push(w);
                }
            }
            clique.sort_unstable();
            for (i, &a) in clique.iter().enumerate() {
                covered.extend(clique[i + 1..].iter().map(|&b| (a, b)));
            }
            if clique.len() > 2 {
                out.push(clique);
            }
        }
    }
    out
}

fn pairs(form: &Form, neighbours: &mut BTreeMap<Var, BTreeSet<Var>>) {
    match form {
        Form::And(parts) => parts.iter().for_each(|p| pairs(p, neighbours)),
        Form::Not(inner) => {
            if let Form::Eq(Term::Var(a), Term::Var(b)) = **inner
                && a != b
            {
                neighbours.entry(a).or_default().insert(b);
                neighbours.entry(b).or_default().insert(a);
            }
        }
        _ => {}
    }
}
