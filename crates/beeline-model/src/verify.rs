//! A checker of the typed model itself: what every later stage relies on, stated and tested.
//!
//! [`verify`] is for tests and debugging, between the stages; a model that was loaded without an error gives
//! no complaint. It knows what must be true of a model, and nothing of how one is made.
//!
//! `formula` checks types and bound names of formulas, `subst` those of substitutions.

mod formula;
mod subst;

use crate::{
    ComponentId, Conjunct, Footprint, Level, LocalId, Model, Operation, SetKind, Type, TypeId,
    TypeTable, VariableId,
};
use beeline_source::Span;

/// How many complaints are kept: the first ones tell enough.
const MAX_COMPLAINTS: usize = 100;

/// Everything that is wrong with a model; empty for a good one.
pub fn verify(model: &Model) -> Vec<String> {
    let mut verifier = Verifier {
        model,
        complaints: Vec::new(),
        place: String::new(),
        formula: Span::NONE,
        in_scope: vec![false; model.locals.len()],
        bound_in: vec![None; model.locals.len()],
    };
    verifier.types();
    verifier.tables();
    verifier.static_formulas();
    verifier.operations();
    for (index, level) in model.levels.iter().enumerate() {
        verifier.level(index, level);
    }
    verifier.special();
    verifier.complaints
}

struct Verifier<'m> {
    model: &'m Model,
    complaints: Vec<String>,
    /// What is being looked at, for messages.
    place: String,
    /// The formula that is being looked at.
    formula: Span,
    /// Bound names that are visible here.
    in_scope: Vec<bool>,
    /// The formula that binds a name; a formula of a shared machine stands in several levels.
    bound_in: Vec<Option<Span>>,
}

impl Verifier<'_> {
    fn complain(&mut self, what: impl Into<String>) {
        if self.complaints.len() < MAX_COMPLAINTS {
            self.complaints.push(format!("{}: {}", self.place, what.into()));
        }
    }

    fn require(&mut self, good: bool, what: &str) {
        if !good {
            self.complain(what);
        }
    }

    /// Begins a new formula, in which no name is bound yet.
    fn begin(&mut self, place: String, formula: Span) {
        if self.in_scope.iter().any(|bound| *bound) {
            self.complain("a bound name outlives its formula");
            self.in_scope.fill(false);
        }
        self.place = place;
        self.formula = formula;
    }

    fn show(&self, ty: TypeId) -> String {
        if self.known(ty) { self.model.show_type(ty) } else { format!("type number {}", ty.0) }
    }

    fn known(&self, ty: TypeId) -> bool {
        ty.index() < self.model.types.len()
    }

    /// The table is well-founded: a type is made of earlier ones, and record fields are sorted.
    fn types(&mut self) {
        let model = self.model;
        for index in 0..model.types.len() {
            self.place = format!("type number {index}");
            let earlier = |t: &TypeId| t.index() < index;
            let good = match model.types.get(TypeId(index as u32)) {
                Type::Bool | Type::Integer | Type::Real | Type::String => index < 4,
                Type::Given(set) => set.index() < model.sets.len(),
                Type::Free(free, args) => {
                    let row = model.free_types.get(free.index());
                    row.is_some_and(|f| f.parameters == args.len()) && args.iter().all(earlier)
                }
                Type::Power(of) => earlier(of),
                Type::Pair(left, right) => earlier(left) && earlier(right),
                Type::Record(fields) => {
                    fields.iter().all(|f| earlier(&f.1))
                        && fields.windows(2).all(|w| w[0].0 < w[1].0)
                }
            };
            self.require(good, "is malformed");
        }
    }

    fn tables(&mut self) {
        let model = self.model;
        self.place = "model".into();
        self.require(!model.levels.is_empty(), "has no level");
        let component = |c: ComponentId| c.index() < model.components.len();
        for (index, set) in model.sets.iter().enumerate() {
            self.place = format!("set {}", set.name);
            self.require(component(set.component), "has no component");
            let given = Type::Given(crate::SetId(index as u32));
            let good = self.known(set.ty) && *model.types.get(set.ty) == given;
            self.require(good, "is not its own type");
            self.require(
                set.elements.is_some() == (set.kind == SetKind::Enumerated),
                "has elements exactly if it is enumerated",
            );
            let listed = set.elements.as_ref().map(|e| e.len() as u64);
            let fits = listed.is_none_or(|n| set.size.min == n && set.size.max == Some(n));
            self.require(fits, "has another size than it has elements");
        }
        for constant in &model.constants {
            self.place = format!("constant {}", constant.name);
            self.require(component(constant.component), "has no component");
            self.require(self.known(constant.ty), "has no type");
        }
        for variable in &model.variables {
            self.place = format!("variable {}", variable.name);
            self.require(component(variable.component), "has no component");
            self.require(self.known(variable.ty), "has no type");
        }
        for local in &model.locals {
            self.place = format!("local {}", local.name);
            self.require(self.known(local.ty), "has no type");
        }
    }

    fn static_formulas(&mut self) {
        let model = self.model;
        for free in &model.free_types {
            self.begin(format!("free type {}", free.name), free.span);
            self.require(free.locals.len() == free.parameters, "has a local for each parameter");
            self.bind(&free.locals);
            for (_, argument) in &free.constructors {
                if let Some(set) = argument {
                    self.expr(set);
                    self.set(set, "the argument of a constructor");
                }
            }
            self.unbind(&free.locals);
        }
        for property in &model.properties {
            self.begin("property".into(), property.conjunct.span);
            self.conjunct(&property.conjunct);
            let reads = Footprint::of_pred(&property.conjunct.pred).reads;
            self.require(reads.is_empty(), "reads a variable");
        }
    }

    fn conjunct(&mut self, conjunct: &Conjunct) {
        self.pred(&conjunct.pred);
    }

    fn operations(&mut self) {
        let model = self.model;
        for operation in &model.operations {
            self.begin(format!("operation {}", operation.name), operation.span);
            let component = operation.component.index() < model.components.len();
            self.require(component, "has no component");
            self.bind(&operation.parameters);
            self.bind(&operation.results);
            self.subst(&operation.body);
            self.unbind(&operation.parameters);
            self.unbind(&operation.results);
            let known = operation.refines.iter().all(|o| o.index() < model.operations.len());
            self.require(known, "refines what is not there");
            self.footprint(operation);
        }
    }

    /// Read and write sets are those of the body and of all it calls.
    fn footprint(&mut self, operation: &Operation) {
        let own = Footprint::of_subst(&operation.body);
        let mut wanted = own.clone();
        for call in &own.calls {
            let Some(callee) = self.model.operations.get(call.index()) else { continue };
            wanted.reads.extend(&callee.reads);
            wanted.writes.extend(&callee.writes);
        }
        for list in [&mut wanted.reads, &mut wanted.writes] {
            list.sort_unstable();
            list.dedup();
        }
        self.require(wanted.reads == operation.reads, "has another read set than its body");
        self.require(wanted.writes == operation.writes, "has another write set than its body");
    }

    fn level(&mut self, index: usize, level: &Level) {
        let model = self.model;
        let name = |c: ComponentId| model.components.get(c.index()).map_or("?", |c| &c.name);
        let word = format!("level {index} ({})", name(level.component));
        self.begin(word.clone(), Span::NONE);
        let known = |v: &VariableId| v.index() < model.variables.len();
        self.require(level.variables.iter().all(known), "has a variable that is not there");
        self.require(distinct(&level.variables), "has a variable twice");
        self.require(distinct(&level.operations), "offers an operation twice");
        for id in &level.operations {
            let Some(operation) = model.operations.get(id.index()) else {
                self.complain("offers an operation that is not there");
                continue;
            };
            let own = operation.writes.iter().all(|v| level.variables.contains(v));
            self.require(own, "offers an operation that writes the state of another level");
        }
        self.level_conjuncts(&word, level);
        for (component, subst) in &level.initialisation {
            let place = format!("initialisation of {} in {word}", name(*component));
            self.begin(place, subst.span);
            self.subst(subst);
            let writes = Footprint::of_subst(subst).writes;
            let own = writes.iter().all(|v| level.variables.contains(v));
            self.require(own, "writes the state of another level");
        }
        for variant in &level.variants {
            self.begin(format!("variant of {word}"), variant.span);
            self.expr(variant);
            let number = variant.ty == TypeTable::INTEGER;
            self.require(number || self.element(variant.ty).is_some(), "is neither number nor set");
        }
    }

    fn level_conjuncts(&mut self, word: &str, level: &Level) {
        let own = level.invariants.iter().map(|i| (i, true));
        for (invariant, own) in own.chain(level.gluing.invariants.iter().map(|i| (i, false))) {
            self.begin(format!("invariant of {word}"), invariant.conjunct.span);
            self.conjunct(&invariant.conjunct);
            let reads = Footprint::of_pred(&invariant.conjunct.pred).reads;
            self.require(level.keeps(&reads) == own, "is gluing exactly if it reads other levels");
            self.require(reads == invariant.reads, "has another read set than its predicate");
        }
        let own = level.assertions.iter().map(|a| (a, true));
        for (assertion, own) in own.chain(level.gluing.assertions.iter().map(|a| (a, false))) {
            self.begin(format!("assertion of {word}"), assertion.conjunct.span);
            self.conjunct(&assertion.conjunct);
            let reads = Footprint::of_pred(&assertion.conjunct.pred).reads;
            self.require(level.keeps(&reads) == own, "is gluing exactly if it reads other levels");
            self.require(assertion.dynamic != reads.is_empty(), "is dynamic if it reads variables");
        }
    }

    fn special(&mut self) {
        let special = &self.model.special;
        for pred in special.goal.iter().chain(&special.scope) {
            self.begin("GOAL or SCOPE".into(), pred.span);
            self.pred(pred);
        }
        if let Some(heuristic) = &special.heuristic {
            self.begin("HEURISTIC_FUNCTION".into(), heuristic.span);
            self.expr(heuristic);
        }
        self.place = "special definitions".into();
        let (sets, operations) = (self.model.sets.len(), self.model.operations.len());
        let known = special.forced_symmetry.iter().all(|s| s.index() < sets)
            && special.operation_limits.iter().all(|(o, _)| o.index() < operations);
        self.require(known, "speak of something that is not there");
    }

    /// Brings names into scope: each is bound once, in one formula.
    fn bind(&mut self, locals: &[LocalId]) {
        for local in locals {
            let Some(bound) = self.in_scope.get(local.index()).copied() else {
                self.complain("binds a name that is not there");
                continue;
            };
            let name = self.model.local(*local).name.clone();
            self.require(!bound, &format!("binds `{name}` inside its own scope"));
            match self.bound_in[local.index()] {
                Some(formula) if formula != self.formula => {
                    self.complain(format!("binds `{name}`, as another formula does"));
                }
                _ => self.bound_in[local.index()] = Some(self.formula),
            }
            self.in_scope[local.index()] = true;
        }
    }

    fn unbind(&mut self, locals: &[LocalId]) {
        for local in locals {
            if let Some(bound) = self.in_scope.get_mut(local.index()) {
                *bound = false;
            }
        }
    }

    fn element(&self, ty: TypeId) -> Option<TypeId> {
        self.known(ty).then(|| self.model.types.element(ty)).flatten()
    }

    /// Both sides of a relation type.
    fn sides(&self, ty: TypeId) -> Option<(TypeId, TypeId)> {
        self.model.types.halves(self.element(ty)?)
    }
}

fn distinct<T: PartialEq>(list: &[T]) -> bool {
    list.iter().enumerate().all(|(i, x)| !list[..i].contains(x))
}
