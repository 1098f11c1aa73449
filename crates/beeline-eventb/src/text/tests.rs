use super::*;

const MODEL: &str = "context C // all there is
sets S constants a b
axioms
  @axm1 partition(S, {a}, {b})
  theorem @thm1 a ≠ b
end
machine M refines M0 sees C
variables x y
invariants
  @inv1 x : NAT
  @inv2 y ∈ S /* either */
variant 10 − x
events
  event INITIALISATION then @act1 x ≔ 0 @act2 y :∈ S end
  convergent event inc refines step other
    any p where @grd1 p > 0 ∧ x + p ≤ 10 with @q q = p then @act1 x := x + p end
  event same extends same end
end
";

fn read_all(text: &str) -> (Project, Vec<String>) {
    let (mut project, mut out) = (Project::default(), Diagnostics::new());
    read(text, 1, &mut project, &mut out);
    let show = |d: &Diagnostic| format!("{} {}", d.primary.span.start, d.message);
    (project, out.list().iter().map(show).collect())
}

#[test]
fn components_of_a_text() {
    assert!(is_text(MODEL) && !is_text("MACHINE M END"));
    let (project, problems) = read_all(MODEL);
    assert_eq!(problems, [""; 0]);
    let context = &project.contexts[0];
    assert_eq!(context.constants.len(), 2);
    assert_eq!(context.axioms.iter().map(|a| a.theorem).collect::<Vec<_>>(), [false, true]);
    let machine = &project.machines[0];
    assert_eq!(machine.invariants[1].label, "inv2");
    assert_eq!(beeline_syntax::print_expr(&machine.variants[0]), "10 - x");
    let inc = &machine.events[1];
    assert_eq!(inc.convergence, Convergence::Convergent);
    assert_eq!(inc.refines.len(), 2);
    assert_eq!(inc.witnesses[0].name.name, "q");
    assert_eq!(beeline_syntax::print_subst(&inc.actions[0].subst), "x := x + p");
    assert!(machine.events[2].extended);
}

#[test]
fn places_are_those_of_the_file() {
    let text = MODEL.replace("x + p ≤ 10", "x + ≤ 10");
    let at = text.find("≤ 10").unwrap() + 1;
    assert_eq!(read_all(&text).1, [format!("{at} a formula was expected here, not `≤`")]);
    assert_eq!(
        read_all("machine M wrong").1,
        ["11 a clause of a machine or `end` was expected here, not `wrong`"]
    );
    assert_eq!(read_all("machine end").1, ["9 a name was expected here, not `end`"]);
    assert_eq!(
        read_all("context C").1,
        ["10 a clause of a context or `end` was expected here, not the end of the file"]
    );
}
