//! From an Event-B project to the same typed model as for classical B.
//!
//! `chain` finds the machines and contexts that matter, `bijections` carrier sets that correspond to
//! something else, `statics` the sets, constants and axioms, and
//! `event` composes each event with the events it refines, so that the whole chain is run at once:
//! what a refinement owes its abstraction becomes a [`beeline_model::Promise`] inside the body of an operation.
//! `theory` turns operators into definitions. This module does not know how a project was written.

mod bijections;
mod chain;
mod event;
mod obligation;
mod proofs;
mod settled;
mod statics;
mod term;
mod theory;

use crate::Loaded;
use crate::compose::Contents;
use crate::definitions::Definitions;
use crate::infer::Node;
use crate::prompt::{self, Prompt};
use crate::typing::{Access, Elaborator, Entity, Scope, Section};
use beeline_eventb::{Event, Labelled, Project};
use beeline_model::{
    ComponentId, Gluing, Level, Model, Name, Operation, OperationId, Property, PropertyOrigin,
    Special, Subst, SubstKind, TypeId, TypeTable, Variable, VariableId,
};
use beeline_source::{Code, Diagnostic, Diagnostics, SourceMap, Span};
use beeline_syntax::ast::{Expr, FreeType};
use chain::Chain;

/// How a project is opened.
#[derive(Clone, Debug, Default)]
pub struct EventbOptions {
    /// The machine or context to open, instead of the project's own choice.
    pub main: Option<String>,
    /// Run this machine of the chain alone: without what it owes its abstractions.
    pub level: Option<String>,
}

/// Builds the model of a project that was read from `sources`.
pub fn load_project(
    project: &Project,
    mut sources: SourceMap,
    mut out: Diagnostics,
    options: &EventbOptions,
    formulas: &[&str],
) -> Loaded {
    let prompts: Vec<Prompt> =
        formulas.iter().map(|text| prompt::parse_eventb(text, &mut sources, &mut out)).collect();
    let built = if out.has_errors() { None } else { build(project, options, &prompts, &mut out) };
    out.sort();
    let (model, formulas) = match built {
        Some((model, formulas)) if !out.has_errors() => (Some(model), formulas),
        _ => (None, formulas.iter().map(|_| None).collect()),
    };
    Loaded { sources, diagnostics: out, model, formulas }
}

fn build(
    project: &Project,
    options: &EventbOptions,
    prompts: &[Prompt],
    out: &mut Diagnostics,
) -> Option<crate::Built> {
    let chain = Chain::of(project, options, out)?;
    match bijections::replaced(&chain, project) {
        Some(changed) => {
            let now = Chain::of(&changed, options, out)?;
            build_chain(&changed, &now, (project, &chain), prompts, out)
        }
        None => build_chain(project, &chain, (project, &chain), prompts, out),
    }
}

/// `written` is the project and its chain as their authors have them.
fn build_chain(
    project: &Project,
    chain: &Chain<'_>,
    written: (&Project, &Chain<'_>),
    prompts: &[Prompt],
    out: &mut Diagnostics,
) -> Option<crate::Built> {
    let operators = theory::definitions(&project.theories);
    let definitions = Definitions::of_list(&operators, out);
    if out.has_errors() {
        return None;
    }
    let free_types = theory::free_types(&project.theories);
    let problems = theory::problems(chain, &project.theories, &operators, &free_types);
    problems.into_iter().for_each(|p| out.push(p));
    if out.has_errors() {
        return None;
    }
    let recursive = theory::context(chain, &project.theories);
    let chain = &chain.with(recursive.as_ref());
    let fixed = survey(chain, &free_types, &definitions);
    let mut model = empty_model(chain);
    let found = statics::declare(chain, &fixed, &free_types, &mut model, out);
    let scopes = machine_scopes(chain, &found.scope, &mut model, out);
    if out.has_errors() {
        return None;
    }
    let mut elaborator = Elaborator::new(model, &found.scope, &definitions);
    elaborator.out = std::mem::take(out);
    let mut builder = Builder {
        elaborator,
        chain,
        statics: &found,
        scopes: &scopes,
        definitions: &definitions,
        late: recursive.is_some(),
    };
    builder.begin(&free_types);
    let axioms = builder.axioms();
    let mut contents = builder.invariants();
    builder.variants(&mut contents);
    let operations = builder.events();
    let initialisation = builder.initialisation();
    let main = scopes.len().saturating_sub(1);
    builder.enter(main, Section::Special);
    let formulas = prompts
        .iter()
        .map(|p| p.formula.as_ref().map(|f| prompt::elaborate(&mut builder.elaborator, f)))
        .collect();
    let (mut model, found) = builder.finish(axioms, contents, operations, initialisation);
    *out = found;
    if out.has_errors() {
        return None;
    }
    crate::sizes::narrow(&mut model);
    let obliged = obligation::Obliged::new(written.0, written.1, &model);
    let known = proofs::preserved(chain, project, &obliged, model.concrete());
    (model.proofs, model.claims) = (known.proofs, known.claims);
    Some((model, formulas))
}

fn empty_model(chain: &Chain<'_>) -> Model {
    Model {
        name: chain.name.clone(),
        components: chain.components(),
        types: TypeTable::new(),
        sets: Vec::new(),
        free_types: Vec::new(),
        constants: Vec::new(),
        variables: Vec::new(),
        locals: Vec::new(),
        externals: Vec::new(),
        properties: Vec::new(),
        operations: Vec::new(),
        levels: Vec::new(),
        special: Special::default(),
        proofs: Vec::new(),
        claims: Vec::new(),
    }
}

/// Which constants can stand for elements of deferred sets: a first look at the axioms alone.
fn survey(
    chain: &Chain<'_>,
    free_types: &[FreeType],
    definitions: &Definitions<'_>,
) -> statics::Fixed {
    let mut out = Diagnostics::new();
    let mut model = empty_model(chain);
    let found = statics::declare(chain, &Vec::new(), free_types, &mut model, &mut out);
    let elaborator = Elaborator::new(model, &found.scope, definitions);
    let mut builder =
        Builder { elaborator, chain, statics: &found, scopes: &[], definitions, late: false };
    builder.begin(free_types);
    let axioms = builder.axioms();
    if builder.elaborator.out.has_errors() || out.has_errors() {
        return Vec::new();
    }
    let e = &mut builder.elaborator;
    e.ground_names();
    let model = &mut e.model;
    for (component, _, conjuncts) in axioms.into_iter().filter(|a| !a.1) {
        let origin = PropertyOrigin::Properties;
        let property = |conjunct| Property { conjunct, origin, component };
        model.properties.extend(conjuncts.into_iter().map(property));
    }
    let representatives = crate::sizes::representatives(model);
    let named =
        |c: beeline_model::ConstantId| (model.constant(c).name.clone(), model.constant(c).span);
    representatives
        .into_iter()
        .map(|(set, list)| (model.set(set).name.clone(), list.into_iter().map(named).collect()))
        .collect()
}

/// A scope a machine: the names of contexts, its variables, and those of its abstractions.
fn machine_scopes(
    chain: &Chain<'_>,
    statics: &Scope,
    model: &mut Model,
    out: &mut Diagnostics,
) -> Vec<Scope> {
    let mut names = statics.names.clone();
    let mut scopes = Vec::new();
    for (level, machine) in chain.machines.iter().enumerate() {
        let mut own: Vec<&Name> = Vec::new();
        for variable in &machine.variables {
            let name = &variable.name;
            let twice = own.contains(&name)
                || matches!(names.get(name), Some(e) if !matches!(e, Entity::Variable(..)));
            if twice {
                let message = format!("`{name}` is declared twice");
                out.push(Diagnostic::new(Code::DUPLICATE_NAME, variable.span, message));
                continue;
            }
            own.push(name);
            // The same name in an abstraction is the same variable.
            if names.contains_key(name) {
                continue;
            }
            let id = VariableId(model.variables.len() as u32);
            model.variables.push(Variable {
                name: name.clone(),
                ty: TypeId(0),
                component: chain.machine_component(level),
                span: variable.span,
            });
            names.insert(name.clone(), Entity::Variable(id, Access::Own));
        }
        scopes.push(Scope { names: names.clone(), ..Scope::default() });
    }
    scopes
}

/// An axiom: the component it stands in, whether it is a theorem, and what it says.
type Axiom = (ComponentId, bool, Vec<beeline_model::Conjunct>);

struct Builder<'a> {
    elaborator: Elaborator<'a>,
    chain: &'a Chain<'a>,
    statics: &'a statics::Statics<'a>,
    scopes: &'a [Scope],
    definitions: &'a Definitions<'a>,
    /// Machines may say what types the operators of theories have: axioms are finished with them.
    late: bool,
}

impl<'a> Builder<'a> {
    fn begin(&mut self, free_types: &'a [FreeType]) {
        let e = &mut self.elaborator;
        for free in free_types {
            e.constructors.push(free.constructors.iter().map(|c| c.1.as_ref()).collect());
            e.free_parameters.push(free.parameters.iter().map(|p| p.name.clone()).collect());
        }
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
        for (number, free) in free_types.iter().enumerate() {
            e.define_free_type(beeline_model::FreeTypeId(number as u32), free);
        }
    }

    /// From now on names mean what they mean in this machine (or in the contexts, without any).
    fn enter(&mut self, level: usize, section: Section) {
        let scope = self.scopes.get(level).unwrap_or(&self.statics.scope);
        self.elaborator.enter(level, scope, self.definitions);
        self.elaborator.section = section;
    }

    fn labelled(&mut self, formula: &'a Expr, label: &Name) -> Vec<beeline_model::Conjunct> {
        let mut conjuncts = self.elaborator.conjuncts(formula);
        for conjunct in &mut conjuncts {
            conjunct.label = (!label.is_empty()).then(|| label.clone());
        }
        conjuncts
    }

    /// Axioms and theorems of contexts, with the component each stands in.
    fn axioms(&mut self) -> Vec<Axiom> {
        let mut axioms = Vec::new();
        self.enter(usize::MAX, Section::Properties);
        for (component, axiom) in &self.statics.axioms {
            let conjuncts = self.labelled(&axiom.formula, &axiom.label);
            axioms.push((*component, axiom.theorem, conjuncts));
        }
        if !self.late {
            self.finish_axioms(&mut axioms);
        }
        axioms
    }

    fn finish_axioms(&mut self, axioms: &mut [Axiom]) {
        self.elaborator.settle();
        self.check_types(true);
        self.elaborator.end_section();
        for (_, _, conjuncts) in axioms {
            self.elaborator.finish(conjuncts);
        }
        self.elaborator.finish_free_types();
    }

    /// Every constant, or every variable, must have a type by now.
    fn check_types(&mut self, constants: bool) {
        let e = &mut self.elaborator;
        if e.out.has_errors() {
            return;
        }
        let types = if constants { e.constant_ty.clone() } else { e.variable_ty.clone() };
        for (index, ty) in types.into_iter().enumerate() {
            let (what, where_, name, span) = if constants {
                let row = &e.model.constants[index];
                ("constant", "axioms", row.name.clone(), row.span)
            } else {
                let row = &e.model.variables[index];
                ("variable", "invariants", row.name.clone(), row.span)
            };
            if e.infer.is_ground(ty) {
                e.report_too_large(span);
                continue;
            }
            let message = format!("the type of {what} `{name}` cannot be inferred");
            let help = format!("say what it is in the {where_}, for example {name} ∈ S");
            e.out.push(Diagnostic::new(Code::TYPE_UNKNOWN, span, message).help(help));
        }
    }

    /// Invariants and theorems of all machines, most abstract first.
    fn invariants(&mut self) -> Vec<Contents> {
        let mut all: Vec<Contents> = Vec::new();
        for (level, machine) in self.chain.machines.iter().enumerate() {
            self.enter(level, Section::Invariant);
            let mut contents = Contents::default();
            let invariants: &'a [Labelled] = &machine.invariants;
            for invariant in invariants {
                let conjuncts = self.labelled(&invariant.formula, &invariant.label);
                match invariant.theorem {
                    true => contents.assertions.extend(conjuncts),
                    false => contents.invariants.extend(conjuncts),
                }
            }
            all.push(contents);
        }
        all
    }

    fn variants(&mut self, all: &mut [Contents]) {
        for (level, machine) in self.chain.machines.iter().enumerate() {
            self.enter(level, Section::Invariant);
            let variants: &'a [Expr] = &machine.variants;
            all[level].variants = variants.iter().map(|v| self.elaborator.expr(v)).collect();
        }
    }

    /// The events of the most concrete machine, each with all it refines.
    fn events(&mut self) -> Vec<Operation> {
        let Some(level) = self.chain.machines.len().checked_sub(1) else { return Vec::new() };
        let machine = self.chain.machines[level];
        let mut operations: Vec<Operation> = Vec::new();
        for event in machine.events.iter().filter(|e| !e.is_initialisation()) {
            if operations.iter().any(|o| o.name == event.name.name) {
                let message = format!("event `{}` is declared twice", event.name.name);
                let span = event.name.span;
                self.elaborator.out.push(Diagnostic::new(Code::DUPLICATE_OPERATION, span, message));
                continue;
            }
            let composed = event::compose(self, level, event);
            operations.push(Operation {
                name: event.name.name.clone(),
                parameters: composed.parameters,
                results: Vec::new(),
                body: composed.body,
                reads: Vec::new(),
                writes: Vec::new(),
                inherited: Vec::new(),
                lost_preconditions: Vec::new(),
                refines: Vec::new(),
                component: self.chain.machine_component(level),
                span: event.name.span,
            });
        }
        operations
    }

    fn initialisation(&mut self) -> Subst {
        let skip = Subst { kind: SubstKind::Skip, span: Span::NONE };
        let Some(level) = self.chain.machines.len().checked_sub(1) else { return skip };
        let machine = self.chain.machines[level];
        match machine.events.iter().find(|e| e.is_initialisation()) {
            Some(event) => event::compose(self, level, event).body,
            None => {
                if !machine.variables.is_empty() {
                    let message = format!("machine `{}` has no INITIALISATION", machine.name.name);
                    let span = machine.name.span;
                    let diagnostic = Diagnostic::new(Code::NOT_INITIALISED, span, message);
                    self.elaborator.out.push(diagnostic);
                }
                skip
            }
        }
    }

    fn finish(
        mut self,
        mut axioms: Vec<Axiom>,
        mut all: Vec<Contents>,
        mut operations: Vec<Operation>,
        mut initialisation: Subst,
    ) -> (Model, Diagnostics) {
        // Events may say what the invariants leave open.
        self.elaborator.settle();
        self.check_types(false);
        if self.late {
            self.finish_axioms(&mut axioms);
        }
        let e = &mut self.elaborator;
        e.end_section();
        for contents in &mut all {
            e.finish(&mut contents.invariants);
            e.finish(&mut contents.assertions);
            e.finish(&mut contents.variants);
        }
        for operation in &mut operations {
            e.finish(&mut operation.body);
        }
        e.finish(&mut initialisation);
        e.ground_names();
        beeline_model::fill_footprints(&mut operations);
        e.model.operations = operations;
        let mut level = self.level(&mut all, initialisation);
        let e = &mut self.elaborator;
        for (component, theorem, conjuncts) in axioms {
            if theorem {
                let contents = Contents { assertions: conjuncts, ..Contents::default() };
                crate::compose::add_conjuncts(&mut level, component, &contents);
                continue;
            }
            let origin = PropertyOrigin::Properties;
            let property = |conjunct| Property { conjunct, origin, component };
            let open = conjuncts.into_iter().filter(|c| !statics::is_settled(&c.pred));
            e.model.properties.extend(open.map(property));
        }
        e.model.levels.push(level);
        (self.elaborator.model, self.elaborator.out)
    }

    /// The one level that is run: the whole chain, or its last machine alone.
    fn level(&self, all: &mut [Contents], initialisation: Subst) -> Level {
        let model = &self.elaborator.model;
        let component = ComponentId(model.components.len().saturating_sub(1) as u32);
        let last = self.chain.machines.len().saturating_sub(1);
        let first = if self.chain.alone { last } else { 0 };
        let mut level = Level {
            component,
            variables: self.chain.kept(first).map(|v| self.variable(v)).collect(),
            invariants: Vec::new(),
            assertions: Vec::new(),
            gluing: Gluing::default(),
            initialisation: vec![(component, initialisation)],
            operations: (0..model.operations.len()).map(|i| OperationId(i as u32)).collect(),
            variants: all.last_mut().map(|c| std::mem::take(&mut c.variants)).unwrap_or_default(),
        };
        for (index, contents) in all.iter().enumerate().skip(first) {
            let component = self.chain.machine_component(index);
            crate::compose::add_conjuncts(&mut level, component, contents);
        }
        level
    }

    fn variable(&self, name: &Name) -> VariableId {
        let scope = self.scopes.last().unwrap_or(&self.statics.scope);
        match scope.names.get(name) {
            Some(Entity::Variable(id, _)) => *id,
            // Every variable of the chain was declared above.
            _ => VariableId(0),
        }
    }
}

/// The event of a machine that has this name.
fn event_named<'a>(events: &'a [Event], name: &str) -> Option<&'a Event> {
    events.iter().find(|e| e.name.name == name)
}
