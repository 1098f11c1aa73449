//! Abstract operators held against the judge: what it computes must be among what they allow.
//!
//! Names get random values and abstract values that stand for these and a few others. Each formula is
//! evaluated both ways; what the abstract value says of the formula, in B, the judge must find true.
#![allow(clippy::unwrap_used)]

use beeline_bounds::{Analysis, Atom, Claims, Env, Name, Set, Value};
use beeline_judge::{Judge, Scene, Settings, State, Value as Concrete};
use beeline_model::{ConstantId, Expr, Model, Pred, PredKind};
use beeline_source::MemoryLoader;

/// Constants of the model, by type: integers, sets of integers, relations, sequences, a boolean, elements.
const NAMES: &str = "a, b, c, s, t, r, f, q, p, e, g, m";
const TYPES: &str = "a : INTEGER & b : INTEGER & c : INTEGER & s <: INTEGER & t <: INTEGER & \
    r : INTEGER <-> INTEGER & f : INTEGER +-> INTEGER & q : seq(INTEGER) & p : BOOL & e : T & \
    g : T +-> INTEGER & m <: T";

const EXPRESSIONS: &[&str] = &[
    "a + b",
    "a - b",
    "a * b",
    "a / b",
    "a mod b",
    "-a",
    "a ** b",
    "2 * a + 1",
    "a..b",
    "card(s)",
    "min(s)",
    "max(s)",
    "s \\/ t",
    "s /\\ t",
    "s - t",
    "s * t",
    "dom(r)",
    "ran(r)",
    "r~",
    "id(s)",
    "s <| r",
    "s <<| r",
    "r |> s",
    "r |>> s",
    "r <+ f",
    "f <+ r",
    "f <+ {a |-> b}",
    "r[s]",
    "(r ; f)",
    "(f ; f)",
    "closure1(r)",
    "f(a)",
    "f \\/ {a |-> b}",
    "q <- a",
    "a -> q",
    "q ^ q",
    "front(q)",
    "tail(q)",
    "first(q)",
    "last(q)",
    "size(q)",
    "rev(q)",
    "q /|\\ 1",
    "q \\|/ 1",
    "q(a)",
    "[a, b, a]",
    "{a, b, c}",
    "{x | x : s & x > a}",
    "{x, y | x : s & y = x + 1}",
    "%x.(x : s | x * 2)",
    "SIGMA(x).(x : s | x)",
    "UNION(x).(x : s | {x, a})",
    "bool(a < b)",
    "IF a < b THEN a ELSE b END",
    "POW(s)",
    "s +-> t",
    "s --> t",
    "union({s, t})",
    "inter({s, t})",
    "(a |-> s)",
    "m - {e}",
    "g <+ {e |-> a}",
    "{e} <<| g",
    "g(e)",
    "m * {TRUE}",
    "bool(e : m)",
    "g~",
    "dom(g)",
    "s <-> {a}",
    "q <+ {1 |-> a}",
    "{(x) . x : s | x + a}",
    "succ(a)",
    "seq(s)",
    "iseq(s)",
    "FIN1(s)",
    "T - m",
];

const PREDICATES: &[&str] = &[
    "a < b",
    "a <= b",
    "a = b + 1",
    "a /= b",
    "a : s",
    "a /: s",
    "s <: t",
    "s /<: t",
    "s <<: t",
    "s = t",
    "s /= t",
    "a : b..c",
    "a /: b..c",
    "s = {}",
    "card(s) > a",
    "f : s +-> t",
    "f : s --> t",
    "r : s <-> t",
    "f : s >+> t",
    "f : s -->> t",
    "r /: s <-> t",
    "f(a) = b",
    "a : dom(f)",
    "dom(r) <: s",
    "ran(f) <: t",
    "not(a >= b or b >= c)",
    "a < b or b < c",
    "a < b => c : s",
    "a < b <=> c < b",
    "not(a < b & b < c)",
    "!x.(x : s => x > a)",
    "#x.(x : s & x > a)",
    "not(!x.(x : s => x > a))",
    "not(#x.(x : s & x > a))",
    "a mod 2 = 1",
    "2 * a = b",
    "a - b : 1..3",
    "p = TRUE",
    "p = bool(a < b)",
    "e : m",
    "e /: m",
    "m /= {}",
    "m = T",
    "e = t1",
    "e /= t1",
    "e : dom(g)",
    "g : T --> INTEGER",
    "g : m --> s",
    "q : seq(s)",
    "q : iseq(s)",
    "q : seq1(INTEGER)",
    "size(q) = 2",
    "q(1) = a",
    "a : s \\/ t",
    "a : s - t",
    "a : s /\\ t",
    "(a |-> b) : r",
    "s : POW(t)",
    "s : POW1(t)",
    "s : FIN(1..a)",
    "a : {b, c}",
    "a /: {b, c}",
    "a : {x | x : s & x > b}",
    "s \\/ t = {a}",
    "s /\\ t = {a}",
    "s - t = {}",
    "g(e) > a",
    "dom(g) = m",
    "g <+ {e |-> a} : m --> s",
    "a : NATURAL",
    "a : NAT",
    "s <: NATURAL1",
    "{a} <: s",
    "{a, b} = s",
    "f = {a |-> b}",
    "r[{a}] = s",
    "LET x BE x = a + 1 IN x = b END",
    "max(s) < a",
    "max(s) = a",
    "min(s) > a",
    "min(s \\/ t) = b",
    "union({s, t}) <: {a, b}",
    "union(ran({(x) . x : t | x |-> s})) <: 0..a",
    "first(q) = a",
    "!x.(x : s => f(x) < 3)",
    "dom(f) <: 0..2",
    "ran(r) <: {a}",
    "card(f) = 1",
    "10 / a = b",
];

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }

    fn int(&mut self) -> i128 {
        i128::from(self.below(7)) - 2
    }

    fn ints(&mut self) -> Vec<Atom> {
        (0..self.below(4)).map(|_| Atom::Int(self.int())).collect()
    }
}

/// A value both ways.
fn concrete(value: &Value2) -> Concrete {
    match value {
        Value2::One(atom) => of_atom(atom),
        Value2::Set(atoms) => Concrete::set(atoms.iter().map(of_atom)),
    }
}

fn of_atom(atom: &Atom) -> Concrete {
    match atom {
        Atom::Bool(b) => Concrete::Bool(*b),
        Atom::Int(n) => Concrete::int(i64::try_from(*n).unwrap()),
        Atom::Element(set, position) => Concrete::Element(*set, *position),
        Atom::Pair(pair) => Concrete::pair(of_atom(&pair.0), of_atom(&pair.1)),
    }
}

enum Value2 {
    One(Atom),
    Set(Vec<Atom>),
}

fn abstracted(value: &Value2) -> Value {
    match value {
        Value2::One(atom) => Value::one(atom),
        Value2::Set(atoms) => Value::set(Set::of(atoms.iter().cloned())),
    }
}

/// A random value of the constant with this number.
fn random(index: usize, r: &mut Random) -> Value2 {
    let given = beeline_model::SetId(0);
    let element = |r: &mut Random| Atom::Element(given, r.below(3) as u32);
    match index {
        0..=2 => Value2::One(Atom::Int(r.int())),
        3 | 4 => Value2::Set(r.ints()),
        5 => Value2::Set(
            (0..r.below(4)).map(|_| Atom::pair(Atom::Int(r.int()), Atom::Int(r.int()))).collect(),
        ),
        6 => {
            let mut domain = r.ints();
            domain.sort();
            domain.dedup();
            Value2::Set(domain.into_iter().map(|x| Atom::pair(x, Atom::Int(r.int()))).collect())
        }
        7 => Value2::Set(
            (1..=r.below(4)).map(|i| Atom::pair(Atom::Int(i.into()), Atom::Int(r.int()))).collect(),
        ),
        8 => Value2::One(Atom::Bool(r.below(2) == 0)),
        9 => Value2::One(element(r)),
        10 => Value2::Set(
            (0..3)
                .filter(|_| r.below(2) == 0)
                .collect::<Vec<u32>>()
                .into_iter()
                .map(|i| Atom::pair(Atom::Element(given, i), Atom::Int(r.int())))
                .collect(),
        ),
        _ => Value2::Set(
            (0..3).filter(|_| r.below(2) == 0).map(|i| Atom::Element(given, i)).collect(),
        ),
    }
}

fn model() -> Model {
    let expressions: Vec<String> = EXPRESSIONS.iter().map(|e| format!("{e} = {e}")).collect();
    let all: Vec<String> = expressions
        .iter()
        .map(String::as_str)
        .chain(PREDICATES.iter().copied())
        .map(|p| format!("({p})"))
        .collect();
    let text = format!(
        "MACHINE M SETS T = {{t1, t2, t3}} CONSTANTS {NAMES} PROPERTIES {TYPES} ASSERTIONS {} END",
        all.join(";\n")
    );
    let loader = MemoryLoader::new().with("M.mch", text.as_str());
    let loaded = beeline_elaborate::load(&loader, "M.mch");
    loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics.list()))
}

/// One random situation: the concrete state, and an environment that stands for it.
fn situation(model: &Model, r: &mut Random) -> (State, Env) {
    let (mut state, mut env) = (State::blank(model), Env::new());
    for index in 0..model.constants.len() {
        let value = random(index, r);
        let id = ConstantId(index as u32);
        state.set_constant(id, Some(concrete(&value)));
        let others = r.below(3);
        let known =
            (0..others).fold(abstracted(&value), |v, _| v.join(&abstracted(&random(index, r))));
        env.set(Name::Constant(id), known);
    }
    (state, env)
}

fn formulas(model: &Model) -> (Vec<Expr>, Vec<Pred>) {
    let all: Vec<&Pred> = model.concrete().assertions.iter().map(|a| &a.conjunct.pred).collect();
    assert_eq!(all.len(), EXPRESSIONS.len() + PREDICATES.len());
    let (left, right) = all.split_at(EXPRESSIONS.len());
    let left = left.iter().map(|p| match &p.kind {
        PredKind::Compare(_, a, _) => (**a).clone(),
        other => panic!("{other:?}"),
    });
    (left.collect(), right.iter().map(|p| (*p).clone()).collect())
}

#[test]
fn what_the_judge_computes_is_among_what_is_allowed() {
    let model = model();
    let (expressions, predicates) = formulas(&model);
    let analysis = Analysis::new(&model, -1, 3);
    let mut r = Random(0x9e37_79b9_7f4a_7c15);
    let mut questions = Vec::new();
    let mut claims = Claims::new(&model);
    for _ in 0..150 {
        let (state, env) = situation(&model, &mut r);
        for e in &expressions {
            let value = analysis.eval(e, &env);
            let defined = analysis.is_defined(e, &env);
            questions.push((state.clone(), e.clone(), claims.of(e, &value), value, defined));
        }
    }
    let mut wide = model.clone();
    wide.types = claims.types();
    let judge = Judge::new(&wide, Settings::of(&wide));
    let (mut evaluated, mut defined_somewhere) = (0, 0);
    for (state, e, said, value, defined) in questions {
        judge.refill();
        let scene = Scene::of(&state);
        let text = wide.show_expr(&e);
        if judge.eval(&e, &scene).is_err() {
            assert!(!defined, "{text} is not defined in {state:?}");
            continue;
        }
        evaluated += 1;
        defined_somewhere += usize::from(defined);
        assert!(value != Value::Never, "{text} has a value in {state:?}");
        for claim in said {
            let truth = judge.holds(&claim, &scene);
            assert_eq!(truth.ok(), Some(true), "{} in {state:?}", wide.show_pred(&claim));
        }
    }
    assert!(evaluated > 5_000 && defined_somewhere > 2_000, "{evaluated}, {defined_somewhere}");
    assume_is_sound(&model, &predicates, &mut r);
}

fn assume_is_sound(model: &Model, predicates: &[Pred], r: &mut Random) {
    let analysis = Analysis::new(model, -1, 3);
    let mut claims = Claims::new(model);
    let mut questions = Vec::new();
    for _ in 0..150 {
        let (state, env) = situation(model, r);
        for p in predicates {
            let narrowed = [false, true].map(|truth| {
                let mut inner = env.clone();
                analysis.assume(p, truth, &mut inner);
                let of = |id: u32| {
                    let name = Name::Constant(ConstantId(id));
                    claims.of(&name.expr(model), &analysis.known(name, &inner))
                };
                let said: Vec<Pred> = (0..model.constants.len() as u32).flat_map(of).collect();
                (inner.is_dead(), said)
            });
            let defined = analysis.is_defined_pred(p, &env);
            questions.push((state.clone(), p.clone(), narrowed, defined));
        }
    }
    let mut wide = model.clone();
    wide.types = claims.types();
    let judge = Judge::new(&wide, Settings::of(&wide));
    let mut decided = 0;
    for (state, p, narrowed, defined) in questions {
        judge.refill();
        let scene = Scene::of(&state);
        let text = wide.show_pred(&p);
        let Ok(truth) = judge.holds(&p, &scene) else {
            assert!(!defined, "{text} is not defined in {state:?}");
            continue;
        };
        let (dead, said) = &narrowed[usize::from(truth)];
        assert!(!dead, "{text} is {truth} in {state:?}");
        decided += usize::from(narrowed[usize::from(!truth)].0);
        for claim in said {
            let holds = judge.holds(claim, &scene);
            let claim = wide.show_pred(claim);
            assert_eq!(holds.ok(), Some(true), "{text} is {truth}, so {claim}, in {state:?}");
        }
    }
    assert!(decided > 1_000, "{decided}");
}

/// For values that are not among those that are known, a conjunct is false: not without a meaning.
#[test]
fn what_a_query_leaves_out_makes_one_of_its_conjuncts_false() {
    let model = model();
    let (_, predicates) = formulas(&model);
    let mut r = Random(0x2545_f491_4f6c_dd1d);
    let mut claims = Claims::new(&model);
    let mut questions = Vec::new();
    for _ in 0..6_000 {
        let (state, _) = situation(&model, &mut r);
        let count = 1 + r.below(4);
        let pick = |_| predicates[r.below(predicates.len() as u64) as usize].clone();
        let conjuncts: Vec<Pred> = (0..count).map(pick).collect();
        let analysis = Analysis::of_formulas(&model, -1, 3).with_budget(10_000);
        let env = analysis.narrowed(&conjuncts);
        let of = |id: u32| {
            let name = Name::Constant(ConstantId(id));
            claims.of(&name.expr(&model), &analysis.known(name, &env))
        };
        let said: Vec<Pred> = (0..model.constants.len() as u32).flat_map(of).collect();
        questions.push((state, conjuncts, env.is_dead(), said));
    }
    let mut wide = model.clone();
    wide.types = claims.types();
    let judge = Judge::new(&wide, Settings::of(&wide));
    let (mut possible, mut left_out, mut without_meaning) = (0, 0, 0);
    for (state, conjuncts, dead, said) in questions {
        judge.refill();
        let scene = Scene::of(&state);
        let truths: Vec<_> = conjuncts.iter().map(|p| judge.holds(p, &scene).ok()).collect();
        let is_out = dead || said.iter().any(|p| judge.holds(p, &scene).ok() == Some(false));
        if truths.contains(&Some(false)) {
            left_out += usize::from(is_out);
            continue;
        }
        possible += 1;
        without_meaning += usize::from(truths.contains(&None));
        let texts: Vec<String> = conjuncts.iter().map(|p| wide.show_pred(p)).collect();
        assert!(!is_out, "{} leaves out {state:?}", texts.join(" & "));
    }
    assert!(
        possible > 500 && left_out > 800 && without_meaning > 100,
        "{possible}, {left_out}, {without_meaning}"
    );
}
