//! What lowering starts from: the typed model, and the values of what reads no variable.

use crate::domain::Kind;
use beeline_bounds::Value;
use beeline_compile::{Builder, ExprId, Scratch, System};
use beeline_model::{
    BasicSet, ConstantId, Expr, ExprKind, LocalId, Mentions, Model, OperationId, Pred, PredKind,
    Type, TypeId, UnaryOp, VariableId, visit_expr, visit_pred, visit_subst,
};
use beeline_source::Span;
use beeline_transition::ConstantsRef;
use beeline_value::{Store, Val};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::sync::OnceLock;

/// The model with its closed expressions compiled: those that read constants at most.
pub struct Source<'m> {
    pub(crate) model: &'m Model,
    closed: FxHashMap<(Span, TypeId), Vec<(Expr, ExprId)>>,
    /// Who knows something of variables in every reachable state, and what it was when he was asked.
    ask: Option<&'m (dyn Fn() -> Vec<(VariableId, Value)> + Sync)>,
    bounds: OnceLock<FxHashMap<VariableId, Value>>,
}

impl<'m> Source<'m> {
    /// Compiles the closed expressions of operations and checks into a system in the making.
    pub fn new(model: &'m Model, builder: &mut Builder) -> Source<'m> {
        let mut walk = Collect { found: Vec::new() };
        for operation in builder.system().operations() {
            visit_subst(&model.operation(operation.id).body, &mut walk);
        }
        for level in &model.levels {
            level.all_conjuncts().for_each(|c| visit_pred(&c.pred, &mut walk));
        }
        let special = &model.special;
        special.goal.iter().chain(&special.scope).for_each(|p| visit_pred(p, &mut walk));
        let found: Vec<&Expr> = walk.found.iter().collect();
        // What cannot be compiled has no number: lowering then does without its value.
        let ids = builder.exprs(model, &found);
        let mut closed: FxHashMap<_, Vec<(Expr, ExprId)>> = FxHashMap::default();
        for (expr, id) in walk.found.into_iter().zip(ids) {
            if let Some(id) = id {
                // A place is not enough: a definition that is used twice gives different formulas
                // one place.
                closed.entry((expr.span, expr.ty)).or_default().push((expr, id));
            }
        }
        Source { model, closed, ask: None, bounds: OnceLock::new() }
    }

    /// The same, with somebody who knows what variables are in every reachable state: for layouts. He is asked
    /// once, and only where types and invariants do not say enough.
    pub fn with_bounds(
        mut self,
        ask: &'m (dyn Fn() -> Vec<(VariableId, Value)> + Sync),
    ) -> Source<'m> {
        self.ask = Some(ask);
        self
    }

    /// What is known of a variable in every reachable state.
    pub(crate) fn bounds(&self, variable: VariableId) -> Option<&Value> {
        let ask = self.ask?;
        self.bounds.get_or_init(|| ask().into_iter().collect()).get(&variable)
    }

    fn find(&self, e: &Expr) -> Option<ExprId> {
        let bucket = self.closed.get(&(e.span, e.ty))?;
        bucket.iter().find(|(known, _)| known == e).map(|(_, id)| *id)
    }
}

/// What takes longer than so many steps to evaluate beforehand is left to the general engine.
const STEPS: u64 = 200_000;

/// Collects the largest closed expressions that are more than a name or a literal.
struct Collect {
    found: Vec<Expr>,
}

impl Mentions for Collect {
    fn enter(&mut self, e: &Expr) -> bool {
        let plain = matches!(
            e.kind,
            ExprKind::Integer(_)
                | ExprKind::Bool(_)
                | ExprKind::Element(..)
                | ExprKind::EmptySet
                | ExprKind::Variable(_)
                | ExprKind::Constant(_)
                | ExprKind::Local(_)
                | ExprKind::MaxInt
                | ExprKind::MinInt
        );
        // What is inside of an open expression may be closed.
        if plain || !is_closed(e) {
            return true;
        }
        self.found.push(e.clone());
        // The parts of a set may be asked for where the whole is too large to list.
        matches!(
            e.kind,
            ExprKind::Unary(
                UnaryOp::Power | UnaryOp::Power1 | UnaryOp::Finite | UnaryOp::Finite1,
                _
            ) | ExprKind::Binary(..)
        )
    }
}

/// Reads it neither variables nor names from outside?
fn is_closed(e: &Expr) -> bool {
    let mut names = Free { depends: false, mentioned: FxHashSet::default(), bound: Vec::new() };
    visit_expr(e, &mut names);
    let bound: FxHashSet<LocalId> = names.bound.into_iter().collect();
    !names.depends && names.mentioned.is_subset(&bound)
}

struct Free {
    /// Reads a variable, or something that may change from call to call.
    depends: bool,
    mentioned: FxHashSet<LocalId>,
    bound: Vec<LocalId>,
}

impl Mentions for Free {
    fn reads(&mut self, _: VariableId) {
        self.depends = true;
    }

    fn calls(&mut self, _: OperationId) {
        self.depends = true;
    }

    fn local(&mut self, local: LocalId) {
        self.mentioned.insert(local);
    }

    fn enter(&mut self, e: &Expr) -> bool {
        match &e.kind {
            // Names are unique in a model: one that is bound anywhere inside is not one from
            // outside.
            ExprKind::Comprehension(b)
            | ExprKind::MapComprehension(b, _)
            | ExprKind::Lambda(b, _)
            | ExprKind::Quantified(_, b, _) => self.bound.extend(&b.locals),
            ExprKind::Let(values, _) => self.bound.extend(values.iter().map(|v| v.0)),
            // What an external function says may change from call to call.
            ExprKind::External(..) => self.depends = true,
            _ => {}
        }
        !self.depends
    }

    fn enter_pred(&mut self, p: &Pred) {
        match &p.kind {
            PredKind::Forall(locals, _) | PredKind::Exists(locals, _) => self.bound.extend(locals),
            PredKind::Let(values, _) => self.bound.extend(values.iter().map(|v| v.0)),
            PredKind::External(..) => self.depends = true,
            _ => {}
        }
    }
}

/// Values of closed expressions under one valuation of the constants.
pub(crate) struct Consts<'a> {
    pub system: &'a System,
    pub source: &'a Source<'a>,
    constants: ConstantsRef<'a>,
    scratch: RefCell<Scratch>,
    known: RefCell<FxHashMap<ExprId, Option<Val>>>,
}

impl<'a> Consts<'a> {
    /// The scalar skeleton of a type.
    pub fn kind(&self, ty: TypeId) -> Option<Kind> {
        match self.source.model.types.get(ty) {
            Type::Bool => Some(Kind::Bool),
            Type::Integer => Some(Kind::Integer),
            Type::Given(set) => {
                let (_, size) = self.system.set_sizes().get(set.index())?;
                Some(Kind::Given(set.0, u32::try_from(*size).ok()?))
            }
            Type::Pair(a, b) => {
                Some(Kind::Pair(Box::new(self.kind(*a)?), Box::new(self.kind(*b)?)))
            }
            _ => None,
        }
    }

    pub fn new(
        system: &'a System,
        source: &'a Source<'a>,
        constants: ConstantsRef<'a>,
    ) -> Consts<'a> {
        let scratch = RefCell::new(system.brief_scratch(STEPS));
        Consts { system, source, constants, scratch, known: RefCell::default() }
    }

    pub fn store(&self) -> &Store {
        self.system.store()
    }

    /// The value of an expression that reads no variable and no local.
    pub fn value(&self, e: &Expr) -> Option<Val> {
        let store = self.store();
        let settings = self.system.settings();
        match &e.kind {
            ExprKind::Integer(i) => Some(store.big_int(i.clone())),
            ExprKind::Bool(b) => Some(Val::bool(*b)),
            ExprKind::Element(set, index) => Some(Val::atom(set.0, *index)),
            ExprKind::MaxInt => Some(store.int(settings.max_int)),
            ExprKind::MinInt => Some(store.int(settings.min_int)),
            ExprKind::EmptySet => Some(Val::EMPTY),
            ExprKind::Constant(c) => self.constant(*c),
            ExprKind::Basic(BasicSet::Bool) => Some(store.set_sorted(vec![Val::FALSE, Val::TRUE])),
            ExprKind::GivenSet(set) => {
                let (_, size) = self.system.set_sizes().get(set.index())?;
                let atoms = (0..u32::try_from(*size).ok()?).map(|i| Val::atom(set.0, i));
                Some(store.set_sorted(atoms.collect()))
            }
            _ => {
                let id = self.source.find(e)?;
                if let Some(known) = self.known.borrow().get(&id) {
                    return *known;
                }
                let scratch = &mut self.scratch.borrow_mut();
                let value = self.system.value(id, self.constants, None, scratch).ok();
                self.known.borrow_mut().insert(id, value);
                value
            }
        }
    }

    fn constant(&self, id: ConstantId) -> Option<Val> {
        let position = self.system.constants().iter().position(|c| c.id == id)?;
        self.constants.words().get(position).map(|w| Val::from_raw(*w)).filter(|v| *v != Val::UNSET)
    }

    /// An integer, if it is one.
    pub fn integer(&self, e: &Expr) -> Option<i64> {
        self.store().as_i64(self.value(e)?)
    }
}
