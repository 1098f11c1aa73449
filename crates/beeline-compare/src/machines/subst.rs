//! Random substitutions over the variables of a machine.

use super::grow::Grow;
use super::node::{Node, Sort, atom, expr, list, name, pred, subst};
use super::symbolic::Kind;
use super::types::{Domain, Ty};

/// Name, parameters and result of an operation.
#[derive(Clone, Debug)]
pub(super) struct Signature {
    pub(super) name: String,
    pub(super) parameters: Vec<(String, Ty)>,
    pub(super) result: Option<Ty>,
}

/// Where the values of a variable come from.
#[derive(Clone, Debug)]
pub enum Values {
    /// A finite set.
    Finite(Domain),
    /// Some of the rows of a kind of symbolic sets.
    Symbolic(Kind, Vec<usize>),
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// What it is meant to hold.
    pub values: Values,
}

/// How careful assignments are.
#[derive(Clone, Copy, Debug)]
pub struct Care {
    /// Values outside the variable's domain are never assigned.
    pub strict: bool,
}

/// An operation of an included machine that can be called.
#[derive(Clone, Debug)]
pub struct Callee {
    /// Its name, with the prefix of the machine.
    pub name: String,
    /// Parameters.
    pub parameters: Vec<Ty>,
    /// The type of its result, if it has one.
    pub result: Option<Ty>,
}

impl Callee {
    /// What can be called, by the name it has where it is.
    pub(super) fn of(signature: Signature) -> Callee {
        let parameters = signature.parameters.into_iter().map(|p| p.1).collect();
        Callee { name: signature.name, parameters, result: signature.result }
    }
}

impl Grow<'_> {
    /// A substitution that writes no other variables than these.
    pub fn body(&mut self, to: &[Variable], care: Care, depth: usize) -> Node {
        if to.is_empty() {
            return subst("skip", []);
        }
        if depth == 0 {
            let one = self.random.pick(to);
            return self.assign(&one, care);
        }
        let deeper = depth - 1;
        if self.rich && self.random.chance(25) {
            let node = self.rich_body(to, care, deeper);
            if let Some(node) = node {
                return node;
            }
        }
        match self.random.below(32) {
            30 => {
                let test = self.pred(1);
                let inner = self.body(to, care, deeper);
                subst("ASSERT @ THEN @ END", [test, inner])
            }
            31 if to.len() > 1 => self.both(to, care),
            0..8 => {
                let one = self.random.pick(to);
                self.assign(&one, care)
            }
            8..15 if to.len() > 1 => {
                let middle = 1 + self.random.below(to.len() - 1);
                let (a, b) = to.split_at(middle);
                let items = vec![self.body(a, care, deeper), self.body(b, care, deeper)];
                list(Sort::Subst, ("", " || ", ""), items, 1)
            }
            8..19 => {
                let test = self.pred(2);
                let (a, b) = (self.body(to, care, deeper), self.body(to, care, deeper));
                match self.random.chance(60) {
                    true => subst("IF @ THEN @ ELSE @ END", [test, a, b]),
                    false => subst("IF @ THEN @ END", [test, a]),
                }
            }
            19..22 => {
                let (a, b) = (self.body(to, care, deeper), self.body(to, care, deeper));
                subst("CHOICE @ OR @ END", [a, b])
            }
            22..25 => self.any(to, care, deeper),
            25 => self.case(to, care, deeper),
            26 => self.let_in(to, care, deeper),
            27 => {
                let items = vec![self.body(to, care, deeper), self.body(to, care, deeper)];
                let items = list(Sort::Subst, ("", " ; ", ""), items, 1);
                subst("BEGIN @ END", [items])
            }
            28 => {
                let (a, b) = (self.pred(1), self.pred(1));
                let (c, d) = (self.body(to, care, deeper), self.body(to, care, deeper));
                subst("SELECT @ THEN @ WHEN @ THEN @ END", [a, c, b, d])
            }
            _ => self.loop_or_var(to, care, deeper),
        }
    }

    /// Two variables at once.
    fn both(&mut self, to: &[Variable], care: Care) -> Node {
        let finite =
            |v: &&Variable| matches!(v.values, Values::Finite(Domain::Given(_) | Domain::Bool));
        let fit: Vec<&Variable> = to.iter().filter(finite).collect();
        let value = |grow: &mut Self, v: &Variable| match &v.values {
            Values::Finite(domain) => grow.some(&domain.ty(), 1),
            Values::Symbolic(..) => None,
        };
        if let [a, b, ..] = fit.as_slice()
            && let (Some(x), Some(y)) = (value(self, a), value(self, b))
        {
            return subst("@, @ := @, @", [name(a.name.clone()), name(b.name.clone()), x, y]);
        }
        self.assign(&to[0], care)
    }

    /// `ANY`
    pub fn any(&mut self, to: &[Variable], care: Care, depth: usize) -> Node {
        let ty = if self.random.chance(75) { self.plain_type() } else { self.any_type() };
        let local = self.fresh("y");
        let typed = self.typing(&local, &ty);
        let more = [(local.clone(), ty)];
        let (test, body) = self.within(&more, |g| (g.pred(1), g.body(to, care, depth)));
        let x = || name(local.clone());
        let tests = list(Sort::Pred, ("", " & ", ""), vec![typed, test], 1);
        subst("ANY @ WHERE @ THEN @ END", [x(), tests, body])
    }

    fn case(&mut self, to: &[Variable], care: Care, depth: usize) -> Node {
        let of = self.named(&Ty::Int).unwrap_or_else(|| atom("1"));
        let (a, b, c) =
            (self.body(to, care, depth), self.body(to, care, depth), self.body(to, care, depth));
        subst("CASE @ OF EITHER 0 THEN @ OR 1, 2 THEN @ ELSE @ END END", [of, a, b, c])
    }

    fn let_in(&mut self, to: &[Variable], care: Care, depth: usize) -> Node {
        let ty = self.any_type();
        let Some(value) = self.expr(&ty, 2) else { return subst("skip", []) };
        let local = self.fresh("z");
        let body = self.within(&[(local.clone(), ty)], |g| g.body(to, care, depth));
        subst("LET @ BE @ = @ IN @ END", [name(local.clone()), name(local), value, body])
    }

    fn loop_or_var(&mut self, to: &[Variable], care: Care, depth: usize) -> Node {
        let local = self.fresh("w");
        let body = self.within(&[(local.clone(), Ty::Int)], |g| g.body(to, care, depth));
        let w = || name(local.clone());
        match self.random.chance(50) {
            true => subst("VAR @ IN @ := 1 ; @ END", [w(), w(), body]),
            false => {
                let (variant, most) = match self.random.chance(90) {
                    true => (expr("2 - @", [w()]), "0..2"),
                    false => (expr("1 - @", [w()]), "0..1"),
                };
                let frame = "VAR @ IN @ := 0 ; WHILE @ < 2 DO @ ; @ := @ + 1 INVARIANT @ : @ VARIANT @ END END";
                subst(frame, [w(), w(), w(), body, w(), w(), w(), atom(most), variant])
            }
        }
    }

    /// One variable gets a value.
    pub fn assign(&mut self, to: &Variable, care: Care) -> Node {
        let v = || name(to.name.clone());
        let domain = match &to.values {
            Values::Symbolic(kind, few) => {
                let (kind, few) = (*kind, few.clone());
                let value = match (self.random.below(8), kind.base) {
                    _ if !kind.is_set => self.symbolic(kind, &few),
                    (0, _) => expr("(@ \\/ @)", [v(), self.symbolic(kind, &few)]),
                    (1, _) => expr("(@ - @)", [v(), self.symbolic(kind, &few)]),
                    (2, "INTEGER") => expr("(@ - {3})", [v()]),
                    _ => self.symbolic(kind, &few),
                };
                return subst("@ := @", [v(), value]);
            }
            Values::Finite(domain) => domain.clone(),
        };
        match self.random.below(20) {
            0 | 1 if domain.count(&self.sets) < 40.0 && !matches!(domain, Domain::Seq(..)) => {
                subst("@ :: @", [v(), domain.set(&self.sets)])
            }
            2 if domain.count(&self.sets) < 40.0 && !matches!(domain, Domain::Seq(..)) => {
                let set = domain.set(&self.sets);
                let test = self.pred(1);
                if self.random.chance(40) {
                    let before = self.random.pick(&["@ /= @$0", "@ = @$0"]);
                    let before = pred(before, [v(), v()]);
                    return subst("@ : (@ : @ & (@ or @))", [v(), v(), set, before, test]);
                }
                subst("@ : (@ : @ & @)", [v(), v(), set, test])
            }
            3..9 => self.update(to, &domain, care),
            _ => self.assign_value(to, &domain, care, None),
        }
    }

    /// A small change of what the variable holds.
    fn update(&mut self, to: &Variable, domain: &Domain, care: Care) -> Node {
        let v = || name(to.name.clone());
        let value = match domain {
            Domain::Range(..) => Some(atom(self.random.pick(&["1", "2"]))).map(|n| {
                let template = if self.random.chance(60) { "(@ + @)" } else { "(@ - @)" };
                expr(template, [v(), n])
            }),
            Domain::Pow(of) => self.expr(&of.ty(), 1).map(|e| {
                let template = if self.random.chance(60) { "(@ \\/ {@})" } else { "(@ - {@})" };
                expr(template, [v(), e])
            }),
            Domain::Fun(_, a, b) => {
                let (a, b) = (a.ty(), b.ty());
                match (self.expr(&a, 1), self.expr(&b, 1)) {
                    (Some(x), Some(y)) => {
                        let total = self.known.iter().any(|k| k.name == to.name && k.total);
                        Some(match self.random.below(6) {
                            0 => expr("({@} <<| @)", [x, v()]),
                            1 if total && !care.strict => {
                                return subst("@(@) := @", [v(), x, y]);
                            }
                            _ => expr("(@ <+ {@ |-> @})", [v(), x, y]),
                        })
                    }
                    _ => None,
                }
            }
            Domain::Seq(of, _) => self
                .expr(&of.ty(), 1)
                .map(|e| expr(self.random.pick(&["(@ <- @)", "(tail(@ <- @))"]), [v(), e])),
            _ => None,
        };
        self.assign_value(to, domain, care, value)
    }

    pub(super) fn assign_value(
        &mut self,
        to: &Variable,
        domain: &Domain,
        care: Care,
        value: Option<Node>,
    ) -> Node {
        let v = || name(to.name.clone());
        let Some(value) = value.or_else(|| self.some(&domain.ty(), 2)) else {
            return subst("skip", []);
        };
        // What nothing bounds is seldom left so.
        let bounded = match domain.ty().is_open() {
            true => care.strict || self.random.chance(95),
            false => care.strict && self.random.chance(97),
        };
        if !bounded {
            return subst("@ := @", [v(), value]);
        }
        match domain {
            Domain::Range(a, b) if self.random.chance(50) => {
                let low = format!("@ := min({{{b}, max({{{a}, @}})}})");
                subst(&low, [v(), value])
            }
            Domain::Given(_) | Domain::Bool => subst("@ := @", [v(), value]),
            Domain::Pow(of) if matches!(**of, Domain::Given(_) | Domain::Bool) => {
                subst("@ := @", [v(), value])
            }
            Domain::Pow(of) if self.random.chance(50) => {
                subst("@ := @ /\\ @", [v(), value, of.set(&self.sets)])
            }
            _ => {
                let template = match self.random.chance(70) {
                    true => "IF @ THEN @ END",
                    false => "SELECT @ THEN @ END",
                };
                let mut tests = vec![pred("@ : @", [value.clone(), domain.set(&self.sets)])];
                if let Domain::Seq(_, most) = domain {
                    tests.push(pred(&format!("card(@) <= {most}"), [value.clone()]));
                }
                let tests = list(Sort::Pred, ("", " & ", ""), tests, 1);
                subst(template, [tests, subst("@ := @", [v(), value])])
            }
        }
    }

    /// A call of an operation of another machine.
    pub fn call(&mut self, callee: &Callee, results: &[Variable]) -> Option<Node> {
        let arguments: Option<Vec<Node>> =
            callee.parameters.iter().map(|ty| self.expr(ty, 1)).collect();
        let arguments = list(Sort::Part, ("(", ", ", ")"), arguments?, callee.parameters.len());
        let called = [name(callee.name.clone()), arguments];
        Some(match &callee.result {
            None => subst("@@", called),
            Some(ty) => {
                let fits = |v: &&Variable| matches!(&v.values, Values::Finite(d) if d.ty() == *ty);
                let into = results.iter().find(fits)?;
                let [called, arguments] = called;
                subst("@ <-- @@", [name(into.name.clone()), called, arguments])
            }
        })
    }
}
