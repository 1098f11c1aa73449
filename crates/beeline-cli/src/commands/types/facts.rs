//! What there is to say about the names of a model, as data for the table and for JSON.

use beeline::model::{
    Constant, ConstantKind, GivenSet, Level, LocalId, Model, OperationId, Role, SetKind,
    SizeOrigin, Variable, VariableId,
};
use beeline::report::{JsonPlace, JsonReport, place};
use beeline::source::{SourceMap, Span};
use serde::Serialize;

/// The whole answer.
#[derive(Serialize)]
pub struct Answer<'a> {
    #[serde(flatten)]
    pub report: JsonReport,
    /// `null` if the model has errors.
    pub model: Option<&'a Facts>,
}

#[derive(Serialize)]
pub struct Facts {
    pub name: String,
    pub machines: Vec<Machine>,
    pub sets: Vec<Set>,
    pub constants: Vec<Name>,
    pub levels: Vec<LevelFacts>,
}

#[derive(Serialize)]
pub struct Machine {
    pub name: String,
    pub prefix: Option<String>,
    pub kind: &'static str,
    pub role: &'static str,
    pub level: u32,
}

#[derive(Serialize)]
pub struct Set {
    pub name: String,
    pub kind: &'static str,
    pub elements: Option<Vec<String>>,
    pub size: Size,
    pub machine: String,
    #[serde(flatten)]
    pub place: JsonPlace,
}

/// At least and at most so many elements, and who says so.
#[derive(Serialize)]
pub struct Size {
    pub min: u64,
    pub max: Option<u64>,
    pub origin: &'static str,
    pub line: Option<u32>,
}

#[derive(Serialize)]
pub struct Name {
    pub name: String,
    #[serde(rename = "type")]
    pub ty: String,
    pub kind: &'static str,
    pub machine: String,
    #[serde(flatten)]
    pub place: JsonPlace,
}

#[derive(Serialize)]
pub struct LevelFacts {
    pub machine: String,
    pub variables: Vec<Name>,
    pub operations: Vec<OperationFacts>,
}

#[derive(Serialize)]
pub struct OperationFacts {
    pub name: String,
    pub parameters: Vec<Typed>,
    pub results: Vec<Typed>,
    pub reads: Vec<String>,
    pub writes: Vec<String>,
    pub machine: String,
    #[serde(flatten)]
    pub place: JsonPlace,
}

#[derive(Serialize)]
pub struct Typed {
    pub name: String,
    #[serde(rename = "type")]
    pub ty: String,
}

/// A model and its files.
struct Teller<'a> {
    model: &'a Model,
    sources: &'a SourceMap,
}

impl Facts {
    pub fn new(model: &Model, sources: &SourceMap) -> Facts {
        let teller = Teller { model, sources };
        Facts {
            name: model.name.to_string(),
            machines: model.components.iter().map(machine).collect(),
            sets: model.sets.iter().map(|s| teller.set(s)).collect(),
            constants: model.constants.iter().map(|c| teller.constant(c)).collect(),
            levels: model.levels.iter().map(|l| teller.level(l)).collect(),
        }
    }
}

impl Teller<'_> {
    fn set(&self, set: &GivenSet) -> Set {
        let names = |list: &Vec<(_, Span)>| list.iter().map(name_of_element).collect();
        Set {
            name: set.name.to_string(),
            kind: match set.kind {
                SetKind::Deferred => "deferred",
                SetKind::Enumerated => "enumerated",
                SetKind::Parameter => "parameter",
            },
            elements: set.elements.as_ref().map(names),
            size: Size {
                min: set.size.min,
                max: set.size.max,
                origin: match set.size.origin {
                    SizeOrigin::Enumeration => "enumeration",
                    SizeOrigin::Scope => "scope",
                    SizeOrigin::Properties => "properties",
                    SizeOrigin::Values => "values",
                    SizeOrigin::Default => "default",
                },
                line: place(self.sources, set.size.span).line,
            },
            machine: self.machine_name(set.component),
            place: place(self.sources, set.span),
        }
    }

    fn constant(&self, constant: &Constant) -> Name {
        Name {
            name: constant.name.to_string(),
            ty: self.show(constant.ty),
            kind: match constant.kind {
                ConstantKind::Concrete => "concrete",
                ConstantKind::Abstract => "abstract",
                ConstantKind::Parameter => "parameter",
            },
            machine: self.machine_name(constant.component),
            place: place(self.sources, constant.span),
        }
    }

    fn variable(&self, variable: &Variable) -> Name {
        Name {
            name: variable.name.to_string(),
            ty: self.show(variable.ty),
            kind: "variable",
            machine: self.machine_name(variable.component),
            place: place(self.sources, variable.span),
        }
    }

    fn level(&self, level: &Level) -> LevelFacts {
        LevelFacts {
            machine: self.machine_name(level.component),
            variables: level
                .variables
                .iter()
                .map(|v| self.variable(self.model.variable(*v)))
                .collect(),
            operations: level.operations.iter().map(|o| self.operation(*o)).collect(),
        }
    }

    fn operation(&self, id: OperationId) -> OperationFacts {
        let operation = self.model.operation(id);
        OperationFacts {
            name: operation.name.to_string(),
            parameters: self.typed(&operation.parameters),
            results: self.typed(&operation.results),
            reads: self.names(&operation.reads),
            writes: self.names(&operation.writes),
            machine: self.machine_name(operation.component),
            place: place(self.sources, operation.span),
        }
    }

    fn typed(&self, locals: &[LocalId]) -> Vec<Typed> {
        let typed = |id: &LocalId| {
            let local = self.model.local(*id);
            Typed { name: local.name.to_string(), ty: self.show(local.ty) }
        };
        locals.iter().map(typed).collect()
    }

    fn names(&self, variables: &[VariableId]) -> Vec<String> {
        variables.iter().map(|v| self.model.variable(*v).name.to_string()).collect()
    }

    fn show(&self, ty: beeline::model::TypeId) -> String {
        self.model.show_type(ty)
    }

    fn machine_name(&self, id: beeline::model::ComponentId) -> String {
        self.model.component(id).name.to_string()
    }
}

fn name_of_element(element: &(impl ToString, Span)) -> String {
    element.0.to_string()
}

fn machine(component: &beeline::model::Component) -> Machine {
    Machine {
        name: component.name.to_string(),
        prefix: component.prefix.as_ref().map(ToString::to_string),
        kind: component.keyword,
        role: match component.role {
            Role::Main => "main",
            Role::Refined => "refined",
            Role::Included => "included",
            Role::Imported => "imported",
            Role::Seen => "seen",
            Role::Used => "used",
        },
        level: component.level,
    }
}
