//! References between machines: which instance each means, and which names it brings.

use super::{Declarer, MAX_INSTANCES};
use crate::project::{Project, RefKind, references};
use crate::typing::{Access, Entity};
use beeline_model::{Name, Role, VariableId};
use beeline_source::{Code, Diagnostic, Span};
use beeline_syntax::ast::{self, MachineRef};

impl<'a> Declarer<'a, '_> {
    /// Follows the references of an instance and brings the names of their targets into scope.
    pub(super) fn links(&mut self, index: usize) {
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
            let Some(linked) = self.link(index, kind, reference, target) else { continue };
            self.instances[index].links.push((kind, linked));
            self.import(index, kind, reference, linked);
        }
    }

    pub(super) fn link(
        &mut self,
        index: usize,
        kind: RefKind,
        reference: &'a MachineRef,
        target: usize,
    ) -> Option<usize> {
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
        let linked = self.instance(target, prefix, role, level, arguments);
        if linked.is_none() && !std::mem::replace(&mut self.too_many, true) {
            let message = format!("this composition has more than {MAX_INSTANCES} machines");
            let problem = Diagnostic::new(Code::TOO_MANY_INSTANCES, reference.span, message)
                .help("machines that each include the next one twice double in number each time");
            self.problem(problem);
        }
        linked
    }

    /// A machine that is already there is included once more.
    pub(super) fn brought_in_again(
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

    pub(super) fn actual_parameters(
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
                    crate::typing::count(formal.len(), "argument"),
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
    pub(super) fn import(
        &mut self,
        index: usize,
        kind: RefKind,
        reference: &'a MachineRef,
        linked: usize,
    ) {
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
            let name = renamed(&name);
            let known = self.scopes[index].operations.insert(name.clone(), operation);
            if known.is_some_and(|known| known != operation) {
                // It matters only where it is called or promoted.
                self.scopes[index].ambiguous.insert(name);
            }
        }
    }

    /// The names that clients of an instance see: its own, and those of what it includes.
    pub(super) fn exports(&self, index: usize, kind: RefKind) -> Vec<(Name, Entity)> {
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
    pub(super) fn bring(&mut self, index: usize, name: Name, entity: Entity, span: Span) {
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

    pub(super) fn clash(&mut self, name: Name, span: Span) {
        let message = format!("`{name}` comes from two different machines");
        self.problem(
            Diagnostic::new(Code::CLASH, span, message)
                .help("rename it in one of them, or include that machine with a prefix"),
        );
    }
}
