//! Random pairs and chains of refinement in classical B, and what is known of them from the judge alone.
//!
//! The abstraction chooses (`::`, `ANY`, `CHOICE`), a refinement renames its variables, makes choices of its own,
//! and is often wrong. [`reference()`] holds each machine of a chain on a judge of its own and carries sets of
//! abstract states as plain sets. It shares nothing with the checker but the typed model.

mod reference;

pub use reference::{Reference, Way, reference};

use crate::random::Random;

/// A chain as files, the most concrete one first.
pub fn chain(random: &mut Random) -> Vec<(String, String)> {
    let mut machine = Sketch::random(random);
    let mut files = vec![("M0.mch".to_owned(), machine.text("MACHINE M0", "", &[]))];
    for level in 1..=1 + random.below(2) {
        let (next, glue) = machine.refined(random, level);
        let head = format!("REFINEMENT M{level}");
        let refines = format!("REFINES M{}", level - 1);
        files.push((format!("M{level}.ref"), next.text(&head, &refines, &glue)));
        machine = next;
    }
    files.reverse();
    files
}

/// A machine with a number and a set.
#[derive(Clone)]
struct Sketch {
    number: String,
    set: String,
    initial: String,
    operations: Vec<Operation>,
}

#[derive(Clone)]
struct Operation {
    name: &'static str,
    parameter: bool,
    result: bool,
    pre: Vec<String>,
    body: String,
}

impl Sketch {
    fn random(random: &mut Random) -> Sketch {
        let mut sketch = Sketch {
            number: "x0".to_owned(),
            set: "s0".to_owned(),
            initial: String::new(),
            operations: Vec::new(),
        };
        sketch.initial = sketch.start(random);
        let shapes = [
            ("one", true, false),
            ("two", false, true),
            ("three", true, true),
            ("four", false, false),
        ];
        for (name, parameter, result) in shapes.into_iter().take(2 + random.below(3)) {
            let mut pre = Vec::new();
            if parameter {
                pre.push("p : 0..2".to_owned());
            }
            if random.chance(50) {
                pre.push(sketch.condition(random, parameter));
            }
            let body = sketch.body(random, parameter, result);
            sketch.operations.push(Operation { name, parameter, result, pre, body });
        }
        sketch
    }

    fn start(&self, random: &mut Random) -> String {
        let (x, s) = (&self.number, &self.set);
        match random.below(4) {
            0 => format!("{x} := 0 || {s} := {{}}"),
            1 => format!("{x} :: 0..1 || {s} := {{}}"),
            2 => format!("{x} := 1 || {s} :: {{{{}}, {{1}}}}"),
            _ => format!("{x} := 2 || {s} := {{0}}"),
        }
    }

    fn condition(&self, random: &mut Random, parameter: bool) -> String {
        let (x, s) = (&self.number, &self.set);
        let all = [
            format!("{x} < 2"),
            format!("{s} /= {{}}"),
            format!("{x} /: {s}"),
            format!("card({s}) < 3"),
        ];
        match parameter && random.chance(50) {
            true => random.pick(&[format!("p /: {s}"), format!("p >= {x}"), "p > 0".to_owned()]),
            false => random.pick(&all),
        }
    }

    /// A number, and a set of numbers that is not empty.
    fn value(&self, random: &mut Random, parameter: bool) -> String {
        let (x, s) = (&self.number, &self.set);
        if parameter && random.chance(50) {
            return "p".to_owned();
        }
        random.pick(&[
            "0".to_owned(),
            "2".to_owned(),
            x.clone(),
            format!("({x} + 1) mod 3"),
            format!("max({s} \\/ {{0}})"),
        ])
    }

    fn step(&self, random: &mut Random, parameter: bool) -> String {
        let (x, s) = (&self.number, &self.set);
        let v = self.value(random, parameter);
        match random.below(9) {
            0 => format!("{x} := {v}"),
            1 => format!("{s} := {s} \\/ {{{v}}}"),
            2 => format!("{s} := {s} - {{{v}}}"),
            3 => format!("{x} :: {s} \\/ {{{v}}}"),
            4 => format!("CHOICE {x} := {v} OR {s} := {{}} END"),
            5 => format!("ANY q WHERE q : {s} THEN {x} := q END"),
            6 => format!("SELECT {} THEN {x} := {v} END", self.condition(random, parameter)),
            7 => format!(
                "IF {} THEN {x} := {v} ELSE {s} := {{{v}}} END",
                self.condition(random, parameter)
            ),
            _ => "skip".to_owned(),
        }
    }

    fn body(&self, random: &mut Random, parameter: bool, result: bool) -> String {
        let step = self.step(random, parameter);
        if !result {
            return step;
        }
        let v = self.value(random, parameter);
        let answer = match random.below(3) {
            0 => format!("r :: {{{v}, {}}}", self.number),
            1 => format!("r :: {} \\/ {{{v}}}", self.set),
            _ => format!("r := {v}"),
        };
        format!("{step} || {answer}")
    }

    /// A refinement with other variables, or some of the same, and what relates them.
    fn refined(&self, random: &mut Random, level: usize) -> (Sketch, Vec<String>) {
        let number = if random.chance(30) { self.number.clone() } else { format!("x{level}") };
        let set = if random.chance(30) { self.set.clone() } else { format!("s{level}") };
        let renamed = |text: &str| text.replace(&self.number, &number).replace(&self.set, &set);
        let mut next = Sketch {
            initial: renamed(&self.initial),
            operations: Vec::new(),
            number: number.clone(),
            set: set.clone(),
        };
        if random.chance(30) {
            next.initial = next.start(random);
        }
        let slips = random.chance(60);
        for own in &self.operations {
            let mut operation = Operation {
                pre: own.pre.iter().map(|p| renamed(p)).collect(),
                body: renamed(&own.body),
                ..own.clone()
            };
            if slips && random.chance(35) {
                operation.body = next.body(random, own.parameter, own.result);
            } else if random.chance(60) {
                operation.body = settled(&operation.body);
            }
            match random.below(4) {
                0 => operation.pre.clear(),
                1 if slips => operation.pre.push(next.condition(random, own.parameter)),
                _ => {}
            }
            next.operations.push(operation);
        }
        if random.chance(25) {
            let body = if random.chance(50) { "skip".to_owned() } else { next.step(random, false) };
            let pre = vec![next.condition(random, false)];
            next.operations.push(Operation {
                name: if level == 1 { "more" } else { "yet_more" },
                parameter: false,
                result: false,
                pre,
                body,
            });
        }
        (next, self.glue(random, &number, &set))
    }

    fn glue(&self, random: &mut Random, number: &str, set: &str) -> Vec<String> {
        let (x, s) = (&self.number, &self.set);
        let mut glue = Vec::new();
        if x != number {
            let looser = [
                format!("{number} >= {x}"),
                format!("{number} : {s} \\/ {{{x}}}"),
                format!("({number} = 0 <=> {x} = 0)"),
            ];
            glue.push(if random.chance(65) {
                format!("{x} = {number}")
            } else {
                random.pick(&looser)
            });
        }
        if s != set {
            let looser = [
                format!("{set} <: {s}"),
                format!("card({set}) = card({s})"),
                format!("({set} = {{}} <=> {s} = {{}})"),
            ];
            glue.push(if random.chance(65) {
                format!("{s} = {set}")
            } else {
                random.pick(&looser)
            });
        }
        if random.chance(15) {
            glue.pop();
        }
        glue
    }

    fn text(&self, head: &str, refines: &str, glue: &[String]) -> String {
        let (x, s) = (&self.number, &self.set);
        let mut invariant = vec![format!("{x} : 0..2"), format!("{s} <: 0..2")];
        invariant.extend_from_slice(glue);
        let operations: Vec<String> = self.operations.iter().map(Operation::text).collect();
        format!(
            "{head} {refines}\nVARIABLES {x}, {s}\nINVARIANT {}\nINITIALISATION {}\nOPERATIONS\n{}\nEND\n",
            invariant.join(" & "),
            self.initial,
            operations.join(";\n")
        )
    }
}

/// One of the choices of a body.
fn settled(body: &str) -> String {
    match body.split_once("CHOICE ").and_then(|(before, rest)| {
        let (first, rest) = rest.split_once(" OR ")?;
        let (_, after) = rest.split_once(" END")?;
        Some(format!("{before}{first}{after}"))
    }) {
        Some(settled) => settled,
        None => body.to_owned(),
    }
}

impl Operation {
    fn text(&self) -> String {
        let result = if self.result { "r <-- " } else { "" };
        let parameter = if self.parameter { "(p)" } else { "" };
        let body = match self.pre.is_empty() {
            true => format!("BEGIN {} END", self.body),
            false => format!("PRE {} THEN {} END", self.pre.join(" & "), self.body),
        };
        format!("  {result}{}{parameter} = {body}", self.name)
    }
}
