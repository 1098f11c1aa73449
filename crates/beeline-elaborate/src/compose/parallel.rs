//! No variable may be written twice at once.

use beeline_model::{Model, Place, Subst, SubstKind};
use beeline_source::{Code, Diagnostic, Diagnostics, Span};

/// Checks all initialisations and operations.
pub(super) fn check(model: &Model, out: &mut Diagnostics) {
    let initialisations = model.levels.iter().flat_map(|l| &l.initialisation).map(|(_, s)| s);
    for s in model.operations.iter().map(|o| &o.body).chain(initialisations) {
        subst(s, model, out);
    }
}

/// The places that a substitution writes, each with its first mention.
type Writes = Vec<(Place, Span)>;

fn subst(s: &Subst, model: &Model, out: &mut Diagnostics) -> Writes {
    stacker::maybe_grow(64 << 10, 1 << 20, || match &s.kind {
        SubstKind::Skip | SubstKind::External(..) => Vec::new(),
        SubstKind::Assign(list) => {
            let mut writes = Vec::new();
            for assignment in list {
                add(&mut writes, assignment.target.place, assignment.target.span, model, out);
            }
            writes
        }
        SubstKind::BecomesElement(places, _) => places.iter().map(|p| (*p, s.span)).collect(),
        SubstKind::BecomesSuch(b) => b.places.iter().map(|p| (*p, s.span)).collect(),
        SubstKind::Pre(_, s)
        | SubstKind::Assert(_, _, s)
        | SubstKind::Any(_, _, s)
        | SubstKind::Let(_, s)
        | SubstKind::Var(_, s) => subst(s, model, out),
        SubstKind::While(w) => subst(&w.body, model, out),
        SubstKind::If(branches, otherwise) => {
            any(branches.iter().map(|b| &b.1), otherwise, model, out)
        }
        SubstKind::Select(branches, otherwise) => {
            any(branches.iter().map(|b| &b.1), otherwise, model, out)
        }
        SubstKind::Case(_, branches, otherwise) => {
            any(branches.iter().map(|b| &b.1), otherwise, model, out)
        }
        SubstKind::Choice(list) | SubstKind::Sequence(list) => any(list, &None, model, out),
        SubstKind::Parallel(list) => {
            let mut writes = Vec::new();
            for part in list {
                for (place, span) in subst(part, model, out) {
                    add(&mut writes, place, span, model, out);
                }
            }
            writes
        }
        SubstKind::Call(call) => {
            let mut writes = Vec::new();
            for target in &call.results {
                add(&mut writes, target.place, target.span, model, out);
            }
            writes
        }
    })
}

/// One of several may happen: what any of them writes.
fn any<'s>(
    parts: impl IntoIterator<Item = &'s Subst>,
    otherwise: &'s Option<Box<Subst>>,
    model: &Model,
    out: &mut Diagnostics,
) -> Writes {
    let mut writes: Writes = Vec::new();
    for part in parts.into_iter().chain(otherwise.as_deref()) {
        for (place, span) in subst(part, model, out) {
            if !writes.iter().any(|w| w.0 == place) {
                writes.push((place, span));
            }
        }
    }
    writes
}

fn add(writes: &mut Writes, place: Place, span: Span, model: &Model, out: &mut Diagnostics) {
    let Some((_, first)) = writes.iter().find(|w| w.0 == place) else {
        writes.push((place, span));
        return;
    };
    let name = match place {
        Place::Variable(variable) => &model.variable(variable).name,
        Place::Local(local) => &model.local(local).name,
    };
    out.push(
        Diagnostic::new(
            Code::PARALLEL_WRITE,
            span,
            format!("`{name}` is assigned twice in parallel"),
        )
        .also(*first, "it is also assigned here")
        .help("use one assignment, or `;` to do one after the other"),
    );
}
