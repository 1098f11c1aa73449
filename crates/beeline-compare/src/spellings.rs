//! Many spellings of the same symbolic sets, and of nearly the same ones, under every operator that
//! compares: which are equal is known from how they were made, so that every answer is known too.
//!
//! A family holds sets of one type; two spellings are equal exactly when they belong to one set. The
//! templates are formulas over two spellings whose value depends on nothing else.

use crate::contest::{Config, run};
use crate::machines;
use crate::plain::Plain;
use crate::random::Random;

/// Sets of one type, each in several spellings.
pub struct Family {
    /// The type of the sets.
    pub ty: &'static str,
    /// Each inner list is one set.
    pub sets: &'static [&'static [&'static str]],
}

/// Sets of integers, relations, sets of sets.
pub const FAMILIES: &[Family] = &[
    Family {
        ty: "POW(INTEGER)",
        sets: &[
            &[
                "NATURAL",
                "{x | x : INTEGER & x >= 0}",
                "{x | x : INTEGER & x > -1}",
                "(NATURAL1 \\/ {0})",
                "(INTEGER - {x | x : INTEGER & x < 0})",
                "(NATURAL \\/ {3})",
                "((NATURAL - {5}) \\/ {5})",
                "{x | x : NATURAL}",
                "{x | x : INTEGER & x + 1 > 0}",
                "{x | x : INTEGER & (x = 0 or x > 0)}",
                "{x | x : INTEGER & not(x < 0)}",
                "(NATURAL /\\ INTEGER)",
            ],
            &[
                "NATURAL1",
                "(NATURAL - {0})",
                "{x | x : INTEGER & x > 0}",
                "{x | x : NATURAL & x /= 0}",
                "(NATURAL /\\ {x | x : INTEGER & x >= 1})",
            ],
            &[
                "(NATURAL - {3})",
                "{x | x : NATURAL & x /= 3}",
                "((0..2) \\/ {x | x : INTEGER & x > 3})",
                "((NATURAL - {3, 4}) \\/ {4})",
            ],
            &[
                "INTEGER",
                "{x | x : INTEGER}",
                "(NATURAL \\/ {x | x : INTEGER & x < 0})",
                "{x | x : INTEGER & x = x}",
            ],
            &[
                "{x | x : NATURAL & x mod 2 = 0}",
                "({x | x : NATURAL & x mod 2 = 0} \\/ {4})",
                "(({x | x : NATURAL & x mod 2 = 0} - {2, 6}) \\/ {2, 6})",
                "{x | x : NATURAL & #y.(y : NATURAL & x = 2 * y)}",
            ],
            &["{1, 2, 3}", "(1..3)", "{x | x : NATURAL & x > 0 & x < 4}", "(NATURAL /\\ (1..3))"],
            &[
                "(1..100000)",
                "{x | x : INTEGER & x >= 1 & x <= 100000}",
                "((1..99999) \\/ {100000})",
            ],
            &[
                "(INTEGER - INTEGER)",
                "{x | x : INTEGER & x > 3 & x < 2}",
                "(NATURAL /\\ {x | x : INTEGER & x < 0})",
            ],
            &["(INTEGER - NATURAL)", "{x | x : INTEGER & x < 0}", "{x | x : INTEGER & x <= -1}"],
        ],
    },
    Family {
        ty: "INTEGER <-> INTEGER",
        sets: &[
            &[
                "(NATURAL * NATURAL)",
                "{x, y | x : NATURAL & y : NATURAL}",
                "{x, y | x : INTEGER & y : INTEGER & x >= 0 & y >= 0}",
                "({x | x : INTEGER & x >= 0} * (NATURAL1 \\/ {0}))",
                "((NATURAL * NATURAL) \\/ {1 |-> 1})",
            ],
            &["(NATURAL * NATURAL1)", "{x, y | x : NATURAL & y : NATURAL1}"],
            &["((1..300) * (1..300))", "{x, y | x : 1..300 & y : 1..300}"],
            &["((1..300) * (1..301))", "{x, y | x : 1..300 & y : 1..301}"],
            &[
                "%x.(x : NATURAL | x + 1)",
                "{x, y | x : NATURAL & y = x + 1}",
                "(NATURAL <| succ)",
                "(%x.(x : NATURAL | x + 1) <+ {3 |-> 4})",
                "(%x.(x : NATURAL | x + 1) <+ {3 |-> 5} <+ {3 |-> 4})",
                "%x.(x : {z | z : INTEGER & z >= 0} | 1 + x)",
            ],
            &["(%x.(x : NATURAL | x + 1) <+ {3 |-> 3})", "(%z.(z : NATURAL | z + 1) <+ {3 |-> 3})"],
            &["%x.(x : NATURAL | x)", "id(NATURAL)", "{x, y | x : NATURAL & x = y}"],
            &["%x.(x : NATURAL1 | x)", "id(NATURAL1)"],
        ],
    },
    Family {
        ty: "POW(POW(INTEGER))",
        sets: &[
            &[
                "POW(NATURAL)",
                "POW({x | x : INTEGER & x >= 0})",
                "{s | s : POW(NATURAL)}",
                "{s | s <: NATURAL}",
            ],
            &["POW1(NATURAL)", "POW1(NATURAL1 \\/ {0})", "{s | s : POW1(NATURAL)}"],
            &["FIN(NATURAL)", "FIN({x | x : INTEGER & x >= 0})"],
            &["POW(NATURAL1)", "POW(NATURAL - {0})"],
            &["POW(1..17)", "FIN(1..17)", "{s | s : POW(1..17)}"],
            &["POW1(1..17)", "FIN1(1..17)", "(POW(1..17) - {{}})"],
        ],
    },
    Family {
        ty: "POW(INTEGER <-> BOOL)",
        sets: &[
            &["(NATURAL --> BOOL)", "({x | x : INTEGER & x >= 0} --> BOOL)"],
            &["(NATURAL1 --> BOOL)", "((NATURAL - {0}) --> BOOL)"],
            &["(NATURAL +-> BOOL)", "((NATURAL1 \\/ {0}) +-> BOOL)"],
            &["((1..17) --> BOOL)", "({x | x : NATURAL & x > 0 & x < 18} --> BOOL)"],
            &["(NATURAL <-> BOOL)", "POW(NATURAL * BOOL)"],
        ],
    },
];

/// A formula over spellings `A` and `B`, with its value if they are equal and if they are not.
/// `T` is their type; `-` stands for no meaning.
pub const TEMPLATES: &[(&str, &str, &str)] = &[
    ("card({A, B})", "1", "2"),
    ("bool(A = B)", "TRUE", "FALSE"),
    ("bool(A /= B)", "FALSE", "TRUE"),
    ("bool({A} /\\ {B} = {})", "FALSE", "TRUE"),
    ("bool({A} - {B} = {})", "TRUE", "FALSE"),
    ("card({A} \\/ {B})", "1", "2"),
    ("card({A} - {B})", "0", "1"),
    ("card({A} /\\ {B})", "1", "0"),
    ("bool(A : {B})", "TRUE", "FALSE"),
    ("bool(A /: {B})", "FALSE", "TRUE"),
    ("bool({A} = {B})", "TRUE", "FALSE"),
    ("bool({A} <: {B})", "TRUE", "FALSE"),
    ("bool({A, B} = {B})", "TRUE", "FALSE"),
    ("bool({A} <<: {A, B})", "FALSE", "TRUE"),
    ("card({A |-> 1, B |-> 2})", "2", "2"),
    ("card({A |-> 1, B |-> 1})", "1", "2"),
    ("card({1 |-> A, 1 |-> B})", "1", "2"),
    ("card({1 |-> A, 2 |-> B})", "2", "2"),
    ("card(dom({A |-> 1, B |-> 2}))", "1", "2"),
    ("card(ran({1 |-> A, 2 |-> B}))", "1", "2"),
    ("card({A |-> 1} <+ {B |-> 2})", "1", "2"),
    ("card({A} <| {B |-> 1})", "1", "0"),
    ("card({A} <<| {B |-> 1})", "0", "1"),
    ("card({1 |-> A} |> {B})", "1", "0"),
    ("card({1 |-> A} |>> {B})", "0", "1"),
    ("card(({1 |-> A} ; {B |-> 5}))", "1", "0"),
    ("card({B |-> 1}[{A}])", "1", "0"),
    ("{A |-> 7}(B)", "7", "-"),
    ("{A |-> 7, B |-> 7}(A)", "7", "7"),
    ("{A |-> 7, B |-> 8}(A)", "-", "7"),
    ("card({1 |-> A, 2 |-> B}~[{A}])", "2", "1"),
    ("bool({A |-> 1, B |-> 2} : (T) +-> INTEGER)", "FALSE", "TRUE"),
    ("bool({A |-> 1, B |-> 1} : {A} +-> INTEGER)", "TRUE", "FALSE"),
    ("bool({A |-> 1} : {B} --> INTEGER)", "TRUE", "FALSE"),
    ("bool({1 |-> A, 2 |-> B} : INTEGER >+> (T))", "FALSE", "TRUE"),
    ("bool({1 |-> A} : {1} -->> {B})", "TRUE", "FALSE"),
    ("bool({1 |-> A, 2 |-> B} : {1, 2} -->> {A, B})", "TRUE", "TRUE"),
    ("bool([A, B] : iseq(T))", "FALSE", "TRUE"),
    ("bool([A, B] : seq({A}))", "TRUE", "FALSE"),
    ("bool([A, B] : perm({A, B}))", "FALSE", "TRUE"),
    ("bool((A |-> 1) = (B |-> 1))", "TRUE", "FALSE"),
    ("bool((A |-> 1) = (B |-> 2))", "FALSE", "FALSE"),
    ("bool(rec(a : A, b : 1) = rec(a : B, b : 1))", "TRUE", "FALSE"),
    ("card({rec(a : A), rec(a : B)})", "1", "2"),
    ("bool([A] = [B])", "TRUE", "FALSE"),
    ("size([A, B, A])", "3", "3"),
    ("bool(first([A, B]) = last([A, B]))", "TRUE", "FALSE"),
    ("card(union({{A}, {B}}))", "1", "2"),
    ("card(inter({{A}, {B}}))", "1", "0"),
    ("card({{A}, {B}})", "1", "2"),
    ("card({{A} |-> 1, {B} |-> 1})", "1", "2"),
    ("SIGMA(z).(z : {A, B} | 1)", "1", "2"),
    ("card({z | z : {A, B} & 1 = 1})", "1", "2"),
    ("card(UNION(z).(z : {A, B} | {z}))", "1", "2"),
    ("bool(!z.(z : {A} => z : {B}))", "TRUE", "FALSE"),
    ("bool(#z.(z : {A} & z = B))", "TRUE", "FALSE"),
    ("card({A |-> 1} >< {B |-> 2})", "1", "0"),
    ("card(({A |-> 1} || {B |-> 2}))", "1", "1"),
    ("card({A} * {1, 2} \\/ {B} * {1})", "2", "3"),
    ("card({A, B} * {A})", "1", "2"),
    ("card(POW({A, B}))", "2", "4"),
    ("card(id({A, B}))", "1", "2"),
    ("card(closure1({A |-> B}))", "1", "1"),
    ("card(fnc({A |-> 1, B |-> 2}))", "1", "2"),
    ("card(rel({1 |-> {A}, 1 |-> {B}}))", "1", "2"),
    ("card(%z.(z : {A, B} | 5))", "1", "2"),
    ("card(ran(%z.(z : {1, 2} | IF z = 1 THEN A ELSE B END)))", "1", "2"),
    ("card({z | #w.(w : {1, 2} & z = {1 |-> A, 2 |-> B}(w))})", "1", "2"),
    ("IF A = B THEN 1 ELSE 0 END", "1", "0"),
    ("card({A, B} --> {1, 2})", "2", "4"),
    ("card({1} --> {A, B})", "1", "2"),
];

/// A formula and what it is: a number, a truth, or `-` for no meaning.
pub struct Question {
    /// In B.
    pub text: String,
    /// Its value.
    pub value: &'static str,
    /// Is it about sets of integers, which have one form each?
    pub integers: bool,
}

/// A random question.
pub fn question(random: &mut Random) -> Question {
    let number = random.below(FAMILIES.len());
    let family = &FAMILIES[number];
    let first = random.below(family.sets.len());
    let second = if random.chance(60) { first } else { random.below(family.sets.len()) };
    let (a, b) = (random.pick(family.sets[first]), random.pick(family.sets[second]));
    let (template, same, other) = random.pick(TEMPLATES);
    // Empty sets make `card` of nothing and images of nothing right by chance; they stay in.
    let text = filled(template, a, b, family.ty);
    Question { text, value: if first == second { same } else { other }, integers: number == 0 }
}

/// A machine with a variable that is one set and then another: its text, and how many states it has.
pub fn machine(random: &mut Random) -> (String, u64) {
    let family = &FAMILIES[random.below(FAMILIES.len())];
    let first = random.below(family.sets.len());
    let second = if random.chance(60) { first } else { random.below(family.sets.len()) };
    let (a, b) = (random.pick(family.sets[first]), random.pick(family.sets[second]));
    let text = format!(
        "MACHINE M VARIABLES u INVARIANT u : {} INITIALISATION u := {a} OPERATIONS go = u := {b} END",
        family.ty
    );
    (text, 1 + u64::from(first != second))
}

/// Checks a random machine of two spellings; what is wrong with the result, if something is.
pub fn miscounted(random: &mut Random) -> Option<String> {
    let (text, states) = machine(random);
    let model = machines::load(&[("M.mch".to_owned(), text.clone())]).model?;
    // Time is nobody's concern here.
    let plain = Plain { states: 2, ..Plain::default() };
    let run = run(&model, &plain, &Config::plain());
    let wrong = run.panicked || run.complete && run.nodes != 1 + states;
    wrong.then(|| format!("{} nodes, not {}: {text}", run.nodes, 1 + states))
}

/// Replaces the names of a template, which stand alone in it.
fn filled(template: &str, a: &str, b: &str, ty: &str) -> String {
    let mut out = String::new();
    let mut rest = template.chars().peekable();
    let mut last = ' ';
    while let Some(c) = rest.next() {
        let alone = !last.is_alphanumeric() && rest.peek().is_none_or(|n| !n.is_alphanumeric());
        match c {
            'A' if alone => out.push_str(a),
            'B' if alone => out.push_str(b),
            'T' if alone => out.push_str(ty),
            c => out.push(c),
        }
        last = c;
    }
    out
}
