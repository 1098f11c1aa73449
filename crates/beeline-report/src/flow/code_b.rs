//! Structured code as a machine in B that includes the model and runs its operations in their order.

use super::reads::name;
use beeline_flow::{Code, Effort, Enabling};
use beeline_model::{Local, Model, OperationId, Pred, PredKind};

/// A machine of its own; the reason if the code cannot be said in B.
pub fn b_text(enabling: &Enabling, code: &[Code], effort: Effort) -> Result<String, String> {
    let model = plain_names(&enabling.model);
    if model.levels.len() > 1 || model.components.first().is_none_or(|c| c.keyword != "MACHINE") {
        return Err("only a machine of classical B can be included in another one".to_owned());
    }
    let mut writer = Writer { enabling, model: &model, effort, lines: Vec::new() };
    writer.all(code, 2)?;
    let mut lines = writer.lines;
    if lines.is_empty() {
        lines.push("    skip".to_owned());
    }
    let machine = &model.name;
    Ok(format!(
        "MACHINE {machine}_code\nINCLUDES {machine}\nOPERATIONS\n  run = BEGIN\n{}\n  END\nEND\n",
        lines.join("\n")
    ))
}

/// Names that were made for choices and guards hold dots and primes, which stand for something else in B.
fn plain_names(model: &Model) -> Model {
    let mut model = model.clone();
    for local in &mut model.locals {
        if local.name.contains(['.', '\'']) {
            let name = local.name.replace(['.', '\''], "_").into();
            *local = Local { name, ..local.clone() };
        }
    }
    model
}

struct Writer<'w> {
    enabling: &'w Enabling,
    model: &'w Model,
    effort: Effort,
    lines: Vec<String>,
}

impl Writer<'_> {
    fn push(&mut self, depth: usize, line: &str) {
        self.lines.push(format!("{}{line}", "  ".repeat(depth)));
    }

    fn all(&mut self, code: &[Code], depth: usize) -> Result<(), String> {
        // Initialisation is that of the machine that is included; nothing is left to do at the end.
        let said = |c: &&Code| !matches!(c, Code::Do(None) | Code::Stop | Code::Label(_));
        let code: Vec<&Code> = code.iter().filter(said).collect();
        for (at, statement) in code.iter().enumerate() {
            self.one(statement, depth)?;
            if at + 1 < code.len()
                && let Some(last) = self.lines.last_mut()
            {
                last.push(';');
            }
        }
        if code.is_empty() {
            self.push(depth, "skip");
        }
        Ok(())
    }

    fn one(&mut self, statement: &Code, depth: usize) -> Result<(), String> {
        match statement {
            Code::Do(Some(id)) => self.call(*id, depth)?,
            Code::While(p, id) => self.repeat(p, *id, depth)?,
            Code::Repeat(id, p) => {
                self.call(*id, depth)?;
                if let Some(last) = self.lines.last_mut() {
                    last.push(';');
                }
                self.repeat(p, *id, depth)?;
            }
            Code::Forever(id) => {
                let name = name(self.model, Some(*id));
                self.push(depth, &format!("/* {name} is enabled from here on, again and again */"));
                self.call(*id, depth)?;
            }
            Code::If(branches) => {
                for (i, (condition, body)) in branches.iter().enumerate() {
                    let head = match condition {
                        Some(p) => {
                            let word = if i == 0 { "IF" } else { "ELSIF" };
                            format!("{word} {} THEN", self.model.show_pred(p))
                        }
                        None => "ELSE".to_owned(),
                    };
                    self.push(depth, &head);
                    self.all(body, depth + 1)?;
                }
                self.push(depth, "END");
            }
            Code::Do(None) | Code::Stop | Code::Label(_) => {}
            Code::Again(_) => {
                return Err("a loop has several operations, or is left from its middle".to_owned());
            }
        }
        Ok(())
    }

    /// A loop, with the variant that was found.
    fn repeat(&mut self, p: &Pred, id: OperationId, depth: usize) -> Result<(), String> {
        let Some(variant) = self.enabling.variant(id, self.effort) else {
            return Err(format!(
                "no variant was found for the loop of {}",
                name(self.model, Some(id))
            ));
        };
        self.push(depth, &format!("WHILE {} DO", self.model.show_pred(p)));
        self.call(id, depth + 1)?;
        let variant = self.model.show_expr(&variant);
        self.push(depth, &format!("INVARIANT TRUE = TRUE VARIANT {variant} END"));
        Ok(())
    }

    /// A step: with values for its parameters, and names for its results.
    fn call(&mut self, id: OperationId, depth: usize) -> Result<(), String> {
        let model = self.model;
        let operation = model.operation(id);
        let names = |list: &[beeline_model::LocalId]| {
            list.iter().map(|l| model.local(*l).name.to_string()).collect::<Vec<_>>().join(", ")
        };
        let (parameters, results) = (names(&operation.parameters), names(&operation.results));
        let mut call = operation.name.to_string();
        if !parameters.is_empty() {
            call = format!("{call}({parameters})");
        }
        if !results.is_empty() {
            call = format!("VAR {results} IN {results} <-- {call} END");
        }
        if !parameters.is_empty() {
            let guard: Vec<Pred> = operation.guard().0.iter().map(|c| c.pred.clone()).collect();
            let guard = match guard.len() {
                0 => return Err(format!("nothing bounds the parameters of {}", operation.name)),
                1 => guard[0].clone(),
                _ => Pred { kind: PredKind::And(guard), span: beeline_source::Span::NONE },
            };
            call = format!("ANY {parameters} WHERE {} THEN {call} END", model.show_pred(&guard));
        }
        self.push(depth, &call);
        Ok(())
    }
}
