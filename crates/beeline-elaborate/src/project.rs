//! Files: from a main file to every machine and definition file it needs, parsed.
//!
//! This module asks a [`Loader`] for texts and follows references; it looks into no formula.

use crate::stdlib;
use beeline_source::{Code, Diagnostic, Diagnostics, LoadError, Loader, SourceMap, Span};
use beeline_syntax::ast::{ClauseKind, DefinitionItem, HeadPragma, Ident, Machine, MachineRef};
use beeline_syntax::ast::{Name, Unit};
use rustc_hash::FxHashMap;

/// How many files one model may need.
const MAX_FILES: usize = 2_000;

/// In this order, each over all folders (language reference, section 9).
const MACHINE_SUFFIXES: [&str; 4] = [".ref", ".mch", ".sys", ".imp"];

/// A parsed file and the files that its definitions name.
#[derive(Debug)]
pub(crate) struct File {
    pub path: String,
    pub unit: Unit,
    /// One entry a `"file"` line of its definitions, in order: the file it means.
    pub definition_files: Vec<Option<usize>>,
    /// One entry a machine reference, in the order of [`references`]: the file it means.
    pub machines: Vec<Option<usize>>,
}

impl File {
    pub fn machine(&self) -> Option<&Machine> {
        match &self.unit {
            Unit::Machine(machine) => Some(machine),
            _ => None,
        }
    }

    /// The lines of its definition clauses.
    pub fn definition_items(&self) -> Vec<&DefinitionItem> {
        match &self.unit {
            Unit::Definitions(items) => items.iter().collect(),
            Unit::Machine(machine) => machine
                .clauses
                .iter()
                .filter_map(|c| match &c.kind {
                    ClauseKind::Definitions(items) => Some(items),
                    _ => None,
                })
                .flatten()
                .collect(),
            _ => Vec::new(),
        }
    }
}

/// All files of a model; the main one is first.
#[derive(Debug, Default)]
pub(crate) struct Project {
    pub sources: SourceMap,
    pub files: Vec<File>,
    pub problems: Diagnostics,
}

/// How a machine refers to another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RefKind {
    Refines,
    Sees,
    Uses,
    Includes,
    Extends,
    Imports,
}

/// All machine references, in the order of the text.
pub(crate) fn references(machine: &Machine) -> Vec<(RefKind, &MachineRef)> {
    let mut all = Vec::new();
    for clause in &machine.clauses {
        let (kind, refs): (RefKind, &[MachineRef]) = match &clause.kind {
            ClauseKind::Refines(r) => (RefKind::Refines, std::slice::from_ref(r)),
            ClauseKind::Sees(rs) => (RefKind::Sees, rs),
            ClauseKind::Uses(rs) => (RefKind::Uses, rs),
            ClauseKind::Includes(rs) => (RefKind::Includes, rs),
            ClauseKind::Extends(rs) => (RefKind::Extends, rs),
            ClauseKind::Imports(rs) => (RefKind::Imports, rs),
            _ => continue,
        };
        all.extend(refs.iter().map(|r| (kind, r)));
    }
    all
}

impl Project {
    /// Opens the main file and all that it needs.
    pub fn open(loader: &dyn Loader, path: &str) -> Project {
        let mut opener = Opener {
            loader,
            main: path.to_owned(),
            project: Project::default(),
            by_path: FxHashMap::default(),
            too_many: false,
            open: Vec::new(),
        };
        opener.file(path, Span::NONE, Want::Main);
        opener.project
    }
}

/// Wraps whatever is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Want {
    Main,
    Machine,
    Definitions,
}

struct Opener<'l> {
    loader: &'l dyn Loader,
    main: String,
    project: Project,
    by_path: FxHashMap<String, Option<usize>>,
    /// The limit on files was reached, and told.
    too_many: bool,
    /// Machines whose references are being followed, to find circles.
    open: Vec<usize>,
}

impl Opener<'_> {
    fn problem(&mut self, diagnostic: Diagnostic) {
        self.project.problems.push(diagnostic);
    }

    /// Opens a file and all that it needs. `from` is where it is asked for.
    fn file(&mut self, path: &str, from: Span, want: Want) -> Option<usize> {
        stacker::maybe_grow(128 << 10, 2 << 20, || self.file_here(path, from, want))
    }

    fn file_here(&mut self, path: &str, from: Span, want: Want) -> Option<usize> {
        if let Some(&known) = self.by_path.get(path) {
            return known;
        }
        if self.by_path.len() >= MAX_FILES {
            if !self.too_many {
                let message = format!("this model needs more than {MAX_FILES} files");
                self.problem(Diagnostic::new(Code::TOO_MANY_FILES, from, message));
            }
            self.too_many = true;
            return None;
        }
        self.by_path.insert(path.to_owned(), None);
        let text = match path.strip_prefix(STDLIB_PREFIX).and_then(stdlib::library) {
            Some(text) => text.into(),
            None => match self.loader.load(path) {
                Ok((text, replaced)) => {
                    return self.parse(path, text, replaced, from, want);
                }
                Err(error) => {
                    self.problem(load_problem(path, from, &error));
                    return None;
                }
            },
        };
        self.parse(path, text, false, from, want)
    }

    fn parse(
        &mut self,
        path: &str,
        text: std::sync::Arc<str>,
        replaced: bool,
        from: Span,
        want: Want,
    ) -> Option<usize> {
        let Some(id) = self.project.sources.add(path, text.clone()) else {
            let message =
                format!("`{path}` is too large to be read in addition to the other files");
            self.problem(Diagnostic::new(Code::FILE_TOO_LARGE, from, message));
            return None;
        };
        let base = self.project.sources.file(id).base;
        let whole = self.project.sources.file(id).span();
        if replaced {
            let at = text.find('\u{FFFD}').unwrap_or(0) as u32;
            self.problem(
                Diagnostic::new(
                    Code::NOT_UTF8,
                    Span::new(base + at, base + at),
                    "this file is not valid UTF-8; the bad bytes were replaced",
                )
                .help("save the file as UTF-8"),
            );
        }
        let parsed = beeline_syntax::parse_file(&text, base);
        self.project.problems.extend(parsed.problems);
        let unit = parsed.unit?;
        if !self.fits(&unit, path, whole, from, want) {
            return None;
        }
        let index = self.project.files.len();
        self.project.files.push(File {
            path: path.to_owned(),
            unit,
            definition_files: Vec::new(),
            machines: Vec::new(),
        });
        self.by_path.insert(path.to_owned(), Some(index));
        self.open.push(index);
        self.follow_definitions(index);
        if want != Want::Definitions {
            self.follow_machines(index);
        }
        self.open.pop();
        Some(index)
    }

    /// Is it the kind of file that was asked for?
    fn fits(&mut self, unit: &Unit, path: &str, whole: Span, from: Span, want: Want) -> bool {
        match (want, unit) {
            (Want::Definitions, Unit::Machine(_) | Unit::Definitions(_)) => true,
            (Want::Main, Unit::Machine(_)) => true,
            (Want::Machine, Unit::Machine(machine)) => {
                let stem = file_stem(path);
                if machine.name.name != stem {
                    let diagnostic = Diagnostic::new(
                        Code::NAME_MISMATCH,
                        machine.name.span,
                        format!("machine `{}` is in a file named `{stem}`", machine.name.name),
                    )
                    .also(from, "it is referenced here")
                    .help("a machine that others refer to must have the name of its file");
                    self.problem(diagnostic);
                }
                true
            }
            (Want::Main, Unit::Definitions(_)) => {
                let at = Span::new(whole.start, whole.start);
                self.problem(
                    Diagnostic::new(Code::WRONG_UNIT, at, "this file only contains definitions")
                        .help("open a machine that uses it instead"),
                );
                false
            }
            _ => {
                let at = if from.is_real() { from } else { Span::new(whole.start, whole.start) };
                let message = format!("`{path}` does not contain a machine");
                self.problem(Diagnostic::new(Code::WRONG_UNIT, at, message));
                false
            }
        }
    }

    fn follow_definitions(&mut self, index: usize) {
        let names: Vec<Ident> = self.project.files[index]
            .definition_items()
            .iter()
            .filter_map(|item| match item {
                DefinitionItem::File(name) => Some(name.clone()),
                DefinitionItem::Definition(_) => None,
            })
            .collect();
        for name in names {
            let file = self.definition_file(index, &name);
            self.project.files[index].definition_files.push(file);
        }
    }

    /// Folder of the naming file, folder of the main file, roots, standard libraries.
    fn definition_file(&mut self, index: usize, name: &Ident) -> Option<usize> {
        let here = self.project.files[index].path.clone();
        let mut candidates = Vec::new();
        if !here.starts_with(STDLIB_PREFIX) {
            candidates.push(self.loader.join(&here, &name.name));
            candidates.push(self.loader.join(&self.main.clone(), &name.name));
            for root in self.loader.roots() {
                candidates.push(self.loader.join(root, &name.name));
            }
        }
        let found = candidates.iter().find(|c| self.loader.exists(c)).cloned();
        let library = || {
            stdlib::library(file_name(&name.name))
                .map(|_| format!("{STDLIB_PREFIX}{}", file_name(&name.name)))
        };
        let path = found.or_else(library).or_else(|| candidates.into_iter().next())?;
        let known = self.by_path.get(&path).copied();
        let in_circle = |o: &Self, file: usize| {
            o.open.contains(&file) && !matches!(o.project.files[file].unit, Unit::Machine(_))
        };
        if let Some(Some(file)) = known
            && in_circle(self, file)
        {
            self.problem(Diagnostic::new(
                Code::DEFINITION_CYCLE,
                name.span,
                format!("definition file `{}` includes itself", name.name),
            ));
            return None;
        }
        self.file(&path, name.span, Want::Definitions)
    }

    fn follow_machines(&mut self, index: usize) {
        let Some(machine) = self.project.files[index].machine() else { return };
        let wanted: Vec<(MachineRef, Vec<Name>)> = {
            let packages: Vec<Name> = machine
                .pragmas
                .iter()
                .filter_map(|p| match p {
                    HeadPragma::ImportPackage(name) => Some(name.name.clone()),
                    _ => None,
                })
                .collect();
            references(machine).into_iter().map(|(_, r)| (r.clone(), packages.clone())).collect()
        };
        let package = self.package_root(index);
        for (reference, packages) in wanted {
            let file = self.machine_file(index, &reference, &packages, package.as_deref());
            self.project.files[index].machines.push(file);
        }
    }

    /// The folder that holds the package of this file: `/*@package a.b*/` in `root/a/b/M.mch`.
    fn package_root(&mut self, index: usize) -> Option<String> {
        let file = &self.project.files[index];
        let package = file.machine()?.pragmas.iter().find_map(|p| match p {
            HeadPragma::Package(name) => Some(name.clone()),
            _ => None,
        })?;
        let folder = file.path.rfind('/').map_or("", |slash| &file.path[..slash]);
        let wanted: Vec<&str> = package.name.split('.').collect();
        let parts: Vec<&str> = folder.split('/').collect();
        if parts.len() >= wanted.len() && parts[parts.len() - wanted.len()..] == wanted[..] {
            let root = parts[..parts.len() - wanted.len()].join("/");
            return Some(if root.is_empty() { root } else { root + "/" });
        }
        // The folders above the one the program was started in are not known by name.
        if parts.len() < wanted.len() {
            return Some("../".repeat(wanted.len()));
        }
        self.problem(
            Diagnostic::new(
                Code::BAD_PACKAGE,
                package.span,
                format!("package `{}` does not match the folder `{folder}`", package.name),
            )
            .help("the last folders of the path must spell the package"),
        );
        None
    }

    fn machine_file(
        &mut self,
        index: usize,
        reference: &MachineRef,
        packages: &[Name],
        package_root: Option<&str>,
    ) -> Option<usize> {
        let path = self.find_machine(index, reference, packages, package_root)?;
        if let Some(Some(file)) = self.by_path.get(&path).copied()
            && self.open.contains(&file)
        {
            let name = &reference.name.name;
            let message = if file == index {
                format!("machine `{name}` refers to itself")
            } else {
                format!("machine `{name}` depends on the machine that refers to it here")
            };
            self.problem(
                Diagnostic::new(Code::MACHINE_CYCLE, reference.span, message)
                    .help("break the cycle: move what both need to a third machine"),
            );
            return None;
        }
        let file = self.file(&path, reference.span, Want::Machine)?;
        self.project.files[file].machine().map(|_| file)
    }

    fn find_machine(
        &mut self,
        index: usize,
        reference: &MachineRef,
        packages: &[Name],
        package_root: Option<&str>,
    ) -> Option<String> {
        let here = self.project.files[index].path.clone();
        let name = &reference.name.name;
        if let Some(file) = &reference.file {
            let path = self.loader.join(&here, &file.name);
            if file_stem(&path) != *name {
                self.problem(
                    Diagnostic::new(
                        Code::NAME_MISMATCH,
                        file.span,
                        format!("the file `{}` cannot contain machine `{name}`", file.name),
                    )
                    .help("the file's name must be the machine's name"),
                );
            }
            return Some(path);
        }
        let mut folders = vec![String::new()];
        for package in packages {
            let relative = package.replace('.', "/") + "/";
            folders.push(format!("{}{relative}", package_root.unwrap_or("")));
        }
        let roots = self.loader.roots().to_vec();
        for suffix in MACHINE_SUFFIXES {
            for (i, folder) in folders.iter().enumerate() {
                let relative = format!("{folder}{name}{suffix}");
                let from = if i > 0 && package_root.is_some() { "" } else { here.as_str() };
                let path = self.loader.join(from, &relative);
                if self.loader.exists(&path) {
                    return Some(path);
                }
            }
            for root in &roots {
                let path = self.loader.join(root, &format!("{name}{suffix}"));
                if self.loader.exists(&path) {
                    return Some(path);
                }
            }
            let library = format!("{name}{suffix}");
            if stdlib::library(&library).is_some() {
                return Some(format!("{STDLIB_PREFIX}{library}"));
            }
        }
        let folder = here.rfind('/').map_or("the current folder", |slash| &here[..slash]);
        self.problem(
            Diagnostic::new(
                Code::FILE_NOT_FOUND,
                reference.name.span,
                format!("no file for machine `{name}`"),
            )
            .help(format!(
                "looked for {name}.ref, .mch, .sys and .imp in {folder}; \
                 use --root DIR to search further folders"
            )),
        );
        None
    }
}

/// How embedded files are named; never a path of the file system.
const STDLIB_PREFIX: &str = "<stdlib>/";

fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

fn file_stem(path: &str) -> &str {
    let name = file_name(path);
    name.rfind('.').map_or(name, |dot| &name[..dot])
}

fn load_problem(path: &str, from: Span, error: &LoadError) -> Diagnostic {
    match error {
        LoadError::NotFound => {
            Diagnostic::new(Code::FILE_NOT_FOUND, from, format!("there is no file `{path}`"))
        }
        LoadError::Outside(why) => Diagnostic::new(
            Code::FILE_OUTSIDE,
            from,
            format!("`{path}` is outside the model's folder: {why}"),
        )
        .help("allow its folder with --root DIR if you trust it"),
        LoadError::TooLarge(limit) => Diagnostic::new(
            Code::FILE_TOO_LARGE,
            from,
            format!("`{path}` is larger than {} MiB", limit >> 20),
        ),
        LoadError::NotAFile(what) => {
            Diagnostic::new(Code::FILE_UNREADABLE, from, format!("`{path}` is {what}, not a file"))
        }
        LoadError::Io(why) => {
            Diagnostic::new(Code::FILE_UNREADABLE, from, format!("cannot read `{path}`: {why}"))
        }
    }
}
