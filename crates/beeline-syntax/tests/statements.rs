//! Substitutions, and the clauses around them.

mod support;

use beeline_syntax::ast::*;
use support::{dump, dump_subst, machine, names, substitution};

fn check(cases: &[(&str, &str)]) {
    for (text, tree) in cases {
        assert_eq!(substitution(text), *tree, "{text}");
    }
}

#[test]
fn simple_statements() {
    check(&[
        ("x := 1", "(x := 1)"),
        ("x, f(i), r'a := e, f, g", "(x (call f i) (field r a) := e f g)"),
        ("f(i)(j)'a := 1", "((field (call (call f i) j) a) := 1)"),
        ("left(x) := 1", "((call left x) := 1)"),
        ("x, y :: S", "(x y :: S)"),
        ("x : (x > x$0)", "(x :| (> x x$0))"),
        ("op", "(op op)"),
        ("op()", "(op op [])"),
        ("a.op(1, 2)", "(op a.op [1 2])"),
        ("r, f(1) <-- op", "(op r (call f 1) <-- op)"),
        ("r <-- op(x)", "(op r <-- op [x])"),
        ("skip", "skip"),
    ]);
}

#[test]
fn semicolon_is_looser_than_parallel() {
    check(&[
        ("a := 1; b := 2 || c := 3; d", "(; (a := 1) (|| (b := 2) (c := 3)) (op d))"),
        ("BEGIN a; b END", "(begin (; (op a) (op b)))"),
    ]);
}

#[test]
fn blocks() {
    check(&[
        ("PRE P THEN a END", "(pre P (op a))"),
        ("ASSERT P THEN a END", "(assert P (op a))"),
        ("WITNESS P THEN a END", "(witness P (op a))"),
        ("IF P THEN a END", "(if P (op a))"),
        ("IF P THEN a ELSIF Q THEN b ELSE c END", "(if P (op a) Q (op b) (op c))"),
        ("SELECT P THEN a WHEN Q THEN b ELSE c END", "(select P (op a) Q (op b) (op c))"),
        ("CHOICE a OR b; c END", "(choice (op a) (; (op b) (op c)))"),
        (
            "CASE f;g OF EITHER 1, 2 THEN a OR 3 THEN b ELSE c END END",
            "(case (; f g) <1 2> (op a) <3> (op b) (op c))",
        ),
        ("ANY x, y WHERE P THEN a END", "(any <x y> P (op a))"),
        ("LET x BE x = 1 IN a END", "(let <x> (= x 1) (op a))"),
        ("VAR x IN x := 1 END", "(var <x> (x := 1))"),
        ("WHILE P DO a; b INVARIANT I VARIANT v END", "(while P (; (op a) (op b)) I v)"),
    ]);
}

#[test]
fn a_machine_with_every_clause() {
    let m = machine(
        "MACHINE M(S, n)
         CONSTRAINTS n : NAT
         SEES A, p.B /*@file \"x/B.mch\"*/
         USES U
         INCLUDES q.C(1, (f;g)), D
         EXTENDS E
         PROMOTES op1, q.op2
         SETS T; U = {a, b} /*@desc two*/; V = Def
         FREETYPES F = leaf, tree1(F * F)
         CONSTANTS c /*@desc memo*/, d
         ABSTRACT_CONSTANTS e
         PROPERTIES c = d
         VARIABLES x, y
         CONCRETE_VARIABLES z
         DEFINITIONS Def == {u, v}; \"lib.def\";
         INVARIANT x = y
         ASSERTIONS x = y; y = x
         INITIALISATION x := 1; y := 2
         OPERATIONS
           r, s <-- op(v) = PRE v : T THEN r := v END /*@desc does it*/;
           q.op = skip;
           ev ref ab = BEGIN skip END
         END",
    );
    let kinds: Vec<_> = m.clauses.iter().map(|c| &c.kind).collect();
    assert_eq!(kinds.len(), 18);
    assert_eq!(names(&m.parameters), "<S n>");
    let ClauseKind::Sees(seen) = kinds[1] else { panic!() };
    assert_eq!(seen[1].prefix.as_ref().unwrap().name, "p");
    assert_eq!(seen[1].file.as_ref().unwrap().name, "x/B.mch");
    let ClauseKind::Includes(included) = kinds[3] else { panic!() };
    assert_eq!(dump(&included[0].arguments[1]), "[(; f g)]");
    let ClauseKind::Sets(sets) = kinds[6] else { panic!() };
    assert!(matches!(sets[0].elements, SetElements::Deferred));
    assert_eq!(sets[1].description.as_deref(), Some("two"));
    assert!(matches!(&sets[2].elements, SetElements::FromDefinition(d) if d.name == "Def"));
    let ClauseKind::FreeTypes(types) = kinds[7] else { panic!() };
    assert_eq!(types[0].constructors.len(), 2);
    let ClauseKind::Constants(ConstantsKind::Plain, constants) = kinds[8] else { panic!() };
    assert_eq!(constants[0].description.as_deref(), Some("memo"));
    let ClauseKind::Definitions(items) = kinds[13] else { panic!() };
    assert!(matches!(&items[1], DefinitionItem::File(f) if f.name == "lib.def"));
    let ClauseKind::Initialisation(s) = kinds[16] else { panic!() };
    assert_eq!(dump_subst(s), "(; (x := 1) (y := 2))");
    let ClauseKind::Operations(OperationsKind::Operations, ops) = kinds[17] else { panic!() };
    assert_eq!(names(&ops[0].results), "<r s>");
    assert_eq!(ops[0].description.as_deref(), Some("does it"));
    assert_eq!(ops[1].name.name, "q.op");
    assert_eq!(ops[2].refines.as_ref().unwrap().name, "ab");
}

#[test]
fn implementations_and_their_clauses() {
    let m = machine(
        "IMPLEMENTATION I REFINES M IMPORTS p.A VALUES S = 1..2; c = 3
         LOCAL_OPERATIONS l = skip OPERATIONS o = l END",
    );
    assert_eq!(m.kind, MachineKind::Implementation);
    assert!(matches!(&m.clauses[2].kind, ClauseKind::Values(v) if v.len() == 2));
}

fn body(definition: &str) -> DefinitionBody {
    let mut m = machine(&format!("MACHINE M DEFINITIONS {definition} END"));
    let ClauseKind::Definitions(mut items) = m.clauses.remove(0).kind else { panic!() };
    match items.remove(0) {
        DefinitionItem::Definition(d) => d.body,
        item => panic!("{item:?}"),
    }
}

#[test]
fn definition_bodies_are_formulas_if_they_can_be() {
    let formula = |text: &str| match body(text) {
        DefinitionBody::Formula(e) => dump(&e),
        other => panic!("{text}: {other:?}"),
    };
    let subst = |text: &str| match body(text) {
        DefinitionBody::Substitution(s) => dump_subst(&s),
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(formula("D == x + 1"), "(+ x 1)");
    assert_eq!(formula("D(x, y) == x = y;"), "(= x y)");
    assert_eq!(formula("D == a, b"), "(list a b)");
    assert_eq!(formula("D == op(x)"), "(call op x)");
    assert_eq!(formula("D == IF a THEN op1 ELSE op2 END"), "(if a op1 op2)");
    assert_eq!(formula("D == x : (S)"), "(: x [S])");
    assert_eq!(formula("top(x) == x"), "x");
    assert_eq!(subst("D == x : (x > 1)"), "(x :| (> x 1))");
    assert_eq!(subst("D == x, y : (x > y)"), "(x y :| (> x y))");
    assert_eq!(subst("D == x := 1"), "(x := 1)");
    assert_eq!(subst("D == IF a THEN op1 END"), "(if a (op op1))");
    assert_eq!(subst("D == BEGIN a; b END ; E == 1"), "(begin (; (op a) (op b)))");
    assert_eq!(subst("D == skip"), "skip");
}

#[test]
fn a_definition_file() {
    let parsed = beeline_syntax::parse_file("DEFINITIONS a == 1; \"b.def\"; c(x) == x;", 1);
    assert!(parsed.problems.is_empty());
    assert!(matches!(parsed.unit, Some(Unit::Definitions(items)) if items.len() == 3));
}
