//! Which project, and which machine of it, is meant where nobody says.

use beeline_elaborate::EventbOptions;
use beeline_eventb::Project;
use beeline_model::Name;
use beeline_source::{Code, Diagnostic, Diagnostics, Span};
use std::sync::Arc;

/// The main machine and all that it refines; all machines where it is not known yet which is
/// the main one.
pub(super) fn chain(project: &Project, choice: &EventbOptions) -> Vec<Name> {
    let main = choice.main.as_deref().or(project.main.as_deref());
    let Some(mut next) = main.and_then(|name| project.machine(name)) else {
        return project.machines.iter().map(|m| m.name.name.clone()).collect();
    };
    let mut chain = vec![next.name.name.clone()];
    while let Some(above) = next.refines.as_ref().and_then(|r| project.machine(&r.name)) {
        // A machine that refines itself is told of elsewhere.
        if chain.contains(&above.name.name) {
            break;
        }
        chain.push(above.name.name.clone());
        next = above;
    }
    chain
}

/// The folder whose project is meant; `--main Project/Machine` chooses among several.
pub(super) fn choose_folder(
    out: &mut Diagnostics,
    files: &[(String, Arc<str>)],
    choice: &mut EventbOptions,
) -> Option<String> {
    let mut folders: Vec<&str> = files
        .iter()
        .filter(|(name, _)| name.ends_with(".bum") || name.ends_with(".buc"))
        .map(|(name, _)| parent(name))
        .collect();
    folders.dedup();
    if let Some((project, machine)) = choice.main.as_deref().and_then(|m| m.rsplit_once('/')) {
        folders.retain(|f| *f == project || f.ends_with(&format!("/{project}")));
        choice.main = Some(machine.to_owned());
    }
    match folders.as_slice() {
        [one] => Some((*one).to_owned()),
        [] => {
            let message = "there is no Rodin machine or context here";
            out.push(Diagnostic::new(Code::MISSING_COMPONENT, Span::NONE, message));
            None
        }
        several => {
            let names: Vec<&str> = several.iter().map(|f| stem_of_folder(f)).collect();
            let message = format!("there are several projects here: {}", names.join(", "));
            let help = format!("choose one: --main {}/MACHINE", names[0]);
            let diagnostic = Diagnostic::new(Code::SEVERAL_COMPONENTS, Span::NONE, message);
            out.push(diagnostic.help(help));
            None
        }
    }
}

/// The machine that no other refines; without machines, the context that no other extends.
pub(super) fn most_concrete(project: &Project, out: &mut Diagnostics) -> Option<Name> {
    let refined = |name: &Name| {
        project.machines.iter().any(|m| m.refines.as_ref().is_some_and(|r| r.name == *name))
    };
    let extended =
        |name: &Name| project.contexts.iter().any(|c| c.extends.iter().any(|e| e.name == *name));
    let found: Vec<(Name, Span)> = if project.machines.is_empty() {
        let names = project.contexts.iter().map(|c| &c.name);
        names.filter(|n| !extended(&n.name)).map(|n| (n.name.clone(), n.span)).collect()
    } else {
        let names = project.machines.iter().map(|m| &m.name);
        names.filter(|n| !refined(&n.name)).map(|n| (n.name.clone(), n.span)).collect()
    };
    if let [(first, _), (_, second), ..] = &found[..] {
        let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        let message = format!("there are several machines: {}", names.join(", "));
        let help = format!("choose one: --main {first}");
        let diagnostic = Diagnostic::new(Code::SEVERAL_COMPONENTS, *second, message);
        out.push(diagnostic.help(help));
    }
    // In a circle every one is refined; whoever follows it says so.
    let first = project.machines.first().map(|m| &m.name);
    let first = first.or(project.contexts.first().map(|c| &c.name));
    let chosen = found.into_iter().next().map(|(name, _)| name);
    chosen.or_else(|| first.map(|name| name.name.clone()))
}

/// The folder of a path, without the last `/`.
pub(super) fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn stem_of_folder(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The name of a file without folder and suffix.
pub(super) fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}
