//! Why an operation is slow: how its parameters are found, step by step, and who executes it.
//!
//! Plans are those of the compiler; nothing is planned differently for being shown.

use crate::check::{Tier, interpret_within, native};
use crate::error::CheckError;
use crate::scope::{Scope, compile};
use crate::stack::on_large_stack;
use crate::watched::WorkLimits;
use beeline_compile::{Builder, Constants, Flow};
use beeline_model::{Expr, ExprKind, LocalId, Model, Pred, PredKind, Subst, SubstKind};
use beeline_pack::{PackedSystem, Setups, Source};
use beeline_plan::{Act, Generator, Name, PlanStep, PlansOf};
use beeline_source::{SourceMap, Span};
use beeline_transition::TransitionSystem;
use serde::Serialize;

/// One line of a plan.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlanLine {
    /// How deep it is nested.
    pub depth: usize,
    /// `test`, `let`, `each`, `between`, `type`, `subsets`, `solve` with each
    /// `constraint`, `other`, or what begins a nested plan: `any`, `forall`, `exists`.
    pub kind: &'static str,
    /// The names that get a value, or nothing.
    pub names: String,
    /// Where the values come from, or what is tested: as the model has it.
    pub text: String,
    /// About how many values are tried for each choice before; nothing if there is no end.
    pub fanout: Option<f64>,
}

/// The plan of one operation, or of one check.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Plan {
    /// The operation with its parameters, or the label of an invariant.
    pub name: String,
    /// `operation` or `invariant`.
    pub of: &'static str,
    /// Why the general engine executes it; nothing if the fast tier has code for it.
    pub general: Option<String>,
    /// About how many choices of parameters are tried in a state; nothing if there is no end.
    pub candidates: Option<f64>,
    /// The steps.
    pub lines: Vec<PlanLine>,
}

/// The plans of a model.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Plans {
    /// Operations first.
    pub plans: Vec<Plan>,
    /// Bits of a packed state; nothing if states are not packed.
    pub state_bits: Option<u32>,
    /// Variables that nothing bounds: their values are stored elsewhere, and have a number in the state.
    pub unbounded: Vec<String>,
    /// Why it is not known what the fast tier does: no valuation of the constants was found.
    pub without_constants: bool,
}

/// Beyond this an estimate means that there is no end.
const ENDLESS: f64 = 1e200;

/// A step that is only named.
fn other(words: &str) -> (&'static str, String, String) {
    ("other", String::new(), words.to_owned())
}

fn bounded(fanout: f64) -> Option<f64> {
    (fanout < ENDLESS).then_some(fanout)
}

/// The plans of all operations and invariants.
pub fn plans(
    model: &Model,
    sources: &SourceMap,
    scope: &Scope,
    limits: &WorkLimits,
) -> Result<Plans, CheckError> {
    let mut builder = Builder::from(compile(model, scope)?);
    let (tiers, _) = {
        let interrupt = builder.system().interrupt().clone();
        limits.watch(&interrupt, || on_large_stack(|| Tiers::of(model, scope, &mut builder)))
    };
    let system = builder.build();
    let plans_of = PlansOf::new(model, system.plans().clone());
    let mut telling = Telling { plans: plans_of, sources, lines: Vec::new() };
    let mut plans = Vec::new();
    for operation in system.operations() {
        let row = model.operation(operation.id);
        let (plan, rest) = telling.plans.operation(operation.id);
        let candidates = plan.candidates();
        telling.steps(&plan.steps, 0);
        telling.subst(rest, 0);
        let names = telling.names(&row.parameters);
        let name = operation.name.clone();
        plans.push(Plan {
            general: tiers.refused(&name),
            name: if names.is_empty() { name } else { format!("{name}({names})") },
            of: "operation",
            candidates: bounded(candidates),
            lines: std::mem::take(&mut telling.lines),
        });
    }
    for invariant in &model.concrete().invariants {
        telling.pred(&invariant.conjunct.pred, 0);
        let lines = std::mem::take(&mut telling.lines);
        if !lines.is_empty() {
            let name = telling.of_pred(&invariant.conjunct.pred);
            plans.push(Plan { name, of: "invariant", general: None, candidates: None, lines });
        }
    }
    Ok(Plans {
        plans,
        state_bits: tiers.bits,
        unbounded: tiers.unbounded,
        without_constants: tiers.unknown,
    })
}

/// What the fast tier does with a model.
struct Tiers {
    refused: Vec<(String, &'static str)>,
    bits: Option<u32>,
    unbounded: Vec<String>,
    unknown: bool,
}

impl Tiers {
    /// Under the first valuation of the constants.
    fn of(model: &Model, scope: &Scope, builder: &mut Builder) -> Tiers {
        let bounds = || interpret_within(model, scope).variables;
        let source = Source::new(model, builder).with_bounds(&bounds);
        let system = builder.system();
        let mut setups = Vec::new();
        system.setups(&mut system.scratch(), &mut |constants| {
            setups.push(constants.owned());
            Flow::Enough
        });
        let setups: Vec<_> = setups.iter().map(Constants::view).collect();
        let (setups, compiler) = (Setups::of(&setups), native(Tier::Native, false));
        let mut engine = PackedSystem::new(system, &source, compiler.as_deref());
        engine.begin(&setups, &[]);
        Tiers {
            refused: engine.refused().to_vec(),
            unbounded: engine
                .unbounded()
                .map(|variable| model.variable(variable).name.to_string())
                .collect(),
            bits: (!engine.is_plain()).then(|| engine.bits()),
            unknown: setups.is_empty(),
        }
    }

    fn refused(&self, operation: &str) -> Option<String> {
        if self.unknown {
            return Some("no valuation of the constants was found".to_owned());
        }
        self.refused.iter().find(|r| r.0 == operation).map(|r| r.1.to_owned())
    }
}

/// Tells plans line by line.
struct Telling<'m, 's> {
    plans: PlansOf<'m>,
    sources: &'s SourceMap,
    lines: Vec<PlanLine>,
}

impl Telling<'_, '_> {
    fn text(&self, span: Span) -> String {
        self.sources.text(span).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Is there a text that its author reads?
    fn is_readable(&self, span: Span) -> bool {
        let file = self.sources.file_of(span);
        !span.is_empty() && file.is_some_and(|(_, file)| file.is_for_people())
    }

    fn of_expr(&self, e: &Expr) -> String {
        match self.is_readable(e.span) {
            true => self.text(e.span),
            false => self.plans.model().show_expr(e),
        }
    }

    fn of_pred(&self, p: &Pred) -> String {
        match self.is_readable(p.span) {
            true => self.text(p.span),
            false => self.plans.model().show_pred(p),
        }
    }

    fn texts(&self, exprs: &[Expr]) -> String {
        exprs.iter().map(|e| self.of_expr(e)).collect::<Vec<_>>().join(", ")
    }

    fn names(&self, locals: &[LocalId]) -> String {
        let model = self.plans.model();
        locals.iter().map(|l| model.local(*l).name.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// A pattern: names that stand alone are known without a place in the source.
    fn pattern(&self, e: &Expr) -> String {
        match e.kind {
            ExprKind::Local(local) => self.names(&[local]),
            _ => self.of_expr(e),
        }
    }

    fn line(&mut self, depth: usize, kind: &'static str, names: String, text: String, fanout: f64) {
        self.lines.push(PlanLine { depth, kind, names, text, fanout: bounded(fanout) });
    }

    fn steps(&mut self, steps: &[PlanStep], depth: usize) {
        for PlanStep { act, fanout } in steps {
            let (kind, names, text) = match act {
                Act::Test { pred, .. } => ("test", String::new(), self.of_pred(pred)),
                Act::Bind { from, .. } => self.generator(from),
                Act::Points(_) => other("functions given point by point"),
                Act::Solve(_) => ("solve", String::new(), String::new()),
            };
            self.line(depth, kind, names, text, *fanout);
            match act {
                Act::Test { pred, .. } => self.pred(pred, depth + 1),
                Act::Solve(question) => {
                    for constraint in &question.constraints {
                        let text = self.of_pred(&constraint.pred);
                        self.line(depth + 1, "constraint", String::new(), text, 1.0);
                    }
                }
                _ => {}
            }
        }
    }

    /// What a generator is, the names it gives values to, and where these come from.
    fn generator(&self, from: &Generator) -> (&'static str, String, String) {
        match from {
            Generator::Value { pattern, value } => {
                ("let", self.pattern(pattern), self.of_expr(value))
            }
            Generator::Member { pattern, set } => {
                ("each", self.pattern(pattern), self.of_expr(set))
            }
            Generator::Within { name: Name::Local(local), set, .. } => {
                ("each", self.names(&[*local]), self.of_expr(set))
            }
            Generator::Between { name: Name::Local(local), lows, highs, .. } => {
                let text = format!("{} .. {}", self.texts(lows), self.texts(highs));
                ("between", self.names(&[*local]), text)
            }
            Generator::Type(Name::Local(local)) => {
                let model = self.plans.model();
                let ty = model.show_type(model.local(*local).ty);
                ("type", self.names(&[*local]), ty)
            }
            Generator::Subset { name: Name::Local(local), set, .. } => {
                ("subsets", self.names(&[*local]), self.of_expr(set))
            }
            Generator::Any { of_if: true, .. } => {
                other("the branches of IF, each with its own bounds")
            }
            Generator::Any { .. } => other("alternatives, each with its own plan"),
            Generator::Recursive(_) => other("recursive definitions"),
            Generator::Pieces { .. } => other("all ways to cut a sequence into pieces"),
            _ => other("constants"),
        }
    }

    /// The plans of the quantifiers in a predicate.
    fn pred(&mut self, p: &Pred, depth: usize) {
        match &p.kind {
            PredKind::And(parts) | PredKind::Or(parts) => {
                parts.iter().for_each(|p| self.pred(p, depth));
            }
            PredKind::Not(p) => self.pred(p, depth),
            PredKind::Implies(a, b) | PredKind::Equivalent(a, b) => {
                self.pred(a, depth);
                self.pred(b, depth);
            }
            PredKind::Forall(locals, body) => {
                let (plan, claim) = self.plans.universal(locals, body);
                self.line(depth, "forall", self.names(locals), String::new(), 1.0);
                self.steps(&plan.steps, depth + 1);
                let text = self.of_pred(&claim);
                self.line(depth + 1, "test", String::new(), text, 1.0);
                self.pred(&claim, depth + 2);
            }
            PredKind::Exists(locals, body) => {
                let plan = self.plans.query(locals, std::slice::from_ref(body));
                self.line(depth, "exists", self.names(locals), String::new(), 1.0);
                self.steps(&plan.steps, depth + 1);
            }
            _ => {}
        }
    }

    /// The plans of the choices in a substitution.
    fn subst(&mut self, s: &Subst, depth: usize) {
        match &s.kind {
            SubstKind::Any(locals, conjuncts, body) => {
                let preds: Vec<Pred> = conjuncts.iter().map(|c| c.pred.clone()).collect();
                let plan = self.plans.query(locals, &preds);
                self.line(depth, "any", self.names(locals), String::new(), 1.0);
                self.steps(&plan.steps, depth + 1);
                self.subst(body, depth + 1);
            }
            SubstKind::Pre(_, body)
            | SubstKind::Assert(_, _, body)
            | SubstKind::Let(_, body)
            | SubstKind::Var(_, body) => self.subst(body, depth),
            SubstKind::If(branches, last) => {
                branches.iter().for_each(|b| self.subst(&b.1, depth));
                last.iter().for_each(|s| self.subst(s, depth));
            }
            SubstKind::Select(branches, last) => {
                branches.iter().for_each(|b| self.subst(&b.1, depth));
                last.iter().for_each(|s| self.subst(s, depth));
            }
            SubstKind::Case(_, branches, last) => {
                branches.iter().for_each(|b| self.subst(&b.1, depth));
                last.iter().for_each(|s| self.subst(s, depth));
            }
            SubstKind::Choice(parts) | SubstKind::Sequence(parts) | SubstKind::Parallel(parts) => {
                parts.iter().for_each(|s| self.subst(s, depth));
            }
            SubstKind::While(w) => self.subst(&w.body, depth),
            _ => {}
        }
    }
}
