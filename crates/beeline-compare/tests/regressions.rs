//! Formulas on which the two evaluators once differed, and what they are.

use beeline_compare::outcome::{Agreement, Outcome, agreement, by_engine, by_judge};
use beeline_compile::{Builder, StateRef};
use beeline_judge::{Judge, Scene, ShowValue, State};
use beeline_model::{Expr, ExprKind, Formula, Model, TypeTable};
use beeline_source::{MemoryLoader, Span};

const WORLD: &str = "MACHINE World DEFINITIONS \"LibraryMath.def\"; \"LibraryHash.def\"; \
    \"LibraryStrings.def\"; \"LibraryReals.def\"; \"LibraryProB.def\"; \"LibraryBits.def\"; \"CHOOSE.def\"; \
    \"SORT.def\"; \"SCCS.def\"; \"LibraryIO.def\"; \
    EXTERNAL_FUNCTION_MINIMIZE(T) == POW(T) --> T; MINIMIZE(s) == 1; \
    EXTERNAL_FUNCTION_UNSAT_CORE(T) == (POW(T) --> BOOL) * POW(T) --> POW(T); \
    UNSAT_CORE(f, s) == s; \
    EXTERNAL_FUNCTION_MAX_SAT(T) == (POW(T) --> BOOL) * POW(T) --> POW(T); MAX_SAT(f, s) == s; \
    EXTERNAL_PREDICATE_LESS(T) == T * T; LESS(a, b) == (TRUE = TRUE) \
    SETS D = {d1, d2, d3} END";

/// What both say, or how they differ.
fn both(text: &str) -> String {
    let loader = MemoryLoader::new().with("World.mch", WORLD);
    let loaded = beeline_elaborate::load_with(&loader, "World.mch", &[text]);
    let Some(model) = loaded.model else { panic!("{text}: {:?}", loaded.diagnostics.list()) };
    let expr = match loaded.formulas.into_iter().next().flatten() {
        Some(Formula::Expr(expr)) => expr,
        Some(Formula::Pred(_, pred)) => {
            Expr { kind: ExprKind::BoolOf(Box::new(pred)), ty: TypeTable::BOOL, span: Span::NONE }
        }
        None => panic!("{text} is no formula"),
    };
    let settings =
        beeline_compile::Settings { steps: 100_000, ..beeline_compile::Settings::of(&model) };
    let mut builder = Builder::new(&model, &settings).expect("it compiles");
    let id = builder.expr(&model, &expr).expect("it compiles");
    let system = builder.build();
    let engine = by_engine(&system, id, StateRef(&[]), &mut system.scratch());
    let settings =
        beeline_judge::Settings { max_steps: 100_000, ..beeline_judge::Settings::of(&model) };
    let judge = Judge::new(&model, settings);
    let judged = by_judge(&judge, &expr, &Scene::of(&State::blank(&model)));
    match agreement(&engine, &judged) {
        Agreement::Equal => shown(&model, &judged, &expr),
        Agreement::IllDefined => "ill-defined".to_owned(),
        Agreement::Open => "given up".to_owned(),
        Agreement::Different => format!("engine {engine:?}, judge {judged:?}"),
    }
}

fn shown(model: &Model, outcome: &Outcome, expr: &Expr) -> String {
    match outcome {
        Outcome::Value(value) => ShowValue::typed(model, value, expr.ty).to_string(),
        other => format!("{other:?}"),
    }
}

/// Each formula with what both say of it.
#[track_caller]
fn check(expected: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for (formula, expected) in expected {
        let found = both(formula);
        if found != *expected {
            wrong.push(format!("{formula}\n    is {found}, not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn once_different() {
    check(&[
        // Zero times is the identity on the type, whatever the relation.
        ("iterate({d1 |-> d2} - {d1 |-> d2}, 0)", "{(d1|->d1),(d2|->d2),(d3|->d3)}"),
        // What is not listed can be turned round.
        ("id(INTEGER)~(7) + (id(INTEGER)~)~(1)", "8"),
        // Sizes beyond a machine word.
        ("card(-9223372036854775808 .. 3)", "9223372036854775812"),
        ("real(100000000000000000000)", "1.0e20"),
        // A false conjunct wins over an ill-defined one, also one that bounds a name.
        ("#(x, y).(x : inter({{1}} - {{1}}) & y : {1} - {1})", "FALSE"),
        ("SIGMA(x).(x >= 1 & x <= (-2) mod 7 & x <= 0 | x)", "0"),
        ("SIGMA(x).(x >= 1 & x <= (-2) mod 7 & x <= 3 | x)", "ill-defined"),
        // A true candidate or alternative wins over an ill-defined one.
        ("#x.(x : 0..2 & 4 / x = 2)", "TRUE"),
        ("!x.(x : 0..2 => 4 / x = 2)", "FALSE"),
        ("{x | x : 0..2 & (1 / (x - x) = 1 or x < 3)}", "{0,1,2}"),
        ("{x | x >= 0 & x <= 3 & (x < 2 or x > size({2 |-> 5}))}", "ill-defined"),
        // Functions into nothing: there is one.
        ("{f | f : {1, 2} +->> ({1} - {1})}", "{{}}"),
        ("{x, f | x : 0..1 & f : {1} >+>> ({1} - {1})}", "{(0|->{}),(1|->{})}"),
        // Sets that are described, not listed, compare by their elements.
        ("%x.(x : INTEGER & 1 = 2 | 3) : {{}} - {{1 |-> 1}}", "TRUE"),
        ("{d1 |-> {}} /\\ %y.(y : D | {x | x > 3 & 1 = 2})", "{(d1|->{})}"),
        ("{{}, {1}} - {{(x, y).(x : STRING & y >= 4 & y <= 1) | y}}", "{{1}}"),
        // A set with an ill-defined condition has no value, even if nobody asks for its elements.
        ("{1 |-> 2}[{x | x > 0 & 1 / 0 = 1}]", "ill-defined"),
        // Of nothing there is no intersection; but nothing must be certain.
        ("INTER(x).(x : 1..0 | {x})", "ill-defined"),
        // Work that nobody counted.
        (
            "-9223372036854775808 .. 9223372036854775807 <: -9223372036854775807 .. 9223372036854775807",
            "FALSE",
        ),
        ("#(x, y).(x : 0..1000000000000 & y : 0..1000000000000 & x < y & y < x)", "given up"),
        // The least integer of a word has no absolute value.
        (
            "union({f | f : {-9223372036854775808} >->> {-9223372036854775808}})",
            "{(-9223372036854775808|->-9223372036854775808)}",
        ),
        // Logic of what has no meaning.
        ("2 : {x | x : {1} & 1 / 0 = 1}", "FALSE"),
        ("IF 1 / 0 = 1 THEN 1 = 2 ELSE 1 = 2 END", "FALSE"),
        ("IF 1 / 0 = 1 THEN 1 = 1 ELSE 1 = 1 END", "ill-defined"),
        ("{1, 1 / 0} <: {2}", "FALSE"),
        ("#x.(x : {1} - {1} & x = max({1} - {1}))", "FALSE"),
        ("rec(a : 1, b : 2) : struct(a : {3}, b : inter({{1}} - {{1}}))", "FALSE"),
        ("INTER(x).(x = d1 or (x : {d1} & 1 / 0 = 1) | {x})", "{d1}"),
        ("1 / 0 = 1 or (-2 .. 100000000000000000000 * 100000000000000000000) /= {}", "given up"),
        ("PI(x).(x >= -9223372036854775808 & x <= 0 | x)", "given up"),
        // Propagation passes over candidates without a meaning, but tells of them.
        ("{f, x | f : 1..5 +-> 1..4 & x : 1..2 & f(x) = 3}", "ill-defined"),
        ("{f, x | f : 1..5 --> 1..4 & x : 0..1 & f = {1} * {2} & f(x) = 3}", "{}"),
        // What is described is told apart by its elements, also as the argument of a function.
        ("{{} |-> d3}(/*@symbolic*/ {x | x : {1} - {1}})", "d3"),
        ("/*@symbolic*/ %(x, y).(x : INTER(z).(z : 1..0 | D) & y : {1} - {1} | 2) - {}", "{}"),
        // Membership in an intersection is a conjunction.
        ("5 : {6} /\\ inter({{1}} - {{1}})", "FALSE"),
    ]);
}

#[test]
fn library_functions() {
    check(&[
        ("SIN(157) |-> COS(0) |-> TAN(0)", "((100|->100)|->0)"),
        ("SINx(1000, 524) |-> COSx(1000, 1047)", "(500|->500)"),
        ("SINx(0, 2)", "ill-defined"),
        ("LOGx(100, 200, 800)", "300"),
        ("LCM(4, -6) |-> LCM(0, 3) |-> GCD(12, -18)", "((12|->0)|->6)"),
        ("MSB(1) |-> MSB(1023) |-> FACTORIAL(5)", "((0|->9)|->120)"),
        ("MSB(0)", "ill-defined"),
        ("FACTORIAL(-1)", "ill-defined"),
        ("ABS(-3) |-> SIGN(-3) |-> SQRT(17)", "((3|->-1)|->4)"),
        ("FDIV(-7, 2) |-> CDIV(-7, 2) |-> CDIV(7, 2)", "((-4|->-3)|->4)"),
        ("BAND(12, 10) |-> BOR(12, 10) |-> BXOR(12, 10) |-> BNOT(5)", "(((8|->14)|->6)|->-6)"),
        ("BLSHIFT(3, 4) |-> BRSHIFT(48, 4)", "(48|->3)"),
        ("CHOOSE({3, 2, 5}) |-> MU({7})", "(2|->7)"),
        ("MU({7, 8})", "ill-defined"),
        ("CHOOSE({1} - {1})", "ill-defined"),
        ("SORT({3, 1, 2})", "[1,2,3]"),
        ("SQUASH({5 |-> d1, 2 |-> d3})", "[d3,d1]"),
        (
            "SCCS({1 |-> 2, 2 |-> 1, 2 |-> 3, 3 |-> 4, 4 |-> 3, 5 |-> 5, 6 |-> 1})",
            "{{1,2},{3,4},{5}}",
        ),
        ("HASH(2 + 2) = HASH(4) & SHA_HASH(2 ** 10) = SHA_HASH(1024)", "TRUE"),
        ("SHA_HASH({2, 3, 1}) = SHA_HASH(1..3) & SHA_HASH({2, 3}) /= SHA_HASH(1..3)", "TRUE"),
        ("SHA_HASH_HEX(1024)", "\"128351137a9c47206c4507dcf2e6fbeeca3a9079\""),
        ("size(SHA_HASH({x, y | x : 1..5 & y = bool(x < 6)}))", "20"),
        ("ARGC", "0"),
        ("TO_INT(d2) |-> TO_INT(TRUE) |-> TO_INT(7)", "((2|->1)|->7)"),
        ("ASSERT_EXPR(bool(1 = 1), \"no\", 4)", "4"),
        ("ASSERT_EXPR(bool(1 = 2), \"no\", 4)", "ill-defined"),
        ("bool(ASSERT_TRUE(bool(1 = 2), \"no\"))", "ill-defined"),
        (
            "bool(LESS(1, 2)) |-> bool(LESS(d2, d1)) |-> bool(LESS({1}, {1}))",
            "((TRUE|->FALSE)|->FALSE)",
        ),
        ("FORCE({x | x : 1..9 & x > 7})", "{8,9}"),
        ("STRING_SPLIT(\"a,b\", \",\")", "[\"a\",\"b\"]"),
        ("STRING_SPLIT(\"ab\", \"\")", "[\"ab\"]"),
        ("10 ** 300000 mod 7", "1"),
        ("(2 ** 100003) mod 5", "3"),
        ("STRING_SPLIT(\"\", \"\")", "[\"\"]"),
        ("STRING_TO_INT(\" - 1204\") |-> STRING_TO_INT(\"  7\")", "(-1204|->7)"),
        ("STRING_TO_INT(\"5 \")", "ill-defined"),
        ("STRING_IS_INT(\" - 1204\")", "TRUE"),
        ("STRING_IS_INT(\"+5\") or STRING_IS_INT(\"5 \") or STRING_IS_INT(\"1 2\")", "FALSE"),
        ("STRING_IS_INT(\"--5\") or STRING_IS_INT(\"- \") or STRING_IS_INT(\"\")", "FALSE"),
        (
            "STRING_JOIN([\"a\", \"b\"], \"-\") |-> STRING_REPLACE(\"aab\", \"a\", \"c\")",
            "(\"a-b\"|->\"ccb\")",
        ),
        ("STRING_REPLACE(\"ab\", \"\", \"c\")", "\"ab\""),
        ("SUB_STRING(\"abcde\", 2, 3)", "\"bcd\""),
        ("SUB_STRING(\"abcde\", 0, 3)", "ill-defined"),
        ("STRING_PADLEFT(\"7\", 3, \"0\") |-> INT_TO_HEX_STRING(255)", "(\"007\"|->\"ff\")"),
        ("INT_TO_DEC_STRING(1204, 2) |-> INT_TO_DEC_STRING(-5, 2)", "(\"12.04\"|->\"-0.05\")"),
        ("DEC_STRING_TO_INT(\"12.04\", 2) |-> DEC_STRING_TO_INT(\"-1.5\", 0)", "(1204|->-2)"),
        ("DEC_STRING_TO_INT(\"x\", 2)", "ill-defined"),
        ("INT_TO_DEC_STRING(234, -5) |-> INT_TO_DEC_STRING(3, 6)", "(\"23400000\"|->\"0.000003\")"),
        ("INT_TO_DEC_STRING(-156, 0) |-> INT_TO_DEC_STRING(0, -2)", "(\"-156\"|->\"0\")"),
        ("DEC_STRING_TO_INT(\"-57.9\", -1) |-> DEC_STRING_TO_INT(\"234\", -5)", "(-6|->0)"),
        ("DEC_STRING_TO_INT(\".9\", 0) |-> DEC_STRING_TO_INT(\"9.\", 1)", "(1|->90)"),
        ("DEC_STRING_TO_INT(\"-0.05\", 1) |-> DEC_STRING_TO_INT(\"3.05\", 1)", "(-1|->31)"),
        ("DEC_STRING_TO_INT(\".\", 1)", "ill-defined"),
        (
            "STRING_TO_INT(\"12\") |-> STRING_LENGTH(\"abc\") |-> STRING_REV(\"abc\")",
            "((12|->3)|->\"cba\")",
        ),
        ("FORMAT_TO_STRING(\"~w and ~w\", [\"a\", \"b\"])", "\"a and b\""),
        (
            "TO_STRING(12) |-> TO_STRING({1, 2}) |-> TO_STRING(d1) |-> TO_STRING(\"t\")",
            "(((\"12\"|->\"{1,2}\")|->\"d1\")|->\"t\")",
        ),
        ("TO_STRING([5, 6]) |-> TO_STRING(1 |-> TRUE)", "(\"[5,6]\"|->\"(1|->TRUE)\")"),
        (
            "RSIGN(-2.5) |-> RINTEGER(2.5) |-> RFRACTION(2.5) |-> ROUND(2.5)",
            "(((-1.0|->2.0)|->0.5)|->3)",
        ),
        ("RLOG(2.0, 8.0) |-> RMAX(1.0, 2.0)", "(3.0|->2.0)"),
    ]);
}

#[test]
fn what_bounds_a_name_has_a_meaning_or_the_set_has_none() {
    check(&[
        (
            "{} <: {(x,y,z).(x : (LET s BE s = [{1}]-[{1}] IN first(s) END) & y:INTEGER & z:INTEGER) | -2}",
            "ill-defined",
        ),
        ("{} <: {x, y | x : first([{1}]-[{1}]) & y : INTEGER}", "ill-defined"),
        ("{} <: {x, y | x = 1/0 & y : INTEGER}", "ill-defined"),
        // Whatever it is, there is no candidate.
        ("{} <: {x, y | x : first([{1}]-[{1}]) & y : INTEGER & 1 = 2}", "TRUE"),
        ("{} <: {x, y | x : first([{1}]) & y : INTEGER}", "TRUE"),
    ]);
}

#[test]
fn best_elements_and_parts() {
    check(&[
        ("vprintf(\"~w\", 1 + 1)", "2"),
        ("MAXIMIZE({w, x | x : 0..9 & w = 10*x - x*x})", "(25|->5)"),
        ("MINIMIZE({w, x | x : 0..9 & w = x*x - 10*x})", "(-25|->5)"),
        ("MAXIMIZE({w, x | x : 0..9 & w = x & x < 0})", "ill-defined"),
        ("UNSAT_CORE(%x.(x : POW(0..5) | bool(x /\\ 1..2 = {})), 0..5)", "{2}"),
        ("MAX_SAT(%x.(x : POW(0..3) | bool(x /\\ 1..2 = {})), 0..3)", "{0,3}"),
        ("UNSAT_CORE(%x.(x : POW(0..3) | TRUE), 0..3)", "ill-defined"),
    ]);
}

#[test]
fn infinite_sets() {
    check(&[
        ("bool(NATURAL <: {x | x > 3})", "FALSE"),
        ("{1 |-> 2, 3 |-> 4}[NATURAL - (0..2)]", "{4}"),
        ("bool(NATURAL - {0} = NATURAL1)", "TRUE"),
    ]);
}

#[test]
fn sets_between_bounds_that_cross_are_empty() {
    check(&[
        ("{0 |-> {}} /\\ %x.(x : 0..1 | {(y).(y <= -1 & y >= 1) | 25 |-> d1})", "{(0|->{})}"),
        ("{x | x >= 1 & x <= MININT} /: dom({{} |-> {1}})", "FALSE"),
        ("(%x.(x = %y.(y : {1} - {1} | d1) | -14 |-> d2))[{{}}]", "{(-14|->d2)}"),
        ("card({{}, {}, {x, y | x : INTEGER & y : INTEGER & bfalse}})", "1"),
    ]);
}

/// A declaration fits more calls than a function has meanings for: none of them is made up.
#[test]
fn a_wrong_number_of_arguments_is_given_up() {
    check(&[
        ("COPY(1, 2) = (1, 2)", "given up"),
        ("TO_STRING(1, 2)", "given up"),
        ("STRING_LENGTH = STRING_LENGTH", "given up"),
        ("STRING_APPEND((\"a\", \"b\"))", "given up"),
    ]);
}
