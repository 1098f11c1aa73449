//! Opening Event-B: a package, a Rodin file with its neighbours, a Rodin folder, an archive, or text.
//!
//! Which of them it is, is told by what is there and not by a name. A file of Rodin or a text brings
//! in the files beside it that its machines and contexts name, under the rules of the loader.

use crate::files::read_bytes;
use crate::{FsLoader, OpenOptions, decode, read_at_most, read_text};
use beeline_elaborate::{EventbOptions, Loaded, load_project};
use beeline_eventb::rodin;
use beeline_eventb::{Project, archive, package, text};
use beeline_model::Name;
use beeline_source::{
    Code, Diagnostic, Diagnostics, LoadError, Loader, MemoryLoader, SourceMap, Span,
};
use rustc_hash::FxHashMap;
use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

/// The files of a Rodin project that are read.
const SUFFIXES: [&str; 4] = [".buc", ".bum", ".bpo", ".bps"];

/// No project may have more files.
const MAX_FILES: usize = 10_000;

/// What is no Event-B: its text as it was read, so that nobody reads it again, or why there is none.
type Other = Result<(Arc<str>, bool), LoadError>;

/// Opens what holds Event-B.
pub(crate) fn open(
    path: &Path,
    loader: &FsLoader,
    options: &OpenOptions,
    formulas: &[&str],
) -> Result<Loaded, Other> {
    let mut gathered = Gathered::default();
    let mut choice = options.eventb.clone();
    let max_bytes = options.max_file_bytes;
    if path.is_dir() {
        let files = folder(path, max_bytes).ok_or_else(|| read_text(path, max_bytes))?;
        gathered.rodin_files(files, &mut choice);
    } else {
        let bytes = read_bytes(path, max_bytes).map_err(Err)?;
        if archive::is_archive(&bytes) {
            gathered.archive(loader.main_name(), &bytes, &mut choice);
        } else {
            let text = decode(bytes);
            gathered.single(loader, loader.main_name(), &text.0).ok_or(Ok(text))?;
        }
    }
    Ok(gathered.load(&choice, formulas))
}

/// Opens bytes that hold Event-B, without any file beside them; `None` if they hold something else.
pub fn open_bytes(name: &str, bytes: &[u8]) -> Option<Loaded> {
    crate::on_large_stack(|| {
        let mut gathered = Gathered::default();
        let mut choice = EventbOptions::default();
        if archive::is_archive(bytes) {
            gathered.archive(name, bytes, &mut choice);
        } else {
            gathered.single(&MemoryLoader::new(), name, &decode(bytes.to_vec()).0)?;
        }
        Some(gathered.load(&choice, &[]))
    })
}

/// Opens what holds Event-B through any loader.
pub(crate) fn open_through(
    loader: &dyn Loader,
    path: &str,
    choice: &EventbOptions,
    formulas: &[&str],
) -> Result<Loaded, Other> {
    let text = loader.load(path).map_err(Err)?;
    let mut gathered = Gathered::default();
    gathered.single(loader, path, &text.0).ok_or(Ok(text))?;
    Ok(gathered.load(choice, formulas))
}

/// Does a text hold Event-B in one of its forms?
pub(crate) fn is_eventb(content: &str) -> bool {
    package::is_package(content) || rodin::is_rodin(content) || text::is_text(content)
}

/// What is wrong with the syntax of a file of Event-B, whatever its form.
pub(crate) fn problems(name: &str, content: &str, base: u32) -> Diagnostics {
    if package::is_package(content) {
        return package::read(content, base).1;
    }
    let (mut project, mut out) = (Project::default(), Diagnostics::new());
    if rodin::is_rodin(content) {
        rodin::read_component(name, content, base, &mut project, &mut out);
    } else {
        text::read(content, base, &mut project, &mut out);
    }
    out
}

/// A text of Event-B laid out anew; `None` if it is no text but a form that tools write.
pub(crate) fn format(content: &str) -> Option<String> {
    let is_text = !package::is_package(content) && !rodin::is_rodin(content);
    (is_text && text::is_text(content)).then(|| text::format(content))
}

/// The Rodin files that lie directly in a folder; `None` if there are none.
fn folder(path: &Path, max_bytes: u64) -> Option<Vec<(String, Arc<str>)>> {
    let mut files = Vec::new();
    let mut left = archive::MAX_BYTES;
    for entry in fs::read_dir(path).ok()?.take(MAX_FILES) {
        let path = entry.ok()?.path();
        let name = path.to_string_lossy().into_owned();
        // A link could lead anywhere.
        let plain = path.symlink_metadata().is_ok_and(|m| m.is_file());
        if !plain || !SUFFIXES.iter().any(|s| name.ends_with(s)) {
            continue;
        }
        let bytes = read_at_most(File::open(&path).ok()?, max_bytes.min(left)).ok()?;
        left = left.saturating_sub(bytes.len() as u64);
        files.push((name, decode(bytes).0));
    }
    files.sort();
    (!files.is_empty()).then_some(files)
}

#[derive(Default)]
struct Gathered {
    sources: SourceMap,
    project: Project,
    out: Diagnostics,
}

impl Gathered {
    fn load(mut self, choice: &EventbOptions, formulas: &[&str]) -> Loaded {
        beeline_eventb::write_out_extended(&mut self.project);
        load_project(&self.project, self.sources, self.out, choice, formulas)
    }

    /// Adds a file; its position among all.
    fn add(&mut self, name: &str, text: &Arc<str>) -> Option<u32> {
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
    fn single(&mut self, loader: &dyn Loader, main: &str, content: &Arc<str>) -> Option<()> {
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
            self.project.main = self.most_concrete();
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
    fn neighbours(&mut self, find: &dyn Fn(&mut Gathered, &str) -> bool) {
        let mut tried: Vec<Name> = Vec::new();
        while let Some(name) = self.missing(&tried) {
            tried.push(name.clone());
            let plain = !name.contains(['/', '\\', ':']) && !name.starts_with('.');
            if !plain || tried.len() > MAX_FILES {
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

    fn rodin_file(&mut self, name: &str, content: &Arc<str>) {
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

    fn proofs(
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

    fn archive(&mut self, name: &str, bytes: &[u8], choice: &mut EventbOptions) {
        match archive::unpack(bytes, &SUFFIXES) {
            Ok(entries) => {
                let files = entries
                    .into_iter()
                    .map(|e| (format!("{name}/{}", e.path), decode(e.bytes).0))
                    .collect();
                self.rodin_files(files, choice);
            }
            Err(mut diagnostic) => {
                // Nothing inside can be shown; the file itself can be named.
                let place = self.add(name, &"".into()).map(|base| Span::new(base, base));
                diagnostic.primary.span = place.unwrap_or(Span::NONE);
                self.out.push(diagnostic);
            }
        }
    }

    /// All files of a folder or archive: one project of them, and its main machine.
    fn rodin_files(&mut self, files: Vec<(String, Arc<str>)>, choice: &mut EventbOptions) {
        let Some(folder) = self.choose_folder(&files, choice) else { return };
        let own: FxHashMap<&str, &(String, Arc<str>)> = files
            .iter()
            .filter(|(name, _)| parent(name) == folder)
            .map(|file| (file.0.strip_prefix(folder.as_str()).unwrap_or(&file.0), file))
            .map(|(name, file)| (name.trim_start_matches('/'), file))
            .collect();
        let component = |me: &mut Gathered, name: &str| {
            let machine = own.get(format!("{name}.bum").as_str());
            let found = machine.or_else(|| own.get(format!("{name}.buc").as_str()));
            found.is_some_and(|(path, content)| {
                me.rodin_file(path, content);
                true
            })
        };
        match choice.main.clone() {
            // One that is named brings in what it needs, and no more.
            Some(main) if choice.level.is_none() && component(self, &main) => {
                self.neighbours(&component);
            }
            _ => {
                let components = |(name, _): &&(String, Arc<str>)| {
                    parent(name) == folder && (name.ends_with(".bum") || name.ends_with(".buc"))
                };
                for (name, content) in files.iter().filter(components) {
                    self.rodin_file(name, content);
                }
            }
        }
        if choice.main.is_none() && choice.level.is_none() {
            self.project.main = self.most_concrete();
        }
        for machine in self.chain(choice) {
            let file = |suffix: &str| own.get(format!("{machine}.{suffix}").as_str()).copied();
            if let (Some(obligations), Some(status)) = (file("bpo"), file("bps")) {
                self.proofs(&machine, obligations, status);
            }
        }
    }

    /// The main machine and all that it refines; all machines where it is not known yet which is
    /// the main one.
    fn chain(&self, choice: &EventbOptions) -> Vec<Name> {
        let main = choice.main.as_deref().or(self.project.main.as_deref());
        let Some(mut next) = main.and_then(|name| self.project.machine(name)) else {
            return self.project.machines.iter().map(|m| m.name.name.clone()).collect();
        };
        let mut chain = vec![next.name.name.clone()];
        while let Some(above) = next.refines.as_ref().and_then(|r| self.project.machine(&r.name)) {
            // A machine that refines itself is told of elsewhere.
            if chain.contains(&above.name.name) {
                break;
            }
            chain.push(above.name.name.clone());
            next = above;
        }
        chain
    }

    /// The folder whose project is meant; `--main Project/Machine` chooses among several.
    fn choose_folder(
        &mut self,
        files: &[(String, Arc<str>)],
        choice: &mut EventbOptions,
    ) -> Option<String> {
        let mut folders: Vec<&str> = files
            .iter()
            .filter(|(name, _)| name.ends_with(".bum") || name.ends_with(".buc"))
            .map(|(name, _)| parent(name))
            .collect();
        folders.dedup();
        if let Some((project, machine)) = choice.main.as_deref().and_then(|m| m.rsplit_once('/')) {
            folders.retain(|f| *f == project || f.ends_with(&format!("/{project}")));
            choice.main = Some(machine.to_owned());
        }
        match folders.as_slice() {
            [one] => Some((*one).to_owned()),
            [] => {
                let message = "there is no Rodin machine or context here";
                self.out.push(Diagnostic::new(Code::MISSING_COMPONENT, Span::NONE, message));
                None
            }
            several => {
                let names: Vec<&str> = several.iter().map(|f| stem_of_folder(f)).collect();
                let message = format!("there are several projects here: {}", names.join(", "));
                let help = format!("choose one: --main {}/MACHINE", names[0]);
                let diagnostic = Diagnostic::new(Code::SEVERAL_COMPONENTS, Span::NONE, message);
                self.out.push(diagnostic.help(help));
                None
            }
        }
    }

    /// The machine that no other refines; without machines, the context that no other extends.
    fn most_concrete(&mut self) -> Option<Name> {
        let project = &self.project;
        let refined = |name: &Name| {
            project.machines.iter().any(|m| m.refines.as_ref().is_some_and(|r| r.name == *name))
        };
        let extended = |name: &Name| {
            project.contexts.iter().any(|c| c.extends.iter().any(|e| e.name == *name))
        };
        let found: Vec<(Name, Span)> = if project.machines.is_empty() {
            let names = project.contexts.iter().map(|c| &c.name);
            names.filter(|n| !extended(&n.name)).map(|n| (n.name.clone(), n.span)).collect()
        } else {
            let names = project.machines.iter().map(|m| &m.name);
            names.filter(|n| !refined(&n.name)).map(|n| (n.name.clone(), n.span)).collect()
        };
        if let [(first, _), (_, second), ..] = &found[..] {
            let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
            let message = format!("there are several machines: {}", names.join(", "));
            let help = format!("choose one: --main {first}");
            let diagnostic = Diagnostic::new(Code::SEVERAL_COMPONENTS, *second, message);
            self.out.push(diagnostic.help(help));
        }
        // In a circle every one is refined; whoever follows it says so.
        let first = self.project.machines.first().map(|m| &m.name);
        let first = first.or(self.project.contexts.first().map(|c| &c.name));
        let chosen = found.into_iter().next().map(|(name, _)| name);
        chosen.or_else(|| first.map(|name| name.name.clone()))
    }
}

/// The folder of a path, without the last `/`.
fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn stem_of_folder(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The name of a file without folder and suffix.
fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}
