//! Files: machines, their clauses, definitions and operations.

use super::exprs::Place;
use super::layout::Group;
use super::names;
use super::substs::{PARALLEL, SEQUENCE, SINGLE};
use super::writer::Writer;
use crate::ast::{
    Clause, ClauseKind, Declared, Definition, DefinitionBody, DefinitionItem, Expr, FreeType,
    HeadPragma, Ident, Machine, MachineKind, MachineRef, Operation, SetDecl, SetElements,
    StringKind, SubstKind, Unit,
};

impl Writer<'_> {
    pub(super) fn unit(&mut self, unit: &Unit) {
        self.at_first_token();
        match unit {
            Unit::Machine(machine) => self.machine(machine),
            Unit::Definitions(items) => {
                self.text("DEFINITIONS");
                self.lines(items, ";", Writer::definition_item);
            }
            Unit::Formula(formula) => {
                self.text("#FORMULA ");
                self.expr(formula, Place::OPEN);
            }
            Unit::Substitution(subst) => {
                self.text("#SUBSTITUTION ");
                self.subst(subst, SEQUENCE);
            }
        }
        self.hard();
    }

    fn machine(&mut self, machine: &Machine) {
        self.at(machine.span);
        for pragma in &machine.pragmas {
            self.text(&match pragma {
                HeadPragma::Generated => "/*@generated*/".to_owned(),
                HeadPragma::Package(name) => names::pragma("package", &name.name),
                HeadPragma::ImportPackage(name) => names::pragma("import-package", &name.name),
            });
            self.tight();
        }
        self.text(match machine.kind {
            MachineKind::Machine => "MACHINE ",
            MachineKind::Model => "MODEL ",
            MachineKind::System => "SYSTEM ",
            MachineKind::Refinement => "REFINEMENT ",
            MachineKind::Implementation => "IMPLEMENTATION ",
        });
        self.ident(&machine.name);
        self.parameters(&machine.parameters);
        for clause in &machine.clauses {
            self.hard();
            self.at(clause.span);
            self.clause(clause);
        }
        self.at_closing(machine.span, 3);
        self.hard();
        self.text("END");
    }

    fn parameters(&mut self, parameters: &[Ident]) {
        if !parameters.is_empty() {
            self.enclosed("(", ")", |w| w.names(parameters));
        }
    }

    fn clause(&mut self, clause: &Clause) {
        self.text(clause.kind.keyword());
        match &clause.kind {
            ClauseKind::Constraints(p) | ClauseKind::Properties(p) | ClauseKind::Invariant(p) => {
                self.indented(|w| w.conjuncts(p));
            }
            ClauseKind::Assertions(list) => {
                self.lines(list, ";", |w, p| w.expr(p, Place::OPEN));
            }
            ClauseKind::Sets(sets) => self.lines(sets, ";", Writer::set),
            ClauseKind::FreeTypes(types) => self.lines(types, ";", Writer::free_type),
            ClauseKind::Constants(_, names) | ClauseKind::Variables(_, names) => {
                self.indented(|w| w.declared(names));
            }
            ClauseKind::Definitions(items) => self.lines(items, ";", Writer::definition_item),
            ClauseKind::Expressions(list) | ClauseKind::Predicates(list) => {
                self.lines(list, ";", Writer::definition);
            }
            ClauseKind::Initialisation(subst) => self.indented(|w| w.subst(subst, SEQUENCE)),
            ClauseKind::Operations(_, operations) => self.operations(operations),
            ClauseKind::Values(values) => self.lines(values, ";", |w, (name, value)| {
                w.ident(name);
                w.text(" =");
                w.value(value);
            }),
            ClauseKind::Sees(list)
            | ClauseKind::Uses(list)
            | ClauseKind::Includes(list)
            | ClauseKind::Extends(list)
            | ClauseKind::Imports(list) => self.machine_refs(list),
            ClauseKind::Promotes(names) => self.indented(|w| w.names(names)),
            ClauseKind::Refines(machine) => {
                self.text(" ");
                self.machine_ref(machine);
            }
            ClauseKind::Variant(e) => self.indented(|w| w.expr(e, Place::OPEN)),
        }
    }

    // Lines of a clause

    fn indented(&mut self, content: impl FnOnce(&mut Self)) {
        self.nest();
        self.tight();
        content(self);
        self.close();
    }

    /// Items on lines of their own, with a separator between them.
    fn lines<T>(&mut self, items: &[T], separator: &str, item: impl Fn(&mut Self, &T)) {
        self.nest();
        for (i, one) in items.iter().enumerate() {
            if i == 0 {
                self.tight();
            } else {
                self.text(separator);
                self.hard();
            }
            item(self, one);
        }
        self.close();
    }

    fn value(&mut self, e: &Expr) {
        self.open(Group::Consistent);
        self.right_side(e, Place::OPEN);
        self.close();
    }

    fn description(&mut self, description: Option<&str>) {
        if let Some(text) = description {
            self.text(" ");
            self.text(&names::pragma("desc", text));
        }
    }

    // Declarations

    fn declared(&mut self, list: &[Declared]) {
        let plain = list.iter().all(|d| d.description.is_none());
        let span = |d: &Declared| d.name.span;
        self.open_list(plain, list.first().map(span), list.last().map(span));
        for (i, one) in list.iter().enumerate() {
            if i > 0 {
                self.text(",");
                if plain { self.line() } else { self.hard() }
            }
            self.ident(&one.name);
            self.description(one.description.as_deref());
        }
        self.close();
    }

    fn set(&mut self, set: &SetDecl) {
        self.at(set.span);
        self.ident(&set.name);
        match &set.elements {
            SetElements::Deferred => {}
            SetElements::Enumerated(elements) => {
                self.text(" = ");
                self.enclosed("{", "}", |w| w.names(elements));
            }
            SetElements::FromDefinition(definition) => {
                self.text(" = ");
                self.ident(definition);
            }
        }
        self.description(set.description.as_deref());
    }

    fn free_type(&mut self, free: &FreeType) {
        self.at(free.span);
        self.ident(&free.name);
        self.parameters(&free.parameters);
        self.text(" =");
        self.open(Group::Consistent);
        self.nest();
        for (i, (constructor, argument)) in free.constructors.iter().enumerate() {
            if i > 0 {
                self.text(",");
            }
            self.line();
            self.ident(constructor);
            if let Some(argument) = argument {
                self.enclosed("(", ")", |w| w.expr(argument, Place::BRACKETS));
            }
        }
        self.close();
        self.close();
    }

    // Definitions

    fn definition_item(&mut self, item: &DefinitionItem) {
        match item {
            DefinitionItem::File(file) => {
                self.at(file.span);
                self.text(&names::string(StringKind::Plain, &file.name));
            }
            DefinitionItem::Definition(definition) => self.definition(definition),
        }
    }

    fn definition(&mut self, definition: &Definition) {
        self.at(definition.span);
        self.ident(&definition.name);
        self.parameters(&definition.parameters);
        self.text(" ==");
        match &definition.body {
            DefinitionBody::Formula(e) => self.value(e),
            DefinitionBody::Substitution(s) => match s.kind {
                SubstKind::Skip | SubstKind::Assign(..) | SubstKind::Call(_) => {
                    self.text(" ");
                    self.subst(s, SINGLE);
                }
                _ => self.indented(|w| w.subst(s, SINGLE)),
            },
        }
    }

    // Structure

    fn machine_refs(&mut self, list: &[MachineRef]) {
        self.nest();
        self.tight();
        self.open_list(false, list.first().map(|m| m.span), None);
        for (i, one) in list.iter().enumerate() {
            if i > 0 {
                self.text(",");
                self.line();
            }
            self.machine_ref(one);
        }
        self.close();
        self.close();
    }

    fn machine_ref(&mut self, machine: &MachineRef) {
        self.at(machine.span);
        if let Some(prefix) = &machine.prefix {
            self.ident(prefix);
            self.text(".");
        }
        self.ident(&machine.name);
        if !machine.arguments.is_empty() {
            self.list("(", &machine.arguments, ")", Place::BRACKETS);
        }
        if let Some(file) = &machine.file {
            let path = names::string(StringKind::Plain, &file.name);
            self.text(" ");
            self.text(&names::pragma("file", &path));
        }
    }

    // Operations

    fn operations(&mut self, operations: &[Operation]) {
        self.nest();
        for (i, operation) in operations.iter().enumerate() {
            if i == 0 {
                self.tight();
            } else {
                self.text(";");
                self.blank();
            }
            self.operation(operation);
        }
        self.close();
    }

    fn operation(&mut self, operation: &Operation) {
        self.at(operation.span);
        if !operation.results.is_empty() {
            self.names(&operation.results);
            self.text(" <-- ");
        }
        self.ident(&operation.name);
        self.parameters(&operation.parameters);
        if let Some(refines) = &operation.refines {
            self.text(" ref ");
            self.ident(refines);
        }
        self.text(" =");
        if operation.body.kind == SubstKind::Skip {
            self.text(" ");
            self.subst(&operation.body, PARALLEL);
        } else {
            self.indented(|w| w.subst(&operation.body, PARALLEL));
        }
        self.description(operation.description.as_deref());
    }
}
