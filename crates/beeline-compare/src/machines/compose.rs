//! Random models of several machines, with forms that single machines seldom have: parameters, instances
//! under prefixes, machines that see, use or refine others, free types, definitions with parameters.

use super::Machine;
use super::grow::{Grow, Known};
use super::machine::{Around, Build, clause};
use super::node::{Node, Sort, list, name, pred, text};
use super::subst::{Callee, Signature};
use super::types::{Domain, FREE, Given, Ty, small};
use crate::random::Random;

/// A random model.
pub fn model(random: &mut Random) -> Machine {
    let mut grow = Grow::new(random);
    grow.rich = true;
    let mut build = Build::new(&mut grow);
    build.sets();
    build.free_type();
    let files = match build.grow.random.below(12) {
        0..4 => build.alone(),
        4..7 => build.including(),
        7 | 8 => build.using(),
        9 => build.seeing(),
        _ => build.refining(),
    };
    build.traits.included = files.len() > 1;
    build.finished(files)
}

/// What a machine with parameters gets for them.
#[derive(Clone, Copy, Debug, Default)]
struct Formal {
    number: bool,
    /// The set that stands for the one it gets.
    set: Option<usize>,
}

/// A machine that is part of another.
struct Part {
    node: Node,
    formal: Formal,
    variables: Vec<Known>,
    callees: Vec<Callee>,
}

/// How a part is used.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    Included,
    /// The next may read its variables.
    Used,
    /// It may read the variables of the one before.
    Using,
    /// Nobody writes its variables.
    Seen,
}

impl Build<'_, '_> {
    fn free_type(&mut self) {
        if !self.grow.random.chance(30) {
            return;
        }
        let mut constructors = vec![("nil".to_owned(), None), ("num".to_owned(), Some(Ty::Int))];
        let mut items = vec![text("nil"), text("num(0..1)")];
        if !self.grow.sets.is_empty() && self.grow.random.chance(60) {
            let set = self.grow.random.below(self.grow.sets.len());
            let given = self.grow.sets[set].name.clone();
            if self.grow.random.chance(50) {
                constructors.push(("elem".to_owned(), Some(Ty::Given(set))));
                items.push(text(format!("elem({given})")));
            } else {
                constructors.push(("some".to_owned(), Some(Ty::Given(set).pow())));
                items.push(text(format!("some(POW({given}))")));
            }
        }
        self.grow.constructors = constructors;
        self.free = Some(list(Sort::Part, (&format!("{FREE} = "), ", ", ""), items, 2));
    }

    /// How many values the free type has, if there is one.
    pub(super) fn free_size(&self) -> Option<usize> {
        let sizes = self.grow.constructors.iter().map(|(_, of)| match of {
            None => 1,
            Some(Ty::Given(set)) => self.grow.sets[*set].size,
            Some(Ty::Pow(of)) => match **of {
                Ty::Given(set) => 1 << self.grow.sets[set].size,
                _ => 2,
            },
            Some(_) => 2,
        });
        (!self.grow.constructors.is_empty()).then(|| sizes.sum())
    }

    /// Definitions with parameters, of these and constants alone.
    fn macros(&mut self) {
        for n in 0..self.grow.random.pick(&[0, 0, 1, 2]) {
            let count = 1 + self.grow.random.below(2);
            let parameters: Vec<(String, Ty)> =
                (0..count).map(|_| (self.grow.fresh("d"), self.grow.plain_type())).collect();
            let result = self.grow.random.chance(60).then(|| self.grow.any_type());
            let body = self.grow.within(&parameters, |g| match &result {
                None => Some(g.pred(2)),
                Some(ty) => g.expr(ty, 2),
            });
            let Some(body) = body else { continue };
            let this = format!("dm{n}");
            let names = parameters.iter().map(|p| name(p.0.clone())).collect();
            let names = list(Sort::Part, ("(", ", ", ")"), names, count);
            let parts = vec![name(this.clone()), names, text(" == ("), body, text(")")];
            self.definitions.push(Node::Form(Sort::Part, parts));
            let types = parameters.into_iter().map(|p| p.1).collect();
            self.grow.macros.push((this, types, result));
        }
    }

    /// Constants and definitions, which know no variables, then variables.
    fn names_of_its_own(&mut self) {
        let foreign = std::mem::take(&mut self.grow.known);
        self.constants();
        self.macros();
        self.grow.known.extend(foreign);
        self.variables();
    }

    fn alone(&mut self) -> Vec<(String, Node)> {
        let mut around = Around::new("MACHINE M\n");
        if self.grow.random.chance(15) {
            around.head = "MACHINE M(pm)\n".to_owned();
            let bound = pred("@ : 0..1", [name("pm")]);
            around.clauses.push(clause("CONSTRAINTS", " & ", vec![bound]));
            self.grow.learn("pm", Ty::Int);
        }
        self.names_of_its_own();
        vec![("M.mch".to_owned(), self.main(around))]
    }

    fn including(&mut self) -> Vec<(String, Node)> {
        let part = self.part("N", Role::Included);
        let mut around = Around::new("MACHINE M\n");
        let prefixes = self.grow.random.pick(&[&[""][..], &["i."], &["i.", "j."], &["i.", "j."]]);
        let mut instances = Vec::new();
        for prefix in prefixes {
            instances.push(self.instance("N", prefix, &part, &mut around.calls));
        }
        let extends = self.grow.random.chance(25);
        let word = if extends { "EXTENDS" } else { "INCLUDES" };
        around.clauses.push(clause(word, ", ", instances));
        if !extends {
            let calls = around.calls.clone();
            let promoted =
                calls.iter().filter(|_| self.grow.random.chance(40)).map(|c| name(c.name.clone()));
            around.clauses.push(clause("PROMOTES", ", ", promoted.collect()));
        }
        self.room /= if prefixes.len() > 1 { 16.0 } else { 4.0 };
        self.names_of_its_own();
        vec![("M.mch".to_owned(), self.main(around)), ("N.mch".to_owned(), part.node)]
    }

    /// Two machines are included, and one uses the other.
    fn using(&mut self) -> Vec<(String, Node)> {
        let part = self.part("N", Role::Used);
        let mut around = Around::new("MACHINE M\n");
        let mut calls = Vec::new();
        let first = self.instance("N", "", &part, &mut calls);
        let other = self.part("Q", Role::Using);
        let second = self.instance("Q", "", &other, &mut calls);
        around.calls = calls;
        around.clauses.push(clause("INCLUDES", ", ", vec![first, second]));
        self.room /= 16.0;
        self.names_of_its_own();
        let main = self.main(around);
        let files = [("M.mch", main), ("N.mch", part.node), ("Q.mch", other.node)];
        files.map(|(file, node)| (file.to_owned(), node)).into()
    }

    fn seeing(&mut self) -> Vec<(String, Node)> {
        let part = self.part("C", Role::Seen);
        let mut around = Around::new("MACHINE M\n");
        around.clauses.push(clause("SEES", ", ", vec![text("C")]));
        around.seen = part.variables;
        around.calls = part.callees;
        self.room /= 3.0;
        self.names_of_its_own();
        vec![("M.mch".to_owned(), self.main(around)), ("C.mch".to_owned(), part.node)]
    }

    fn refining(&mut self) -> Vec<(String, Node)> {
        self.names_of_its_own();
        let definitions = self.definitions.clone();
        let signatures = self.signatures();
        let mut around = Around::new("MACHINE A\n");
        around.signatures = Some(signatures.clone());
        let abstraction = self.main(around);
        let (mut kept, mut gone) = (Vec::new(), Vec::new());
        for variable in std::mem::take(&mut self.variables) {
            let keep = self.grow.random.chance(50);
            if keep { &mut kept } else { &mut gone }.push(variable);
        }
        let is_gone = |k: &Known| gone.iter().any(|v| v.name == k.name);
        let mut around = Around::new("REFINEMENT M\nREFINES A\n");
        around.signatures = Some(signatures);
        around.abstraction = self.grow.known.iter().filter(|k| is_gone(k)).cloned().collect();
        self.grow.known.retain(|k| !is_gone(k));
        self.variables = kept;
        self.definitions = definitions;
        self.constants.clear();
        for n in 0..1 + self.grow.random.below(2) {
            let of = small(&self.grow.sets, self.grow.random);
            self.variable(&format!("m{n}"), of);
        }
        let main = self.main(around);
        vec![("M.ref".to_owned(), main), ("A.mch".to_owned(), abstraction)]
    }

    /// A small machine; whoever comes first declares the sets.
    fn part(&mut self, this: &str, role: Role) -> Part {
        let before = self.grow.known.len();
        let (sets, free) = (std::mem::take(&mut self.set_items), self.free.take());
        let wild = self.grow.wild;
        let mut inner = Build::new(self.grow);
        let mut formal = Formal::default();
        let (mut formals, mut constraints) = (Vec::new(), Vec::new());
        if matches!(role, Role::Included | Role::Using) && inner.grow.random.chance(50) {
            formal.number = inner.grow.random.chance(60);
            let pn = format!("p{}", this.to_lowercase());
            if formal.number {
                constraints.push(pred("@ : 0..2", [name(pn.clone())]));
                inner.grow.learn(&pn, Ty::Int);
                formals.push(name(pn));
            }
            if !formal.number || inner.grow.random.chance(50) {
                formal.set = Some(inner.grow.sets.len());
                let given = format!("P{this}");
                formals.push(name(given.clone()));
                let elements = Vec::new();
                inner.grow.sets.push(Given { name: given, elements, size: 2, deferred: false });
            }
        }
        let skip = inner.grow.known.len();
        let stem = this.to_lowercase();
        inner.variable(&format!("{stem}0"), Domain::Range(0, 2));
        let mut other = small(&inner.grow.sets, inner.grow.random);
        if let Some(set) = formal.set {
            other = Domain::Given(set);
        }
        let boxed = Box::new(other.clone());
        other = match inner.grow.random.below(4) {
            0 => Domain::Pow(boxed),
            1 => Domain::Fun("+->", boxed, Box::new(Domain::Bool)),
            _ => other,
        };
        inner.variable(&format!("{stem}1"), other);
        if inner.grow.random.chance(30) {
            let more = inner.grow.pred(1);
            inner.invariant.push(more);
        }
        let (operations, callees) = inner.operations_of(role, &stem);
        let parameters = list(Sort::Part, ("(", ", ", ")"), formals, 0);
        let uses = if role == Role::Using { vec![text("N")] } else { Vec::new() };
        let variables = inner.variables.iter().map(|v| name(v.name.clone())).collect();
        let node = Node::Form(
            Sort::Part,
            vec![
                text(format!("MACHINE {this}")),
                parameters,
                text("\n"),
                clause("CONSTRAINTS", " & ", constraints),
                clause("USES", ", ", uses),
                clause("SETS", "; ", sets),
                clause("FREETYPES", "; ", free.into_iter().collect()),
                clause("VARIABLES", ", ", variables),
                clause("INVARIANT", " &\n  ", std::mem::take(&mut inner.invariant)),
                inner.initialisation(),
                clause("OPERATIONS", ";\n  ", operations),
                text("END\n"),
            ],
        );
        let variables = self.grow.known[skip..].to_vec();
        self.grow.known.truncate(before);
        self.grow.sets.truncate(formal.set.unwrap_or(self.grow.sets.len()));
        self.grow.wild = wild;
        Part { node, formal, variables, callees }
    }

    /// Operations of a part; those of one that is seen change nothing.
    fn operations_of(&mut self, role: Role, stem: &str) -> (Vec<Node>, Vec<Callee>) {
        let variables = self.variables.clone();
        let (mut operations, mut callees) = (Vec::new(), Vec::new());
        for n in 0..1 + self.grow.random.below(3) {
            let mut signature: Signature = self.signature(&format!("{stem}o{n}"));
            if role == Role::Seen {
                self.variables.clear();
                let ty = signature.result.take().unwrap_or_else(|| self.grow.plain_type());
                signature.result = Some(ty);
            }
            operations.push(self.operation(&signature, &[]));
            callees.push(Callee::of(signature));
        }
        self.variables = variables;
        (operations, callees)
    }

    /// A part under a prefix, with its arguments; what it brings is known from then on.
    fn instance(&mut self, this: &str, prefix: &str, part: &Part, calls: &mut Vec<Callee>) -> Node {
        let mut arguments = Vec::new();
        if part.formal.number {
            arguments.push(text(self.grow.random.pick(&["0", "1", "2", "1", "2", "3"])));
        }
        let mut actual = Ty::Int;
        if part.formal.set.is_some() {
            let (ty, set) = self.actual_set();
            actual = ty;
            arguments.push(text(set));
        }
        let settled = |ty: &Ty| match part.formal.set {
            Some(set) => ty.replaced(set, &actual),
            None => ty.clone(),
        };
        for known in &part.variables {
            let name = format!("{prefix}{}", known.name);
            self.grow.known.push(Known { name, ty: settled(&known.ty), ..known.clone() });
        }
        for callee in &part.callees {
            calls.push(Callee {
                name: format!("{prefix}{}", callee.name),
                parameters: callee.parameters.iter().map(settled).collect(),
                result: callee.result.as_ref().map(settled),
            });
        }
        let arguments = list(Sort::Part, ("(", ", ", ")"), arguments, 0);
        Node::Form(Sort::Part, vec![text(format!("{prefix}{this}")), arguments])
    }

    fn actual_set(&mut self) -> (Ty, String) {
        let count = self.grow.sets.len();
        match self.grow.random.below(6) {
            0 => (Ty::Int, "(0..1)".to_owned()),
            1 => (Ty::Bool, "BOOL".to_owned()),
            _ if count == 0 => (Ty::Int, "{1, 3}".to_owned()),
            n => {
                let set = self.grow.random.below(count);
                let given = &self.grow.sets[set];
                match given.elements.first() {
                    Some(element) if n == 2 => (Ty::Given(set), format!("{{{element}}}")),
                    _ => (Ty::Given(set), given.name.clone()),
                }
            }
        }
    }
}
