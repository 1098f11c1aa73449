use super::*;
use beeline_source::Diagnostics;

const MACHINE: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<org.eventb.core.machineFile org.eventb.core.configuration="org.eventb.core.fwd" version="5">
<org.eventb.core.refinesMachine name="a" org.eventb.core.target="M0"/>
<org.eventb.core.seesContext name="b" org.eventb.core.target="C"/>
<org.eventb.core.variable name="c" org.eventb.core.identifier="n" com.plugin.colour="red"/>
<org.eventb.core.invariant name="d" org.eventb.core.label="inv1" org.eventb.core.predicate="n &lt; 3 &amp; n ∈ ℕ"/>
<org.eventb.core.event name="e" org.eventb.core.convergence="1" org.eventb.core.extended="false" org.eventb.core.label="inc">
<org.eventb.core.refinesEvent name="f" org.eventb.core.target="step"/>
<org.eventb.core.parameter name="g" org.eventb.core.identifier="p"/>
<org.eventb.core.guard name="h" org.eventb.core.label="grd1" org.eventb.core.predicate="p = 1" org.eventb.core.theorem="true"/>
<org.eventb.core.action name="i" org.eventb.core.assignment="n ≔ n + p" org.eventb.core.label="act1"/>
</org.eventb.core.event>
</org.eventb.core.machineFile>
"#;

fn read(text: &str) -> (Project, Vec<String>) {
    let (mut project, mut out) = (Project::default(), Diagnostics::new());
    read_component("M", text, 1, &mut project, &mut out);
    let show = |d: &Diagnostic| format!("{} {}", d.primary.span.start, d.message);
    (project, out.list().iter().map(show).collect())
}

#[test]
fn a_machine() {
    let (project, problems) = read(MACHINE);
    assert_eq!(problems, [""; 0]);
    let machine = &project.machines[0];
    assert_eq!(machine.refines.as_ref().unwrap().name, "M0");
    assert_eq!(machine.sees[0].name, "C");
    assert_eq!(machine.invariants[0].label, "inv1");
    let invariant = beeline_syntax::print_expr(&machine.invariants[0].formula);
    assert_eq!(invariant, "n < 3 & n : NATURAL");
    let event = &machine.events[0];
    assert_eq!(event.convergence, Convergence::Convergent);
    assert_eq!((event.refines[0].name.as_str(), event.parameters[0].name.as_str()), ("step", "p"));
    assert!(event.guards[0].theorem);
    assert_eq!(beeline_syntax::print_subst(&event.actions[0].subst), "n := n + p");
}

#[test]
fn a_mistake_in_a_formula_has_its_place_in_the_file() {
    let text = MACHINE.replace("n &lt; 3 &amp; n ∈", "n &lt; 3 &amp; ∈ ∈");
    let at = text.find("∈ ∈").unwrap() + 1;
    assert_eq!(read(&text).1, [format!("{at} a formula was expected here, not `∈`")]);
}

#[test]
fn hostile_documents_are_refused() {
    let doctype = "<!DOCTYPE x [<!ENTITY a \"b\">]><org.eventb.core.machineFile/>";
    assert_eq!(read(doctype).1, ["1 a document type is not allowed here"]);
    let entity = MACHINE.replace("n &lt;", "&boom;");
    assert!(read(&entity).1[0].contains("not well-formed"), "{:?}", read(&entity).1);
    let cut = &MACHINE[..MACHINE.len() / 2];
    assert!(read(cut).1[0].contains("not well-formed"));
    let deep = "<a>".repeat(100_000);
    assert!(read(&deep).1[0].contains("nested more than"));
    assert!(read("<x/>").1[0].contains("neither a machine nor a context"));
    let missing = MACHINE.replace("org.eventb.core.predicate=\"p = 1\"", "");
    assert!(read(&missing).1[0].contains("org.eventb.core.predicate is missing"));
    let unknown = MACHINE.replace("core.parameter name", "core.parametre name");
    assert!(read(&unknown).1[0].contains("`parametre` is not known here"));
}

#[test]
fn proofs_count_only_for_obligations_as_they_are() {
    let obligations = r#"<org.eventb.core.poFile>
<org.eventb.core.poSequent name="inc/inv1/INV" org.eventb.core.poStamp="2"/>
<org.eventb.core.poSequent name="inc/inv2/INV" org.eventb.core.poStamp="3"/>
<org.eventb.core.poSequent name="inc/inv3/INV" org.eventb.core.poStamp="3"/>
<org.eventb.core.poSequent name="inc/inv4/INV" org.eventb.core.poStamp="3"/>
</org.eventb.core.poFile>"#;
    let status = r#"<org.eventb.core.psFile>
<org.eventb.core.psStatus name="inc/inv1/INV" org.eventb.core.confidence="1000" org.eventb.core.poStamp="2"/>
<org.eventb.core.psStatus name="inc/inv2/INV" org.eventb.core.confidence="1000" org.eventb.core.poStamp="2"/>
<org.eventb.core.psStatus name="inc/inv3/INV" org.eventb.core.confidence="300" org.eventb.core.poStamp="3"/>
<org.eventb.core.psStatus name="inc/inv4/INV" org.eventb.core.confidence="1000" org.eventb.core.poStamp="3" org.eventb.core.psBroken="true"/>
<org.eventb.core.psStatus name="inc/inv5/INV" org.eventb.core.confidence="1000" org.eventb.core.poStamp="3"/>
</org.eventb.core.psFile>"#;
    let obligations = read_obligations("M", obligations, 1).unwrap();
    let mut project = Project::default();
    read_status(status, 1, obligations, &mut project).unwrap();
    let proofs = project.proofs;
    let labels: Vec<_> = proofs.iter().map(|p| p.invariant.as_str()).collect();
    assert_eq!(labels, ["inv1"]);
}
