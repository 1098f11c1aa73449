//! A chain as the files of a Rodin project, and what they say was proved.
//!
//! The states of the proofs are made up: whoever believes them without looking at what was proved
//! will sooner or later take a wrong model for right.

use super::{Context, Event, Labelled, Level, Node, Sort, form, formula, list, text};
use crate::random::Random;

/// All files, that of the most concrete machine first.
pub(super) fn files(
    context: &Context,
    levels: &[Level],
    random: &mut Random,
) -> Vec<(String, Node)> {
    let mut files = Vec::new();
    for level in levels.iter().rev() {
        files.push((format!("M{}.bum", level.number), machine(level)));
    }
    files.push(("C.buc".to_owned(), context_file(context)));
    if random.chance(75) {
        let share = random.pick(&[30, 70, 100]);
        for (i, level) in levels.iter().enumerate() {
            let names = obligations(level);
            let proved = names.iter().filter(|_| random.chance(share)).cloned().collect();
            files.push((format!("M{i}.bpo"), sequents(names)));
            files.push((format!("M{i}.bps"), statuses(proved)));
        }
    }
    files
}

fn document(root: &str, parts: Vec<Node>) -> Node {
    let head = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n";
    let open = format!("{head}<org.eventb.core.{root} version=\"5\">\n");
    let template = "@".repeat(parts.len());
    let inside = form(Sort::Part, &template, parts);
    form(Sort::Part, "@@@", [text(open), inside, text(format!("</org.eventb.core.{root}>\n"))])
}

/// An element with attributes.
fn element(kind: &str, attributes: Vec<(&str, Node)>, inside: Option<Node>) -> Node {
    let mut parts = vec![text(format!("<org.eventb.core.{kind}"))];
    for (name, value) in attributes {
        let name = if name == "name" { name.to_owned() } else { format!("org.eventb.core.{name}") };
        parts.extend([text(format!(" {name}=\"")), value, text("\"")]);
    }
    match inside {
        Some(inside) => {
            parts.extend([text(">\n"), inside, text(format!("</org.eventb.core.{kind}>\n"))]);
        }
        None => parts.push(text("/>\n")),
    }
    let template = "@".repeat(parts.len());
    form(Sort::Part, &template, parts)
}

fn escaped(content: &str) -> Node {
    formula(&content.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;"))
}

fn labelled(kind: &str, value: &str, all: &[Labelled]) -> Node {
    let one = |(i, (label, content)): (usize, &Labelled)| {
        let number = text(format!("{}{i}", &kind[..1]));
        let attributes =
            vec![("name", number), ("label", text(&**label)), (value, escaped(content))];
        element(kind, attributes, None)
    };
    some(all.iter().enumerate().map(one).collect())
}

fn named(kind: &str, all: impl Iterator<Item = String>) -> Node {
    let one = |name: String| {
        element(kind, vec![("name", text(&*name)), ("identifier", formula(&name))], None)
    };
    some(all.map(one).collect())
}

fn some(items: Vec<Node>) -> Node {
    list(Sort::Part, ("", "", ""), items, 0)
}

fn reference(kind: &str, target: &str) -> Node {
    element(kind, vec![("name", text(format!("r{target}"))), ("target", text(target))], None)
}

fn context_file(context: &Context) -> Node {
    let parts = vec![
        named("carrierSet", context.sets.iter().cloned()),
        named("constant", context.constants.iter().cloned()),
        labelled("axiom", "predicate", &context.axioms),
    ];
    document("contextFile", parts)
}

fn machine(level: &Level) -> Node {
    let mut parts = Vec::new();
    if level.number > 0 {
        parts.push(reference("refinesMachine", &format!("M{}", level.number - 1)));
    }
    parts.push(reference("seesContext", "C"));
    parts.push(named("variable", level.variables.iter().map(|v| v.name.clone())));
    parts.push(labelled("invariant", "predicate", &level.invariants));
    let variant = level.variant.iter();
    let variant = variant.map(|v| {
        element("variant", vec![("name", text("variant")), ("expression", escaped(v))], None)
    });
    parts.push(some(variant.collect()));
    parts.push(some(level.events.iter().map(event).collect()));
    document("machineFile", parts)
}

fn event(event: &Event) -> Node {
    let convergence = match event.status {
        "convergent" => "1",
        "anticipated" => "2",
        _ => "0",
    };
    let attributes = vec![
        ("name", text(&*event.name)),
        ("convergence", text(convergence)),
        ("extended", text(event.extends.to_string())),
        ("label", text(&*event.name)),
    ];
    let act = |(i, (x, how, value)): (usize, &(String, &str, String))| -> Labelled {
        (format!("a{i}"), format!("{x} {how} {value}"))
    };
    let actions: Vec<Labelled> = event.actions.iter().enumerate().map(act).collect();
    // INITIALISATION is refined without a word.
    let refines = event.refines.iter().filter(|_| event.name != "INITIALISATION");
    let inside = [
        some(refines.map(|old| reference("refinesEvent", old)).collect()),
        named("parameter", event.parameters.iter().map(|p| p.0.clone())),
        labelled("guard", "predicate", &event.guards),
        labelled("witness", "predicate", &event.witnesses),
        labelled("action", "assignment", &actions),
    ];
    element("event", attributes, Some(form(Sort::Part, "@@@@@", inside)))
}

/// The names of what is to be proved about the invariants of a level.
fn obligations(level: &Level) -> Vec<String> {
    let each = |e: &Event| {
        let name = e.name.clone();
        level.invariants.iter().map(move |(label, _)| format!("{name}/{label}/INV"))
    };
    level.events.iter().flat_map(each).collect()
}

fn sequents(names: Vec<String>) -> Node {
    let one = |name: String| {
        element("poSequent", vec![("name", text(name)), ("poStamp", text("2"))], None)
    };
    document("poFile", vec![some(names.into_iter().map(one).collect())])
}

fn statuses(names: Vec<String>) -> Node {
    let one = |name: String| {
        let attributes =
            vec![("name", text(name)), ("confidence", text("1000")), ("poStamp", text("2"))];
        element("psStatus", attributes, None)
    };
    document("psFile", vec![some(names.into_iter().map(one).collect())])
}
