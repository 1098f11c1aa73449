//! Packages: `package(load_event_b_project(Machines, Contexts, Infos, Error)).`
//!
//! All vintages: with or without a list of infos, events of seven to nine arguments, positions with
//! or without a component. What is not known among the infos is passed over; what is not known among
//! the formulas is an error with its place.

mod formula;

use crate::project::{
    Action, Case, Constant, Context, Convergence, Datatype, Event, Labelled, Machine, Operator,
    Project, Proof, Theory, Witness, ident,
};
use crate::prolog::{self, Term};
use beeline_source::{Code, Diagnostic, Diagnostics, Span};
use beeline_syntax::ast::{Expr, Ident, Name};

pub use formula::operator_name;
pub(crate) use formula::{comprehension, forall_body};

/// Does a text look like a package?
pub fn is_package(text: &str) -> bool {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    while let Some(comment) = rest.strip_prefix('%') {
        rest = comment.find('\n').map_or("", |end| &comment[end..]).trim_start();
    }
    rest.strip_prefix("package").is_some_and(|rest| rest.trim_start().starts_with('('))
}

/// Reads a package whose first byte has the position `base`.
pub fn read(text: &str, base: u32) -> (Project, Diagnostics) {
    let mut reading = Reading { out: Diagnostics::new(), depth: 0, types: Vec::new() };
    let mut project = Project::default();
    match prolog::read(text, base) {
        Ok(clauses) => reading.clauses(&clauses, base, &mut project),
        Err(diagnostic) => reading.out.push(diagnostic),
    }
    (project, reading.out)
}

pub(crate) struct Reading {
    out: Diagnostics,
    depth: u32,
    /// Names that are types here: the parameters of a theory.
    types: Vec<Name>,
}

impl Reading {
    fn complain(&mut self, term: &Term, message: String) {
        self.out.push(Diagnostic::new(Code::BAD_EVENTB, term.span, message));
    }

    fn clauses(&mut self, clauses: &[Term], base: u32, project: &mut Project) {
        let found = clauses.iter().find_map(|clause| match clause.parts() {
            Some(("package", [inner])) => match inner.parts() {
                Some(("load_event_b_project", args @ [_, _, ..])) => Some(args),
                _ => None,
            },
            _ => None,
        });
        let Some(args) = found else {
            let at = clauses.first().map_or(Span::new(base, base), |c| c.span);
            let message = "this file does not contain an Event-B package";
            self.out.push(Diagnostic::new(Code::BAD_EVENTB, at, message));
            return;
        };
        for term in self.list(&args[0]) {
            if let Some(machine) = self.machine(term) {
                project.machines.push(machine);
            }
        }
        for term in self.list(&args[1]) {
            if let Some(context) = self.context(term) {
                project.contexts.push(context);
            }
        }
        if let Some(infos) = args.get(2).and_then(Term::list) {
            for info in infos {
                self.info(info, project);
            }
        }
        let machine = project.machines.first().map(|m| &m.name);
        let main = machine.or(project.contexts.first().map(|c| &c.name));
        project.main = main.map(|name| name.name.clone());
    }

    fn list<'t>(&mut self, term: &'t Term) -> &'t [Term] {
        match term.list() {
            Some(items) => items,
            None => {
                self.complain(term, "a list was expected here".to_owned());
                &[]
            }
        }
    }

    /// The label in a position.
    fn label(term: &Term) -> Name {
        let position = term.parts().and_then(|(_, args)| args.first());
        match position.and_then(Term::parts) {
            Some(("rodinpos", [_, label, _] | [label, _])) => {
                label.atom().cloned().unwrap_or_default()
            }
            _ => Name::default(),
        }
    }

    fn labelled(&mut self, list: &Term, theorem: bool) -> Vec<Labelled> {
        let one = |me: &mut Reading, t: &Term| Labelled {
            label: Reading::label(t),
            formula: me.formula(t),
            theorem,
        };
        self.list(list).iter().map(|t| one(self, t)).collect()
    }

    /// `functor(Pos, Name, Clauses)`
    fn component<'t>(&mut self, term: &'t Term, functor: &str) -> Option<(Ident, &'t [Term])> {
        if let Some((found, [_, name, clauses])) = term.parts()
            && found == functor
            && let Some(text) = name.atom()
        {
            return Some((ident(text.clone(), name.span), self.list(clauses)));
        }
        self.complain(term, format!("`{functor}` with a name and clauses was expected here"));
        None
    }

    fn machine(&mut self, term: &Term) -> Option<Machine> {
        let (name, clauses) = self.component(term, "event_b_model")?;
        let mut machine = Machine {
            name,
            refines: None,
            sees: Vec::new(),
            variables: Vec::new(),
            invariants: Vec::new(),
            variants: Vec::new(),
            events: Vec::new(),
        };
        for clause in clauses {
            match clause.parts() {
                Some(("sees", [_, names])) => machine.sees = self.names(names),
                Some(("refines", [_, name])) => machine.refines = self.name(name),
                Some(("variables", [_, names])) => machine.variables = self.names(names),
                Some(("invariant", [_, list])) => {
                    machine.invariants.extend(self.labelled(list, false));
                }
                Some(("theorems", [_, list])) => {
                    machine.invariants.extend(self.labelled(list, true));
                }
                Some(("variant", [_, e])) => machine.variants.push(self.formula(e)),
                Some(("events", [_, list])) => {
                    let events = self.list(list);
                    machine.events = events.iter().filter_map(|e| self.event(e)).collect();
                }
                // Plug-ins add clauses of their own.
                Some(_) => {}
                None => self.complain(clause, "a clause was expected here".to_owned()),
            }
        }
        Some(machine)
    }

    fn context(&mut self, term: &Term) -> Option<Context> {
        let (name, clauses) = self.component(term, "event_b_context")?;
        let mut context = Context {
            name,
            extends: Vec::new(),
            sets: Vec::new(),
            constants: Vec::new(),
            axioms: Vec::new(),
        };
        for clause in clauses {
            match clause.parts() {
                Some(("extends", [_, names])) => context.extends = self.names(names),
                Some(("sets", [_, names])) => context.sets = self.names(names),
                Some((kind @ ("constants" | "abstract_constants"), [_, names])) => {
                    let symbolic = kind == "abstract_constants";
                    let names = self.names(names).into_iter();
                    context.constants.extend(names.map(|name| Constant { name, symbolic }));
                }
                Some(("axioms", [_, list])) => context.axioms.extend(self.labelled(list, false)),
                Some(("theorems", [_, list])) => context.axioms.extend(self.labelled(list, true)),
                Some(_) => {}
                None => self.complain(clause, "a clause was expected here".to_owned()),
            }
        }
        Some(context)
    }

    fn event(&mut self, term: &Term) -> Option<Event> {
        let none = Term { kind: prolog::TermKind::List(Vec::new()), span: term.span };
        let (name, status, rest, theorems) = match term.parts() {
            Some(("event", [_, name, status, refines, params, guards, theorems, acts, wits])) => {
                (name, Some(status), [refines, params, guards, acts, wits], theorems)
            }
            Some(("event", [_, name, status, refines, params, guards, acts, wits])) => {
                (name, Some(status), [refines, params, guards, acts, wits], &none)
            }
            Some(("event", [_, name, refines, params, guards, acts, wits])) => {
                (name, None, [refines, params, guards, acts, wits], &none)
            }
            _ => {
                self.complain(term, "an event was expected here".to_owned());
                return None;
            }
        };
        let [refines, parameters, guards, actions, witnesses] = rest;
        let convergence = match status.and_then(Term::parts) {
            Some(("convergent", _)) => Convergence::Convergent,
            Some(("anticipated", _)) => Convergence::Anticipated,
            _ => Convergence::Ordinary,
        };
        let mut all_guards = self.labelled(guards, false);
        all_guards.extend(self.labelled(theorems, true));
        let act =
            |me: &mut Reading, t: &Term| Action { label: Reading::label(t), subst: me.action(t) };
        Some(Event {
            name: self.name(name)?,
            convergence,
            refines: self.names(refines),
            extended: false,
            parameters: self.names(parameters),
            guards: all_guards,
            witnesses: self.list(witnesses).iter().filter_map(|w| self.witness(w)).collect(),
            actions: self.list(actions).iter().map(|a| act(self, a)).collect(),
        })
    }

    fn witness(&mut self, term: &Term) -> Option<Witness> {
        let Some(("witness", [_, name, formula])) = term.parts() else {
            self.complain(term, "a witness was expected here".to_owned());
            return None;
        };
        Some(Witness { name: self.name(name)?, formula: self.formula(formula) })
    }

    fn info(&mut self, term: &Term, project: &mut Project) {
        match term.parts() {
            Some(("po", [component, what, sources, status])) => {
                let proved = status.atom().is_some_and(|s| s == "true");
                let source = |wanted: &str| {
                    sources.list().unwrap_or(&[]).iter().find_map(|s| match s.parts() {
                        Some((functor, [name])) if functor == wanted => name.atom().cloned(),
                        _ => None,
                    })
                };
                let what = what.atom().map_or(Obligation::Other, |w| Obligation::named(w));
                match (component.atom().cloned(), source("event"), source("invariant"), what) {
                    (Some(component), Some(event), Some(invariant), Obligation::Preserves)
                        if proved =>
                    {
                        project.proofs.push(Proof { component, event, invariant });
                    }
                    (Some(component), _, Some(invariant), Obligation::HasMeaning) if !proved => {
                        project.maybe_undefined.push((component, invariant));
                    }
                    _ => {}
                }
            }
            Some(("discharged", [component, event, invariant])) => {
                if let (Some(component), Some(event), Some(invariant)) =
                    (component.atom(), event.atom(), invariant.atom())
                {
                    let (component, event) = (component.clone(), event.clone());
                    let invariant = invariant.clone();
                    project.proofs.push(Proof { component, event, invariant });
                }
            }
            Some(("theory", args)) => self.theory(args, project),
            _ => {}
        }
    }

    /// `theory(Name, Imported, TypeParameters, Datatypes, Operators, Axiomatic, Mappings)`, or an
    /// older one with fewer arguments.
    fn theory(&mut self, args: &[Term], project: &mut Project) {
        let [name, _, parameters, datatypes, operators, rest @ ..] = args else { return };
        let name = match name.parts() {
            Some((_, [_, name])) => name.atom().cloned().unwrap_or_default(),
            _ => Name::default(),
        };
        let parameters = self.list(parameters).iter().filter_map(Term::atom).cloned().collect();
        let mut theory = Theory { name, parameters, ..Theory::default() };
        self.types = theory.parameters.clone();
        for term in self.list(datatypes) {
            theory.datatypes.extend(self.datatype(term));
        }
        for term in self.list(operators) {
            theory.operators.extend(self.operator(term));
        }
        if let [blocks, ..] = rest {
            for block in blocks.list().unwrap_or(&[]) {
                if let Some(("axiomatic_def_block", [_, _, operators, ..])) = block.parts() {
                    for term in self.list(operators) {
                        theory.operators.extend(self.operator(term));
                    }
                }
            }
        }
        if let [_, mappings, ..] = rest {
            for tag in mappings.list().unwrap_or(&[]) {
                if let Some(("tag", [name, internal])) = tag.parts()
                    && let (Some(name), Some(internal)) = (name.atom(), internal.atom())
                {
                    theory.mappings.push((name.clone(), internal.clone()));
                }
            }
        }
        self.types.clear();
        project.theories.push(theory);
    }

    fn datatype(&mut self, term: &Term) -> Option<Datatype> {
        let Some(("datatype", [name, parameters, constructors])) = term.parts() else {
            self.complain(term, "a data type was expected here".to_owned());
            return None;
        };
        let parameters: Vec<Name> = self.names(parameters).into_iter().map(|p| p.name).collect();
        let outer = self.types.clone();
        self.types.retain(|name| !parameters.contains(name));
        let mut list = Vec::new();
        for constructor in self.list(constructors) {
            let Some(("constructor", [name, destructors])) = constructor.parts() else { continue };
            let mut fields = Vec::new();
            for destructor in self.list(destructors) {
                if let Some(("destructor", [name, ty])) = destructor.parts() {
                    fields.push((self.name(name)?, self.formula(ty)));
                }
            }
            list.push((self.name(name)?, fields));
        }
        self.types = outer;
        Some(Datatype { name: self.name(name)?, parameters, constructors: list })
    }

    fn operator(&mut self, term: &Term) -> Option<Operator> {
        let none: &[Term] = &[];
        let (name, arguments, definition, recursive) = match term.parts() {
            Some(("operator", [name, arguments, _, direct, recursive])) => {
                let direct = direct.list().and_then(<[Term]>::first);
                (name, arguments, direct, recursive.list().unwrap_or(none))
            }
            Some(("opdef", [name, arguments, ..])) => (name, arguments, None, none),
            _ => return None,
        };
        let mut list: Vec<(Ident, Expr)> = Vec::new();
        for argument in self.list(arguments) {
            if let Some(("argument", [name, ty])) = argument.parts() {
                list.push((self.name(name)?, self.formula(ty)));
            }
        }
        let definition = definition.map(|d| self.formula(d));
        let cases = recursive.iter().filter_map(|c| self.case(c)).collect();
        Some(Operator { name: self.name(name)?, arguments: list, definition, cases })
    }

    /// `case(Argument, Bound, Pattern, Value)`
    fn case(&mut self, term: &Term) -> Option<Case> {
        let Some(("case", [argument, _, pattern, value])) = term.parts() else {
            self.complain(term, "a case of a recursive operator was expected here".to_owned());
            return None;
        };
        let argument = self.name(argument)?.name;
        Some(Case { argument, pattern: self.formula(pattern), value: self.formula(value) })
    }
}

/// What an obligation is about.
pub(crate) enum Obligation {
    /// An event and an invariant.
    Preserves,
    /// An invariant: it has a meaning wherever those before it hold.
    HasMeaning,
    /// Something else.
    Other,
}

impl Obligation {
    /// By its description in words.
    pub fn named(description: &str) -> Obligation {
        let words: Vec<&str> = description.split_whitespace().collect();
        match words.as_slice() {
            ["Invariant", "preservation" | "establishment"] => Obligation::Preserves,
            ["Well-definedness", "of", "Invariant"] => Obligation::HasMeaning,
            _ => Obligation::Other,
        }
    }
}
