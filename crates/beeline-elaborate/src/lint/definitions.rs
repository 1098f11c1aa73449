//! Advice on definitions: hidden names, unused ones, preferences nobody knows.

use crate::definitions::{Definitions, is_special};
use crate::project::File;
use beeline_model::Model;
use beeline_source::{Code, Diagnostic, Diagnostics};
use beeline_syntax::ast::DefinitionItem;
use rustc_hash::FxHashSet;

/// Looks at the definitions that stand in the main file itself.
pub(crate) fn definitions(
    model: &Model,
    main: &File,
    all: &Definitions<'_>,
    used: &FxHashSet<(usize, u32)>,
    out: &mut Diagnostics,
) {
    let mentioned = mentioned(all);
    for item in main.definition_items() {
        let DefinitionItem::Definition(definition) = item else { continue };
        let name = &definition.name;
        if let Some(declared) = declared(model, &name.name) {
            out.push(
                Diagnostic::new(
                    Code::DEFINITION_HIDES,
                    name.span,
                    format!("definition `{}` hides what is declared under that name", name.name),
                )
                .also(declared, "declared here"),
            );
        }
        if let Some(preference) = name.name.strip_prefix("SET_PREF_") {
            if !PREFERENCES.contains(&preference.to_ascii_uppercase().as_str()) {
                unknown_preference(preference, definition.name.span, out);
            }
        } else if !is_special(&name.name)
            && !used.contains(&(0, name.span.start))
            && !mentioned.contains(name.name.as_str())
        {
            let message = format!("definition `{}` is never used", name.name);
            out.push(
                Diagnostic::new(Code::UNUSED_DEFINITION, name.span, message)
                    .help("its body is not checked for types"),
            );
        }
    }
}

/// Names that other definitions mention, used or not.
fn mentioned<'d>(all: &Definitions<'d>) -> FxHashSet<&'d str> {
    let mut names = FxHashSet::default();
    for entry in &all.order {
        crate::walk::names_in_definition(entry.definition, &mut |name, _| {
            if let Some(other) = all.get(name) {
                names.insert(other.definition.name.name.as_str());
            }
        });
    }
    names
}

fn declared(model: &Model, name: &str) -> Option<beeline_source::Span> {
    let variables = model.variables.iter().map(|v| (&v.name, v.span));
    let constants = model.constants.iter().map(|c| (&c.name, c.span));
    let sets = model.sets.iter().map(|s| (&s.name, s.span));
    variables.chain(constants).chain(sets).find(|(n, _)| *n == name).map(|(_, span)| span)
}

fn unknown_preference(name: &str, span: beeline_source::Span, out: &mut Diagnostics) {
    let mut diagnostic =
        Diagnostic::new(Code::UNKNOWN_PREFERENCE, span, format!("there is no preference `{name}`"));
    if let Some(near) = crate::suggest::nearest(name, PREFERENCES.iter().copied()) {
        diagnostic = diagnostic.help(format!("did you mean `SET_PREF_{near}`?"));
    }
    out.push(diagnostic);
}

/// Preferences that ProB knows (language reference, section 14, and what old models set).
const PREFERENCES: &[&str] = &[
    "ALLOW_COMPLEX_LETS",
    "ALLOW_INCOMPLETE_SETUP_CONSTANTS",
    "ALLOW_INITIALISATION_OVERRIDE",
    "ALLOW_LOCAL_OPERATION_CALLS",
    "ALLOW_NEW_OPERATIONS_IN_REFINEMENT",
    "ALLOW_OPERATION_CALLS_FOR_USES",
    "ALLOW_OPERATION_CALLS_IN_EXPRESSIONS",
    "ALLOW_OUTPUT_READING",
    "ALLOW_REALS",
    "ALLOW_SIMULTANEOUS_ASSIGNMENTS",
    "ALLOW_UNTYPED_IDENTIFIERS",
    "ASSERT_CHECKING",
    "CHR",
    "CLPFD",
    "COMPILE_WHILE",
    "COMPRESSION",
    "CSE",
    "CSE_PRED",
    "CSE_SUBST",
    "DATA_VALIDATION",
    "DEFAULT_SETSIZE",
    "DETECT_LAMBDAS",
    "DISPROVER_MODE",
    "ENUMERATE_INFINITE_TYPES",
    "EXPAND_CLOSURES_FOR_STATE",
    "EXPAND_FORALL_UPTO",
    "FORGET_STATE_SPACE",
    "IGNORE_HASH_COLLISIONS",
    "IGNORE_PRJ_TYPES",
    "INVARIANT_CHECKING",
    "KODKOD",
    "KODKOD_MAX_NR_SOLS",
    "KODKOD_ONLY_FULL",
    "KODKOD_SAT_SOLVER",
    "KODKOD_SYMMETRY",
    "LIFT_EXISTS",
    "LTL_SAFETY_MODEL_CHECK",
    "MAXINT",
    "MAX_DISPLAY_SET",
    "MAX_INITIALISATIONS",
    "MAX_OPERATIONS",
    "MEMO",
    "MEMOIZE_FUNCTIONS",
    "MININT",
    "NORMALIZE_AST",
    "NUMBER_OF_ANIMATED_ABSTRACTIONS",
    "NUMBER_OF_SKIPPED_REFINEMENTS",
    "OPERATION_REUSE",
    "OPTIMIZE_AST",
    "PGE",
    "POR",
    "PROOF_INFO",
    "RAISE_ABORT_IMMEDIATELY",
    "RANDOMISED_RESTART_INIT",
    "RANDOMISE_ENUMERATION_ORDER",
    "RANDOMISE_OPERATION_ORDER",
    "REAL_SOLVER",
    "RECURSIVE",
    "REQUIRE_OUTPUT_ASSIGNMENT",
    "SAFETY_MODEL_CHECK",
    "SAT_SUPPORTED_INTERPRETER",
    "SHOW_EVENTB_ANY_VALUES",
    "SMT",
    "SMT_SUPPORTED_INTERPRETER",
    "SOLVER_FOR_PROPERTIES",
    "SOLVER_STRENGTH",
    "STATIC_ORDERING",
    "STATIC_SYMMETRY_DETECTION",
    "STRICT_CLASH_CHECKING",
    "STRICT_RAISE_ENUM_WARNINGS",
    "STRICT_RAISE_WARNINGS",
    "STRING_AS_SEQUENCE",
    "SYMBOLIC",
    "SYMBOLIC_LIMIT",
    "SYMMETRY_MODE",
    "TABLE_COLUMN_LIMIT",
    "TIME_OUT",
    "TK_CUSTOM_STATE_VIEW_PADDING",
    "TLC_USE_PROB_CONSTANTS",
    "TLC_WORKERS",
    "TRACE_INFO",
    "TRACE_UPON_ERROR",
    "TRY_FIND_ABORT",
    "TYPE_CHECK_DEFINITIONS",
    "USE_IGNORE_PRAGMAS",
    "USE_RECORD_CONSTRUCTION",
    "USE_SCOPE_DEFINITION",
    "WARN_IF_DEFINITION_HIDES_VARIABLE",
];
