//! Traces as people and programs see them: names and values in B notation.
//!
//! The JSON form is permanent: traces that were saved once can be replayed by later versions.

use beeline_compile::{ConstantsRef, StateRef, System};
use beeline_explore::Path;
use beeline_value::Val;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The operation name of the step that gives the constants their values.
pub const SETUP: &str = "SETUP_CONSTANTS";
/// The operation name of the step to the first state.
pub const INITIALISATION: &str = "INITIALISATION";

/// Names with values, in order; a JSON object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bindings(pub Vec<(String, String)>);

impl Bindings {
    /// The value of a name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str())
    }
}

impl Serialize for Bindings {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Bindings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Bindings, D::Error> {
        struct Map;
        impl<'de> Visitor<'de> for Map {
            type Value = Bindings;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of strings")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Bindings, A::Error> {
                let mut all = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    all.push(entry);
                }
                Ok(Bindings(all))
            }
        }
        deserializer.deserialize_map(Map)
    }
}

/// One step and the state after it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceStep {
    /// [`SETUP`], [`INITIALISATION`] or an operation of the model.
    pub operation: String,
    /// Its parameters.
    pub parameters: Bindings,
    /// Its results.
    #[serde(default)]
    pub results: Bindings,
    /// The constants after set-up, the variables after everything else.
    pub state: Bindings,
}

/// Versions of the form that can be read. The first one does not tell the scope.
pub const TRACE_SCHEMAS: [u32; 2] = [1, 2];

/// In which scope a trace is an execution.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceScope {
    /// Sizes of sets by name.
    pub sets: Vec<(String, u64)>,
    /// `MAXINT`
    pub maxint: i64,
    /// `MININT`
    pub minint: i64,
    /// The machine of an Event-B project that was opened, if somebody chose one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub main: Option<String>,
    /// The machine of a refinement chain that was run alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
}

impl TraceScope {
    /// The scope that a model was compiled for.
    pub fn of(system: &System) -> TraceScope {
        let settings = system.settings();
        TraceScope {
            sets: system.set_sizes().to_vec(),
            maxint: settings.max_int,
            minint: settings.min_int,
            main: None,
            level: None,
        }
    }
}

/// An execution from the start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trace {
    /// Version of this form.
    pub schema: u32,
    /// The name of the main machine.
    pub model: String,
    /// The scope, since version 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<TraceScope>,
    /// The steps.
    pub steps: Vec<TraceStep>,
}

/// Why a text is not a trace that can be followed.
#[derive(Debug)]
pub enum TraceError {
    /// It has another form than the ones in [`TRACE_SCHEMAS`].
    Schema(u64),
    /// It is no trace.
    Json(serde_json::Error),
    /// It has no steps.
    Empty,
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TraceError::Schema(n) => {
                write!(f, "it has format {n}, which this version does not know")
            }
            TraceError::Json(error) => write!(f, "it is not a trace: {error}"),
            TraceError::Empty => f.write_str("it has no steps"),
        }
    }
}

impl std::error::Error for TraceError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            TraceError::Json(error) => Some(error),
            TraceError::Schema(_) | TraceError::Empty => None,
        }
    }
}

impl Trace {
    /// Reads a trace that was saved as JSON.
    ///
    /// ```
    /// use beeline_verdict::{Trace, TraceError};
    ///
    /// let trace = Trace::from_json(r#"{ "schema": 1, "model": "Counter", "steps": [
    ///     { "operation": "INITIALISATION", "parameters": {}, "state": { "n": "0" } },
    ///     { "operation": "up", "parameters": { "by": "2" }, "state": { "n": "2" } }
    /// ] }"#)?;
    /// assert_eq!(trace.steps[1].parameters.get("by"), Some("2"));
    /// assert_eq!(trace.last().and_then(|state| state.get("n")), Some("2"));
    /// assert!(matches!(Trace::from_json("{ \"schema\": 99 }"), Err(TraceError::Schema(99))));
    /// # Ok::<(), TraceError>(())
    /// ```
    pub fn from_json(text: &str) -> Result<Trace, TraceError> {
        // The number comes first: in another form nothing else need be as expected.
        let schema = serde_json::from_str::<serde_json::Value>(text)
            .ok()
            .and_then(|value| value.get("schema")?.as_u64());
        if let Some(schema) = schema.filter(|n| TRACE_SCHEMAS.iter().all(|s| u64::from(*s) != *n)) {
            return Err(TraceError::Schema(schema));
        }
        match serde_json::from_str::<Trace>(text) {
            Ok(trace) if trace.steps.is_empty() => Err(TraceError::Empty),
            Ok(trace) => Ok(trace),
            Err(error) => Err(TraceError::Json(error)),
        }
    }

    /// The values after the last step.
    pub fn last(&self) -> Option<&Bindings> {
        self.steps.last().map(|step| &step.state)
    }

    /// A path in names and values.
    pub fn new(system: &System, model: &str, path: &Path) -> Trace {
        let mut steps = Vec::new();
        if system.has_setup() {
            steps.push(TraceStep {
                operation: SETUP.to_owned(),
                parameters: Bindings::default(),
                results: Bindings::default(),
                state: constants(system, path.constants.view()),
            });
        }
        if let Some(initial) = &path.initial {
            steps.push(TraceStep {
                operation: INITIALISATION.to_owned(),
                parameters: Bindings::default(),
                results: Bindings::default(),
                state: variables(system, initial.view()),
            });
        }
        for step in &path.steps {
            let operation = system.operation(step.operation);
            let named = |names: &[(String, beeline_model::TypeId)], words: &[u32]| {
                let set = names.iter().zip(words).filter(|(_, w)| **w != Val::UNSET.raw());
                Bindings(set.map(|((n, ty), w)| (n.clone(), system.show(*w, *ty))).collect())
            };
            steps.push(TraceStep {
                operation: operation.name.clone(),
                parameters: named(&operation.parameters, &step.arguments.0),
                results: named(&operation.results, &step.results),
                state: variables(system, step.target.view()),
            });
        }
        Trace { schema: 2, model: model.to_owned(), scope: Some(TraceScope::of(system)), steps }
    }
}

pub(crate) fn constants(system: &System, constants: ConstantsRef<'_>) -> Bindings {
    let slots = system.constants().iter().zip(constants.iter());
    Bindings(slots.map(|(s, w)| (s.name.clone(), system.show(w, s.ty))).collect())
}

pub(crate) fn variables(system: &System, state: StateRef<'_>) -> Bindings {
    let slots = system.variables().iter().zip(state.iter());
    Bindings(slots.map(|(s, w)| (s.name.clone(), system.show(w, s.ty))).collect())
}
