//! External functions: choice, sorting, components; and which of them do nothing.
//!
//! What a name means stands in a table of `beeline-model`; each family of it is matched in full.
//! Functions of the system (files, time, random numbers, the checker's own state) are refused:
//! their value is no function of the state.

use crate::Judge;
use crate::error::{Eval, EvalError, NoteKind, UnknownReason};
use crate::scene::Scene;
use crate::show::ShowValue;
use crate::value::Value;
use beeline_model::{
    Echo, Expr, External, LibraryFunction, Remark, SetFunction, TypeId, ValueFunction, digest,
};
use beeline_source::Span;
use std::collections::BTreeSet;

/// Does it write something, and change nothing?
fn is_silent(of: LibraryFunction) -> bool {
    match of {
        LibraryFunction::Remarks(of) => match of {
            Remark::Printf
            | Remark::Print
            | Remark::Observe
            | Remark::Debug
            | Remark::Trace
            | Remark::Sleep => true,
            Remark::See
            | Remark::Enumerate
            | Remark::DoNotEnumerate
            | Remark::CheckDetermined
            | Remark::IsDetermined
            | Remark::IsDeterminedIntoFile
            | Remark::LessEqualSymmetric
            | Remark::MaximizeExpr
            | Remark::MinimizeExpr
            | Remark::Warning => false,
        },
        LibraryFunction::Echoes(of) => matches!(of, Echo::Print | Echo::PrintToFile),
        LibraryFunction::Sets(_)
        | LibraryFunction::Integers(_)
        | LibraryFunction::Reals(_)
        | LibraryFunction::Texts(_)
        | LibraryFunction::Values(_) => false,
    }
}

impl Judge<'_> {
    /// The value of an external function; `ty` is the type of its first argument.
    pub(crate) fn external_function(
        &self,
        external: &External,
        arguments: &[Value],
        ty: Option<TypeId>,
    ) -> Eval<Value> {
        let name = &external.name;
        let value = match external.function.filter(|of| of.takes(arguments.len())) {
            Some(of) => self.library_value(of, name, arguments, ty)?,
            None => None,
        };
        value.ok_or_else(|| EvalError::unsupported(format!("the external function {name}")))
    }

    /// The arguments are as many as the function takes.
    fn library_value(
        &self,
        of: LibraryFunction,
        name: &str,
        arguments: &[Value],
        ty: Option<TypeId>,
    ) -> Eval<Option<Value>> {
        match of {
            LibraryFunction::Sets(of) => self.external_on_sets(of, name, arguments).map(Some),
            LibraryFunction::Integers(of) => self.external_on_integers(of, name, arguments),
            LibraryFunction::Reals(of) => self.external_on_reals(of, arguments),
            LibraryFunction::Texts(of) => self.external_on_texts(of, arguments),
            LibraryFunction::Values(of) => self.external_on_values(of, arguments, ty),
            LibraryFunction::Echoes(of) => self.external_echo(of, arguments),
            LibraryFunction::Remarks(_) => Ok(is_silent(of).then_some(Value::Bool(true))),
        }
    }

    fn external_on_sets(&self, of: SetFunction, name: &str, a: &[Value]) -> Eval<Value> {
        Ok(match of {
            SetFunction::Choose => {
                let empty = || EvalError::ill_defined(format!("{name} of the empty set"));
                self.elements(&a[0])?.into_iter().next().ok_or_else(empty)?
            }
            SetFunction::Mu | SetFunction::MuWd => match self.elements(&a[0])?.as_slice() {
                [only] => only.clone(),
                others => {
                    let count = others.len();
                    return Err(EvalError::ill_defined(format!("{name} of {count} elements")));
                }
            },
            SetFunction::Sort => self.make_sequence(self.elements(&a[0])?)?,
            SetFunction::Squash => {
                let pairs = self.pairs(&a[0])?;
                self.make_sequence(pairs.into_iter().map(|p| p.1).collect())?
            }
            SetFunction::Sccs => self.components(&a[0])?,
            SetFunction::Closure1 => self.closure1(&a[0])?,
            SetFunction::Maximize => self.optimum(name, true, &a[0])?,
            SetFunction::Minimize => self.optimum(name, false, &a[0])?,
            SetFunction::UnsatCore => self.unsat_core(&a[0], &a[1])?,
            SetFunction::MaxSat => self.max_sat(&a[0], &a[1])?,
        })
    }

    /// Gives an argument back, as it is or listed.
    fn external_echo(&self, of: Echo, arguments: &[Value]) -> Eval<Option<Value>> {
        Ok(match of {
            Echo::Enumerated | Echo::Force | Echo::Copy | Echo::Symbolic | Echo::Memoize => {
                match arguments {
                    [value] => Some(self.settle(value.clone())?),
                    _ => None,
                }
            }
            Echo::ObserveFunction => match arguments {
                [Value::Bool(true), _, value] => Some(value.clone()),
                _ => None,
            },
            Echo::Print | Echo::PrintToFile | Echo::TracedPrint => arguments.last().cloned(),
        })
    }

    /// The element with the greatest or least first component.
    fn optimum(&self, name: &str, most: bool, set: &Value) -> Eval<Value> {
        fn worth(value: &Value) -> &Value {
            match value {
                Value::Pair(both) => worth(&both.0),
                other => other,
            }
        }
        let elements = self.elements(set)?;
        let best = match most {
            true => elements.iter().rev().max_by(|a, b| worth(a).cmp(worth(b))),
            false => elements.iter().min_by(|a, b| worth(a).cmp(worth(b))),
        };
        best.cloned().ok_or_else(|| EvalError::ill_defined(format!("{name} of the empty set")))
    }

    fn holds_of(&self, condition: &Value, parts: &[Value]) -> Eval<bool> {
        let set = self.make_set(parts.iter().cloned())?;
        Ok(self.apply(condition, &set)? == Value::Bool(true))
    }

    /// Elements that can be spared are left out, one after the other.
    fn unsat_core(&self, condition: &Value, set: &Value) -> Eval<Value> {
        let mut core = self.elements(set)?;
        if self.holds_of(condition, &core)? {
            return Err(EvalError::ill_defined("UNSAT_CORE of a condition that holds"));
        }
        for element in core.clone() {
            let without: Vec<Value> = core.iter().filter(|e| **e != element).cloned().collect();
            if !self.holds_of(condition, &without)? {
                core = without;
            }
        }
        self.make_set(core)
    }

    /// Elements are added, one after the other, as long as the condition holds.
    fn max_sat(&self, condition: &Value, set: &Value) -> Eval<Value> {
        let mut chosen = Vec::new();
        if !self.holds_of(condition, &chosen)? {
            return Err(EvalError::ill_defined("MAX_SAT of a condition that never holds"));
        }
        for element in self.elements(set)? {
            chosen.push(element);
            if !self.holds_of(condition, &chosen)? {
                chosen.pop();
            }
        }
        self.make_set(chosen)
    }

    /// Functions of a value of any type, many of them of its text.
    fn external_on_values(
        &self,
        of: ValueFunction,
        a: &[Value],
        ty: Option<TypeId>,
    ) -> Eval<Option<Value>> {
        let shown = |value: &Value| match ty {
            Some(ty) => ShowValue::typed(self.model, value, ty).to_string(),
            None => self.show(value).to_string(),
        };
        let digest = |value: &Value| -> Eval<[u8; 20]> {
            let value = self.settle(value.clone())?;
            if !value.is_listed() {
                return Err(EvalError::unknown(UnknownReason::TooLarge));
            }
            let text = shown(&value);
            self.charge(text.len() as u64)?;
            Ok(digest::sha1(text.as_bytes()))
        };
        Ok(Some(match (of, a.first()) {
            (ValueFunction::ToText, Some(Value::String(text))) => Value::String(text.clone()),
            (ValueFunction::ToText, _) => Value::string(&shown(&a[0])),
            (ValueFunction::Hash, _) => {
                let bytes = digest(&a[0])?;
                Value::int(bytes[..4].iter().fold(0, |n, byte| n << 8 | i64::from(*byte)))
            }
            (ValueFunction::Sha, _) => {
                let bytes = digest(&a[0])?;
                self.make_sequence(bytes.iter().map(|byte| Value::int(*byte)).collect())?
            }
            (ValueFunction::ShaHex, _) => Value::string(&digest::hexadecimal(&digest(&a[0])?)),
            (ValueFunction::ToInt, Some(Value::Element(_, index))) => Value::int(*index + 1),
            (ValueFunction::ToInt, Some(Value::Integer(number))) => Value::Integer(number.clone()),
            (ValueFunction::ToInt, Some(Value::Bool(truth))) => Value::int(u8::from(*truth)),
            (ValueFunction::ToInt, _) => return Ok(None),
            (ValueFunction::ArgumentCount, _) => Value::int(0),
            (ValueFunction::AssertExpr, Some(Value::Bool(true))) => a[2].clone(),
            (ValueFunction::AssertExpr, Some(Value::Bool(false))) => {
                let message = self.show(&a[1]);
                return Err(EvalError::ill_defined(format!("ASSERT_EXPR: {message}")));
            }
            (ValueFunction::AssertExpr, _) => return Ok(None),
            // They are predicates.
            (ValueFunction::AssertTrue | ValueFunction::Less, _) => return Ok(None),
        }))
    }

    /// The sets of nodes of a relation that lie on common cycles.
    fn components(&self, relation: &Value) -> Eval<Value> {
        let nodes = self.union(self.domain(relation)?, self.range(relation)?)?;
        let mut components = BTreeSet::new();
        for node in self.elements(&nodes)? {
            let reached = self.reachable(relation, &node)?;
            if !self.is_among(&reached, &node)? {
                continue;
            }
            let mut component = vec![node.clone()];
            for other in reached {
                if self.is_among(&self.reachable(relation, &other)?, &node)? {
                    component.push(other);
                }
            }
            components.insert(self.make_set(component)?);
        }
        self.make_set(components)
    }

    /// The truth of an external predicate.
    pub(crate) fn external_predicate(
        &self,
        external: &External,
        arguments: &[Expr],
        scene: &Scene,
        span: Span,
    ) -> Eval<bool> {
        const UNENUMERATED: LibraryFunction = LibraryFunction::Remarks(Remark::DoNotEnumerate);
        if external.function.is_some_and(|of| is_silent(of) || of == UNENUMERATED) {
            return Ok(true);
        }
        let values = self.eval_all(arguments, scene)?;
        let truth = match external.function.filter(|of| of.takes(values.len())) {
            Some(of) => self.library_truth(of, &external.name, &values, span)?,
            None => None,
        };
        truth.ok_or_else(|| {
            EvalError::unsupported(format!("the external predicate {}", external.name))
        })
    }

    /// The arguments are as many as the predicate takes.
    fn library_truth(
        &self,
        of: LibraryFunction,
        name: &str,
        values: &[Value],
        span: Span,
    ) -> Eval<Option<bool>> {
        Ok(match (of, values) {
            (LibraryFunction::Remarks(of), _) => self.remark(of, values.len(), span),
            (LibraryFunction::Values(ValueFunction::Less), [a, b]) => Some(a < b),
            (LibraryFunction::Values(ValueFunction::AssertTrue), [Value::Bool(truth), message]) => {
                if !truth {
                    let message = self.show(message);
                    return Err(EvalError::ill_defined(format!("ASSERT_TRUE: {message}")));
                }
                Some(true)
            }
            (LibraryFunction::Echoes(Echo::Force), [_]) => Some(true),
            // What these give back is a value, and no truth.
            (LibraryFunction::Echoes(_), _) => None,
            // Other predicates are functions to BOOL.
            _ => match self.library_value(of, name, values, None)? {
                Some(Value::Bool(truth)) => Some(truth),
                _ => None,
            },
        })
    }

    /// A remark as a predicate is true, or refused.
    fn remark(&self, of: Remark, arguments: usize, span: Span) -> Option<bool> {
        match of {
            Remark::LessEqualSymmetric => {
                // A hint that breaks symmetries: both truths are allowed, and this one is exact.
                self.note(NoteKind::ExternalEffect, span);
                (arguments == 2).then_some(true)
            }
            Remark::CheckDetermined | Remark::IsDetermined => (arguments == 1).then_some(true),
            Remark::IsDeterminedIntoFile => (arguments == 3).then_some(true),
            Remark::Printf
            | Remark::Print
            | Remark::Observe
            | Remark::Debug
            | Remark::Trace
            | Remark::Sleep
            | Remark::DoNotEnumerate => Some(true),
            Remark::See
            | Remark::Enumerate
            | Remark::MaximizeExpr
            | Remark::MinimizeExpr
            | Remark::Warning => None,
        }
    }

    /// The effect of an external substitution is none, or it is refused.
    pub(crate) fn external_substitution(&self, external: &External) -> Eval<()> {
        const WARNING: LibraryFunction = LibraryFunction::Remarks(Remark::Warning);
        if external.function.is_some_and(|of| is_silent(of) || of == WARNING) {
            return Ok(());
        }
        Err(EvalError::unsupported(format!("the external substitution {}", external.name)))
    }
}
