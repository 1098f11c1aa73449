//! Random predicates.

use super::Grow;
use crate::machines::node::{Node, Sort, list, name, pred};
use crate::machines::types::Ty;

impl Grow<'_> {
    /// A predicate.
    pub fn pred(&mut self, depth: usize) -> Node {
        for _ in 0..6 {
            if let Some(node) = self.try_pred(depth) {
                return node;
            }
        }
        pred("TRUE = TRUE", [])
    }

    fn try_pred(&mut self, depth: usize) -> Option<Node> {
        let deeper = depth.saturating_sub(1);
        if depth > 0 && self.rich && self.random.chance(20) {
            return self.rich_pred(deeper);
        }
        if depth > 0 {
            match self.random.below(23) {
                20 => return self.quantified_pair(deeper),
                21 => return self.unbounded(deeper),
                0 | 1 => {
                    let items = vec![self.pred(deeper), self.pred(deeper)];
                    return Some(list(Sort::Pred, ("(", " & ", ")"), items, 1));
                }
                2 | 3 => {
                    let items = vec![self.pred(deeper), self.pred(deeper)];
                    return Some(list(Sort::Pred, ("(", " or ", ")"), items, 1));
                }
                4 => return Some(pred("(@ => @)", [self.pred(deeper), self.pred(deeper)])),
                5 => return Some(pred("(@ <=> @)", [self.pred(deeper), self.pred(deeper)])),
                6 => return Some(pred("not(@)", [self.pred(deeper)])),
                7 | 8 => return self.quantified("!@.(@ => @)", deeper),
                9 | 10 => return self.quantified("#@.(@ & @)", deeper),
                _ => {}
            }
        }
        self.comparison(deeper)
    }

    fn quantified(&mut self, template: &str, depth: usize) -> Option<Node> {
        let of = if self.random.chance(80) { self.plain_type() } else { self.any_type() };
        let local = self.fresh("x");
        let typed = match self.random.chance(60) {
            true => self.typing(&local, &of),
            false => {
                let set = self.set_to_range_over(&of, depth)?;
                pred("@ : @", [name(local.clone()), set])
            }
        };
        let body = self.within(&[(local.clone(), of)], |g| g.pred(depth));
        Some(pred(template, [name(local), typed, body]))
    }

    /// Two names at once, sometimes the two sides of a relation.
    fn quantified_pair(&mut self, depth: usize) -> Option<Node> {
        let (a, b) = (self.plain_type(), self.plain_type());
        let (x, y) = (self.fresh("x"), self.fresh("x"));
        let inner = [(x.clone(), a.clone()), (y.clone(), b.clone())];
        let (x, y) = (|| name(x.clone()), || name(y.clone()));
        let typed = if self.random.chance(50) {
            let relation = self.set_to_range_over(&Ty::Pair(a.into(), b.into()), depth)?;
            pred("@ |-> @ : @", [x(), y(), relation])
        } else {
            let (left, right) = (self.set_to_range_over(&a, depth)?, self.base(&b));
            pred("@ : @ & @ : @", [x(), left, y(), right])
        };
        let body = self.within(&inner, |g| g.pred(depth));
        let template = self.random.pick(&["!(@, @).(@ => @)", "#(@, @).(@ & @)"]);
        Some(pred(template, [x(), y(), typed, body]))
    }

    /// A name that only what is said of it bounds.
    fn unbounded(&mut self, depth: usize) -> Option<Node> {
        let x = self.fresh("x");
        let inner = [(x.clone(), Ty::Int)];
        let (value, x) = (self.expr(&Ty::Int, depth)?, || name(x.clone()));
        let body = self.within(&inner, |g| g.pred(depth));
        Some(match self.random.below(4) {
            0 => pred("#@.(@ : INTEGER & @ = @ & @)", [x(), x(), x(), value, body]),
            1 => pred("#@.(@ : NATURAL & @ + 1 = @ & @)", [x(), x(), x(), value, body]),
            2 => pred("!@.(@ : NATURAL & @ < @ => @)", [x(), x(), x(), value, body]),
            _ => pred("@ : NATURAL", [value]),
        })
    }

    fn comparison(&mut self, depth: usize) -> Option<Node> {
        let ty = self.any_type();
        let set = ty.clone().pow();
        let two = |grow: &mut Self, template: &str, a: &Ty, b: &Ty| {
            // What speaks of no name says nothing.
            let named = if grow.random.chance(65) { grow.named(a) } else { None };
            let left = match named {
                Some(left) => left,
                None => grow.expr(a, depth)?,
            };
            Some(pred(template, [left, grow.expr(b, depth)?]))
        };
        match self.random.below(12) {
            0..3 => two(self, "@ = @", &ty, &ty),
            3..5 => two(self, "@ /= @", &ty, &ty),
            5 => two(self, "@ : @", &ty, &set),
            6 => two(self, "@ /: @", &ty, &set),
            7..9 => match &ty {
                Ty::Pow(_) => {
                    let template = self.random.pick(&["@ <: @", "@ /<: @", "@ <<: @"]);
                    two(self, template, &ty, &ty)
                }
                _ => two(self, "@ : @", &ty, &set),
            },
            _ => {
                let template = self.random.pick(&["@ < @", "@ <= @", "@ > @", "@ >= @"]);
                two(self, template, &Ty::Int, &Ty::Int)
            }
        }
    }
}
