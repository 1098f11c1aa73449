//! Laws of B on random values: each must hold for every draw.

mod common;
use beeline_judge::{Judge, Scene, Settings, State, Value};
use beeline_model::{ConstantId, Type};

/// A small deterministic generator (xorshift).
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }

    fn integer(&mut self) -> Value {
        Value::int(self.below(7) as i64 - 2)
    }

    fn set(&mut self, mut element: impl FnMut(&mut Draw) -> Value) -> Value {
        let size = self.below(5);
        Value::set((0..size).map(|_| element(self)).collect::<Vec<_>>())
    }

    fn pair(&mut self) -> Value {
        Value::pair(self.integer(), self.integer())
    }

    fn sequence(&mut self) -> Value {
        let size = self.below(4);
        Value::sequence((0..size).map(|_| self.integer()).collect::<Vec<_>>())
    }
}

/// `a`, `b`, `c` are integers, `S`, `T`, `U` sets, `r`, `s` relations, `p`, `q` sequences.
const LAWS: &[&str] = &[
    // Sets
    "(S \\/ T) /\\ U = (S /\\ U) \\/ (T /\\ U)",
    "S - (T \\/ U) = (S - T) /\\ (S - U)",
    "S <: T <=> S \\/ T = T",
    "S <<: T <=> (S <: T & S /= T)",
    "card(S \\/ T) + card(S /\\ T) = card(S) + card(T)",
    "S : POW(T) <=> !x.(x : S => x : T)",
    "card(POW(S)) = 2 ** card(S)",
    "union(POW(S)) = S",
    "card(S * T) = card(S) * card(T)",
    "{x | x : S & x /: T} = S - T",
    "#x.(x : S /\\ T) <=> S /\\ T /= {}",
    "not(#x.(x : S & x > a)) <=> !x.(x : S => x <= a)",
    "S = {} or min(S) <= max(S)",
    "SIGMA(x).(x : S | x) + SIGMA(x).(x : T | x) = SIGMA(x).(x : S \\/ T | x) + SIGMA(x).(x : S /\\ T | x)",
    "UNION(x).(x : S | {x, x + a}) = S \\/ {y | y - a : S}",
    // Relations
    "dom(r~) = ran(r)",
    "(r ; s)~ = (s~ ; r~)",
    "dom(S <| r) = S /\\ dom(r)",
    "(S <| r) \\/ (S <<| r) = r",
    "(r |> S) \\/ (r |>> S) = r",
    "r[S \\/ T] = r[S] \\/ r[T]",
    "r[S] = ran(S <| r)",
    "dom(r <+ s) = dom(r) \\/ dom(s)",
    "r <+ s = (dom(s) <<| r) \\/ s",
    "(id(S) ; r) = S <| r",
    "closure1(r) = r \\/ (r ; closure1(r))",
    "(r >< s) = {x, y | #(u, v).(y = (u|->v) & x|->u : r & x|->v : s)}",
    "rel(fnc(r)) = r",
    "iterate(r, 2) = (r ; r)",
    "r : S +-> T <=> (r : S <-> T & (r~ ; r) <: id(T))",
    "r : S --> T <=> (r : S +-> T & dom(r) = S)",
    "r : S >+> T <=> (r : S +-> T & r~ : T +-> S)",
    "r : S +->> T <=> (r : S +-> T & ran(r) = T)",
    "r : dom(r) <-> ran(r)",
    "card(S +-> T) = (card(T) + 1) ** card(S)",
    "card({f | f : S --> T}) = card(T) ** card(S)",
    // Sequences
    "size(p ^ q) = size(p) + size(q)",
    "rev(rev(p)) = p",
    "rev(p ^ q) = rev(q) ^ rev(p)",
    "p = {} or first(p) -> tail(p) = p",
    "p = {} or front(p) <- last(p) = p",
    "(p /|\\ size(p)) = p",
    "p : iseq(INTEGER) <=> card(ran(p)) = size(p)",
    "p : seq(ran(p))",
    "conc([p, q]) = p ^ q",
    // Numbers
    "b = 0 or (a / b) * b + (a - (a / b) * b) = a",
    "a < 0 or b <= 0 or (a / b) * b + a mod b = a",
    "a..b = {x | x >= a & x <= b}",
    "card(a..b) = max({0, b - a + 1})",
    "(a + b) ** 2 = a ** 2 + 2 * a * b + b ** 2",
    "a < b <=> not(a >= b)",
    "bool(a < b) = TRUE <=> a < b",
    // Logic
    "(a < b => b < c) <=> (not(a < b) or b < c)",
    "not(a < b & b < c) <=> (a >= b or b >= c)",
    "!(x, y).(x : S & y : T => x < y) <=> !x.(x : S => !y.(y : T => x < y))",
    "#(x, y).(x : S & y : T & x = y) <=> S /\\ T /= {}",
    "%x.(x : S | x + a)[T] = {y | y - a : S /\\ T}",
    "S <: NATURAL <=> (S = {} or min(S) >= 0)",
    "S = {x | x : INTEGER & x : S}",
    "(%x.(x : INTEGER | x * x))[S] = {y | #x.(x : S & y = x * x)}",
];

#[test]
fn laws_hold_for_every_draw() {
    let laws: Vec<String> = LAWS.iter().map(|law| format!("({law})")).collect();
    let text = format!(
        "MACHINE T CONSTANTS a, b, c, S, T, U, r, s, p, q PROPERTIES a : INTEGER & b : INTEGER & \
         c : INTEGER & S <: INTEGER & T <: INTEGER & U <: INTEGER & r : INTEGER <-> INTEGER & \
         s : INTEGER <-> INTEGER & p : seq(INTEGER) & q : seq(INTEGER) ASSERTIONS {} END",
        laws.join(";\n")
    );
    let text = text.replace("MACHINE T ", "MACHINE Laws ");
    let model = common::model(&text);
    let judge = Judge::new(&model, Settings::of(&model));
    assert!(model.concrete().assertions.len() >= LAWS.len());
    let mut draw = Draw(0x9E37_79B9_7F4A_7C15);
    for round in 0..400 {
        let mut state = State::blank(&model);
        for (i, constant) in model.constants.iter().enumerate() {
            let name = constant.name.as_str();
            let value = match (model.types.get(constant.ty), name) {
                (Type::Integer, _) => draw.integer(),
                (_, "p" | "q") => draw.sequence(),
                (_, "r" | "s") => draw.set(Draw::pair),
                _ => draw.set(Draw::integer),
            };
            state.set_constant(ConstantId(i as u32), Some(value));
        }
        judge.refill();
        for assertion in &model.concrete().assertions {
            let pred = &assertion.conjunct.pred;
            let held = judge.holds(pred, &Scene::of(&state));
            let at = pred.span;
            let law = text.get(at.start as usize..at.end as usize).unwrap_or("?");
            let values: Vec<String> = model
                .constants
                .iter()
                .zip(0..)
                .filter_map(|(c, i)| {
                    let value = state.constant(ConstantId(i))?;
                    Some(format!("{} = {}", c.name, judge.show(value)))
                })
                .collect();
            assert_eq!(held, Ok(true), "round {round}: {law}\n{}", values.join(", "));
        }
    }
    assert!(judge.take_notes().is_empty(), "all laws are decided exactly");
}
