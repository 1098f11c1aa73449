//! Substitutions that are rare: choices for several variables at once, changes of a part, nested tests.

use super::grow::Grow;
use super::node::{Node, Sort, expr, list, name, pred, subst};
use super::subst::{Care, Values, Variable};
use super::types::{Domain, Ty};

/// Sets of more values are not gone through.
const FEW: f64 = 40.0;

impl Grow<'_> {
    /// A rare form of a substitution.
    pub(super) fn rich_body(&mut self, to: &[Variable], care: Care, depth: usize) -> Option<Node> {
        match self.random.below(14) {
            0..3 => self.such_that(to),
            3..6 => self.part_of(to),
            6 | 7 => {
                let (v, domain) = self.one_finite(to)?;
                let chosen = self.expr(&domain.ty().pow(), 1)?;
                if domain.count(&self.sets) > FEW || matches!(domain, Domain::Seq(..)) {
                    return None;
                }
                let set = expr("(@ /\\ @)", [chosen, domain.set(&self.sets)]);
                Some(subst("@ :: @", [name(v), set]))
            }
            8 => {
                let tests = [self.pred(1), self.pred(1)];
                let [a, b, c] = [0, 1, 2].map(|_| self.body(to, care, depth));
                let [p, q] = tests;
                Some(match self.random.chance(50) {
                    true => subst("IF @ THEN @ ELSIF @ THEN @ ELSE @ END", [p, a, q, b, c]),
                    false => subst("SELECT @ THEN @ WHEN @ THEN @ ELSE @ END", [p, a, q, b, c]),
                })
            }
            9 => {
                let ty = self.plain_type();
                let local = self.fresh("w");
                let set = self.base(&ty);
                let body = self.within(&[(local.clone(), ty)], |g| g.body(to, care, depth));
                let w = || name(local.clone());
                Some(subst("VAR @ IN @ :: @ ; @ END", [w(), w(), set, body]))
            }
            10 => {
                let (a, b) = (self.plain_type(), self.plain_type());
                let (x, y) = (self.fresh("y"), self.fresh("y"));
                let relation =
                    self.set_to_range_over(&Ty::Pair(a.clone().into(), b.clone().into()), 1)?;
                let inner = [(x.clone(), a), (y.clone(), b)];
                let (test, body) = self.within(&inner, |g| (g.pred(1), g.body(to, care, depth)));
                let (x, y) = (|| name(x.clone()), || name(y.clone()));
                let typed = pred("@ |-> @ : @", [x(), y(), relation]);
                let tests = list(Sort::Pred, ("", " & ", ""), vec![typed, test], 1);
                Some(subst("ANY @, @ WHERE @ THEN @ END", [x(), y(), tests, body]))
            }
            11 => {
                let ty = [Ty::Bool, Ty::Given(0)];
                let ty = &ty[if self.sets.is_empty() { 0 } else { self.random.below(2) }];
                let (a, b) = match ty {
                    Ty::Given(set) => match self.sets[*set].elements.as_slice() {
                        [a, b, ..] => (a.clone(), b.clone()),
                        _ => return None,
                    },
                    _ => ("TRUE".to_owned(), "FALSE".to_owned()),
                };
                let of = self.expr(ty, 1)?;
                let [c, d] = [0, 1].map(|_| self.body(to, care, depth));
                let parts = [of, name(a), c, name(b), d];
                Some(subst("CASE @ OF EITHER @ THEN @ OR @ THEN @ END END", parts))
            }
            12 => {
                let inner = self.body(to, care, depth);
                Some(subst("PRE @ THEN @ END", [self.pred(1), inner]))
            }
            _ => {
                let items = (0..3).map(|_| self.body(to, care, depth)).collect();
                let choices = list(Sort::Subst, ("", " OR ", ""), items, 2);
                Some(subst("CHOICE @ END", [choices]))
            }
        }
    }

    fn one_finite(&mut self, to: &[Variable]) -> Option<(String, Domain)> {
        let one = self.random.pick(to);
        match one.values {
            Values::Finite(domain) => Some((one.name, domain)),
            Values::Symbolic(..) => None,
        }
    }

    /// Values of one or two variables that satisfy something, perhaps beside what they were.
    fn such_that(&mut self, to: &[Variable]) -> Option<Node> {
        let (a, of_a) = self.one_finite(to)?;
        let (b, of_b) = self.one_finite(to)?;
        let listed = |d: &Domain| !matches!(d, Domain::Seq(..));
        let many = of_a.count(&self.sets) * of_b.count(&self.sets) > FEW;
        if a == b || many || !listed(&of_a) || !listed(&of_b) {
            return None;
        }
        let (set_a, set_b) = (of_a.set(&self.sets), of_b.set(&self.sets));
        let mut tests = vec![
            pred("@ : @", [name(a.clone()), set_a]),
            pred("@ : @", [name(b.clone()), set_b]),
            self.pred(1),
        ];
        if self.random.chance(50) {
            let template = self.random.pick(&["@ /= @$0", "@ = @$0"]);
            let one = pred(template, [name(a.clone()), name(a.clone())]);
            let other = pred("@ /= @$0", [name(b.clone()), name(b.clone())]);
            tests.push(list(Sort::Pred, ("(", " or ", ")"), vec![one, other], 1));
        }
        let tests = list(Sort::Pred, ("", " & ", ""), tests, 2);
        Some(subst("@, @ : (@)", [name(a), name(b), tests]))
    }

    /// A function at one place, or one field of a record.
    fn part_of(&mut self, to: &[Variable]) -> Option<Node> {
        let (v, domain) = self.one_finite(to)?;
        let v = || name(v.clone());
        match &domain {
            Domain::Fun(_, a, b) => {
                let (at, value) = (self.expr(&a.ty(), 1)?, self.expr(&b.ty(), 1)?);
                let change = subst("@(@) := @", [v(), at.clone(), value.clone()]);
                if !domain.ty().is_open() {
                    return Some(change);
                }
                let tests = [at, a.set(&self.sets), value, b.set(&self.sets), change];
                Some(subst("IF @ : @ & @ : @ THEN @ END", tests))
            }
            Domain::Rec(a, b) => {
                let (field, of) = if self.random.chance(50) { ("a", a) } else { ("c", b) };
                let value = self.expr(&of.ty(), 1)?;
                let change = subst(&format!("@'{field} := @"), [v(), value.clone()]);
                if !of.ty().is_open() {
                    return Some(change);
                }
                Some(subst("IF @ : @ THEN @ END", [value, of.set(&self.sets), change]))
            }
            _ => None,
        }
    }
}
