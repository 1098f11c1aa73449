//! Instances and their scopes: which machine is used where, and what its names mean.

mod dynamics;
mod links;
mod statics;

use super::{Declared, Instance};
use crate::definitions::Definitions;
use crate::project::{Project, RefKind, references};
use crate::typing::{Entity, Scope, Signature};
use beeline_model::{Component, ComponentId, Level, Model, Name, Role, Special, TypeTable};
use beeline_source::{Code, Diagnostic, Diagnostics, Span};
use beeline_syntax::ast::{self, Machine};
use rustc_hash::FxHashMap;

/// How many machines a composition may have, each with its prefix: a few files that include each other
/// twice make more than any machine can hold.
const MAX_INSTANCES: usize = 4_000;

/// Makes all instances. `None` if the main file holds no machine.
pub(crate) fn declare<'a>(
    project: &'a Project,
    definitions: &'a [Definitions<'a>],
    out: &mut Diagnostics,
) -> Option<Declared<'a>> {
    let main = project.files.first()?.machine()?;
    let mut declarer = Declarer {
        project,
        definitions,
        out,
        model: empty_model(main),
        instances: Vec::new(),
        scopes: Vec::new(),
        signatures: Vec::new(),
        constructors: Vec::new(),
        free_parameters: Vec::new(),
        by_key: FxHashMap::default(),
        statics: FxHashMap::default(),
        order: Vec::new(),
        too_many: false,
    };
    let depth = declarer.chain_length(0);
    let main = declarer.instance(0, None, Role::Main, depth, Vec::new());
    let main = main.unwrap_or(0);
    Some(Declared {
        model: declarer.model,
        order: declarer.order,
        instances: declarer.instances,
        scopes: declarer.scopes,
        signatures: declarer.signatures,
        constructors: declarer.constructors,
        free_parameters: declarer.free_parameters,
        main,
    })
}

fn empty_model(main: &Machine) -> Model {
    Model {
        name: main.name.name.clone(),
        components: Vec::new(),
        types: TypeTable::new(),
        sets: Vec::new(),
        free_types: Vec::new(),
        constants: Vec::new(),
        variables: Vec::new(),
        locals: Vec::new(),
        externals: Vec::new(),
        properties: Vec::new(),
        operations: Vec::new(),
        levels: Vec::<Level>::new(),
        special: Special::default(),
        proofs: Vec::new(),
        claims: Vec::new(),
    }
}

struct Declarer<'a, 'd> {
    project: &'a Project,
    definitions: &'a [Definitions<'a>],
    out: &'d mut Diagnostics,
    model: Model,
    instances: Vec<Instance<'a>>,
    scopes: Vec<Scope>,
    signatures: Vec<Signature>,
    constructors: Vec<Vec<Option<&'a ast::Expr>>>,
    free_parameters: Vec<Vec<Name>>,
    by_key: FxHashMap<(Option<Name>, usize), usize>,
    /// Sets and constants of a machine are shared by all its instances.
    statics: FxHashMap<usize, Vec<(Name, Entity)>>,
    order: Vec<usize>,
    /// There are more machines than allowed, and somebody was told.
    too_many: bool,
}

impl<'a> Declarer<'a, '_> {
    /// How many abstractions are above this machine.
    fn chain_length(&self, mut file: usize) -> u32 {
        let mut length = 0;
        // The project has no circles; the bound is a belt to those braces.
        while length < self.project.files.len() as u32 {
            let Some(machine) = self.project.files[file].machine() else { break };
            let refined = references(machine)
                .iter()
                .zip(&self.project.files[file].machines)
                .find(|((kind, _), _)| *kind == RefKind::Refines)
                .and_then(|(_, target)| *target);
            match refined {
                Some(next) => file = next,
                None => break,
            }
            length += 1;
        }
        length
    }

    fn instance(
        &mut self,
        file: usize,
        prefix: Option<Name>,
        role: Role,
        level: u32,
        arguments: Vec<(Name, &'a ast::Expr, usize)>,
    ) -> Option<usize> {
        stacker::maybe_grow(64 << 10, 1 << 20, || {
            self.instance_here(file, prefix, role, level, arguments)
        })
    }

    fn instance_here(
        &mut self,
        file: usize,
        prefix: Option<Name>,
        role: Role,
        level: u32,
        arguments: Vec<(Name, &'a ast::Expr, usize)>,
    ) -> Option<usize> {
        let key = (prefix.clone(), file);
        if let Some(&known) = self.by_key.get(&key) {
            return Some(known);
        }
        if self.instances.len() >= MAX_INSTANCES {
            return None;
        }
        let project: &'a Project = self.project;
        let Some(machine) = project.files[file].machine() else {
            // Files that are referred to as machines were checked to hold one.
            return Some(0);
        };
        let component = ComponentId(self.model.components.len() as u32);
        self.model.components.push(Component {
            name: machine.name.name.clone(),
            prefix: prefix.clone(),
            keyword: machine.kind.keyword(),
            role,
            level,
            span: machine.name.span,
        });
        let index = self.instances.len();
        self.by_key.insert(key, index);
        self.instances.push(Instance {
            file,
            machine,
            prefix,
            component,
            role,
            level,
            arguments,
            links: Vec::new(),
            variables: Vec::new(),
            concrete: Vec::new(),
            operations: Vec::new(),
            interface: Vec::new(),
        });
        self.scopes.push(Scope::default());
        self.links(index);
        self.parameters(index);
        self.statics(index);
        self.variables(index);
        self.operations(index);
        self.order.push(index);
        Some(index)
    }

    fn problem(&mut self, diagnostic: Diagnostic) {
        self.out.push(diagnostic);
    }

    /// Adds a name that the machine declares itself.
    fn own(&mut self, index: usize, name: &ast::Ident, entity: Entity) {
        match self.scopes[index].names.get(&name.name).copied() {
            Some(known) if known != entity => {
                let first = self.declared_at(known);
                let message = format!("`{}` is declared twice", name.name);
                self.problem(
                    Diagnostic::new(Code::DUPLICATE_NAME, name.span, message)
                        .also(first, "first declared here"),
                );
            }
            _ => {
                self.scopes[index].names.insert(name.name.clone(), entity);
            }
        }
    }

    fn declared_at(&self, entity: Entity) -> Span {
        match entity {
            Entity::Set(set) => self.model.set(set).span,
            Entity::Element(set, index) => {
                let elements = self.model.set(set).elements.as_ref();
                elements.and_then(|e| e.get(index as usize)).map_or(Span::NONE, |e| e.1)
            }
            Entity::Constant(constant) => self.model.constant(constant).span,
            Entity::Variable(variable, _) => self.model.variable(variable).span,
            Entity::FreeType(free) | Entity::Constructor(free, _) => {
                self.model.free_type(free).span
            }
            Entity::Argument(_) => Span::NONE,
        }
    }
}
