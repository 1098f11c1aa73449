//! A model with all that is claimed of it planted in it, so that exploring it checks every claim.

use beeline::bounds_analysis::{Bounds, ByFlow, Claims, Name, States, Value};
use beeline::model::{
    Conjunct, Footprint, Invariant, Model, OperationId, Pred, PredKind, Promise, Subst, SubstKind,
    fill_footprints,
};
use beeline::source::Span;

/// A claim that became a conjunct of the invariant.
pub struct Claim {
    /// In B.
    pub text: String,
}

pub struct Planted {
    /// The model; its invariant has one more conjunct for each claim.
    pub model: Model,
    /// The claims, in the order of the conjuncts.
    pub claims: Vec<Claim>,
}

impl Planted {
    pub fn new(model: &Model, bounds: &Bounds, states: &States, apart: &ByFlow) -> Planted {
        let mut planted = Planted { model: model.clone(), claims: Vec::new() };
        let mut claims = Claims::new(model);
        let mut of = |name: Name, value: &Value| claims.of(&name.expr(model), value);
        let invariant = model.concrete().invariants.iter().map(|i| i.conjunct.pred.clone());
        let invariant = pred(PredKind::And(invariant.collect()));
        let under =
            |claim: Pred| pred(PredKind::Implies(Box::new(invariant.clone()), Box::new(claim)));
        let plainly = states.constants.iter().chain(&states.variables);
        let plainly = plainly.flat_map(|(name, value)| of(*name, value)).collect::<Vec<Pred>>();
        let constants: Vec<Pred> =
            bounds.constants.iter().flat_map(|b| of(b.name, &b.value)).collect();
        let variables: Vec<Pred> =
            bounds.variables.iter().flat_map(|b| of(b.name, &b.value)).collect();
        for claim in plainly.into_iter().chain(constants) {
            planted.add(model, claim, false);
        }
        for claim in variables {
            planted.add(model, under(claim), true);
        }
        // Each state lies in a node.
        let nodes: Vec<Vec<Pred>> = apart
            .nodes
            .iter()
            .map(|node| node.variables.iter().flat_map(|(name, v)| of(*name, v)).collect())
            .collect();
        if nodes.len() > 1 && nodes.iter().all(|said| !said.is_empty()) {
            let nodes = nodes.into_iter().map(|said| pred(PredKind::And(said))).collect();
            planted.add(model, pred(PredKind::Or(nodes)), false);
        }
        for operation in &bounds.operations {
            let mut said: Vec<Pred> =
                operation.parameters.iter().flat_map(|b| of(b.name, &b.value)).collect();
            if operation.never {
                said.push(pred(PredKind::Bool(false)));
            }
            let said: Vec<Conjunct> = said.into_iter().map(|p| conjunct(under(p))).collect();
            if !said.is_empty() {
                planted.promise(operation.operation, said);
            }
        }
        planted.model.types = claims.types();
        fill_footprints(&mut planted.model.operations);
        planted
    }

    fn add(&mut self, model: &Model, claim: Pred, under_invariant: bool) {
        let text = match &claim.kind {
            PredKind::Implies(_, claim) if under_invariant => model.show_pred(claim),
            _ => model.show_pred(&claim),
        };
        let reads = Footprint::of_pred(&claim).reads;
        self.claims.push(Claim { text });
        let component = model.concrete().component;
        if let Some(level) = self.model.levels.last_mut() {
            let conjunct = conjunct(claim);
            level.invariants.push(Invariant { conjunct, component, only_types: false, reads });
        }
    }

    /// Conditions that must hold where an operation is enabled.
    fn promise(&mut self, id: OperationId, said: Vec<Conjunct>) {
        let operation = &mut self.model.operations[id.index()];
        let mut body = &mut operation.body;
        // The same way down as `guard_of` takes.
        let mut top = true;
        loop {
            let deeper = match &body.kind {
                SubstKind::Pre(..) => top,
                SubstKind::Any(..) => true,
                SubstKind::Select(branches, None) => branches.len() == 1,
                _ => false,
            };
            if !deeper {
                break;
            }
            match &mut body.kind {
                SubstKind::Pre(_, inner) => body = inner,
                SubstKind::Any(_, _, inner) => {
                    top = false;
                    body = inner;
                }
                SubstKind::Select(branches, _) => {
                    top = false;
                    body = &mut branches[0].1;
                }
                _ => return,
            }
        }
        let skip = Subst { kind: SubstKind::Skip, span: Span::NONE };
        let old = std::mem::replace(body, skip);
        body.kind = SubstKind::Assert(Promise::Assert, said, Box::new(old));
    }
}

fn pred(kind: PredKind) -> Pred {
    Pred { kind, span: Span::NONE }
}

fn conjunct(pred: Pred) -> Conjunct {
    Conjunct { pred, label: None, span: Span::NONE }
}
