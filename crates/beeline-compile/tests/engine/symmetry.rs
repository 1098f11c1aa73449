//! Constants up to symmetry: every valuation is a renaming of one that is kept.

use crate::common::model;
use beeline_compile::{Builder, Flow, Settings, System};
use beeline_model::{Model, SetId};
use beeline_value::{Store, Val};
use std::collections::HashSet;

fn setups(system: &System) -> Vec<Vec<u32>> {
    let mut found = Vec::new();
    let answer = system.setups(&mut system.scratch(), &mut |c| {
        found.push(c.words().to_vec());
        Flow::More
    });
    assert!(answer.complete());
    found
}

/// All orders of `0..n`.
fn orders(n: usize) -> Vec<Vec<u32>> {
    let Some(last) = n.checked_sub(1) else { return vec![Vec::new()] };
    let mut all = Vec::new();
    for order in orders(last) {
        for place in 0..n {
            let mut order = order.clone();
            order.insert(place, last as u32);
            all.push(order);
        }
    }
    all
}

/// A value with the elements of one set renamed.
fn renamed(store: &Store, value: Val, set: SetId, order: &[u32]) -> Val {
    if let Some((of, i)) = value.as_atom() {
        return if of == set.0 { Val::atom(of, order[i as usize]) } else { value };
    }
    if let Some((a, b)) = store.as_pair(value) {
        return store.pair(renamed(store, a, set, order), renamed(store, b, set, order));
    }
    match store.elems(value) {
        Some(elems) => {
            let all = store.list(elems);
            store.set(all.into_iter().map(|v| renamed(store, v, set, order)).collect())
        }
        None => value,
    }
}

/// The number of valuations, and of those that are kept.
fn check(text: &str) -> (usize, usize) {
    let model: Model = model(text);
    let settings = Settings::of(&model);
    let all = setups(&System::compile(&model, &settings).unwrap());
    let mut builder = Builder::new(&model, &settings).unwrap();
    let sets: Vec<SetId> = (0..model.sets.len()).map(|i| SetId(i as u32)).collect();
    assert!(builder.break_symmetry(&model, &sets));
    let system = builder.build();
    let kept = setups(&system);
    let store = system.store();
    let mut covered: HashSet<Vec<u32>> = HashSet::new();
    for valuation in &kept {
        let mut orbit = vec![valuation.clone()];
        for (set, (_, size)) in sets.iter().zip(system.set_sizes()) {
            let all_orders = orders(*size as usize);
            orbit = orbit
                .iter()
                .flat_map(|v| {
                    let word = |w: &u32, order: &Vec<u32>| {
                        renamed(store, Val::from_raw(*w), *set, order).raw()
                    };
                    all_orders.iter().map(move |o| v.iter().map(|w| word(w, o)).collect())
                })
                .collect();
        }
        covered.extend(orbit);
    }
    // Words of two systems are not the same, but there are as many values.
    assert_eq!(covered.len(), all.len(), "not every valuation has one that stands for it");
    (all.len(), kept.len())
}

#[test]
fn sets_of_one_element_come_first() {
    let text = "MACHINE t SETS S CONSTANTS d, r, f PROPERTIES card(S) = 3 & d <: S & f <: S &
        r <: d & card(r) = 1 & d /\\ f = {} & d \\/ f = S END";
    assert_eq!(check(text), (12, 3));
}

#[test]
fn an_injection_orders_its_domain() {
    let text = "MACHINE t SETS A; B CONSTANTS p, q, f PROPERTIES card(A) = 2 & card(B) = 3 &
        p \\/ q = B & p /\\ q = {} & f : A >-> p END";
    assert_eq!(check(text), (12, 4));
    // A second one is free.
    let text = "MACHINE t SETS A; B CONSTANTS f, g PROPERTIES card(A) = 2 & card(B) = 2 &
        f : A >-> B & g : A >-> B END";
    assert_eq!(check(text), (4, 2));
}

#[test]
fn bijections_and_injections_in_a_circle() {
    let text = "MACHINE t SETS A; B CONSTANTS f, g, h PROPERTIES card(A) = 3 & card(B) = 3 &
        f : A >->> B & g : A >-> B & h : B >-> A END";
    let (all, kept) = check(text);
    assert_eq!(all, 216);
    assert!(kept <= 36, "{kept}");
}

#[test]
fn sizes_that_depend_on_sizes() {
    let model = model(
        "MACHINE t SETS A; B; C CONSTANTS x PROPERTIES card(A) >= card(B) + card(C) & x : A END",
    );
    let system = System::compile(&model, &Settings::of(&model)).unwrap();
    let sizes: Vec<u64> = system.set_sizes().iter().map(|s| s.1).collect();
    assert_eq!(sizes, [4, 2, 2]);
    let mut settings = Settings::of(&model);
    settings.set_sizes = vec![("A".to_owned(), 3)];
    let system = System::compile(&model, &settings).unwrap();
    assert_eq!(system.set_sizes()[0].1, 3, "what is asked for is not changed");
}
