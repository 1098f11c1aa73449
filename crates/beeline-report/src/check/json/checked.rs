//! What came of a check, in the fields that programs read.

use super::{
    JsonAudit, JsonCheck, JsonContradiction, JsonCounts, JsonExcluded, JsonFinding,
    JsonObservation, JsonRelation, JsonScope, JsonStep, JsonSymbolic, JsonSymmetricSet,
    JsonSymmetry, JsonWrongSkip, SetScope,
};
use crate::check::CheckReport;
use crate::cut::{JsonCut, reason_word};
use beeline_explore::{Contradiction, CutNote, Made, Proof, Skip, Symbolic, WrongSkip};
use beeline_model::SizeOrigin;
use beeline_symmetry::Reduced;
use beeline_verdict::{Found, Observation, TraceStep, Verdict};

impl CheckReport<'_> {
    /// The report for programs.
    pub fn json(&self) -> JsonCheck {
        let (outcome, facts) = (self.outcome, &self.outcome.exploration);
        let first = match &outcome.verdict {
            Verdict::Violated(c) | Verdict::GoalFound(c) => outcome.findings.get(c.finding()),
            _ => None,
        };
        let counts = &facts.counts;
        JsonCheck {
            schema: 1,
            model: self.file.to_owned(),
            verdict: outcome.verdict.word(),
            complete: outcome.cuts.is_empty() && facts.is_complete() && !facts.no_setup,
            cuts: outcome.cuts.iter().map(|c| self.json_cut(c)).collect(),
            scope: self.json_scope(),
            finding: first.map(|f| self.json_finding(f)),
            findings: outcome.findings.iter().map(|f| self.json_finding(f)).collect(),
            counts: JsonCounts {
                nodes: counts.nodes,
                states: counts.states(),
                constants: counts.constants,
                transitions: counts.transitions,
                invariant_evaluations: counts.invariant_evaluations,
                guard_evaluations: counts.guard_evaluations,
                invariant_evaluations_known: counts.invariant_evaluations_known,
                guard_evaluations_known: counts.guard_evaluations_known,
            },
            seconds: facts.elapsed.as_secs_f64(),
            peak_memory_bytes: facts.peak_memory_bytes,
            bytes_per_state: Some(facts.bytes_per_state),
            message: outcome.verdict.why().unwrap_or_default(),
            search: facts.order.to_string(),
            cpu_seconds: facts.cpu.map(|time| time.as_secs_f64()),
            conflict: outcome.conflict.iter().filter_map(|s| self.json_place(*s)).collect(),
            load: None,
            resumed: facts.resumed,
            troubles: facts.troubles.clone(),
            stats: self.json_stats(),
            symmetry: self.symmetry.map(|s| self.json_symmetry(s)),
            provers: self.provers(),
            contradicted: (facts.proof == Proof::Audit)
                .then(|| facts.contradictions.iter().map(|c| self.json_contradiction(c)).collect()),
            wrongly_skipped: (facts.skip == Skip::Audit)
                .then(|| facts.wrong_skips.iter().map(|w| self.json_wrong_skip(w)).collect()),
            partial_order: self.json_partial_order(),
            observations: outcome.observations.iter().flat_map(|o| self.json_observed(o)).collect(),
            symbolic: facts.symbolic.as_ref().map(json_symbolic),
            refinement: self.refined.as_ref().map(|r| r.json()),
        }
    }

    fn json_observed(&self, observed: &Observation) -> impl Iterator<Item = JsonObservation> {
        observed.about.iter().map(|(name, span)| JsonObservation {
            kind: observed.kind,
            name: name.clone(),
            place: self.json_place(*span),
        })
    }

    fn json_wrong_skip(&self, wrong: &WrongSkip) -> JsonWrongSkip {
        JsonWrongSkip {
            operation: self.operation_name(Some(wrong.operation)).to_owned(),
            enabled: wrong.is_enabled,
            after: wrong.after.map(|o| self.operation_name(Some(o)).to_owned()),
            steps: wrong.steps,
        }
    }

    fn json_contradiction(&self, found: &Contradiction) -> JsonContradiction {
        let check = self.system.check(found.conjunct);
        JsonContradiction {
            operation: self.said_by(found),
            name: check.label.clone().unwrap_or_default(),
            place: self.json_place(check.span),
            steps: found.steps,
        }
    }

    fn json_symmetry(&self, reduced: &Reduced) -> JsonSymmetry {
        let set = |(name, elements): &(String, usize)| JsonSymmetricSet {
            name: name.clone(),
            elements: *elements,
        };
        let excluded =
            |(name, why): &(String, String)| JsonExcluded { name: name.clone(), why: why.clone() };
        JsonSymmetry {
            mode: reduced.mode.name(),
            sets: reduced.sets.iter().map(set).collect(),
            excluded: reduced.excluded.iter().map(excluded).collect(),
            audit: reduced.audit.as_ref().map(|audit| JsonAudit {
                representatives: audit.representatives,
                classes: audit.classes,
                collisions: audit.collisions,
                split: audit.split,
                wrong_twins: audit.wrong_twins,
                exhaustive: audit.exhaustive,
                example: audit.example.as_ref().map(|(a, b)| [self.bindings(a), self.bindings(b)]),
            }),
        }
    }

    fn json_place(&self, span: beeline_source::Span) -> Option<String> {
        Some(self.place(span)).filter(|p| !p.is_empty())
    }

    fn json_cut(&self, cut: &CutNote) -> JsonCut {
        JsonCut {
            reason: reason_word(cut.reason),
            place: self.json_place(cut.span),
            message: cut.words.clone(),
            count: cut.count,
        }
    }

    fn json_finding(&self, found: &Found) -> JsonFinding {
        let step = |s: &TraceStep| JsonStep {
            operation: s.operation.clone(),
            parameters: s.parameters.clone(),
            state: s.state.clone(),
            results: s.results.clone(),
        };
        JsonFinding {
            kind: found.told.kind,
            name: found.told.name.clone(),
            trace: found.trace.steps.iter().map(step).collect(),
            message: found.told.message.clone(),
            place: self.json_place(found.told.span),
            confirmed: found.refused().is_none(),
            shortest: self.outcome.exploration.minimal,
        }
    }

    fn json_scope(&self) -> JsonScope {
        let settings = self.system.settings();
        JsonScope {
            sets: self.set_scopes(),
            maxint: settings.max_int,
            minint: settings.min_int,
            integer_bounds_matter: self.system.uses_int_bounds(),
            checks_left_out: self.left_out(),
            proofs_believed: self.believed(),
        }
    }

    /// The sets whose size was chosen, each with its size and who says so.
    pub(crate) fn set_scopes(&self) -> Vec<SetScope> {
        let chosen = &self.system.settings().set_sizes;
        let sets = self.model.sets.iter().zip(self.system.set_sizes());
        sets.filter(|(set, _)| set.elements.is_none())
            .map(|(set, (name, size))| SetScope {
                name: name.clone(),
                size: *size,
                origin: match set.size.origin {
                    _ if chosen.iter().any(|(n, _)| n == name) => "option",
                    SizeOrigin::Enumeration => "enumeration",
                    SizeOrigin::Scope => "scope definition",
                    SizeOrigin::Properties => "properties",
                    SizeOrigin::Values => "values",
                    SizeOrigin::Default => "default",
                },
            })
            .collect()
    }
}

fn json_relation((name, made): &(String, Made)) -> JsonRelation {
    JsonRelation { operation: name.clone(), made: made.name() }
}

fn json_symbolic(symbolic: &Symbolic) -> JsonSymbolic {
    let done = symbolic.operations;
    JsonSymbolic {
        method: symbolic.method,
        states: symbolic.states.clone(),
        transitions: symbolic.transitions.clone(),
        bits: symbolic.bits,
        rounds: symbolic.rounds,
        evaluations: symbolic.learned,
        relations: symbolic.relations.iter().map(json_relation).collect(),
        checks: symbolic.checks.iter().map(|made| made.name()).collect(),
        images: done.images,
        unions: done.unions,
        differences: done.differences,
        intersections: done.intersections,
        comparisons: done.comparisons,
        nodes: symbolic.nodes,
        peak_nodes: symbolic.peak_nodes,
        diagram_bytes: symbolic.bytes,
        collections: symbolic.collections,
        blocks: symbolic.blocks,
    }
}
