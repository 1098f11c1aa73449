//! Which machines and contexts of a project matter: the refinement chain of the main machine, and
//! the contexts that its machines see.

use super::EventbOptions;
use beeline_eventb::{Context, Machine, Project};
use beeline_model::{Component, ComponentId, Name, Role};
use beeline_source::{Code, Diagnostic, Diagnostics, Span};
use beeline_syntax::ast::{Ident, MachineKind};

/// How long a chain of refinements or extensions may be.
const MAX_LENGTH: usize = 1_000;

/// The part of a project that is run.
pub(super) struct Chain<'a> {
    /// The name of the main machine or context.
    pub name: Name,
    /// Most abstract first.
    pub machines: Vec<&'a Machine>,
    /// Those that are extended before those that extend them.
    pub contexts: Vec<&'a Context>,
    /// Only the last machine is run.
    pub alone: bool,
}

impl<'a> Chain<'a> {
    pub fn of(
        project: &'a Project,
        options: &EventbOptions,
        out: &mut Diagnostics,
    ) -> Option<Chain<'a>> {
        let wanted = options.level.as_deref().or(options.main.as_deref());
        let name = wanted.map(Name::from).or_else(|| project.main.clone());
        let Some(name) = name else {
            let message = "the project contains neither a machine nor a context";
            out.push(Diagnostic::new(Code::MISSING_COMPONENT, Span::NONE, message));
            return None;
        };
        let mut chain = Chain {
            name: name.clone(),
            machines: Vec::new(),
            contexts: Vec::new(),
            alone: options.level.is_some(),
        };
        if let Some(machine) = project.machine(&name) {
            chain.add_machines(project, machine, out);
        } else if let Some(context) = project.context(&name) {
            chain.add_context(project, context, &mut Vec::new(), out);
        } else {
            let message = format!("the project has no machine or context `{name}`");
            out.push(Diagnostic::new(Code::MISSING_COMPONENT, Span::NONE, message));
        }
        (!out.has_errors()).then_some(chain)
    }

    /// The same with a context before the others.
    pub fn with<'b>(&self, context: Option<&'b Context>) -> Chain<'b>
    where
        'a: 'b,
    {
        Chain {
            name: self.name.clone(),
            machines: self.machines.clone(),
            contexts: context.into_iter().chain(self.contexts.iter().copied()).collect(),
            alone: self.alone,
        }
    }

    fn add_machines(&mut self, project: &'a Project, main: &'a Machine, out: &mut Diagnostics) {
        let mut next = Some(main);
        while let Some(machine) = next {
            if self.machines.iter().any(|m| std::ptr::eq(*m, machine))
                || self.machines.len() >= MAX_LENGTH
            {
                circle(&machine.name, "refines", out);
                return;
            }
            self.machines.push(machine);
            next = machine.refines.as_ref().and_then(|name| {
                let found = project.machine(&name.name);
                if found.is_none() {
                    missing("machine", name, out);
                }
                found
            });
        }
        self.machines.reverse();
        for machine in self.machines.clone() {
            self.add_named(project, &machine.sees, &mut Vec::new(), out);
        }
    }

    fn add_named(
        &mut self,
        project: &'a Project,
        names: &'a [Ident],
        pending: &mut Vec<&'a str>,
        out: &mut Diagnostics,
    ) {
        for name in names {
            match project.context(&name.name) {
                Some(context) => self.add_context(project, context, pending, out),
                None => missing("context", name, out),
            }
        }
    }

    /// Adds a context behind those that it extends; `pending` are those that wait for this one.
    fn add_context(
        &mut self,
        project: &'a Project,
        context: &'a Context,
        pending: &mut Vec<&'a str>,
        out: &mut Diagnostics,
    ) {
        if self.contexts.iter().any(|c| std::ptr::eq(*c, context)) {
            return;
        }
        if pending.contains(&context.name.name.as_str()) || pending.len() >= MAX_LENGTH {
            circle(&context.name, "extends", out);
            return;
        }
        pending.push(&context.name.name);
        stacker::maybe_grow(64 << 10, 1 << 20, || {
            self.add_named(project, &context.extends, pending, out);
        });
        pending.pop();
        self.contexts.push(context);
    }

    /// Contexts first, then machines, most abstract first.
    pub fn components(&self) -> Vec<Component> {
        let component = |name: &Ident, kind: MachineKind, role, level: usize| Component {
            name: name.name.clone(),
            prefix: None,
            keyword: kind.keyword(),
            role,
            level: level as u32,
            span: name.span,
        };
        let contexts = self.contexts.iter().map(|c| {
            let main = self.machines.is_empty() && c.name.name == self.name;
            let role = if main { Role::Main } else { Role::Seen };
            component(&c.name, MachineKind::Machine, role, 0)
        });
        let machines = self.machines.iter().enumerate().map(|(level, m)| {
            let main = level + 1 == self.machines.len();
            let role = if main { Role::Main } else { Role::Refined };
            let kind = match m.refines {
                Some(_) => MachineKind::Refinement,
                None => MachineKind::Model,
            };
            component(&m.name, kind, role, level)
        });
        contexts.chain(machines).collect()
    }

    pub fn machine_component(&self, level: usize) -> ComponentId {
        ComponentId((self.contexts.len() + level) as u32)
    }

    /// The variables of the machines from this level on, each once.
    pub fn kept(&self, first: usize) -> impl Iterator<Item = &'a Name> {
        let mut names: Vec<&'a Name> = Vec::new();
        for machine in self.machines.iter().skip(first) {
            for variable in &machine.variables {
                if !names.contains(&&variable.name) {
                    names.push(&variable.name);
                }
            }
        }
        names.into_iter()
    }

    /// Does the machine of this level have this variable?
    pub fn has(&self, level: usize, name: &str) -> bool {
        self.machines.get(level).is_some_and(|m| m.variables.iter().any(|v| v.name == name))
    }
}

fn missing(what: &str, name: &Ident, out: &mut Diagnostics) {
    let message = format!("there is no {what} `{}` in the project", name.name);
    out.push(Diagnostic::new(Code::MISSING_COMPONENT, name.span, message));
}

fn circle(name: &Ident, verb: &str, out: &mut Diagnostics) {
    let message = format!("`{}` {verb} itself, directly or through others", name.name);
    out.push(Diagnostic::new(Code::MACHINE_CYCLE, name.span, message));
}
