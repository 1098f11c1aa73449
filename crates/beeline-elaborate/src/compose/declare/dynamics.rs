//! Variables and operations of an instance.

use super::Declarer;
use crate::project::RefKind;
use crate::typing::{Access, Entity, Signature};
use beeline_model::{Name, OperationId, TypeId, Variable, VariableId};
use beeline_source::{Code, Diagnostic, Span};
use beeline_syntax::ast::{self, ClauseKind, MachineKind};
use rustc_hash::FxHashMap;

impl Declarer<'_, '_> {
    pub(super) fn variables(&mut self, index: usize) {
        let machine = self.instances[index].machine;
        for clause in &machine.clauses {
            let ClauseKind::Variables(kind, names) = &clause.kind else { continue };
            let first = self.instances[index].variables.len();
            for variable in names {
                self.variable(index, &variable.name);
            }
            if *kind == ast::VariablesKind::Concrete {
                let declared = self.instances[index].variables[first..].to_vec();
                self.instances[index].concrete.extend(declared);
            }
        }
        self.kept_variables(index);
    }

    /// Concrete variables of the abstraction are variables of its refinement as well. One that a machine
    /// below has under the same name is that machine's.
    fn kept_variables(&mut self, index: usize) {
        let links = &self.instances[index].links;
        let Some((_, above)) = links.iter().find(|(kind, _)| *kind == RefKind::Refines) else {
            return;
        };
        for variable in self.instances[*above].concrete.clone() {
            let name = self.model.variable(variable).name.clone();
            let names = &mut self.scopes[index].names;
            match names.get(&name) {
                Some(Entity::Variable(v, Access::Abstract)) if *v == variable => {
                    names.insert(name, Entity::Variable(variable, Access::Own));
                    self.instances[index].variables.push(variable);
                }
                Some(Entity::Variable(v, Access::Own)) if *v == variable => {}
                _ => continue,
            }
            if !self.instances[index].concrete.contains(&variable) {
                self.instances[index].concrete.push(variable);
            }
        }
    }

    pub(super) fn variable(&mut self, index: usize, name: &ast::Ident) {
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

    pub(super) fn operations(&mut self, index: usize) {
        let machine = self.instances[index].machine;
        let prefix = self.instances[index].prefix.clone();
        let mut own: FxHashMap<Name, Span> = FxHashMap::default();
        for clause in &machine.clauses {
            let ClauseKind::Operations(kind, operations) = &clause.kind else { continue };
            for operation in operations {
                let name = operation.name.name.clone();
                let local = *kind == ast::OperationsKind::Local;
                if let Some(first) = own.get(&name).copied() {
                    // LOCAL_OPERATIONS specifies what OPERATIONS of an implementation contains.
                    if machine.kind != MachineKind::Implementation {
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
                own.insert(name.clone(), operation.name.span);
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

    fn unknown_promoted(&mut self, index: usize, name: &ast::Ident) {
        let scope = &self.scopes[index];
        let others = || {
            let others = scope.operations.iter().filter(|o| !scope.own_operations.contains(o.1));
            others.map(|(n, _)| n.as_str())
        };
        // The name without its prefix is the usual slip.
        let suffix = format!(".{}", name.name);
        let renamed = others().filter(|n| n.ends_with(&suffix)).min();
        let near = renamed.or_else(|| crate::suggest::nearest(&name.name, others()));
        let message = format!("no included machine has an operation `{}`", name.name);
        let mut diagnostic = Diagnostic::new(Code::UNKNOWN_PROMOTED, name.span, message);
        if let Some(near) = near {
            diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
        }
        self.problem(diagnostic);
    }

    /// Operations of included machines that this one offers as its own.
    pub(super) fn promoted(&mut self, index: usize) {
        let machine = self.instances[index].machine;
        for clause in &machine.clauses {
            let ClauseKind::Promotes(names) = &clause.kind else { continue };
            for name in names {
                let scope = &self.scopes[index];
                match scope.operations.get(&name.name) {
                    Some(id) if !scope.own_operations.contains(id) => {
                        let row = (name.name.clone(), *id);
                        if scope.ambiguous.contains(&name.name) {
                            self.clash(name.name.clone(), name.span);
                        }
                        self.instances[index].interface.push(row);
                    }
                    _ => self.unknown_promoted(index, name),
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
