//! Parts of a state: a variable, or a place inside its value that is named by an index, a field or an
//! element.

use beeline_model::{BinaryOp, Expr, ExprKind, LocalId, Model, Type, TypeId, UnaryOp, VariableId};

/// A variable and a way into its value; the empty way means the whole value.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The variable.
    pub variable: VariableId,
    /// From the outside to the inside.
    pub path: Vec<PartStep>,
}

/// One step into a value.
#[derive(Clone, Debug, PartialEq)]
pub enum PartStep {
    /// `f(i)`: what a function or relation has at `i`.
    At(Expr),
    /// `r'a`, by position in the type of the record.
    Field(TypeId, usize),
    /// `e : s`: whether `e` is an element.
    Has(Expr),
}

impl Part {
    /// A whole variable.
    pub fn whole(variable: VariableId) -> Part {
        Part { variable, path: Vec::new() }
    }

    /// The part that an expression names, if it names one: `f(i)'a`. An index with one of the
    /// `bound` names is not the same everywhere: the way ends before it.
    pub fn of(e: &Expr, bound: &[LocalId]) -> Option<Part> {
        match &e.kind {
            ExprKind::Variable(v) => Some(Part::whole(*v)),
            ExprKind::Apply(f, index) => {
                Part::of(f, bound)?.then(f, PartStep::At((**index).clone()), bound)
            }
            ExprKind::Field(record, at) => {
                Part::of(record, bound)?.then(record, PartStep::Field(record.ty, *at), bound)
            }
            _ => None,
        }
    }

    /// One step further, if all of `e` was named so far, and the step means one place.
    pub(crate) fn then(mut self, e: &Expr, step: PartStep, bound: &[LocalId]) -> Option<Part> {
        let one_place = match &step {
            PartStep::At(index) | PartStep::Has(index) => !mentions(index, bound),
            PartStep::Field(..) => true,
        };
        if one_place && self.path.len() == depth(e) {
            self.path.push(step);
        }
        Some(self)
    }

    /// May a change of one be seen in the other? `false` only where they are different places for sure.
    pub fn overlaps(&self, other: &Part) -> bool {
        self.variable == other.variable
            && !self.path.iter().zip(&other.path).any(|(a, b)| a.is_apart(b))
    }

    /// As a model would name it.
    pub fn show(&self, model: &Model) -> String {
        let mut text = model.variable(self.variable).name.to_string();
        for step in &self.path {
            match step {
                PartStep::At(index) => text = format!("{text}({})", model.show_expr(index)),
                PartStep::Has(e) => text = format!("{} : {text}", model.show_expr(e)),
                PartStep::Field(ty, at) => {
                    let name = match model.types.get(*ty) {
                        Type::Record(fields) => fields.get(*at).map(|f| f.0.as_str()),
                        _ => None,
                    };
                    text = format!("{text}'{}", name.unwrap_or("?"));
                }
            }
        }
        text
    }
}

/// How many steps lead to an expression that names a part.
fn depth(e: &Expr) -> usize {
    match &e.kind {
        ExprKind::Apply(inner, _) | ExprKind::Field(inner, _) => 1 + depth(inner),
        _ => 0,
    }
}

impl PartStep {
    /// Different places for sure?
    fn is_apart(&self, other: &PartStep) -> bool {
        match (self, other) {
            (PartStep::Field(_, a), PartStep::Field(_, b)) => a != b,
            (PartStep::At(a), PartStep::At(b)) | (PartStep::Has(a), PartStep::Has(b)) => {
                differ(a, b)
            }
            _ => false,
        }
    }
}

/// Have two expressions different values, whatever the state is? Only what is plain to see.
pub fn differ(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Integer(a), ExprKind::Integer(b)) => a != b,
        (ExprKind::Bool(a), ExprKind::Bool(b)) => a != b,
        (ExprKind::String(a), ExprKind::String(b)) => a != b,
        (ExprKind::Element(s, a), ExprKind::Element(t, b)) => s == t && a != b,
        (ExprKind::Binary(BinaryOp::Pair, a, b), ExprKind::Binary(BinaryOp::Pair, c, d)) => {
            differ(a, c) || differ(b, d)
        }
        (ExprKind::Unary(UnaryOp::Negate, a), ExprKind::Unary(UnaryOp::Negate, b)) => differ(a, b),
        _ => false,
    }
}

/// Does an expression mention one of these names?
fn mentions(e: &Expr, names: &[LocalId]) -> bool {
    struct Found<'a>(&'a [LocalId], bool);
    impl beeline_model::Mentions for Found<'_> {
        fn local(&mut self, local: LocalId) {
            self.1 |= self.0.contains(&local);
        }
    }
    let mut found = Found(names, false);
    beeline_model::visit_expr(e, &mut found);
    found.1
}
