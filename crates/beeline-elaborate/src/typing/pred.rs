//! Predicates.

use super::expr::truth;
use super::{Bound, Elaborator, LocalKind, Meaning};
use crate::infer::{Question, Ty};
use beeline_model::{CompareOp, Conjunct, Expr, Pred, PredKind};
use beeline_source::{Code, Diagnostic, Span};
use beeline_syntax::ast::{self, Builtin, Constant, Name, Quantifier};

impl<'a> Elaborator<'a> {
    /// Elaborates a formula that must be a predicate.
    pub fn pred(&mut self, e: &'a ast::Expr) -> Pred {
        self.guarded(e.span, |me| me.pred_inner(e), |_| truth(e.span))
    }

    fn boxed_pred(&mut self, e: &'a ast::Expr) -> Box<Pred> {
        Box::new(self.pred(e))
    }

    fn pred_inner(&mut self, e: &'a ast::Expr) -> Pred {
        use ast::BinaryOp as B;
        use ast::ExprKind as K;
        let span = e.span;
        let kind = match &e.kind {
            K::Paren(inner) | K::Labelled(_, inner) | K::Described(inner, _) => {
                return self.pred(inner);
            }
            K::And(parts) => PredKind::And(parts.iter().map(|p| self.pred(p)).collect()),
            K::Or(parts) => PredKind::Or(parts.iter().map(|p| self.pred(p)).collect()),
            K::Constant(Constant::Truth) => PredKind::Bool(true),
            K::Constant(Constant::Falsity) => PredKind::Bool(false),
            K::Binary(B::Implies, a, b) => {
                PredKind::Implies(self.boxed_pred(a), self.boxed_pred(b))
            }
            K::Binary(B::Equivalent, a, b) => {
                PredKind::Equivalent(self.boxed_pred(a), self.boxed_pred(b))
            }
            K::Binary(op, a, b) => match compare_op(*op) {
                Some(compare) => self.compare(*op, compare, a, b),
                None => return self.not_a_predicate(e),
            },
            K::Builtin(Builtin::Not, args) if args.len() == 1 => {
                let inner = self.boxed_pred(&args[0]);
                if self.is_remark(&inner) {
                    return *inner;
                }
                PredKind::Not(inner)
            }
            K::Builtin(Builtin::Finite, args) if args.len() == 1 => {
                let set = self.expr(&args[0]);
                let of = self.infer.fresh();
                let power = self.infer.power(of);
                self.want(&set, power, "the operand of @finite");
                PredKind::Finite(Box::new(set))
            }
            K::Builtin(Builtin::Partition, args) if !args.is_empty() => self.partition(args),
            K::Builtin(builtin, args) => match self.declared_word(*builtin, span) {
                Some(word) => return self.call_named_pred(&word.name, args, e),
                None => return self.not_a_predicate(e),
            },
            K::Quantified(q) if q.expression.is_none() => self.quantifier(q, span),
            K::If(branches, otherwise) => {
                let mut result = self.pred(otherwise);
                for (condition, value) in branches.iter().rev() {
                    let condition = self.boxed_pred(condition);
                    let value = self.boxed_pred(value);
                    result = Pred { kind: PredKind::If(condition, value, Box::new(result)), span };
                }
                return result;
            }
            K::Let(names, equations, body) => {
                let (bindings, body) = self.let_in(names, equations, |me| me.boxed_pred(body));
                PredKind::Let(bindings, body)
            }
            K::Substituted(assignments, p) => self.substituted(assignments, p),
            K::Ident(name) => return self.name_pred(name, e),
            K::Call(callee, args) => return self.call_pred(callee, args, e),
            K::Error => PredKind::Bool(true),
            _ => return self.not_a_predicate(e),
        };
        Pred { kind, span }
    }

    /// Is this a predicate, as far as its outermost form and definitions tell?
    pub fn is_predicate(&self, e: &ast::Expr) -> bool {
        use ast::ExprKind as K;
        match &e.peeled().kind {
            K::And(_) | K::Or(_) | K::Substituted(..) => true,
            K::Constant(c) => matches!(c, Constant::Truth | Constant::Falsity),
            K::Binary(op, ..) => op.makes_predicate(),
            K::Builtin(b, _) => b.makes_predicate(),
            K::Quantified(q) => q.expression.is_none(),
            K::If(_, otherwise) => self.is_predicate(otherwise),
            K::Let(_, _, body) => self.is_predicate(body),
            K::Ident(name) => self.is_predicate_definition(name),
            K::Call(callee, _) => match &callee.kind {
                K::Ident(name) => self.is_predicate_definition(name),
                _ => false,
            },
            _ => false,
        }
    }

    fn is_predicate_definition(&self, name: &str) -> bool {
        let Some(entry) = self.definitions.get(name) else { return false };
        match self.external_signature(name) {
            Some((kind, _)) => kind == beeline_model::ExternalKind::Predicate,
            // Definitions have no circles, so this ends.
            None => crate::definitions::formula_body(entry.definition)
                .is_some_and(|body| self.is_predicate(body)),
        }
    }

    pub(super) fn not_a_predicate(&mut self, e: &'a ast::Expr) -> Pred {
        let errors = self.out.error_count();
        let value = self.expr(e);
        if self.out.error_count() > errors || self.calls_unknown(e) {
            // Something else is wrong with it, and was said.
            return truth(e.span);
        }
        let mut diagnostic = Diagnostic::new(
            Code::EXPECTED_PREDICATE,
            e.span,
            "this is a value, but a predicate is needed here",
        );
        if self.infer.find(Ty(value.ty.0)) == crate::infer::BOOL {
            diagnostic = diagnostic.help("a BOOL is a value: write `… = TRUE`");
        }
        self.problem(diagnostic);
        truth(e.span)
    }

    /// A call of a name that nobody knows: perhaps a predicate.
    fn calls_unknown(&mut self, e: &'a ast::Expr) -> bool {
        match &e.kind {
            ast::ExprKind::Call(callee, _) => match &callee.kind {
                ast::ExprKind::Ident(name) => matches!(self.meaning(name), Meaning::Unknown),
                _ => false,
            },
            _ => false,
        }
    }

    fn name_pred(&mut self, name: &'a Name, e: &'a ast::Expr) -> Pred {
        match self.meaning(name) {
            Meaning::Bound(Bound::Argument { expr, env, frame }) => {
                self.in_argument(env, frame, expr, |me, e| me.pred(e))
            }
            Meaning::Definition(entry) => self.definition_pred(entry, &[], e),
            Meaning::Unknown if !self.scope.operations.contains_key(name) => {
                self.unknown(name, e.span);
                truth(e.span)
            }
            _ => self.not_a_predicate(e),
        }
    }

    fn compare(
        &mut self,
        op: ast::BinaryOp,
        compare: CompareOp,
        a: &'a ast::Expr,
        b: &'a ast::Expr,
    ) -> PredKind {
        use ast::BinaryOp as B;
        let (a, b) = (self.expr(a), self.expr(b));
        match op {
            B::Member | B::NotMember => {
                let power = self.infer.power(Ty(a.ty.0));
                if !self.fits(Ty(b.ty.0), power, a.span.to(b.span)) {
                    self.not_a_member(&a, &b);
                }
            }
            B::Less | B::LessEqual | B::Greater | B::GreaterEqual => {
                self.same(&a, &b, spelling(op));
                self.ask(Question::Numeric(Ty(a.ty.0)), a.span);
            }
            B::Equal | B::NotEqual => self.same(&a, &b, spelling(op)),
            _ => {
                self.same(&a, &b, spelling(op));
                let of = self.infer.fresh();
                let power = self.infer.power(of);
                self.want(&a, power, &format!("the left side of `{}`", spelling(op)));
            }
        }
        PredKind::Compare(compare, Box::new(a), Box::new(b))
    }

    fn not_a_member(&mut self, a: &Expr, b: &Expr) {
        let (element, set) = (self.show(Ty(a.ty.0)), self.show(Ty(b.ty.0)));
        let mut diagnostic = Diagnostic::new(
            Code::TYPE_MISMATCH,
            b.span,
            format!("this has type {set}, so it cannot contain a value of type {element}"),
        )
        .also(a.span, format!("this has type {element}"));
        if element == set {
            diagnostic = diagnostic.help("both are sets of the same type: `<:` tests for a subset");
        }
        self.problem(diagnostic);
    }

    fn partition(&mut self, args: &'a [ast::Expr]) -> PredKind {
        let typed: Vec<Expr> = args.iter().map(|a| self.expr(a)).collect();
        let of = self.infer.fresh();
        let power = self.infer.power(of);
        for set in &typed {
            self.want(set, power, "an operand of @partition");
        }
        let mut typed = typed.into_iter();
        match typed.next() {
            Some(whole) => PredKind::Partition(Box::new(whole), typed.collect()),
            None => PredKind::Bool(true),
        }
    }

    fn quantifier(&mut self, q: &'a ast::Quantified, span: Span) -> PredKind {
        let (locals, body) =
            self.binding(&q.names, LocalKind::ReadOnly, |me| me.boxed_pred(&q.predicate));
        if q.quantifier != Quantifier::Forall {
            return PredKind::Exists(locals, body);
        }
        if !is_implication(&body) && !matches!(q.predicate.peeled().kind, ast::ExprKind::Error) {
            self.problem(
                Diagnostic::new(
                    Code::FORALL_NOT_IMPLICATION,
                    span,
                    "the body of `!` must be an implication `P => Q`",
                )
                .help("say first what the variables range over: !x.(x : S => …)"),
            );
        }
        PredKind::Forall(locals, body)
    }

    /// `[x, y := e, f] P`: P with the names bound to the values.
    fn substituted(
        &mut self,
        assignments: &'a [(ast::Ident, ast::Expr)],
        p: &'a ast::Expr,
    ) -> PredKind {
        let mut bindings = Vec::with_capacity(assignments.len());
        for (name, value) in assignments {
            let current = self.name(&name.name, name.span);
            let value = self.expr(value);
            self.same(&current, &value, ":=");
            let ty = Ty(value.ty.0);
            let local = self.local_of(name.name.clone(), name.span, ty, LocalKind::ReadOnly);
            bindings.push((local, value));
        }
        let mark = self.env.len();
        for (local, _) in &bindings {
            self.bind(*local);
        }
        let body = self.boxed_pred(p);
        self.env.truncate(mark);
        PredKind::Let(bindings, body)
    }

    /// A clause's predicate as separate conjuncts, each with its label.
    pub fn conjuncts(&mut self, e: &'a ast::Expr) -> Vec<Conjunct> {
        let mut pieces = Vec::new();
        labelled(e, None, &mut pieces);
        let mut conjuncts = Vec::new();
        for (label, piece) in pieces {
            let pred = self.pred(piece);
            for pred in pred.into_conjuncts() {
                let span = if within(pred.span, piece.span) { pred.span } else { piece.span };
                conjuncts.push(Conjunct { pred, label: label.cloned(), span });
            }
        }
        conjuncts
    }
}

fn within(inner: Span, outer: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

fn labelled<'a>(
    e: &'a ast::Expr,
    label: Option<&'a Name>,
    out: &mut Vec<(Option<&'a Name>, &'a ast::Expr)>,
) {
    match &e.kind {
        ast::ExprKind::Labelled(label, inner) => labelled(inner, Some(label), out),
        ast::ExprKind::Described(inner, _) | ast::ExprKind::Paren(inner) => {
            labelled(inner, label, out);
        }
        ast::ExprKind::And(parts) => parts.iter().for_each(|p| labelled(p, label, out)),
        _ => out.push((label, e)),
    }
}

fn is_implication(p: &Pred) -> bool {
    match &p.kind {
        PredKind::Implies(..) => true,
        PredKind::Forall(_, body) | PredKind::Let(_, body) => is_implication(body),
        _ => false,
    }
}

fn compare_op(op: ast::BinaryOp) -> Option<CompareOp> {
    use ast::BinaryOp as B;
    Some(match op {
        B::Equal => CompareOp::Equal,
        B::NotEqual => CompareOp::NotEqual,
        B::Member => CompareOp::Member,
        B::NotMember => CompareOp::NotMember,
        B::Subset => CompareOp::Subset,
        B::StrictSubset => CompareOp::StrictSubset,
        B::NotSubset => CompareOp::NotSubset,
        B::NotStrictSubset => CompareOp::NotStrictSubset,
        B::Less => CompareOp::Less,
        B::LessEqual => CompareOp::LessEqual,
        B::Greater => CompareOp::Greater,
        B::GreaterEqual => CompareOp::GreaterEqual,
        _ => return None,
    })
}

fn spelling(op: ast::BinaryOp) -> &'static str {
    op.spelling()
}
