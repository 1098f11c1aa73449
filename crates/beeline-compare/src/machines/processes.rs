//! Random machines of many small steps: what operations make of each other's guards can be proved.
//!
//! Program counters, counters and flags, and operations that test and change a few of them. Much is disabled,
//! enabled or independent by what is written, the invariant holds by what is written or does not hold, and
//! abstract states need several rounds: machines of [`mod@super::machine`] seldom have such things.

use super::machine::clause;
use super::node::{Node, Sort, atom, list, name, pred, subst, text};
use super::{Machine, Traits};
use crate::random::Random;

/// A variable.
#[derive(Clone)]
enum Kind {
    /// An integer from 0 on, which operations keep within an end.
    Count(i64),
    /// A flag.
    Flag,
    /// A function on 0..1, with values from 0 to an end.
    Slots(i64),
    /// An element of the enumerated set.
    Place,
}

#[derive(Clone)]
struct Variable {
    name: String,
    kind: Kind,
}

const PLACES: [&str; 3] = ["here", "there", "away"];

/// A random machine of small steps.
pub fn processes(random: &mut Random) -> Machine {
    let mut build = Build { random, variables: Vec::new() };
    build.declare();
    let mut clauses = vec![text("MACHINE M\n")];
    let places = PLACES.map(name).to_vec();
    let set = list(Sort::Part, ("P = {", ", ", "}"), places, 1);
    clauses.push(clause("SETS", "; ", vec![set]));
    let names = build.variables.iter().map(|v| name(v.name.clone())).collect();
    clauses.push(clause("VARIABLES", ", ", names));
    let conjuncts = build.invariant();
    clauses.push(list(Sort::Pred, ("INVARIANT\n  ", " &\n  ", "\n"), conjuncts, 1));
    let values = build.variables.clone().iter().map(|v| build.initial(v)).collect();
    clauses.push(list(Sort::Subst, ("INITIALISATION\n  ", " ||\n  ", "\n"), values, 1));
    let count = 2 + build.random.below(6);
    let operations = (0..count).map(|n| build.operation(n)).collect();
    clauses.push(clause("OPERATIONS", ";\n  ", operations));
    clauses.push(text("END\n"));
    let files = vec![("M.mch".to_owned(), Node::Form(Sort::Part, clauses))];
    Machine { files, traits: Traits::default() }
}

struct Build<'r> {
    random: &'r mut Random,
    variables: Vec<Variable>,
}

impl Build<'_> {
    fn declare(&mut self) {
        let mut room = 400;
        for n in 0..2 + self.random.below(4) {
            let end = 1 + self.random.below(4) as i64;
            let (kind, size) = match self.random.below(10) {
                0..5 => (Kind::Count(end), end + 1),
                5 | 6 => (Kind::Flag, 2),
                7 | 8 => (Kind::Place, 3),
                _ => (Kind::Slots(end.min(2)), 9),
            };
            if size <= room {
                room /= size;
                self.variables.push(Variable { name: format!("v{n}"), kind });
            }
        }
    }

    /// Typing, which may be too narrow, and what may or may not hold.
    fn invariant(&mut self) -> Vec<Node> {
        let variables = self.variables.clone();
        let mut conjuncts: Vec<Node> = variables.iter().map(|v| self.typing(v)).collect();
        for _ in 0..self.random.below(4) {
            let (a, b) = (self.test(), self.test());
            conjuncts.push(match self.random.below(4) {
                0 => a,
                1 => pred("not(@ & @)", [a, b]),
                2 => pred("(@ or @)", [a, b]),
                _ => pred("(@ => @)", [a, b]),
            });
        }
        conjuncts
    }

    fn typing(&mut self, variable: &Variable) -> Node {
        let this = name(variable.name.clone());
        let narrow = i64::from(self.random.chance(30));
        match variable.kind {
            Kind::Count(_) if self.random.chance(20) => pred("@ : INTEGER", [this]),
            Kind::Count(end) => pred("@ : @", [this, atom(format!("0..{}", end - narrow))]),
            Kind::Flag => pred("@ : BOOL", [this]),
            Kind::Slots(end) => {
                pred("@ : 0..1 --> @", [this, atom(format!("0..{}", end - narrow))])
            }
            Kind::Place => pred("@ : P", [this]),
        }
    }

    fn initial(&mut self, variable: &Variable) -> Node {
        let this = name(variable.name.clone());
        let some = self.random.chance(15);
        match variable.kind {
            Kind::Count(end) if some => subst("@ :: @", [this, atom(format!("0..{}", end.min(1)))]),
            Kind::Count(_) => subst("@ := 0", [this]),
            Kind::Flag if some => subst("@ :: BOOL", [this]),
            Kind::Flag => subst("@ := FALSE", [this]),
            Kind::Slots(_) => subst("@ := {0 |-> 0, 1 |-> 0}", [this]),
            Kind::Place => subst("@ := @", [this, name(PLACES[0])]),
        }
    }

    /// A simple condition.
    fn test(&mut self) -> Node {
        let variable = self.random.pick(&self.variables);
        let this = name(variable.name.clone());
        match variable.kind {
            Kind::Count(end) => {
                let bound = atom(self.random.below(end as usize + 2).to_string());
                let others: Vec<Variable> = self.counters();
                match self.random.below(9) {
                    0..3 => pred("@ = @", [this, bound]),
                    3 => pred("@ /= @", [this, bound]),
                    4 => pred("@ < @", [this, bound]),
                    5 => pred("@ > @", [this, bound]),
                    6 => pred("@ : {0, @}", [this, bound]),
                    7 => pred("@ <= @", [this, name(self.random.pick(&others).name)]),
                    _ => pred("@ + @ = @", [this, name(self.random.pick(&others).name), bound]),
                }
            }
            Kind::Flag => pred(self.random.pick(&["@ = TRUE", "@ = FALSE"]), [this]),
            Kind::Slots(end) => {
                let at = atom(self.random.below(2).to_string());
                let value = atom(self.random.below(end as usize + 1).to_string());
                match self.random.below(4) {
                    0 => pred("@ : ran(@)", [value, this]),
                    1 => pred("@(@) < @", [this, at, value]),
                    _ => pred("@(@) = @", [this, at, value]),
                }
            }
            Kind::Place => {
                let place = name(self.random.pick(&PLACES));
                pred(self.random.pick(&["@ = @", "@ = @", "@ /= @"]), [this, place])
            }
        }
    }

    fn counters(&self) -> Vec<Variable> {
        let is_count = |v: &&Variable| matches!(v.kind, Kind::Count(_));
        self.variables.iter().filter(is_count).cloned().collect()
    }

    /// A change of a variable, and what must be so before it.
    fn change(&mut self, variable: &Variable, parameter: Option<&str>) -> (Vec<Node>, Node) {
        let this = || name(variable.name.clone());
        match variable.kind {
            Kind::Count(end) => match self.random.below(8) {
                0..3 => {
                    let below = pred("@ < @", [this(), atom(end.to_string())]);
                    (vec![below], subst("@ := @ + 1", [this(), this()]))
                }
                3 => (vec![pred("@ > 0", [this()])], subst("@ := @ - 1", [this(), this()])),
                4 => {
                    let other = self.random.pick(&self.counters());
                    let fits = pred("@ <= @", [name(other.name.clone()), atom(end.to_string())]);
                    (vec![fits], subst("@ := @", [this(), name(other.name)]))
                }
                5 => (Vec::new(), subst("@ :: @", [this(), atom(format!("0..{}", end.min(2)))])),
                6 if parameter.is_some() => {
                    let given = || name(parameter.unwrap_or_default());
                    let fits = pred("@ <= @", [given(), atom(end.to_string())]);
                    (vec![fits], subst("@ := @", [this(), given()]))
                }
                _ => {
                    let value = atom(self.random.below(end as usize + 1).to_string());
                    (Vec::new(), subst("@ := @", [this(), value]))
                }
            },
            Kind::Flag => match self.random.below(4) {
                0 => {
                    let test = self.test();
                    (Vec::new(), subst("@ := bool(@)", [this(), test]))
                }
                1 => (Vec::new(), subst("@ := FALSE", [this()])),
                _ => (Vec::new(), subst("@ := TRUE", [this()])),
            },
            Kind::Slots(end) => {
                let at = match parameter {
                    Some(given) if self.random.chance(60) => name(given),
                    _ => atom(self.random.below(2).to_string()),
                };
                let value = atom(self.random.below(end as usize + 1).to_string());
                let within = pred("@ : 0..1", [at.clone()]);
                (vec![within], subst("@(@) := @", [this(), at, value]))
            }
            Kind::Place => {
                let place = name(self.random.pick(&PLACES));
                (Vec::new(), subst("@ := @", [this(), place]))
            }
        }
    }

    fn operation(&mut self, number: usize) -> Node {
        let parameter = self.random.chance(25).then_some("p");
        let mut tests = Vec::new();
        if parameter.is_some() {
            tests.push(pred("@ : 0..2", [name("p")]));
        }
        for _ in 0..self.random.pick(&[0, 0, 1, 1, 1, 2, 2, 3]) {
            tests.push(self.test());
        }
        let mut changes = Vec::new();
        let mut rest = self.variables.clone();
        for _ in 0..self.random.pick(&[0, 1, 1, 1, 2, 2]) {
            if rest.is_empty() {
                break;
            }
            let variable = rest.swap_remove(self.random.below(rest.len()));
            let (needed, change) = self.change(&variable, parameter);
            tests.extend(needed);
            let other = self.random.chance(12).then(|| self.test());
            changes.push(match other {
                Some(test) => subst("IF @ THEN @ END", [test, change]),
                None => change,
            });
        }
        let body = match changes.is_empty() {
            true => subst("skip", []),
            false => list(Sort::Subst, ("", " || ", ""), changes, 1),
        };
        let head = format!("o{number}{}", if parameter.is_some() { "(p)" } else { "" });
        let body = match tests.is_empty() {
            true => subst("BEGIN @ END", [body]),
            false => {
                let tests = list(Sort::Pred, ("", " & ", ""), tests, 1);
                let form = match self.random.chance(75) && parameter.is_none() {
                    true => "SELECT @ THEN @ END",
                    false => "PRE @ THEN @ END",
                };
                subst(form, [tests, body])
            }
        };
        Node::Form(Sort::Part, vec![text(head), text(" =\n    "), body])
    }
}
