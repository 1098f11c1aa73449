//! Substitutions and small whole machines with known steps.

mod common;
use beeline_judge::{
    Claim, EvalError, Judge, NoteKind, Refusal, Scene, Settings, ShowValue, State, Trace,
    TraceStep, Value, ViolationKind,
};
use beeline_model::{ConjunctId, Model, OperationId, Subst, SubstKind, VariableId};
use common::model;
use std::collections::BTreeSet;

/// The values of `x` after one step of `op`, from the only initial state.
fn after(text: &str) -> Result<Vec<String>, EvalError> {
    let model = model(text);
    let judge = Judge::new(&model, Settings::of(&model));
    let setup = judge.setups()?.remove(0);
    let initial = judge.initial_states(&setup)?.remove(0);
    let steps = judge.successors(&initial)?;
    let show = |state: &State| {
        let x = state.variable(VariableId(0)).expect("a value").clone();
        ShowValue::typed(&model, &x, model.variables[0].ty).to_string()
    };
    let shown: BTreeSet<String> = steps.iter().map(|s| show(&s.state)).collect();
    Ok(shown.into_iter().collect())
}

fn machine(body: &str) -> String {
    format!(
        "MACHINE T VARIABLES x, y INVARIANT x : INTEGER & y : INTEGER \
         INITIALISATION x := 1 || y := 2 OPERATIONS op = {body} END"
    )
}

#[track_caller]
fn leads_to(body: &str, expected: &[&str]) {
    assert_eq!(after(&machine(body)).expect(body), expected, "{body}");
}

#[test]
fn each_substitution() {
    leads_to("skip", &["1"]);
    leads_to("x := 5", &["5"]);
    leads_to("x, y := y, x", &["2"]);
    leads_to("BEGIN x := y || y := x END", &["2"]);
    leads_to("BEGIN x := 7; y := x; x := y + 1 END", &["8"]);
    leads_to("x :: {3, 4}", &["3", "4"]);
    leads_to("x :: {z | z : 1..2 & z > 5}", &[]);
    leads_to("x : (x : 1..9 & x > x$0 + 6)", &["8", "9"]);
    leads_to("x, y : (x : 1..3 & y = x + 1 & y > 3)", &["3"]);
    leads_to("PRE x = 1 THEN x := 2 END", &["2"]);
    leads_to("PRE x = 2 THEN x := 2 END", &[]);
    leads_to("IF x = 1 THEN x := 5 ELSE x := 6 END", &["5"]);
    leads_to("IF x = 2 THEN x := 5 ELSIF x = 1 THEN x := 7 END", &["7"]);
    leads_to("IF x = 2 THEN x := 5 END", &["1"]);
    leads_to("SELECT x = 1 THEN x := 5 WHEN y = 2 THEN x := 6 ELSE x := 7 END", &["5", "6"]);
    leads_to("SELECT x = 2 THEN x := 5 ELSE x := 7 END", &["7"]);
    leads_to("SELECT x = 2 THEN x := 5 END", &[]);
    leads_to("CHOICE x := 5 OR x := 6 END", &["5", "6"]);
    leads_to("CASE x OF EITHER 1, 2 THEN x := 8 OR 3 THEN x := 9 END END", &["8"]);
    leads_to("CASE y + 5 OF EITHER 1 THEN x := 8 ELSE x := 9 END END", &["9"]);
    leads_to(
        "ANY a, b WHERE a : 1..3 & b : 1..3 & a + b = 5 THEN x := a * 10 + b END",
        &["23", "32"],
    );
    leads_to("LET a BE a = x + y IN x := a END", &["3"]);
    leads_to("VAR a IN a := x + 4; x := a END", &["5"]);
    leads_to("BEGIN WHILE x < 5 DO x := x + 1 INVARIANT x : 1..5 VARIANT 5 - x END END", &["5"]);
    leads_to("ASSERT x = 1 THEN x := 3 END", &["3"]);
}

#[test]
fn broken_promises() {
    let kind = |body: &str| match after(&machine(body)) {
        Err(EvalError::Violation { kind, .. }) => kind,
        other => panic!("{body}: {other:?}"),
    };
    assert_eq!(
        kind("ASSERT x = 2 THEN skip END"),
        ViolationKind::Promise(beeline_model::Promise::Assert)
    );
    let grows = "WHILE x < 5 DO x := x + 1 INVARIANT x : 1..5 VARIANT x END";
    assert_eq!(kind(grows), ViolationKind::Variant);
    let leaves = "WHILE x < 5 DO x := x + 1 INVARIANT x : 1..3 VARIANT 5 - x END";
    assert_eq!(kind(leaves), ViolationKind::LoopInvariant);
}

#[test]
fn a_clash_is_found_when_it_happens() {
    let model = model(&machine("x := 2"));
    let judge = Judge::new(&model, Settings::of(&model));
    let body = model.operations[0].body.clone();
    let twice = Subst { span: body.span, kind: SubstKind::Parallel(vec![body.clone(), body]) };
    match judge.execute(&twice, &Scene::of(&State::blank(&model))) {
        Err(EvalError::Violation { kind, what, .. }) => {
            assert_eq!(kind, ViolationKind::Clash);
            assert_eq!(what, "x is assigned twice in parallel");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn parts_of_values() {
    let text = "MACHINE T VARIABLES f INVARIANT f : NATURAL +-> (NATURAL +-> NATURAL) \
                INITIALISATION f := {2 |-> {3 |-> 4}} OPERATIONS op = BEGIN f(2)(5) := 6 END END";
    assert_eq!(after(text).unwrap(), ["{(2|->{(3|->4),(5|->6)})}"]);
    let text = "MACHINE T VARIABLES r INVARIANT r : struct(a : NATURAL, b : BOOL) \
                INITIALISATION r := rec(a : 1, b : TRUE) OPERATIONS op = r'a := 7 END";
    assert_eq!(after(text).unwrap(), ["rec(a:7,b:TRUE)"]);
}

#[test]
fn recursive_constant() {
    let text = "MACHINE T ABSTRACT_CONSTANTS fact PROPERTIES fact : NATURAL --> NATURAL & \
                fact = %n.(n : NATURAL | IF n = 0 THEN 1 ELSE n * fact(n - 1) END) \
                VARIABLES x INVARIANT x : NATURAL INITIALISATION x := fact(20) \
                OPERATIONS op = x := fact(3) END";
    let model = model(text);
    let judge = Judge::new(&model, Settings::of(&model));
    let setups = judge.setups().unwrap();
    assert_eq!(setups.len(), 1);
    assert!(judge.take_notes().iter().any(|n| n.kind == NoteKind::SampledInclusion));
    let initial = judge.initial_states(&setups[0]).unwrap();
    assert_eq!(initial[0].variable(VariableId(0)), Some(&Value::int(2_432_902_008_176_640_000i64)));
    assert_eq!(after(text).unwrap(), ["6"]);
}

#[test]
fn endless_recursion_is_a_cut() {
    let text = "MACHINE T ABSTRACT_CONSTANTS f PROPERTIES \
                f = %n.(n : INTEGER | 1 + f(n - 1)) \
                VARIABLES x INVARIANT x : INTEGER INITIALISATION x := f(1) END";
    let model = model(text);
    let judge = Judge::new(&model, Settings::of(&model));
    let setup = judge.setups().unwrap().remove(0);
    assert!(matches!(judge.initial_states(&setup), Err(EvalError::Unknown { .. })));
}

#[test]
fn parameters_and_results() {
    let text = "MACHINE T VARIABLES x INVARIANT x : 0..3 INITIALISATION x := 0 OPERATIONS \
                add(n) = PRE n : 1..3 & x + n <= 3 THEN x := x + n END; \
                r <-- get = r := x; \
                free(n) = SELECT n > x THEN x := 0 END END";
    let model = model(text);
    let judge = Judge::new(&model, Settings::of(&model));
    let setup = judge.setups().unwrap().remove(0);
    let initial = judge.initial_states(&setup).unwrap().remove(0);
    let steps = judge.successors(&initial).unwrap();
    let of = |i: u32| steps.iter().filter(move |s| s.operation == OperationId(i));
    let arguments: Vec<_> = of(0).map(|s| s.arguments[0].clone()).collect();
    assert_eq!(arguments, [1, 2, 3].map(Value::int));
    assert_eq!(of(1).next().unwrap().results, [Some(Value::int(0))]);
    assert_eq!(of(2).count(), 3, "1, 2 and 3 = MAXINT");
    assert_eq!(judge.take_notes()[0].kind, NoteKind::UnboundedEnumeration);
}

#[test]
fn called_operations() {
    let lib = "MACHINE L VARIABLES v INVARIANT v : NATURAL INITIALISATION v := 1 OPERATIONS \
               set(n) = PRE n : 1..2 THEN v := n END; r <-- get = r := v END";
    let main = |argument: &str| {
        format!(
            "MACHINE T INCLUDES L VARIABLES x INVARIANT x : NATURAL INITIALISATION x := 0 \
             OPERATIONS op = BEGIN set({argument}) || x <-- get END END"
        )
    };
    let run = |text: String| {
        let loader = beeline_source::MemoryLoader::new().with("T.mch", &text).with("L.mch", lib);
        let model = beeline_elaborate::load(&loader, "T.mch").model.expect("a model");
        let judge = Judge::new(&model, Settings::of(&model));
        let setup = judge.setups()?.remove(0);
        let initial = judge.initial_states(&setup)?.remove(0);
        let steps = judge.successors(&initial)?;
        let last = steps.last().expect("a step").state.clone();
        let all = (0..2).map(|i| last.variable(VariableId(i)).cloned());
        Ok(all.flatten().collect::<BTreeSet<Value>>())
    };
    // In parallel, so the value read is that of before.
    assert_eq!(run(main("2")), Ok(BTreeSet::from([1, 2].map(Value::int))));
    assert!(matches!(
        run(main("3")),
        Err(EvalError::Violation { kind: ViolationKind::Precondition, .. })
    ));
}

const COUNTER: &str = "MACHINE T CONSTANTS top PROPERTIES top = 3 VARIABLES x \
     INVARIANT x : 0..2 INITIALISATION x :: 0..1 OPERATIONS \
     inc(n) = PRE n : 1..2 THEN ANY m WHERE m : NATURAL & m < 2000000000 & m = n THEN \
     SELECT x + m <= top THEN x := x + m END END END; \
     jump = SELECT x = 0 THEN x :: NATURAL END END";

/// A trace through the given values of x; `n` is the argument of each `inc`.
fn trace(model: &Model, start: i64, steps: &[(u32, &[i64], i64)]) -> Trace {
    let judge = Judge::new(model, Settings::of(model));
    let setup = judge.setups().expect("constants").remove(0);
    let state = |x: i64| {
        let mut state = setup.clone();
        state.set_variable(VariableId(0), Some(Value::int(x)));
        state
    };
    let steps = steps.iter().map(|(operation, arguments, x)| TraceStep {
        operation: OperationId(*operation),
        arguments: arguments.iter().map(|n| Value::int(*n)).collect(),
        results: None,
        state: state(*x),
    });
    Trace { initial: Some(state(start)), steps: steps.collect(), setup: setup.clone() }
}

#[test]
fn replay_accepts_what_is_real_and_nothing_else() {
    let model = model(COUNTER);
    let judge = Judge::new(&model, Settings::of(&model));
    let replay = |start, steps: &[_], claim: Claim<'_>| {
        judge.replay(&trace(&model, start, steps), &claim).map(|_| ())
    };
    let up: &[(u32, &[i64], i64)] = &[(0, &[1], 2), (0, &[1], 3)];
    assert_eq!(replay(1, up, Claim::Violated(ConjunctId::Invariant(0))), Ok(()));
    assert_eq!(replay(1, up, Claim::Deadlock), Ok(()));
    assert_eq!(replay(1, &up[..1], Claim::Violated(ConjunctId::Invariant(0))), Err(Refusal::Claim));
    assert_eq!(replay(1, &up[..1], Claim::Deadlock), Err(Refusal::Claim));
    assert_eq!(replay(2, &up[1..], Claim::Reached), Err(Refusal::Initial));
    assert_eq!(replay(1, &[(0, &[2], 2)], Claim::Reached), Err(Refusal::Step(0)));
    assert_eq!(replay(0, &[(0, &[3], 3)], Claim::Reached), Err(Refusal::Step(0)));
    assert_eq!(replay(0, &[(0, &[], 1)], Claim::Reached), Err(Refusal::Step(0)));
    // The known end decides where enumeration never would.
    assert_eq!(
        replay(0, &[(1, &[], 123_456_789)], Claim::Violated(ConjunctId::Invariant(0))),
        Ok(())
    );
    assert_eq!(replay(0, &[(1, &[], -1)], Claim::Reached), Err(Refusal::Step(0)));
    let mut wrong = trace(&model, 0, &[]);
    wrong.setup.set_constant(beeline_model::ConstantId(0), Some(Value::int(4)));
    let refused = judge.replay(&wrong, &Claim::Reached).map(|_| ());
    assert_eq!(refused, Err(Refusal::Property(0)));
}
