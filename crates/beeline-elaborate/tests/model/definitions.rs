//! DEFINITIONS: expansion by tree, hygiene, kinds, files, externals, limits.

use crate::support::{
    advice, check_errors, check_errors_of, check_types_of, errors, model, model_of, on_small_stack,
    open, property_value, types,
};
use std::fmt::Write;

fn with(definitions: &str, constants: &str, properties: &str) -> String {
    format!(
        "MACHINE M\nDEFINITIONS {definitions}\nCONSTANTS {constants}\nPROPERTIES {properties}\nEND"
    )
}

/// The value of a constant that is defined by an equation over literals, `+`, `-` and `*`.
fn value(definitions: &str, expression: &str) -> i64 {
    let model = model(&with(definitions, "a", &format!("a = {expression}")));
    property_value(&model, 0)
}

#[test]
fn expansion_is_by_tree_not_by_text() {
    assert_eq!(value("PLUS(x, y) == x + y", "PLUS(2, 3) * 10"), 50);
    assert_eq!(value("MINUS(x) == 10 - x", "MINUS(3 - 1)"), 8);
    assert_eq!(value("A == 1 + 1; B == A * A", "B"), 4);
    assert_eq!(value("TWICE(x) == x + x", "TWICE(TWICE(3))"), 12);
}

#[test]
fn order_does_not_matter() {
    assert_eq!(value("B == A + 1; A == 4", "B"), 5);
}

/// A zero-parameter definition before parentheses is its value, applied.
#[test]
fn a_value_can_be_applied() {
    let text = with("F == %k.(k : NAT | TRUE)", "a", "a = F(1)");
    assert_eq!(types(&model(&text)), "a : BOOL");
}

#[test]
fn arguments_are_never_captured() {
    // The k of the argument is the constant, not the k that the definition binds.
    let text = with("ALL(p) == {k | k : 1..3 & p = TRUE}", "k, a", "k : BOOL & a = ALL(k)");
    let loaded = open(&[("M.mch", &text)]);
    assert_eq!(errors(&loaded), "");
    assert_eq!(types(loaded.model.as_ref().unwrap()), "k : BOOL\na : POW(INTEGER)");
    assert_eq!(advice(&loaded), "M.mch:4:31 B0405 the definition binds its own variable `k`");
    // Two levels of expansion, and a parameter with the name of another one's argument.
    let text = with("MEM(x, y) == x : y; OUT(y, x) == MEM(y, {x})", "x, y", "x : BOOL & OUT(y, x)");
    assert_eq!(types(&model(&text)), "x : BOOL\ny : BOOL");
}

/// Where the caller gives the name that is bound, the caller's other arguments see it.
#[test]
fn names_that_the_caller_gives_to_bind() {
    let text = with(
        "LETIN(v, e, f) == UNION(v).(v = e | f); LETS(v, e, f) == LET v BE v = e IN f END",
        "a, b",
        "a = LETIN(z, TRUE, {z}) & b = LETS(w, 1, {w |-> w})",
    );
    assert_eq!(types(&model(&text)), "a : POW(BOOL)\nb : POW(INTEGER * INTEGER)");
    let text = with("MAP(v, s, e) == %v.(v : s | e)", "a", "a = MAP(i, 1..3, {i})");
    assert_eq!(types(&model(&text)), "a : POW(INTEGER * POW(INTEGER))");
}

/// A free name of a body means what it means at the place of use.
#[test]
fn free_names_are_those_of_the_place_of_use() {
    let text = with("NEXT == x + 1", "a", "a = {y | #x.(x : 1..3 & y = NEXT)}");
    assert_eq!(types(&model(&text)), "a : POW(INTEGER)");
    check_errors(&with("NEXT == x + 1", "a", "a = NEXT"), "M.mch:2:21 B0501 `x` is not known here");
}

#[test]
fn lists_stand_for_names_and_targets() {
    let text = "MACHINE M DEFINITIONS XY == x, y VARIABLES x, y
        INVARIANT x : NAT & y : BOOL & #(XY).(x = 1 & y = TRUE)
        INITIALISATION XY := 1, TRUE
        OPERATIONS o = ANY XY WHERE x = 1 & y = x THEN skip END END";
    assert_eq!(types(&model(text)), "x : INTEGER\ny : BOOL");
    check_errors(
        &with("XY == x, y", "a", "a = 1 & #(x, XY).(x = 1 & y = 1)"),
        "M.mch:2:19 B0502 `x` is bound twice",
    );
    check_errors(
        &with("XY == 1, 2", "a", "a = XY"),
        "M.mch:2:19 B0214 a list is used where a single value is needed",
    );
}

#[test]
fn substitutions_and_kinds() {
    let text = "MACHINE M
        DEFINITIONS SET(v, e) == BEGIN v := e END; RESET == SET(x, 0); GO == RESET;
                    INC(v) == v : (v = v$0 + 1)
        VARIABLES x INVARIANT x : NAT INITIALISATION RESET
        OPERATIONS o = SET(x, 1); p = GO; q = INC(x) END";
    let m = model(text);
    assert!(m.operations.iter().all(|o| o.writes.len() == 1));
    // `x` in the predicate of `q` is the new value.
    let reads: Vec<usize> = m.operations.iter().map(|o| o.reads.len()).collect();
    assert_eq!(reads, [0, 0, 1]);

    let kinds = |use_: &str| {
        format!("MACHINE M\nDEFINITIONS P == 1 = 1; E == 1; S == BEGIN skip END\n{use_} END")
    };
    check_errors(
        &kinds("CONSTANTS a PROPERTIES a = 1 & E"),
        "M.mch:2:30 B0213 this is a value, but a predicate is needed here",
    );
    check_errors(
        &kinds("CONSTANTS a PROPERTIES a = P"),
        "M.mch:2:18 B0214 this is a predicate, but a value is needed here",
    );
    check_errors(
        &kinds("CONSTANTS a PROPERTIES a = S"),
        "M.mch:3:28 B0404 definition `S` is a substitution, but a value is needed here",
    );
    check_errors(
        &kinds("CONSTANTS a PROPERTIES a = 1 & S"),
        "M.mch:3:32 B0404 definition `S` is a substitution, but a predicate is needed here",
    );
    check_errors(
        &kinds("OPERATIONS o = E"),
        "M.mch:2:30 B0404 this is a formula, but a substitution is needed here",
    );
    check_errors(
        &kinds("OPERATIONS r <-- o = r <-- S"),
        "M.mch:3:22 B0404 `S` is a definition and gives no results",
    );
}

#[test]
fn counts_must_agree() {
    check_errors(
        &with("ADD(x, y) == x + y", "a", "a = ADD(1)"),
        "M.mch:4:16 B0403 definition `ADD` takes 2 arguments, not 1",
    );
    check_errors(
        &with("ADD(x, y) == x + y", "a", "a = ADD"),
        "M.mch:4:16 B0403 definition `ADD` takes 2 arguments, not 0",
    );
    check_errors(
        &with("ONE(x) == x", "a", "a = 1 & ONE(1, 2) = 1"),
        "M.mch:4:20 B0403 definition `ONE` takes 1 argument, not 2",
    );
}

#[test]
fn circles_and_duplicates() {
    check_errors(
        &with("A == B; B == A", "c", "c = 1"),
        "M.mch:2:21 B0401 definition `B` uses itself",
    );
    check_errors(&with("A == A + 1", "c", "c = 1"), "M.mch:2:13 B0401 definition `A` uses itself");
    // A parameter with the definition's own name is no circle.
    assert_eq!(value("F(F) == F + 1", "F(1)"), 2);
    check_errors(&with("A == 1; A == 2", "c", "c = A"), "M.mch:2:21 B0402 `A` is defined twice");
}

#[test]
fn unused_definitions_are_not_typed() {
    let text = with("BAD == 1 + TRUE", "a", "a = 1");
    assert_eq!(types(&model(&text)), "a : INTEGER");
}

#[test]
fn sets_from_definitions() {
    let text = "MACHINE M DEFINITIONS LIST == {red, green}; ONE == blue
        SETS C = LIST; D = ONE CONSTANTS a, b PROPERTIES a = red & b = blue END";
    let m = model(text);
    assert_eq!(types(&m), "a : C\nb : D");
    assert_eq!(m.sets[0].elements.as_ref().unwrap().len(), 2);
    check_errors(
        "MACHINE M DEFINITIONS N == 3\nSETS C = N END",
        "M.mch:2:10 B0404 `N` is not a definition that lists elements",
    );
}

#[test]
fn definition_files() {
    let main =
        "MACHINE M DEFINITIONS \"a.def\"; \"sub/b.def\" CONSTANTS c PROPERTIES c = A + B END";
    check_types_of(
        &[
            ("dir/M.mch", main),
            ("dir/a.def", "DEFINITIONS A == 1"),
            ("dir/sub/b.def", "DEFINITIONS \"c.def\"; B == C"),
            ("dir/sub/c.def", "DEFINITIONS C == 2"),
        ],
        "c : INTEGER",
    );
    // A file that two others name counts once; so does the same text in two files.
    check_types_of(
        &[
            (
                "M.mch",
                "MACHINE M DEFINITIONS \"a.def\"; \"b.def\" CONSTANTS c PROPERTIES c = Z END",
            ),
            ("a.def", "DEFINITIONS \"z.def\"; SAME(x) == x + 1"),
            ("b.def", "DEFINITIONS \"z.def\"; SAME(x) == x + 1"),
            ("z.def", "DEFINITIONS Z == 1"),
        ],
        "c : INTEGER",
    );
    check_errors_of(
        &[
            ("M.mch", "MACHINE M DEFINITIONS \"a.def\"; \"b.def\" END"),
            ("a.def", "DEFINITIONS D == 1"),
            ("b.def", "DEFINITIONS D == 2"),
        ],
        "b.def:1:13 B0402 `D` is defined twice",
    );
    check_errors_of(
        &[
            ("M.mch", "MACHINE M DEFINITIONS \"a.def\" END"),
            ("a.def", "DEFINITIONS \"b.def\"; A == 1"),
            ("b.def", "DEFINITIONS \"a.def\"; B == 1"),
        ],
        "b.def:1:13 B0401 definition file `a.def` includes itself",
    );
    check_errors_of(
        &[("M.mch", "MACHINE M\nDEFINITIONS \"gone.def\" END")],
        "M.mch:2:13 B0301 there is no file `gone.def`",
    );
    // Of a machine only its definitions count.
    check_types_of(
        &[
            ("M.mch", "MACHINE M DEFINITIONS \"N.mch\" CONSTANTS c PROPERTIES c = A END"),
            (
                "N.mch",
                "MACHINE N DEFINITIONS A == 1 VARIABLES x INVARIANT nonsense INITIALISATION skip END",
            ),
        ],
        "c : INTEGER",
    );
}

#[test]
fn externals_and_libraries() {
    let text = "MACHINE M
        DEFINITIONS \"LibraryStrings.def\"; \"CHOOSE.def\"; \"LibraryProB.def\"; \"LibraryIO.def\"
        CONSTANTS a, b, c
        PROPERTIES a = STRING_APPEND(\"x\", \"y\") & b = CHOOSE({TRUE}) & c = STRING_LENGTH(a)
          & ENUMERATE(c) & printf(\"~w\", b)
        END";
    let m = model(text);
    assert_eq!(types(&m), "a : STRING\nb : BOOL\nc : INTEGER");
    let names: Vec<&str> = m.externals.iter().map(|e| e.name.as_str()).collect();
    assert_eq!(names, ["STRING_APPEND", "CHOOSE", "STRING_LENGTH", "ENUMERATE", "printf"]);
    // A type parameter is fresh at each use, and no bound name reaches into the declaration.
    let text = with(
        "EXTERNAL_FUNCTION_PICK(T) == POW(T) --> T; PICK(s) == ({TRUE} * s)(TRUE)",
        "a, b, c",
        "a = PICK({1}) & b = PICK({TRUE}) & c = {T | T : {PICK({\"s\"})}}",
    );
    assert_eq!(types(&model(&text)), "a : INTEGER\nb : BOOL\nc : POW(STRING)");
    check_errors(
        &with("EXTERNAL_FUNCTION_F == INTEGER --> BOOL; F(x) == TRUE", "a", "a = F(TRUE)"),
        "M.mch:4:16 B0601 the argument list has type BOOL, but INTEGER is needed",
    );
    check_errors(
        &with("EXTERNAL_FUNCTION_F == 1; F(x) == TRUE", "a", "a = F(TRUE)"),
        "M.mch:2:36 B0601 an external declaration has type INTEGER, but POW(_) is needed",
    );
}

/// 2^60 nodes on paper: refused at the use, soon.
#[test]
fn exponential_towers_end() {
    let mut text = "D0(x) == x + x".to_owned();
    for i in 1..60 {
        write!(text, "; D{i}(x) == D{}(D{}(x))", i - 1, i - 1).unwrap();
    }
    let found = errors(&open(&[("M.mch", &with(&text, "a", "a = D59(1)"))]));
    assert!(found.starts_with("M.mch:4:16 B080"), "{found}");
    assert_eq!(found.lines().count(), 1, "{found}");
    let mut text = "D0 == 1 + 1".to_owned();
    for i in 1..60 {
        write!(text, "; D{i} == D{} + D{}", i - 1, i - 1).unwrap();
    }
    let found = errors(&open(&[("M.mch", &with(&text, "a", "a = D59"))]));
    assert!(found.starts_with("M.mch:4:16 B0802"), "{found}");
    assert_eq!(found.lines().count(), 1, "{found}");
}

#[test]
fn long_chains_of_definitions() {
    on_small_stack(|| {
        let mut text = "D0 == 1".to_owned();
        for i in 1..=10_000 {
            write!(text, ";\nD{i} == D{} + 1", i - 1).unwrap();
        }
        let ok = model_of(&[("M.mch", &with(&text, "a", "a = D1000"))]);
        assert_eq!(types(&ok), "a : INTEGER");
        let found = errors(&open(&[("M.mch", &with(&text, "a", "a = D10000"))]));
        assert_eq!(found, "M.mch:10004:16 B0801 this formula is nested more than 5000 deep");
    });
}
