//! All files of a Rodin folder or archive at once.

use super::choose::{chain, choose_folder, most_concrete, parent};
use super::gathered::Gathered;
use crate::files::decode;
use beeline_elaborate::EventbOptions;
use beeline_eventb::archive;
use beeline_source::Span;
use rustc_hash::FxHashMap;
use std::sync::Arc;

impl Gathered {
    pub(super) fn archive(&mut self, name: &str, bytes: &[u8], choice: &mut EventbOptions) {
        match archive::unpack(bytes, &super::SUFFIXES) {
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
    pub(super) fn rodin_files(
        &mut self,
        files: Vec<(String, Arc<str>)>,
        choice: &mut EventbOptions,
    ) {
        let Some(folder) = choose_folder(&mut self.out, &files, choice) else { return };
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
            self.project.main = most_concrete(&self.project, &mut self.out);
        }
        for machine in chain(&self.project, choice) {
            let file = |suffix: &str| own.get(format!("{machine}.{suffix}").as_str()).copied();
            if let (Some(obligations), Some(status)) = (file("bpo"), file("bps")) {
                self.proofs(&machine, obligations, status);
            }
        }
    }
}
