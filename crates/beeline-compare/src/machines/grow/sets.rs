//! Random sets, relations and sequences.

use super::Grow;
use crate::machines::node::{Node, Sort, atom, expr, list, name};
use crate::machines::types::Ty;

impl Grow<'_> {
    /// A set of elements of a type.
    pub fn set(&mut self, of: &Ty, depth: usize) -> Option<Node> {
        if depth == 0 || self.random.chance(20) {
            return match self.random.below(4) {
                0 => Some(atom("{}")),
                1 if !matches!(of, Ty::Pow(_)) => Some(self.base(of)),
                _ => match self.extension(of, 0) {
                    Some(node) => Some(node),
                    None => Some(self.base(of)),
                },
            };
        }
        let deeper = depth - 1;
        if self.rich && self.random.chance(20) {
            let node = self.rich_set(of, deeper);
            if node.is_some() {
                return node;
            }
        }
        if let Ty::Pair(a, b) = of
            && self.random.chance(60)
            && let Some(node) = self.relation(a, b, deeper)
        {
            return Some(node);
        }
        let set = of.clone().pow();
        match self.random.below(22) {
            0..3 => self.extension(of, deeper),
            3..6 => Some(expr("(@ \\/ @)", [self.expr(&set, deeper)?, self.expr(&set, deeper)?])),
            6..8 => Some(expr("(@ - @)", [self.expr(&set, deeper)?, self.expr(&set, deeper)?])),
            8 => Some(expr("(@ /\\ @)", [self.expr(&set, deeper)?, self.expr(&set, deeper)?])),
            9 | 10 => self.comprehension(of, deeper),
            11 => {
                let from = self.plain_type();
                let relation = self.expr(&Ty::rel(of.clone(), from), deeper)?;
                Some(expr("dom(@)", [relation]))
            }
            12 => {
                let from = self.plain_type();
                let relation = self.expr(&Ty::rel(from, of.clone()), deeper)?;
                Some(expr("ran(@)", [relation]))
            }
            13 => {
                let from = self.plain_type();
                let relation = self.expr(&Ty::rel(from.clone(), of.clone()), deeper)?;
                Some(expr("@[@]", [relation, self.expr(&from.pow(), deeper)?]))
            }
            14 => match of {
                Ty::Pow(inner) if !matches!(**inner, Ty::Pow(_) | Ty::Pair(..)) => {
                    let which = self.random.pick(&["POW(@)", "POW1(@)", "FIN(@)"]);
                    Some(expr(which, [self.expr(of, deeper)?]))
                }
                Ty::Int => {
                    let (a, b) = (self.expr(&Ty::Int, 0)?, self.expr(&Ty::Int, 0)?);
                    Some(expr("(@..@)", [a, b]))
                }
                _ => Some(expr("union(@)", [self.expr(&set.pow(), deeper.min(1))?])),
            },
            15 | 16 => self.selected(of, deeper),
            17 => self.images(of, deeper),
            18 if *of == Ty::Int => self.of_numbers(deeper),
            18 => {
                let which = self.random.pick(&["inter({@, @})", "union({@, @})"]);
                Some(expr(which, [self.expr(&set, deeper)?, self.expr(&set, deeper)?]))
            }
            _ => Some(self.base(of)),
        }
    }

    /// Elements of another set, or of one side of a relation, that pass a test.
    fn selected(&mut self, of: &Ty, depth: usize) -> Option<Node> {
        let (local, other) = (self.fresh("x"), self.fresh("x"));
        let (x, y) = (|| name(local.clone()), || name(other.clone()));
        if self.random.chance(50) {
            let set = self.set_to_range_over(of, depth)?;
            let test = self.within(&[(local.clone(), of.clone())], |g| g.pred(depth));
            return Some(expr("{@ | @ : @ & @}", [x(), x(), set, test]));
        }
        let to = self.plain_type();
        let relation =
            self.set_to_range_over(&Ty::Pair(of.clone().into(), to.clone().into()), depth)?;
        let both = [(local.clone(), of.clone()), (other.clone(), to)];
        let test = self.within(&both, |g| g.pred(depth));
        Some(expr("{@ | #@.(@ |-> @ : @ & @)}", [x(), y(), x(), y(), relation, test]))
    }

    /// What an expression gives for the elements of a set.
    fn images(&mut self, of: &Ty, depth: usize) -> Option<Node> {
        let from = self.plain_type();
        let local = self.fresh("x");
        let set = self.set_to_range_over(&from, depth)?;
        let inner = [(local.clone(), from)];
        let x = || name(local.clone());
        if self.random.chance(50) {
            let body = self.within(&inner, |g| g.expr(of, depth))?;
            return Some(expr("ran(%@.(@ : @ | @))", [x(), x(), set, body]));
        }
        let body = self.within(&inner, |g| g.expr(&of.clone().pow(), depth))?;
        Some(expr("UNION(@).(@ : @ | @)", [x(), x(), set, body]))
    }

    /// Numbers out of sets that cannot be listed.
    fn of_numbers(&mut self, depth: usize) -> Option<Node> {
        let local = self.fresh("x");
        let x = || name(local.clone());
        match self.random.below(5) {
            0 => Some(expr("(@ /\\ NATURAL)", [self.expr(&Ty::Int.pow(), depth)?])),
            1 => Some(expr("(@ - NATURAL1)", [self.expr(&Ty::Int.pow(), depth)?])),
            2 => {
                let most = self.expr(&Ty::Int, 0)?;
                Some(expr("{@ | @ : NATURAL & @ < @}", [x(), x(), x(), most]))
            }
            3 => {
                let of = self.expr(&Ty::Int.pow(), depth)?;
                Some(expr("(%@.(@ : INTEGER | @ + 1))[@]", [x(), x(), x(), of]))
            }
            _ => {
                let of = self.set_to_range_over(&Ty::Int, depth)?;
                Some(expr("{@ | @ : INTEGER & @ + 1 : @}", [x(), x(), x(), of]))
            }
        }
    }

    /// A set that says what its elements are.
    pub fn set_to_range_over(&mut self, of: &Ty, depth: usize) -> Option<Node> {
        let set = self.expr(&of.clone().pow(), depth)?;
        let says_nothing = !set.to_string().contains(|c: char| c.is_ascii_alphanumeric());
        Some(if says_nothing { self.base(of) } else { set })
    }

    fn extension(&mut self, of: &Ty, depth: usize) -> Option<Node> {
        let count = 1 + self.random.below(2);
        let items: Option<Vec<Node>> = (0..count).map(|_| self.expr(of, depth)).collect();
        Some(list(Sort::Expr, ("{", ", ", "}"), items?, 1))
    }

    fn comprehension(&mut self, of: &Ty, depth: usize) -> Option<Node> {
        let local = self.fresh("x");
        let base = self.base(of);
        let test = self.within(&[(local.clone(), of.clone())], |g| g.pred(depth));
        let x = || name(local.clone());
        Some(expr("{@ | @ : @ & @}", [x(), x(), base, test]))
    }

    fn relation(&mut self, a: &Ty, b: &Ty, depth: usize) -> Option<Node> {
        let whole = Ty::rel(a.clone(), b.clone());
        match self.random.below(20) {
            0 | 1 => Some(expr(
                "(@ <| @)",
                [self.expr(&a.clone().pow(), depth)?, self.expr(&whole, depth)?],
            )),
            2 | 3 => Some(expr(
                "(@ <<| @)",
                [self.expr(&a.clone().pow(), depth)?, self.expr(&whole, depth)?],
            )),
            4 => Some(expr(
                "(@ |> @)",
                [self.expr(&whole, depth)?, self.expr(&b.clone().pow(), depth)?],
            )),
            5 => Some(expr(
                "(@ |>> @)",
                [self.expr(&whole, depth)?, self.expr(&b.clone().pow(), depth)?],
            )),
            6..9 => Some(expr("(@ <+ @)", [self.expr(&whole, depth)?, self.expr(&whole, depth)?])),
            9 => Some(expr("(@~)", [self.expr(&Ty::rel(b.clone(), a.clone()), depth)?])),
            10 => {
                let middle = self.plain_type();
                let left = self.expr(&Ty::rel(a.clone(), middle.clone()), depth)?;
                Some(expr("(@ ; @)", [left, self.expr(&Ty::rel(middle, b.clone()), depth)?]))
            }
            11 if a == b => Some(expr("id(@)", [self.expr(&a.clone().pow(), depth)?])),
            12 if a == b && !a.is_open() => Some(expr("closure1(@)", [self.expr(&whole, depth)?])),
            13..15 => Some(expr(
                "(@ * @)",
                [self.expr(&a.clone().pow(), depth)?, self.expr(&b.clone().pow(), depth)?],
            )),
            15 => self.lambda(a, b, depth),
            16 | 17 if *a == Ty::Int => self.sequence(b, depth),
            18 => {
                let (x, y) = (self.fresh("x"), self.fresh("x"));
                let inner = [(x.clone(), a.clone()), (y.clone(), b.clone())];
                let set =
                    self.set_to_range_over(&Ty::Pair(a.clone().into(), b.clone().into()), depth)?;
                let test = self.within(&inner, |g| g.pred(depth));
                let (x, y) = (|| name(x.clone()), || name(y.clone()));
                Some(expr("{@, @ | @ |-> @ : @ & @}", [x(), y(), x(), y(), set, test]))
            }
            19 if a == b && !a.is_open() => {
                let which = self.random.pick(&["closure(@)", "iterate(@, 2)"]);
                Some(expr(which, [self.expr(&whole, depth)?]))
            }
            _ => None,
        }
    }

    fn lambda(&mut self, a: &Ty, b: &Ty, depth: usize) -> Option<Node> {
        let local = self.fresh("x");
        let base = self.base(a);
        let body = self.within(&[(local.clone(), a.clone())], |g| g.expr(b, depth))?;
        let x = || name(local.clone());
        Some(expr("(%@.(@ : @ | @))", [x(), x(), base, body]))
    }

    fn sequence(&mut self, of: &Ty, depth: usize) -> Option<Node> {
        let whole = Ty::rel(Ty::Int, of.clone());
        match self.random.below(8) {
            0..4 => {
                let count = 1 + self.random.below(2);
                let items: Option<Vec<Node>> = (0..count).map(|_| self.expr(of, depth)).collect();
                Some(list(Sort::Expr, ("[", ", ", "]"), items?, 1))
            }
            _ if !self.wild => None,
            4 => Some(expr("(@ <- @)", [self.expr(&whole, depth)?, self.expr(of, depth)?])),
            5 => Some(expr("(@ ^ @)", [self.expr(&whole, depth)?, self.expr(&whole, depth)?])),
            6 => Some(expr("rev(@)", [self.expr(&whole, depth)?])),
            _ => {
                Some(expr(self.random.pick(&["tail(@)", "front(@)"]), [self.expr(&whole, depth)?]))
            }
        }
    }
}
