//! Instances and their scopes: which machine is used where, and what its names mean.

use super::{Declared, Instance};
use crate::definitions::{Definitions, formula_body};
use crate::elaborate::{Access, Entity, Scope, Signature};
use crate::project::{Project, RefKind, references};
use crate::{
    Component, ComponentId, Constant, ConstantId, ConstantKind, FreeType, FreeTypeId, GivenSet,
    Level, Model, Name, OperationId, Role, SetId, SetKind, SetSize, SizeOrigin, Special, TypeId,
    TypeTable, Variable, VariableId,
};
use beeline_source::{Code, Diagnostic, Diagnostics, Span};
use beeline_syntax::ast::{
    self, ClauseKind, ConstantsKind, Machine, MachineKind, MachineRef, SetElements,
};
use rustc_hash::FxHashMap;

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
    };
    let depth = declarer.chain_length(0);
    let main = declarer.instance(0, None, Role::Main, depth, Vec::new());
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
    ) -> usize {
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
    ) -> usize {
        let key = (prefix.clone(), file);
        if let Some(&known) = self.by_key.get(&key) {
            return known;
        }
        let project: &'a Project = self.project;
        let Some(machine) = project.files[file].machine() else {
            // Files that are referred to as machines were checked to hold one.
            return 0;
        };
        let component = ComponentId(self.model.components.len() as u32);
        self.model.components.push(Component {
            name: machine.name.name.clone(),
            prefix: prefix.clone(),
            kind: machine.kind,
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
        index
    }

    fn problem(&mut self, diagnostic: Diagnostic) {
        self.out.push(diagnostic);
    }

    /// Follows the references of an instance and brings the names of their targets into scope.
    fn links(&mut self, index: usize) {
        let machine = self.instances[index].machine;
        let file = self.instances[index].file;
        let targets = self.project.files[file].machines.clone();
        let mut links: Vec<(RefKind, &'a MachineRef, usize)> = Vec::new();
        for ((kind, reference), target) in references(machine).into_iter().zip(targets) {
            let Some(target) = target else { continue };
            links.push((kind, reference, target));
        }
        // Abstractions first, so that a refinement finds what it refines.
        links.sort_by_key(|(kind, ..)| *kind != RefKind::Refines);
        for (kind, reference, target) in links {
            let linked = self.link(index, kind, reference, target);
            self.instances[index].links.push((kind, linked));
            self.import(index, kind, reference, linked);
        }
    }

    fn link(
        &mut self,
        index: usize,
        kind: RefKind,
        reference: &'a MachineRef,
        target: usize,
    ) -> usize {
        let here = &self.instances[index];
        let own = reference.prefix.as_ref().map(|p| p.name.clone());
        // Seen and refined machines are not renamed with the instance that names them.
        let outer = match kind {
            RefKind::Sees | RefKind::Uses | RefKind::Refines => None,
            _ => here.prefix.clone(),
        };
        let prefix = match (outer, own) {
            (Some(outer), Some(own)) => Some(Name::from(format!("{outer}.{own}"))),
            (outer, own) => outer.or(own),
        };
        let level = here.level;
        let (role, level) = match kind {
            RefKind::Refines => (Role::Refined, level.saturating_sub(1)),
            RefKind::Sees => (Role::Seen, level),
            RefKind::Uses => (Role::Used, level),
            RefKind::Includes | RefKind::Extends => (Role::Included, level),
            RefKind::Imports => (Role::Imported, level),
        };
        let arguments = self.actual_parameters(index, kind, reference, target);
        let known = self.by_key.get(&(prefix.clone(), target)).copied();
        if let Some(known) = known
            && matches!(kind, RefKind::Includes | RefKind::Extends | RefKind::Imports)
        {
            self.brought_in_again(index, known, kind, reference);
        }
        self.instance(target, prefix, role, level, arguments)
    }

    /// A machine that is already there is included once more.
    fn brought_in_again(
        &mut self,
        index: usize,
        known: usize,
        kind: RefKind,
        reference: &'a MachineRef,
    ) {
        let writes =
            |k: RefKind| matches!(k, RefKind::Includes | RefKind::Extends | RefKind::Imports);
        let level = self.instances[index].level;
        let another = self.instances.iter().enumerate().any(|(i, other)| {
            other.level == level
                && other.links.iter().any(|(k, target)| {
                    *target == known && writes(*k) && (i != index || writes(kind))
                })
        });
        if another {
            let name = &reference.name.name;
            let message = format!("machine `{name}` is included twice");
            self.problem(
                Diagnostic::new(Code::DUPLICATE_MACHINE, reference.span, message)
                    .help(format!("rename one of them: INCLUDES a.{name}")),
            );
        }
        if self.instances[known].role == Role::Seen || self.instances[known].role == Role::Used {
            // Included by one machine, seen by another: it belongs to the one that includes it.
            let role = if kind == RefKind::Imports { Role::Imported } else { Role::Included };
            self.instances[known].role = role;
            let component = self.instances[known].component;
            self.model.components[component.index()].role = role;
        }
    }

    fn actual_parameters(
        &mut self,
        index: usize,
        kind: RefKind,
        reference: &'a MachineRef,
        target: usize,
    ) -> Vec<(Name, &'a ast::Expr, usize)> {
        let project: &'a Project = self.project;
        let Some(machine) = project.files[target].machine() else { return Vec::new() };
        let (formal, actual) = (&machine.parameters, &reference.arguments);
        if formal.len() != actual.len() {
            // SEES, USES and REFINES give no arguments; the parameters stay open.
            if matches!(kind, RefKind::Includes | RefKind::Extends | RefKind::Imports) {
                let name = &reference.name.name;
                let message = format!(
                    "machine `{name}` takes {}, not {}",
                    crate::elaborate::count(formal.len(), "argument"),
                    actual.len()
                );
                self.problem(
                    Diagnostic::new(Code::MACHINE_ARGUMENTS, reference.span, message)
                        .also(machine.name.span, "declared here"),
                );
            }
            return Vec::new();
        }
        formal.iter().zip(actual).map(|(f, a)| (f.name.clone(), a, index)).collect()
    }

    /// Brings what `linked` offers into the scope of `index`.
    fn import(&mut self, index: usize, kind: RefKind, reference: &'a MachineRef, linked: usize) {
        let own = reference.prefix.as_ref().map(|p| p.name.clone());
        let renamed = |name: &Name| match &own {
            Some(prefix) => Name::from(format!("{prefix}.{name}")),
            None => name.clone(),
        };
        let access = if kind == RefKind::Refines { Access::Abstract } else { Access::Read };
        let names = self.exports(linked, kind);
        for (name, entity) in names {
            let (name, entity) = match entity {
                Entity::Variable(variable, _) => {
                    (renamed(&name), Entity::Variable(variable, access))
                }
                other => (name, other),
            };
            self.bring(index, name, entity, reference.span);
        }
        if kind == RefKind::Refines {
            return;
        }
        for (name, operation) in self.instances[linked].interface.clone() {
            self.scopes[index].operations.insert(renamed(&name), operation);
        }
    }

    /// The names that clients of an instance see: its own, and those of what it includes.
    fn exports(&self, index: usize, kind: RefKind) -> Vec<(Name, Entity)> {
        let linked: Vec<usize> = self.instances[index]
            .links
            .iter()
            .filter(|(k, _)| {
                matches!(k, RefKind::Includes | RefKind::Extends | RefKind::Imports)
                    || *k == RefKind::Refines
                    || (matches!(k, RefKind::Sees | RefKind::Uses) && kind == RefKind::Refines)
            })
            .map(|(_, i)| *i)
            .collect();
        let foreign: Vec<VariableId> =
            linked.iter().flat_map(|i| self.instances[*i].variables.iter().copied()).collect();
        let mut names: Vec<(Name, Entity)> = self.scopes[index]
            .names
            .iter()
            .filter(|(_, entity)| match entity {
                Entity::Argument(_) => false,
                Entity::Variable(_, Access::Abstract) => kind == RefKind::Refines,
                Entity::Variable(variable, Access::Read) => {
                    foreign.contains(variable) || kind == RefKind::Refines
                }
                _ => true,
            })
            .map(|(name, entity)| (name.clone(), *entity))
            .collect();
        names.sort_by(|a, b| a.0.cmp(&b.0));
        names
    }

    /// Adds a name from elsewhere; the same thing may arrive on several ways.
    fn bring(&mut self, index: usize, name: Name, entity: Entity, span: Span) {
        match self.scopes[index].names.get(&name) {
            None => {
                self.scopes[index].names.insert(name, entity);
            }
            Some(known) if *known == entity => {}
            Some(Entity::Variable(known, access)) => {
                if let Entity::Variable(variable, new) = entity
                    && variable == *known
                {
                    // What may be read in operations is more than what only invariants see.
                    if *access == Access::Abstract && new == Access::Read {
                        self.scopes[index].names.insert(name, entity);
                    }
                    return;
                }
                if *access == Access::Abstract {
                    self.scopes[index].names.insert(name, entity);
                    return;
                }
                self.clash(name, span);
            }
            Some(_) => self.clash(name, span),
        }
    }

    fn clash(&mut self, name: Name, span: Span) {
        let message = format!("`{name}` comes from two different machines");
        self.problem(
            Diagnostic::new(Code::CLASH, span, message)
                .help("rename it in one of them, or include that machine with a prefix"),
        );
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

    /// Header parameters: sets and scalars of their own, or the actual arguments.
    fn parameters(&mut self, index: usize) {
        let machine = self.instances[index].machine;
        let component = self.instances[index].component;
        let given = !self.instances[index].arguments.is_empty();
        for (position, parameter) in machine.parameters.iter().enumerate() {
            // A refinement repeats the parameters of its abstraction.
            if self.scopes[index].names.contains_key(&parameter.name)
                && matches!(machine.kind, MachineKind::Refinement | MachineKind::Implementation)
            {
                continue;
            }
            let entity = if given {
                Entity::Argument(self.argument_slot(index, position))
            } else if parameter.name.chars().all(|c| !c.is_lowercase()) {
                Entity::Set(self.set(parameter, SetKind::Parameter, None, component))
            } else {
                Entity::Constant(self.constant(
                    parameter,
                    ConstantKind::Parameter,
                    component,
                    false,
                ))
            };
            self.own(index, parameter, entity);
        }
    }

    /// Arguments are numbered over all instances, in the order `fill` elaborates them.
    fn argument_slot(&self, index: usize, position: usize) -> usize {
        let before: usize = self.instances[..index].iter().map(|i| i.arguments.len()).sum();
        before + position
    }

    fn set(
        &mut self,
        name: &ast::Ident,
        kind: SetKind,
        elements: Option<Vec<(Name, Span)>>,
        component: ComponentId,
    ) -> SetId {
        let id = SetId(self.model.sets.len() as u32);
        let ty = self.model.types.intern(crate::Type::Given(id));
        let size = match &elements {
            Some(list) => SetSize {
                min: list.len() as u64,
                max: Some(list.len() as u64),
                origin: SizeOrigin::Enumeration,
                span: name.span,
            },
            None => SetSize { min: 1, max: None, origin: SizeOrigin::Default, span: name.span },
        };
        self.model.sets.push(GivenSet {
            name: name.name.clone(),
            elements,
            kind,
            size,
            ty,
            component,
            span: name.span,
        });
        id
    }

    fn constant(
        &mut self,
        name: &ast::Ident,
        kind: ConstantKind,
        component: ComponentId,
        memo: bool,
    ) -> ConstantId {
        self.model.constants.push(Constant {
            name: name.name.clone(),
            ty: TypeId(0),
            kind,
            memo,
            component,
            span: name.span,
        });
        ConstantId(self.model.constants.len() as u32 - 1)
    }

    /// Sets, free types and constants.
    fn statics(&mut self, index: usize) {
        let file = self.instances[index].file;
        if let Some(known) = self.statics.get(&file).cloned() {
            for (name, entity) in known {
                self.scopes[index].names.insert(name, entity);
            }
            return;
        }
        let machine = self.instances[index].machine;
        let component = self.instances[index].component;
        let mut declared = Vec::new();
        for clause in &machine.clauses {
            match &clause.kind {
                ClauseKind::Sets(sets) => {
                    for set in sets {
                        self.set_clause(index, set, component, &mut declared);
                    }
                }
                ClauseKind::FreeTypes(types) => {
                    for free in types {
                        self.free_type(index, free, &mut declared);
                    }
                }
                ClauseKind::Constants(kind, names) => {
                    let kind = match kind {
                        ConstantsKind::Abstract => ConstantKind::Abstract,
                        _ => ConstantKind::Concrete,
                    };
                    for constant in names {
                        self.constant_clause(index, constant, kind, component, &mut declared);
                    }
                }
                _ => {}
            }
        }
        self.statics.insert(file, declared);
    }

    fn constant_clause(
        &mut self,
        index: usize,
        constant: &'a ast::Declared,
        kind: ConstantKind,
        component: ComponentId,
        declared: &mut Vec<(Name, Entity)>,
    ) {
        let name = &constant.name;
        let refined = self.instances[index].links.iter().any(|l| l.0 == RefKind::Refines);
        if let Some(Entity::Constant(known)) = self.scopes[index].names.get(&name.name).copied()
            && refined
            && self.model.constant(known).component != component
        {
            // A refinement makes an abstract constant concrete.
            if kind == ConstantKind::Concrete {
                self.model.constants[known.index()].kind = kind;
            }
            return;
        }
        let memo = constant.description.as_deref().map(str::trim) == Some("memo");
        let entity = Entity::Constant(self.constant(name, kind, component, memo));
        self.own(index, name, entity);
        declared.push((name.name.clone(), entity));
    }

    fn set_clause(
        &mut self,
        index: usize,
        set: &'a ast::SetDecl,
        component: ComponentId,
        declared: &mut Vec<(Name, Entity)>,
    ) {
        let elements: Option<Vec<&'a ast::Ident>> = match &set.elements {
            SetElements::Deferred => None,
            SetElements::Enumerated(list) => Some(list.iter().collect()),
            SetElements::FromDefinition(name) => {
                return self.set_from_definition(index, set, name, component, declared);
            }
        };
        let rows = elements
            .as_ref()
            .map(|list| list.iter().map(|e| (e.name.clone(), e.span)).collect::<Vec<_>>());
        self.declare_set(index, &set.name, rows, component, declared);
    }

    /// `S = D` where definition `D` lists the elements.
    fn set_from_definition(
        &mut self,
        index: usize,
        set: &'a ast::SetDecl,
        name: &'a ast::Ident,
        component: ComponentId,
        declared: &mut Vec<(Name, Entity)>,
    ) {
        let file = self.instances[index].file;
        let body = self.definitions[file].get(&name.name).and_then(|e| formula_body(e.definition));
        let parts: Option<Vec<(Name, Span)>> = body.and_then(|body| {
            let parts: &[ast::Expr] = match &body.peeled().kind {
                ast::ExprKind::SetExtension(parts) | ast::ExprKind::List(parts) => parts,
                ast::ExprKind::Ident(_) => std::slice::from_ref(body),
                _ => return None,
            };
            parts
                .iter()
                .map(|p| match &p.kind {
                    ast::ExprKind::Ident(n) => Some((n.clone(), p.span)),
                    _ => None,
                })
                .collect()
        });
        if parts.is_none() {
            let message = format!("`{}` is not a definition that lists elements", name.name);
            self.problem(
                Diagnostic::new(Code::DEFINITION_KIND, name.span, message)
                    .help(format!("write {} = {{a, b}}, or define {0} == {{a, b}}", name.name)),
            );
        }
        self.declare_set(index, &set.name, parts, component, declared);
    }

    fn declare_set(
        &mut self,
        index: usize,
        name: &ast::Ident,
        elements: Option<Vec<(Name, Span)>>,
        component: ComponentId,
        declared: &mut Vec<(Name, Entity)>,
    ) {
        let kind = if elements.is_some() { SetKind::Enumerated } else { SetKind::Deferred };
        let id = self.set(name, kind, elements.clone(), component);
        self.own(index, name, Entity::Set(id));
        declared.push((name.name.clone(), Entity::Set(id)));
        for (position, (element, span)) in elements.into_iter().flatten().enumerate() {
            let entity = Entity::Element(id, position as u32);
            let ident = ast::Ident { name: element.clone(), span };
            self.own(index, &ident, entity);
            declared.push((element, entity));
        }
    }

    fn free_type(
        &mut self,
        index: usize,
        free: &'a ast::FreeType,
        declared: &mut Vec<(Name, Entity)>,
    ) {
        let id = FreeTypeId(self.model.free_types.len() as u32);
        self.model.free_types.push(FreeType {
            name: free.name.name.clone(),
            parameters: free.parameters.len(),
            constructors: free.constructors.iter().map(|c| (c.0.name.clone(), None)).collect(),
            locals: Vec::new(),
            span: free.span,
        });
        self.constructors.push(free.constructors.iter().map(|c| c.1.as_ref()).collect());
        self.free_parameters.push(free.parameters.iter().map(|p| p.name.clone()).collect());
        self.own(index, &free.name, Entity::FreeType(id));
        declared.push((free.name.name.clone(), Entity::FreeType(id)));
        for (position, (name, _)) in free.constructors.iter().enumerate() {
            let entity = Entity::Constructor(id, position as u32);
            self.own(index, name, entity);
            declared.push((name.name.clone(), entity));
        }
    }

    fn variables(&mut self, index: usize) {
        let machine = self.instances[index].machine;
        for clause in &machine.clauses {
            let ClauseKind::Variables(_, names) = &clause.kind else { continue };
            for variable in names {
                self.variable(index, &variable.name);
            }
        }
    }

    fn variable(&mut self, index: usize, name: &ast::Ident) {
        let known = self.scopes[index].names.get(&name.name).copied();
        if let Some(Entity::Variable(variable, Access::Abstract)) = known {
            // A refinement keeps a variable of its abstraction.
            let entity = Entity::Variable(variable, Access::Own);
            self.scopes[index].names.insert(name.name.clone(), entity);
            self.instances[index].variables.push(variable);
            return;
        }
        let here = &self.instances[index];
        let full = match &here.prefix {
            Some(prefix) => Name::from(format!("{prefix}.{}", name.name)),
            None => name.name.clone(),
        };
        let id = VariableId(self.model.variables.len() as u32);
        self.model.variables.push(Variable {
            name: full,
            ty: TypeId(0),
            component: here.component,
            span: name.span,
        });
        self.own(index, name, Entity::Variable(id, Access::Own));
        self.instances[index].variables.push(id);
    }

    fn operations(&mut self, index: usize) {
        let machine = self.instances[index].machine;
        let prefix = self.instances[index].prefix.clone();
        for clause in &machine.clauses {
            let ClauseKind::Operations(kind, operations) = &clause.kind else { continue };
            for operation in operations {
                let name = operation.name.name.clone();
                let own = &self.instances[index].operations;
                let local = *kind == ast::OperationsKind::Local;
                if let Some((_, other)) = own.iter().find(|(_, o)| o.name.name == name) {
                    // LOCAL_OPERATIONS specifies what OPERATIONS of an implementation contains.
                    if machine.kind != MachineKind::Implementation {
                        let first = other.name.span;
                        let message = format!("operation `{name}` is declared twice");
                        self.problem(
                            Diagnostic::new(
                                Code::DUPLICATE_OPERATION,
                                operation.name.span,
                                message,
                            )
                            .also(first, "first declared here"),
                        );
                    }
                    continue;
                }
                let id = OperationId(self.signatures.len() as u32);
                let full = match &prefix {
                    Some(prefix) => Name::from(format!("{prefix}.{name}")),
                    None => name.clone(),
                };
                self.signatures.push(Signature {
                    name: full,
                    span: operation.name.span,
                    ..Signature::default()
                });
                self.instances[index].operations.push((id, operation));
                if !local {
                    self.instances[index].interface.push((name.clone(), id));
                }
                self.scopes[index].operations.insert(name, id);
                self.scopes[index].own_operations.insert(id);
            }
        }
        self.promoted(index);
    }

    /// Operations of included machines that this one offers as its own.
    fn promoted(&mut self, index: usize) {
        let machine = self.instances[index].machine;
        for clause in &machine.clauses {
            let ClauseKind::Promotes(names) = &clause.kind else { continue };
            for name in names {
                match self.scopes[index].operations.get(&name.name) {
                    Some(&id) => self.instances[index].interface.push((name.name.clone(), id)),
                    None => {
                        let operations = self.scopes[index].operations.keys();
                        let near =
                            crate::suggest::nearest(&name.name, operations.map(|n| n.as_str()));
                        let help = near.map(|n| format!("did you mean `{n}`?"));
                        let message =
                            format!("no included machine has an operation `{}`", name.name);
                        let mut diagnostic =
                            Diagnostic::new(Code::UNKNOWN_PROMOTED, name.span, message);
                        if let Some(help) = help {
                            diagnostic = diagnostic.help(help);
                        }
                        self.problem(diagnostic);
                    }
                }
            }
        }
        let extended: Vec<usize> = self.instances[index]
            .links
            .iter()
            .filter(|(kind, _)| *kind == RefKind::Extends)
            .map(|(_, i)| *i)
            .collect();
        for linked in extended {
            let outer = self.instances[index].prefix.clone();
            for (_, id) in self.instances[linked].interface.clone() {
                let full = self.signatures[id.index()].name.clone();
                let name = match &outer {
                    Some(prefix) => {
                        full.strip_prefix(&format!("{prefix}.")).map_or(full.clone(), Name::from)
                    }
                    None => full,
                };
                self.instances[index].interface.push((name, id));
            }
        }
    }
}
