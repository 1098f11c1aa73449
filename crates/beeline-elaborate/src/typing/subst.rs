//! Substitutions.

use super::{Access, Bound, Elaborator, Entity, LocalKind, Meaning};
use crate::definitions::Entry;
use crate::infer::{INTEGER, Question, Ty};
use beeline_model::{
    Assignment, BecomesSuch, Call, ExternalKind, LocalId, OperationId, Place, Promise, Subst,
    SubstKind, Target, While,
};
use beeline_source::{Code, Diagnostic, Span};
use beeline_syntax::ast::{self, DefinitionBody, Name};

use super::count;

impl<'a> Elaborator<'a> {
    /// Elaborates a substitution.
    pub fn subst(&mut self, s: &'a ast::Subst) -> Subst {
        let skip = |_: &mut Self| Subst { kind: SubstKind::Skip, span: s.span };
        self.guarded(s.span, |me| me.subst_inner(s), skip)
    }

    fn boxed_subst(&mut self, s: &'a ast::Subst) -> Box<Subst> {
        Box::new(self.subst(s))
    }

    fn substs(&mut self, list: &'a [ast::Subst]) -> Vec<Subst> {
        list.iter().map(|s| self.subst(s)).collect()
    }

    fn otherwise(&mut self, s: &'a Option<Box<ast::Subst>>) -> Option<Box<Subst>> {
        s.as_ref().map(|s| self.boxed_subst(s))
    }

    fn subst_inner(&mut self, s: &'a ast::Subst) -> Subst {
        use ast::SubstKind as K;
        let span = s.span;
        let kind = match &s.kind {
            K::Skip | K::Error => SubstKind::Skip,
            K::Block(inner) => return self.subst(inner),
            K::Assign(targets, values) => self.assign(targets, values, span),
            K::BecomesElement(targets, set) => self.becomes_element(targets, set),
            K::BecomesSuch(targets, predicate) => self.becomes_such(targets, predicate),
            K::Pre(p, s) => SubstKind::Pre(self.conjuncts(p), self.boxed_subst(s)),
            K::Assert(p, s) => {
                SubstKind::Assert(Promise::Assert, self.conjuncts(p), self.boxed_subst(s))
            }
            K::Witness(p, s) => {
                // Witnesses matter to a prover only.
                self.pred(p);
                return self.subst(s);
            }
            K::If(branches, otherwise) => {
                let branches =
                    branches.iter().map(|(p, s)| (self.pred(p), self.subst(s))).collect();
                SubstKind::If(branches, self.otherwise(otherwise))
            }
            K::Select(branches, otherwise) => {
                let branches =
                    branches.iter().map(|(p, s)| (self.conjuncts(p), self.subst(s))).collect();
                SubstKind::Select(branches, self.otherwise(otherwise))
            }
            K::Choice(list) => SubstKind::Choice(self.substs(list)),
            K::Sequence(list) => SubstKind::Sequence(self.substs(list)),
            K::Parallel(list) => SubstKind::Parallel(self.substs(list)),
            K::Case(selector, branches, otherwise) => self.case(selector, branches, otherwise),
            K::Any(names, p, s) => {
                let (locals, (conjuncts, body)) = self
                    .binding(names, LocalKind::ReadOnly, |me| (me.conjuncts(p), me.boxed_subst(s)));
                SubstKind::Any(locals, conjuncts, body)
            }
            K::Let(names, equations, s) => {
                self.check_simple_let(names, equations);
                let (bindings, body) = self.let_in(names, equations, |me| me.boxed_subst(s));
                SubstKind::Let(bindings, body)
            }
            K::Var(names, s) => {
                let (locals, body) =
                    self.binding(names, LocalKind::Writable, |me| me.boxed_subst(s));
                SubstKind::Var(locals, body)
            }
            K::While(w) => self.while_loop(w),
            K::Call(call) => return self.call_subst(call, span),
        };
        Subst { kind, span }
    }

    /// In a LET substitution the values may not use each other, unless a preference allows it.
    fn check_simple_let(&mut self, names: &'a [ast::Ident], equations: &'a ast::Expr) {
        if self.allow_complex_lets {
            return;
        }
        let mut conjuncts = Vec::new();
        super::expr::flatten(equations, &mut conjuncts);
        for conjunct in conjuncts {
            let ast::ExprKind::Binary(ast::BinaryOp::Equal, _, value) = &conjunct.kind else {
                continue;
            };
            let mut used = None;
            crate::walk::names_in_expr(value, &mut |name, span| {
                if used.is_none() && names.iter().any(|n| n.name == *name) {
                    used = Some((name.clone(), span));
                }
            });
            if let Some((name, span)) = used {
                let message = format!("`{name}` cannot be used inside its own LET");
                self.problem(
                    Diagnostic::new(Code::BAD_LET, span, message)
                        .help("nest a second LET inside the first")
                        .help("or allow it: SET_PREF_ALLOW_COMPLEX_LETS == TRUE"),
                );
            }
        }
    }

    fn case(
        &mut self,
        selector: &'a ast::Expr,
        branches: &'a [(Vec<ast::Expr>, ast::Subst)],
        otherwise: &'a Option<Box<ast::Subst>>,
    ) -> SubstKind {
        let selector = self.expr(selector);
        let mut typed = Vec::with_capacity(branches.len());
        for (labels, s) in branches {
            let labels: Vec<_> = labels.iter().map(|l| self.expr(l)).collect();
            for label in &labels {
                self.same(&selector, label, "CASE … OF");
                self.check_label(label);
            }
            typed.push((labels, self.subst(s)));
        }
        SubstKind::Case(Box::new(selector), typed, self.otherwise(otherwise))
    }

    /// The labels of a CASE must be known before it runs.
    fn check_label(&mut self, label: &beeline_model::Expr) {
        use beeline_model::ExprKind as K;
        let fixed = matches!(
            label.kind,
            K::Integer(_) | K::Bool(_) | K::String(_) | K::Real(_) | K::Element(..) | K::EmptySet
        );
        if !fixed {
            let message = "a CASE label must be a literal or an element of an enumerated set";
            self.problem(
                Diagnostic::new(Code::BAD_CASE_LABEL, label.span, message)
                    .help("use IF … ELSIF to compare with other values"),
            );
        }
    }

    fn while_loop(&mut self, w: &'a ast::While) -> SubstKind {
        let condition = self.pred(&w.condition);
        let body = self.subst(&w.body);
        let outer = self.loop_before.replace(Vec::new());
        let section = std::mem::replace(&mut self.section, super::Section::Invariant);
        let invariant = self.conjuncts(&w.invariant);
        let variant = self.expr(&w.variant);
        self.section = section;
        let before = std::mem::replace(&mut self.loop_before, outer).unwrap_or_default();
        self.want(&variant, INTEGER, "the variant");
        SubstKind::While(Box::new(While { before, condition, body, invariant, variant }))
    }

    fn assign(
        &mut self,
        targets: &'a [ast::Expr],
        values: &'a [ast::Expr],
        span: Span,
    ) -> SubstKind {
        let targets = self.targets(targets);
        if targets.len() != values.len() {
            let message =
                format!("{} but {}", count(targets.len(), "target"), count(values.len(), "value"));
            self.problem(
                Diagnostic::new(Code::ARITY, span, message)
                    .help("give each target one value: x, y := e, f"),
            );
        }
        let mut assignments = Vec::with_capacity(values.len());
        for ((target, ty), value) in targets.into_iter().zip(values) {
            let value = self.expr(value);
            let Some(target) = target else { continue };
            let found = Ty(value.ty.0);
            if !self.fits(ty, found, value.span) {
                let (wanted, found) = (self.show(ty), self.show(found));
                self.problem(
                    Diagnostic::new(
                        Code::TYPE_MISMATCH,
                        value.span,
                        format!("a value of type {found} cannot be assigned here"),
                    )
                    .here(format!("this has type {found}"))
                    .also(target.span, format!("this has type {wanted}")),
                );
            }
            assignments.push(Assignment { target, value });
        }
        SubstKind::Assign(assignments)
    }

    /// Targets, with lists from definitions spread out.
    fn targets(&mut self, list: &'a [ast::Expr]) -> Vec<(Option<Target>, Ty)> {
        let mut targets = Vec::with_capacity(list.len());
        for e in list {
            if let ast::ExprKind::Ident(name) = &e.kind
                && let Meaning::Definition(entry) = self.meaning(name)
                && let Some(ast::Expr { kind: ast::ExprKind::List(parts), .. }) =
                    crate::definitions::formula_body(entry.definition)
            {
                targets.extend(parts.iter().map(|p| self.target(p)));
                continue;
            }
            targets.push(self.target(e));
        }
        targets
    }

    /// What an assignment writes to, and the type of what goes there.
    fn target(&mut self, e: &'a ast::Expr) -> (Option<Target>, Ty) {
        let nothing = |me: &mut Self| (None, me.infer.fresh());
        match &e.kind {
            ast::ExprKind::Paren(inner) => self.target(inner),
            ast::ExprKind::Ident(name) => match self.meaning(name) {
                Meaning::Bound(Bound::Argument { expr, env, frame }) => {
                    self.in_argument(env, frame, expr, |me, e| me.target(e))
                }
                Meaning::Definition(entry) => self.definition_target(entry, &[], e),
                _ => match self.place(name, e.span) {
                    Some(place) => {
                        let ty = self.place_ty(place);
                        (Some(Target { place, path: Vec::new(), span: e.span }), ty)
                    }
                    None => nothing(self),
                },
            },
            ast::ExprKind::Call(callee, args) => {
                if let ast::ExprKind::Ident(name) = &callee.kind
                    && let Meaning::Definition(entry) = self.meaning(name)
                    && !entry.definition.parameters.is_empty()
                {
                    return self.definition_target(entry, args, e);
                }
                let (target, function) = self.target(callee);
                let index = self.tuple(args, e.span);
                let value = self.infer.fresh();
                let relation = self.infer.relation(Ty(index.ty.0), value);
                if !self.fits(function, relation, e.span) {
                    let message = format!(
                        "this has type {}, so it cannot be changed at an argument of type {}",
                        self.show(function),
                        self.show(Ty(index.ty.0))
                    );
                    self.problem(Diagnostic::new(Code::TYPE_MISMATCH, e.span, message));
                }
                let target = target.map(|mut t| {
                    t.path.push(beeline_model::Access::Index(index));
                    t.span = e.span;
                    t
                });
                (target, value)
            }
            ast::ExprKind::Field(record, field) => {
                let (target, ty) = self.target(record);
                let value = self.infer.fresh();
                self.ask(Question::Field(ty, field.name.clone(), value), field.span);
                let slot = self.field_name(&field.name);
                let target = target.map(|mut t| {
                    t.path.push(beeline_model::Access::Field(slot));
                    t.span = e.span;
                    t
                });
                (target, value)
            }
            ast::ExprKind::Error => nothing(self),
            _ => {
                let message = "this cannot be assigned to";
                self.problem(Diagnostic::new(Code::BAD_TARGET, e.span, message));
                nothing(self)
            }
        }
    }

    fn definition_target(
        &mut self,
        entry: Entry<'a>,
        args: &'a [ast::Expr],
        e: &'a ast::Expr,
    ) -> (Option<Target>, Ty) {
        let expanded = self.expand(entry, args, e.span, |me, body| match body {
            DefinitionBody::Formula(formula) => me.target(formula),
            DefinitionBody::Substitution(_) => {
                me.wrong_definition_kind(entry, e.span, "a substitution", "something to assign to");
                (None, me.infer.fresh())
            }
        });
        expanded.unwrap_or_else(|| (None, self.infer.fresh()))
    }

    /// The place a name stands for, if it may be written here.
    fn place(&mut self, name: &Name, span: Span) -> Option<Place> {
        let refuse = |me: &mut Self, what: String, declared: Span, help: &str| {
            let mut diagnostic =
                Diagnostic::new(Code::NOT_ASSIGNABLE, span, what).also(declared, "declared here");
            if !help.is_empty() {
                diagnostic = diagnostic.help(help);
            }
            me.problem(diagnostic);
            None
        };
        match self.meaning(name) {
            Meaning::Bound(Bound::Local(local)) => {
                if self.local_kinds[local.index()] == LocalKind::Writable {
                    return Some(Place::Local(local));
                }
                let declared = self.model.local(local).span;
                refuse(self, format!("`{name}` has a fixed value here"), declared, "")
            }
            Meaning::Entity(Entity::Variable(variable, access)) => match access {
                Access::Own => Some(Place::Variable(variable)),
                Access::Read => {
                    let row = self.model.variable(variable);
                    let owner = self.model.component(row.component).name.clone();
                    let declared = row.span;
                    refuse(
                        self,
                        format!("`{name}` belongs to machine `{owner}`"),
                        declared,
                        "change it through an operation of that machine",
                    )
                }
                Access::Abstract => {
                    let declared = self.model.variable(variable).span;
                    let what = format!("`{name}` is a variable of the abstraction");
                    refuse(self, what, declared, "")
                }
            },
            Meaning::Entity(Entity::Constant(constant)) => {
                let declared = self.model.constant(constant).span;
                refuse(self, format!("`{name}` is a constant"), declared, "")
            }
            Meaning::Entity(_) => refuse(self, format!("`{name}` never changes"), Span::NONE, ""),
            Meaning::Unknown => {
                self.unknown(name, span);
                None
            }
            Meaning::Bound(Bound::Argument { .. }) | Meaning::Definition(_) => {
                refuse(self, format!("`{name}` cannot be assigned to"), Span::NONE, "")
            }
        }
    }

    /// Targets of `::` and `:( )`: whole places only.
    fn places(&mut self, list: &'a [ast::Expr]) -> Vec<(Place, Ty, Span)> {
        let mut places: Vec<(Place, Ty, Span)> = Vec::with_capacity(list.len());
        for (target, ty) in self.targets(list) {
            let Some(target) = target else { continue };
            if !target.path.is_empty() {
                let message = "only whole variables can be chosen here";
                self.problem(
                    Diagnostic::new(Code::BAD_TARGET, target.span, message)
                        .help("choose a new value for the whole variable, or use ANY"),
                );
                continue;
            }
            if places.iter().any(|p| p.0 == target.place) {
                let message = "this variable is assigned twice in parallel";
                self.problem(Diagnostic::new(Code::PARALLEL_WRITE, target.span, message));
                continue;
            }
            places.push((target.place, ty, target.span));
        }
        places
    }

    fn becomes_element(&mut self, targets: &'a [ast::Expr], set: &'a ast::Expr) -> SubstKind {
        let errors = self.out.error_count();
        let places = self.places(targets);
        let set = self.expr(set);
        let mut types = places.iter().map(|p| p.1);
        if self.out.error_count() > errors {
            // A target is missing: the types of the others tell nothing.
        } else if let Some(first) = types.next() {
            let element = types.fold(first, |left, right| self.infer.pair(left, right));
            let power = self.infer.power(element);
            self.want(&set, power, "the set after `::`");
        }
        SubstKind::BecomesElement(places.iter().map(|p| p.0).collect(), Box::new(set))
    }

    fn becomes_such(&mut self, targets: &'a [ast::Expr], predicate: &'a ast::Expr) -> SubstKind {
        let places = self.places(targets);
        let mut after: Vec<LocalId> = Vec::with_capacity(places.len());
        for &(place, ty, span) in &places {
            let name = match place {
                Place::Variable(variable) => self.model.variable(variable).name.clone(),
                Place::Local(local) => self.model.local(local).name.clone(),
            };
            after.push(self.local_of(name, span, ty, LocalKind::ReadOnly));
        }
        self.after = places.iter().map(|p| p.0).zip(after.iter().copied()).collect();
        let predicate = self.pred(predicate);
        self.after.clear();
        let places = places.into_iter().map(|p| p.0).collect();
        SubstKind::BecomesSuch(Box::new(BecomesSuch { places, after, predicate }))
    }

    fn call_subst(&mut self, call: &'a ast::Call, span: Span) -> Subst {
        let name = &call.name.name;
        match self.meaning(name) {
            Meaning::Definition(entry) => {
                if let Some(result) = call.results.first() {
                    let message = format!("`{name}` is a definition and gives no results");
                    self.problem(Diagnostic::new(Code::DEFINITION_KIND, result.span, message));
                }
                self.definition_subst(entry, &call.arguments, span)
            }
            Meaning::Bound(Bound::Argument { expr, env, frame }) if call.arguments.is_empty() => {
                self.in_argument(env, frame, expr, |me, e| me.formula_subst(e))
            }
            _ => match self.called(name, call.name.span) {
                Some(operation) => self.operation_call(operation, call, span),
                None => self.unknown_operation(call, span),
            },
        }
    }

    fn unknown_operation(&mut self, call: &'a ast::Call, span: Span) -> Subst {
        let name = &call.name.name;
        let operations = self.scope.operations.keys().map(|n| n.as_str());
        let near = crate::suggest::nearest(name, operations.chain(self.definitions.names()));
        let message = format!("there is no operation `{name}` to call here");
        let mut diagnostic = Diagnostic::new(Code::UNKNOWN_OPERATION, call.name.span, message);
        if let Some(near) = near {
            diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
        }
        self.problem(diagnostic);
        Subst { kind: SubstKind::Skip, span }
    }

    fn operation_call(&mut self, operation: OperationId, call: &'a ast::Call, span: Span) -> Subst {
        let own = self.scope.own_operations.contains(&operation);
        if own && !self.allow_local_calls && !self.local_operations.contains(&operation) {
            let name = &call.name.name;
            self.problem(
                Diagnostic::new(
                    Code::LOCAL_CALL,
                    call.name.span,
                    format!("`{name}` is an operation of this very machine"),
                )
                .help("put the common part into a definition or into an included machine")
                .help("or allow it: SET_PREF_ALLOW_LOCAL_OPERATION_CALLS == TRUE"),
            );
        }
        self.calls.push((operation, call.name.span));
        let arguments = self.operation_arguments(operation, &call.arguments, span);
        let signature = self.signatures[operation.index()].clone();
        let targets = self.targets(&call.results);
        if targets.len() != signature.results.len() {
            let message = format!(
                "operation `{}` gives {}, not {}",
                signature.name,
                count(signature.results.len(), "result"),
                targets.len()
            );
            self.problem(
                Diagnostic::new(Code::ARITY, span, message).also(signature.span, "declared here"),
            );
        }
        let mut results = Vec::with_capacity(targets.len());
        for ((target, ty), result) in targets.into_iter().zip(&signature.results) {
            let result_ty = self.local_ty(*result);
            if !self.fits(ty, result_ty, span) {
                let message = format!(
                    "this has type {}, but the result has type {}",
                    self.show(ty),
                    self.show(result_ty)
                );
                let at = target.as_ref().map_or(span, |t| t.span);
                self.problem(Diagnostic::new(Code::TYPE_MISMATCH, at, message));
            }
            results.extend(target);
        }
        let kind = SubstKind::Call(Box::new(Call { operation, arguments, results }));
        Subst { kind, span }
    }

    fn definition_subst(&mut self, entry: Entry<'a>, args: &'a [ast::Expr], span: Span) -> Subst {
        let name = &entry.definition.name.name;
        if let Some((ExternalKind::Substitution, signature)) = self.external_signature(name) {
            let declared = self.declared_type(signature, span);
            let id = self.external(name, ExternalKind::Substitution);
            let arguments = match args {
                [] => Vec::new(),
                _ => self.external_arguments(args, declared, span),
            };
            return Subst { kind: SubstKind::External(id, arguments), span };
        }
        let expanded = self.expand(entry, args, span, |me, body| match body {
            DefinitionBody::Substitution(s) => me.subst(s),
            DefinitionBody::Formula(formula) => me.formula_subst(formula),
        });
        expanded.unwrap_or(Subst { kind: SubstKind::Skip, span })
    }

    /// A definition's body that was read as a formula, used as a substitution.
    fn formula_subst(&mut self, e: &'a ast::Expr) -> Subst {
        let span = e.span;
        match &e.kind {
            ast::ExprKind::Ident(name) => self.named_subst(name, &[], e),
            ast::ExprKind::Call(callee, args) => match &callee.kind {
                ast::ExprKind::Ident(name) => self.named_subst(name, args, e),
                _ => self.not_a_substitution(span),
            },
            ast::ExprKind::Builtin(builtin, args) => match self.declared_word(*builtin, span) {
                Some(word) => self.named_subst(&word.name, args, e),
                None => self.not_a_substitution(span),
            },
            ast::ExprKind::Paren(inner) => self.formula_subst(inner),
            ast::ExprKind::If(branches, otherwise) => {
                let branches =
                    branches.iter().map(|(p, s)| (self.pred(p), self.formula_subst(s))).collect();
                let otherwise = Some(Box::new(self.formula_subst(otherwise)));
                Subst { kind: SubstKind::If(branches, otherwise), span }
            }
            _ => self.not_a_substitution(span),
        }
    }

    fn not_a_substitution(&mut self, span: Span) -> Subst {
        let message = "this is a formula, but a substitution is needed here";
        self.problem(Diagnostic::new(Code::DEFINITION_KIND, span, message));
        Subst { kind: SubstKind::Skip, span }
    }

    fn named_subst(&mut self, name: &Name, args: &'a [ast::Expr], e: &'a ast::Expr) -> Subst {
        let span = e.span;
        match self.meaning(name) {
            Meaning::Definition(entry) => self.definition_subst(entry, args, span),
            Meaning::Bound(Bound::Argument { expr, env, frame }) if args.is_empty() => {
                self.in_argument(env, frame, expr, |me, e| me.formula_subst(e))
            }
            _ => match self.called(name, span) {
                Some(operation) => {
                    self.calls.push((operation, span));
                    let arguments = self.operation_arguments(operation, args, span);
                    let call = Call { operation, arguments, results: Vec::new() };
                    Subst { kind: SubstKind::Call(Box::new(call)), span }
                }
                None => {
                    self.unknown(name, span);
                    Subst { kind: SubstKind::Skip, span }
                }
            },
        }
    }
}
