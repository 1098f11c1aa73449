//! What the compiler knows while it works: slots of names, codes, errors.

use super::measure::Measuring;
use crate::error::CompileError;
use crate::eval::frame::{Code, FreeInfo, Recursion};
use crate::settings::Settings;
use beeline_model::{ConstantId, LocalId, Model, OperationId, VariableId};
use beeline_plan::Names;
use beeline_plan::{Leeway, Plans};
use beeline_source::Span;
use beeline_value::{Store, Val};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Formulas may be nested this deep.
const MAX_NESTING: usize = 1600;

/// The compiler.
pub(crate) struct Cx<'m> {
    pub model: &'m Model,
    pub settings: Settings,
    pub store: Arc<Store>,
    /// The value of each given set.
    pub sets: Vec<Val>,
    pub free_types: Vec<FreeInfo>,
    /// Codes of symbolic comprehensions; a place is taken before its code is there.
    pub codes: Vec<Option<Code>>,
    /// Slots of locals, one map for each operation that is being inlined.
    scopes: Vec<FxHashMap<LocalId, usize>>,
    pub next_slot: usize,
    /// Numbers for remembered queries.
    pub next_query: u32,
    pub errors: Vec<CompileError>,
    /// Operations being inlined: a call that leads back here is an error.
    pub calls: Vec<OperationId>,
    /// The constants that are being defined by recursion.
    pub recursive: BTreeSet<ConstantId>,
    /// Their definitions; a place is taken before its definition is there.
    pub recursions: Vec<Option<Recursion>>,
    /// Inside an expression that is evaluated once.
    pub in_closed: bool,
    pub nesting: usize,
    /// Inside a question that is planned in a second way.
    pub looking_again: bool,
    /// How queries are planned; whatever was planned is kept there.
    pub plans: Arc<Plans>,
    /// Steps of plans are counted, or were before the plans were made.
    pub measuring: Option<Measuring>,
    /// What can be planned in another way in the operation at hand.
    pub leeway: Leeway,
    /// `MAXINT`, `MININT`, `NAT`, `NAT1` or `INT` occurs.
    pub uses_int_bounds: std::cell::Cell<bool>,
}

impl<'m> Cx<'m> {
    pub fn new(
        model: &'m Model,
        settings: &Settings,
        store: Arc<Store>,
        sets: Vec<Val>,
        plans: Arc<Plans>,
    ) -> Cx<'m> {
        Cx {
            model,
            settings: settings.clone(),
            store,
            sets,
            free_types: Vec::new(),
            codes: Vec::new(),
            scopes: vec![FxHashMap::default()],
            next_slot: model.variables.len() + model.constants.len(),
            next_query: 1 << 16,
            errors: Vec::new(),
            calls: Vec::new(),
            recursive: BTreeSet::new(),
            recursions: Vec::new(),
            in_closed: false,
            nesting: 0,
            looking_again: false,
            plans,
            measuring: None,
            leeway: Leeway::default(),
            uses_int_bounds: std::cell::Cell::new(false),
        }
    }

    pub fn error(&mut self, span: Span, words: impl Into<String>) {
        let error = CompileError { span, words: words.into() };
        // An operation that is inlined twice has its errors once.
        if !self.errors.contains(&error) {
            self.errors.push(error);
        }
    }

    /// Goes one level deeper; false if that is too deep.
    pub fn deeper(&mut self, span: Span) -> bool {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            self.error(span, format!("formulas are nested deeper than {MAX_NESTING}"));
            return false;
        }
        true
    }

    pub fn variable_slot(&self, id: VariableId) -> usize {
        id.index()
    }

    pub fn constant_slot(&self, id: ConstantId) -> usize {
        self.model.variables.len() + id.index()
    }

    /// The slot of a local in the operation that is being compiled.
    pub fn local_slot(&mut self, id: LocalId) -> usize {
        let last = self.scopes.len() - 1;
        *self.scopes[last].entry(id).or_insert_with(|| {
            self.next_slot += 1;
            self.next_slot - 1
        })
    }

    /// Fresh slots for the locals of an operation that is inlined.
    pub fn enter_scope(&mut self) {
        self.scopes.push(FxHashMap::default());
    }

    pub fn leave_scope(&mut self) {
        self.scopes.pop();
    }

    /// All slots that a formula with these names reads from outside.
    pub fn read_slots(&mut self, names: &Names) -> Vec<usize> {
        let mut slots: Vec<usize> =
            names.variables.iter().map(|v| self.variable_slot(*v)).collect();
        slots.extend(names.constants.iter().map(|c| self.constant_slot(*c)));
        slots.extend(names.locals.iter().map(|l| self.local_slot(*l)));
        slots
    }

    /// A number for a query whose results are remembered.
    pub fn query_number(&mut self) -> u32 {
        self.next_query += 1;
        self.next_query
    }
}
