//! Events that extend an abstract one, written out in full.

use crate::project::{Event, Machine, Project};
use beeline_syntax::ast::Name;
use rustc_hash::FxHashMap;

/// Gives every extended event the parameters, guards and actions of the event it extends.
///
/// What is not there, or refines itself, is left as it is: whoever follows the chain says so.
pub fn write_out_extended(project: &mut Project) {
    let mut order: Vec<usize> = Vec::new();
    let by_name: FxHashMap<Name, usize> =
        project.machines.iter().enumerate().map(|(i, m)| (m.name.name.clone(), i)).collect();
    let above = |machine: &Machine| {
        machine.refines.as_ref().and_then(|name| by_name.get(&name.name).copied())
    };
    for start in 0..project.machines.len() {
        let mut path = Vec::new();
        let mut next = Some(start);
        while let Some(index) = next.filter(|i| !path.contains(i) && !order.contains(i)) {
            path.push(index);
            next = above(&project.machines[index]);
        }
        order.extend(path.into_iter().rev());
    }
    for index in order {
        let Some(abstraction) = above(&project.machines[index]).filter(|a| *a != index) else {
            continue;
        };
        let theirs = project.machines[abstraction].events.clone();
        for event in project.machines[index].events.iter_mut().filter(|e| e.extended) {
            let name = match event.refines.first() {
                Some(name) => name.name.clone(),
                None => event.name.name.clone(),
            };
            if let Some(extended) = theirs.iter().find(|e| e.name.name == name) {
                extend(event, extended);
            }
        }
    }
}

fn extend(event: &mut Event, extended: &Event) {
    let parameters = extended.parameters.iter().cloned();
    event.parameters = parameters.chain(event.parameters.drain(..)).collect();
    let guards = extended.guards.iter().cloned();
    event.guards = guards.chain(event.guards.drain(..)).collect();
    let actions = extended.actions.iter().cloned();
    event.actions = actions.chain(event.actions.drain(..)).collect();
    event.extended = false;
}
