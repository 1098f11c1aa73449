//! Structured code as it is shown.

use super::reads::name;
use beeline_flow::Code;
use beeline_model::Model;

/// Pseudo-code: names of operations stand for what they do.
pub fn code_text(model: &Model, code: &[Code]) -> String {
    let mut text = String::new();
    write(model, code, 0, &mut text);
    text
}

fn write(model: &Model, code: &[Code], depth: usize, text: &mut String) {
    let operation = |id| name(model, Some(id));
    for (at, statement) in code.iter().enumerate() {
        let end = if at + 1 < code.len() { ";" } else { "" };
        let line = match statement {
            Code::Do(id) => format!("{}{end}", name(model, *id)),
            Code::While(p, id) => {
                format!("WHILE {} DO {} END{end}", model.show_pred(p), operation(*id))
            }
            Code::Repeat(id, p) => {
                format!("REPEAT {} WHILE {} END{end}", operation(*id), model.show_pred(p))
            }
            Code::Forever(id) => format!("WHILE true DO {} END{end}", operation(*id)),
            Code::Label(n) => format!("/* {n} */"),
            Code::Again(n) => format!("again from /* {n} */{end}"),
            Code::Stop => format!("stop{end}"),
            Code::If(branches) => {
                for (i, (condition, body)) in branches.iter().enumerate() {
                    let word = if i == 0 { "IF" } else { "ELSIF" };
                    let head = match condition {
                        Some(p) => format!("{word} {} THEN", model.show_pred(p)),
                        None => "ELSE".to_owned(),
                    };
                    push(text, depth, &head);
                    write(model, body, depth + 1, text);
                }
                format!("END{end}")
            }
        };
        push(text, depth, &line);
    }
}

fn push(text: &mut String, depth: usize, line: &str) {
    text.extend(std::iter::repeat_n("  ", depth));
    text.push_str(line);
    text.push('\n');
}
