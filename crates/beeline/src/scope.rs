//! The scope of a run: how large the sets are, and between what integers lie.

use crate::error::{CheckError, OptionError};
use crate::stack::on_large_stack;
use beeline_compile::{Builder, Policy, Settings, System};
use beeline_model::{Model, SizeOrigin};

/// What a user may say about the scope, over what the model says itself.
///
/// ```
/// use beeline::Scope;
///
/// let scope = Scope { max_int: Some(7), ..Scope::default() }.set_size("PERSON", 3);
/// assert_eq!(scope.set_sizes, [("PERSON".to_owned(), 3)]);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scope {
    /// `MAXINT`
    pub max_int: Option<i64>,
    /// `MININT`
    pub min_int: Option<i64>,
    /// Size of deferred sets whose size nothing else determines (default: 2).
    pub default_set_size: Option<u64>,
    /// Sizes of sets by name.
    pub set_sizes: Vec<(String, u64)>,
}

impl Scope {
    /// The same with so many elements in a deferred set.
    #[must_use]
    pub fn set_size(mut self, set: impl Into<String>, elements: u64) -> Scope {
        self.set_sizes.push((set.into(), elements));
        self
    }

    /// The settings of a run: what the model says, if there is one, and over it what the user says.
    pub fn settings(&self, model: Option<&Model>) -> Settings {
        let mut settings = model.map_or_else(Settings::default, Settings::of);
        settings.max_int = self.max_int.unwrap_or(settings.max_int);
        settings.min_int = self.min_int.unwrap_or(settings.min_int);
        settings.default_set_size = self.default_set_size.unwrap_or(settings.default_set_size);
        settings.set_sizes = self.set_sizes.clone();
        settings
    }
}

/// Compiles a model for a scope.
pub fn compile(model: &Model, scope: &Scope) -> Result<System, CheckError> {
    Ok(compile_by(model, scope, Policy::default())?.build())
}

/// The same, with another order of conjuncts, and room for more.
pub(crate) fn compile_by(
    model: &Model,
    scope: &Scope,
    policy: Policy,
) -> Result<Builder, CheckError> {
    let settings = Settings { policy, ..checked_settings(model, scope)? };
    on_large_stack(|| Builder::new(model, &settings)).map_err(CheckError::Compile)
}

/// The settings of a run, if the model has the sets that the user speaks of.
pub(crate) fn checked_settings(model: &Model, scope: &Scope) -> Result<Settings, CheckError> {
    let settings = scope.settings(Some(model));
    let (min, max) = (settings.min_int, settings.max_int);
    if min > max {
        return Err(OptionError::IntegerBounds { min, max }.into());
    }
    for (name, size) in &scope.set_sizes {
        check_size(model, name, *size)?;
    }
    Ok(settings)
}

fn check_size(model: &Model, name: &str, size: u64) -> Result<(), OptionError> {
    let Some(set) = model.sets.iter().find(|s| s.name == name) else {
        return Err(OptionError::UnknownSet(name.to_owned()));
    };
    if set.elements.is_some() {
        return Err(OptionError::EnumeratedSet(name.to_owned()));
    }
    let scope = set.size.origin == SizeOrigin::Scope;
    if !scope && (size < set.size.min || set.size.max.is_some_and(|max| size > max)) {
        return Err(OptionError::SetSize { set: name.to_owned(), size });
    }
    if size == 0 {
        return Err(OptionError::EmptySet(name.to_owned()));
    }
    Ok(())
}
