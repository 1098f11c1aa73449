//! Formulas of a package: terms whose functors are the names of syntax tree nodes.
//!
//! Every node carries a position as its first argument, which may hold a label.

use super::Reading;
use crate::project::ident;
use crate::prolog::{Term, TermKind};
use beeline_source::Span;
use beeline_syntax::ast::{
    BinaryOp, Builtin, Comprehension, Constant, Expr, ExprKind, Ident, Name, Quantified,
    Quantifier, Subst, SubstKind,
};

/// How deep a formula may nest, as in the parser of text.
const MAX_DEPTH: u32 = 1_000;

impl Reading {
    /// A predicate or expression.
    pub(super) fn formula(&mut self, term: &Term) -> Expr {
        if self.depth >= MAX_DEPTH {
            self.complain(term, format!("a formula is nested more than {MAX_DEPTH} deep"));
            return Expr::new(ExprKind::Error, term.span);
        }
        self.depth += 1;
        let kind = stacker::maybe_grow(64 << 10, 1 << 20, || self.node(term));
        self.depth -= 1;
        Expr::new(kind, term.span)
    }

    fn boxed(&mut self, term: &Term) -> Box<Expr> {
        Box::new(self.formula(term))
    }

    fn formulas(&mut self, terms: &[Term]) -> Vec<Expr> {
        terms.iter().map(|t| self.formula(t)).collect()
    }

    fn node(&mut self, term: &Term) -> ExprKind {
        let parts = term.parts().map(|(functor, args)| (functor, args.get(1..).unwrap_or(&[])));
        let Some((functor, args)) = parts else {
            self.complain(term, "a formula was expected here".to_owned());
            return ExprKind::Error;
        };
        match args {
            [] => {
                if let Some(constant) = constant(functor) {
                    return ExprKind::Constant(constant);
                }
            }
            [a] => {
                if let Some(builtin) = unary(functor) {
                    return ExprKind::Builtin(builtin, vec![self.formula(a)]);
                }
            }
            [a, b] => {
                if let Some(op) = binary(functor) {
                    return ExprKind::Binary(op, self.boxed(a), self.boxed(b));
                }
            }
            _ => {}
        }
        self.special(functor, args, term)
    }

    fn special(&mut self, functor: &str, args: &[Term], term: &Term) -> ExprKind {
        match (functor, args) {
            ("identifier", [name]) => match name.atom() {
                Some(name) if self.types.contains(name) => whole_type(term.span),
                Some(name) => ExprKind::Ident(name.clone()),
                None => self.unknown(functor, term),
            },
            ("integer", [value]) => match &value.kind {
                TermKind::Integer(digits) => match digits.strip_prefix('-') {
                    Some(rest) => {
                        let inner = Expr::new(ExprKind::Integer(rest.into()), value.span);
                        ExprKind::Negate(Box::new(inner))
                    }
                    None => ExprKind::Integer(digits.clone()),
                },
                _ => self.unknown(functor, term),
            },
            ("unary_minus", [a]) => ExprKind::Negate(self.boxed(a)),
            ("reverse", [a]) => ExprKind::Inverse(self.boxed(a)),
            ("conjunct", [a, b]) => ExprKind::And(vec![self.formula(a), self.formula(b)]),
            ("disjunct", [a, b]) => ExprKind::Or(vec![self.formula(a), self.formula(b)]),
            ("conjunct" | "disjunct", [list]) if list.list().is_some() => {
                let parts = self.formulas(list.list().unwrap_or(&[]));
                if functor == "conjunct" { ExprKind::And(parts) } else { ExprKind::Or(parts) }
            }
            ("couple", [list]) => self.couple(list, term),
            ("couple", [a, b]) => ExprKind::Binary(BinaryOp::Maplet, self.boxed(a), self.boxed(b)),
            ("image", [r, s]) => ExprKind::Image(self.boxed(r), self.boxed(s)),
            ("function", [f, args]) => {
                let f = self.boxed(f);
                let args = args.list().unwrap_or(std::slice::from_ref(args));
                ExprKind::Call(f, self.formulas(args))
            }
            ("set_extension", [list]) => match list.list() {
                Some([]) => ExprKind::Constant(Constant::EmptySet),
                Some(items) => ExprKind::SetExtension(self.formulas(items)),
                None => self.unknown(functor, term),
            },
            ("partition", [whole, parts]) => {
                let mut all = vec![self.formula(whole)];
                all.extend(self.formulas(parts.list().unwrap_or(std::slice::from_ref(parts))));
                ExprKind::Builtin(Builtin::Partition, all)
            }
            ("forall", [names, body]) => {
                let body = self.formula(body);
                self.quantified(Quantifier::Forall, names, forall_body(body), None)
            }
            ("forall", [names, left, right]) => {
                let (left, right) = (self.boxed(left), self.boxed(right));
                let body = ExprKind::Binary(BinaryOp::Implies, left, right);
                let body = Expr::new(body, term.span);
                self.quantified(Quantifier::Forall, names, body, None)
            }
            ("exists", [names, body]) => {
                let body = self.formula(body);
                self.quantified(Quantifier::Exists, names, body, None)
            }
            ("quantified_union", [names, pred, expr]) => {
                let (pred, expr) = (self.formula(pred), self.formula(expr));
                self.quantified(Quantifier::Union, names, pred, Some(expr))
            }
            ("quantified_intersection", [names, pred, expr]) => {
                let (pred, expr) = (self.formula(pred), self.formula(expr));
                self.quantified(Quantifier::Inter, names, pred, Some(expr))
            }
            ("event_b_comprehension_set", [names, expr, pred]) => {
                let (expr, pred) = (self.formula(expr), self.formula(pred));
                comprehension(self.names(names), expr, pred)
            }
            ("comprehension_set", [names, pred]) => {
                let pred = self.formula(pred);
                let names = self.names(names);
                let c = Comprehension { symbolic: false, names, predicate: pred, expression: None };
                ExprKind::Comprehension(Box::new(c))
            }
            ("lambda", [names, pred, expr]) => {
                let (pred, expr) = (self.formula(pred), self.formula(expr));
                self.quantified(Quantifier::Lambda, names, pred, Some(expr))
            }
            ("typeof", [value, ty]) => ExprKind::OfType(self.boxed(value), self.boxed(ty)),
            ("event_b_first_projection" | "event_b_second_projection", [relation]) => {
                let projection = match functor {
                    "event_b_first_projection" => Constant::Projection1,
                    _ => Constant::Projection2,
                };
                let projection = Expr::new(ExprKind::Constant(projection), term.span);
                let relation = self.boxed(relation);
                ExprKind::Binary(BinaryOp::DomainRestrict, relation, Box::new(projection))
            }
            ("extended_expr" | "extended_pred", [name, exprs, preds]) => {
                let (Some(name), Some(exprs)) = (name.atom(), exprs.list()) else {
                    return self.unknown(functor, term);
                };
                if let ("COND", [a, b], Some([condition])) = (name.as_str(), exprs, preds.list()) {
                    let branch = (self.formula(condition), self.formula(a));
                    return ExprKind::If(vec![branch], self.boxed(b));
                }
                if preds.list().is_some_and(|p| !p.is_empty()) {
                    let what = format!("operator {name} with predicates as arguments");
                    return self.unknown(&what, term);
                }
                let name = Expr::new(ExprKind::Ident(operator_name(name)), term.span);
                match exprs {
                    [] => name.kind,
                    _ => ExprKind::Call(Box::new(name), self.formulas(exprs)),
                }
            }
            _ => self.unknown(functor, term),
        }
    }

    fn unknown(&mut self, functor: &str, term: &Term) -> ExprKind {
        self.complain(term, format!("`{functor}` is not a formula that is known here"));
        ExprKind::Error
    }

    fn couple(&mut self, list: &Term, term: &Term) -> ExprKind {
        let mut parts = self.formulas(list.list().unwrap_or(&[])).into_iter();
        let (Some(first), Some(second)) = (parts.next(), parts.next()) else {
            return self.unknown("couple", term);
        };
        let mut pair = ExprKind::Binary(BinaryOp::Maplet, Box::new(first), Box::new(second));
        for part in parts {
            let left = Box::new(Expr::new(pair, term.span));
            pair = ExprKind::Binary(BinaryOp::Maplet, left, Box::new(part));
        }
        pair
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        names: &Term,
        predicate: Expr,
        expression: Option<Expr>,
    ) -> ExprKind {
        let names = self.names(names);
        let symbolic = false;
        let q = Quantified { quantifier, symbolic, names, predicate, expression };
        ExprKind::Quantified(Box::new(q))
    }

    /// A list of `identifier(Pos, Name)`.
    pub(super) fn names(&mut self, list: &Term) -> Vec<Ident> {
        let items = list.list().unwrap_or(std::slice::from_ref(list));
        items.iter().filter_map(|item| self.name(item)).collect()
    }

    /// `identifier(Pos, Name)` or the bare name.
    pub(super) fn name(&mut self, term: &Term) -> Option<Ident> {
        let name = match term.parts() {
            Some((name, [])) => Some(Name::from(name)),
            Some((_, [_, name, ..])) => name.atom().cloned(),
            _ => None,
        };
        if name.is_none() {
            self.complain(term, "a name was expected here".to_owned());
        }
        Some(ident(name?, term.span))
    }

    /// An action of an event.
    pub(super) fn action(&mut self, term: &Term) -> Subst {
        let kind = match term.parts() {
            Some(("assign", [_, targets, values])) => {
                let targets = self.formulas(targets.list().unwrap_or(&[]));
                SubstKind::Assign(targets, self.formulas(values.list().unwrap_or(&[])))
            }
            Some(("becomes_element_of", [_, targets, set])) => {
                let targets = self.formulas(targets.list().unwrap_or(&[]));
                SubstKind::BecomesElement(targets, self.formula(set))
            }
            Some(("becomes_such", [_, targets, predicate])) => {
                let targets = self.formulas(targets.list().unwrap_or(&[]));
                SubstKind::BecomesSuch(targets, self.formula(predicate))
            }
            Some(("skip", _)) => SubstKind::Skip,
            _ => {
                self.complain(term, "an action was expected here".to_owned());
                SubstKind::Error
            }
        };
        Subst::new(kind, term.span)
    }
}

/// The name under which an operator of a theory is defined: no identifier can be the same.
pub fn operator_name(name: &str) -> Name {
    Name::from(format!("operator {name}"))
}

/// A type parameter as a set: all values of a type that is found where this is used.
fn whole_type(span: Span) -> ExprKind {
    ExprKind::Comprehension(Box::new(Comprehension {
        symbolic: false,
        names: vec![ident("x", Span::NONE)],
        predicate: Expr::new(ExprKind::Constant(Constant::Truth), span),
        expression: None,
    }))
}

/// Event-B asks for no implication below `∀`; the typed model does.
pub(crate) fn forall_body(body: Expr) -> Expr {
    match &body.kind {
        ExprKind::Binary(BinaryOp::Implies, ..) => body,
        ExprKind::Quantified(q) if q.quantifier == Quantifier::Forall => body,
        _ => {
            let span = body.span;
            let truth = Expr::new(ExprKind::Constant(Constant::Truth), span);
            let kind = ExprKind::Binary(BinaryOp::Implies, Box::new(truth), Box::new(body));
            Expr::new(kind, span)
        }
    }
}

/// `{names · pred ∣ expr}` in the plainest form that says the same.
pub(crate) fn comprehension(names: Vec<Ident>, expr: Expr, pred: Expr) -> ExprKind {
    if is_tuple(&expr, &names) {
        let c = Comprehension { symbolic: false, names, predicate: pred, expression: None };
        return ExprKind::Comprehension(Box::new(c));
    }
    match expr.kind {
        ExprKind::Binary(BinaryOp::Maplet, from, to) if is_tuple(&from, &names) => {
            ExprKind::Quantified(Box::new(Quantified {
                quantifier: Quantifier::Lambda,
                symbolic: false,
                names,
                predicate: pred,
                expression: Some(*to),
            }))
        }
        kind => {
            let expression = Some(Expr::new(kind, expr.span));
            let c = Comprehension { symbolic: false, names, predicate: pred, expression };
            ExprKind::Comprehension(Box::new(c))
        }
    }
}

/// Is this the left-nested tuple of exactly these names?
fn is_tuple(expr: &Expr, names: &[Ident]) -> bool {
    match (&expr.peeled().kind, names) {
        (ExprKind::Ident(name), [only]) => *name == only.name,
        (ExprKind::Binary(BinaryOp::Maplet, left, right), [first @ .., last]) => {
            !first.is_empty()
                && matches!(&right.peeled().kind, ExprKind::Ident(n) if *n == last.name)
                && is_tuple(left, first)
        }
        _ => false,
    }
}

fn constant(functor: &str) -> Option<Constant> {
    Some(match functor {
        "truth" => Constant::Truth,
        "falsity" => Constant::Falsity,
        "boolean_true" => Constant::True,
        "boolean_false" => Constant::False,
        "integer_set" => Constant::Integer,
        "natural_set" => Constant::Natural,
        "natural1_set" => Constant::Natural1,
        "bool_set" => Constant::Bool,
        "empty_set" => Constant::EmptySet,
        "successor" => Constant::Succ,
        "predecessor" => Constant::Pred,
        "event_b_identity" => Constant::Identity,
        "event_b_first_projection_v2" => Constant::Projection1,
        "event_b_second_projection_v2" => Constant::Projection2,
        _ => return None,
    })
}

fn unary(functor: &str) -> Option<Builtin> {
    Some(match functor {
        "negation" => Builtin::Not,
        "convert_bool" => Builtin::BoolOf,
        "finite" => Builtin::Finite,
        "pow_subset" => Builtin::Pow,
        "pow1_subset" => Builtin::Pow1,
        "card" => Builtin::Card,
        "min" => Builtin::Min,
        "max" => Builtin::Max,
        "general_union" => Builtin::GeneralUnion,
        "general_intersection" => Builtin::GeneralInter,
        "domain" => Builtin::Dom,
        "range" => Builtin::Ran,
        "identity" => Builtin::Identity,
        _ => return None,
    })
}

fn binary(functor: &str) -> Option<BinaryOp> {
    use BinaryOp as B;
    Some(match functor {
        "implication" => B::Implies,
        "equivalence" => B::Equivalent,
        "equal" => B::Equal,
        "not_equal" => B::NotEqual,
        "member" => B::Member,
        "not_member" => B::NotMember,
        "subset" => B::Subset,
        "subset_strict" => B::StrictSubset,
        "not_subset" => B::NotSubset,
        "not_subset_strict" => B::NotStrictSubset,
        "less" => B::Less,
        "less_equal" => B::LessEqual,
        "greater" => B::Greater,
        "greater_equal" => B::GreaterEqual,
        "composition" => B::Composition,
        "ring" => B::BackwardComposition,
        "parallel_product" => B::ParallelProduct,
        "direct_product" => B::DirectProduct,
        "relations" => B::Relation,
        "partial_function" => B::PartialFunction,
        "total_function" => B::TotalFunction,
        "partial_injection" => B::PartialInjection,
        "total_injection" => B::TotalInjection,
        "partial_surjection" => B::PartialSurjection,
        "total_surjection" => B::TotalSurjection,
        "partial_bijection" => B::PartialBijection,
        "total_bijection" => B::TotalBijection,
        "total_relation" => B::TotalRelation,
        "surjection_relation" => B::SurjectiveRelation,
        "total_surjection_relation" => B::TotalSurjectiveRelation,
        "overwrite" => B::Override,
        "domain_restriction" => B::DomainRestrict,
        "domain_subtraction" => B::DomainSubtract,
        "range_restriction" => B::RangeRestrict,
        "range_subtraction" => B::RangeSubtract,
        "union" => B::Union,
        "intersection" => B::Intersection,
        "set_subtraction" => B::SetMinus,
        "cartesian_product" => B::Cartesian,
        "interval" => B::Interval,
        "add" => B::Plus,
        "minus" => B::Minus,
        "multiplication" => B::Times,
        "div" => B::Divide,
        "modulo" => B::Modulo,
        "power_of" => B::Power,
        _ => return None,
    })
}
