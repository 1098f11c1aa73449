//! Expressions and predicates.

use super::layout::Group;
use super::names;
use super::writer::Writer;
use crate::ast::{BinaryOp, Builtin, Constant, Expr, ExprKind, Ident, StringKind};
use crate::operators::level;

/// The loosest level that may stand in a place without parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place(pub(super) u8);

impl Place {
    /// Inside brackets, where `;` and `||` compose relations.
    pub(super) const BRACKETS: Place = Place(level::COMPOSITION);
    /// Where `;` and `||` mean something else, or nothing.
    pub(super) const OPEN: Place = Place(level::IMPLIES);
    /// The operand of something written before or behind it.
    const POSTFIX: Place = Place(level::POSTFIX);
}

/// A label or description belongs to one operand of `&` and `or`.
const LABELLED: u8 = level::AND_OR + 1;
const ATOM: u8 = u8::MAX;

/// How tight a node binds.
fn level_of(e: &Expr) -> u8 {
    match &e.kind {
        ExprKind::Binary(op, ..) => op.level(),
        ExprKind::And(parts) | ExprKind::Or(parts) if parts.len() > 1 => level::AND_OR,
        ExprKind::Labelled(..) | ExprKind::Described(..) => LABELLED,
        ExprKind::OfType(..) => level::OF_TYPE,
        ExprKind::Negate(_) => level::NEGATE,
        ExprKind::Integer(digits) | ExprKind::Real(digits) if digits.starts_with('-') => {
            level::NEGATE
        }
        ExprKind::Substituted(..) => level::COMPARISON,
        ExprKind::Inverse(_) | ExprKind::Call(..) | ExprKind::Image(..) | ExprKind::Field(..) => {
            level::POSTFIX
        }
        _ => ATOM,
    }
}

impl Writer<'_> {
    /// Writes an expression, in parentheses if it is looser than its place allows.
    pub(super) fn expr(&mut self, e: &Expr, place: Place) {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
            self.at(e.span);
            let guarded = self.guard_descriptions && matches!(e.kind, ExprKind::Described(..));
            if level_of(e) < place.0 || guarded {
                self.enclosed("(", ")", |w| w.bare(e));
            } else {
                self.bare(e);
            }
        });
    }

    fn bare(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Ident(name) => self.text(&names::name(name)),
            ExprKind::Before(name) => self.text(&format!("{}$0", names::name(name))),
            ExprKind::Integer(digits) | ExprKind::Real(digits) => self.text(digits),
            ExprKind::String(kind, value) => self.text(&names::string(*kind, value)),
            ExprKind::Constant(constant) => self.text(constant.keyword()),
            ExprKind::Negate(operand) => {
                self.text("-");
                self.expr(operand, Place::POSTFIX);
            }
            ExprKind::Inverse(operand) => self.inverse(operand),
            ExprKind::Builtin(builtin, arguments) => {
                let place = match builtin {
                    Builtin::Not | Builtin::BoolOf => Place::OPEN,
                    _ => Place::BRACKETS,
                };
                self.text(builtin.keyword());
                self.list("(", arguments, ")", place);
            }
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right),
            ExprKind::And(parts) => self.junction("&", parts),
            ExprKind::Or(parts) => self.junction("or", parts),
            ExprKind::Call(callee, arguments) => {
                match &callee.kind {
                    ExprKind::Ident(name) => {
                        self.at(callee.span);
                        self.text(&names::called(name));
                    }
                    _ => self.operand_of_postfix(callee),
                }
                self.list("(", arguments, ")", Place::OPEN);
            }
            ExprKind::Image(relation, set) => {
                self.operand_of_postfix(relation);
                self.enclosed("[", "]", |w| w.expr(set, Place::BRACKETS));
            }
            ExprKind::Field(record, field) => {
                self.operand_of_postfix(record);
                self.text("'");
                self.ident(field);
            }
            ExprKind::Paren(inner) => {
                self.list("(", std::slice::from_ref(inner), ")", Place::BRACKETS);
            }
            ExprKind::Tuple(parts) => self.list("(", parts, ")", Place::BRACKETS),
            ExprKind::List(parts) => self.separated(parts, Place::OPEN),
            ExprKind::SetExtension(parts) => self.list("{", parts, "}", Place::BRACKETS),
            ExprKind::SequenceExtension(parts) => self.list("[", parts, "]", Place::OPEN),
            ExprKind::Comprehension(comprehension) => self.comprehension(comprehension),
            ExprKind::Quantified(quantified) => self.quantified(quantified),
            ExprKind::Record(fields) => self.record("rec(", fields),
            ExprKind::RecordSet(fields) => self.record("struct(", fields),
            ExprKind::If(branches, otherwise) => self.if_expr(branches, otherwise, e.span),
            ExprKind::Let(names, equations, body) => self.let_expr(names, equations, body, e.span),
            ExprKind::Substituted(pairs, predicate) => self.substituted(pairs, predicate),
            ExprKind::OfType(inner, of) => {
                self.expr(inner, Place(level::OF_TYPE));
                self.text(" ⦂ ");
                self.expr(of, Place(level::OF_TYPE + 1));
            }
            ExprKind::Labelled(label, inner) => {
                self.text(&label_pragma(label));
                self.text(" ");
                self.expr(inner, Place(LABELLED));
            }
            ExprKind::Described(inner, text) => {
                // A label takes a description behind it with it.
                let labelled = matches!(inner.kind, ExprKind::Labelled(..));
                self.expr(inner, Place(LABELLED + u8::from(labelled)));
                self.text(" ");
                self.text(&names::pragma("desc", text));
            }
            // Not readable on purpose: what was not understood must not come back as a formula.
            ExprKind::Error => self.text("?"),
        }
    }

    /// Writes a name.
    pub(super) fn ident(&mut self, ident: &Ident) {
        self.at(ident.span);
        self.text(&names::name(&ident.name));
    }

    /// What a bracket, a prime or `~` stands behind; behind some atoms they belong elsewhere.
    fn operand_of_postfix(&mut self, operand: &Expr) {
        if takes_postfix(operand) {
            self.expr(operand, Place::POSTFIX);
        } else {
            self.at(operand.span);
            self.enclosed("(", ")", |w| w.bare(operand));
        }
    }

    /// `r~`; the sign stands at most once behind an operand.
    fn inverse(&mut self, operand: &Expr) {
        if matches!(operand.kind, ExprKind::Inverse(_)) {
            self.at(operand.span);
            self.enclosed("(", ")", |w| w.bare(operand));
        } else {
            self.operand_of_postfix(operand);
        }
        self.text("~");
    }

    // Operators

    /// A chain of operators of one level is one group; its left spine is walked without recursion.
    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr) {
        if op == BinaryOp::Implies || op == BinaryOp::Equivalent {
            return self.implication(op, left, right);
        }
        if op.is_comparison() {
            return self.comparison(op, left, right);
        }
        if op == BinaryOp::Power {
            self.expr(left, Place(op.level() + 1));
            self.text(" ** ");
            return self.expr(right, Place(op.level()));
        }
        let mut spine = vec![(op, right)];
        let mut first = left;
        while let ExprKind::Binary(inner, l, r) = &first.kind {
            if inner.level() != op.level() {
                break;
            }
            spine.push((*inner, r));
            first = l;
        }
        let operand = Place(match op.level() {
            level::COMPOSITION => level::OF_TYPE,
            level => level + 1,
        });
        self.open(Group::Consistent);
        self.expr(first, operand);
        self.nest();
        for (op, right) in spine.into_iter().rev() {
            if op == BinaryOp::Interval && is_tight(first) && is_tight(right) {
                self.text("..");
            } else {
                self.text(" ");
                self.text(op.spelling());
                self.line();
            }
            self.expr(right, operand);
        }
        self.close();
        self.close();
    }

    fn comparison(&mut self, op: BinaryOp, left: &Expr, right: &Expr) {
        let operand = Place(level::COMPARISON + 1);
        self.open(Group::Consistent);
        self.expr(left, operand);
        self.text(" ");
        self.text(op.spelling());
        self.right_side(right, operand);
        self.close();
    }

    /// What stands behind `=`, `:=` or `==`. Something with brackets of its own begins on the same
    /// line if it breaks in any case; everything else moves to the next line, indented.
    pub(super) fn right_side(&mut self, e: &Expr, place: Place) {
        if is_delimited(e) && !self.comment_waits_before(e.span.start) {
            self.open(Group::Hug);
            self.line();
            self.expr(e, place);
            self.close();
        } else {
            self.nest();
            self.line();
            self.expr(e, place);
            self.close();
        }
    }

    /// The arrow begins the line, so that the conclusion is seen at once.
    fn implication(&mut self, op: BinaryOp, left: &Expr, right: &Expr) {
        let level = op.level();
        self.open(Group::Consistent);
        self.expr(left, Place(level));
        self.at_token_after(left.span);
        self.line();
        self.text(op.spelling());
        self.text(" ");
        self.nest();
        self.expr(right, Place(level + 1));
        self.close();
        self.close();
    }

    fn junction(&mut self, word: &str, parts: &[Expr]) {
        self.open(Group::Consistent);
        self.junction_lines(word, parts, Writer::line);
        self.close();
    }

    fn junction_lines(&mut self, word: &str, parts: &[Expr], line: fn(&mut Self)) {
        for (i, part) in parts.iter().enumerate() {
            if i > 0 {
                self.text(" ");
                self.text(word);
                line(self);
            }
            // `P or Q & R` is `(P or Q) & R`; of one kind, the tree has one flat list.
            let other_kind = match part.kind {
                ExprKind::And(_) => word == "or",
                ExprKind::Or(_) => word == "&",
                _ => true,
            };
            let loosest = if i == 0 && other_kind { level::AND_OR } else { level::AND_OR + 1 };
            self.expr(part, Place(loosest));
        }
    }

    /// A predicate of a clause: each conjunct on lines of its own.
    pub(super) fn conjuncts(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::And(parts) => {
                self.at(e.span);
                self.junction_lines("&", parts, Writer::hard);
            }
            _ => self.expr(e, Place::OPEN),
        }
    }
}

/// `/*@label L*/`, with quotes where `L` is not one word.
fn label_pragma(label: &str) -> String {
    let word = !label.is_empty()
        && label.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
    if word {
        names::pragma("label", label)
    } else {
        names::pragma("label", &names::string(StringKind::Plain, label))
    }
}

/// May a bracket stand behind it? Behind a number or a predicate it would not be a call.
fn takes_postfix(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Integer(_) | ExprKind::Real(_) => false,
        ExprKind::Builtin(builtin, _) => !builtin.makes_predicate(),
        ExprKind::Constant(constant) => !matches!(constant, Constant::Truth | Constant::Falsity),
        ExprKind::Quantified(q) => q.quantifier.has_expression(),
        _ => true,
    }
}

/// Is it one word or number, perhaps with a sign?
pub(super) fn is_short(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Ident(_)
        | ExprKind::Before(_)
        | ExprKind::Integer(_)
        | ExprKind::Real(_)
        | ExprKind::Constant(_)
        | ExprKind::String(StringKind::Plain, _) => true,
        ExprKind::Negate(operand) => is_short(operand),
        _ => false,
    }
}

/// Does it read as one thing, whatever stands beside it without a space?
fn is_tight(e: &Expr) -> bool {
    is_short(e) || level_of(e) >= level::POSTFIX
}

/// Does it break well by itself, so that it can begin on the line of what stands before it?
pub(super) fn is_delimited(e: &Expr) -> bool {
    matches!(
        e.kind,
        ExprKind::SetExtension(_)
            | ExprKind::SequenceExtension(_)
            | ExprKind::Comprehension(_)
            | ExprKind::Quantified(_)
            | ExprKind::Record(_)
            | ExprKind::RecordSet(_)
            | ExprKind::Tuple(_)
            | ExprKind::Paren(_)
            | ExprKind::Builtin(..)
    )
}
