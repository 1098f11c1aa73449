//! Symbolic sets under all operators that compare: both evaluators give the right answer, or none.

use beeline_compare::Random;
use beeline_compare::outcome::{Outcome, by_engine, by_judge};
use beeline_compare::spellings::{Question, question};
use beeline_compile::{Builder, StateRef};
use beeline_judge::{Judge, Scene, ShowValue, State};
use beeline_model::{Expr, ExprKind, Formula, TypeTable};
use beeline_source::{MemoryLoader, Span};

/// What came of some questions.
#[derive(Default)]
struct Tally {
    asked: usize,
    /// Not decided by the engine.
    open: usize,
    wrong: Vec<String>,
}

fn ask(questions: &[Question], tally: &mut Tally) {
    let texts: Vec<&str> = questions.iter().map(|q| q.text.as_str()).collect();
    let loader = MemoryLoader::new().with("World.mch", "MACHINE World END");
    let loaded = beeline_elaborate::load_with(&loader, "World.mch", &texts);
    let Some(model) = loaded.model else { panic!("{:?}", loaded.diagnostics.list()) };
    let settings = beeline_compile::Settings { steps: 300_000, ..Default::default() };
    let mut builder = Builder::new(&model, &settings).expect("it compiles");
    let judge_settings =
        beeline_judge::Settings { max_steps: 50_000, ..beeline_judge::Settings::of(&model) };
    let judge = Judge::new(&model, judge_settings);
    let scene = Scene::of(&State::blank(&model));
    for (question, formula) in questions.iter().zip(loaded.formulas) {
        let expr = match formula {
            Some(Formula::Expr(expr)) => expr,
            Some(Formula::Pred(_, pred)) => {
                let kind = ExprKind::BoolOf(Box::new(pred));
                Expr { kind, ty: TypeTable::BOOL, span: Span::NONE }
            }
            None => panic!("{} is no formula: {:?}", question.text, loaded.diagnostics.list()),
        };
        let id = builder.expr(&model, &expr).expect("it compiles");
        let system = builder.system();
        let engine = by_engine(system, id, StateRef(&[]), &mut system.scratch());
        let judged = by_judge(&judge, &expr, &scene);
        tally.asked += 1;
        for (who, outcome) in [("engine", engine), ("judge", judged)] {
            let said = match &outcome {
                Outcome::Value(value) => ShowValue::typed(&model, value, expr.ty).to_string(),
                Outcome::IllDefined(_) => "-".to_owned(),
                Outcome::Open(_) | Outcome::Symbolic if who == "engine" => {
                    tally.open += 1;
                    continue;
                }
                Outcome::Open(_) | Outcome::Symbolic => continue,
                Outcome::Broken(what) => what.clone(),
            };
            if said != question.value {
                let Question { text, value, .. } = question;
                tally.wrong.push(format!("{text}\n    {who}: {said}, not {value} ({outcome:?})"));
            }
        }
    }
}

#[test]
fn spellings_of_symbolic_sets() {
    let mut random = Random::new(1);
    let mut tally = Tally::default();
    for _ in 0..8 {
        let questions: Vec<Question> = (0..100).map(|_| question(&mut random)).collect();
        ask(&questions, &mut tally);
    }
    let Tally { asked, open, wrong } = &tally;
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    // A cut is no mistake, but what has one form is to be decided.
    assert!(*open * 4 <= *asked, "{open} of {asked} were not decided");
}

#[test]
fn spellings_of_one_set_are_one_state() {
    let mut random = Random::new(3);
    for _ in 0..60 {
        assert_eq!(beeline_compare::spellings::miscounted(&mut random), None);
    }
}
