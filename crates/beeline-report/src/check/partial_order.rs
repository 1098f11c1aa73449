//! What partial order reduction did: counts are those of a part of the state space then, and every report
//! says so.

use super::CheckReport;
use crate::escape::visible;
use serde::Serialize;
use std::fmt::Write;

/// What partial order reduction did.
#[derive(Debug, Serialize)]
#[allow(missing_docs)]
pub struct JsonPartialOrder {
    /// Steps that were left out.
    pub steps_left_out: u64,
    /// States in which some were.
    pub states_reduced: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audit: Option<JsonWhole>,
}

/// The whole state space, as an audit has seen it.
#[derive(Debug, Serialize)]
#[allow(missing_docs)]
pub struct JsonWhole {
    pub nodes: u64,
    pub transitions: u64,
    /// It was explored to its end.
    pub complete: bool,
    /// What was found there, and not in the reduced one. Then the rest of the report is about the whole.
    pub lost: Vec<String>,
}

impl CheckReport<'_> {
    /// In one sentence, if there was a reduction.
    pub(super) fn partial_order_words(&self) -> Option<String> {
        let told = self.partial_order?;
        if told.audit.as_ref().is_some_and(|audit| !audit.lost.is_empty()) {
            return Some("partial order: given up, the whole state space is told".to_owned());
        }
        Some(match told.steps {
            0 => "partial order: no step could wait, the state space is not reduced".to_owned(),
            steps => format!(
                "partial order: the state space is reduced, {steps} steps in {} states were left out",
                told.states
            ),
        })
    }

    pub(super) fn partial_order_text(&self, out: &mut String) {
        let (Some(words), Some(told)) = (self.partial_order_words(), self.partial_order) else {
            return;
        };
        let _ = writeln!(out, "{words}");
        let Some(audit) = &told.audit else { return };
        let nodes = audit.nodes;
        let whole = if audit.complete { "" } else { ", and not all of it was seen" };
        let _ = match audit.lost.is_empty() {
            true => writeln!(out, "audit: nothing is lost; the whole has {nodes} nodes{whole}"),
            false => {
                let lost = visible(&audit.lost.join("; "));
                writeln!(out, "audit: LOST, please report this: {lost}")
            }
        };
    }

    pub(super) fn json_partial_order(&self) -> Option<JsonPartialOrder> {
        self.partial_order.map(|told| JsonPartialOrder {
            steps_left_out: told.steps,
            states_reduced: told.states,
            audit: told.audit.as_ref().map(|audit| JsonWhole {
                nodes: audit.nodes,
                transitions: audit.transitions,
                complete: audit.complete,
                lost: audit.lost.clone(),
            }),
        })
    }
}
