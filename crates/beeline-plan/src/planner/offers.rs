//! What one conjunct offers: a value, the elements of a set, its parts.

use super::*;

impl Planner<'_> {
    /// What one atom offers.
    pub(super) fn offers(
        &self,
        index: usize,
        atoms: &[Atom],
        unbound: &BTreeSet<Name>,
        offer: &mut dyn FnMut(Candidate),
    ) {
        let atom = &atoms[index];
        let PredKind::Compare(op, a, b) = &atom.pred.kind else {
            return;
        };
        // First what only a length tells: the same conjunct as a generator may have no end.
        self.lengths(atom, unbound, offer);
        match op {
            CompareOp::Equal => {
                for (pattern, value) in [(a, b), (b, a)] {
                    if self.unknown_in_expr(value, unbound).is_empty()
                        && let Some(binds) = self.pattern_binds(pattern, unbound)
                    {
                        offer(Candidate {
                            // Nothing is better than the one value that there is.
                            cost: 0.0,
                            unbounded: false,
                            binds,
                            settles: vec![index],
                            how: Generator::Value {
                                pattern: (**pattern).clone(),
                                value: (**value).clone(),
                            },
                        });
                    }
                }
                for (whole, value) in [(a, b), (b, a)] {
                    if self.unknown_in_expr(value, unbound).is_empty() {
                        self.pieces(index, whole, value, unbound, offer);
                        self.united(whole, value, atom.pred.span, unbound, offer);
                    }
                }
                let has = |e: &Expr| !self.unknown_in_expr(e, unbound).is_empty();
                if a.ty == beeline_model::TypeTable::INTEGER
                    && let Some(solved) = solve_for(*op, a, b, &has)
                    && let Some(binds) = self.pattern_binds(&solved.name, unbound)
                {
                    offer(Candidate {
                        // One value as well, but after those that are written down.
                        cost: 0.5,
                        unbounded: false,
                        binds,
                        settles: vec![index],
                        how: Generator::Value { pattern: solved.name, value: solved.other },
                    });
                }
            }
            CompareOp::Member => {
                if self.unknown_in_expr(b, unbound).is_empty()
                    && let Some(binds) = self.pattern_binds(a, unbound)
                {
                    let mut cost = self.set_size(b).max(1.0);
                    // With its left side known a pair is looked up, not searched for.
                    let keyed = matches!(&a.kind, ExprKind::Binary(BinaryOp::Pair, l, _)
                        if self.unknown_in_expr(l, unbound).is_empty());
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
                        how: self.within(a, b, atoms, unbound).unwrap_or_else(|| {
                            Generator::Member { pattern: (**a).clone(), set: (**b).clone() }
                        }),
                    });
                }
            }
            CompareOp::Subset | CompareOp::StrictSubset => {
                if self.unknown_in_expr(b, unbound).is_empty()
                    && let Some(name) = as_name(a)
                    && unbound.contains(&name)
                {
                    offer(Candidate {
                        cost: self.set_size(b).exp2().clamp(2.0, INFINITE),
                        unbounded: self.is_infinite_set(b),
                        binds: BTreeSet::from([name]),
                        // All subsets include the whole itself, which `<<:` excludes.
                        settles: if *op == CompareOp::Subset { vec![index] } else { Vec::new() },
                        how: Generator::Subset { name, set: (**b).clone(), span: atom.pred.span },
                    });
                }
            }
            _ => {}
        }
    }

    /// An integer that is in a set, of which nobody knows yet whether it is infinite, and between
    /// bounds.
    fn within(
        &self,
        a: &Expr,
        set: &Expr,
        atoms: &[Atom],
        unbound: &BTreeSet<Name>,
    ) -> Option<Generator> {
        let name = as_name(a).filter(|n| unbound.contains(n))?;
        // What is written out is known to be finite or not; a name may stand for either.
        let named = matches!(
            set.kind,
            ExprKind::Constant(_)
                | ExprKind::Variable(_)
                | ExprKind::Local(_)
                | ExprKind::Apply(..)
        );
        if !named || name.ty(self.model) != beeline_model::TypeTable::INTEGER {
            return None;
        }
        let Bounds { lows, highs, .. } = self.bounds_of(name, atoms, unbound);
        let bounded = !lows.is_empty() && !highs.is_empty();
        bounded.then(|| Generator::Within { name, set: set.clone(), lows, highs })
    }

    /// `a ^ b = S`: all ways to cut S.
    fn pieces(
        &self,
        index: usize,
        whole: &Expr,
        value: &Expr,
        unbound: &BTreeSet<Name>,
        offer: &mut dyn FnMut(Candidate),
    ) {
        let mut parts = Vec::new();
        operands(BinaryOp::Concat, whole, &mut parts);
        let mut binds = BTreeSet::new();
        for part in &parts {
            match as_name(part).filter(|n| unbound.contains(n)) {
                Some(name) => {
                    binds.insert(name);
                }
                // It must have a value when its piece is looked at.
                None if self.unknown_in_expr(part, unbound).is_empty() => {}
                None => return,
            }
        }
        if parts.len() > 1 && !binds.is_empty() {
            offer(Candidate {
                // A sequence of n items is cut in about n ways for each further part, and n is unknown.
                cost: 10.0 * parts.len() as f64,
                unbounded: false,
                binds,
                settles: vec![index],
                how: Generator::Pieces {
                    parts: parts.into_iter().cloned().collect(),
                    value: value.clone(),
                },
            });
        }
    }

    /// `{x} \/ s \/ … = S`: x is in S, and s is within it.
    fn united(
        &self,
        whole: &Expr,
        value: &Expr,
        span: Span,
        unbound: &BTreeSet<Name>,
        offer: &mut dyn FnMut(Candidate),
    ) {
        let mut parts = Vec::new();
        operands(BinaryOp::Union, whole, &mut parts);
        if parts.len() < 2 && !matches!(whole.kind, ExprKind::SetExtension(_)) {
            return;
        }
        let unbounded = self.is_infinite_set(value);
        for part in parts {
            if let Some(name) = as_name(part).filter(|n| unbound.contains(n)) {
                offer(Candidate {
                    // The others say more: the solver shall know.
                    cost: self.set_size(value).exp2().clamp(WORTH_SOLVING * 2.0, INFINITE),
                    unbounded,
                    binds: BTreeSet::from([name]),
                    settles: Vec::new(),
                    how: Generator::Subset { name, set: value.clone(), span },
                });
            }
            let ExprKind::SetExtension(elements) = &part.kind else { continue };
            for element in elements {
                if let Some(binds) = self.pattern_binds(element, unbound) {
                    offer(Candidate {
                        cost: self.set_size(value).max(1.0),
                        unbounded,
                        binds,
                        settles: Vec::new(),
                        how: Generator::Member { pattern: element.clone(), set: value.clone() },
                    });
                }
            }
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
                op if arrow(*op as usize).is_some() => {
                    self.is_infinite_set(a) || self.is_infinite_set(b)
                }
                _ => false,
            },
            ExprKind::RecordSet(sets) => sets.iter().any(|s| self.is_infinite_set(s)),
            ExprKind::Comprehension(b) | ExprKind::MapComprehension(b, _) => {
                self.has_free_integer(b)
            }
            _ => false,
        }
    }

    /// `s : seq(S) & size(s) = n`: a function on `1..n`.
    pub(super) fn sequences(
        &self,
        atoms: &[Atom],
        unbound: &BTreeSet<Name>,
        offer: &mut dyn FnMut(Candidate),
    ) {
        for atom in atoms {
            if let Some((name, set)) = self.sized_sequence(atoms, atom, unbound) {
                let PredKind::Compare(_, pattern, _) = &atom.pred.kind else { continue };
                offer(Candidate {
                    cost: self.set_size(&set).max(1.0),
                    unbounded: self.is_infinite_set(&set),
                    binds: BTreeSet::from([name]),
                    // What both atoms say is tested: a length may be below zero.
                    settles: Vec::new(),
                    how: Generator::Member { pattern: (**pattern).clone(), set },
                });
            }
        }
    }

    /// `s : seq(A) & s : iseq(B)`: a sequence of what is in both.
    pub(super) fn in_both(
        &self,
        atoms: &[Atom],
        unbound: &BTreeSet<Name>,
        offer: &mut dyn FnMut(Candidate),
    ) {
        let about = |atom: &Atom| {
            let PredKind::Compare(CompareOp::Member, a, b) = &atom.pred.kind else { return None };
            let ExprKind::Unary(op, of) = &b.kind else { return None };
            let name = as_name(a).filter(|n| !atom.done && unbound.contains(n))?;
            let (nonempty, injective) = sequence_space(*op)?;
            let known = self.unknown_in_expr(of, unbound).is_empty();
            known.then(|| ((name, (**a).clone()), (nonempty, injective), (**of).clone(), b.clone()))
        };
        let found: Vec<_> = atoms.iter().filter_map(about).collect();
        for (i, (first, one, of, like)) in found.iter().enumerate() {
            for (second, other, set, _) in &found[i + 1..] {
                if first.0 != second.0 {
                    continue;
                }
                let op = match (one.0 || other.0, one.1 || other.1) {
                    (false, false) => UnaryOp::Seq,
                    (true, false) => UnaryOp::Seq1,
                    (false, true) => UnaryOp::Iseq,
                    (true, true) => UnaryOp::Iseq1,
                };
                let both = ExprKind::Binary(
                    BinaryOp::Intersection,
                    Box::new(of.clone()),
                    Box::new(set.clone()),
                );
                let both = Expr { kind: both, ty: of.ty, span: of.span };
                let set = Expr {
                    kind: ExprKind::Unary(op, Box::new(both)),
                    ty: like.ty,
                    span: like.span,
                };
                offer(Candidate {
                    // Just below infinite: both say more than either, so this comes before either alone.
                    cost: self.set_size(&set).clamp(1.0, INFINITE * 0.9),
                    unbounded: self.is_infinite_set(&set),
                    binds: BTreeSet::from([first.0]),
                    settles: Vec::new(),
                    how: Generator::Member { pattern: first.1.clone(), set },
                });
            }
        }
    }

    /// The functions that a sequence of known length is one of.
    pub(super) fn sized_sequence(
        &self,
        atoms: &[Atom],
        atom: &Atom,
        unbound: &BTreeSet<Name>,
    ) -> Option<(Name, Expr)> {
        let PredKind::Compare(CompareOp::Member, a, b) = &atom.pred.kind else { return None };
        let name = as_name(a).filter(|n| !atom.done && unbound.contains(n))?;
        let ExprKind::Unary(
            op @ (UnaryOp::Seq | UnaryOp::Seq1 | UnaryOp::Iseq | UnaryOp::Iseq1),
            of,
        ) = &b.kind
        else {
            return None;
        };
        if !self.unknown_in_expr(of, unbound).is_empty() {
            return None;
        }
        let length = |p: &Pred| {
            let PredKind::Compare(CompareOp::Equal, a, b) = &p.kind else { return None };
            [(a, b), (b, a)].into_iter().find_map(|(size, n)| match &size.kind {
                ExprKind::Unary(UnaryOp::Size | UnaryOp::Card, s)
                    if as_name(s) == Some(name) && self.unknown_in_expr(n, unbound).is_empty() =>
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

/// The operands of an operator that is associative.
fn operands<'e>(op: BinaryOp, e: &'e Expr, out: &mut Vec<&'e Expr>) {
    match &e.kind {
        ExprKind::Binary(found, a, b) if *found == op => {
            operands(op, a, out);
            operands(op, b, out);
        }
        _ => out.push(e),
    }
}

/// Is this a set of sequences: of nonempty ones, of injective ones?
fn sequence_space(op: UnaryOp) -> Option<(bool, bool)> {
    match op {
        UnaryOp::Seq => Some((false, false)),
        UnaryOp::Seq1 => Some((true, false)),
        UnaryOp::Iseq => Some((false, true)),
        UnaryOp::Iseq1 => Some((true, true)),
        _ => None,
    }
}
