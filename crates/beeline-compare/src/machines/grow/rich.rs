//! Forms that are rare: `LET` and `IF` in formulas, definitions with parameters, free types, functions
//! that are quantified over, products and sets of functions.

use super::{Grow, SUBSETS_OF};
use crate::machines::node::{Node, Sort, atom, expr, list, name, pred};
use crate::machines::types::{FREE, Ty};

const ARROWS: &[&str] = &["-->", "+->", ">->", ">+>", "-->>", "+->>", ">->>", ">+>>", "<->"];

impl Grow<'_> {
    /// A value of the free type.
    pub fn constructed(&mut self, depth: usize) -> Option<Node> {
        if self.constructors.is_empty() {
            return None;
        }
        let (constructor, of) = self.random.pick(&self.constructors);
        match of {
            None => Some(name(constructor)),
            // An argument may be outside what the constructor takes.
            Some(of) if self.wild && self.random.chance(20) => {
                Some(expr("@(@)", [name(constructor), self.expr(&of, depth.min(1))?]))
            }
            Some(Ty::Int) => {
                let value = self.expr(&Ty::Int, depth.min(1))?;
                Some(expr("@((@) mod 2)", [name(constructor), expr("max({0, @})", [value])]))
            }
            Some(of) => Some(expr("@(@)", [name(constructor), self.expr(&of, depth.min(1))?])),
        }
    }

    /// A rare form of any type.
    pub fn rich_expr(&mut self, ty: &Ty, depth: usize) -> Option<Node> {
        match self.random.below(12) {
            0..3 => {
                let (of, local) = (self.any_type(), self.fresh("x"));
                let value = self.telling(&of, depth)?;
                let body = self.within(&[(local.clone(), of)], |g| g.expr(ty, depth))?;
                let x = || name(local.clone());
                Some(expr("(LET @ BE @ = @ IN @ END)", [x(), x(), value, body]))
            }
            3 | 4 => self.call_macro(Some(ty), depth),
            5 | 6 => {
                let of = self.plain_type();
                let relation = self.expr(&Ty::rel(of.clone(), ty.clone()), depth)?;
                let (at, value) = (self.expr(&of, 0)?, self.expr(ty, depth)?);
                let parts = [at.clone(), relation, at.clone(), value, at];
                Some(expr("(({@} <<| @) \\/ {@ |-> @})(@)", parts))
            }
            7 => {
                let other = self.plain_type();
                let (a, b) = (self.expr(ty, depth)?, self.expr(&other, depth)?);
                Some(match self.random.chance(50) {
                    true => expr("rec(a : @, c : @)'a", [a, b]),
                    false => expr("rec(a : @, c : @)'c", [b, a]),
                })
            }
            8 => {
                let (a, b) = (self.plain_type(), self.plain_type());
                let (x, y) = (self.fresh("x"), self.fresh("x"));
                let inner = [(x.clone(), a.clone()), (y.clone(), b.clone())];
                let (of_a, of_b) = (self.base(&a), self.base(&b));
                let body = self.within(&inner, |g| g.expr(ty, depth))?;
                let (x, y) = (|| name(x.clone()), || name(y.clone()));
                let (at_a, at_b) = (self.expr(&a, 0)?, self.expr(&b, 0)?);
                // Numbers may be outside.
                if !self.wild && (a.is_open() || b.is_open()) {
                    return None;
                }
                let lambda = [x(), y(), x(), of_a, y(), of_b, body, at_a, at_b];
                Some(expr("(%(@, @).(@ : @ & @ : @ | @))(@ |-> @)", lambda))
            }
            9 if *ty == Ty::Int => {
                let of = self.plain_type();
                let (x, set) = (self.fresh("x"), self.set_to_range_over(&of, depth)?);
                let inner = [(x.clone(), of)];
                let (test, body) =
                    self.within(&inner, |g| (g.pred(depth), g.expr(&Ty::Int, depth)));
                let x = || name(x.clone());
                let which = self.random.pick(&["SIGMA", "PI"]);
                let template = format!("{which}(@).(@ : @ & @ | @)");
                Some(expr(&template, [x(), x(), set, test, body?]))
            }
            9 if self.wild => self.taken_apart(ty),
            10 if *ty == Ty::Int => {
                let relation = self.plain_type();
                let q = self.expr(&Ty::rel(Ty::Int, relation), depth)?;
                Some(expr("card(@ <| @)", [self.expr(&Ty::Int.pow(), depth)?, q]))
            }
            _ => None,
        }
    }

    /// A value that says of what type it is.
    fn telling(&mut self, ty: &Ty, depth: usize) -> Option<Node> {
        match ty {
            Ty::Pow(of) => self.set_to_range_over(of, depth),
            _ => self.expr(ty, depth).filter(|e| !e.to_string().contains("{}")),
        }
    }

    /// What a value of the free type was made of.
    fn taken_apart(&mut self, ty: &Ty) -> Option<Node> {
        let fit: Vec<String> = self
            .constructors
            .iter()
            .filter(|c| c.1.as_ref() == Some(ty))
            .map(|c| c.0.clone())
            .collect();
        if fit.is_empty() {
            return None;
        }
        let value = self.expr(&Ty::Free, 0)?;
        Some(expr("(@~)(@)", [name(self.random.pick(&fit)), value]))
    }

    /// A definition with arguments.
    fn call_macro(&mut self, ty: Option<&Ty>, depth: usize) -> Option<Node> {
        let fit: Vec<(String, Vec<Ty>)> = self
            .macros
            .iter()
            .filter(|m| m.2.as_ref() == ty)
            .map(|m| (m.0.clone(), m.1.clone()))
            .collect();
        if fit.is_empty() {
            return None;
        }
        let (definition, parameters) = self.random.pick(&fit);
        let arguments: Option<Vec<Node>> =
            parameters.iter().map(|p| self.expr(p, depth.min(1))).collect();
        let arguments = list(Sort::Part, ("(", ", ", ")"), arguments?, parameters.len());
        let sort = if ty.is_some() { Sort::Expr } else { Sort::Pred };
        Some(Node::Form(sort, vec![name(definition), arguments]))
    }

    /// A rare form of a predicate.
    pub fn rich_pred(&mut self, depth: usize) -> Option<Node> {
        match self.random.below(14) {
            0 | 1 => {
                let (of, local) = (self.any_type(), self.fresh("x"));
                let value = self.telling(&of, depth)?;
                let body = self.within(&[(local.clone(), of)], |g| g.pred(depth));
                let x = || name(local.clone());
                Some(pred("(LET @ BE @ = @ IN @ END)", [x(), x(), value, body]))
            }
            2 => {
                let parts = [self.pred(depth), self.pred(depth), self.pred(depth)];
                Some(pred("(IF @ THEN @ ELSE @ END)", parts))
            }
            3 | 4 => self.call_macro(None, depth),
            5..8 => {
                let (a, b) = (self.plain_type(), self.plain_type());
                let function = self.expr(&Ty::rel(a.clone(), b.clone()), depth)?;
                let (from, to) = (self.expr(&a.pow(), depth)?, self.expr(&b.pow(), depth)?);
                let is = self.random.pick(&[":", ":", "/:"]);
                let arrow = self.random.pick(ARROWS);
                Some(pred(&format!("@ {is} (@ {arrow} @)"), [function, from, to]))
            }
            8 | 9 => self.some_function(depth),
            10 => self.some_set(depth),
            11 => self.three(depth),
            12 if !self.constructors.is_empty() => {
                let made: Vec<String> = self
                    .constructors
                    .iter()
                    .filter(|c| c.1.is_some())
                    .map(|c| c.0.clone())
                    .collect();
                let constructor = name(self.random.pick(&made));
                Some(pred("@ : ran(@)", [self.expr(&Ty::Free, depth)?, constructor]))
            }
            _ => {
                let of = self.plain_type();
                let q = self.expr(&Ty::rel(Ty::Int, of.clone()), depth)?;
                let set = self.set_to_range_over(&of, depth)?;
                let which = self.random.pick(&["seq", "iseq", "seq1", "perm"]);
                Some(pred(&format!("@ : {which}(@)"), [q, set]))
            }
        }
    }

    /// There is a function, or something holds of all.
    fn some_function(&mut self, depth: usize) -> Option<Node> {
        let (a, b) = (self.plain_type(), self.plain_type());
        if self.base_size(&a).saturating_mul(self.base_size(&b)) > 9 {
            return None;
        }
        let f = self.fresh("x");
        let arrow = self.random.pick(ARROWS);
        let (from, to) = match self.random.chance(40) {
            true => (self.base(&a), self.base(&b)),
            false => (self.set_to_range_over(&a, depth)?, self.set_to_range_over(&b, depth)?),
        };
        let inner = [(f.clone(), Ty::rel(a, b))];
        let body = self.within(&inner, |g| g.pred(depth));
        let f = || name(f.clone());
        let template = match self.random.chance(60) {
            true => format!("#@.(@ : (@ {arrow} @) & @)"),
            false => format!("!@.(@ : (@ {arrow} @) => @)"),
        };
        Some(pred(&template, [f(), f(), from, to, body]))
    }

    /// There is a set with so many elements.
    fn some_set(&mut self, depth: usize) -> Option<Node> {
        let of = self.plain_type();
        if self.base_size(&of) > SUBSETS_OF {
            return None;
        }
        let s = self.fresh("x");
        let within = self.set_to_range_over(&of, depth)?;
        let size = self.expr(&Ty::Int, 0)?;
        let body = self.within(&[(s.clone(), of.pow())], |g| g.pred(depth));
        let s = || name(s.clone());
        let parts = [s(), s(), within, s(), size, body];
        Some(pred("#@.(@ <: @ & card(@) = @ & @)", parts))
    }

    /// Three names, each bounded by those before it.
    fn three(&mut self, depth: usize) -> Option<Node> {
        let types = [self.plain_type(), self.plain_type(), self.plain_type()];
        let names = [self.fresh("x"), self.fresh("x"), self.fresh("x")];
        let mut known: Vec<(String, Ty)> = Vec::new();
        let mut tests = Vec::new();
        for (this, ty) in names.iter().zip(types) {
            let set = self.within(&known, |g| g.set_to_range_over(&ty, depth))?;
            tests.push(pred("@ : @", [name(this.clone()), set]));
            known.push((this.clone(), ty));
        }
        if self.random.chance(40) {
            tests.reverse();
        }
        let body = self.within(&known, |g| g.pred(depth));
        let bound = list(Sort::Part, ("", ", ", ""), names.map(name).into(), 3);
        let tests = list(Sort::Pred, ("", " & ", ""), tests, 1);
        let template = self.random.pick(&["#(@).(@ & @)", "!(@).(@ => @)"]);
        Some(pred(template, [bound, tests, body]))
    }

    /// A rare form of a set.
    pub fn rich_set(&mut self, of: &Ty, depth: usize) -> Option<Node> {
        let set = of.clone().pow();
        match (self.random.below(10), of) {
            (0..3, Ty::Pair(a, b)) => self.rich_relation(a, b, depth),
            (0, Ty::Rec(a, b)) => {
                let (a, b) = ((**a).clone().pow(), (**b).clone().pow());
                Some(expr("struct(a : @, c : @)", [self.expr(&a, depth)?, self.expr(&b, depth)?]))
            }
            (0..2, Ty::Free) => Some(match self.random.below(3) {
                0 => atom(FREE),
                _ => expr("(@ - {@})", [atom(FREE), self.expr(&Ty::Free, 1)?]),
            }),
            (0..3, Ty::Pow(inner)) => match &**inner {
                Ty::Pair(a, b) if self.base_size(a).saturating_mul(self.base_size(b)) <= 6 => {
                    let (a, b) = ((**a).clone().pow(), (**b).clone().pow());
                    let arrow = self.random.pick(ARROWS);
                    let parts = [self.expr(&a, depth)?, self.expr(&b, depth)?];
                    Some(expr(&format!("(@ {arrow} @)"), parts))
                }
                _ => None,
            },
            (3 | 4, _) => {
                let (from, local) = (self.plain_type(), self.fresh("x"));
                let base = self.base(&from);
                let test = self.random.chance(30);
                let inner = [(local.clone(), from)];
                let (test, body) =
                    self.within(&inner, |g| (test.then(|| g.pred(depth)), g.expr(&set, depth)));
                let x = || name(local.clone());
                match test {
                    None => {
                        let which = self.random.pick(&["UNION", "INTER"]);
                        Some(expr(&format!("{which}(@).(@ : @ | @)"), [x(), x(), base, body?]))
                    }
                    Some(test) => {
                        let which = if self.wild { "INTER" } else { "UNION" };
                        let template = format!("{which}(@).(@ : @ & @ | @)");
                        Some(expr(&template, [x(), x(), base, test, body?]))
                    }
                }
            }
            (5 | 6, _) => {
                let (other, x, y) = (self.plain_type(), self.fresh("x"), self.fresh("x"));
                let from = self.set_to_range_over(of, depth)?;
                let to = self.base(&other);
                let inner = [(x.clone(), of.clone()), (y.clone(), other)];
                let test = self.within(&inner, |g| g.pred(depth));
                let (x, y) = (|| name(x.clone()), || name(y.clone()));
                let parts = [x(), x(), from, y(), y(), to, test];
                Some(expr("{@ | @ : @ & #@.(@ : @ & @)}", parts))
            }
            (7, _) => {
                let (a, b) = (self.expr(&set, depth)?, self.expr(&set, depth)?);
                Some(expr("(IF @ THEN @ ELSE @ END)", [self.pred(depth), a, b]))
            }
            _ => None,
        }
    }

    fn rich_relation(&mut self, a: &Ty, b: &Ty, depth: usize) -> Option<Node> {
        let whole = Ty::rel(a.clone(), b.clone());
        match (self.random.below(6), a, b) {
            (0, _, Ty::Pair(c, d)) => {
                let left = self.expr(&Ty::rel(a.clone(), (**c).clone()), depth)?;
                let right = self.expr(&Ty::rel(a.clone(), (**d).clone()), depth)?;
                Some(expr("(@ >< @)", [left, right]))
            }
            (1, Ty::Pair(c, d), Ty::Pair(e, f)) => {
                let left = self.expr(&Ty::rel((**c).clone(), (**e).clone()), depth)?;
                let right = self.expr(&Ty::rel((**d).clone(), (**f).clone()), depth)?;
                Some(expr("(@ || @)", [left, right]))
            }
            (2, ..) if a == b && !a.is_open() => {
                let times = self.expr(&Ty::Int, 0)?;
                let times = expr("min({2, max({0, @})})", [times]);
                Some(expr("iterate(@, @)", [self.expr(&whole, depth)?, times]))
            }
            (3, Ty::Pair(c, d), _) => {
                let (x, y) = (self.fresh("x"), self.fresh("x"));
                let inner = [(x.clone(), (**c).clone()), (y.clone(), (**d).clone())];
                let (left, right) = (self.base(c), self.base(d));
                let body = self.within(&inner, |g| g.expr(b, depth))?;
                let (x, y) = (|| name(x.clone()), || name(y.clone()));
                let parts = [x(), y(), x(), left, y(), right, body];
                Some(expr("(%(@, @).(@ : @ & @ : @ | @))", parts))
            }
            (4, _, Ty::Pow(to)) => {
                let relation = self.expr(&Ty::rel(a.clone(), (**to).clone()), depth)?;
                Some(expr("fnc(@)", [relation]))
            }
            (4, ..) => {
                let function = self.expr(&Ty::rel(a.clone(), b.clone().pow()), depth)?;
                Some(expr("rel(@)", [function]))
            }
            (5, ..) => {
                let local = self.fresh("x");
                let set = self.set_to_range_over(a, depth)?;
                let inner = [(local.clone(), a.clone())];
                let (test, body) = self.within(&inner, |g| (g.pred(depth), g.expr(b, depth)));
                let x = || name(local.clone());
                Some(expr("(%@.(@ : @ & @ | @))", [x(), x(), set, test, body?]))
            }
            _ => None,
        }
    }
}
