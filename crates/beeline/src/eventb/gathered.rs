//! Files of one Event-B project, read one by one, with those beside them that they name.

use super::choose::{most_concrete, stem};
use beeline_elaborate::{EventbOptions, Loaded, load_project};
use beeline_eventb::{Project, package, rodin, text};
use beeline_model::Name;
use beeline_source::{Code, Diagnostic, Diagnostics, Loader, SourceMap, Span};
use std::sync::Arc;

/// What was read so far.
#[derive(Default)]
pub(super) struct Gathered {
    sources: SourceMap,
    pub(super) project: Project,
    pub(super) out: Diagnostics,
}

impl Gathered {
    pub(super) fn load(mut self, choice: &EventbOptions, formulas: &[&str]) -> Loaded {
        beeline_eventb::write_out_extended(&mut self.project);
        load_project(&self.project, self.sources, self.out, choice, formulas)
    }

    /// Adds a file; its position among all.
    pub(super) fn add(&mut self, name: &str, text: &Arc<str>) -> Option<u32> {
        match self.sources.add(name, text.clone()) {
            Some(id) => Some(self.sources.file(id).base),
            None => {
                let message = format!("{name}: the files of this project are too large");
                self.out.push(Diagnostic::new(Code::FILE_TOO_LARGE, Span::NONE, message));
                None
            }
        }
    }

    /// One file, and those beside it that it needs. `None` if it holds no Event-B.
    pub(super) fn single(
        &mut self,
        loader: &dyn Loader,
        main: &str,
        content: &Arc<str>,
    ) -> Option<()> {
        if package::is_package(content) {
            let base = self.add(main, content)?;
            let (project, problems) = package::read(content, base);
            self.project = project;
            self.out.extend(problems);
        } else if rodin::is_rodin(content) {
            self.rodin_file(main, content);
            self.project.main = Some(stem(main).into());
            self.neighbours(&|me, name| {
                let machine = me.rodin_neighbour(loader, main, name, "bum");
                machine || me.rodin_neighbour(loader, main, name, "buc")
            });
            let machines: Vec<Name> =
                self.project.machines.iter().map(|m| m.name.name.clone()).collect();
            for machine in machines {
                self.proofs_beside(loader, main, &machine);
            }
        } else if text::is_text(content) {
            self.text_file(main, content);
            self.project.main = most_concrete(&self.project, &mut self.out);
            let suffix = main.rsplit_once('.').map_or("", |(_, suffix)| suffix).to_owned();
            self.neighbours(&|me, name| {
                let path = loader.join(main, &format!("{name}.{suffix}"));
                let found = loader.load(&path).ok();
                found.is_some_and(|(content, _)| me.text_file(&path, &content))
            });
        } else {
            return None;
        }
        Some(())
    }

    /// Brings in what is named and not yet there, until nothing is missing or nothing is found.
    pub(super) fn neighbours(&mut self, find: &dyn Fn(&mut Gathered, &str) -> bool) {
        let mut tried: Vec<Name> = Vec::new();
        while let Some(name) = self.missing(&tried) {
            tried.push(name.clone());
            let plain = !name.contains(['/', '\\', ':']) && !name.starts_with('.');
            if !plain || tried.len() > super::MAX_FILES {
                continue;
            }
            find(self, &name);
        }
    }

    /// A machine or context that something names and that is not there.
    fn missing(&self, tried: &[Name]) -> Option<Name> {
        let project = &self.project;
        let machines = project.machines.iter().filter_map(|m| m.refines.as_ref());
        let machine = machines
            .map(|r| &r.name)
            .find(|name| project.machine(name).is_none() && !tried.contains(name));
        let sees = project.machines.iter().flat_map(|m| &m.sees);
        let contexts = sees.chain(project.contexts.iter().flat_map(|c| &c.extends));
        let context = || {
            contexts
                .map(|r| &r.name)
                .find(|name| project.context(name).is_none() && !tried.contains(name))
        };
        machine.or_else(context).cloned()
    }

    fn rodin_neighbour(
        &mut self,
        loader: &dyn Loader,
        main: &str,
        name: &str,
        suffix: &str,
    ) -> bool {
        let path = loader.join(main, &format!("{name}.{suffix}"));
        match loader.load(&path) {
            Ok((content, _)) => {
                self.rodin_file(&path, &content);
                true
            }
            Err(_) => false,
        }
    }

    pub(super) fn rodin_file(&mut self, name: &str, content: &Arc<str>) {
        if let Some(base) = self.add(name, content) {
            let stem = stem(name);
            rodin::read_component(stem, content, base, &mut self.project, &mut self.out);
        }
    }

    fn text_file(&mut self, name: &str, content: &Arc<str>) -> bool {
        let Some(base) = self.add(name, content).filter(|_| text::is_text(content)) else {
            return false;
        };
        text::read(content, base, &mut self.project, &mut self.out);
        true
    }

    fn proofs_beside(&mut self, loader: &dyn Loader, main: &str, machine: &str) {
        let load = |suffix: &str| {
            let path = loader.join(main, &format!("{machine}.{suffix}"));
            loader.load(&path).ok().map(|(content, _)| (path, content))
        };
        if let (Some(obligations), Some(status)) = (load("bpo"), load("bps")) {
            self.proofs(machine, &obligations, &status);
        }
    }

    pub(super) fn proofs(
        &mut self,
        machine: &str,
        obligations: &(String, Arc<str>),
        status: &(String, Arc<str>),
    ) {
        let Some(base) = self.add(&obligations.0, &obligations.1) else { return };
        let read = rodin::read_obligations(machine, &obligations.1, base);
        let Some(base) = self.add(&status.0, &status.1) else { return };
        let read = read.and_then(|obligations| {
            rodin::read_status(&status.1, base, obligations, &mut self.project)
        });
        if let Err(diagnostic) = read {
            self.out.push(diagnostic);
        }
    }
}
