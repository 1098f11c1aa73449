//! Composition: levels, gluing, initialisation order, offered operations, sizes, special definitions.

use crate::support::{advice, check_errors, errors, model, model_of, open};
use beeline_model::{Conjunct, ConjunctId, Invariant, Model, Role, SizeOrigin};

const A: &str = "MACHINE A VARIABLES x, y INVARIANT x : NAT & y : BOOL & x < 10
    INITIALISATION x := 0 || y := TRUE OPERATIONS o = x := 1; p = y := FALSE END";
const R: &str = "REFINEMENT R REFINES A SEES K VARIABLES x, z
    INVARIANT z : INTEGER & (z = 0 <=> y = TRUE) & x + z < k
    INITIALISATION x := 0; z := 0 OPERATIONS o = x := 1; p = z := 1 END";
const K: &str = "MACHINE K CONSTANTS k PROPERTIES k = 20 VARIABLES w INVARIANT w : BOOL
    INITIALISATION w := TRUE OPERATIONS flip = w := FALSE END";

fn names(model: &Model, level: usize) -> String {
    let level = &model.levels[level];
    let variables: Vec<&str> =
        level.variables.iter().map(|v| model.variable(*v).name.as_str()).collect();
    let operations: Vec<&str> =
        level.operations.iter().map(|o| model.operation(*o).name.as_str()).collect();
    let starts: Vec<&str> =
        level.initialisation.iter().map(|i| model.component(i.0).name.as_str()).collect();
    format!("{} | {} | {}", variables.join(" "), operations.join(" "), starts.join(" "))
}

#[test]
fn levels_from_abstract_to_concrete() {
    let m = model_of(&[("R.ref", R), ("A.mch", A), ("K.mch", K)]);
    assert_eq!(m.levels.len(), 2);
    assert_eq!(names(&m, 0), "x y | o p | A");
    assert_eq!(names(&m, 1), "w x z | o p flip | K R");
    let roles: Vec<_> = m.components.iter().map(|c| (c.name.as_str(), c.role, c.level)).collect();
    assert_eq!(roles, [("R", Role::Main, 1), ("A", Role::Refined, 0), ("K", Role::Seen, 1)]);
    let own: Vec<_> = m.operations.iter().map(|o| o.refines.len()).collect();
    assert_eq!(own, [0, 0, 0, 1, 1]);
    // A variable that is kept is one variable.
    assert_eq!(m.variables.len(), 4);
    let facts =
        |list: &[Invariant]| list.iter().map(|i| (i.only_types, i.reads.len())).collect::<Vec<_>>();
    assert_eq!(facts(&m.levels[0].invariants), [(false, 1), (true, 1), (false, 1)]);
    assert!(m.levels[0].gluing.invariants.is_empty());
    assert_eq!(facts(&m.levels[1].invariants), [(true, 1), (true, 1), (false, 2)]);
    assert_eq!(facts(&m.levels[1].gluing.invariants), [(false, 2)]);
}

/// Gluing conjuncts stand between others in each clause; numbers are those of the others alone.
#[test]
fn conjuncts_are_numbered_where_they_are_sorted() {
    let m = model_of(&[
        (
            "R2.ref",
            "REFINEMENT R2 REFINES R VARIABLES c, z
             INVARIANT c = b & /*@label lo*/ c >= 0 & b + c < 9 & c : INTEGER & z = FALSE
             ASSERTIONS b = c; /*@label sq*/ c * c >= 0; 1 = 1; b > -1; c + 0 = c
             INITIALISATION c, z := 0, FALSE END",
        ),
        (
            "R.ref",
            "REFINEMENT R REFINES A VARIABLES b INVARIANT b : INTEGER & a = b
             INITIALISATION b := 0 END",
        ),
        ("A.mch", "MACHINE A VARIABLES a INVARIANT a : 0..3 INITIALISATION a := 0 END"),
    ]);
    assert_eq!(m.levels.len(), 3);
    let level = m.concrete();
    assert_eq!(m.component(level.component).name, "R2");
    let shown = |c: &Conjunct| m.show_pred(&c.pred);
    let checked: Vec<_> = level.checked().map(|(id, c)| (id, shown(c))).collect();
    let expected = [
        (ConjunctId::Invariant(0), "c >= 0"),
        (ConjunctId::Invariant(1), "c : INTEGER"),
        (ConjunctId::Invariant(2), "z = FALSE"),
        (ConjunctId::Assertion(0), "c * c >= 0"),
        (ConjunctId::Assertion(1), "1 = 1"),
        (ConjunctId::Assertion(2), "c + 0 = c"),
    ];
    assert_eq!(checked, expected.map(|(id, text)| (id, text.to_owned())));
    for (id, conjunct) in level.checked() {
        assert!(std::ptr::eq(level.conjunct(id).unwrap(), conjunct));
    }
    assert_eq!(level.conjunct(ConjunctId::Invariant(3)).map(shown), None);
    assert_eq!(level.conjunct(ConjunctId::Assertion(3)).map(shown), None);
    assert_eq!(ConjunctId::Assertion(1).number(), 2);
    let glued: Vec<_> = level.gluing.invariants.iter().map(|i| shown(&i.conjunct)).collect();
    assert_eq!(glued, ["c = b", "b + c < 9"]);
    let glued: Vec<_> = level.gluing.assertions.iter().map(|a| shown(&a.conjunct)).collect();
    assert_eq!(glued, ["b = c", "b > -1"]);
    assert_eq!(level.all_conjuncts().count(), 10);
}

#[test]
fn included_machines_start_first() {
    let m = model_of(&[
        (
            "M.mch",
            "MACHINE M INCLUDES B, C VARIABLES m INVARIANT m : BOOL INITIALISATION m := b END",
        ),
        ("B.mch", "MACHINE B INCLUDES D VARIABLES b INVARIANT b : BOOL INITIALISATION b := d END"),
        ("C.mch", "MACHINE C VARIABLES c INVARIANT c : BOOL INITIALISATION c := TRUE END"),
        ("D.mch", "MACHINE D VARIABLES d INVARIANT d : BOOL INITIALISATION d := TRUE END"),
    ]);
    assert_eq!(names(&m, 0), "d b c m |  | D B C M");
}

#[test]
fn labels_and_conjuncts() {
    let m = model(
        "MACHINE M DEFINITIONS BOTH == x > 0 & x < 9 VARIABLES x
         INVARIANT /*@label t*/ x : NAT & BOTH & (x /= 3 & x /= 4) INITIALISATION x := 1 END",
    );
    let list = &m.levels[0].invariants;
    let labels: Vec<_> = list.iter().map(|i| i.conjunct.label.as_deref()).collect();
    assert_eq!(labels, [Some("t"), None, None, None, None]);
}

#[test]
fn operations_with_prefixes_are_refined() {
    let n = "MACHINE N VARIABLES v INVARIANT v : NAT INITIALISATION v := 0
        OPERATIONS set(e) = PRE e : NAT THEN v := e END END";
    let m = model_of(&[
        (
            "R.ref",
            "REFINEMENT R REFINES A VARIABLES w INVARIANT w = a.v INITIALISATION w := 0
             OPERATIONS a.set(e) = w := e END",
        ),
        ("A.mch", "MACHINE A INCLUDES a.N PROMOTES a.set END"),
        ("N.mch", n),
    ]);
    let last = m.operations.last().unwrap();
    assert_eq!(last.name, "a.set");
    assert_eq!(m.operation(last.refines[0]).name, "a.set");
    // The type of the parameter comes from the operation it refines.
    assert_eq!(m.show_type(m.local(last.parameters[0]).ty), "INTEGER");
}

/// The guards of an operation, and how many preconditions of its abstraction it cannot say.
fn guards(model: &Model, name: &str) -> (String, usize) {
    let id = model.concrete().operations.iter().find(|o| model.operation(**o).name == name);
    let operation = model.operation(*id.unwrap());
    let guards = match &operation.body.kind {
        beeline_model::SubstKind::Pre(conjuncts, _) => conjuncts.len(),
        _ => 0,
    };
    let reads: Vec<&str> =
        operation.reads.iter().map(|v| model.variable(*v).name.as_str()).collect();
    (format!("{guards} guards, reads {}", reads.join(" ")), operation.lost_preconditions.len())
}

#[test]
fn refinements_inherit_preconditions() {
    let files = [
        (
            "I.imp",
            "IMPLEMENTATION I REFINES R CONCRETE_VARIABLES f, n
             INVARIANT f : 0..3 --> BOOL & g = f & n : 0..9 & (n = 1 <=> h = 1)
             INITIALISATION f := (0..3) * {FALSE}; n := 0
             OPERATIONS put(e) = f(e) := TRUE; other = n := 1; free = n := 2 END",
        ),
        (
            "R.ref",
            "REFINEMENT R REFINES A VARIABLES g, h
             INVARIANT g : 0..3 --> BOOL & s = g~[{TRUE}] & h : 0..9
             INITIALISATION g := (0..3) * {FALSE}; h := 0
             OPERATIONS put(x) = PRE g(x) = FALSE THEN g(x) := TRUE END;
               other = PRE h < 5 THEN h := 1 END; free = h := 2 END",
        ),
        (
            "A.mch",
            "MACHINE A VARIABLES s INVARIANT s <: 0..3 INITIALISATION s := {}
             OPERATIONS put(y) = PRE y : 0..3 & y /: s & !z.(z : s => z <= 3) THEN s := s \\/ {y} END;
               other = skip; free = skip END",
        ),
    ];
    let m = model_of(&files);
    // `s` is `g~[{TRUE}]`, and `g` is `f`.
    assert_eq!(guards(&m, "put"), ("4 guards, reads f".to_owned(), 0));
    // Nothing says what `h` is.
    assert_eq!(guards(&m, "other"), ("0 guards, reads ".to_owned(), 1));
    assert_eq!(guards(&m, "free"), ("0 guards, reads ".to_owned(), 0));
    // The levels above stay as they are.
    assert!(m.operations.iter().filter(|o| o.name == "put").all(|o| !o.reads.is_empty()));
}

#[test]
fn missing_clauses() {
    check_errors(
        "MACHINE M\nCONSTANTS c END",
        "M.mch:2:1 B0701 a machine with constants needs a clause PROPERTIES",
    );
    check_errors(
        "MACHINE M\nVARIABLES v END",
        "M.mch:2:1 B0701 a machine with variables needs a clause INVARIANT\n\
         M.mch:2:1 B0701 a machine with variables needs a clause INITIALISATION",
    );
    check_errors(
        "MACHINE M(\np) END",
        "M.mch:2:1 B0701 a machine with a scalar parameter needs a clause CONSTRAINTS",
    );
}

fn size(text: &str) -> (u64, Option<u64>, SizeOrigin) {
    let size = &model(text).sets[0].size;
    (size.min, size.max, size.origin)
}

#[test]
fn sizes_of_deferred_sets() {
    use SizeOrigin::{Default, Enumeration, Properties, Scope};
    let with = |properties: &str| {
        size(&format!(
            "MACHINE M SETS S CONSTANTS a, b, n PROPERTIES a : S & b : S & n : NAT & {properties} END"
        ))
    };
    assert_eq!(size("MACHINE M SETS S END"), (1, None, Default));
    assert_eq!(size("MACHINE M SETS S = {p, q} END"), (2, Some(2), Enumeration));
    assert_eq!(with("btrue"), (1, None, Default));
    assert_eq!(with("card(S) = 3"), (3, Some(3), Properties));
    assert_eq!(with("3 = card(S)"), (3, Some(3), Properties));
    assert_eq!(with("card(S) > 3 & card(S) <= 6"), (4, Some(6), Properties));
    assert_eq!(with("2 < card(S)"), (3, None, Properties));
    assert_eq!(with("n = 2 * 2 & card(S) = n"), (4, Some(4), Properties));
    assert_eq!(with("a /= b"), (2, None, Properties));
    assert_eq!(with("S = {a, b}"), (1, Some(2), Properties));
    assert_eq!(with("@partition(S, {a}, {b})"), (2, Some(2), Properties));
    assert_eq!(size("MACHINE M DEFINITIONS scope_S == 5 SETS S END"), (5, Some(5), Scope));
    assert_eq!(size("MACHINE M DEFINITIONS scope_S == 2..4 SETS S END"), (3, Some(3), Scope));
    assert_eq!(size("MACHINE M DEFINITIONS N == 4; scope_S == N SETS S END"), (4, Some(4), Scope));
    assert_eq!(size("MACHINE M DEFINITIONS scope_S == {a, b} SETS S END"), (2, Some(2), Scope));
}

#[test]
fn special_definitions() {
    let m = model(
        "MACHINE M DEFINITIONS GOAL == x = 3; SCOPE == x < 5; HEURISTIC_FUNCTION == 5 - x;
           SET_PREF_MAXINT == 9; SET_PREF_MININT == -2; SET_PREF_CLPFD == TRUE;
           SET_PREF_SYMMETRY_MODE == \"hash\";
           ASSERT_LTL == \"G {x < 5}\"; ASSERT_LTL2 == \"F {x = 3}\"; ASSERT_CTL == \"AG {x < 5}\";
           FORCE_SYMMETRY_C == TRUE; MAX_OPERATIONS_inc == 4
         SETS C = {a, b} VARIABLES x INVARIANT x : 0..5 INITIALISATION x := 0
         OPERATIONS inc = PRE x < 5 THEN x := x + 1 END END",
    );
    let special = &m.special;
    assert!(special.goal.is_some() && special.scope.is_some() && special.heuristic.is_some());
    let preferences: Vec<_> =
        special.preferences.iter().map(|p| format!("{}={}", p.name, p.value)).collect();
    assert_eq!(preferences, ["MAXINT=9", "MININT=-2", "CLPFD=TRUE", "SYMMETRY_MODE=hash"]);
    let ltl: Vec<_> = special.ltl.iter().map(|t| (&*t.name, &*t.text)).collect();
    assert_eq!(ltl, [("ASSERT_LTL", "G {x < 5}"), ("ASSERT_LTL2", "F {x = 3}")]);
    assert_eq!(special.ctl.len(), 1);
    assert_eq!(special.forced_symmetry.len(), 1);
    assert_eq!(special.operation_limits[0].1, 4);
}

/// A fault in one of them is a warning: the model has a meaning without it.
#[test]
fn unusable_special_definitions() {
    let check = |definition: &str, expected: &str| {
        let text = format!(
            "MACHINE M\nDEFINITIONS {definition}\nSETS S; C = {{a}} CONSTANTS k PROPERTIES k : S END"
        );
        let loaded = open(&[("M.mch", &text)]);
        assert_eq!(errors(&loaded), "");
        let found: Vec<_> =
            advice(&loaded).lines().filter(|l| l.contains("B0714")).map(str::to_owned).collect();
        assert_eq!(found.join("\n"), expected);
    };
    check(
        "GOAL == 1",
        "M.mch:2:21 B0714 definition `GOAL` is ignored: this is a value, but a predicate is needed here",
    );
    check(
        "GOAL == zz = 1; SCOPE == zz = 2",
        "M.mch:2:21 B0714 definition `GOAL` is ignored: `zz` is not known here\n\
         M.mch:2:38 B0714 definition `SCOPE` is ignored: `zz` is not known here",
    );
    check("scope_T == 3", "M.mch:2:13 B0714 definition `scope_T` is ignored: there is no set `T`");
    check(
        "scope_S == 0",
        "M.mch:2:13 B0714 definition `scope_S` is ignored: the size must be a positive number",
    );
    check(
        "scope_C == 2",
        "M.mch:2:13 B0714 definition `scope_C` is ignored: the size of `C` is fixed by its elements",
    );
    check(
        "ASSERT_LTL == 1",
        "M.mch:2:13 B0714 definition `ASSERT_LTL` is ignored: a temporal formula must be a string",
    );
    check(
        "FORCE_SYMMETRY_T == TRUE",
        "M.mch:2:13 B0714 definition `FORCE_SYMMETRY_T` is ignored: there is no set `T`",
    );
    check(
        "SET_PREF_MAXINT == 1 + 1",
        "M.mch:2:13 B0714 definition `SET_PREF_MAXINT` is ignored: its value is not a literal",
    );
    check(
        "scope_S == 1..(0 - 9223372036854775807)",
        "M.mch:2:13 B0714 definition `scope_S` is ignored: the size must be a positive number",
    );
    check(
        "scope_S == -9223372036854775807..9223372036854775807",
        "M.mch:2:13 B0714 definition `scope_S` is ignored: the size must be a positive number",
    );
}
