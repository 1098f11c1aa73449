//! Values taken apart: which names a pattern binds, and its compiled form.

use super::*;

impl Cx<'_> {
    /// The names a pattern binds; nothing if it is no pattern, or binds nothing.
    pub(crate) fn pattern_binds(&self, e: &Expr, open: &BTreeSet<Name>) -> Option<BTreeSet<Name>> {
        let mut binds = BTreeSet::new();
        self.shape(e, open, &mut binds)?;
        (!binds.is_empty()).then_some(binds)
    }

    pub(super) fn shape<'e>(
        &self,
        e: &'e Expr,
        open: &BTreeSet<Name>,
        binds: &mut BTreeSet<Name>,
    ) -> Option<Shape<'e>> {
        if let Some(name) = as_name(e)
            && open.contains(&name)
            && binds.insert(name)
        {
            return Some(Shape::Bind(name));
        }
        let unknown = self.unknown_in_expr(e, open);
        // What the pattern itself has bound further left may be used.
        if unknown.iter().all(|n| binds.contains(n)) {
            return Some(Shape::Check(e));
        }
        match &e.kind {
            ExprKind::Binary(BinaryOp::Pair, a, b) => {
                let left = self.shape(a, open, binds)?;
                let right = self.shape(b, open, binds)?;
                Some(Shape::Pair(Box::new(left), Box::new(right)))
            }
            ExprKind::Record(fields) => {
                let parts: Option<Vec<_>> =
                    fields.iter().map(|f| self.shape(f, open, binds)).collect();
                Some(Shape::Record(parts?))
            }
            _ => None,
        }
    }

    pub(crate) fn pattern(&mut self, e: &Expr, open: &BTreeSet<Name>) -> Option<Pattern> {
        let shape = self.shape(e, open, &mut BTreeSet::new())?;
        Some(self.compile_shape(shape))
    }

    pub(super) fn compile_shape(&mut self, shape: Shape<'_>) -> Pattern {
        match shape {
            Shape::Bind(name) => Pattern::Bind(self.name_slot(name)),
            Shape::Check(e) => Pattern::Check(self.kept(e), e.span),
            Shape::Pair(a, b) => {
                let (a, b) = (self.compile_shape(*a), self.compile_shape(*b));
                Pattern::Pair(Box::new(a), Box::new(b))
            }
            Shape::Record(parts) => {
                Pattern::Record(parts.into_iter().map(|p| self.compile_shape(p)).collect())
            }
        }
    }
}
