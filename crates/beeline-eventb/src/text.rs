//! Event-B as text: `machine M refines A … end`, `context C … end`.
//!
//! Lists are separated by blanks, a label is what follows `@` up to a blank, and a formula ends where
//! the next label or keyword begins. Keywords may be written in lower or upper case.

mod layout;
mod scan;

use crate::math::{self, Positions};
use crate::project::{
    Action, Constant, Context, Convergence, Event, Labelled, Machine, Project, Witness,
};
use beeline_source::{Code, Diagnostic, Diagnostics, Span};
use beeline_syntax::ast::{Expr, ExprKind, Ident, Name, Subst, SubstKind};
use scan::Scanner;

pub use layout::format;

/// Does a text look like Event-B text? `MACHINE` in capitals also begins classical B, where no
/// clause is a list of `EVENT`s.
pub fn is_text(text: &str) -> bool {
    let blanked = scan::without_comments(text);
    let mut words = blanked.split_whitespace();
    match words.next() {
        Some("machine" | "context" | "CONTEXT") => true,
        Some("MACHINE") => words.any(|w| w == "EVENT" || w == "event"),
        _ => false,
    }
}

/// Reads all machines and contexts of a text into a project.
pub fn read(text: &str, base: u32, project: &mut Project, out: &mut Diagnostics) {
    let blanked = scan::without_comments(text);
    let mut reading = Reading { scan: Scanner::new(&blanked, base), out };
    while !reading.scan.at_end() {
        let done = match reading.scan.keyword() {
            Some("machine") => reading.machine().map(|m| project.machines.push(m)),
            Some("context") => reading.context().map(|c| project.contexts.push(c)),
            _ => Err(reading.scan.unexpected("`machine` or `context`")),
        };
        if let Err(diagnostic) = done {
            // What follows a slip in the structure cannot be trusted.
            reading.out.push(diagnostic);
            return;
        }
    }
}

struct Reading<'t, 'o> {
    scan: Scanner<'t>,
    out: &'o mut Diagnostics,
}

type Read<T> = Result<T, Diagnostic>;

impl Reading<'_, '_> {
    fn machine(&mut self) -> Read<Machine> {
        self.scan.next_word();
        let mut machine = Machine {
            name: self.scan.name()?,
            refines: None,
            sees: Vec::new(),
            variables: Vec::new(),
            invariants: Vec::new(),
            variants: Vec::new(),
            events: Vec::new(),
        };
        loop {
            match self.scan.keyword() {
                Some("refines") => {
                    self.scan.next_word();
                    machine.refines = Some(self.scan.name()?);
                }
                Some("sees") => machine.sees = self.names()?,
                Some("variables") => machine.variables = self.names()?,
                Some("invariants") => machine.invariants = self.labelled_list()?,
                Some("variant") => {
                    self.scan.next_word();
                    self.scan.label();
                    machine.variants.push(self.formula()?);
                }
                Some("events") => {
                    self.scan.next_word();
                    while self.begins_event() {
                        machine.events.push(self.event()?);
                    }
                }
                Some("end") => {
                    self.scan.next_word();
                    return Ok(machine);
                }
                _ => return Err(self.scan.unexpected("a clause of a machine or `end`")),
            }
        }
    }

    fn context(&mut self) -> Read<Context> {
        self.scan.next_word();
        let mut context = Context {
            name: self.scan.name()?,
            extends: Vec::new(),
            sets: Vec::new(),
            constants: Vec::new(),
            axioms: Vec::new(),
        };
        loop {
            match self.scan.keyword() {
                Some("extends") => context.extends = self.names()?,
                Some("sets") => context.sets = self.names()?,
                Some("constants") => {
                    let names = self.names()?.into_iter();
                    context.constants =
                        names.map(|name| Constant { name, symbolic: false }).collect();
                }
                Some("axioms") => context.axioms = self.labelled_list()?,
                Some("end") => {
                    self.scan.next_word();
                    return Ok(context);
                }
                _ => return Err(self.scan.unexpected("a clause of a context or `end`")),
            }
        }
    }

    fn begins_event(&self) -> bool {
        let words = ["event", "ordinary", "convergent", "anticipated"];
        self.scan.keyword().is_some_and(|word| words.contains(&word))
    }

    fn event(&mut self) -> Read<Event> {
        let convergence = match self.scan.keyword() {
            Some("convergent") => Convergence::Convergent,
            Some("anticipated") => Convergence::Anticipated,
            _ => Convergence::Ordinary,
        };
        if self.scan.keyword() != Some("event") {
            self.scan.next_word();
        }
        self.expect("event")?;
        let mut event = Event {
            name: self.scan.name()?,
            convergence,
            refines: Vec::new(),
            extended: false,
            parameters: Vec::new(),
            guards: Vec::new(),
            witnesses: Vec::new(),
            actions: Vec::new(),
        };
        loop {
            match self.scan.keyword() {
                Some("refines") => event.refines = self.names()?,
                Some("extends") => {
                    event.refines = self.names()?;
                    event.extended = true;
                }
                Some("any") => event.parameters = self.names()?,
                Some("where" | "when") => event.guards = self.labelled_list()?,
                Some("with") => {
                    self.scan.next_word();
                    while let Some(label) = self.scan.label() {
                        let formula = self.formula()?;
                        event.witnesses.push(Witness { name: label, formula });
                    }
                }
                Some("then" | "begin") => {
                    self.scan.next_word();
                    while let Some(action) = self.action()? {
                        event.actions.push(action);
                    }
                }
                Some("end") => {
                    self.scan.next_word();
                    return Ok(event);
                }
                _ => return Err(self.scan.unexpected("a clause of an event or `end`")),
            }
        }
    }

    fn expect(&mut self, word: &str) -> Read<()> {
        if self.scan.keyword() == Some(word) {
            self.scan.next_word();
            return Ok(());
        }
        Err(self.scan.unexpected(&format!("`{word}`")))
    }

    /// The names behind a keyword, up to the next one.
    fn names(&mut self) -> Read<Vec<Ident>> {
        self.scan.next_word();
        let mut names = Vec::new();
        while self.scan.keyword().is_none() && !self.scan.at_end() {
            names.push(self.scan.name()?);
        }
        Ok(names)
    }

    fn labelled_list(&mut self) -> Read<Vec<Labelled>> {
        self.scan.next_word();
        let mut list = Vec::new();
        loop {
            let theorem = self.scan.keyword() == Some("theorem");
            if theorem {
                self.scan.next_word();
            }
            match self.scan.label() {
                Some(label) => {
                    let formula = self.formula()?;
                    list.push(Labelled { label: label.name, formula, theorem });
                }
                None if theorem => return Err(self.scan.unexpected("a label")),
                None if self.scan.keyword().is_some() => return Ok(list),
                None => {
                    let formula = self.formula()?;
                    list.push(Labelled { label: Name::default(), formula, theorem });
                }
            }
        }
    }

    fn formula(&mut self) -> Read<Expr> {
        let (text, start) = self.scan.formula();
        if text.is_empty() {
            return Err(self.scan.unexpected("a formula"));
        }
        match math::formula(text, Positions::From(start)) {
            Ok(formula) => Ok(formula),
            Err(diagnostic) => {
                self.out.push(diagnostic);
                Ok(Expr::new(ExprKind::Error, Span::new(start, start + text.len() as u32)))
            }
        }
    }

    fn action(&mut self) -> Read<Option<Action>> {
        let label = self.scan.label();
        if label.is_none() && (self.scan.keyword().is_some() || self.scan.at_end()) {
            return Ok(None);
        }
        let (text, start) = self.scan.formula();
        if text.is_empty() {
            return Err(self.scan.unexpected("an action"));
        }
        let subst = match math::assignment(text, Positions::From(start)) {
            Ok(subst) => subst,
            Err(diagnostic) => {
                self.out.push(diagnostic);
                Subst::new(SubstKind::Error, Span::new(start, start + text.len() as u32))
            }
        };
        Ok(Some(Action { label: label.map(|l| l.name).unwrap_or_default(), subst }))
    }
}

fn syntax(span: Span, message: String) -> Diagnostic {
    Diagnostic::new(Code::SYNTAX, span, message)
}

#[cfg(test)]
mod tests;
