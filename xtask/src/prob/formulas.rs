//! Formulas on both: truth and values.
//!
//! ProB's value is read as a formula of B, and Beeline is asked whether it equals its own.

use super::theirs::{Folder, Prob};
use super::{Compared, Tally};
use beeline::compile::{Builder, ConstantsRef, StateRef};
use beeline::model::{Formula, Model};
use beeline::{Answer, NoAnswer, OpenOptions, Scope};
use beeline_compare::grow::Grow;
use beeline_compare::{Random, world};
use std::path::Path;

/// The sets of the random formulas, without variables: their values are written into the formulas.
const MACHINE: &str = "MACHINE Formulas\nSETS Ss = {s1, s2, s3}; Tt = {t1, t2}; Dd\n\
                       DEFINITIONS \"LibraryStrings.def\"\nEND\n";

/// What one of the two cannot read: extensions of either, elements that have no name.
const UNKNOWN: [&str; 9] =
    ["Dd", "prj1", "prj2", "real(", "finite(", "partition(", "btrue", "bfalse", "\\"];

/// Formulas in one process of ProB.
const BATCH: usize = 100;

/// What ProB answers to a formula.
#[derive(Debug, PartialEq, Eq)]
enum Said {
    Truth(bool),
    Value(String),
    Undefined,
    Open(String),
}

fn said(answer: &str) -> Said {
    if let Some((_, value)) = answer.split_once("Expression Value =") {
        return Said::Value(value.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    // Before the solution, which is printed below.
    let line = answer.lines().find(|l| l.contains("redicate"));
    let line = line.unwrap_or("");
    let warned = answer.contains("enumerat") || answer.contains("Enumerat");
    match () {
        () if answer.contains("not well-defined") => Said::Undefined,
        () if line.contains("is TRUE") && line.contains("redicate") => Said::Truth(true),
        () if line.contains("is FALSE") && !warned => Said::Truth(false),
        () if answer.contains("TYPE ERROR") => Said::Open("ProB: type".to_owned()),
        () if answer.contains("Not a valid") => Said::Open("ProB: syntax".to_owned()),
        () => Said::Open("ProB: no answer".to_owned()),
    }
}

/// All formulas on both.
pub fn compare(prob: &Prob, formulas: Vec<String>, model: Option<&Path>) -> Result<Tally, String> {
    let folder = Folder::new("formulas")?;
    let own = folder.path.join("Formulas.mch");
    std::fs::write(&own, MACHINE).map_err(|e| e.to_string())?;
    let machine = model.unwrap_or(&own);
    let mut tally = Tally::default();
    for batch in formulas.chunks(BATCH) {
        let answers = prob.answers(machine, batch)?;
        for (i, formula) in batch.iter().enumerate() {
            let compared = match answers.get(i) {
                Some(answer) => one(machine, formula, &said(answer)),
                None => Compared::Open("ProB: ended early".to_owned()),
            };
            if let Compared::Different(what) = &compared {
                println!("different: {formula}: {what}");
            }
            tally.add(formula, compared);
        }
    }
    Ok(tally)
}

/// One formula: the same truth, the same value, or no meaning in both?
fn one(machine: &Path, formula: &str, said: &Said) -> Compared {
    let asked = match said {
        Said::Open(why) => return Compared::Open(why.clone()),
        Said::Value(value) => format!("({formula}) = ({value})"),
        Said::Truth(_) | Said::Undefined => formula.to_owned(),
    };
    let ours = match ask(machine, &asked) {
        Some(answer) => answer,
        None => return Compared::Open("Beeline: not read".to_owned()),
    };
    let truth = match &ours {
        Ok(Answer::Truth(truth)) => Some(*truth),
        Ok(Answer::Solutions { rows, .. }) => Some(!rows.is_empty()),
        Ok(Answer::Value { .. } | Answer::Symbolic(_)) => None,
        Err(NoAnswer::Undefined(_)) if *said == Said::Undefined => return Compared::Same,
        Err(NoAnswer::Undefined(_)) => {
            return Compared::Different(format!("not well-defined; ProB: {said:?}"));
        }
        Err(_) => return Compared::Open("Beeline: no answer".to_owned()),
    };
    let same = match said {
        Said::Truth(theirs) => truth == Some(*theirs),
        Said::Value(_) => truth == Some(true),
        _ => false,
    };
    let own = || ask(machine, formula).map_or_else(String::new, |a| format!("{a:?}"));
    match same {
        true => Compared::Same,
        false => Compared::Different(format!("{}; ProB: {said:?}", own())),
    }
}

/// Beeline's answer; nothing if the formula cannot be read or compiled.
fn ask(machine: &Path, formula: &str) -> Option<Result<Answer, NoAnswer>> {
    let mut loaded = beeline::open_formulas(machine, &OpenOptions::default(), &[formula]);
    let (mut model, formula): (Model, Formula) = (loaded.model?, loaded.formulas.pop()??);
    let mut builder = Builder::from(beeline::compile(&model, &Scope::default()).ok()?);
    let (constants, state) = (ConstantsRef(&[]), Some(StateRef(&[])));
    Some(beeline::evaluate(&mut model, &mut builder, &formula, constants, state))
}

/// Random formulas in which each variable is replaced by a random value of it.
pub fn random(count: usize, seed: u64) -> Vec<String> {
    let mut random = Random::new(seed);
    let mut formulas = Vec::new();
    while formulas.len() < count {
        let mut model = world::model_copy();
        let formula = Grow::new(&mut model, &mut random).formula();
        let state = world::state(&model, &mut random);
        let values: Vec<(String, String)> = model
            .variables
            .iter()
            .zip(&state)
            .map(|(v, value)| {
                (v.name.to_string(), model.show_expr(&world::quote(&model, value, v.ty)))
            })
            .collect();
        let text = replaced(&model.show_expr(&formula), &values);
        if UNKNOWN.iter().all(|word| !text.contains(word)) && !has_real(&text) {
            formulas.push(text);
        }
    }
    formulas
}

/// Is there a number with a point?
fn has_real(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.windows(3).any(|w| w[0].is_ascii_digit() && w[1] == b'.' && w[2].is_ascii_digit())
}

/// A text with names replaced by values, outside of strings.
fn replaced(text: &str, values: &[(String, String)]) -> String {
    let (mut out, mut word, mut quoted) = (String::new(), String::new(), false);
    for c in text.chars().chain(std::iter::once(' ')) {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        let value = values.iter().find(|v| v.0 == word && !quoted);
        match value {
            Some((_, value)) => out += &format!("({value})"),
            None => out += &word,
        }
        word.clear();
        quoted ^= c == '"';
        out.push(c);
    }
    out.truncate(out.trim_end().len());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_of_the_prompt() {
        assert_eq!(said("Expression Value = \n{1,2}"), Said::Value("{1,2}".to_owned()));
        assert_eq!(said("Predicate is TRUE"), Said::Truth(true));
        let solved = "Existentially Quantified Predicate over x is TRUE\nSolution: \n x = 3";
        assert_eq!(said(solved), Said::Truth(true));
        assert_eq!(said("### 1/0\n### ^^^\nExpression not well-defined !"), Said::Undefined);
        assert!(matches!(said("### \nTYPE ERROR\nEvaluation failed"), Said::Open(_)));
    }

    #[test]
    fn names_are_replaced_outside_of_strings() {
        let values = [("vi".to_owned(), "3".to_owned())];
        assert_eq!(replaced("vi + vi2 = {\"vi\", vi}", &values), "(3) + vi2 = {\"vi\", (3)}");
    }
}
