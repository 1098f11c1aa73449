//! What a refinement owes its abstraction by its text alone, and an implementation its machine: warnings, since
//! a refinement that is being written can be run all the same.
//!
//! Whether it does what its abstraction does is not found here.

use beeline_model::{
    Component, ComponentId, Expr, ExprKind, Level, Model, Operation, OperationId, Part, Pred,
    PredKind, Role, Subst, SubstKind, Type, TypeId,
};
use beeline_source::{Code, Diagnostic, Diagnostics, Span};

/// Looks at the main machine and what it refines.
pub(super) fn refinement(model: &Model, main: ComponentId, out: &mut Diagnostics) {
    let component = model.component(main);
    if let [.., above, below] = model.levels.as_slice()
        && component.keyword != "SYSTEM"
        && model.component(above.component).keyword != "SYSTEM"
    {
        operations(model, (above, below), component, out);
        seen(model, (above, below), component, out);
        new_operations(model, (above, below), main, out);
    }
    if component.keyword == "IMPLEMENTATION" {
        types(model, main, out);
        let own = model.operations.iter().filter(|o| o.component == main);
        own.for_each(|o| Implementable { model, out }.operation(o));
        for (_, s) in model.concrete().initialisation.iter().filter(|i| i.0 == main) {
            Implementable { model, out }.subst(s);
        }
    }
}

/// The operation of the refinement that stands for one of the abstraction.
fn counterpart<'m>(model: &'m Model, below: &Level, id: OperationId) -> Option<&'m Operation> {
    let own = model.operation(id);
    let of = |id: &OperationId| model.operation(*id);
    let refines = below.operations.iter().map(of).find(|o| o.refines.contains(&id));
    let same = || below.operations.contains(&id).then_some(own);
    let named = || below.operations.iter().map(of).find(|o| o.name == own.name);
    refines.or_else(same).or_else(named)
}

fn operations(
    model: &Model,
    (above, below): (&Level, &Level),
    component: &Component,
    out: &mut Diagnostics,
) {
    for id in &above.operations {
        let abstraction = model.operation(*id);
        if matches!(model.component(abstraction.component).role, Role::Seen | Role::Used) {
            continue;
        }
        let Some(operation) = counterpart(model, below, *id) else {
            let message = format!(
                "`{}` has no operation `{}`, which it must refine",
                component.name, abstraction.name
            );
            out.push(
                Diagnostic::new(Code::MISSING_OPERATION, component.span, message)
                    .also(abstraction.span, "declared here")
                    .help("write an operation with this name, or promote one of an included or imported machine"),
            );
            continue;
        };
        let pairs = operation.parameters.iter().zip(&abstraction.parameters);
        for (own, theirs) in pairs.chain(operation.results.iter().zip(&abstraction.results)) {
            let (own, theirs) = (model.local(*own), model.local(*theirs));
            if own.name != theirs.name {
                let message =
                    format!("`{}` is called `{}` in the abstraction", own.name, theirs.name);
                out.push(
                    Diagnostic::new(Code::REFINED_NAME, own.span, message)
                        .also(theirs.span, "declared here")
                        .help("parameters and results are matched by their position; give them the same names"),
                );
            }
        }
    }
}

/// Operations that refine nothing. Those of machines that are seen belong to those machines.
fn new_operations(
    model: &Model,
    (above, below): (&Level, &Level),
    main: ComponentId,
    out: &mut Diagnostics,
) {
    for id in &below.operations {
        let own = model.operation(*id);
        let known = |a: &OperationId| a == id || model.operation(*a).name == own.name;
        if own.component == main && own.refines.is_empty() && !above.operations.iter().any(known) {
            let message = format!("the abstraction has no operation `{}`", own.name);
            out.push(
                Diagnostic::new(Code::NEW_OPERATION, own.span, message)
                    .help("a new operation refines skip: nothing of the abstraction may change"),
            );
        }
    }
}

/// What the abstraction sees, its refinement must see, too: its state may be read in both.
fn seen(
    model: &Model,
    (above, below): (&Level, &Level),
    component: &Component,
    out: &mut Diagnostics,
) {
    for (index, other) in model.components.iter().enumerate() {
        if !matches!(other.role, Role::Seen) {
            continue;
        }
        let own = |level: &Level| {
            let variables =
                level.variables.iter().any(|v| model.variable(*v).component.index() == index);
            variables
                || level.operations.iter().any(|o| model.operation(*o).component.index() == index)
        };
        if own(above) && !own(below) {
            let message = format!(
                "`{}` does not see `{}`, which its abstraction sees",
                component.name, other.name
            );
            out.push(
                Diagnostic::new(Code::MISSING_SEES, component.span, message)
                    .help(format!("add {} to a clause SEES, or import it", other.name)),
            );
        }
    }
}

/// Variables, parameters and results of an implementation whose values no program has.
fn types(model: &Model, main: ComponentId, out: &mut Diagnostics) {
    let variables = model.variables.iter().filter(|v| v.component == main);
    let variables = variables.map(|v| (v.span, &v.name, v.ty));
    let operations = model.operations.iter().filter(|o| o.component == main);
    let locals = operations.flat_map(|o| o.parameters.iter().chain(&o.results));
    let locals = locals.map(|l| model.local(*l)).map(|l| (l.span, &l.name, l.ty));
    for (span, name, ty) in variables.chain(locals) {
        if is_concrete(model, ty) {
            continue;
        }
        let message =
            format!("`{name}` has a type that the implementation `{}` cannot have", model.name);
        out.push(Diagnostic::new(Code::NOT_IMPLEMENTABLE, span, message).help(
            "values of a program are numbers, truth values, elements, strings, records, and arrays of these: \
             total functions",
        ));
    }
}

/// Scalars, records, and functions from tuples of scalars to these.
fn is_concrete(model: &Model, ty: TypeId) -> bool {
    match model.types.get(ty) {
        Type::Bool | Type::Integer | Type::Real | Type::String | Type::Given(_) => true,
        Type::Record(fields) => fields.iter().all(|f| is_concrete(model, f.1)),
        Type::Power(of) => match model.types.get(*of) {
            Type::Pair(from, to) => is_index(model, *from) && is_concrete(model, *to),
            _ => false,
        },
        Type::Pair(..) | Type::Free(..) => false,
    }
}

fn is_index(model: &Model, ty: TypeId) -> bool {
    match model.types.get(ty) {
        Type::Bool | Type::Integer | Type::Given(_) => true,
        Type::Pair(a, b) => is_index(model, *a) && is_index(model, *b),
        _ => false,
    }
}

/// What cannot be translated to a programming language.
struct Implementable<'a> {
    model: &'a Model,
    out: &'a mut Diagnostics,
}

impl Implementable<'_> {
    /// A precondition at the top is the caller's business.
    fn operation(&mut self, operation: &Operation) {
        match &operation.body.kind {
            SubstKind::Pre(_, inner) => self.subst(inner),
            _ => self.subst(&operation.body),
        }
    }

    fn subst(&mut self, s: &Subst) {
        if let Some(what) = abstract_form(&s.kind) {
            let help =
                "an implementation is a program: use IF, CASE, VAR, WHILE, `;` and operation calls";
            self.told(s.span, what, help);
        }
        // What a loop promises is for the proof only.
        if let SubstKind::While(w) = &s.kind {
            self.pred(&w.condition);
            return stacker::maybe_grow(64 << 10, 1 << 20, || self.subst(&w.body));
        }
        if let SubstKind::Assert(_, _, inner) = &s.kind {
            return stacker::maybe_grow(64 << 10, 1 << 20, || self.subst(inner));
        }
        let mut below = Vec::new();
        s.parts(&mut |part| below.push(part));
        stacker::maybe_grow(64 << 10, 1 << 20, || {
            for part in below {
                match part {
                    Part::Subst(s) => self.subst(s),
                    Part::Pred(p) => self.pred(p),
                    Part::Expr(e) => self.expr(e),
                    Part::Target(_) | Part::Binds(_) => {}
                }
            }
        });
    }

    fn pred(&mut self, p: &Pred) {
        if matches!(p.kind, PredKind::Forall(..) | PredKind::Exists(..)) {
            self.told(p.span, "a quantifier", "compute the condition with a WHILE loop");
        }
    }

    fn expr(&mut self, e: &Expr) {
        let what = match &e.kind {
            ExprKind::Comprehension(_) => "a set comprehension",
            ExprKind::Quantified(..) => "a quantified expression",
            _ => return,
        };
        self.told(e.span, what, "compute the value with a WHILE loop");
    }

    fn told(&mut self, span: Span, what: &str, help: &str) {
        let name = &self.model.name;
        let message = format!("{what} has no place in the implementation `{name}`");
        self.out.push(Diagnostic::new(Code::NOT_IMPLEMENTABLE, span, message).help(help));
    }
}

/// Substitutions that choose, or do several things at once.
fn abstract_form(kind: &SubstKind) -> Option<&'static str> {
    Some(match kind {
        SubstKind::Any(..) => "ANY",
        SubstKind::Select(..) => "SELECT",
        SubstKind::Choice(_) => "CHOICE",
        SubstKind::Parallel(_) => "a parallel substitution",
        SubstKind::BecomesElement(..) => "`::`",
        SubstKind::BecomesSuch(_) => "`:(…)`",
        SubstKind::Pre(..) => "PRE below the top of an operation",
        _ => return None,
    })
}
