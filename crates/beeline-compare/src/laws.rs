//! Laws of B on random values: each must hold, and its negation must not, on both evaluators.

use crate::count::{Counts, Difference};
use crate::expressions::{engine_state, judge_state};
use crate::outcome::failed;
use crate::random::Random;
use crate::world;
use beeline_compile::{Builder, ConstantsRef, PredId, Truth};
use beeline_judge::{Judge, Scene, Value};
use beeline_model::{Formula, Model, Pred, PredKind, Type};
use beeline_source::MemoryLoader;
use std::sync::OnceLock;

/// What the laws speak of: `a`, `b`, `c` are integers, `S`, `T`, `U` sets of them, `r`, `s`
/// relations, `f` a function, `p`, `q` sequences, `E` a set of elements, `g` a relation on those,
/// `F` a set of sets.
const WORLD: &str = "MACHINE Laws SETS D = {d1, d2, d3} \
    VARIABLES a, b, c, S, T, U, r, s, f, p, q, E, g, F \
    INVARIANT a : INTEGER & b : INTEGER & c : INTEGER & S <: INTEGER & T <: INTEGER & \
    U <: INTEGER & r : INTEGER <-> INTEGER & s : INTEGER <-> INTEGER & f : INTEGER <-> INTEGER & \
    p : INTEGER <-> INTEGER & q : INTEGER <-> INTEGER & E <: D & g : D <-> D & \
    F <: POW(INTEGER) \
    INITIALISATION a, b, c := 0, 0, 0 || S, T, U, E, F := {}, {}, {}, {}, {} || \
    r, s, f, p, q, g := {}, {}, {}, {}, {}, {} END";

/// The laws.
pub const LAWS: &[&str] = &[
    // Sets
    "(S \\/ T) /\\ U = (S /\\ U) \\/ (T /\\ U)",
    "(S /\\ T) \\/ U = (S \\/ U) /\\ (T \\/ U)",
    "S - (T \\/ U) = (S - T) /\\ (S - U)",
    "S - (T /\\ U) = (S - T) \\/ (S - U)",
    "S /\\ T = S - (S - T)",
    "S <: T <=> S \\/ T = T",
    "S <: T <=> S /\\ T = S",
    "S <<: T <=> (S <: T & S /= T)",
    "S /<: T <=> #x.(x : S & x /: T)",
    "S = T <=> (S <: T & T <: S)",
    "card(S \\/ T) + card(S /\\ T) = card(S) + card(T)",
    "S : POW(T) <=> !x.(x : S => x : T)",
    "S : POW1(T) <=> (S <: T & S /= {})",
    "S : FIN(S)",
    "card(POW(S)) = 2 ** card(S)",
    "POW1(S) = POW(S) - {{}}",
    "POW(S /\\ T) = POW(S) /\\ POW(T)",
    "union(POW(S)) = S",
    "F = {} or inter(F) = {x | x : union(F) & !y.(y : F => x : y)}",
    "union(F) = {x | #y.(y : F & x : y)}",
    "union(F) = UNION(y).(y : F | y)",
    "card(S * T) = card(S) * card(T)",
    "(S \\/ T) * U = (S * U) \\/ (T * U)",
    "{x | x : S & x /: T} = S - T",
    "#x.(x : S /\\ T) <=> S /\\ T /= {}",
    "not(#x.(x : S & x > a)) <=> !x.(x : S => x <= a)",
    "S = {} or min(S) <= max(S)",
    "S = {} or S <: min(S)..max(S)",
    "S = {} or (min(S) : S & !x.(x : S => min(S) <= x))",
    "SIGMA(x).(x : S | x) + SIGMA(x).(x : T | x) = SIGMA(x).(x : S \\/ T | x) + SIGMA(x).(x : S /\\ T | x)",
    "SIGMA(x).(x : S | 1) = card(S)",
    "PI(x).(x : S | 2) = 2 ** card(S)",
    "UNION(x).(x : S | {x, x + a}) = S \\/ {y | y - a : S}",
    "@partition(S, S /\\ T, S - T)",
    "@finite(S)",
    "E <: D & D - (D - E) = E",
    "card(E) + card(D - E) = 3",
    // Relations
    "dom(r~) = ran(r)",
    "(r~)~ = r",
    "(r ; s)~ = (s~ ; r~)",
    "((r ; s) ; f) = (r ; (s ; f))",
    "(r ; s)[S] = s[r[S]]",
    "dom(S <| r) = S /\\ dom(r)",
    "(S <| r) \\/ (S <<| r) = r",
    "(S <| r) /\\ (S <<| r) = {}",
    "(r |> S) \\/ (r |>> S) = r",
    "(S <| r)~ = r~ |> S",
    "r[S \\/ T] = r[S] \\/ r[T]",
    "r[S] = ran(S <| r)",
    "dom(r <+ s) = dom(r) \\/ dom(s)",
    "r <+ s = (dom(s) <<| r) \\/ s",
    "(id(S) ; r) = S <| r",
    "(r ; id(S)) = r |> S",
    "closure1(r) = r \\/ (r ; closure1(r))",
    "(closure1(r) ; closure1(r)) <: closure1(r)",
    "closure(g) = id(D) \\/ closure1(g)",
    "iterate(g, 0) = id(D)",
    "iterate(g, 3) = (g ; (g ; g))",
    "closure1(g) = iterate(g, 1) \\/ iterate(g, 2) \\/ iterate(g, 3)",
    "(r >< s) = {x, y | #(u, v).(y = (u|->v) & x|->u : r & x|->v : s)}",
    "(r || s) = {x, y | #(k, l, m, n).(x = (k|->l) & y = (m|->n) & k|->m : r & l|->n : s)}",
    "rel(fnc(r)) = r",
    "dom(fnc(r)) = dom(r)",
    "!x.(x : dom(r) => fnc(r)(x) = r[{x}])",
    "iterate(r, 2) = (r ; r)",
    "r : S <-> T <=> (dom(r) <: S & ran(r) <: T)",
    "r : S +-> T <=> (r : S <-> T & (r~ ; r) <: id(T))",
    "r : S --> T <=> (r : S +-> T & dom(r) = S)",
    "r : S >+> T <=> (r : S +-> T & r~ : T +-> S)",
    "r : S >-> T <=> (r : S --> T & r : S >+> T)",
    "r : S +->> T <=> (r : S +-> T & ran(r) = T)",
    "r : S -->> T <=> (r : S --> T & ran(r) = T)",
    "r : S >->> T <=> (r : S >-> T & ran(r) = T)",
    "r : dom(r) <-> ran(r)",
    "r : dom(r) <<->> ran(r)",
    "f : dom(f) -->> ran(f)",
    "!x.(x : dom(f) => {f(x)} = f[{x}])",
    "f = %x.(x : dom(f) | f(x))",
    "f <+ {a |-> b} = ({a} <<| f) \\/ {a |-> b}",
    "(f <+ {a |-> b})(a) = b",
    "card(f) = card(dom(f))",
    "card(S +-> T) = (card(T) + 1) ** card(S)",
    "card({h | h : S --> T}) = card(T) ** card(S)",
    "card({h | h : E --> D}) = 3 ** card(E)",
    "{h | h : E >-> D} = {h | h : E --> D & h~ : D +-> E}",
    "{h | h : E <-> BOOL} = POW(E * BOOL)",
    "prj1(S, T)~[S] = S * T or T = {}",
    "ran(prj2(S, T)) = T or S = {}",
    // Sequences
    "size(p ^ q) = size(p) + size(q)",
    "rev(rev(p)) = p",
    "rev(p ^ q) = rev(q) ^ rev(p)",
    "p = {} or first(p) -> tail(p) = p",
    "p = {} or front(p) <- last(p) = p",
    "p = {} or first(rev(p)) = last(p)",
    "(p /|\\ size(p)) = p",
    "!n.(n : 0..size(p) => (p /|\\ n) ^ (p \\|/ n) = p)",
    "p : iseq(INTEGER) <=> card(ran(p)) = size(p)",
    "p : seq(ran(p))",
    "p : perm(ran(p)) <=> p : iseq(INTEGER)",
    "conc([p, q]) = p ^ q",
    "conc([p, q, p]) = p ^ (q ^ p)",
    "dom(p) = 1..size(p)",
    "p ^ [a] = p <- a & [a] ^ p = a -> p",
    "ran(p ^ q) = ran(p) \\/ ran(q)",
    "card(perm(E)) = PI(i).(i : 1..card(E) | i)",
    // Numbers
    "b = 0 or (a / b) * b + (a - (a / b) * b) = a",
    "a < 0 or b <= 0 or (a / b) * b + a mod b = a",
    "b = 0 or (-a) / b = -(a / b)",
    "a..b = {x | x >= a & x <= b}",
    "card(a..b) = max({0, b - a + 1})",
    "(a + b) ** 2 = a ** 2 + 2 * a * b + b ** 2",
    "a < b <=> not(a >= b)",
    "a < b or a = b or a > b",
    "bool(a < b) = TRUE <=> a < b",
    "succ(a) = a + 1 & pred(succ(a)) = a",
    "max({a, b}) + min({a, b}) = a + b",
    "(a : NATURAL <=> a >= 0) & (a : NATURAL1 <=> a > 0)",
    "a : INT <=> (a >= MININT & a <= MAXINT)",
    "IF a < b THEN b ELSE a END = max({a, b})",
    "LET x BE x = a + b IN x - b END = a",
    // Logic
    "(a < b => b < c) <=> (not(a < b) or b < c)",
    "not(a < b & b < c) <=> (a >= b or b >= c)",
    "(a < b <=> b < c) <=> ((a < b => b < c) & (b < c => a < b))",
    "!(x, y).(x : S & y : T => x < y) <=> !x.(x : S => !y.(y : T => x < y))",
    "#(x, y).(x : S & y : T & x = y) <=> S /\\ T /= {}",
    "%x.(x : S | x + a)[T] = {y | y - a : S /\\ T}",
    "S <: NATURAL <=> (S = {} or min(S) >= 0)",
    "S = {x | x : INTEGER & x : S}",
    "(%x.(x : INTEGER | x * x))[S] = {y | #x.(x : S & y = x * x)}",
    "{(x).(x : S) | x * x} = ran(%x.(x : S | x * x))",
    "#x.(x : S & x = a) <=> a : S",
    "rec(m : a, n : b)'m = a & rec(m : a, n : b) = rec(n : b, m : a)",
    "rec(m : a, n : b) : struct(m : S, n : T) <=> (a : S & b : T)",
    "prj1(a |-> b) = a & prj2(a |-> b) = b",
];

struct Loaded {
    model: Model,
    laws: Vec<Pred>,
}

fn loaded() -> &'static Loaded {
    static LOADED: OnceLock<Loaded> = OnceLock::new();
    LOADED.get_or_init(|| {
        let loader = MemoryLoader::new().with("Laws.mch", WORLD);
        let loaded = beeline_elaborate::load_with(&loader, "Laws.mch", LAWS);
        let laws = loaded.formulas.into_iter().filter_map(|f| match f {
            Some(Formula::Pred(open, pred)) if open.is_empty() => Some(pred),
            _ => None,
        });
        match loaded.model {
            Some(model) => Loaded { model, laws: laws.collect() },
            None => unreachable!("a law does not load: {:?}", loaded.diagnostics.list().first()),
        }
    })
}

/// How many laws can be read.
pub fn count() -> usize {
    loaded().laws.len()
}

fn values(model: &Model, random: &mut Random) -> Vec<Value> {
    let one = |variable: &beeline_model::Variable| {
        let pair = model.types.element(variable.ty).and_then(|t| model.types.halves(t));
        match (pair, variable.name.as_str()) {
            (Some((_, item)), "p" | "q") => world::sequence(model, item, random),
            (Some(sides), "f") => world::function(model, sides, random),
            _ if matches!(model.types.get(variable.ty), Type::Integer) => {
                Value::int(random.below(7) as i64 - 2)
            }
            _ => world::small_value(model, variable.ty, 4, random),
        }
    };
    model.variables.iter().map(one).collect()
}

/// Checks every law on a few draws of values.
pub fn batch(random: &mut Random, counts: &mut Counts) {
    let Loaded { model, laws } = loaded();
    let settings =
        beeline_compile::Settings { steps: 5_000_000, ..beeline_compile::Settings::of(model) };
    let Ok(mut builder) = Builder::new(model, &settings) else {
        counts.differences.push(Difference::new("the world of the laws does not compile", ""));
        return;
    };
    let negated: Vec<Pred> = laws
        .iter()
        .map(|p| Pred { kind: PredKind::Not(Box::new(p.clone())), span: p.span })
        .collect();
    let all: Vec<(&Pred, bool)> =
        laws.iter().map(|p| (p, true)).chain(negated.iter().map(|p| (p, false))).collect();
    let ids: Vec<Option<PredId>> = all.iter().map(|(p, _)| builder.pred(model, p).ok()).collect();
    let system = builder.build();
    let judge = Judge::new(model, beeline_judge::Settings::of(model));
    let mut scratch = system.scratch();
    for _ in 0..20 {
        let values = values(model, random);
        let state = engine_state(&system, &values);
        let scene = Scene::of(&judge_state(model, &values));
        for (i, ((law, wanted), id)) in all.iter().zip(&ids).enumerate() {
            counts.formulas += 1;
            let engine = match id {
                Some(id) => system.holds(*id, ConstantsRef(&[]), state.view(), &mut scratch),
                None => Truth::False,
            };
            judge.refill();
            let judged = judge.holds(law, &scene).map_err(failed);
            let expected = if *wanted { Truth::True } else { Truth::False };
            if engine == expected && judged == Ok(*wanted) && judge.take_notes().is_empty() {
                counts.equal += 1;
                continue;
            }
            let text = LAWS.get(i % laws.len()).unwrap_or(&"?");
            counts.differences.push(Difference {
                words: format!("should be {wanted}; engine {engine:?}, judge {judged:?}"),
                formula: (*text).to_owned(),
                values: crate::expressions::used_values(model, text, &values),
            });
        }
    }
}
