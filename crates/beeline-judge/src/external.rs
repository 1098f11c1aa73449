//! External functions by name: choice, sorting, components; and which names do nothing.
//!
//! Functions of the system (files, time, random numbers, the checker's own state) are refused:
//! their value is no function of the state.

use crate::Judge;
use crate::error::{Eval, EvalError, NoteKind, UnknownReason};
use crate::scene::Scene;
use crate::show::ShowValue;
use crate::value::Value;
use beeline_model::{Expr, TypeId, digest};
use beeline_source::Span;
use std::collections::BTreeSet;

/// Externals that write something and change nothing.
const SILENT: &[&str] = &[
    "printf",
    "tprintf",
    "iprintf",
    "dprintf",
    "fprintf",
    "printf_nonvar",
    "printf_opt_trace",
    "printf_two",
    "printf1",
    "vprintf",
    "fvprintf",
    "PRINT",
    "PRINTF",
    "FPRINTF",
    "observe",
    "observe_silent",
    "observe_indent",
    "tobserve",
    "DEBUG",
    "TRACE",
    "SLEEP",
];

impl Judge<'_> {
    /// The value of an external function; `ty` is the type of its first argument.
    pub(crate) fn external_function(
        &self,
        name: &str,
        arguments: &[Value],
        ty: Option<TypeId>,
    ) -> Eval<Value> {
        if let Some(value) = self.external_on_texts(name, arguments, ty)? {
            return Ok(value);
        }
        if let Some(value) = self.external_on_sets(name, arguments)? {
            return Ok(value);
        }
        if let Some(value) = self.external_math(name, arguments)? {
            return Ok(value);
        }
        if let Some(value) = self.external_string(name, arguments)? {
            return Ok(value);
        }
        Err(EvalError::unsupported(format!("the external function {name}")))
    }

    fn external_on_sets(&self, name: &str, arguments: &[Value]) -> Eval<Option<Value>> {
        let empty = |name: &str| EvalError::ill_defined(format!("{name} of the empty set"));
        Ok(Some(match (name, arguments) {
            ("CHOOSE", [set]) => {
                self.elements(set)?.into_iter().next().ok_or_else(|| empty(name))?
            }
            ("MU" | "MU_WD", [set]) => match self.elements(set)?.as_slice() {
                [only] => only.clone(),
                others => {
                    let count = others.len();
                    return Err(EvalError::ill_defined(format!("{name} of {count} elements")));
                }
            },
            ("SORT", [set]) => self.make_sequence(self.elements(set)?)?,
            ("SQUASH", [relation]) => {
                let pairs = self.pairs(relation)?;
                self.make_sequence(pairs.into_iter().map(|p| p.1).collect())?
            }
            ("SCCS", [relation]) => self.components(relation)?,
            ("CLOSURE1", [relation]) => self.closure1(relation)?,
            ("ENUM" | "FORCE" | "COPY" | "SYMBOLIC" | "MEMOIZE_STORED_FUNCTION", [value]) => {
                self.settle(value.clone())?
            }
            ("observe_fun" | "ASSERT_EXPR", [Value::Bool(true), _, value]) => value.clone(),
            ("ASSERT_EXPR", [Value::Bool(false), message, _]) => {
                return Err(EvalError::ill_defined(format!("ASSERT_EXPR: {}", self.show(message))));
            }
            ("TO_INT", [Value::Element(_, index)]) => Value::int(*index + 1),
            ("TO_INT", [Value::Integer(number)]) => Value::Integer(number.clone()),
            ("TO_INT", [Value::Bool(truth)]) => Value::int(u8::from(*truth)),
            ("ARGC", []) => Value::int(0),
            ("vprintf" | "fvprintf" | "tvprintf", [.., value]) => value.clone(),
            ("MAXIMIZE" | "MINIMIZE", [set]) => self.optimum(name, set)?,
            ("UNSAT_CORE", [condition, set]) => self.unsat_core(condition, set)?,
            ("MAX_SAT", [condition, set]) => self.max_sat(condition, set)?,
            (name, _) if SILENT.contains(&name) => Value::Bool(true),
            _ => return Ok(None),
        }))
    }

    /// The element with the greatest or least first component.
    fn optimum(&self, name: &str, set: &Value) -> Eval<Value> {
        fn worth(value: &Value) -> &Value {
            match value {
                Value::Pair(both) => worth(&both.0),
                other => other,
            }
        }
        let elements = self.elements(set)?;
        let best = match name {
            "MAXIMIZE" => elements.iter().rev().max_by(|a, b| worth(a).cmp(worth(b))),
            _ => elements.iter().min_by(|a, b| worth(a).cmp(worth(b))),
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

    /// Functions of the text of a value.
    fn external_on_texts(
        &self,
        name: &str,
        arguments: &[Value],
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
        Ok(Some(match (name, arguments) {
            ("TO_STRING" | "STRINGIFY", [Value::String(text)]) => Value::String(text.clone()),
            ("TO_STRING" | "STRINGIFY", [value]) => Value::string(&shown(value)),
            ("HASH", [value]) => {
                let bytes = digest(value)?;
                Value::int(bytes[..4].iter().fold(0, |n, byte| n << 8 | i64::from(*byte)))
            }
            ("SHA_HASH", [value]) => {
                let bytes = digest(value)?;
                self.make_sequence(bytes.iter().map(|byte| Value::int(*byte)).collect())?
            }
            ("SHA_HASH_HEX", [value]) => Value::string(&digest::hexadecimal(&digest(value)?)),
            _ => return Ok(None),
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
        name: &str,
        arguments: &[Expr],
        scene: &Scene,
        span: Span,
    ) -> Eval<bool> {
        if SILENT.contains(&name) || name == "DO_NOT_ENUMERATE" {
            return Ok(true);
        }
        let values = self.eval_all(arguments, scene)?;
        match (name, values.as_slice()) {
            ("LEQ_SYM" | "LEQ_SYM_BREAK", [_, _]) => {
                // A hint that breaks symmetries: both truths are allowed, and this one is exact.
                self.note(NoteKind::ExternalEffect, span);
                Ok(true)
            }
            ("LESS", [a, b]) => Ok(a < b),
            ("ASSERT_TRUE", [Value::Bool(truth), message]) => {
                if *truth {
                    return Ok(true);
                }
                Err(EvalError::ill_defined(format!("ASSERT_TRUE: {}", self.show(message))))
            }
            ("CHECK_DET" | "IS_DETERMINED" | "FORCE", [_]) => Ok(true),
            ("IS_DETERMINED_INTO_FILE", [_, _, _]) => Ok(true),
            _ => match self.external_string_predicate(name, &values)? {
                Some(truth) => Ok(truth),
                None => match self.external_math(&format!("{name}?"), &values)? {
                    Some(Value::Bool(truth)) => Ok(truth),
                    _ => Err(EvalError::unsupported(format!("the external predicate {name}"))),
                },
            },
        }
    }

    /// The effect of an external substitution is none, or it is refused.
    pub(crate) fn external_substitution(&self, name: &str) -> Eval<()> {
        if SILENT.contains(&name) || matches!(name, "ADD_WARNING" | "ADD_WARNINGS") {
            return Ok(());
        }
        Err(EvalError::unsupported(format!("the external substitution {name}")))
    }
}
