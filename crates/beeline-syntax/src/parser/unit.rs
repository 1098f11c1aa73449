//! Whole texts: machines, definition files, formulas of a prompt.

use super::recover::Stop;
use super::{Failed, Parse, Parser};
use crate::ast::{Expr, HeadPragma, Ident, Machine, MachineKind, Unit};
use crate::lexer::text::Pragma;
use crate::token::{Keyword, Prefix, Tok};
use beeline_source::{Code, Diagnostic};

impl Parser<'_> {
    /// A machine, a definition file, or a formula with its prefix.
    pub(super) fn file(&mut self) -> Option<Unit> {
        let pragmas = self.head_pragmas();
        match self.peek() {
            Tok::Prefix(_) => return self.prompt(),
            Tok::Eof => {
                let message = "the text is empty: there is no machine";
                let problem = Diagnostic::new(Code::EMPTY_FILE, self.here(), message)
                    .help("a machine is written `MACHINE Name … END`");
                self.report(problem);
                return None;
            }
            _ => {}
        }
        if machine_kind(self.peek()).is_none() && !self.at_keyword(Keyword::Definitions) {
            self.no_unit();
            while self.peek() != Tok::Eof && machine_kind(self.peek()).is_none() {
                self.advance();
            }
        }
        if self.eat_keyword(Keyword::Definitions) {
            return Some(self.definition_file());
        }
        let kind = machine_kind(self.peek())?;
        let machine = self.machine(kind, pragmas).ok()?;
        if self.peek() != Tok::Eof {
            let message = format!("the machine ends before {}", self.found());
            let problem = Diagnostic::new(Code::SYNTAX, self.here(), message)
                .help("remove what follows its END, or one END too many before it");
            self.report(problem);
        }
        Some(Unit::Machine(Box::new(machine)))
    }

    fn definition_file(&mut self) -> Unit {
        let items = self.definitions();
        self.eat_keyword(Keyword::End);
        if self.peek() != Tok::Eof {
            let _: Parse<()> = self.unexpected("another definition or the end of the text");
        }
        Unit::Definitions(items)
    }

    fn no_unit(&mut self) {
        let words =
            [Keyword::Machine, Keyword::Refinement, Keyword::Implementation, Keyword::Model]
                .map(Keyword::word);
        let message = format!(
            "expected MACHINE, REFINEMENT, IMPLEMENTATION or DEFINITIONS, found {}",
            self.found()
        );
        let mut problem = Diagnostic::new(Code::SYNTAX, self.here(), message);
        if let Some(word) = super::clause_rules::nearest(self.source(self.token()), &words) {
            problem = problem.help(format!("did you mean {word}?"));
        }
        self.report(problem);
    }

    fn head_pragmas(&mut self) -> Vec<HeadPragma> {
        let mut pragmas = Vec::new();
        loop {
            let token = self.token();
            let pragma = Pragma::of(self.source(token));
            let name = pragma.map(|p| p.word_or_string()).unwrap_or_default();
            let ident = Ident { name, span: self.span_of(token) };
            pragmas.push(match token.tok {
                Tok::Generated => HeadPragma::Generated,
                Tok::Package => HeadPragma::Package(ident),
                Tok::ImportPackage => HeadPragma::ImportPackage(ident),
                _ => return pragmas,
            });
            self.advance();
        }
    }

    fn machine(&mut self, kind: MachineKind, pragmas: Vec<HeadPragma>) -> Parse<Machine> {
        let start = self.here();
        let opener = self.source(self.token());
        self.advance();
        let name = match self.machine_name() {
            Ok(name) => name,
            Err(Failed) => {
                let mark = self.mark();
                self.resync(mark, Stop::Clause);
                Ident { name: "".into(), span: start.after() }
            }
        };
        let parameters = self.parameters("a parameter of the machine").unwrap_or_default();
        let clauses = self.clauses(kind);
        if !self.eat_keyword(Keyword::End) {
            let problem = self.unclosed_block(start, opener);
            self.report(problem);
        }
        let span = self.span_from(start);
        Ok(Machine { kind, name, parameters, pragmas, clauses, span })
    }

    fn machine_name(&mut self) -> Parse<Ident> {
        let name = self.name("the name of the machine")?;
        if name.name.contains('.') {
            let message = "the name of a machine cannot contain dots";
            self.report(Diagnostic::new(Code::BAD_IDENTIFIER, name.span, message));
        }
        Ok(name)
    }

    /// What someone typed: a formula, or else a substitution.
    pub(super) fn prompt(&mut self) -> Option<Unit> {
        let prefix = match self.peek() {
            Tok::Prefix(prefix) => {
                self.advance();
                Some(prefix)
            }
            _ => None,
        };
        match prefix {
            Some(Prefix::Formula) => self.whole_formula().ok().map(Unit::Formula),
            Some(Prefix::Substitution) => self.whole_substitution().ok(),
            Some(Prefix::Other) => {
                let message = "this kind of text is not offered";
                let problem = Diagnostic::new(Code::SYNTAX, self.behind(), message)
                    .help("use #FORMULA, #EXPRESSION, #PREDICATE or #SUBSTITUTION");
                self.report(problem);
                None
            }
            None => self.formula_or_substitution(),
        }
    }

    fn formula_or_substitution(&mut self) -> Option<Unit> {
        let start = self.pos;
        let attempt = self.begin_attempt();
        let formula = self.whole_formula();
        if let (Ok(e), 0) = (formula, self.failures) {
            return Some(Unit::Formula(e));
        }
        let reached = self.first_failure;
        let found = self.take_back(&attempt);
        self.pos = start;
        (self.open_brackets, self.open_blocks) = (0, 0);
        let substitution = self.whole_substitution();
        if self.failures > 0 && self.first_failure <= reached {
            self.take_back(&attempt);
            self.problems.extend(found);
            return None;
        }
        substitution.ok()
    }

    fn whole_formula(&mut self) -> Parse<Expr> {
        let e = self.formula()?;
        self.whole("an operator or the end")?;
        Ok(e)
    }

    fn whole_substitution(&mut self) -> Parse<Unit> {
        let s = self.top_sequence();
        self.whole("`;`, `||` or the end")?;
        Ok(Unit::Substitution(s))
    }

    fn whole(&mut self, wanted: &str) -> Parse<()> {
        if self.peek() == Tok::Eof { Ok(()) } else { self.unexpected(wanted) }
    }
}

fn machine_kind(tok: Tok) -> Option<MachineKind> {
    let Tok::Keyword(keyword) = tok else { return None };
    Some(match keyword {
        Keyword::Machine => MachineKind::Machine,
        Keyword::Model => MachineKind::Model,
        Keyword::System => MachineKind::System,
        Keyword::Refinement => MachineKind::Refinement,
        Keyword::Implementation => MachineKind::Implementation,
        _ => return None,
    })
}
