//! Proofs count only for the obligations that the model has: what was proved is compared with it.

#![allow(clippy::unwrap_used)]

use beeline::OpenOptions;
use std::fmt::Write;
use std::path::PathBuf;

/// Elements of Rodin: `kind name=value…`, a line each, and `.` where one ends that has others in it.
fn rodin(text: &str) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let mut open: Vec<String> = Vec::new();
    for (number, line) in text.lines().map(str::trim).filter(|l| !l.is_empty()).enumerate() {
        if line == "." {
            let _ = writeln!(out, "</org.eventb.core.{}>", open.pop().unwrap());
            continue;
        }
        let (inside, line) = match line.strip_suffix(" {") {
            Some(line) => (true, line),
            None => (false, line),
        };
        let mut parts = line.split(" @");
        let kind = parts.next().unwrap();
        let _ = write!(out, "<org.eventb.core.{kind}");
        let mut named = false;
        for part in parts {
            let (name, value) = part.split_once('=').unwrap();
            let value = value.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            named |= name == "name";
            let family = if name == "name" { "" } else { "org.eventb.core." };
            let _ = write!(out, " {family}{name}=\"{value}\"");
        }
        if !named {
            let _ = write!(out, " name=\"n{number}\"");
        }
        out.push_str(if inside { ">\n" } else { "/>\n" });
        if inside {
            open.push(kind.to_owned());
        }
    }
    out
}

const CONTEXT: &str = "contextFile @version=3 {
    constant @identifier=cap
    axiom @label=axm1 @predicate=cap = 3
    .";

const ABSTRACT: &str = "machineFile @version=5 {
    seesContext @target=Size
    variable @identifier=load
    invariant @label=inv1 @predicate=load ∈ 0‥cap
    event @label=INITIALISATION {
        action @label=a @assignment=load ≔ 0
    .
    event @label=put {
        parameter @identifier=n
        guard @label=g1 @predicate=n ∈ 1‥cap
        guard @label=g2 @predicate=load + n ≤ cap
        action @label=a @assignment=load ≔ load + n
    .
    event @label=take {
        action @label=a @assignment=load :∈ 0‥load
    .
    .";

const CONCRETE: &str = "machineFile @version=5 {
    refinesMachine @target=M0
    seesContext @target=Size
    variable @identifier=items
    invariant @label=inv2 @predicate=items ⊆ 1‥cap
    invariant @label=inv3 @predicate=load = card(items) ∧ (∀i·i ∈ items ⇒ i > 0)
    event @label=INITIALISATION {
        action @label=a @assignment=items ≔ ∅
    .
    event @label=add {
        refinesEvent @target=put
        parameter @identifier=x
        guard @label=g1 @predicate=x ∈ (1‥cap) ∖ items
        witness @label=n @predicate=n = 1
        action @label=a @assignment=items ≔ items ∪ {x}
    .
    event @label=drop {
        refinesEvent @target=take
        witness @label=load' @predicate=load' = 0
        action @label=a @assignment=items ≔ ∅
    .
    .";

/// Obligations: predicate sets, each with a parent, and sequents.
fn obligations(
    machine: &str,
    sets: &[(&str, &str, &[&str])],
    sequents: &[(&str, &str, &str)],
) -> String {
    let parent = |name: &str| match name {
        "" => String::new(),
        name => format!(
            " @parentSet=/P/{machine}.bpo|org.eventb.core.poFile#{machine}|\
             org.eventb.core.poPredicateSet#{name}"
        ),
    };
    let mut text = String::from("poFile @poStamp=1 {\n");
    for (name, above, predicates) in sets {
        let _ = writeln!(text, "poPredicateSet @name={name}{} {{", parent(above));
        for predicate in *predicates {
            let _ = match predicate.split_once('⦂').filter(|(name, _)| is_name(name)) {
                Some((name, ty)) => writeln!(text, "poIdentifier @name={name} @type={ty}"),
                None => writeln!(text, "poPredicate @predicate={predicate}"),
            };
        }
        text.push_str(".\n");
    }
    for (name, hypotheses, goal) in sequents {
        let _ = writeln!(text, "poSequent @name={name}/INV @accurate=true @poStamp=1 {{");
        let _ = writeln!(text, "poPredicateSet @name=SEQHYP{}", parent(hypotheses));
        let _ = writeln!(text, "poPredicate @name=SEQHYQ @predicate={goal}\n.");
    }
    rodin(&(text + "."))
}

fn is_name(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || c == '\'')
}

fn status(sequents: &[(&str, &str, &str)]) -> String {
    let line = |(name, _, _): &(&str, &str, &str)| {
        format!("psStatus @name={name}/INV @confidence=1000 @poStamp=1\n")
    };
    rodin(&format!("psFile {{\n{}.", sequents.iter().map(line).collect::<String>()))
}

const SETS0: &[(&str, &str, &[&str])] = &[
    ("CTXHYP", "", &["cap⦂ℤ", "cap=3"]),
    ("ALLHYP", "CTXHYP", &["load⦂ℤ", "load∈0 ‥ cap"]),
    ("PUT", "ALLHYP", &["n⦂ℤ", "load'⦂ℤ", "n∈1 ‥ cap", "load+n≤cap"]),
    ("TAKE", "ALLHYP", &["load'⦂ℤ", "load'∈0 ‥ load"]),
];
const SEQUENTS0: &[(&str, &str, &str)] = &[
    ("INITIALISATION/inv1", "CTXHYP", "0∈0 ‥ cap"),
    ("put/inv1", "PUT", "load+n∈0 ‥ cap"),
    ("take/inv1", "TAKE", "load'∈0 ‥ cap"),
];
const SETS1: &[(&str, &str, &[&str])] = &[
    ("CTXHYP", "", &["cap⦂ℤ", "cap=3"]),
    ("ABSHYP", "CTXHYP", &["load⦂ℤ", "load∈0 ‥ cap", "⊤"]),
    ("ALLHYP", "ABSHYP", &["items⦂ℙ(ℤ)", "items⊆1 ‥ cap", "load=card(items)∧(∀j⦂ℤ·j∈items⇒j>0)"]),
    ("ADD", "ALLHYP", &["x⦂ℤ", "items'⦂ℙ(ℤ)", "x∈(1 ‥ cap) ∖ items"]),
];
const SEQUENTS1: &[(&str, &str, &str)] = &[
    ("INITIALISATION/inv2", "CTXHYP", "(∅ ⦂ ℙ(ℤ))⊆1 ‥ cap"),
    ("INITIALISATION/inv3", "CTXHYP", "0=card((∅ ⦂ ℙ(ℤ)))∧(∀i⦂ℤ·i∈(∅ ⦂ ℙ(ℤ))⇒i>0)"),
    ("add/inv2", "ADD", "items∪{x}⊆1 ‥ cap"),
    ("add/inv3", "ADD", "load+1=card(items∪{x})∧(∀i⦂ℤ·i∈items∪{x}⇒i>0)"),
    ("drop/inv2", "ALLHYP", "(∅ ⦂ ℙ(ℤ))⊆1 ‥ cap"),
    ("drop/inv3", "ALLHYP", "0=card((∅ ⦂ ℙ(ℤ)))∧(∀i⦂ℤ·i∈(∅ ⦂ ℙ(ℤ))⇒i>0)"),
];

/// Opens the project after a change of machines and contexts alone. Pairs of events and conjuncts that
/// are proved, and that are only said to be.
fn proved(name: &str, change: &dyn Fn(String) -> String) -> (usize, usize) {
    let folder = folder(name);
    let write = |file: &str, text: String| std::fs::write(folder.join(file), text).unwrap();
    write("Size.buc", rodin(&change(CONTEXT.to_owned())));
    write("M0.bum", rodin(&change(ABSTRACT.to_owned())));
    write("M1.bum", rodin(&change(CONCRETE.to_owned())));
    write("M0.bpo", obligations("M0", SETS0, SEQUENTS0));
    write("M0.bps", status(SEQUENTS0));
    write("M1.bpo", obligations("M1", SETS1, SEQUENTS1));
    write("M1.bps", status(SEQUENTS1));
    let loaded = beeline::open(&folder.join("M1.bum"), &OpenOptions::default());
    let model = loaded.model.unwrap_or_else(|| panic!("{name}: {:?}", loaded.diagnostics.list()));
    std::fs::remove_dir_all(&folder).unwrap();
    (model.proofs.len(), model.claims.len())
}

fn folder(name: &str) -> PathBuf {
    let folder =
        std::env::temp_dir().join(format!("beeline-obligations-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// What remains proved after a change. Three events (initialisation among them) and four conjuncts
/// make twelve pairs.
fn after(name: &str, from: &str, to: &str) -> usize {
    let all = [CONTEXT, ABSTRACT, CONCRETE];
    assert!(all.iter().any(|text| text.contains(from)), "{name}: {from}");
    let (proved, claimed) = proved(name, &|text| text.replace(from, to));
    assert!(proved + claimed <= 12, "{name}");
    proved
}

#[test]
fn obligations_of_the_model_are_accepted() {
    assert_eq!(proved("as-it-is", &|text| text), (12, 0));
    // How something is written does not matter.
    assert_eq!(after("spaces", "load + n ≤ cap", "((load+n) ≤ cap)"), 12);
    assert_eq!(after("bound", "∀i·i ∈ items ⇒ i > 0", "∀k·(k ∈ items ⇒ k > 0)"), 12);
    assert_eq!(after("split", "n ∈ 1‥cap", "n ∈ 1‥cap ∧ n ∈ ℤ"), 12);
    // More may be known than was needed.
    assert_eq!(after("more", "load + n ≤ cap", "load + n ≤ cap ∧ n < cap"), 12);
}

#[test]
fn a_change_of_the_machine_refuses_what_leaned_on_it() {
    // inv1 of `add`, which stands for `put`.
    assert_eq!(after("guard", "load + n ≤ cap", "load + n ≤ cap + 1"), 11);
    assert_eq!(after("action", "load ≔ load + n", "load ≔ load + n + 0"), 9);
    assert_eq!(after("start", "load ≔ 0", "load ≔ 1"), 9);
    assert_eq!(after("choice", "load :∈ 0‥load", "load :∈ 0‥load + 1"), 11);
    // inv2 and both conjuncts of inv3 of `add`.
    assert_eq!(after("new value", "items ≔ items ∪ {x}", "items ≔ {x}"), 9);
    assert_eq!(after("own guard", "x ∈ (1‥cap) ∖ items", "x ∈ 1‥cap"), 9);
    // Both conjuncts of inv3.
    assert_eq!(after("witness", "n = 1", "n = 2"), 10);
    assert_eq!(after("next value", "load' = 0", "load' = load"), 10);
    // Everything leans on axioms, and all events but initialisation on invariants.
    assert_eq!(after("axiom", "cap = 3", "cap = 4"), 0);
    assert_eq!(after("invariant", "load ∈ 0‥cap", "load ∈ 0‥cap + 1"), 3);
    assert_eq!(after("gluing", "items ⊆ 1‥cap", "items ⊆ 0‥cap"), 5);
    // Nothing is known about initialisation but axioms.
    assert_eq!(after("no theorem", "axm1 @predicate=cap = 3", "axm1 @predicate=cap ∈ 3‥3"), 0);
}
