//! Types: every operator and what it gives, inference in any direction, overloads, unknown types.

use crate::support::{check_constants, check_errors, check_type, check_type_error, model, types};

/// Sections 5.1 to 5.3: atoms, sets, numbers.
#[test]
fn atoms_sets_and_numbers() {
    for (expression, ty) in [
        ("1", "INTEGER"),
        ("0xFF", "INTEGER"),
        ("-1", "INTEGER"),
        ("1.5", "REAL"),
        ("\"a\"", "STRING"),
        ("'''a'''", "STRING"),
        ("TRUE", "BOOL"),
        ("bool(1 = 2)", "BOOL"),
        ("MAXINT - MININT", "INTEGER"),
        ("d", "D"),
        ("e1", "E"),
        ("D", "POW(D)"),
        ("INTEGER", "POW(INTEGER)"),
        ("NATURAL1 \\/ NATURAL \\/ NAT \\/ NAT1 \\/ INT", "POW(INTEGER)"),
        ("BOOL", "POW(BOOL)"),
        ("STRING", "POW(STRING)"),
        ("REAL", "POW(REAL)"),
        ("FLOAT", "POW(REAL)"),
        ("succ", "POW(INTEGER * INTEGER)"),
        ("pred(1)", "INTEGER"),
        ("succ[{1}]", "POW(INTEGER)"),
        ("(1, TRUE)", "INTEGER * BOOL"),
        ("(1, TRUE, d)", "INTEGER * BOOL * D"),
        ("1 |-> (TRUE |-> d)", "INTEGER * (BOOL * D)"),
        ("IF n = 1 THEN d ELSE d END", "D"),
        ("LET k BE k = 1 IN {k} END", "POW(INTEGER)"),
        ("{1, 2}", "POW(INTEGER)"),
        ("{k | k : 1..3}", "POW(INTEGER)"),
        ("{k, b | k : 1..3 & b : BOOL}", "POW(INTEGER * BOOL)"),
        ("{(k).k : 1..3 | k |-> d}", "POW(INTEGER * D)"),
        ("POW(D)", "POW(POW(D))"),
        ("POW1(D) \\/ FIN(D) \\/ FIN1(D)", "POW(POW(D))"),
        ("card(s)", "INTEGER"),
        ("union({s})", "POW(D)"),
        ("inter({s})", "POW(D)"),
        ("UNION(k).(k : s | {k |-> 1})", "POW(D * INTEGER)"),
        ("INTER(k).(k : s | {k})", "POW(D)"),
        ("1..2", "POW(INTEGER)"),
        ("s \\/ D", "POW(D)"),
        ("s /\\ D", "POW(D)"),
        ("s - D", "POW(D)"),
        ("s \\ D", "POW(D)"),
        ("s * E", "POW(D * E)"),
        ("s × E", "POW(D * E)"),
        ("n + 1", "INTEGER"),
        ("n - 1", "INTEGER"),
        ("n * 2", "INTEGER"),
        ("n / 2", "INTEGER"),
        ("n mod 2", "INTEGER"),
        ("n ** 2", "INTEGER"),
        ("-n", "INTEGER"),
        ("min({1}) + max({2})", "INTEGER"),
        ("SIGMA(k).(k : 1..3 | k)", "INTEGER"),
        ("PI(k).(k : 1..3 | k)", "INTEGER"),
    ] {
        check_type(expression, ty);
    }
}

/// Section 5.4: relations and functions.
#[test]
fn relations_and_functions() {
    let relations = "POW(POW(D * E))";
    for arrow in
        ["<->", "+->", "-->", ">+>", ">->", "+->>", "-->>", ">+>>", ">->>", "<<->", "<->>", "<<->>"]
    {
        check_type(&format!("D {arrow} E"), relations);
    }
    for (expression, ty) in [
        ("dom(r)", "POW(D)"),
        ("ran(r)", "POW(E)"),
        ("id(s)", "POW(D * D)"),
        ("r~", "POW(E * D)"),
        ("r[s]", "POW(E)"),
        ("s <| r", "POW(D * E)"),
        ("s <<| r", "POW(D * E)"),
        ("r |> {e1}", "POW(D * E)"),
        ("r |>> {e1}", "POW(D * E)"),
        ("r <+ {d |-> e1}", "POW(D * E)"),
        ("r >< r", "POW(D * (E * E))"),
        ("(r ; {e1 |-> 1})", "POW(D * INTEGER)"),
        ("{e1 |-> 1} ∘ r", "POW(D * INTEGER)"),
        ("(r || {1 |-> TRUE})", "POW(D * INTEGER * (E * BOOL))"),
        ("closure({1 |-> 2})", "POW(INTEGER * INTEGER)"),
        ("closure1({1 |-> 2})", "POW(INTEGER * INTEGER)"),
        ("iterate({1 |-> 2}, 3)", "POW(INTEGER * INTEGER)"),
        ("fnc(r)", "POW(D * POW(E))"),
        ("rel({d |-> {e1}})", "POW(D * E)"),
        ("%k.(k : s | 1)", "POW(D * INTEGER)"),
        ("%(k, b).(k : s & b : BOOL | 1)", "POW(D * BOOL * INTEGER)"),
        ("r(d)", "E"),
        ("{(1, 2) |-> d}(1, 2)", "D"),
        ("prj1(D, E)", "POW(D * E * D)"),
        ("prj2(D, E)(d, e1)", "E"),
        ("prj1((d, e1))", "D"),
        ("@prj2(d, e1)", "E"),
    ] {
        check_type(expression, ty);
    }
}

/// Sections 5.5 to 5.9: sequences, records, strings, reals, trees.
#[test]
fn sequences_strings_and_reals() {
    for (expression, ty) in [
        ("[e1, e2]", "POW(INTEGER * E)"),
        ("seq(D)", "POW(POW(INTEGER * D))"),
        ("seq1(D) \\/ iseq(D) \\/ iseq1(D) \\/ perm(D)", "POW(POW(INTEGER * D))"),
        ("size(q)", "INTEGER"),
        ("first(q)", "E"),
        ("last(q)", "E"),
        ("front(q)", "POW(INTEGER * E)"),
        ("tail(rev(q))", "POW(INTEGER * E)"),
        ("q ^ [e1]", "POW(INTEGER * E)"),
        ("e1 -> q", "POW(INTEGER * E)"),
        ("q <- e1", "POW(INTEGER * E)"),
        ("conc([q, q])", "POW(INTEGER * E)"),
        ("q /|\\ 1", "POW(INTEGER * E)"),
        ("q \\|/ 1", "POW(INTEGER * E)"),
        ("q(1)", "E"),
        // The same operators on strings
        ("\"a\" ^ \"b\"", "STRING"),
        ("size(\"a\")", "INTEGER"),
        ("rev(\"a\")", "STRING"),
        ("first(\"a\") ^ last(\"a\")", "STRING"),
        ("front(tail(\"abc\"))", "STRING"),
        ("conc([\"a\", \"b\"])", "STRING"),
        ("\"abc\" /|\\ 1", "STRING"),
        // Reals
        ("x + 1.0", "REAL"),
        ("x - 1.0", "REAL"),
        ("x * 2.0", "REAL"),
        ("x / 2.0", "REAL"),
        ("x ** 2", "REAL"),
        ("-x", "REAL"),
        ("max({x})", "REAL"),
        ("SIGMA(k).(k : {x} | k)", "REAL"),
        ("floor(x) + ceiling(x)", "INTEGER"),
        ("real(1)", "REAL"),
    ] {
        check_type(expression, ty);
    }
}

#[test]
fn trees_have_branches_and_labels() {
    let tree = "POW(POW(INTEGER * INTEGER) * E)";
    let many = format!("POW({tree})");
    let sons = format!("POW(INTEGER * {tree})");
    for (expression, ty) in [
        ("tree(E)", many.as_str()),
        ("btree(E)", &many),
        ("const(e1, [t])", tree),
        ("top(t)", "E"),
        ("sons(t)", &sons),
        ("prefix(t)", "POW(INTEGER * E)"),
        ("postfix(t)", "POW(INTEGER * E)"),
        ("infix(t)", "POW(INTEGER * E)"),
        ("sizet(t)", "INTEGER"),
        ("mirror(t)", tree),
        ("rank(t, [1])", "INTEGER"),
        ("father(t, [1])", "POW(INTEGER * INTEGER)"),
        ("son(t, [1], 1)", "POW(INTEGER * INTEGER)"),
        ("subtree(t, [1])", tree),
        ("arity(t, [1])", "INTEGER"),
        ("bin(e1)", tree),
        ("bin(t, e1, t)", tree),
        ("left(t)", tree),
        ("right(t)", tree),
    ] {
        check_type(expression, ty);
    }
}

#[test]
fn records() {
    for (expression, ty) in [
        ("rec(b : 1, a : TRUE)", "struct(a : BOOL, b : INTEGER)"),
        ("struct(b : NAT, a : BOOL)", "POW(struct(a : BOOL, b : INTEGER))"),
        ("rec(a : 1)'a", "INTEGER"),
        ("rec(a : rec(b : d))'a'b", "D"),
        ("rec(a : [rec(b : d)])'a(1)'b", "D"),
        ("{rec(a : 1)}", "POW(struct(a : INTEGER))"),
    ] {
        check_type(expression, ty);
    }
    check_constants(
        "p",
        "p : struct(a : D, c : POW(E)) & p'c = {e1}",
        "p : struct(a : D, c : POW(E))",
    );
    // The field is used before the record's type is known.
    check_constants(
        "p, v",
        "v = p'a & p : struct(a : D, b : E)",
        "p : struct(a : D, b : E)\nv : D",
    );
    check_type_error("rec(a : 1, a : 2)", "12 B0502 field `a` is given twice");
    check_type_error("rec(a : 1)'b", "12 B0507 the record has no field `b`");
    check_type_error("n'b", "3 B0601 a record is needed here, but this is INTEGER");
}

/// Section 10: unification over all predicates, in any direction.
#[test]
fn inference_goes_in_any_direction() {
    check_constants("a, b", "a <: b & b <: NAT", "a : POW(INTEGER)\nb : POW(INTEGER)");
    check_constants("a", "a /: {1, 2}", "a : INTEGER");
    check_constants("a, b", "a = b & b = {} & a <: D", "a : POW(D)\nb : POW(D)");
    check_constants("f", "f(1) = TRUE", "f : POW(INTEGER * BOOL)");
    check_constants(
        "f, g",
        "f = (g ; {d0 | d0 : D * E}) & dom(g) = {1}",
        "f : POW(INTEGER * E)\ng : POW(INTEGER * D)",
    );
    check_constants("a", "#k.(k : D & a = k |-> 1)", "a : D * INTEGER");
    check_constants("a, b", "a |-> b : D * E", "a : D\nb : E");
    check_constants("a, b", "(a, b) = (1, {TRUE})", "a : INTEGER\nb : POW(BOOL)");
    check_constants("a", "btrue => a = e1", "a : E");
    check_constants("a", "IF 1 = 2 THEN a = 1 ELSE btrue END", "a : INTEGER");
    check_constants("a", "a : FIN(INTEGER * D)", "a : POW(INTEGER * D)");
    check_constants("a", "@finite(a) & @partition(a, {d0 | d0 : D})", "a : POW(D)");
}

/// `-` and `*` wait until something tells numbers from sets.
#[test]
fn overloads_are_settled_by_type() {
    check_constants("a, b", "a = b - b & b : INTEGER", "a : INTEGER\nb : INTEGER");
    check_constants("a, b", "a = b - b & b <: D", "a : POW(D)\nb : POW(D)");
    check_constants("a, b", "a = b - b & b : REAL", "a : REAL\nb : REAL");
    check_constants("a, b", "a = b * b & b <: D", "a : POW(D * D)\nb : POW(D)");
    check_constants("a, b", "a = b * b & a : REAL", "a : REAL\nb : REAL");
    check_constants("a, b", "a * b = D * E", "a : POW(D)\nb : POW(E)");
    check_constants("a, b", "a < b & b = 1.5", "a : REAL\nb : REAL");
    // Nothing tells: integers and sequences are the default.
    check_constants("a, b", "a < b", "a : INTEGER\nb : INTEGER");
    check_constants("a, b", "a = b * b", "a : INTEGER\nb : INTEGER");
    check_constants("a, b", "a = min(b)", "a : INTEGER\nb : POW(INTEGER)");
    check_constants("a", "first(a) = TRUE", "a : POW(INTEGER * BOOL)");
    check_constants("a", "a ^ a = [e1]", "a : POW(INTEGER * E)");
    check_constants("a", "conc(a) = \"ab\"", "a : POW(INTEGER * STRING)");
    check_type_error("n - s", "5 B0601 the two sides of `-` have different types");
    check_type_error("n * s", "1 B0601 these types do not match: INTEGER and POW(D)");
    check_type_error(
        "TRUE * TRUE",
        "1 B0605 this operator takes numbers or sets, not BOOL and BOOL",
    );
    check_type_error(
        "TRUE - TRUE",
        "1 B0605 this operator takes numbers or sets, not BOOL and BOOL",
    );
    check_type_error("TRUE + TRUE", "1 B0604 a number is needed here, but this is BOOL");
    check_type_error("n + 1.5", "5 B0601 the two sides of `+` have different types");
}

#[test]
fn empty_sets_and_sequences_fit_everywhere() {
    check_constants("a", "a = {} & a : POW(D)", "a : POW(D)");
    check_constants("a", "a = [] & a : seq(D)", "a : POW(INTEGER * D)");
    check_constants("a", "a = [] ^ <> & a <: INTEGER * E", "a : POW(INTEGER * E)");
    check_constants("a", "{{}, {1}} = a", "a : POW(POW(INTEGER))");
    // Two of them in one formula are independent.
    check_constants("a", "a = ({} |-> {}) & a : POW(D) * POW(E)", "a : POW(D) * POW(E)");
}

#[test]
fn types_that_nothing_tells() {
    let machine = |p: &str| format!("MACHINE M CONSTANTS a\nPROPERTIES {p} END");
    check_errors(
        &machine("a : {}"),
        "M.mch:1:21 B0602 the type of constant `a` cannot be inferred",
    );
    check_errors(
        &machine("a = {}"),
        "M.mch:1:21 B0602 the type of constant `a` cannot be inferred",
    );
    check_errors(
        &machine("a = 1 & #k.(k = k)"),
        "M.mch:2:21 B0602 the type of `k` cannot be inferred",
    );
    check_errors(
        &machine("a'f = 1"),
        "M.mch:2:14 B0602 the record type with the field `f` cannot be inferred here",
    );
    check_errors(
        "MACHINE M VARIABLES v\nINVARIANT v = v INITIALISATION v := 1 END",
        "M.mch:1:21 B0602 the type of variable `v` cannot be inferred",
    );
    check_errors(
        "MACHINE M(p) CONSTRAINTS p = p END",
        "M.mch:1:11 B0602 the type of parameter `p` cannot be inferred",
    );
    check_errors(
        "MACHINE M OPERATIONS\n o(p) = PRE p = p THEN skip END END",
        "M.mch:2:4 B0602 the type of `p` cannot be inferred",
    );
}

#[test]
fn a_type_cannot_contain_itself() {
    check_constants("a", "a = 1", "a : INTEGER");
    check_errors(
        "MACHINE M CONSTANTS a PROPERTIES\na : a END",
        "M.mch:2:1 B0603 this would need a type that contains itself",
    );
    check_errors(
        "MACHINE M CONSTANTS a PROPERTIES\na = {a} END",
        "M.mch:2:1 B0603 this would need a type that contains itself",
    );
    check_errors(
        "MACHINE M CONSTANTS a PROPERTIES\na = (a, 1) END",
        "M.mch:2:1 B0603 this would need a type that contains itself",
    );
}

/// The message names both types, and the place of the operand that does not fit.
#[test]
fn mismatches_are_told_in_types() {
    for (expression, error) in [
        ("card(n)", "6 B0601 the operand of `card` has type INTEGER, but POW(_) is needed"),
        ("dom(s)", "5 B0601 the operand of `dom` has type POW(D), but POW(_ * _) is needed"),
        ("r(n)", "3 B0601 the argument has type INTEGER, but D is needed"),
        ("n(1)", "1 B0601 this has type INTEGER, not that of a function"),
        ("r[D * D]", "3 B0601 the set of an image has type POW(D * D), but POW(D) is needed"),
        ("{1, d}", "5 B0601 the elements of this set have different types"),
        ("[1, d]", "5 B0601 the elements of this sequence have different types"),
        ("s \\/ E", "6 B0601 the two sides of `\\/` have different types"),
        ("n mod x", "7 B0601 the right side of `mod` has type REAL, but INTEGER is needed"),
        ("1..x", "4 B0601 the upper end of an interval has type REAL, but INTEGER is needed"),
        (
            "d -> q",
            "6 B0601 the right side of `->` has type POW(INTEGER * E), but POW(INTEGER * D) is needed",
        ),
        (
            "IF 1 = 2 THEN n ELSE d END",
            "22 B0601 the two sides of `IF … ELSE` have different types",
        ),
        ("bool(n : d)", "10 B0601 this has type D, so it cannot contain a value of type INTEGER"),
        (
            "bool(n : n)",
            "10 B0601 this has type INTEGER, so it cannot contain a value of type INTEGER",
        ),
        (
            "bool(s : D)",
            "10 B0601 this has type POW(D), so it cannot contain a value of type POW(D)",
        ),
        ("bool(n <: 1)", "6 B0601 the left side of `<:` has type INTEGER, but POW(_) is needed"),
        ("closure(r)", "9 B0601 `closure` takes a relation on one set, not POW(D * E)"),
        ("union(s)", "7 B0601 `union` takes a set of sets, but this has type POW(D)"),
        ("first(n)", "7 B0601 a sequence is needed here, but this is INTEGER"),
        ("size(r)", "6 B0601 a sequence is needed here, but this is POW(D * E)"),
        ("SIGMA(k).(k : D | k)", "19 B0604 a number is needed here, but this is D"),
        ("(n & n)", "2 B0214 this is a predicate, but a value is needed here"),
        ("bool(n)", "6 B0213 this is a value, but a predicate is needed here"),
        ("bool(TRUE)", "6 B0213 this is a value, but a predicate is needed here"),
        ("bool(!k.(k = 1))", "6 B0704 the body of `!` must be an implication `P => Q`"),
    ] {
        check_type_error(expression, error);
    }
}

#[test]
fn free_types() {
    let text = "MACHINE M
        FREETYPES List = nil, cons(INTEGER * List);
                  Opt(T) = none, some(T)
        CONSTANTS a, b, c, f
        PROPERTIES a = cons(1 |-> nil) & b = some(TRUE) & c : Opt(INTEGER) & f : List --> INTEGER
        END";
    assert_eq!(
        types(&model(text)),
        "a : List\nb : Opt(BOOL)\nc : Opt(INTEGER)\nf : POW(List * INTEGER)"
    );
    // Each use of a constructor has types of its own.
    let text = "MACHINE M FREETYPES Opt(T) = none, some(T) CONSTANTS a, b, c
        PROPERTIES a = some(1) & b = some(TRUE) & c = none & c : Opt(STRING) END";
    assert_eq!(types(&model(text)), "a : Opt(INTEGER)\nb : Opt(BOOL)\nc : Opt(STRING)");
    check_errors(
        "MACHINE M FREETYPES Opt(T) = none, some(T) CONSTANTS a PROPERTIES\n a : Opt(INTEGER, BOOL) END",
        "M.mch:2:6 B0606 this free type takes 1 argument",
    );
    // A bound name does not reach into the declaration.
    let text = "MACHINE M SETS S FREETYPES W = wrap(S) CONSTANTS a
        PROPERTIES a = {S | S : 1..3 & wrap = wrap} END";
    assert_eq!(types(&model(text)), "a : POW(INTEGER)");
}
