//! Sets that are not listed, through the program: two of them are one set or two by what they are,
//! never by how they are written.

use crate::Folder;

/// A machine whose variable is given values that are sets.
fn machine(invariant: &str, start: &str, operations: &str) -> String {
    format!(
        "MACHINE M\nVARIABLES s, n\nINVARIANT {invariant}\nINITIALISATION s := {start} || n := 0\n\
         OPERATIONS {operations}\nEND\n"
    )
}

const SPELT: &str = "o = PRE n = 0 THEN s := {x | x : INTEGER & x >= 0} || n := 1 END";

#[test]
fn an_invariant_that_counts_spellings_is_violated() {
    // True of the first state, in which s is not NATURAL; false of the second one.
    let invariants = [
        "card({s, NATURAL}) = 2",
        "{s} /\\ {NATURAL} = {}",
        "{NATURAL} - {s} /= {}",
        "s /: {NATURAL}",
        "card({NATURAL |-> 1} <+ {s |-> 2}) = 2",
        "card(dom({s |-> 1, NATURAL |-> 2})) = 2",
        "{s |-> 1, NATURAL |-> 2} : POW(INTEGER) +-> INTEGER",
        "{1 |-> s, 2 |-> NATURAL} : INTEGER >+> POW(INTEGER)",
        "[s, NATURAL] : iseq(POW(INTEGER))",
        "card({s |-> 3}[{NATURAL}]) = 0",
        "card({1 |-> s} |> {NATURAL}) = 0",
        "{{s}} /\\ {{NATURAL}} = {}",
        "rec(a : s) /= rec(a : NATURAL)",
        "SIGMA(z).(z : {s, NATURAL} | 1) = 2",
    ];
    for invariant in invariants {
        let text = machine(&format!("n : 0..1 & {invariant}"), "{1}", SPELT);
        let folder = Folder::new("symbolic-violated-one").with("M.mch", text);
        let ran = folder.run(&["check", "--no-deadlock", "M.mch"]);
        assert_eq!(ran.code, Some(1), "{invariant}: {}", ran.out);
    }
}

#[test]
fn an_invariant_that_does_not_count_spellings_holds() {
    let operation = "o = PRE n = 0 THEN s := NATURAL1 || n := 1 END";
    for invariant in [
        "card({s, NATURAL}) = 1 + n",
        "{s |-> 1}(IF n = 0 THEN NATURAL ELSE s END) = 1",
        "s : {NATURAL, NATURAL - {0}}",
    ] {
        let text =
            machine(&format!("n : 0..1 & {invariant}"), "{x | x : INTEGER & x >= 0}", operation);
        let folder = Folder::new("symbolic-holds").with("M.mch", text);
        let ran = folder.run(&["check", "--no-deadlock", "M.mch"]);
        assert_eq!(ran.code, Some(0), "{invariant}: {}", ran.out);
        assert!(ran.out.contains("\n2 states,"), "{}", ran.out);
    }
}

#[test]
fn states_are_told_apart_by_what_their_sets_are() {
    for (name, operations, states) in [
        // Two sets, however they are reached.
        ("finite-changes", "a = s := NATURAL - {7}; b = s := s \\/ {7}; c = s := s - {7}", 2),
        (
            "comprehensions",
            "a = s := {x | x : INTEGER & x > -1}; b = s := {x | x : NATURAL & x /= 2}; \
             c = s := s \\/ {2}",
            2,
        ),
        // A set without intervals, changed and changed back.
        (
            "changes",
            "a = s := {x | x : NATURAL & x mod 2 = 0}; b = s := s \\/ {1}; c = s := s - {1}; \
             d = s := s \\/ {4}",
            4,
        ),
    ] {
        let text = format!(
            "MACHINE M\nVARIABLES s\nINVARIANT s <: INTEGER\nINITIALISATION s := NATURAL\n\
             OPERATIONS {operations}\nEND\n"
        );
        let folder = Folder::new(&format!("symbolic-{name}")).with("M.mch", text);
        let ran = folder.run(&["check", "--no-deadlock", "M.mch"]);
        assert!(ran.out.contains(&format!("\n{states} states,")), "{name}: {}", ran.out);
        assert_eq!(ran.code, Some(0), "{name}: {}", ran.out);
    }
}

#[test]
fn a_function_changed_in_a_few_places_comes_back() {
    let text = "MACHINE M\nVARIABLES f\nINVARIANT f : NATURAL --> INTEGER\n\
        INITIALISATION f := %x.(x : NATURAL | x + 1)\n\
        OPERATIONS up = PRE f(3) < 6 THEN f(3) := f(3) + 1 END; back = f := f <+ {3 |-> 4}\nEND\n";
    let folder = Folder::new("symbolic-function").with("M.mch", text);
    let ran = folder.run(&["check", "--no-deadlock", "M.mch"]);
    // f(3) is 4, 5 or 6.
    assert!(ran.out.contains("\n3 states,"), "{}", ran.out);
    assert_eq!(ran.code, Some(0), "{}", ran.out);
}

#[test]
fn finite_sets_that_are_not_listed_are_compared_too() {
    let folder = Folder::new("symbolic-finite");
    for (formula, value) in [
        ("card({(1..400) * (1..400), {x, y | x : 1..400 & y : 1..400}})", "1 : INTEGER"),
        ("card({(1..400) * (1..400), {x, y | x : 1..400 & y : 1..401}})", "2 : INTEGER"),
        ("card({POW(1..17), FIN(1..17)})", "1 : INTEGER"),
        ("card({POW(1..17), POW(1..18)})", "2 : INTEGER"),
        ("{POW(NATURAL)} /\\ {{s | s <: NATURAL}} = {}", "FALSE"),
        ("perm(NATURAL) = {}", "TRUE"),
        ("card({NATURAL, {x | x : INTEGER & x >= 0}})", "1 : INTEGER"),
        ("card({NATURAL --> BOOL, {x | x : INTEGER & x >= 0} --> BOOL})", "1 : INTEGER"),
        ("union({NATURAL, {-1}}) = {x | x : INTEGER & x > -2}", "TRUE"),
    ] {
        let ran = folder.run(&["eval", formula]);
        assert!(ran.out.starts_with(value), "{formula}: {ran:?}");
    }
}

#[test]
fn what_is_not_known_to_differ_is_a_cut() {
    // Whether these are one set is a question of number theory, which nobody asks here.
    let odd = "{x | x : NATURAL & (x + 1) mod 2 = 0 & x * x >= 0}";
    let also = "{x | x : NATURAL & x mod 2 = 1}";
    let text = machine(
        &format!("n : 0..1 & card({{s, {also}}}) >= 1"),
        "{1}",
        &format!("o = PRE n = 0 THEN s := {odd} || n := 1 END"),
    );
    let folder = Folder::new("symbolic-cut").with("M.mch", text);
    let ran = folder.run(&["check", "--no-deadlock", "M.mch"]);
    assert_eq!(ran.code, Some(3), "{}", ran.out);
    assert!(ran.out.contains("is tried within"), "{}", ran.out);
}

#[test]
fn states_that_may_be_one_are_told() {
    let start = "%x.(x : NATURAL | x + 1)";
    let operations = "step = PRE n < 9 THEN n := n + 1 END; \
                      turn = PRE n = 2 THEN s := %y.(y : NATURAL | 1 + y) END";
    let text = machine("s : INTEGER +-> INTEGER & n : 0..9", start, operations);
    let folder = Folder::new("symbolic-doubtful").with("M.mch", text);
    let told = |arguments: &[&str]| {
        let all = [&["check", "--no-deadlock"], arguments, &["M.mch"]].concat();
        let ran = folder.run(&all);
        assert_eq!(ran.code, Some(3), "{arguments:?}: {}", ran.out);
        assert!(ran.out.contains("values of s"), "{arguments:?}: {}", ran.out);
    };
    for engine in ["general", "packed", "native"] {
        told(&["--engine", engine]);
    }
    // States of before count as well.
    let folder_of = ["--checkpoint", "saved"];
    folder
        .run(&[&["check", "--no-deadlock", "--max-states", "8", "M.mch"][..], &folder_of].concat());
    told(&[&folder_of[..], &["--resume"]].concat());
}

#[test]
fn a_set_that_is_listed_may_be_one_that_is_not() {
    // Two ways to write one set, of which one is listed: there are two states.
    let operations = "one = PRE n = 0 THEN s := {t | t <: 1..14} || n := 1 END; \
                      other = PRE n = 0 THEN s := POW(1..14) || n := 1 END";
    let text = machine("s <: POW(INTEGER) & n : 0..1", "{}", operations);
    let folder = Folder::new("symbolic-or-listed").with("M.mch", text);
    for engine in ["general", "packed", "native"] {
        let ran = folder.run(&["check", "--no-deadlock", "--engine", engine, "M.mch"]);
        let told = ran.code == Some(3) && ran.out.contains("values of s");
        assert!(told || ran.out.contains("\n2 states"), "{engine}: {}", ran.out);
    }
}

#[test]
fn free_types_with_an_end_are_listed() {
    let text = "MACHINE M FREETYPES F = nil, num(0..1); G = leaf, node(F * BOOL)
        VARIABLES w, v
        INVARIANT w : POW(F) & v : POW(G)
        INITIALISATION w, v := {}, {}
        OPERATIONS all = BEGIN w := F END; same = BEGIN w := {x | x : F & 1 = 1} END;
            one = ANY f WHERE f : F THEN w := {f} END END";
    let folder = Folder::new("free-types-listed").with("M.mch", text);
    let ran = folder.run(&["check", "M.mch"]);
    assert_eq!(ran.code, Some(0), "{}", ran.out);
    assert!(ran.out.contains("\n5 states"), "{}", ran.out);
}
