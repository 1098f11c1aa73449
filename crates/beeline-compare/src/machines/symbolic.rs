//! Sets that cannot be listed, each in several spellings.

use super::grow::Grow;
use super::node::{Node, atom, name, pred};
use super::types::Ty;

/// Sets of integers; those of one row are equal. The last row of each table is dear, and seldom used.
const INTEGERS: &[&[&str]] = &[
    &[
        "NATURAL",
        "{x | x : INTEGER & x >= 0}",
        "NATURAL1 \\/ {0}",
        "INTEGER - {x | x : INTEGER & x < 0}",
        "{x | x : INTEGER & x > -1}",
        "NATURAL \\/ {2}",
        "NATURAL \\/ (0..5)",
    ],
    &["NATURAL1", "NATURAL - {0}", "{x | x : NATURAL & x /= 0}", "{x | x : INTEGER & x > 0}"],
    &["INTEGER", "{x | x : INTEGER & x = x}", "INTEGER \\/ NATURAL", "{x | x : INTEGER & 1 = 1}"],
    &["NATURAL - {3}", "(NATURAL - {3}) - {3}", "{x | x : NATURAL & x /= 3}"],
    &["{x | x : INTEGER & x < 0}", "INTEGER - NATURAL", "{x | x : INTEGER & not(x >= 0)}"],
    &["{x | x : NATURAL & x mod 2 = 0}", "{x | x : NATURAL & #y.(y : NATURAL & x = 2 * y)}"],
    &["{x | x : INTEGER & x : 0..2}", "0..2", "{0, 1, 2}", "NATURAL /\\ (-3..2)"],
    &["{}", "{x | x : INTEGER & x > x}", "NATURAL - INTEGER", "5..2"],
    &["1..100000", "{x | x : INTEGER & x >= 1 & x <= 100000}", "(1..50000) \\/ (50001..100000)"],
];

/// Relations between integers.
const RELATIONS: &[&[&str]] = &[
    &["%x.(x : NATURAL | x + 1)", "%x.(x : NATURAL | 1 + x)", "{x, y | x : NATURAL & y = x + 1}"],
    &["NATURAL * {0}", "%x.(x : NATURAL | 0)", "{x, y | x : NATURAL & y = 0}"],
    &["NATURAL * (0..1)", "(NATURAL * {0}) \\/ (NATURAL * {1})"],
    &["id(NATURAL)", "%x.(x : NATURAL | x)"],
    &["(%x.(x : NATURAL | 0)) <+ {1 |-> 2}", "%x.(x : NATURAL | IF x = 1 THEN 2 ELSE 0 END)"],
    &["{}", "NATURAL * {}"],
    &["{0 |-> 1}", "{x, y | x = 0 & y = 1}"],
    &["(1..300) * (1..300)", "{x, y | x : 1..300 & y : 1..300}"],
];

/// Sets of sets of integers.
const FAMILIES: &[&[&str]] = &[
    &["POW(NATURAL)", "{s | s <: NATURAL}", "POW({x | x : INTEGER & x >= 0})"],
    &["FIN(NATURAL)"],
    &["{NATURAL}", "{{x | x : INTEGER & x >= 0}}", "{NATURAL, NATURAL1 \\/ {0}}"],
    &["{{0}}", "{{0}, {x | x = 0}}"],
    &["{NATURAL, {1}}", "{{1}, {x | x : INTEGER & x > -1}}"],
    &["POW(1..17)", "{s | s <: 1..17}"],
];

/// Symbolic sets inside other things, each table with the set that the things are in.
const HOLDERS: &[(&str, &[&[&str]])] = &[
    (
        "struct(a : POW(INTEGER), c : BOOL)",
        &[
            &["rec(a : NATURAL, c : TRUE)", "rec(a : {x | x : INTEGER & x >= 0}, c : bool(1 = 1))"],
            &["rec(a : NATURAL - {3}, c : TRUE)", "rec(a : {x | x : NATURAL & x /= 3}, c : TRUE)"],
            &["rec(a : 0..2, c : FALSE)", "rec(a : {x | x : NATURAL & x < 3}, c : FALSE)"],
            &["rec(a : 1..100000, c : TRUE)"],
        ],
    ),
    (
        "(POW(INTEGER) * INTEGER)",
        &[
            &[
                "(NATURAL |-> 0)",
                "({x | x : INTEGER & x > -1} |-> 0)",
                "((NATURAL1 \\/ {0}) |-> 0)",
            ],
            &["(NATURAL1 |-> 0)", "((NATURAL - {0}) |-> 0)"],
            &["({0, 1} |-> 1)", "({x | x : NATURAL & x < 2} |-> 1)"],
            &["((1..100000) |-> 0)"],
        ],
    ),
    (
        "(INTEGER +-> POW(INTEGER))",
        &[
            &["{0 |-> NATURAL}", "{0 |-> {x | x : INTEGER & x >= 0}}", "{0} * {NATURAL}"],
            &["{0 |-> NATURAL, 1 |-> {}}", "{1 |-> {}} \\/ {0 |-> (NATURAL1 \\/ {0})}"],
            &[
                "[NATURAL, NATURAL1]",
                "[NATURAL] <- NATURAL1",
                "[{x | x : INTEGER & x > -1}, NATURAL - {0}]",
            ],
            &["{}", "{0} <<| {0 |-> NATURAL}"],
            &["{0 |-> (1..100000)}"],
        ],
    ),
    (
        "(POW(INTEGER) +-> INTEGER)",
        &[
            &["{NATURAL |-> 0}", "{NATURAL |-> 1} <+ {{x | x : INTEGER & x >= 0} |-> 0}"],
            &["{NATURAL |-> 0, {} |-> 1}", "{{} |-> 1, (NATURAL1 \\/ {0}) |-> 0}"],
            &["{{0} |-> 1}", "{{x | x : NATURAL & x < 1} |-> 1}"],
            &["{(1..100000) |-> 0}"],
        ],
    ),
];

/// A kind of symbolic values.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    rows: &'static [&'static [&'static str]],
    /// The set they are subsets of, or elements.
    pub base: &'static str,
    /// Are they sets of which only some elements are described? Otherwise symbolic sets are parts of them.
    pub is_set: bool,
}

impl Kind {
    /// The type of the values; of those that are no sets nothing else is made.
    pub fn ty(self) -> Ty {
        match self.base {
            "INTEGER" => Ty::Int.pow(),
            "INTEGER * INTEGER" => Ty::rel(Ty::Int, Ty::Int),
            _ => Ty::Int.pow().pow(),
        }
    }

    /// That a value is of the kind.
    pub fn typing(self, this: Node) -> Node {
        pred(if self.is_set { "@ <: @" } else { "@ : @" }, [this, atom(self.base)])
    }
}

impl Grow<'_> {
    /// One of the kinds.
    pub fn symbolic_kind(&mut self) -> Kind {
        let (rows, base) = match self.random.below(8) {
            0..3 => (INTEGERS, "INTEGER"),
            3 | 4 => (RELATIONS, "INTEGER * INTEGER"),
            5 => (FAMILIES, "POW(INTEGER)"),
            _ => {
                let (base, rows) = self.random.pick(HOLDERS);
                return Kind { rows, base, is_set: false };
            }
        };
        Kind { rows, base, is_set: true }
    }

    /// The rows of a kind that are used in one machine: few, so that equal sets meet.
    pub fn symbolic_rows(&mut self, kind: Kind) -> Vec<usize> {
        let light = kind.rows.len() - 1;
        (0..2)
            .map(|_| if self.random.chance(4) { light } else { self.random.below(light) })
            .collect()
    }

    /// A spelling of a set of a kind.
    pub fn symbolic(&mut self, kind: Kind, few: &[usize]) -> Node {
        let number = self.random.pick(few);
        if let Some(alias) = self.aliases.iter().find(|a| (a.0, a.1) == (kind.base, number))
            && self.random.chance(25)
        {
            return name(alias.2.clone());
        }
        let row = kind.rows[number];
        atom(format!("({})", self.random.pick(row)))
    }

    /// Something about a symbolic value.
    pub fn symbolic_pred(&mut self, kind: Kind, few: &[usize], this: &str) -> Node {
        let mut other = || self.symbolic(kind, few);
        let (a, b) = (other(), other());
        let v = || name(this.to_owned());
        let any = match kind.base {
            "INTEGER" => self.random.pick(&["3", "0", "-1", "2147483650"]),
            "INTEGER * INTEGER" => self.random.pick(&["(0 |-> 0)", "(1 |-> 2)", "(3 |-> 4)"]),
            _ => self.random.pick(&["{}", "{0}", "(NATURAL)", "{1, 17}"]),
        };
        // What is no set has no elements.
        let ways = if kind.is_set { 12 } else { 8 };
        match self.random.below(ways) {
            0..2 => pred("@ = @", [v(), a]),
            2 => pred("@ /= @", [v(), a]),
            3 => pred("card({@, @}) = 1", [v(), a]),
            4 => pred("card({@, @, @}) < 3", [v(), a, b]),
            5 => pred("{@} /\\ {@} = {}", [v(), a]),
            6 => pred("{@} - {@} = {}", [v(), a]),
            7 => pred("@ : {@, @}", [v(), a, b]),
            8 => pred("@ <: @", [v(), a]),
            9 => pred("({@ |-> 1} <+ {@ |-> 2})(@) = 2", [v(), a, v()]),
            _ => pred(&format!("{any} : @"), [v()]),
        }
    }
}
