//! The environment: bound names, what a name means, and the expansion of definitions.

use super::{Binding, Bound, Elaborator, LocalKind, MAX_DEPTH, MAX_EXPANSION, Meaning, count};
use crate::definitions::Entry;
use crate::infer::Ty;
use beeline_model::{Local, LocalId, Model, Name, TypeId};
use beeline_source::{Code, Diagnostic, Span};
use beeline_syntax::ast;

impl<'a> Elaborator<'a> {
    /// A new bound name.
    pub fn local(&mut self, name: &ast::Ident, kind: LocalKind) -> LocalId {
        let ty = self.infer.fresh();
        self.local_of(name.name.clone(), name.span, ty, kind)
    }

    pub(crate) fn local_of(&mut self, name: Name, span: Span, ty: Ty, kind: LocalKind) -> LocalId {
        self.model.locals.push(Local { name, ty: TypeId(ty.0), span });
        self.local_kinds.push(kind);
        LocalId(self.model.locals.len() as u32 - 1)
    }

    pub fn local_ty(&mut self, local: LocalId) -> Ty {
        let raw = self.model.local(local).ty;
        if local.index() < self.finished_locals {
            let Model { types, .. } = &self.model;
            return self.infer.lift(raw, types);
        }
        Ty(raw.0)
    }

    pub fn bind(&mut self, local: LocalId) {
        let name = self.model.local(local).name.clone();
        self.env.push(Binding { name, bound: Bound::Local(local), frame: self.frame });
    }

    pub fn unbind(&mut self, count: usize) {
        self.env.truncate(self.env.len().saturating_sub(count));
    }

    /// Binds names around `body`; a name may be a definition that lists names.
    pub(super) fn binding<R>(
        &mut self,
        names: &'a [ast::Ident],
        kind: LocalKind,
        body: impl FnOnce(&mut Self) -> R,
    ) -> (Vec<LocalId>, R) {
        let mark = self.env.len();
        let mut locals = Vec::with_capacity(names.len());
        let mut frames = Vec::with_capacity(names.len());
        for name in names {
            let (frame, list) = self.listed(name).unwrap_or((self.frame, vec![name.clone()]));
            for n in list {
                let known: &[LocalId] = &locals;
                if known.iter().any(|l| self.model.local(*l).name == n.name) {
                    let message = format!("`{}` is bound twice", n.name);
                    self.problem(Diagnostic::new(Code::DUPLICATE_NAME, n.span, message));
                    continue;
                }
                let local = self.local(&n, kind);
                frames.push(frame);
                locals.push(local);
            }
        }
        for (local, frame) in locals.iter().zip(frames) {
            let name = self.model.local(*local).name.clone();
            self.env.push(Binding { name, bound: Bound::Local(*local), frame });
        }
        let result = body(self);
        self.env.truncate(mark);
        (locals, result)
    }

    /// The names that `name` stands for, if it is a definition such as `D == x, y`, or an argument
    /// that is a name; and the expansion they belong to.
    ///
    /// A name that a caller gives to be bound is meant to be seen by the caller's other arguments:
    /// `LETIN(v, E, F) == UNION(v).(v = E | F)`.
    pub(super) fn listed(&mut self, name: &ast::Ident) -> Option<(u32, Vec<ast::Ident>)> {
        let (frame, body): (u32, &'a ast::Expr) = match self.meaning(&name.name) {
            Meaning::Bound(Bound::Argument { expr, frame, .. }) => (frame, expr),
            Meaning::Definition(entry) if entry.definition.parameters.is_empty() => {
                (self.frame, crate::definitions::formula_body(entry.definition)?)
            }
            _ => return None,
        };
        let parts: &[ast::Expr] = match &body.kind {
            ast::ExprKind::List(parts) | ast::ExprKind::Tuple(parts) => parts,
            ast::ExprKind::Ident(_) => std::slice::from_ref(body),
            _ => return None,
        };
        let names: Option<Vec<ast::Ident>> = parts
            .iter()
            .map(|p| match &p.kind {
                ast::ExprKind::Ident(n) => Some(ast::Ident { name: n.clone(), span: p.span }),
                _ => None,
            })
            .collect();
        Some((frame, names?))
    }

    /// Bound names first, then definitions, then the machine's names.
    pub(super) fn meaning(&mut self, name: &str) -> Meaning<'a> {
        for binding in self.env.iter().rev() {
            if binding.name != name {
                continue;
            }
            match binding.bound {
                Bound::Argument { .. } if binding.frame != self.frame => {}
                bound => return Meaning::Bound(bound),
            }
        }
        if let Some(entry) = self.definitions.get(name) {
            self.used_definitions.insert((entry.file, entry.definition.name.span.start));
            return Meaning::Definition(entry);
        }
        match self.scope.names.get(name) {
            Some(entity) => Meaning::Entity(*entity),
            None => match self.known_open_name(name) {
                Some(local) => Meaning::Bound(Bound::Local(local)),
                None => Meaning::Unknown,
            },
        }
    }

    /// Elaborates an argument where it was written.
    pub(super) fn in_argument<R>(
        &mut self,
        env: usize,
        frame: u32,
        expr: &'a ast::Expr,
        body: impl FnOnce(&mut Self, &'a ast::Expr) -> R,
    ) -> R {
        let inner = self.env.split_off(env.min(self.env.len()));
        self.warn_capture(&inner, frame, expr);
        let given = inner.iter().filter(|b| is_local(b) && b.frame == frame).cloned();
        self.env.extend(given);
        let outer = std::mem::replace(&mut self.frame, frame);
        let result = body(self, expr);
        self.frame = outer;
        self.env.truncate(env);
        self.env.extend(inner);
        result
    }

    /// Textual expansion would capture a name here; say that ours does not.
    pub(super) fn warn_capture(&mut self, inner: &[Binding<'a>], frame: u32, expr: &'a ast::Expr) {
        let locals: Vec<&Binding<'a>> =
            inner.iter().filter(|b| is_local(b) && b.frame != frame).collect();
        if locals.is_empty() {
            return;
        }
        let mut captured = None;
        crate::walk::names_in_expr(expr, &mut |name, span| {
            if captured.is_none() && locals.iter().any(|b| b.name == *name) {
                captured = Some((name.clone(), span));
            }
        });
        if let Some((name, span)) = captured {
            let message = format!("the definition binds its own variable `{name}`");
            self.problem(
                Diagnostic::new(Code::DEFINITION_CAPTURE, span, message)
                    .here(format!("this `{name}` keeps its meaning from here"))
                    .help("rename one of them: other tools may confuse the two"),
            );
        }
    }

    /// Expands a definition: `body` sees its right-hand side with parameters bound.
    pub(super) fn expand<R>(
        &mut self,
        entry: Entry<'a>,
        arguments: &'a [ast::Expr],
        span: Span,
        body: impl FnOnce(&mut Self, &'a ast::DefinitionBody) -> R,
    ) -> Option<R> {
        let definition = entry.definition;
        let name = &definition.name.name;
        if definition.parameters.len() != arguments.len() {
            let message = format!(
                "definition `{name}` takes {}, not {}",
                count(definition.parameters.len(), "argument"),
                arguments.len()
            );
            self.problem(
                Diagnostic::new(Code::DEFINITION_ARITY, span, message)
                    .also(definition.name.span, "defined here"),
            );
            return None;
        }
        let env = self.env.len();
        let frame = std::mem::replace(&mut self.frame, self.next_frame);
        self.next_frame += 1;
        for (parameter, expr) in definition.parameters.iter().zip(arguments) {
            let bound = Bound::Argument { expr, env, frame };
            self.env.push(Binding { name: parameter.name.clone(), bound, frame: self.frame });
        }
        self.expansions.push((name.clone(), span));
        let result = body(self, &definition.body);
        self.expansions.pop();
        self.frame = frame;
        self.env.truncate(env);
        Some(result)
    }

    /// Guards recursion: depth and the number of nodes that expansion visits.
    pub(super) fn guarded<R>(
        &mut self,
        span: Span,
        body: impl FnOnce(&mut Self) -> R,
        otherwise: impl FnOnce(&mut Self) -> R,
    ) -> R {
        if self.stopped {
            return otherwise(self);
        }
        let use_place = self.expansions.first().map(|(_, s)| *s);
        self.expanded += u64::from(use_place.is_some());
        let limit = if self.expanded > MAX_EXPANSION {
            let message =
                format!("definitions expand to more than {MAX_EXPANSION} nodes from here");
            Some(
                Diagnostic::new(Code::EXPANSION_TOO_LARGE, use_place.unwrap_or(span), message)
                    .help("definitions are copied at each use; a constant is not"),
            )
        } else if self.depth >= MAX_DEPTH {
            let message = format!("this formula is nested more than {MAX_DEPTH} deep");
            Some(Diagnostic::new(Code::TOO_DEEP, use_place.unwrap_or(span), message))
        } else {
            None
        };
        if let Some(diagnostic) = limit {
            // Whatever else there is to say, reading on would take too long.
            self.stopped = true;
            self.out.push(diagnostic);
            return otherwise(self);
        }
        self.depth += 1;
        let result = stacker::maybe_grow(128 << 10, 2 << 20, || body(self));
        self.depth -= 1;
        result
    }

    fn known_open_name(&self, name: &str) -> Option<LocalId> {
        let open = self.open_names.as_ref()?;
        open.iter().copied().find(|local| self.model.local(*local).name == name)
    }

    /// A name nobody knows becomes an unknown of the prompt, if this is one.
    pub(super) fn open_name(&mut self, name: &Name, span: Span) -> Option<LocalId> {
        self.open_names.as_ref()?;
        let ident = ast::Ident { name: name.clone(), span };
        let local = self.local(&ident, LocalKind::ReadOnly);
        self.open_names.as_mut()?.push(local);
        Some(local)
    }

    /// A name nobody knows: said once a machine, with a suggestion.
    pub(super) fn unknown(&mut self, name: &Name, span: Span) {
        if !self.unknown_names.insert((self.instance, name.clone())) {
            return;
        }
        let candidates = self
            .env
            .iter()
            .map(|b| b.name.as_str())
            .chain(self.scope.names.keys().map(|n| n.as_str()))
            .chain(self.definitions.names());
        let near = crate::suggest::nearest(name, candidates);
        let mut diagnostic =
            Diagnostic::new(Code::UNKNOWN_NAME, span, format!("`{name}` is not known here"));
        if let Some(near) = near {
            diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
        } else if self.scope.operations.contains_key(name) {
            diagnostic = diagnostic.help(format!(
                "`{name}` is an operation: call it with `x <-- {name}` in a substitution"
            ));
        }
        // Ends later cascades: poisoned names are in `unknown_names`.
        self.problem(diagnostic);
    }
}

fn is_local(binding: &Binding<'_>) -> bool {
    matches!(binding.bound, Bound::Local(_))
}
