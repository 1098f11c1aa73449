//! Integers between bounds that comparisons give.

use super::*;

impl Planner<'_> {
    /// What atoms say directly about an integer.
    pub(super) fn bounds_of(&self, name: Name, atoms: &[Atom], unbound: &BTreeSet<Name>) -> Bounds {
        use CompareOp as C;
        let has = |e: &Expr| !self.unknown_in_expr(e, unbound).is_empty();
        let (mut lows, mut highs, mut settles) = (Vec::new(), Vec::new(), Vec::new());
        let mut span = Span::NONE;
        for (i, atom) in atoms.iter().enumerate() {
            let PredKind::Compare(op, a, b) = &atom.pred.kind else {
                continue;
            };
            if atom.done || !atom.needs.contains(&name) {
                continue;
            }
            if *op == C::Member {
                if as_name(a) != Some(name) {
                    continue;
                }
                match &b.kind {
                    ExprKind::Basic(set) if lower_bound(*set).is_some() => {
                        lows.push(normal::integer(lower_bound(*set).unwrap_or(0), a));
                        settles.push(i);
                    }
                    // Says nothing, and need not be tested either.
                    ExprKind::Basic(BasicSet::Integer) => settles.push(i),
                    ExprKind::Binary(BinaryOp::Interval, lo, hi) if !has(lo) && !has(hi) => {
                        lows.push((**lo).clone());
                        highs.push((**hi).clone());
                        settles.push(i);
                    }
                    _ => {}
                }
                continue;
            }
            if !matches!(op, C::Less | C::LessEqual | C::Greater | C::GreaterEqual) {
                continue;
            }
            // `x + 1 <= n` bounds x as well: brought to one side, the rest must be known.
            let Some(solved) = solve_for(*op, a, b, &has) else {
                continue;
            };
            if as_name(&solved.name) != Some(name) {
                continue;
            }
            span = atom.pred.span;
            settles.push(i);
            match solved.op {
                // Bounds are inclusive from here on.
                C::Less => highs.push(shifted(&solved.other, -1)),
                C::LessEqual => highs.push(solved.other),
                C::Greater => lows.push(shifted(&solved.other, 1)),
                _ => lows.push(solved.other),
            }
        }
        Bounds { lows, highs, settles, span }
    }

    pub(super) fn intervals(
        &self,
        atoms: &[Atom],
        unbound: &BTreeSet<Name>,
        offer: &mut dyn FnMut(Candidate),
    ) {
        let mut all: BTreeMap<Name, Bounds> = BTreeMap::new();
        for &name in unbound {
            if name.ty(self.model) == beeline_model::TypeTable::INTEGER {
                all.insert(name, self.bounds_of(name, atoms, unbound));
            }
        }
        pass_on(atoms, &mut all);
        for (name, Bounds { lows, highs, settles, span }) in all {
            if !lows.is_empty() || !highs.is_empty() {
                // Half an interval is offered too: with nothing better it is tried as far as MAXINT, and said so.
                let unbounded = lows.is_empty() || highs.is_empty();
                let cost = if unbounded { INFINITE } else { self.interval_cost(&lows, &highs) };
                offer(Candidate {
                    cost,
                    unbounded,
                    binds: BTreeSet::from([name]),
                    settles,
                    how: Generator::Between { name, lows, highs, span },
                });
            }
        }
    }

    pub(super) fn interval_cost(&self, lows: &[Expr], highs: &[Expr]) -> f64 {
        lows.iter()
            .flat_map(|lo| highs.iter().map(move |hi| (lo, hi)))
            .map(|(lo, hi)| {
                let set = Expr {
                    kind: ExprKind::Binary(
                        BinaryOp::Interval,
                        Box::new(lo.clone()),
                        Box::new(hi.clone()),
                    ),
                    ty: lo.ty,
                    span: lo.span,
                };
                self.set_size(&set).max(1.0)
            })
            // Any pair of bounds is sound; the narrowest says most.
            .fold(INFINITE, f64::min)
    }
}

/// An integer that has no bound on a side takes that of another it is compared with: from `i < j` and
/// `j <= n` comes a bound of i. The comparison stays to be tested.
fn pass_on(atoms: &[Atom], all: &mut BTreeMap<Name, Bounds>) {
    // Chains are short: three rounds carry a bound over three comparisons, and the rest is tested anyway.
    for _ in 0..3 {
        for atom in atoms.iter().filter(|a| !a.done) {
            let PredKind::Compare(op, a, b) = &atom.pred.kind else { continue };
            let (Some(a), Some(b)) = (as_name(a), as_name(b)) else { continue };
            let (less, more, gap) = match op {
                CompareOp::Less => (a, b, 1),
                CompareOp::LessEqual => (a, b, 0),
                CompareOp::Greater => (b, a, 1),
                CompareOp::GreaterEqual => (b, a, 0),
                _ => continue,
            };
            let (Some(x), Some(y)) = (all.get(&less), all.get(&more)) else { continue };
            let highs: Vec<Expr> = y.highs.iter().map(|e| shifted(e, -gap)).collect();
            let lows: Vec<Expr> = x.lows.iter().map(|e| shifted(e, gap)).collect();
            if let Some(x) = all.get_mut(&less)
                && x.highs.is_empty()
            {
                x.highs = highs;
            }
            if let Some(y) = all.get_mut(&more)
                && y.lows.is_empty()
            {
                y.lows = lows;
            }
        }
    }
}
