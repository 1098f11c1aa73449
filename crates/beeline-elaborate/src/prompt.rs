//! Formulas that do not stand in a file: `--goal`, a prompt, an LTL atom.
//!
//! They are read in the scope of the main machine. A name that nobody knows is a question: in a
//! predicate it becomes a bound name, and its solutions are the answer.

use crate::typing::{Elaborator, Section};
use beeline_eventb::math;
use beeline_model::Formula;
use beeline_source::{Diagnostic, Diagnostics, SourceMap};
use beeline_syntax::ast;

/// A formula's text, parsed.
pub(crate) struct Prompt {
    pub formula: Option<ast::Expr>,
}

/// Adds a prompt's text to the sources and parses it.
pub(crate) fn parse(text: &str, sources: &mut SourceMap, out: &mut Diagnostics) -> Prompt {
    let Some(id) = sources.add("<formula>", text) else { return Prompt { formula: None } };
    let parsed = beeline_syntax::parse_formula(text, sources.file(id).base);
    let failed = parsed.problems.has_errors();
    out.extend(parsed.problems);
    let formula = match parsed.unit {
        Some(ast::Unit::Formula(e)) if !failed => Some(e),
        Some(ast::Unit::Substitution(s)) => {
            let message = "a formula is needed here, not a substitution";
            out.push(Diagnostic::new(beeline_source::Code::WRONG_UNIT, s.span, message));
            None
        }
        _ => None,
    };
    Prompt { formula }
}

/// The same beside an Event-B model: in its own language, or else in that of classical B.
pub(crate) fn parse_eventb(text: &str, sources: &mut SourceMap, out: &mut Diagnostics) -> Prompt {
    let Some(id) = sources.add("<formula>", text) else { return Prompt { formula: None } };
    let base = sources.file(id).base;
    let problem = match math::formula(text, math::Positions::From(base)) {
        Ok(formula) => return Prompt { formula: Some(formula) },
        Err(problem) => problem,
    };
    let parsed = beeline_syntax::parse_formula(text, base);
    let formula = match parsed.unit {
        Some(ast::Unit::Formula(e)) if !parsed.problems.has_errors() => Some(e),
        _ => {
            out.push(problem);
            None
        }
    };
    Prompt { formula }
}

/// Elaborates a prompt in the scope of the main machine.
pub(crate) fn elaborate<'a>(e: &mut Elaborator<'a>, formula: &'a ast::Expr) -> Formula {
    e.section = Section::Special;
    e.open_names = Some(Vec::new());
    let typed = if e.is_predicate(formula) {
        let pred = e.pred(formula);
        Formula::Pred(Vec::new(), pred)
    } else {
        Formula::Expr(e.expr(formula))
    };
    e.end_section();
    let open = e.open_names.take().unwrap_or_default();
    match typed {
        Formula::Expr(mut expr) => {
            e.finish(&mut expr);
            for local in open {
                let local = e.model.local(local).clone();
                e.out.push(
                    Diagnostic::new(
                        beeline_source::Code::UNKNOWN_NAME,
                        local.span,
                        format!("`{}` is not known here", local.name),
                    )
                    .help("only a predicate can be solved for an unknown name"),
                );
            }
            Formula::Expr(expr)
        }
        Formula::Pred(_, mut pred) => {
            e.finish(&mut pred);
            Formula::Pred(open, pred)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use beeline_model::LocalId;
    use beeline_source::MemoryLoader;

    fn shown(loaded: &crate::Loaded) -> String {
        let Some(model) = &loaded.model else {
            return loaded.diagnostics.list()[0].message.clone();
        };
        let one = |f: &Option<Formula>| match f {
            Some(Formula::Expr(e)) => model.show_type(e.ty),
            Some(Formula::Pred(open, _)) => {
                let name = |l: &LocalId| {
                    let local = model.local(*l);
                    format!("{} : {}", local.name, model.show_type(local.ty))
                };
                format!("[{}]", open.iter().map(name).collect::<Vec<_>>().join(", "))
            }
            None => "error".to_owned(),
        };
        loaded.formulas.iter().map(one).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn formulas_stand_alone() {
        assert_eq!(shown(&crate::formulas(&["1 + 2"])), "INTEGER");
        assert_eq!(
            shown(&crate::formulas(&["x * x = 16 & y : {x |-> TRUE}"])),
            "[x : INTEGER, y : INTEGER * BOOL]"
        );
        assert_eq!(shown(&crate::formulas(&["#x.(x > 3)", "{x | x : 1..3}"])), "[]; POW(INTEGER)");
        assert_eq!(shown(&crate::formulas(&["x + 1"])), "`x` is not known here");
        assert_eq!(
            shown(&crate::formulas(&["1 + TRUE"])),
            "the two sides of `+` have different types"
        );
    }

    #[test]
    fn formulas_see_the_main_machine() {
        let text = "MACHINE M SETS S = {a, b} VARIABLES v INVARIANT v : S INITIALISATION v := a \
                    DEFINITIONS SAME(x, y) == x = y END";
        let loader = MemoryLoader::new().with("M.mch", text);
        let loaded = crate::load_with(&loader, "M.mch", &["v = w", "SAME(q, v) & q /= p", "{v}"]);
        assert_eq!(shown(&loaded), "[w : S]; [q : S, p : S]; POW(S)");
    }
}
