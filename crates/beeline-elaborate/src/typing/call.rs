//! Calls in formulas: definitions, external functions, constructors, operations, functions.

use super::expr::truth;
use super::{Bound, Elaborator, Entity, Meaning};
use crate::definitions::Entry;
use crate::infer::{Node, Ty};
use beeline_model::{
    Expr, ExprKind, ExternalKind, LibraryFunction, OperationId, Pred, PredKind, Remark,
};
use beeline_source::{Code, Diagnostic, Span};
use beeline_syntax::ast::{self, DefinitionBody, Name};

pub(super) use super::count;

impl<'a> Elaborator<'a> {
    /// `callee(args)` as an expression.
    pub(super) fn call(
        &mut self,
        callee: &'a ast::Expr,
        args: &'a [ast::Expr],
        span: Span,
    ) -> Expr {
        match &callee.kind {
            ast::ExprKind::Ident(name) => self.call_named(name, callee.span, args, span),
            _ => {
                let f = self.expr(callee);
                self.apply(f, args, span)
            }
        }
    }

    /// `name(args)` as an expression.
    fn call_named(
        &mut self,
        name: &Name,
        name_span: Span,
        args: &'a [ast::Expr],
        span: Span,
    ) -> Expr {
        match self.meaning(name) {
            Meaning::Definition(entry) if !entry.definition.parameters.is_empty() => {
                self.definition_expr(entry, args, span)
            }
            Meaning::Definition(entry)
                if self.external_signature(&entry.definition.name.name).is_some()
                    && !args.is_empty() =>
            {
                self.definition_expr(entry, args, span)
            }
            Meaning::Bound(Bound::Argument { expr, env, frame }) => {
                // A parameter may stand for a definition that wants the arguments.
                if let ast::ExprKind::Ident(inner) = &expr.kind
                    && let Meaning::Definition(entry) =
                        self.in_argument(env, frame, expr, |me, _| me.meaning(inner))
                    && !entry.definition.parameters.is_empty()
                {
                    return self.definition_expr(entry, args, span);
                }
                self.apply_named(name, name_span, args, span)
            }
            Meaning::Entity(Entity::FreeType(free)) => self.free_type_of(free, args, span),
            Meaning::Unknown => {
                if let Some(operation) = self.called(name, name_span) {
                    return self.operation_in_expr(operation, args, span);
                }
                self.apply_named(name, name_span, args, span)
            }
            _ => self.apply_named(name, name_span, args, span),
        }
    }

    fn apply_named(
        &mut self,
        name: &Name,
        name_span: Span,
        args: &'a [ast::Expr],
        span: Span,
    ) -> Expr {
        let f = self.name(name, name_span);
        self.apply(f, args, span)
    }

    /// The name that a soft word (`left`, `floor` …) before a parenthesis is, if one is declared.
    pub(super) fn declared_word(
        &mut self,
        builtin: ast::Builtin,
        span: Span,
    ) -> Option<ast::Ident> {
        if !builtin.is_soft_word() {
            return None;
        }
        let name = Name::new_static(builtin.keyword());
        if let Meaning::Unknown = self.meaning(&name) {
            return None;
        }
        let span = Span::new(span.start, span.start + name.len() as u32);
        Some(ast::Ident { name, span })
    }

    /// A soft word that is declared, called as an expression.
    pub(super) fn call_word(
        &mut self,
        word: &ast::Ident,
        args: &'a [ast::Expr],
        span: Span,
    ) -> Expr {
        self.call_named(&word.name, word.span, args, span)
    }

    /// Function application; several arguments are a tuple.
    fn apply(&mut self, f: Expr, args: &'a [ast::Expr], span: Span) -> Expr {
        if args.is_empty() {
            let message = "a function needs an argument between the parentheses";
            self.problem(Diagnostic::new(Code::ARITY, span, message));
            return self.broken(span);
        }
        let from = args[0].span;
        let to = args[args.len() - 1].span;
        let argument = self.tuple(args, from.to(to));
        let (x, y) = (self.infer.fresh(), self.infer.fresh());
        let relation = self.infer.relation(x, y);
        if !self.fits(Ty(f.ty.0), relation, f.span) {
            let message =
                format!("this has type {}, not that of a function", self.show(Ty(f.ty.0)));
            self.problem(Diagnostic::new(Code::TYPE_MISMATCH, f.span, message));
            return self.broken(span);
        }
        self.want(&argument, x, "the argument");
        self.make(ExprKind::Apply(Box::new(f), Box::new(argument)), y, span)
    }

    /// `T(S)`: a free type over given sets.
    fn free_type_of(
        &mut self,
        free: beeline_model::FreeTypeId,
        args: &'a [ast::Expr],
        span: Span,
    ) -> Expr {
        let wanted = self.free_parameters[free.index()].len();
        if wanted != args.len() {
            let message = format!("this free type takes {}", count(wanted, "argument"));
            self.problem(Diagnostic::new(Code::ARITY, span, message));
            return self.broken(span);
        }
        let mut sets = Vec::with_capacity(args.len());
        let mut types = Vec::with_capacity(args.len());
        for arg in args {
            let set = self.expr(arg);
            let of = self.infer.fresh();
            let power = self.infer.power(of);
            self.want(&set, power, "the argument of a free type");
            sets.push(set);
            types.push(of);
        }
        let ty = self.infer.add(Node::Free(free, types.into()));
        let ty = self.infer.power(ty);
        self.make(ExprKind::FreeTypeSet(free, sets), ty, span)
    }

    /// The operation that a call names.
    pub(super) fn called(&mut self, name: &Name, span: Span) -> Option<OperationId> {
        let operation = *self.scope.operations.get(name)?;
        let own = self.scope.own_operations.contains(&operation);
        if !own && self.scope.ambiguous.contains(name) {
            let message = format!("two machines have an operation `{name}`");
            self.problem(
                Diagnostic::new(Code::CLASH, span, message)
                    .help("include one of the machines with a prefix: INCLUDES a.N"),
            );
        }
        Some(operation)
    }

    /// A query operation called as if it were a function.
    pub(super) fn operation_in_expr(
        &mut self,
        operation: OperationId,
        args: &'a [ast::Expr],
        span: Span,
    ) -> Expr {
        let signature = self.signatures[operation.index()].clone();
        if signature.results.len() != 1 {
            let message = format!(
                "operation `{}` gives {}, so it is not a value",
                signature.name,
                count(signature.results.len(), "result")
            );
            self.problem(
                Diagnostic::new(Code::EXPECTED_EXPRESSION, span, message)
                    .also(signature.span, "declared here"),
            );
            return self.broken(span);
        }
        let arguments = self.operation_arguments(operation, args, span);
        self.calls.push((operation, span));
        let ty = self.local_ty(signature.results[0]);
        self.make(ExprKind::OperationCall(operation, arguments), ty, span)
    }

    /// The arguments of an operation call, checked against its parameters.
    pub(super) fn operation_arguments(
        &mut self,
        operation: OperationId,
        args: &'a [ast::Expr],
        span: Span,
    ) -> Vec<Expr> {
        let signature = self.signatures[operation.index()].clone();
        if signature.parameters.len() != args.len() {
            let message = format!(
                "operation `{}` takes {}, not {}",
                signature.name,
                count(signature.parameters.len(), "argument"),
                args.len()
            );
            self.problem(
                Diagnostic::new(Code::ARITY, span, message).also(signature.span, "declared here"),
            );
        }
        let mut arguments = Vec::with_capacity(args.len());
        for (arg, parameter) in args.iter().zip(&signature.parameters) {
            let value = self.expr(arg);
            let ty = self.local_ty(*parameter);
            let name = self.model.local(*parameter).name.clone();
            self.want(&value, ty, &format!("the argument for `{name}`"));
            arguments.push(value);
        }
        arguments
    }

    /// Expands a definition as an expression.
    pub(super) fn definition_expr(
        &mut self,
        entry: Entry<'a>,
        args: &'a [ast::Expr],
        span: Span,
    ) -> Expr {
        let name = &entry.definition.name.name;
        if let Some((ExternalKind::Function, signature)) = self.external_signature(name) {
            return self.external_call(name, signature, args, span);
        }
        let expanded = self.expand(entry, args, span, |me, body| match body {
            DefinitionBody::Formula(formula) => me.expr(formula),
            DefinitionBody::Substitution(_) => {
                me.wrong_definition_kind(entry, span, "a substitution", "a value");
                me.broken(span)
            }
        });
        expanded.unwrap_or_else(|| self.broken(span))
    }

    /// Expands a definition as a predicate.
    pub(super) fn definition_pred(
        &mut self,
        entry: Entry<'a>,
        args: &'a [ast::Expr],
        e: &'a ast::Expr,
    ) -> Pred {
        let name = &entry.definition.name.name;
        match self.external_signature(name) {
            Some((ExternalKind::Predicate, signature)) => {
                return self.external_pred(name, signature, args, e.span);
            }
            Some((ExternalKind::Function, _)) => return self.not_a_predicate(e),
            _ => {}
        }
        let expanded = self.expand(entry, args, e.span, |me, body| match body {
            DefinitionBody::Formula(formula) => me.pred(formula),
            DefinitionBody::Substitution(_) => {
                me.wrong_definition_kind(entry, e.span, "a substitution", "a predicate");
                truth(e.span)
            }
        });
        expanded.unwrap_or_else(|| truth(e.span))
    }

    pub(super) fn wrong_definition_kind(
        &mut self,
        entry: Entry<'a>,
        span: Span,
        is: &str,
        wanted: &str,
    ) {
        let name = &entry.definition.name.name;
        let message = format!("definition `{name}` is {is}, but {wanted} is needed here");
        self.out.push(
            Diagnostic::new(Code::DEFINITION_KIND, span, message)
                .also(entry.definition.name.span, "defined here"),
        );
    }

    /// `callee(args)` as a predicate.
    pub(super) fn call_pred(
        &mut self,
        callee: &'a ast::Expr,
        args: &'a [ast::Expr],
        e: &'a ast::Expr,
    ) -> Pred {
        match &callee.kind {
            ast::ExprKind::Ident(name) => self.call_named_pred(name, args, e),
            _ => self.not_a_predicate(e),
        }
    }

    /// `name(args)` as a predicate.
    pub(super) fn call_named_pred(
        &mut self,
        name: &Name,
        args: &'a [ast::Expr],
        e: &'a ast::Expr,
    ) -> Pred {
        match self.meaning(name) {
            Meaning::Definition(entry)
                if !entry.definition.parameters.is_empty()
                    || self.external_signature(name).is_some() =>
            {
                self.definition_pred(entry, args, e)
            }
            // A parameter may stand for a definition that wants the arguments.
            Meaning::Bound(Bound::Argument { expr, env, frame }) => {
                if let ast::ExprKind::Ident(inner) = &expr.kind
                    && let Meaning::Definition(entry) =
                        self.in_argument(env, frame, expr, |me, _| me.meaning(inner))
                    && !entry.definition.parameters.is_empty()
                {
                    return self.definition_pred(entry, args, e);
                }
                self.not_a_predicate(e)
            }
            _ => self.not_a_predicate(e),
        }
    }

    /// The `EXTERNAL_…` declaration that belongs to a definition.
    pub(super) fn external_signature(&self, name: &str) -> Option<(ExternalKind, Entry<'a>)> {
        const KINDS: [(&str, ExternalKind); 3] = [
            ("EXTERNAL_FUNCTION_", ExternalKind::Function),
            ("EXTERNAL_PREDICATE_", ExternalKind::Predicate),
            ("EXTERNAL_SUBSTITUTION_", ExternalKind::Substitution),
        ];
        KINDS.iter().find_map(|(prefix, kind)| {
            let entry = self.definitions.get(&format!("{prefix}{name}"))?;
            Some((*kind, entry))
        })
    }

    /// The type a declaration gives, with fresh types for its parameters.
    pub(super) fn declared_type(&mut self, signature: Entry<'a>, span: Span) -> Ty {
        let definition = signature.definition;
        let Some(body) = crate::definitions::formula_body(definition) else {
            let message = format!("`{}` must be a type", definition.name.name);
            self.problem(Diagnostic::new(Code::BAD_EXTERNAL, definition.span, message));
            return self.infer.fresh();
        };
        self.used_definitions.insert((signature.file, definition.name.span.start));
        let names: Vec<Name> = definition.parameters.iter().map(|p| p.name.clone()).collect();
        let types: Vec<Ty> = names.iter().map(|_| self.infer.fresh()).collect();
        let section = std::mem::replace(&mut self.section, super::Section::Special);
        self.expansions.push((definition.name.name.clone(), span));
        let set = self.closed(|me| me.with_type_parameters(&names, &types, |me| me.expr(body)));
        self.expansions.pop();
        self.section = section;
        let of = self.infer.fresh();
        let power = self.infer.power(of);
        self.want(&set, power, "an external declaration");
        of
    }

    fn external_call(
        &mut self,
        name: &Name,
        signature: Entry<'a>,
        args: &'a [ast::Expr],
        span: Span,
    ) -> Expr {
        let declared = self.declared_type(signature, span);
        let id = self.external(name, ExternalKind::Function);
        if args.is_empty() {
            // A value, or a function that is not applied here.
            return self.make(ExprKind::External(id, Vec::new()), declared, span);
        }
        let (from, to) = (self.infer.fresh(), self.infer.fresh());
        let relation = self.infer.relation(from, to);
        if self.infer.unify(declared, relation).is_err() {
            let message = format!("`{name}` is declared as a value, not as a function");
            self.problem(
                Diagnostic::new(Code::BAD_EXTERNAL, span, message)
                    .also(signature.definition.name.span, "declared here"),
            );
            return self.broken(span);
        }
        let arguments = self.external_arguments(args, from, span);
        self.make(ExprKind::External(id, arguments), to, span)
    }

    /// Arguments of an external, whose declared type is the product of theirs.
    pub(super) fn external_arguments(
        &mut self,
        args: &'a [ast::Expr],
        declared: Ty,
        span: Span,
    ) -> Vec<Expr> {
        let arguments: Vec<Expr> = args.iter().map(|a| self.expr(a)).collect();
        let tuple = self.tuple_of(arguments.clone(), span);
        self.want(&tuple, declared, "the argument list");
        arguments
    }

    fn external_pred(
        &mut self,
        name: &Name,
        signature: Entry<'a>,
        args: &'a [ast::Expr],
        span: Span,
    ) -> Pred {
        let declared = self.declared_type(signature, span);
        let id = self.external(name, ExternalKind::Predicate);
        let arguments = if args.is_empty() {
            Vec::new()
        } else {
            self.external_arguments(args, declared, span)
        };
        Pred { kind: PredKind::External(id, arguments), span }
    }

    /// Is this a remark on how far a value is known during a search? It says nothing about the
    /// model, and so neither does its negation: both are true.
    pub(super) fn is_remark(&self, pred: &Pred) -> bool {
        let PredKind::External(id, _) = pred.kind else { return false };
        let function = self.model.externals[id.index()].function;
        matches!(
            function,
            Some(LibraryFunction::Remarks(
                Remark::CheckDetermined | Remark::IsDetermined | Remark::IsDeterminedIntoFile
            ))
        )
    }
}
