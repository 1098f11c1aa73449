//! Random machines: sets, constants, variables, operations, and sometimes a machine that is included.

use super::grow::{Grow, Known};
use super::node::{Node, Sort, atom, list, name, pred, subst, text};
use super::subst::{Callee, Care, Signature, Values, Variable};
use super::types::{Domain, Given, Ty, deep, domain, small, wide};
use super::{ENDLESS, Machine, Traits, UNCHECKED};
use crate::random::Random;

/// Sets of more values are not gone through.
const MANY: f64 = 200.0;

/// The most states that the domains of all variables may allow, and now and then.
const ROOM: f64 = 64.0;
const MUCH_ROOM: f64 = 600.0;

/// A random machine.
pub fn machine(random: &mut Random) -> Machine {
    let mut grow = Grow::new(random);
    let mut build = Build::new(&mut grow);
    build.sets();
    let mut around = Around::new("MACHINE M\n");
    let mut files = Vec::new();
    if build.grow.random.chance(12) {
        let included = build.included();
        build.traits.included = true;
        let word = build.grow.random.pick(&["INCLUDES", "INCLUDES", "EXTENDS"]);
        around.clauses.push(clause(word, ", ", vec![text(format!("{}N", included.prefix))]));
        around.calls = included.callees;
        files.push(("N.mch".to_owned(), included.node));
    }
    // Constants know no variables.
    let foreign = std::mem::take(&mut build.grow.known);
    build.constants();
    build.grow.known.extend(foreign);
    build.variables();
    let main = build.main(around);
    files.insert(0, ("M.mch".to_owned(), main));
    build.finished(files)
}

/// A machine in the making.
pub(super) struct Build<'g, 'r> {
    pub(super) grow: &'g mut Grow<'r>,
    pub(super) traits: Traits,
    care: Care,
    pub(super) set_items: Vec<Node>,
    /// The free type, where there is one.
    pub(super) free: Option<Node>,
    pub(super) constants: Vec<String>,
    pub(super) properties: Vec<Node>,
    pub(super) definitions: Vec<Node>,
    pub(super) variables: Vec<Variable>,
    pub(super) invariant: Vec<Node>,
    /// Stages that operations go through, if there are any.
    stages: usize,
    /// The most states that the domains may allow, as a share of what is usual.
    pub(super) room: f64,
}

/// What stands around a machine: how it begins, other machines, operations that have to be there.
pub(super) struct Around {
    pub(super) head: String,
    pub(super) clauses: Vec<Node>,
    pub(super) calls: Vec<Callee>,
    /// Operations of an abstraction, instead of any.
    pub(super) signatures: Option<Vec<Signature>>,
    /// Names of the abstraction, which only the invariant may speak of.
    pub(super) abstraction: Vec<Known>,
    /// Names that only operations may speak of.
    pub(super) seen: Vec<Known>,
}

impl Around {
    pub(super) fn new(head: &str) -> Around {
        Around {
            head: head.to_owned(),
            clauses: Vec::new(),
            calls: Vec::new(),
            signatures: None,
            abstraction: Vec::new(),
            seen: Vec::new(),
        }
    }
}

/// A machine that the main one includes.
struct Included {
    node: Node,
    prefix: String,
    callees: Vec<Callee>,
}

pub(super) fn clause(head: &str, between: &str, items: Vec<Node>) -> Node {
    list(Sort::Part, (&format!("{head}\n  "), between, "\n"), items, 0)
}

impl<'g, 'r> Build<'g, 'r> {
    pub(super) fn new(grow: &'g mut Grow<'r>) -> Build<'g, 'r> {
        grow.wild = grow.random.chance(15);
        let care = Care { strict: grow.random.chance(60) };
        Build {
            grow,
            traits: Traits::default(),
            care,
            set_items: Vec::new(),
            free: None,
            constants: Vec::new(),
            properties: Vec::new(),
            definitions: Vec::new(),
            variables: Vec::new(),
            invariant: Vec::new(),
            stages: 0,
            room: 1.0,
        }
    }

    /// The whole model.
    pub(super) fn finished(mut self, files: Vec<(String, Node)>) -> Machine {
        let sets = &self.grow.sets;
        self.traits.deferred = sets.iter().any(|s| s.deferred);
        self.traits.mixed = self.traits.deferred && sets.iter().any(|s| !s.elements.is_empty());
        Machine { files, traits: self.traits }
    }

    pub(super) fn sets(&mut self) {
        let count = self.grow.random.pick(&[0, 1, 1, 2, 2, 2, 3, 3, 3]);
        for i in 0..count {
            let deferred = self.grow.random.chance(55);
            let more: &[usize] =
                if deferred { &[0, 0, 1, 1, 1, 2] } else { &[0, 0, 1, 1, 2, 2, 4] };
            let size = 2 + self.grow.random.pick(more);
            let set = format!("{}{i}", if deferred { "D" } else { "E" });
            let mut elements = Vec::new();
            if deferred {
                let definition = format!("scope_{set} == 1..{size}");
                self.definitions.push(Node::Form(Sort::Part, vec![text(definition)]));
                self.set_items.push(name(set.clone()));
            } else {
                elements = (0..size).map(|n| format!("e{i}{n}")).collect();
                let items = elements.iter().map(|e| name(e.clone())).collect();
                let open = format!("{set} = {{");
                self.set_items.push(list(Sort::Part, (&open, ", ", "}"), items, 1));
            }
            let size = if deferred { size } else { elements.len() };
            // Said to be symmetric: it is if no element is named, and refused if one is.
            if !deferred && self.grow.random.chance(8) {
                let definition = format!("FORCE_SYMMETRY_{set} == TRUE");
                self.definitions.push(Node::Form(Sort::Part, vec![text(definition)]));
                elements.truncate(self.grow.random.below(2));
            }
            self.grow.sets.push(Given { name: set, elements, size, deferred });
        }
    }

    /// Constants: some stand for elements of deferred sets, others are any values with a property.
    pub(super) fn constants(&mut self) {
        for set in 0..self.grow.sets.len() {
            if !self.grow.sets[set].deferred || !self.grow.random.chance(25) {
                continue;
            }
            let count = 1 + self.grow.random.below(2);
            let given = self.grow.sets[set].name.clone();
            let names: Vec<String> = (0..count).map(|n| format!("c{set}{n}")).collect();
            for constant in &names {
                self.properties.push(pred("@ : @", [name(constant.clone()), name(given.clone())]));
                self.grow.learn(constant, Ty::Given(set));
            }
            if let [a, b] = names.as_slice()
                && self.grow.random.chance(80)
            {
                self.properties.push(pred("@ /= @", [name(a.clone()), name(b.clone())]));
            }
            self.constants.extend(names);
        }
        let count = self.grow.random.pick(&[0, 0, 0, 1, 1, 2]);
        let mut room = 60.0;
        for n in 0..count {
            let of = self.any_domain(room);
            let size = of.count(&self.grow.sets);
            if size > room || matches!(of, Domain::Seq(..)) {
                continue;
            }
            room /= size;
            let constant = format!("k{n}");
            self.properties.push(pred("@ : @", [name(constant.clone()), of.set(&self.grow.sets)]));
            self.learn(&constant, &of);
            self.constants.push(constant);
            if self.grow.random.chance(35) {
                // Of constants alone: no variable is known yet.
                let test = self.grow.pred(2);
                self.properties.push(test);
            }
        }
    }

    pub(super) fn learn(&mut self, this: &str, of: &Domain) {
        self.grow.learn(this, of.ty());
        if let (Some(known), Domain::Fun(arrow, from, _)) = (self.grow.known.last_mut(), of) {
            known.total = !from.ty().is_open() && matches!(*arrow, "-->" | ">->" | "-->>" | ">->>");
        }
    }

    pub(super) fn variables(&mut self) {
        let symbolic = self.grow.random.chance(27);
        let count = 1 + self.grow.random.below(4);
        let usual = if self.grow.random.chance(12) { MUCH_ROOM } else { ROOM };
        let mut room = usual * self.room;
        if self.grow.random.chance(25) {
            self.stages = 3 + self.grow.random.below(4);
            room /= 3.0;
            self.invariant.push(pred("@ : @", [name("t"), atom(format!("0..{}", self.stages))]));
            self.grow.learn("t", Ty::Int);
        }
        for n in 0..count {
            let mut of = self.any_domain(room);
            if of.count(&self.grow.sets) > room {
                of = small(&self.grow.sets, self.grow.random);
            }
            if of.count(&self.grow.sets) > room {
                continue;
            }
            room /= of.count(&self.grow.sets);
            self.variable(&format!("v{n}"), of);
        }
        if self.stages > 0
            && self.grow.random.chance(40)
            && let Some(of) = wide(&self.grow.sets, self.grow.random)
        {
            self.variable("w", of);
        }
        if self.variables.is_empty() {
            self.variable("v0", Domain::Range(0, 3));
        }
        if symbolic {
            self.traits.symbolic = true;
            for n in 0..1 + self.grow.random.below(2) {
                self.symbolic_variable(&format!("u{n}"));
            }
        }
    }

    /// A domain; a deep one now and then, where those are wanted.
    fn any_domain(&mut self, room: f64) -> Domain {
        let sets = &self.grow.sets;
        if self.grow.rich && self.grow.random.chance(60) {
            let free = self.free_size();
            for _ in 0..6 {
                let of = deep(&self.grow.sets, free, 2, self.grow.random);
                if of.count(&self.grow.sets) <= room {
                    return of;
                }
            }
            return small(&self.grow.sets, self.grow.random);
        }
        domain(sets, self.grow.random)
    }

    pub(super) fn variable(&mut self, this: &str, of: Domain) {
        self.learn(this, &of);
        self.invariant.push(pred("@ : @", [name(this.to_owned()), of.set(&self.grow.sets)]));
        self.variables.push(Variable { name: this.to_owned(), values: Values::Finite(of) });
    }

    fn symbolic_variable(&mut self, this: &str) {
        let kind = self.grow.symbolic_kind();
        let few = self.grow.symbolic_rows(kind);
        self.grow.learn(this, kind.ty());
        if let Some(known) = self.grow.known.last_mut() {
            known.symbolic = true;
        }
        self.invariant.push(kind.typing(name(this.to_owned())));
        if self.grow.random.chance(15) {
            let constant = format!("s{this}");
            let value = self.grow.symbolic(kind, &few[..1]);
            self.properties.push(pred("@ = @", [name(constant.clone()), value]));
            self.constants.push(constant.clone());
            self.grow.aliases.push((kind.base, few[0], constant));
        }
        if self.grow.random.chance(60) {
            let more = self.grow.symbolic_pred(kind, &few, this);
            self.invariant.push(more);
        }
        let values = Values::Symbolic(kind, few);
        self.variables.push(Variable { name: this.to_owned(), values });
    }

    /// Values of all variables at the beginning.
    pub(super) fn initialisation(&mut self) -> Node {
        let known = std::mem::take(&mut self.grow.known);
        // Constants may be used, variables have no value yet.
        let constants = &self.constants;
        self.grow.known = known.iter().filter(|k| constants.contains(&k.name)).cloned().collect();
        let mut items = Vec::new();
        for variable in &self.variables.clone() {
            let v = name(variable.name.clone());
            items.push(match &variable.values {
                Values::Symbolic(kind, few) => subst("@ := @", [v, self.grow.symbolic(*kind, few)]),
                Values::Finite(of) => self.initial(v, of),
            });
        }
        self.grow.known = known;
        if self.stages > 0 {
            items.push(subst("@ := 0", [name("t")]));
        }
        list(Sort::Subst, ("INITIALISATION\n  ", " ||\n  ", "\n"), items, 1)
    }

    fn initial(&mut self, v: Node, of: &Domain) -> Node {
        let sets = self.grow.sets.clone();
        let size = of.count(&sets);
        let has_empty = matches!(of, Domain::Pow(_) | Domain::Fun("+->" | "<->" | ">+>", ..));
        if matches!(of, Domain::Seq(..)) || (has_empty && size > MANY) {
            return subst("@ := {}", [v]);
        }
        match self.grow.random.below(10) {
            0..3 if size <= 30.0 => subst("@ :: @", [v, of.set(&sets)]),
            3..7 => match of {
                Domain::Pow(_) | Domain::Fun("+->" | "<->" | ">+>", ..) => subst("@ := {}", [v]),
                Domain::Range(a, _) => subst("@ := @", [v, atom(a.to_string())]),
                Domain::Fun(_, a, b) => match self.grow.some(&b.ty(), 0) {
                    Some(value) => subst("@ := @ * {@}", [v, a.set(&sets), value]),
                    None => subst("@ :: @", [v, of.set(&sets)]),
                },
                _ => subst("@ :: @", [v, of.set(&sets)]),
            },
            _ => match self.grow.some(&of.ty(), 1) {
                Some(value) if !of.ty().is_open() => subst("@ := @", [v, value]),
                _ => subst("@ :: @", [v, of.set(&sets)]),
            },
        }
    }

    /// Something about symbolic variables, if there are any.
    fn symbolic_test(&mut self) -> Option<Node> {
        let mut symbolic = Vec::new();
        for variable in &self.variables {
            if let Values::Symbolic(kind, few) = &variable.values {
                symbolic.push((*kind, few.clone(), variable.name.clone()));
            }
        }
        if symbolic.is_empty() || self.grow.random.chance(40) {
            return None;
        }
        let (kind, few, this) = symbolic[self.grow.random.below(symbolic.len())].clone();
        Some(self.grow.symbolic_pred(kind, &few, &this))
    }

    fn tests(&mut self) -> Node {
        let mut tests = vec![self.grow.pred(2)];
        tests.extend(self.symbolic_test());
        list(Sort::Pred, ("", " & ", ""), tests, 1)
    }

    /// An operation with any parameters and results.
    pub(super) fn signature(&mut self, this: &str) -> Signature {
        let mut parameters: Vec<(String, Ty)> = Vec::new();
        if self.grow.random.chance(45) {
            for _ in 0..1 + self.grow.random.below(2) {
                let ty = if self.grow.random.chance(80) {
                    self.grow.plain_type()
                } else {
                    self.grow.any_type()
                };
                parameters.push((self.grow.fresh("p"), ty));
            }
        }
        let result = self.grow.random.chance(12).then(|| self.grow.plain_type());
        Signature { name: this.to_owned(), parameters, result }
    }

    /// One operation.
    pub(super) fn operation(&mut self, signature: &Signature, calls: &[Callee]) -> Node {
        let Signature { name: this, parameters, result } = signature;
        let (variables, care) = (self.variables.clone(), self.care);
        let before = self.grow.known.len();
        parameters.iter().for_each(|(p, ty)| self.grow.learn(p, ty.clone()));
        let mut body = self.grow.body(&variables, care, 2);
        if !calls.is_empty() && self.grow.random.chance(70) {
            let callee = self.grow.random.pick(calls);
            if let Some(call) = self.grow.call(&callee, &variables) {
                let clashes = callee.result.is_some();
                let items = if clashes { vec![call] } else { vec![body, call] };
                body = list(Sort::Subst, ("", " || ", ""), items, 1);
            }
            if self.grow.rich
                && self.grow.random.chance(40)
                && let callee = self.grow.random.pick(calls)
                && let Some(call) = self.grow.call(&callee, &variables)
            {
                let items = list(Sort::Subst, ("", " ; ", ""), vec![body, call], 1);
                body = subst("BEGIN @ END", [items]);
            }
        }
        if let Some(ty) = result {
            match self.grow.some(ty, 1) {
                Some(value) => {
                    let items = vec![body, subst("r := @", [value])];
                    body = list(Sort::Subst, ("", " || ", ""), items, 2);
                }
                None => {
                    body = list(
                        Sort::Subst,
                        ("", " || ", ""),
                        vec![body, subst("r :: @", [self.grow.base(ty)])],
                        2,
                    )
                }
            }
        }
        let body = match self.stages {
            0 => self.guarded(parameters, body),
            stages => {
                let mut stage = || atom(self.grow.random.below(stages + 1).to_string());
                let (from, to) = (stage(), stage());
                let items = vec![body, subst("@ := @", [name("t"), to])];
                let body = list(Sort::Subst, ("", " || ", ""), items, 1);
                let here = pred("@ = @", [name("t"), from]);
                let inner = self.guarded(parameters, body);
                self.at_stage(here, parameters, inner)
            }
        };
        self.grow.known.truncate(before);
        let head = if result.is_some() { format!("r <-- {this}") } else { this.clone() };
        let names = parameters.iter().map(|p| name(p.0.clone())).collect();
        let names = list(Sort::Part, ("(", ", ", ")"), names, parameters.len());
        Node::Form(Sort::Part, vec![text(head), names, text(" =\n    "), body])
    }

    /// The names of all variables.
    fn names(&self) -> Vec<Node> {
        let stages = (self.stages > 0).then(|| name("t"));
        self.variables.iter().map(|v| name(v.name.clone())).chain(stages).collect()
    }

    /// The operation is possible at one stage only; parameters stay in front.
    fn at_stage(&mut self, here: Node, parameters: &[(String, Ty)], body: Node) -> Node {
        let typed = parameters.iter().map(|(p, ty)| self.grow.typing(p, ty));
        let tests = typed.chain([here]).collect();
        let tests = list(Sort::Pred, ("", " & ", ""), tests, 1);
        subst("PRE @ THEN @ END", [tests, body])
    }

    fn guarded(&mut self, parameters: &[(String, Ty)], body: Node) -> Node {
        let mut tests: Vec<Node> = Vec::new();
        for (parameter, ty) in parameters {
            tests.push(self.grow.typing(parameter, ty));
        }
        if !parameters.is_empty() {
            if self.grow.random.chance(60) {
                tests.push(self.tests());
            }
            let tests = list(Sort::Pred, ("", " & ", ""), tests, 1);
            return subst("PRE @ THEN @ END", [tests, body]);
        }
        match self.grow.random.below(10) {
            0..3 => subst("PRE @ THEN @ END", [self.tests(), body]),
            3..6 => subst("SELECT @ THEN @ END", [self.tests(), body]),
            6 => {
                let (variables, care) = (self.variables.clone(), self.care);
                let other = self.grow.any(&variables, care, 1);
                subst("SELECT @ THEN @ ELSE @ END", [self.tests(), body, other])
            }
            _ => subst("BEGIN @ END", [body]),
        }
    }

    /// A small machine with its own variables, over the sets of the main one: it declares them.
    fn included(&mut self) -> Included {
        let mut inner = Build::new(self.grow);
        inner.variable("n0", Domain::Range(0, 2));
        let other = small(&inner.grow.sets, inner.grow.random);
        inner.variable("n1", other);
        inner.set_items = std::mem::take(&mut self.set_items);
        let count = 1 + inner.grow.random.below(3);
        let mut operations = Vec::new();
        let mut callees = Vec::new();
        for n in 0..count {
            let signature = inner.signature(&format!("in{n}"));
            operations.push(inner.operation(&signature, &[]));
            callees.push(Callee::of(signature));
        }
        let parts = vec![
            text("MACHINE N\n"),
            clause("SETS", "; ", std::mem::take(&mut inner.set_items)),
            clause(
                "VARIABLES",
                ", ",
                inner.variables.iter().map(|v| name(v.name.clone())).collect(),
            ),
            clause("INVARIANT", " &\n  ", std::mem::take(&mut inner.invariant)),
            inner.initialisation(),
            clause("OPERATIONS", ";\n  ", operations),
            text("END\n"),
        ];
        let node = Node::Form(Sort::Part, parts);
        let renamed = inner.grow.random.chance(25);
        let prefix = if renamed { "i." } else { "" }.to_owned();
        for callee in &mut callees {
            callee.name = format!("{prefix}{}", callee.name);
        }
        if renamed {
            for known in &mut self.grow.known {
                known.name = format!("{prefix}{}", known.name);
            }
        }
        Included { node, prefix, callees }
    }

    /// Any operations.
    pub(super) fn signatures(&mut self) -> Vec<Signature> {
        let count = 1 + self.grow.random.below(4);
        (0..count).map(|n| self.signature(&format!("op{n}"))).collect()
    }

    pub(super) fn main(&mut self, around: Around) -> Node {
        let before = self.grow.known.len();
        self.grow.known.extend(around.abstraction);
        for _ in 0..self.grow.random.pick(&[0, 0, 1, 1, 2]) {
            let more = self.grow.pred(2);
            self.invariant.push(more);
        }
        if self.stages > 0 && self.grow.random.chance(60) {
            let stage = atom(self.grow.random.below(self.stages + 1).to_string());
            let test = self.grow.pred(1);
            self.invariant.push(pred("not(@ = @ & @)", [name("t"), stage, test]));
        }
        self.grow.known.truncate(before);
        self.grow.known.extend(around.seen);
        let is_free = around.signatures.is_none();
        let signatures = around.signatures.unwrap_or_else(|| self.signatures());
        let mut operations: Vec<Node> =
            signatures.iter().map(|s| self.operation(s, &around.calls)).collect();
        self.grow.known.truncate(before);
        if is_free && self.grow.random.chance(30) {
            operations.push(Node::Form(Sort::Part, vec![text("stay = skip")]));
        }
        if is_free && self.grow.random.chance(2) {
            operations.push(Node::Form(Sort::Part, vec![text(ENDLESS)]));
        }
        if self.grow.random.chance(3) {
            self.definitions.push(Node::Form(Sort::Part, vec![text(UNCHECKED)]));
        }
        if self.grow.random.chance(10) {
            let goal = self.grow.pred(2);
            self.definitions.push(Node::Form(Sort::Part, vec![text("GOAL == "), goal]));
        }
        let mut assertions = Vec::new();
        if self.grow.random.chance(15) {
            assertions.push(self.grow.pred(2));
        }
        let mut head = vec![text(around.head.as_str())];
        head.extend(around.clauses);
        head.extend([
            clause("SETS", "; ", std::mem::take(&mut self.set_items)),
            clause("FREETYPES", "; ", self.free.take().into_iter().collect()),
            clause("DEFINITIONS", ";\n  ", std::mem::take(&mut self.definitions)),
            clause("CONSTANTS", ", ", self.constants.iter().map(|c| name(c.clone())).collect()),
            clause("PROPERTIES", " &\n  ", std::mem::take(&mut self.properties)),
            clause("VARIABLES", ", ", self.names()),
            clause("INVARIANT", " &\n  ", std::mem::take(&mut self.invariant)),
            clause("ASSERTIONS", ";\n  ", assertions),
            self.initialisation(),
            clause("OPERATIONS", ";\n  ", operations),
            text("END\n"),
        ]);
        Node::Form(Sort::Part, head)
    }
}
