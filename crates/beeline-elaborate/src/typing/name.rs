//! Names in expressions: what they stand for, and whether they may be used here.

use super::{Access, Bound, Elaborator, Entity, LocalKind, Meaning, Section};
use crate::infer::{Node, Ty};
use beeline_model::{
    ConstantKind, Expr, ExprKind, FreeTypeId, LocalId, Name, Place, SetKind, VariableId,
};
use beeline_source::{Code, Diagnostic, Span};
use beeline_syntax::ast;

impl<'a> Elaborator<'a> {
    /// A name in an expression.
    pub(super) fn name(&mut self, name: &Name, span: Span) -> Expr {
        match self.meaning(name) {
            Meaning::Bound(Bound::Local(local)) => {
                let local = self.after_value(Place::Local(local)).unwrap_or(local);
                let ty = self.local_ty(local);
                self.make(ExprKind::Local(local), ty, span)
            }
            Meaning::Bound(Bound::Argument { expr, env, frame }) => {
                self.in_argument(env, frame, expr, |me, e| me.expr(e))
            }
            Meaning::Definition(entry) => self.definition_expr(entry, &[], span),
            Meaning::Entity(entity) => self.entity(entity, name, span),
            Meaning::Unknown => {
                if let Some(operation) = self.called(name, span) {
                    return self.operation_in_expr(operation, &[], span);
                }
                if let Some(local) = self.open_name(name, span) {
                    let ty = self.local_ty(local);
                    return self.make(ExprKind::Local(local), ty, span);
                }
                self.unknown(name, span);
                self.broken(span)
            }
        }
    }

    pub(super) fn entity(&mut self, entity: Entity, name: &Name, span: Span) -> Expr {
        if self.section == Section::Properties && self.is_parameter(entity) {
            let message = format!("`{name}` is a machine parameter, which PROPERTIES cannot see");
            self.problem(
                Diagnostic::new(Code::NOT_VISIBLE, span, message)
                    .help("parameters are fixed by each user of the machine, constants only once"),
            );
        }
        match entity {
            Entity::Set(set) => {
                let ty = self.infer.power(self.set_ty[set.index()]);
                self.make(ExprKind::GivenSet(set), ty, span)
            }
            Entity::Element(set, index) => {
                self.make(ExprKind::Element(set, index), self.set_ty[set.index()], span)
            }
            Entity::Constant(constant) => {
                let ty = self.constant_ty[constant.index()];
                self.make(ExprKind::Constant(constant), ty, span)
            }
            Entity::Variable(variable, access) => {
                self.check_visible(variable, access, name, span);
                if let Some(local) = self.after_value(Place::Variable(variable)) {
                    let ty = self.local_ty(local);
                    return self.make(ExprKind::Local(local), ty, span);
                }
                let ty = self.variable_ty[variable.index()];
                self.make(ExprKind::Variable(variable), ty, span)
            }
            Entity::FreeType(free) => {
                let args: Vec<Ty> = self.free_parameters[free.index()]
                    .clone()
                    .iter()
                    .map(|_| self.infer.fresh())
                    .collect();
                let ty = self.infer.add(Node::Free(free, args.into()));
                let ty = self.infer.power(ty);
                self.make(ExprKind::FreeTypeSet(free, Vec::new()), ty, span)
            }
            Entity::Constructor(free, index) => self.constructor(free, index, span),
            Entity::Argument(index) => self.machine_argument(index, span),
        }
    }

    /// The actual parameter of an instance, read again where it was written: each use has bound
    /// names of its own.
    fn machine_argument(&mut self, index: usize, span: Span) -> Expr {
        let Some(argument) = self.arguments.get(index).cloned() else { return self.broken(span) };
        let outer = (self.scope, self.definitions, self.section);
        (self.scope, self.definitions) = (argument.scope, argument.definitions);
        self.section = Section::Static;
        self.expansions.push((argument.name, span));
        let mut expr = self.closed(|me| me.expr(argument.expr));
        self.expansions.pop();
        (self.scope, self.definitions, self.section) = outer;
        // The first reading reported what is wrong with it.
        let _ = self.infer.unify(Ty(expr.ty.0), argument.ty);
        expr.span = span;
        expr
    }

    /// Reads something that no bound name of this place may reach.
    pub(super) fn closed<R>(&mut self, body: impl FnOnce(&mut Self) -> R) -> R {
        let env = std::mem::take(&mut self.env);
        let frame = std::mem::replace(&mut self.frame, 0);
        let result = body(self);
        self.frame = frame;
        self.env = env;
        result
    }

    pub(super) fn is_parameter(&self, entity: Entity) -> bool {
        match entity {
            Entity::Argument(_) => true,
            Entity::Constant(c) => self.model.constant(c).kind == ConstantKind::Parameter,
            Entity::Set(s) => self.model.set(s).kind == SetKind::Parameter,
            _ => false,
        }
    }

    pub(super) fn check_visible(
        &mut self,
        variable: VariableId,
        access: Access,
        name: &Name,
        span: Span,
    ) {
        let message = match (self.section, access) {
            (Section::Static | Section::Properties, _) => {
                format!("`{name}` is a variable; only constants and sets are known here")
            }
            (Section::Operations, Access::Abstract) => {
                format!("`{name}` is a variable of the abstraction, which this refinement replaces")
            }
            _ => return,
        };
        let declared = self.model.variable(variable).span;
        self.problem(
            Diagnostic::new(Code::NOT_VISIBLE, span, message).also(declared, "declared here"),
        );
    }

    /// A constructor as a value: a constant, or a function into the free type.
    pub(super) fn constructor(&mut self, free: FreeTypeId, index: u32, span: Span) -> Expr {
        let parameters = self.free_parameters[free.index()].clone();
        let args: Vec<Ty> = parameters.iter().map(|_| self.infer.fresh()).collect();
        let ty = self.infer.add(Node::Free(free, args.clone().into()));
        let Some(argument) = self.constructors[free.index()][index as usize] else {
            return self.make(ExprKind::Constructor(free, index), ty, span);
        };
        let set =
            self.closed(|me| me.with_type_parameters(&parameters, &args, |me| me.expr(argument)));
        let of = self.infer.fresh();
        let power = self.infer.power(of);
        self.want(&set, power, "the argument of a constructor");
        let function = self.infer.relation(of, ty);
        self.make(ExprKind::Constructor(free, index), function, span)
    }

    /// Binds names to sets of the given element types.
    pub(super) fn with_type_parameters<R>(
        &mut self,
        names: &[Name],
        types: &[Ty],
        body: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let mark = self.env.len();
        for (name, ty) in names.iter().zip(types) {
            let power = self.infer.power(*ty);
            let local = self.local_of(name.clone(), Span::NONE, power, LocalKind::ReadOnly);
            self.bind(local);
        }
        let result = body(self);
        self.env.truncate(mark);
        result
    }

    /// `x$0`
    pub(super) fn before_value(&mut self, name: &'a Name, span: Span) -> Expr {
        let place = match self.meaning(name) {
            Meaning::Bound(Bound::Argument { expr, env, frame }) => {
                if let ast::ExprKind::Ident(inner) = &expr.kind {
                    return self
                        .in_argument(env, frame, expr, |me, _| me.before_value(inner, span));
                }
                None
            }
            Meaning::Bound(Bound::Local(local)) => Some(Place::Local(local)),
            Meaning::Entity(Entity::Variable(variable, _)) => Some(Place::Variable(variable)),
            _ => None,
        };
        if let Some(place) = place
            && self.after_value(place).is_some()
        {
            return self.place_value(place, span);
        }
        let (Some(place), Some(known)) = (place, self.loop_before.as_ref()) else {
            let message = format!("the old value `{name}$0` cannot be used here");
            self.problem(
                Diagnostic::new(Code::BAD_BEFORE_VALUE, span, message).help(
                    "x$0 stands for the old value of x inside x : (P) and in loop invariants",
                ),
            );
            return self.broken(span);
        };
        let local = match known.iter().find(|(_, p)| *p == place) {
            Some((local, _)) => *local,
            None => {
                let ty = self.place_ty(place);
                let label = Name::from(format!("{name}$0"));
                let local = self.local_of(label, span, ty, LocalKind::ReadOnly);
                if let Some(before) = &mut self.loop_before {
                    before.push((local, place));
                }
                local
            }
        };
        let ty = self.local_ty(local);
        self.make(ExprKind::Local(local), ty, span)
    }

    /// The new value of a place, inside the `P` of `x : (P)`.
    fn after_value(&self, place: Place) -> Option<LocalId> {
        self.after.iter().find(|(p, _)| *p == place).map(|(_, local)| *local)
    }

    pub(super) fn place_ty(&mut self, place: Place) -> Ty {
        match place {
            Place::Variable(variable) => self.variable_ty[variable.index()],
            Place::Local(local) => self.local_ty(local),
        }
    }

    pub(super) fn place_value(&mut self, place: Place, span: Span) -> Expr {
        let ty = self.place_ty(place);
        let kind = match place {
            Place::Variable(variable) => ExprKind::Variable(variable),
            Place::Local(local) => ExprKind::Local(local),
        };
        self.make(kind, ty, span)
    }
}
