//! Elaborates the clauses of all instances, in stages.

mod levels;

pub(crate) use levels::add_conjuncts;

use super::{Contents, Declared, Instance, parallel, shown};
use crate::definitions::{Definitions, formula_body};
use crate::infer::{Node, Ty};
use crate::project::RefKind;
use crate::prompt::{self, Prompt};
use crate::typing::{Argument, Elaborator, LocalKind, Scope, Section};
use beeline_model::{
    CompareOp, Conjunct, Formula, Model, Operation, Pred, PredKind, Subst, SubstKind,
};
use beeline_source::{Code, Diagnostic, Diagnostics, Span};
use beeline_syntax::ast::{ClauseKind, Constant, ExprKind, Machine, MachineKind};

/// What elaboration leaves behind beside the model.
pub(crate) struct Filled {
    pub model: Model,
    pub out: Diagnostics,
    pub used_definitions: rustc_hash::FxHashSet<(usize, u32)>,
    /// One a prompt, in order.
    pub formulas: Vec<Option<Formula>>,
}

/// Elaborates everything and flattens it.
pub(crate) fn fill(
    declared: Declared<'_>,
    definitions: &[Definitions<'_>],
    prompts: &[Prompt],
    out: Diagnostics,
) -> Filled {
    let Declared {
        model,
        order,
        instances,
        scopes,
        signatures,
        constructors,
        free_parameters,
        main,
        ..
    } = declared;
    let main_file = instances[main].file;
    let mut elaborator = Elaborator::new(model, &scopes[main], &definitions[main_file]);
    elaborator.out = out;
    elaborator.signatures = signatures;
    elaborator.constructors = constructors;
    elaborator.free_parameters = free_parameters;
    let mut filler = Filler {
        elaborator,
        instances: &instances,
        scopes: &scopes,
        definitions,
        order,
        main,
        contents: instances.iter().map(|_| Contents::default()).collect(),
    };
    filler.begin();
    filler.constants();
    filler.invariants();
    filler.signatures();
    filler.the_rest();
    let bodies = filler.operations();
    if !filler.elaborator.out.has_errors() {
        filler.special();
    }
    filler.enter(main, Section::Special);
    let formulas = prompts
        .iter()
        .map(|p| p.formula.as_ref().map(|f| prompt::elaborate(&mut filler.elaborator, f)))
        .collect();
    filler.into_model(bodies, formulas)
}

pub(super) struct Filler<'a> {
    pub elaborator: Elaborator<'a>,
    pub instances: &'a [Instance<'a>],
    pub scopes: &'a [Scope],
    pub definitions: &'a [Definitions<'a>],
    /// Dependencies first.
    pub order: Vec<usize>,
    pub main: usize,
    pub contents: Vec<Contents>,
}

impl<'a> Filler<'a> {
    pub fn enter(&mut self, index: usize, section: Section) {
        let file = self.instances[index].file;
        self.elaborator.enter(index, &self.scopes[index], &self.definitions[file]);
        self.elaborator.section = section;
    }

    /// Fresh types for everything declared.
    fn begin(&mut self) {
        let e = &mut self.elaborator;
        for set in 0..e.model.sets.len() {
            let ty = e.infer.add(Node::Given(beeline_model::SetId(set as u32)));
            e.set_ty.push(ty);
        }
        for _ in 0..e.model.constants.len() {
            let ty = e.infer.fresh();
            e.constant_ty.push(ty);
        }
        for _ in 0..e.model.variables.len() {
            let ty = e.infer.fresh();
            e.variable_ty.push(ty);
        }
        for &index in &self.order {
            check_clauses(self.instances[index].machine, &mut self.elaborator.out);
        }
        self.elaborator.allow_local_calls = self.allows("ALLOW_LOCAL_OPERATION_CALLS");
        self.elaborator.allow_complex_lets = self.allows("ALLOW_COMPLEX_LETS");
    }

    /// Does the main machine set this preference to TRUE?
    fn allows(&self, preference: &str) -> bool {
        let definitions = &self.definitions[self.instances[self.main].file];
        definitions
            .get(&format!("SET_PREF_{preference}"))
            .and_then(|entry| formula_body(entry.definition))
            .is_some_and(|body| matches!(&body.peeled().kind, ExprKind::Constant(Constant::True)))
    }

    /// Bound names for the parameters and results of all operations.
    fn signatures(&mut self) {
        let instances = self.instances;
        for instance in instances {
            for (id, operation) in &instance.operations {
                let signature_parameters = operation
                    .parameters
                    .iter()
                    .map(|p| self.elaborator.local(p, LocalKind::ReadOnly))
                    .collect();
                let results = operation
                    .results
                    .iter()
                    .map(|r| self.elaborator.local(r, LocalKind::Writable))
                    .collect();
                let signature = &mut self.elaborator.signatures[id.index()];
                signature.parameters = signature_parameters;
                signature.results = results;
            }
        }
    }

    /// Arguments, CONSTRAINTS, PROPERTIES, VALUES and free types of all instances.
    fn constants(&mut self) {
        for index in 0..self.instances.len() {
            // A machine stands before those it includes, so its own arguments are known here.
            for (name, expr, from) in &self.instances[index].arguments {
                self.enter(*from, Section::Static);
                let ty = Ty(self.elaborator.expr(expr).ty.0);
                let (scope, definitions) = (self.elaborator.scope, self.elaborator.definitions);
                self.elaborator.arguments.push(Argument {
                    name: name.clone(),
                    expr,
                    scope,
                    definitions,
                    ty,
                });
            }
        }
        for index in self.order.clone() {
            self.enter(index, Section::Static);
            let machine = self.instances[index].machine;
            for clause in &machine.clauses {
                match &clause.kind {
                    ClauseKind::Constraints(p) => {
                        self.contents[index].constraints = self.elaborator.conjuncts(p);
                    }
                    ClauseKind::Properties(p) => {
                        self.elaborator.section = Section::Properties;
                        self.contents[index].properties = self.elaborator.conjuncts(p);
                        self.elaborator.section = Section::Static;
                    }
                    ClauseKind::Values(values) => {
                        for (name, value) in values {
                            let conjunct = self.value(name, value);
                            self.contents[index].values.push(conjunct);
                        }
                    }
                    ClauseKind::FreeTypes(types) => self.free_types(index, types),
                    _ => {}
                }
            }
        }
        self.elaborator.settle();
        self.check_typed_constants();
        self.elaborator.end_section();
        for part in &mut self.contents {
            self.elaborator.finish(&mut part.constraints);
            self.elaborator.finish(&mut part.properties);
            self.elaborator.finish(&mut part.values);
        }
        self.elaborator.finish_free_types();
    }

    fn value(
        &mut self,
        name: &'a beeline_syntax::ast::Ident,
        value: &'a beeline_syntax::ast::Expr,
    ) -> Conjunct {
        let left = self.elaborator.name_value(name);
        let right = self.elaborator.expr(value);
        let span = name.span.to(value.span);
        // A deferred set may be given a value of another type: its elements stand for those, so it
        // has as many.
        let same_type = self.elaborator.infer.unify(Ty(left.ty.0), Ty(right.ty.0)).is_ok();
        let (left, right) = if same_type {
            (left, right)
        } else {
            (self.elaborator.card(left), self.elaborator.card(right))
        };
        let kind = PredKind::Compare(CompareOp::Equal, Box::new(left), Box::new(right));
        Conjunct { pred: Pred { kind, span }, label: None, span }
    }

    fn free_types(&mut self, index: usize, types: &'a [beeline_syntax::ast::FreeType]) {
        for free in types {
            let entity = self.scopes[index].names.get(&free.name.name).copied();
            let Some(crate::typing::Entity::FreeType(id)) = entity else { continue };
            self.elaborator.define_free_type(id, free);
        }
    }

    fn check_typed_constants(&mut self) {
        if self.elaborator.out.has_errors() {
            return;
        }
        for index in 0..self.elaborator.constant_ty.len() {
            let ty = self.elaborator.constant_ty[index];
            if self.elaborator.infer.is_ground(ty) {
                self.elaborator.report_too_large(self.elaborator.model.constants[index].span);
                continue;
            }
            let constant = &self.elaborator.model.constants[index];
            let (what, clause) = match constant.kind {
                beeline_model::ConstantKind::Parameter => ("parameter", "CONSTRAINTS"),
                _ => ("constant", "PROPERTIES"),
            };
            let message = format!("the type of {what} `{}` cannot be inferred", constant.name);
            let help = format!("say what it is in {clause}, for example {} : S", constant.name);
            self.elaborator
                .out
                .push(Diagnostic::new(Code::TYPE_UNKNOWN, constant.span, message).help(help));
        }
    }

    /// INVARIANT of all instances, abstractions first.
    fn invariants(&mut self) {
        for index in self.order.clone() {
            self.enter(index, Section::Invariant);
            for clause in &self.instances[index].machine.clauses {
                if let ClauseKind::Invariant(p) = &clause.kind {
                    self.contents[index].invariants = self.elaborator.conjuncts(p);
                }
            }
        }
        self.elaborator.settle();
        self.check_typed_variables();
        self.elaborator.end_section();
        for part in &mut self.contents {
            self.elaborator.finish(&mut part.invariants);
        }
    }

    fn check_typed_variables(&mut self) {
        if self.elaborator.out.has_errors() {
            return;
        }
        for index in 0..self.elaborator.variable_ty.len() {
            let ty = self.elaborator.variable_ty[index];
            if self.elaborator.infer.is_ground(ty) {
                self.elaborator.report_too_large(self.elaborator.model.variables[index].span);
                continue;
            }
            let variable = &self.elaborator.model.variables[index];
            let message = format!("the type of variable `{}` cannot be inferred", variable.name);
            let help = format!("say what it is in the INVARIANT: {} : S", variable.name);
            self.elaborator
                .out
                .push(Diagnostic::new(Code::TYPE_UNKNOWN, variable.span, message).help(help));
        }
    }

    /// ASSERTIONS, INITIALISATION and VARIANT.
    fn the_rest(&mut self) {
        for index in self.order.clone() {
            for clause in &self.instances[index].machine.clauses {
                match &clause.kind {
                    ClauseKind::Assertions(list) => {
                        self.enter(index, Section::Invariant);
                        for p in list {
                            let conjuncts = self.elaborator.conjuncts(p);
                            self.contents[index].assertions.extend(conjuncts);
                        }
                    }
                    ClauseKind::Initialisation(s) => {
                        self.enter(index, Section::Operations);
                        let subst = self.elaborator.subst(s);
                        self.contents[index].initialisation = Some(subst);
                    }
                    ClauseKind::Variant(e) => {
                        self.enter(index, Section::Invariant);
                        let variant = self.elaborator.expr(e);
                        self.contents[index].variants.push(variant);
                    }
                    _ => {}
                }
            }
        }
    }

    /// The bodies of all operations; abstract ones first, so that refinements know their types.
    fn operations(&mut self) -> Vec<Operation> {
        let mut bodies: Vec<Option<Operation>> =
            (0..self.elaborator.signatures.len()).map(|_| None).collect();
        for index in self.order.clone() {
            self.enter(index, Section::Operations);
            let instance = &self.instances[index];
            for (id, operation) in &instance.operations {
                let refines = self.refined(index, *id, operation);
                let signature = self.elaborator.signatures[id.index()].clone();
                let locals = signature
                    .parameters
                    .iter()
                    .chain(&signature.results)
                    .copied()
                    .collect::<Vec<_>>();
                self.check_signature(operation);
                for local in &locals {
                    self.elaborator.bind(*local);
                }
                self.elaborator.calls.clear();
                let body = self.elaborator.subst(&operation.body);
                self.elaborator.unbind(locals.len());
                self.check_calls(*id);
                bodies[id.index()] = Some(Operation {
                    name: signature.name,
                    parameters: signature.parameters,
                    results: signature.results,
                    body,
                    reads: Vec::new(),
                    writes: Vec::new(),
                    refines,
                    inherited: Vec::new(),
                    lost_preconditions: Vec::new(),
                    component: instance.component,
                    span: operation.span,
                });
            }
        }
        self.elaborator.end_section();
        for part in &mut self.contents {
            self.elaborator.finish(&mut part.assertions);
            self.elaborator.finish(&mut part.initialisation);
            self.elaborator.finish(&mut part.variants);
        }
        let mut operations = Vec::with_capacity(bodies.len());
        for (index, body) in bodies.into_iter().enumerate() {
            let mut operation = body.unwrap_or_else(|| Operation {
                name: self.elaborator.signatures[index].name.clone(),
                parameters: Vec::new(),
                results: Vec::new(),
                body: Subst { kind: SubstKind::Skip, span: Span::NONE },
                reads: Vec::new(),
                writes: Vec::new(),
                refines: Vec::new(),
                inherited: Vec::new(),
                lost_preconditions: Vec::new(),
                component: beeline_model::ComponentId(0),
                span: Span::NONE,
            });
            self.elaborator.finish(&mut operation.body);
            operations.push(operation);
        }
        operations
    }

    fn check_signature(&mut self, operation: &beeline_syntax::ast::Operation) {
        let all: Vec<_> = operation.parameters.iter().chain(&operation.results).collect();
        for (i, name) in all.iter().enumerate() {
            if let Some(first) = all[..i].iter().find(|n| n.name == name.name) {
                let message = format!("`{}` is declared twice", name.name);
                self.elaborator.out.push(
                    Diagnostic::new(Code::DUPLICATE_NAME, name.span, message)
                        .also(first.span, "first declared here"),
                );
            }
        }
    }

    /// No operation may call itself, directly or not. Only calls to later ones can close a circle.
    fn check_calls(&mut self, id: beeline_model::OperationId) {
        let calls = std::mem::take(&mut self.elaborator.calls);
        for (callee, span) in calls {
            let graph = self.elaborator.call_graph.entry(id).or_default();
            if !graph.contains(&callee) {
                graph.push(callee);
            }
            if self.elaborator.reaches(callee, id) {
                let name = self.elaborator.signatures[callee.index()].name.clone();
                let message = format!("the call of `{name}` is recursive");
                self.elaborator.out.push(Diagnostic::new(Code::RECURSIVE_CALL, span, message));
            }
        }
    }

    /// The abstract operation that this one refines; their signatures must agree.
    fn refined(
        &mut self,
        index: usize,
        id: beeline_model::OperationId,
        operation: &beeline_syntax::ast::Operation,
    ) -> Vec<beeline_model::OperationId> {
        let abstraction = self.instances[index].links.iter().find(|l| l.0 == RefKind::Refines);
        let Some(&(_, abstraction)) = abstraction else { return Vec::new() };
        let wanted = operation.refines.as_ref().unwrap_or(&operation.name);
        let interface = &self.instances[abstraction].interface;
        let Some((_, found)) = interface.iter().find(|(name, _)| *name == wanted.name) else {
            if let Some(missing) = &operation.refines {
                let message = format!("the abstraction has no operation `{}`", missing.name);
                self.elaborator.out.push(Diagnostic::new(
                    Code::UNKNOWN_OPERATION,
                    missing.span,
                    message,
                ));
            }
            return Vec::new();
        };
        let found = *found;
        let own = self.elaborator.signatures[id.index()].clone();
        let other = self.elaborator.signatures[found.index()].clone();
        let event = self.instances[index].machine.kind == MachineKind::System
            || operation.refines.is_some();
        if !event
            && (own.parameters.len() != other.parameters.len()
                || own.results.len() != other.results.len())
        {
            let message =
                format!("`{}` has a different signature from the operation it refines", own.name);
            self.elaborator.out.push(
                Diagnostic::new(Code::REFINED_SIGNATURE, own.span, message)
                    .also(other.span, "refined here"),
            );
            return vec![found];
        }
        let pairs = own.parameters.iter().zip(&other.parameters);
        for (mine, theirs) in pairs.chain(own.results.iter().zip(&other.results)) {
            let (a, b) = (self.elaborator.local_ty(*mine), self.elaborator.local_ty(*theirs));
            if event
                && self.elaborator.model.local(*mine).name
                    != self.elaborator.model.local(*theirs).name
            {
                continue;
            }
            if self.elaborator.infer.unify(a, b).is_err() {
                let local = self.elaborator.model.local(*mine);
                let message = format!("`{}` has a different type in the abstraction", local.name);
                let span = local.span;
                self.elaborator.out.push(Diagnostic::new(Code::REFINED_SIGNATURE, span, message));
            }
        }
        vec![found]
    }

    /// GOAL, SCOPE and the like, in the main machine.
    fn special(&mut self) {
        self.enter(self.main, Section::Special);
        crate::special::collect(
            &mut self.elaborator,
            &self.definitions[self.instances[self.main].file],
        );
    }

    fn into_model(mut self, operations: Vec<Operation>, formulas: Vec<Option<Formula>>) -> Filled {
        let e = &mut self.elaborator;
        e.ground_names();
        e.model.operations = operations;
        let parallel = self.allows("ALLOW_SIMULTANEOUS_ASSIGNMENTS");
        levels::build(&mut self);
        if !parallel {
            parallel::check(&self.elaborator.model, &mut self.elaborator.out);
        }
        if self.allows("SHOW_EVENTB_ANY_VALUES") {
            shown::any_values(&mut self.elaborator.model);
        }
        Filled {
            model: self.elaborator.model,
            out: self.elaborator.out,
            used_definitions: self.elaborator.used_definitions,
            formulas,
        }
    }
}

/// Clauses that others need (language reference, section 3.3).
fn check_clauses(machine: &Machine, out: &mut Diagnostics) {
    let has = |test: fn(&ClauseKind) -> bool| machine.clauses.iter().any(|c| test(&c.kind));
    let refinement = match machine.kind {
        MachineKind::Refinement => Some("refinement"),
        MachineKind::Implementation => Some("implementation"),
        _ => None,
    };
    if let Some(word) = refinement {
        if !has(|c| matches!(c, ClauseKind::Refines(_))) {
            let message =
                format!("the {word} `{}` does not say what it refines", machine.name.name);
            out.push(
                Diagnostic::new(Code::MISSING_CLAUSE, machine.name.span, message)
                    .help("add a clause REFINES with the name of the more abstract machine"),
            );
        }
        return;
    }
    let mut missing = |keyword: Span, what: &str, clause: &str| {
        let message = format!("a machine with {what} needs a clause {clause}");
        out.push(Diagnostic::new(Code::MISSING_CLAUSE, keyword, message));
    };
    for clause in &machine.clauses {
        match &clause.kind {
            ClauseKind::Constants(_, names)
                if !names.is_empty() && !has(|c| matches!(c, ClauseKind::Properties(_))) =>
            {
                missing(clause.keyword, "constants", "PROPERTIES");
            }
            ClauseKind::Variables(_, names) if !names.is_empty() => {
                if !has(|c| matches!(c, ClauseKind::Invariant(_))) {
                    missing(clause.keyword, "variables", "INVARIANT");
                }
                if !has(|c| matches!(c, ClauseKind::Initialisation(_))) {
                    missing(clause.keyword, "variables", "INITIALISATION");
                }
            }
            ClauseKind::Constraints(_) if machine.parameters.is_empty() => {
                missing(clause.keyword, "CONSTRAINTS but without parameters", "PROPERTIES instead");
            }
            _ => {}
        }
    }
    let scalar = machine.parameters.iter().find(|p| p.name.chars().any(char::is_lowercase));
    if let Some(scalar) = scalar
        && !has(|c| matches!(c, ClauseKind::Constraints(_)))
    {
        missing(scalar.span, "a scalar parameter", "CONSTRAINTS");
    }
}
