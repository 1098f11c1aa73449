//! Taking away from a machine what is not needed.

use super::Machine;
use super::node::{Node, Sort, atom, pred, subst};
use std::time::{Duration, Instant};

/// Where a node is: the file, then which part of each node.
type Place = Vec<usize>;

/// The smallest machine that is found in a time for which the question is still answered with yes.
pub fn shrink(
    machine: &Machine,
    time: Duration,
    same: &mut dyn FnMut(&Machine) -> bool,
) -> Machine {
    let begin = Instant::now();
    let mut best = machine.clone();
    loop {
        let before = size(&best);
        for step in [drop_names, drop_items, lift, simplify] {
            let mut at = 0;
            // Each step tells its changes by number, so that it can go on where it was.
            while let Some(smaller) = step(&best, at) {
                if begin.elapsed() > time {
                    return best;
                }
                match smaller {
                    Some(smaller) if size(&smaller) < size(&best) && same(&smaller) => {
                        best = smaller;
                    }
                    _ => at += 1,
                }
            }
        }
        if size(&best) >= before {
            return best;
        }
    }
}

fn size(machine: &Machine) -> usize {
    let nodes: usize = machine.files.iter().map(|f| f.1.size()).sum();
    // Among equals the shorter text.
    nodes * 1000 + machine.texts().iter().map(|t| t.1.len()).sum::<usize>()
}

/// All places in a machine, the outermost first.
fn places(machine: &Machine) -> Vec<Place> {
    fn within(node: &Node, at: &mut Place, found: &mut Vec<Place>) {
        found.push(at.clone());
        for (i, part) in node.parts().iter().enumerate() {
            at.push(i);
            within(part, at, found);
            at.pop();
        }
    }
    let mut found = Vec::new();
    for (file, (_, node)) in machine.files.iter().enumerate() {
        within(node, &mut vec![file], &mut found);
    }
    found
}

fn at<'m>(machine: &'m Machine, place: &[usize]) -> Option<&'m Node> {
    let mut node = &machine.files.get(*place.first()?)?.1;
    for i in &place[1..] {
        node = node.parts().get(*i)?;
    }
    Some(node)
}

fn replaced(machine: &Machine, place: &[usize], with: Node) -> Option<Machine> {
    let mut machine = machine.clone();
    let mut node = &mut machine.files.get_mut(*place.first()?)?.1;
    for i in &place[1..] {
        node = node.parts_mut().get_mut(*i)?;
    }
    *node = with;
    Some(machine)
}

/// The change of a number, if there are so many; nothing inside if it cannot be made.
type Change = Option<Option<Machine>>;

/// A name and every item of a list that speaks of it.
fn drop_names(machine: &Machine, number: usize) -> Change {
    fn without(node: &mut Node, wanted: &str) {
        if let Node::List(list) = node {
            // Items that can lose less than everything do so.
            list.items.retain(|item| !item.mentions(wanted) || holds_list(item));
        }
        node.parts_mut().iter_mut().for_each(|p| without(p, wanted));
        if let Node::List(list) = node {
            list.items.retain(|item| !item.mentions(wanted));
        }
    }
    fn holds_list(node: &Node) -> bool {
        node.parts().iter().any(|p| matches!(p, Node::List(l) if l.least == 0) || holds_list(p))
    }
    let mut names: Vec<String> = Vec::new();
    for place in places(machine) {
        if let Some(Node::Name(name)) = at(machine, &place)
            && !names.iter().any(|n| **n == **name)
        {
            names.push(name.to_string());
        }
    }
    let wanted = names.get(number)?;
    let mut smaller = machine.clone();
    smaller.files.iter_mut().for_each(|(_, node)| without(node, wanted));
    Some(Some(smaller))
}

/// One item of a list.
fn drop_items(machine: &Machine, number: usize) -> Change {
    let mut count = 0;
    for place in places(machine) {
        let Some(Node::List(list)) = at(machine, &place) else { continue };
        if number < count + list.items.len() {
            if list.items.len() <= list.least {
                return Some(None);
            }
            let mut list = list.clone();
            list.items.remove(number - count);
            return Some(replaced(machine, &place, Node::List(list)));
        }
        count += list.items.len();
    }
    None
}

/// A node becomes a part of itself.
fn lift(machine: &Machine, number: usize) -> Change {
    fn inner<'n>(node: &'n Node, sort: Sort, found: &mut Vec<&'n Node>) {
        for part in node.parts() {
            if part.sort() == sort {
                found.push(part);
            }
            inner(part, sort, found);
        }
    }
    let mut count = 0;
    for place in places(machine) {
        let Some(node) = at(machine, &place) else { continue };
        if node.sort() == Sort::Part {
            continue;
        }
        let mut found = Vec::new();
        inner(node, node.sort(), &mut found);
        if let Some(part) = number.checked_sub(count).and_then(|n| found.get(n)) {
            return Some(replaced(machine, &place, (*part).clone()));
        }
        count += found.len();
    }
    None
}

/// A node becomes the simplest of its sort.
fn simplify(machine: &Machine, number: usize) -> Change {
    let plain = |sort: Sort| -> Vec<Node> {
        match sort {
            Sort::Expr => ["0", "{}", "TRUE", "1", "BOOL", "{0}"].map(atom).to_vec(),
            Sort::Pred => vec![pred("1 = 1", []), pred("1 = 2", [])],
            Sort::Subst => vec![subst("skip", [])],
            Sort::Part => Vec::new(),
        }
    };
    let mut count = 0;
    for place in places(machine) {
        let Some(node) = at(machine, &place) else { continue };
        let found = plain(node.sort());
        if let Some(part) = number.checked_sub(count).and_then(|n| found.get(n)) {
            return Some(replaced(machine, &place, part.clone()));
        }
        count += found.len();
    }
    None
}
