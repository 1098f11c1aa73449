//! External functions by name, declared in the machine itself.

mod common;
use beeline_judge::{EvalError, Judge, Scene, Settings, State};

/// The truth of a predicate that uses externals.
fn truth(pred: &str) -> Result<bool, EvalError> {
    let text = format!(
        "MACHINE T DEFINITIONS \
         ABS(x) == 0; EXTERNAL_FUNCTION_ABS == INTEGER --> INTEGER; \
         FDIV(x, y) == 0; EXTERNAL_FUNCTION_FDIV == INTEGER * INTEGER --> INTEGER; \
         CDIV(x, y) == 0; EXTERNAL_FUNCTION_CDIV == INTEGER * INTEGER --> INTEGER; \
         GCD(x, y) == 0; EXTERNAL_FUNCTION_GCD == INTEGER * INTEGER --> INTEGER; \
         BXOR(x, y) == 0; EXTERNAL_FUNCTION_BXOR == INTEGER * INTEGER --> INTEGER; \
         MSB(x) == 0; EXTERNAL_FUNCTION_MSB == INTEGER --> INTEGER; \
         STRING_SPLIT(x, y) == [\"\"]; \
         EXTERNAL_FUNCTION_STRING_SPLIT == STRING * STRING --> seq(STRING); \
         STRING_JOIN(x, y) == \"\"; \
         EXTERNAL_FUNCTION_STRING_JOIN == seq(STRING) * STRING --> STRING; \
         INT_TO_DEC_STRING(x, y) == \"\"; \
         EXTERNAL_FUNCTION_INT_TO_DEC_STRING == INTEGER * INTEGER --> STRING; \
         STRING_TO_INT(x) == 0; EXTERNAL_FUNCTION_STRING_TO_INT == STRING --> INTEGER; \
         CHOOSE(s) == \"a member\"; EXTERNAL_FUNCTION_CHOOSE(T) == POW(T) --> T; \
         SORT(s) == []; EXTERNAL_FUNCTION_SORT(T) == POW(T) --> seq(T); \
         SCCS(r) == {{{{}}}}; EXTERNAL_FUNCTION_SCCS(T) == POW(T * T) --> POW(POW(T)); \
         RANDOM(x, y) == 0; EXTERNAL_FUNCTION_RANDOM == INTEGER * INTEGER --> INTEGER; \
         GOAL == ({pred}) END"
    );
    let model = common::model(&text);
    let judge = Judge::new(&model, Settings::of(&model));
    let goal = model.special.goal.as_ref().expect("a goal");
    judge.holds(goal, &Scene::of(&State::blank(&model)))
}

#[test]
fn pure_externals_have_values() {
    for pred in [
        "ABS(-3) = 3",
        "FDIV(-7, 2) = -4 & FDIV(7, 2) = 3 & FDIV(-8, 2) = -4",
        "CDIV(7, 2) = 4 & CDIV(-7, 2) = -3",
        "GCD(12, 18) = 6 & GCD(0, 5) = 5",
        "BXOR(6, 3) = 5",
        "MSB(8) = 3",
        "STRING_SPLIT(\"a,b,,c\", \",\") = [\"a\", \"b\", \"\", \"c\"]",
        "STRING_JOIN([\"a\", \"b\"], \"-\") = \"a-b\"",
        "INT_TO_DEC_STRING(-1204, 2) = \"-12.04\" & INT_TO_DEC_STRING(5, 2) = \"0.05\"",
        "STRING_TO_INT(\"-12\") = -12",
        "CHOOSE({3, 2}) = 2",
        "SORT({3, 1, 2}) = [1, 2, 3]",
        "SCCS({1|->2, 2|->1, 2|->3}) = {{1, 2}}",
    ] {
        assert_eq!(truth(pred), Ok(true), "{pred}");
    }
}

#[test]
fn the_others_are_refused_or_ill_defined() {
    assert!(matches!(truth("RANDOM(1, 2) = 1"), Err(EvalError::Unsupported { .. })));
    assert!(matches!(truth("FDIV(1, 0) = 1"), Err(EvalError::IllDefined { .. })));
    assert!(matches!(truth("STRING_TO_INT(\"x\") = 1"), Err(EvalError::IllDefined { .. })));
    assert!(matches!(truth("CHOOSE({3} - {3}) = 1"), Err(EvalError::IllDefined { .. })));
}
