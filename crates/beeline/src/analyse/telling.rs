//! What is known of names, in the words of the model.

use beeline_bounds::{Bound, Claims, Name, Reason, Value};
use beeline_model::{Model, Pred};
use beeline_source::{SourceMap, Span};
use serde::Serialize;

/// What is known of one name.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Known {
    /// The name.
    pub name: String,
    /// What is known, as predicates of B; nothing more than the type if there are none.
    pub claims: Vec<String>,
    /// The conjuncts that said it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub because: Vec<Because>,
}

/// A conjunct that said something of a name.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Because {
    /// What kind of rule was applied.
    pub rule: &'static str,
    /// The conjunct.
    pub text: String,
    /// Where it stands: file, line and column.
    pub place: Option<String>,
}

/// Shows what is known.
pub(super) struct Telling<'a> {
    pub(super) model: &'a Model,
    pub(super) sources: &'a SourceMap,
    claims: Claims<'a>,
}

impl<'a> Telling<'a> {
    pub(super) fn new(model: &'a Model, sources: &'a SourceMap) -> Telling<'a> {
        Telling { model, sources, claims: Claims::new(model) }
    }

    /// What is known of a name, as predicates.
    pub(super) fn claims(&mut self, name: Name, value: &Value) -> Vec<Pred> {
        self.claims.of(&name.expr(self.model), value)
    }

    pub(super) fn known(&mut self, name: Name, value: &Value) -> Known {
        let claims = self.claims(name, value).iter().map(|p| self.model.show_pred(p)).collect();
        Known { name: name.text(self.model).to_owned(), claims, because: Vec::new() }
    }

    pub(super) fn bound(&mut self, bound: &Bound) -> Known {
        let known = self.known(bound.name, &bound.value);
        let because = if known.claims.is_empty() { &[][..] } else { &bound.because };
        Known { because: because.iter().map(|r| self.because(*r)).collect(), ..known }
    }

    fn because(&self, reason: Reason) -> Because {
        Because { rule: reason.rule, text: self.text(reason.span), place: self.place(reason.span) }
    }

    /// The text of a place, on one line.
    pub(super) fn text(&self, span: Span) -> String {
        self.sources.text(span).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// File, line and column.
    pub(super) fn place(&self, span: Span) -> Option<String> {
        let (file, at) = self.sources.place(span)?;
        Some(format!("{}:{}:{}", file.name, at.line, at.column))
    }
}
