//! Random expressions of a type.

use super::Grow;
use crate::machines::node::{Node, atom, expr, name};
use crate::machines::types::Ty;

/// Numbers beyond every machine word; the first two were found to have one hash.
const LARGE: &[&str] = &[
    "1512366075204170935818410520166303587",
    "1512366075204170937453709203589281548",
    "2147483648",
    "-4294967297",
    "10000000000000000000000",
];

impl Grow<'_> {
    /// An expression of a type; there is none if nothing is known from which it could be made.
    pub fn expr(&mut self, ty: &Ty, depth: usize) -> Option<Node> {
        let leaf = depth == 0 || self.random.chance(25);
        if leaf
            && self.random.chance(75)
            && let Some(node) = self.named(ty)
        {
            return Some(node);
        }
        let deeper = depth.saturating_sub(1);
        if !leaf && self.rich && self.random.chance(15) {
            let node = self.rich_expr(ty, deeper);
            if node.is_some() {
                return node;
            }
        }
        if !leaf {
            if self.random.chance(12)
                && let Some((function, from)) = self.function_to(ty)
                && let Some(node) = self.application(function, &from, deeper)
            {
                return Some(node);
            }
            if self.random.chance(8)
                && let Some(node) = self.holder_of(ty)
            {
                return Some(node);
            }
            if self.random.chance(3) {
                let (a, b) = (self.expr(ty, deeper)?, self.expr(ty, deeper)?);
                let test = self.pred(deeper);
                return Some(expr("(IF @ THEN @ ELSE @ END)", [test, a, b]));
            }
        }
        match ty {
            Ty::Int => self.int(depth, leaf),
            Ty::Bool if leaf => Some(atom(self.random.pick(&["TRUE", "FALSE"]))),
            Ty::Bool => Some(expr("bool(@)", [self.pred(deeper)])),
            Ty::Str => Some(atom(self.random.pick(&["\"a\"", "\"b\"", "\"ab\""]))),
            Ty::Given(set) => self.element(*set, depth),
            Ty::Pair(a, b) => {
                Some(expr("(@ |-> @)", [self.expr(a, deeper)?, self.expr(b, deeper)?]))
            }
            Ty::Rec(a, b) => {
                Some(expr("rec(a : @, c : @)", [self.expr(a, deeper)?, self.expr(b, deeper)?]))
            }
            Ty::Free => self.constructed(deeper),
            Ty::Pow(of) => self.set(of, depth),
        }
    }

    /// An expression of a type that is always there: a set is empty if need be.
    pub fn some(&mut self, ty: &Ty, depth: usize) -> Option<Node> {
        for _ in 0..4 {
            if let Some(node) = self.expr(ty, depth) {
                return Some(node);
            }
        }
        None
    }

    /// A function at an argument; mostly where that has a meaning.
    fn application(&mut self, function: Node, from: &Ty, depth: usize) -> Option<Node> {
        let argument = self.expr(from, depth.min(1))?;
        Some(expr("@(@)", [function, argument]))
    }

    /// An element of a given set.
    fn element(&mut self, set: usize, depth: usize) -> Option<Node> {
        let named = self.named(&Ty::Given(set));
        let elements = self.sets[set].elements.clone();
        match named {
            Some(node) if elements.is_empty() || self.random.chance(60) => Some(node),
            _ if !elements.is_empty() => Some(name(self.random.pick(&elements))),
            _ => {
                let _ = depth;
                None
            }
        }
    }

    fn number(&mut self) -> Node {
        match self.random.below(60) {
            0 | 1 => atom("-1"),
            2 | 3 => atom(self.random.pick(LARGE)),
            4 => atom("MAXINT"),
            n => atom((n % 4).to_string()),
        }
    }

    fn int(&mut self, depth: usize, leaf: bool) -> Option<Node> {
        if leaf {
            return Some(self.number());
        }
        let deeper = depth - 1;
        let wild = self.wild;
        let two = |grow: &mut Self, template: &str| {
            Some(expr(template, [grow.expr(&Ty::Int, deeper)?, grow.expr(&Ty::Int, deeper)?]))
        };
        match self.random.below(21) {
            20 => {
                let x = self.fresh("x");
                let (x, value) = (|| name(x.clone()), self.expr(&Ty::Int, deeper)?);
                Some(expr("(%@.(@ : INTEGER | @ * 2))(@)", [x(), x(), x(), value]))
            }
            0..4 => two(self, "(@ + @)"),
            4..7 => two(self, "(@ - @)"),
            7 => two(self, "(@ * @)"),
            8 if wild => two(self, "(@ / @)"),
            9 if wild => two(self, "(@ mod @)"),
            8..10 => Some(expr(
                "(@ mod 3)",
                [expr("(@ * @)", {
                    let a = self.expr(&Ty::Int, deeper)?;
                    [a.clone(), a]
                })],
            )),
            10..14 => {
                let of = self.any_type();
                let of = match of {
                    Ty::Pow(_) => of,
                    other => other.pow(),
                };
                Some(expr("card(@)", [self.expr(&of, deeper)?]))
            }
            14 | 15 => {
                let set = self.expr(&Ty::Int.pow(), deeper)?;
                let which = self.random.pick(&["min(@)", "max(@)"]);
                if wild {
                    return Some(expr(which, [set]));
                }
                Some(expr(&which.replace('@', "(@ \\/ {0})"), [set]))
            }
            16 => {
                let of = self.plain_type();
                let local = self.fresh("x");
                let set = self.set_to_range_over(&of, deeper)?;
                let body = self.within(&[(local.clone(), of)], |g| g.expr(&Ty::Int, deeper))?;
                let which = self.random.pick(&["SIGMA(@).(@ : @ | @)", "PI(@).(@ : @ | @)"]);
                Some(expr(which, [name(local.clone()), name(local), set, body]))
            }
            17 => {
                let of = self.plain_type();
                let q = self.expr(&Ty::rel(Ty::Int, of), 0)?;
                Some(expr(if wild { "size(@)" } else { "card(@)" }, [q]))
            }
            _ => Some(self.number()),
        }
    }
}
