//! What one conjunct offers: a value, the elements of a set, its parts.

use super::*;

impl Cx<'_> {
    /// What one atom offers.
    pub(super) fn offers(
        &self,
        index: usize,
        atom: &Atom,
        open: &BTreeSet<Name>,
        offer: &mut dyn FnMut(Candidate),
    ) {
        let PredKind::Compare(op, a, b) = &atom.pred.kind else {
            return;
        };
        match op {
            CompareOp::Equal => {
                for (pattern, value) in [(a, b), (b, a)] {
                    if self.unknown_in_expr(value, open).is_empty()
                        && let Some(binds) = self.pattern_binds(pattern, open)
                    {
                        offer(Candidate {
                            cost: 0.0,
                            unbounded: false,
                            binds,
                            settles: vec![index],
                            how: How::Value {
                                pattern: (**pattern).clone(),
                                value: (**value).clone(),
                            },
                        });
                    }
                }
                let has = |e: &Expr| !self.unknown_in_expr(e, open).is_empty();
                if a.ty == beeline_model::TypeTable::INTEGER
                    && let Some(solved) = solve_for(*op, a, b, &has)
                    && let Some(binds) = self.pattern_binds(&solved.name, open)
                {
                    offer(Candidate {
                        cost: 0.5,
                        unbounded: false,
                        binds,
                        settles: vec![index],
                        how: How::Value { pattern: solved.name, value: solved.other },
                    });
                }
            }
            CompareOp::Member => {
                if self.unknown_in_expr(b, open).is_empty()
                    && let Some(binds) = self.pattern_binds(a, open)
                {
                    let mut cost = self.set_size(b).max(1.0);
                    let keyed = matches!(&a.kind, ExprKind::Binary(BinaryOp::Pair, l, _)
                        if self.unknown_in_expr(l, open).is_empty());
                    let unbounded = !keyed && self.is_infinite_set(b);
                    if keyed {
                        cost = cost.min(1.5);
                    } else if unbounded {
                        cost = INFINITE;
                    }
                    offer(Candidate {
                        cost,
                        unbounded,
                        binds,
                        settles: vec![index],
                        how: How::Member { pattern: (**a).clone(), set: (**b).clone() },
                    });
                }
            }
            CompareOp::Subset | CompareOp::StrictSubset => {
                if self.unknown_in_expr(b, open).is_empty()
                    && let Some(name) = as_name(a)
                    && open.contains(&name)
                {
                    offer(Candidate {
                        cost: self.set_size(b).exp2().clamp(2.0, INFINITE),
                        unbounded: self.is_infinite_set(b),
                        binds: BTreeSet::from([name]),
                        settles: if *op == CompareOp::Subset { vec![index] } else { Vec::new() },
                        how: How::Subset { name, set: (**b).clone(), span: atom.pred.span },
                    });
                }
            }
            _ => {}
        }
    }

    /// Is a set expression plainly infinite?
    pub(super) fn is_infinite_set(&self, e: &Expr) -> bool {
        use BinaryOp as B;
        match &e.kind {
            ExprKind::Basic(set) => {
                !matches!(set, BasicSet::Bool | BasicSet::Int | BasicSet::Nat | BasicSet::Nat1)
            }
            ExprKind::Function(_) => true,
            ExprKind::Unary(op, a) => match op {
                UnaryOp::Power
                | UnaryOp::Power1
                | UnaryOp::Finite
                | UnaryOp::Finite1
                | UnaryOp::Iseq
                | UnaryOp::Iseq1
                | UnaryOp::Perm => self.is_infinite_set(a),
                UnaryOp::Seq | UnaryOp::Seq1 => true,
                _ => false,
            },
            ExprKind::Binary(op, a, b) => match op {
                B::Union => self.is_infinite_set(a) || self.is_infinite_set(b),
                B::Difference => self.is_infinite_set(a),
                B::Intersection => self.is_infinite_set(a) && self.is_infinite_set(b),
                B::Cartesian => self.is_infinite_set(a) || self.is_infinite_set(b),
                op if crate::spaces::arrow(*op as usize).is_some() => {
                    self.is_infinite_set(a) || self.is_infinite_set(b)
                }
                _ => false,
            },
            ExprKind::RecordSet(sets) => sets.iter().any(|s| self.is_infinite_set(s)),
            _ => false,
        }
    }

    /// `s : seq(S) & size(s) = n`: a function on `1..n`.
    pub(super) fn sequences(
        &self,
        atoms: &[Atom],
        open: &BTreeSet<Name>,
        offer: &mut dyn FnMut(Candidate),
    ) {
        for atom in atoms {
            if let Some((name, set)) = self.sized_sequence(atoms, atom, open) {
                let PredKind::Compare(_, pattern, _) = &atom.pred.kind else { continue };
                offer(Candidate {
                    cost: self.set_size(&set).max(1.0),
                    unbounded: self.is_infinite_set(&set),
                    binds: BTreeSet::from([name]),
                    // What both atoms say is tested: a length may be below zero.
                    settles: Vec::new(),
                    how: How::Member { pattern: (**pattern).clone(), set },
                });
            }
        }
    }

    /// The functions that a sequence of known length is one of.
    pub(crate) fn sized_sequence(
        &self,
        atoms: &[Atom],
        atom: &Atom,
        open: &BTreeSet<Name>,
    ) -> Option<(Name, Expr)> {
        let PredKind::Compare(CompareOp::Member, a, b) = &atom.pred.kind else { return None };
        let name = as_name(a).filter(|n| !atom.done && open.contains(n))?;
        let ExprKind::Unary(
            op @ (UnaryOp::Seq | UnaryOp::Seq1 | UnaryOp::Iseq | UnaryOp::Iseq1),
            of,
        ) = &b.kind
        else {
            return None;
        };
        if !self.unknown_in_expr(of, open).is_empty() {
            return None;
        }
        let length = |p: &Pred| {
            let PredKind::Compare(CompareOp::Equal, a, b) = &p.kind else { return None };
            [(a, b), (b, a)].into_iter().find_map(|(size, n)| match &size.kind {
                ExprKind::Unary(UnaryOp::Size | UnaryOp::Card, s)
                    if as_name(s) == Some(name) && self.unknown_in_expr(n, open).is_empty() =>
                {
                    Some((**n).clone())
                }
                _ => None,
            })
        };
        let n = atoms.iter().filter(|a| !a.done).find_map(|a| length(&a.pred))?;
        let injective = matches!(op, UnaryOp::Iseq | UnaryOp::Iseq1);
        let arrow = if injective { BinaryOp::TotalInjections } else { BinaryOp::TotalFunctions };
        let keys = Expr {
            ty: n.ty,
            span: n.span,
            kind: ExprKind::Binary(
                BinaryOp::Interval,
                Box::new(normal::integer(1, &n)),
                Box::new(n.clone()),
            ),
        };
        let kind = ExprKind::Binary(arrow, Box::new(keys), of.clone());
        let set = Expr { kind, ty: b.ty, span: b.span };
        Some((name, set))
    }
}
