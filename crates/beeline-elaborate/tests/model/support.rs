//! One helper a boundary: load from memory, show types, show diagnostics.

use beeline_elaborate::{Loaded, load};
use beeline_model::{BinaryOp, CompareOp, Expr, ExprKind, Model, PredKind, verify};
use beeline_source::{Diagnostic, LoadError, Loader, MemoryLoader, Severity};
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

/// Loads files in memory; the first one is the main file.
pub fn open(files: &[(&str, &str)]) -> Loaded {
    let loader = files.iter().fold(MemoryLoader::new(), |l, (path, text)| l.with(path, text));
    load(&loader, files[0].0)
}

/// The model of these files, which must have no error.
pub fn model_of(files: &[(&str, &str)]) -> Model {
    let loaded = open(files);
    let errors = errors(&loaded);
    assert!(errors.is_empty(), "{errors}\nin {}", files[0].1);
    let model = loaded.model.unwrap();
    assert_eq!(verify(&model), [""; 0], "in {}", files[0].1);
    model
}

/// The model of one machine.
pub fn model(text: &str) -> Model {
    model_of(&[("M.mch", text)])
}

/// `file:line:col code message`, with `; help` behind it.
fn line(loaded: &Loaded, d: &Diagnostic) -> String {
    let mut out = match loaded.sources.place(d.primary.span) {
        Some((file, at)) => format!("{}:{}:{}", file.name, at.line, at.column),
        None => "nowhere".to_owned(),
    };
    write!(out, " {} {}", d.code, d.message).unwrap();
    out
}

fn lines(loaded: &Loaded, keep: impl Fn(&Diagnostic) -> bool) -> String {
    let list = loaded.diagnostics.list().iter().filter(|d| keep(d));
    list.map(|d| line(loaded, d)).collect::<Vec<_>>().join("\n")
}

/// All errors, one a line.
pub fn errors(loaded: &Loaded) -> String {
    lines(loaded, Diagnostic::is_error)
}

/// Warnings and notes, one a line.
pub fn advice(loaded: &Loaded) -> String {
    lines(loaded, |d| d.severity != Severity::Error)
}

/// Checks the errors of several files, the first of which is the main one.
#[track_caller]
pub fn check_errors_of(files: &[(&str, &str)], expected: &str) {
    let loaded = open(files);
    assert_eq!(errors(&loaded), expected, "in {}", files[0].1);
    assert_eq!(loaded.model.is_none(), !expected.is_empty());
}

/// Checks the errors of one machine.
#[track_caller]
pub fn check_errors(text: &str, expected: &str) {
    check_errors_of(&[("M.mch", text)], expected);
}

/// Checks the warnings and notes of one machine that has no errors.
#[track_caller]
pub fn check_advice(text: &str, expected: &str) {
    let loaded = open(&[("M.mch", text)]);
    assert_eq!(errors(&loaded), "", "in {text}");
    assert_eq!(advice(&loaded), expected, "in {text}");
}

/// The help lines of all diagnostics of one machine.
pub fn helps(text: &str) -> Vec<String> {
    let loaded = open(&[("M.mch", text)]);
    loaded.diagnostics.list().iter().flat_map(|d| d.help.clone()).collect()
}

/// `name : type` for each constant, then each variable.
pub fn types(model: &Model) -> String {
    let constants = model.constants.iter().map(|c| (&c.name, c.ty));
    let variables = model.variables.iter().map(|v| (&v.name, v.ty));
    let all = constants.chain(variables);
    all.map(|(n, t)| format!("{n} : {}", model.show_type(t))).collect::<Vec<_>>().join("\n")
}

/// Checks the types of the constants and variables of several files.
#[track_caller]
pub fn check_types_of(files: &[(&str, &str)], expected: &str) {
    assert_eq!(types(&model_of(files)), expected, "in {}", files[0].1);
}

/// The number on the right of an equation that is the property with this index.
pub fn property_value(model: &Model, index: usize) -> i64 {
    match &model.properties[index].conjunct.pred.kind {
        PredKind::Compare(CompareOp::Equal, _, value) => number(value),
        other => panic!("{other:?} is no equation"),
    }
}

/// The value of an expression of literals, `+`, `-` and `*`.
fn number(e: &Expr) -> i64 {
    match &e.kind {
        ExprKind::Integer(n) => n.try_into().unwrap(),
        ExprKind::Binary(BinaryOp::Add, a, b) => number(a) + number(b),
        ExprKind::Binary(BinaryOp::Subtract, a, b) => number(a) - number(b),
        ExprKind::Binary(BinaryOp::Multiply, a, b) => number(a) * number(b),
        other => panic!("{other:?} is no arithmetic"),
    }
}

/// Checks what types the constants get from PROPERTIES.
#[track_caller]
pub fn check_constants(names: &str, properties: &str, expected: &str) {
    let text =
        format!("MACHINE M SETS D; E = {{e1, e2}} CONSTANTS {names} PROPERTIES {properties} END");
    assert_eq!(types(&model(&text)), expected, "{properties}");
}

/// Checks the type of one expression over the sets `D`, `E = {e1, e2}` and some constants.
#[track_caller]
pub fn check_type(expression: &str, expected: &str) {
    let text = format!(
        "MACHINE M SETS D; E = {{e1, e2}}
         CONSTANTS d, n, s, r, q, t, x, result
         PROPERTIES d : D & n : INTEGER & s <: D & r : D <-> E & q : seq(E)
           & t : tree(E) & x : REAL & result = ({expression}) END"
    );
    let model = model(&text);
    let result = model.constants.iter().find(|c| c.name == "result").unwrap();
    assert_eq!(model.show_type(result.ty), expected, "{expression}");
}

/// Checks the errors of one expression in the same surroundings, as `column code message`.
#[track_caller]
pub fn check_type_error(expression: &str, expected: &str) {
    let text = format!(
        "MACHINE M SETS D; E = {{e1, e2}}
CONSTANTS d, n, s, r, q, t, x, result
PROPERTIES d : D & n : INTEGER & s <: D & r : D <-> E & q : seq(E)
& t : tree(E) & x : REAL & result =
{expression} END"
    );
    let found = errors(&open(&[("M.mch", &text)]));
    assert_eq!(found.replace("M.mch:5:", ""), expected, "{expression}");
}

/// Runs on a thread with a stack of two mebibytes, whatever the test runner gives.
pub fn on_small_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(test).unwrap();
    thread.join().unwrap();
}

/// Real files below a folder.
pub struct Folder {
    pub roots: Vec<String>,
}

impl Loader for Folder {
    fn load(&self, path: &str) -> Result<(Arc<str>, bool), LoadError> {
        let bytes = std::fs::read(path).map_err(|_| LoadError::NotFound)?;
        Ok((String::from_utf8_lossy(&bytes).into(), false))
    }

    fn exists(&self, path: &str) -> bool {
        PathBuf::from(path).is_file()
    }

    fn roots(&self) -> &[String] {
        &self.roots
    }
}
