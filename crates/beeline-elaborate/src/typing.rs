//! From syntax to typed formulas: names resolved, definitions expanded, types inferred.
//!
//! One [`Elaborator`] serves a whole composition. It walks a tree once and builds the typed tree at
//! the same time; types are those of [`Infer`], kept in the `ty` fields as raw numbers until
//! `finish` replaces them by ground types and settles overloads.
//!
//! Definitions are expanded where they stand, as trees. An argument is elaborated in the
//! environment of its call, whatever the body binds: nothing is ever captured. A free name of a
//! body means what it means at the place of use.
//!
//! `expr`, `pred`, `call`, `subst` hold a form of syntax each; `finish` ends a section.

mod builtin;
mod call;
mod env;
mod expr;
mod finish;
mod lets;
mod name;
mod pred;
mod subst;

use crate::definitions::{Definitions, Entry};
use crate::infer::{Infer, MAX_TYPE_PARTS, Question, Reason, Ty, Unanswered};
use beeline_model::{
    ConstantId, Expr, ExprKind, External, ExternalId, ExternalKind, FreeTypeId, LibraryFunction,
    LocalId, Model, OperationId, Place, SetId, TypeId, VariableId,
};
use beeline_source::{Code, Diagnostic, Diagnostics, Span};
use beeline_syntax::ast::{self, Name};
use rustc_hash::{FxHashMap, FxHashSet};

pub(crate) use finish::Finish;

/// How deep formulas may nest after expansion.
const MAX_DEPTH: u32 = 5_000;
/// How many nodes the uses of definitions may have over the whole model.
const MAX_EXPANSION: u64 = 2_000_000;

/// What a global name means in a machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Entity {
    Set(SetId),
    Element(SetId, u32),
    FreeType(FreeTypeId),
    Constructor(FreeTypeId, u32),
    Constant(ConstantId),
    Variable(VariableId, Access),
    /// A parameter of an instance: the actual argument, in [`Elaborator::arguments`].
    Argument(usize),
}

/// What a machine may do with a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Its own.
    Own,
    /// Of an included, imported, seen or used machine: read only.
    Read,
    /// Of an abstraction: only in invariants.
    Abstract,
}

/// The names a machine can use.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    pub names: FxHashMap<Name, Entity>,
    pub operations: FxHashMap<Name, OperationId>,
    /// Operations that two other machines have under this name.
    pub ambiguous: FxHashSet<Name>,
    /// Operations of the machine itself.
    pub own_operations: FxHashSet<OperationId>,
}

/// What an operation takes and gives, before and while it is elaborated.
#[derive(Clone, Debug, Default)]
pub(crate) struct Signature {
    pub name: Name,
    pub parameters: Vec<LocalId>,
    pub results: Vec<LocalId>,
    pub span: Span,
}

/// An actual machine parameter, in the scope of the machine that gives it.
#[derive(Clone)]
pub(crate) struct Argument<'a> {
    pub name: Name,
    pub expr: &'a ast::Expr,
    pub scope: &'a Scope,
    pub definitions: &'a Definitions<'a>,
    pub ty: Ty,
}

/// Which clause is being elaborated: decides what is visible.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Section {
    /// Parameters and free types: no variables.
    Static,
    /// Constants: neither variables nor machine parameters.
    Properties,
    /// Invariants and assertions: abstract variables too.
    Invariant,
    /// Initialisation and operations.
    Operations,
    /// GOAL, animation and the like: all that there is.
    Special,
}

/// How a bound name may be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LocalKind {
    /// Quantified, parameter, ANY, LET …
    ReadOnly,
    /// Operation result, VAR.
    Writable,
}

#[derive(Clone, Copy, Debug)]
enum Bound<'a> {
    Local(LocalId),
    /// A definition's parameter: the argument, elaborated in the first `env` bindings.
    Argument {
        expr: &'a ast::Expr,
        env: usize,
        frame: u32,
    },
}

#[derive(Clone, Debug)]
struct Binding<'a> {
    name: Name,
    bound: Bound<'a>,
    /// The expansion it belongs to; arguments are visible only in their own.
    frame: u32,
}

pub(crate) struct Elaborator<'a> {
    pub infer: Infer,
    pub out: Diagnostics,
    pub model: Model,
    pub set_ty: Vec<Ty>,
    pub constant_ty: Vec<Ty>,
    pub variable_ty: Vec<Ty>,
    /// Types of a free type's constructor arguments, in terms of fresh parameters on each use.
    pub constructors: Vec<Vec<Option<&'a ast::Expr>>>,
    pub free_parameters: Vec<Vec<Name>>,
    pub signatures: Vec<Signature>,
    /// Actual machine parameters.
    pub arguments: Vec<Argument<'a>>,

    pub scope: &'a Scope,
    pub definitions: &'a Definitions<'a>,
    pub section: Section,
    pub allow_local_calls: bool,
    pub allow_complex_lets: bool,
    pub local_operations: FxHashSet<OperationId>,

    local_kinds: Vec<LocalKind>,
    finished_locals: usize,
    external_ids: FxHashMap<(Name, ExternalKind), ExternalId>,
    field_names: Vec<Name>,
    /// Free types whose constructors wait for the end of the section.
    free_arguments: Vec<(FreeTypeId, Vec<LocalId>, Vec<Option<Expr>>)>,
    env: Vec<Binding<'a>>,
    frame: u32,
    next_frame: u32,
    depth: u32,
    expanded: u64,
    /// A limit was reached: nothing more is read.
    stopped: bool,
    expansions: Vec<(Name, Span)>,
    /// The places of the `x : (P)` whose `P` is being read, and their new values: there `x` is the
    /// new value, under whatever name it is reached, and `x$0` the place itself.
    after: Vec<(Place, LocalId)>,
    /// Loops whose invariant is being read: what `x$0` means there.
    loop_before: Option<Vec<(LocalId, Place)>>,
    /// Names nobody knows that were reported, and in which machine.
    unknown_names: FxHashSet<(usize, Name)>,
    /// The machine whose names are in use.
    instance: usize,
    pub used_definitions: FxHashSet<(usize, u32)>,
    /// Operation calls seen in the body being elaborated.
    pub calls: Vec<(OperationId, Span)>,
    /// Names that a prompt leaves open, where it may.
    pub open_names: Option<Vec<LocalId>>,
    /// Who calls whom.
    pub call_graph: FxHashMap<OperationId, Vec<OperationId>>,
}

/// What a name turned out to mean.
enum Meaning<'a> {
    Bound(Bound<'a>),
    Definition(Entry<'a>),
    Entity(Entity),
    Unknown,
}

impl<'a> Elaborator<'a> {
    pub fn new(model: Model, scope: &'a Scope, definitions: &'a Definitions<'a>) -> Self {
        Elaborator {
            infer: Infer::new(),
            out: Diagnostics::new(),
            model,
            set_ty: Vec::new(),
            constant_ty: Vec::new(),
            variable_ty: Vec::new(),
            constructors: Vec::new(),
            free_parameters: Vec::new(),
            signatures: Vec::new(),
            arguments: Vec::new(),
            scope,
            definitions,
            section: Section::Static,
            allow_local_calls: false,
            allow_complex_lets: false,
            local_operations: FxHashSet::default(),
            local_kinds: Vec::new(),
            finished_locals: 0,
            external_ids: FxHashMap::default(),
            field_names: Vec::new(),
            free_arguments: Vec::new(),
            env: Vec::new(),
            frame: 0,
            next_frame: 1,
            depth: 0,
            expanded: 0,
            stopped: false,
            expansions: Vec::new(),
            after: Vec::new(),
            loop_before: None,
            unknown_names: FxHashSet::default(),
            instance: 0,
            used_definitions: FxHashSet::default(),
            calls: Vec::new(),
            open_names: None,
            call_graph: FxHashMap::default(),
        }
    }

    /// From now on, names mean what they mean in this machine.
    pub fn enter(&mut self, instance: usize, scope: &'a Scope, definitions: &'a Definitions<'a>) {
        self.instance = instance;
        self.scope = scope;
        self.definitions = definitions;
    }

    /// What follows is judged on its own: unknown names are reported anew, limits count anew.
    pub fn begin_anew(&mut self) {
        self.unknown_names.clear();
        self.expanded = 0;
        self.stopped = false;
    }

    /// Reports a problem, with the uses of the definitions it stands in.
    pub fn problem(&mut self, mut diagnostic: Diagnostic) {
        for (name, span) in self.expansions.iter().rev().take(3) {
            if diagnostic.primary.span != *span {
                diagnostic = diagnostic.also(*span, format!("in this use of `{name}`"));
            }
        }
        self.out.push(diagnostic);
    }

    fn make(&self, kind: ExprKind, ty: Ty, span: Span) -> Expr {
        Expr { kind, ty: TypeId(ty.0), span }
    }

    /// Stands for something that was reported; fits everywhere.
    fn broken(&mut self, span: Span) -> Expr {
        let ty = self.infer.fresh();
        self.make(ExprKind::EmptySet, ty, span)
    }

    pub fn show(&self, ty: Ty) -> String {
        crate::show::show_ty(&self.infer, &self.model, ty)
    }

    /// `e` must have type `wanted`; `role` says what `e` is, in the user's words.
    pub(crate) fn want(&mut self, e: &Expr, wanted: Ty, role: &str) {
        let found = Ty(e.ty.0);
        let Err((a, b)) = self.infer.unify(found, wanted) else { return };
        if self.is_infinite(a, b) {
            return self.infinite(e.span);
        }
        let message =
            format!("{role} has type {}, but {} is needed", self.show(found), self.show(wanted));
        self.problem(Diagnostic::new(Code::TYPE_MISMATCH, e.span, message));
    }

    /// Both sides of an operator must have the same type.
    pub(crate) fn same(&mut self, a: &Expr, b: &Expr, operator: &str) {
        let (ta, tb) = (Ty(a.ty.0), Ty(b.ty.0));
        let Err((x, y)) = self.infer.unify(ta, tb) else { return };
        if self.is_infinite(x, y) {
            return self.infinite(a.span.to(b.span));
        }
        let (left, right) = (self.show(ta), self.show(tb));
        let message = format!("the two sides of `{operator}` have different types");
        let mut diagnostic = Diagnostic::new(Code::TYPE_MISMATCH, b.span, message)
            .here(format!("this has type {right}"))
            .also(a.span, format!("this has type {left}"));
        if left == format!("POW({right})") || right == format!("POW({left})") {
            diagnostic = diagnostic.help("one side is a set of what the other side is");
        }
        self.problem(diagnostic);
    }

    /// Makes two types equal. False if they do not fit, which the caller then tells.
    fn fits(&mut self, a: Ty, b: Ty, span: Span) -> bool {
        match self.infer.unify(a, b) {
            Ok(()) => true,
            Err((x, y)) if self.is_infinite(x, y) => {
                self.infinite(span);
                true
            }
            Err(_) => false,
        }
    }

    fn is_infinite(&self, a: Ty, b: Ty) -> bool {
        self.infer.is_unknown(a) || self.infer.is_unknown(b)
    }

    fn infinite(&mut self, span: Span) {
        if self.report_too_large(span) {
            return;
        }
        let message = "this would need a type that contains itself";
        self.problem(Diagnostic::new(Code::TYPE_INFINITE, span, message));
    }

    /// Tells of a type that is too large, if one was met since this was last called.
    pub(crate) fn report_too_large(&mut self, span: Span) -> bool {
        let met = self.infer.take_too_large();
        if met {
            let message = format!("a type would have more than {MAX_TYPE_PARTS} parts");
            self.problem(
                Diagnostic::new(Code::TOO_DEEP, span, message)
                    .help("types that are made of one another can grow very fast"),
            );
        }
        met
    }

    fn ask(&mut self, question: Question, span: Span) {
        if let Err(unanswered) = self.infer.ask(question, span) {
            self.unanswered(unanswered);
        }
    }

    fn unanswered(&mut self, Unanswered { pending, reason }: Unanswered) {
        let span = pending.span;
        let diagnostic = match reason {
            Reason::Mismatch(a, b) => {
                let message =
                    format!("these types do not match: {} and {}", self.show(a), self.show(b));
                Diagnostic::new(Code::TYPE_MISMATCH, span, message)
            }
            Reason::NotNumeric(t) => {
                let message = format!("a number is needed here, but this is {}", self.show(t));
                Diagnostic::new(Code::NOT_NUMERIC, span, message)
            }
            Reason::NotNumbersOrSets(a, b) => {
                let message = format!(
                    "this operator takes numbers or sets, not {} and {}",
                    self.show(a),
                    self.show(b)
                );
                Diagnostic::new(Code::NO_OVERLOAD, span, message)
            }
            Reason::NoField(name, fields) => {
                let message = format!("the record has no field `{name}`");
                let names = fields.join(", ");
                Diagnostic::new(Code::UNKNOWN_FIELD, span, message)
                    .help(format!("its fields are {names}"))
            }
            Reason::NotARecord(t) => {
                let message = format!("a record is needed here, but this is {}", self.show(t));
                Diagnostic::new(Code::TYPE_MISMATCH, span, message)
            }
            Reason::NotASequence(t) => {
                let message = format!("a sequence is needed here, but this is {}", self.show(t));
                Diagnostic::new(Code::TYPE_MISMATCH, span, message)
            }
            Reason::UnknownRecord(name) => {
                let message =
                    format!("the record type with the field `{name}` cannot be inferred here");
                Diagnostic::new(Code::TYPE_UNKNOWN, span, message)
                    .help("give the record's type, for example r : struct(f : S, …)")
            }
        };
        self.problem(diagnostic);
    }

    /// The value of a name that a clause refers to (VALUES).
    pub fn name_value(&mut self, name: &'a ast::Ident) -> Expr {
        self.name(&name.name, name.span)
    }

    /// Can a call of `from` lead to a call of `to`?
    pub fn reaches(&self, from: OperationId, to: OperationId) -> bool {
        let mut seen = vec![from];
        let mut next = 0;
        while let Some(&operation) = seen.get(next) {
            next += 1;
            if operation == to {
                return true;
            }
            for callee in self.call_graph.get(&operation).into_iter().flatten() {
                if !seen.contains(callee) {
                    seen.push(*callee);
                }
            }
        }
        false
    }

    /// Elaborates the constructors of a free type for the model.
    pub fn define_free_type(&mut self, id: FreeTypeId, free: &'a ast::FreeType) {
        let mark = self.env.len();
        let mut locals = Vec::with_capacity(free.parameters.len());
        for parameter in &free.parameters {
            // Type parameters stand for any type; the sets over them are kept as they are.
            let ty = self.infer.power(crate::infer::INTEGER);
            let local =
                self.local_of(parameter.name.clone(), parameter.span, ty, LocalKind::ReadOnly);
            self.bind(local);
            locals.push(local);
        }
        let mut arguments = Vec::new();
        for (_, argument) in &free.constructors {
            arguments.push(argument.as_ref().map(|a| self.expr(a)));
        }
        self.env.truncate(mark);
        self.free_arguments.push((id, locals, arguments));
    }

    /// Puts the finished constructor arguments into the model.
    pub fn finish_free_types(&mut self) {
        for (id, locals, mut arguments) in std::mem::take(&mut self.free_arguments) {
            self.finish(&mut arguments);
            let free = &mut self.model.free_types[id.index()];
            free.locals = locals;
            for (row, argument) in free.constructors.iter_mut().zip(arguments) {
                row.1 = argument;
            }
        }
    }

    fn external(&mut self, name: &Name, kind: ExternalKind) -> ExternalId {
        let next = ExternalId(self.model.externals.len() as u32);
        let id = *self.external_ids.entry((name.clone(), kind)).or_insert(next);
        if id == next {
            let function = LibraryFunction::named(name);
            self.model.externals.push(External { name: name.clone(), kind, function });
        }
        id
    }
}

/// `1 argument`, `2 arguments`.
pub(crate) fn count(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}
