//! The definitions of one machine: its own and those of the files it names.

use crate::project::{File, Project};
use beeline_source::{Code, Diagnostic, Diagnostics, Span};
use beeline_syntax::ast::{ClauseKind, Definition, DefinitionBody, DefinitionItem, Name};
use rustc_hash::{FxHashMap, FxHashSet};

/// A definition and the file that holds it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<'a> {
    pub definition: &'a Definition,
    pub file: usize,
}

/// All definitions a machine can use.
#[derive(Debug, Default)]
pub(crate) struct Definitions<'a> {
    by_name: FxHashMap<&'a str, Entry<'a>>,
    /// In the order they were met.
    pub order: Vec<Entry<'a>>,
}

impl<'a> Definitions<'a> {
    pub fn get(&self, name: &str) -> Option<Entry<'a>> {
        self.by_name.get(name).copied()
    }

    pub fn names(&self) -> impl Iterator<Item = &'a str> + '_ {
        self.order.iter().map(|e| e.definition.name.name.as_str())
    }

    /// Collects the definitions that the machine in `file` can use.
    pub fn of_machine(project: &'a Project, file: usize, out: &mut Diagnostics) -> Self {
        let mut all = Definitions::default();
        let mut seen = FxHashSet::default();
        all.collect(project, file, &mut seen, out);
        all.check_circles(out);
        all
    }

    /// Definitions that stand in no file.
    pub fn of_list(list: &'a [Definition], out: &mut Diagnostics) -> Self {
        let mut all = Definitions::default();
        for definition in list {
            all.add(definition, 0, out);
        }
        all.check_circles(out);
        all
    }

    fn collect(
        &mut self,
        project: &'a Project,
        index: usize,
        seen: &mut FxHashSet<usize>,
        out: &mut Diagnostics,
    ) {
        if !seen.insert(index) {
            return;
        }
        let file = &project.files[index];
        let mut named = file.definition_files.iter();
        for item in file.definition_items() {
            match item {
                DefinitionItem::File(_) => {
                    if let Some(Some(next)) = named.next() {
                        stacker::maybe_grow(64 << 10, 1 << 20, || {
                            self.collect(project, *next, seen, out);
                        });
                    }
                }
                DefinitionItem::Definition(definition) => self.add(definition, index, out),
            }
        }
        for definition in abbreviations(file) {
            self.add(definition, index, out);
        }
    }

    fn add(&mut self, definition: &'a Definition, file: usize, out: &mut Diagnostics) {
        let name = definition.name.name.as_str();
        if let Some(other) = self.by_name.get(name) {
            if other.definition == definition && other.file != file {
                return; // the same text from two libraries
            }
            out.push(
                Diagnostic::new(
                    Code::DUPLICATE_DEFINITION,
                    definition.name.span,
                    format!("`{name}` is defined twice"),
                )
                .also(other.definition.name.span, "first defined here"),
            );
            return;
        }
        let entry = Entry { definition, file };
        self.by_name.insert(name, entry);
        self.order.push(entry);
    }

    /// Reports each definition that needs itself.
    fn check_circles(&mut self, out: &mut Diagnostics) {
        let mut marks: FxHashMap<&'a str, Mark> = FxHashMap::default();
        let order: Vec<Entry<'a>> = self.order.clone();
        for entry in order {
            let mut path: Vec<(&'a Definition, std::vec::IntoIter<(Name, Span)>)> = Vec::new();
            self.enter(entry.definition, &mut marks, &mut path);
            while let Some((definition, uses)) = path.last_mut() {
                let definition = *definition;
                let Some((name, span)) = uses.next() else {
                    marks.insert(definition.name.name.as_str(), Mark::Done);
                    path.pop();
                    continue;
                };
                let Some(next) = self.by_name.get(name.as_str()).copied() else { continue };
                match marks.get(name.as_str()) {
                    Some(Mark::Done) => {}
                    Some(Mark::Open) => {
                        let name = &definition.name.name;
                        out.push(
                            Diagnostic::new(
                                Code::DEFINITION_CYCLE,
                                definition.name.span,
                                format!("definition `{name}` uses itself"),
                            )
                            .also(span, "this closes the cycle")
                            .help("a recursive function can be an ABSTRACT_CONSTANT: f = %x.(…f…)"),
                        );
                        // Cut the circle, so that expansion ends.
                        self.by_name.remove(definition.name.name.as_str());
                        return;
                    }
                    None => self.enter(next.definition, &mut marks, &mut path),
                }
            }
        }
    }

    fn enter(
        &self,
        definition: &'a Definition,
        marks: &mut FxHashMap<&'a str, Mark>,
        path: &mut Vec<(&'a Definition, std::vec::IntoIter<(Name, Span)>)>,
    ) {
        let name = definition.name.name.as_str();
        if marks.contains_key(name) {
            return;
        }
        marks.insert(name, Mark::Open);
        let mut uses = Vec::new();
        crate::walk::names_in_definition(definition, &mut |name, span| {
            uses.push((name.clone(), span));
        });
        uses.retain(|(n, _)| {
            self.by_name.contains_key(n.as_str())
                && !definition.parameters.iter().any(|p| p.name == *n)
        });
        path.push((definition, uses.into_iter()));
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Open,
    Done,
}

/// What the EXPRESSIONS and PREDICATES clauses define.
fn abbreviations(file: &File) -> impl Iterator<Item = &Definition> {
    file.machine()
        .into_iter()
        .flat_map(|m| &m.clauses)
        .filter_map(|c| match &c.kind {
            ClauseKind::Expressions(list) | ClauseKind::Predicates(list) => Some(list),
            _ => None,
        })
        .flatten()
}

/// Definitions that ProB treats specially; their bodies need not be formulas of the model.
pub(crate) fn is_special(name: &str) -> bool {
    const WORDS: [&str; 8] = [
        "GOAL",
        "SCOPE",
        "GAME_OVER",
        "GAME_PLAYER",
        "GAME_MCTS_RUNS",
        "PROB_REQUIRED_VERSION",
        "CUSTOM_GRAPH",
        "SHIELD_INTERVENTION",
    ];
    const PREFIXES: [&str; 15] = [
        "scope_",
        "SET_PREF_",
        "MAX_OPERATIONS_",
        "OPERATION_REUSE_OFF_",
        "FORCE_SYMMETRY_",
        "HEURISTIC_FUNCTION",
        "ASSERT_LTL",
        "ASSERT_CTL",
        "ANIMATION_",
        "CUSTOM_GRAPH_",
        "VISB_",
        "SEQUENCE_CHART_",
        "EXTERNAL_",
        "GAME_",
        "UNIT_",
    ];
    WORDS.contains(&name) || PREFIXES.iter().any(|p| name.starts_with(p))
}

/// Is the body a formula?
pub(crate) fn formula_body(definition: &Definition) -> Option<&beeline_syntax::ast::Expr> {
    match &definition.body {
        DefinitionBody::Formula(formula) => Some(formula),
        DefinitionBody::Substitution(_) => None,
    }
}
