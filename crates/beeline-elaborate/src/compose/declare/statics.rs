//! Parameters, sets, free types and constants of an instance.

use super::Declarer;
use crate::definitions::formula_body;
use crate::project::RefKind;
use crate::typing::Entity;
use beeline_model::{
    ComponentId, Constant, ConstantId, ConstantKind, FreeType, FreeTypeId, GivenSet, Name, SetId,
    SetKind, SetSize, SizeOrigin, TypeId,
};
use beeline_source::{Code, Diagnostic, Span};
use beeline_syntax::ast::{self, ClauseKind, ConstantsKind, MachineKind, SetElements};

impl<'a> Declarer<'a, '_> {
    /// Header parameters: sets and scalars of their own, or the actual arguments.
    pub(super) fn parameters(&mut self, index: usize) {
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
    pub(super) fn argument_slot(&self, index: usize, position: usize) -> usize {
        let before: usize = self.instances[..index].iter().map(|i| i.arguments.len()).sum();
        before + position
    }

    pub(super) fn set(
        &mut self,
        name: &ast::Ident,
        kind: SetKind,
        elements: Option<Vec<(Name, Span)>>,
        component: ComponentId,
    ) -> SetId {
        let id = SetId(self.model.sets.len() as u32);
        let ty = self.model.types.intern(beeline_model::Type::Given(id));
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
            fixed: Vec::new(),
            kind,
            size,
            ty,
            component,
            span: name.span,
        });
        id
    }

    pub(super) fn constant(
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
    pub(super) fn statics(&mut self, index: usize) {
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

    pub(super) fn constant_clause(
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

    pub(super) fn set_clause(
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
    pub(super) fn set_from_definition(
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

    pub(super) fn declare_set(
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

    pub(super) fn free_type(
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
}
