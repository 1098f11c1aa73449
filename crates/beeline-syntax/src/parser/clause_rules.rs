//! Which clauses may stand where, and what is said of a word that is none.

use super::Parser;
use super::recover::Stop;
use crate::ast::{BinaryOp, MachineKind};
use crate::token::{Keyword, Tok};
use beeline_source::{Code, Diagnostic, Span};

const SEMICOLON: Tok = Tok::Op(BinaryOp::Composition);

impl Parser<'_> {
    /// Complains about a clause that is there twice or does not fit this kind of machine.
    pub(super) fn check_clause(
        &mut self,
        keyword: Keyword,
        kind: MachineKind,
        seen: &mut Vec<(Keyword, Span)>,
    ) {
        let same = canonical(keyword);
        let word = keyword.word();
        if let Some(&(_, first)) = seen.iter().find(|(k, _)| *k == same) {
            let message = format!("the clause {word} occurs twice");
            let problem = Diagnostic::new(Code::DUPLICATE_CLAUSE, self.here(), message)
                .also(first, "the first one")
                .help("put both into one clause");
            self.report(problem);
        } else {
            seen.push((same, self.here()));
        }
        if forbidden(same, kind) {
            let machine = match kind {
                MachineKind::Refinement => "a refinement",
                MachineKind::Implementation => "an implementation",
                _ => "a machine",
            };
            let message = format!("{machine} cannot have a clause {word}");
            self.report(Diagnostic::new(Code::BAD_CLAUSE_FOR_KIND, self.here(), message));
        }
    }

    /// Something stands where a clause should begin.
    pub(super) fn no_clause(&mut self) {
        let message = format!("expected a clause or END, found {}", self.found());
        let mut problem = Diagnostic::new(Code::SYNTAX, self.here(), message);
        if self.peek() == Tok::Ident
            && let Some(word) = nearest_clause(self.source(self.token()))
        {
            problem = problem.help(format!("did you mean {word}?"));
        }
        self.report(problem);
    }

    /// The content of a clause is over, but the clause is not.
    pub(super) fn clause_goes_on(&mut self, keyword: Keyword) {
        let misspelt = match self.peek() {
            Tok::Ident => nearest_clause(self.source(self.token())),
            _ => None,
        };
        let problem = match (misspelt, self.peek()) {
            (Some(word), _) => {
                let message = format!("`{}` is not a clause", self.source(self.token()));
                Diagnostic::new(Code::SYNTAX, self.here(), message)
                    .help(format!("did you mean {word}?"))
            }
            (None, SEMICOLON) if self.only_separators_follow() => {
                let message = format!("nothing follows this `;` in {}", keyword.word());
                Diagnostic::new(Code::STRAY_SEPARATOR, self.here(), message).help("remove it")
            }
            (None, Tok::Op(BinaryOp::Member)) => {
                let message = format!("{} lists names only, without types", keyword.word());
                Diagnostic::new(Code::SYNTAX, self.here(), message)
                    .help("types go into INVARIANT, PROPERTIES, PRE or ANY")
            }
            _ if holds_formulas(keyword) => {
                self.unexpected_problem(&format!("the end of the clause {}", keyword.word()))
            }
            _ => {
                let word = keyword.word();
                let message =
                    format!("expected the end of the clause {word}, found {}", self.found());
                Diagnostic::new(Code::SYNTAX, self.here(), message)
            }
        };
        self.report(problem);
    }

    fn only_separators_follow(&self) -> bool {
        match self.peek_at(1) {
            Tok::Eof | Tok::Keyword(Keyword::End) => true,
            Tok::Keyword(k) => k.opens_clause(),
            _ => false,
        }
    }

    pub(super) fn skip_to_clause(&mut self) {
        self.advance();
        let mark = self.mark();
        self.resync(mark, Stop::Clause);
    }
}

fn holds_formulas(keyword: Keyword) -> bool {
    use Keyword::*;
    matches!(keyword, Constraints | Properties | Invariant | Variant | Assertions | Values)
}

/// Synonyms are one clause.
fn canonical(keyword: Keyword) -> Keyword {
    match keyword {
        Keyword::Initialization => Keyword::Initialisation,
        Keyword::Events => Keyword::Operations,
        Keyword::AbstractVariables => Keyword::Variables,
        Keyword::ConcreteConstants => Keyword::Constants,
        k => k,
    }
}

fn forbidden(keyword: Keyword, kind: MachineKind) -> bool {
    use Keyword::*;
    match kind {
        MachineKind::Machine | MachineKind::Model | MachineKind::System => {
            matches!(keyword, Imports | Values)
        }
        MachineKind::Refinement => {
            matches!(keyword, Uses | Constraints | LocalOperations | Imports | Values)
        }
        MachineKind::Implementation => {
            matches!(keyword, Constraints | Includes | Uses | AbstractConstants | Variables)
        }
    }
}

const CLAUSE_WORDS: &[&str] = &[
    "ABSTRACT_CONSTANTS",
    "ABSTRACT_VARIABLES",
    "ASSERTIONS",
    "CONCRETE_CONSTANTS",
    "CONCRETE_VARIABLES",
    "CONSTANTS",
    "CONSTRAINTS",
    "DEFINITIONS",
    "EVENTS",
    "EXTENDS",
    "FREETYPES",
    "IMPORTS",
    "INCLUDES",
    "INITIALISATION",
    "INVARIANT",
    "LOCAL_OPERATIONS",
    "OPERATIONS",
    "PROMOTES",
    "PROPERTIES",
    "REFINES",
    "SEES",
    "SETS",
    "USES",
    "VALUES",
    "VARIABLES",
];

/// The clause keyword that a misspelt one stands for.
fn nearest_clause(word: &str) -> Option<&'static str> {
    match word {
        "AXIOMS" => Some("PROPERTIES"),
        "INVARIANTS" => Some("INVARIANT"),
        "INIT" => Some("INITIALISATION"),
        "THEOREMS" => Some("ASSERTIONS"),
        _ => nearest(word, CLAUSE_WORDS),
    }
}

/// The word that is at most a few slips away from this one, case aside.
pub(super) fn nearest(word: &str, words: &[&'static str]) -> Option<&'static str> {
    if word.len() < 3 || word.len() > 24 || !word.is_ascii() {
        return None;
    }
    let upper = word.to_ascii_uppercase();
    let allowed = if word.len() <= 4 { 1 } else { 2 };
    let (distance, best) =
        words.iter().map(|w| (edit_distance(upper.as_bytes(), w.as_bytes()), *w)).min()?;
    (distance <= allowed).then_some(best)
}

/// Insertions, deletions and replacements between two short words.
fn edit_distance(a: &[u8], b: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
