//! Typed formulas in B notation.
//!
//! For people: where the source text is not what an author would read (a package, an expanded
//! definition), and for values that are described rather than listed. Brackets stand where the
//! precedence needs them. Names are those of the model.

mod level;

use crate::{
    BasicFunction, BasicSet, BinaryOp, Binder, CompareOp, Expr, ExprKind, ExprQuantifier, LocalId,
    Model, Pred, PredKind, TernaryOp, Type, UnaryOp,
};
use std::fmt::Write;

impl Model {
    /// An expression in B notation.
    pub fn show_expr(&self, e: &Expr) -> String {
        let mut out = String::new();
        Printer { model: self, out: &mut out }.expr(e, 0);
        out
    }

    /// A predicate in B notation.
    pub fn show_pred(&self, p: &Pred) -> String {
        let mut out = String::new();
        Printer { model: self, out: &mut out }.pred(p, 0);
        out
    }
}

struct Printer<'a> {
    model: &'a Model,
    out: &'a mut String,
}

/// An operand that stands where another of the same operator may.
const SAME: u8 = 0;
/// One that must bind tighter.
const TIGHTER: u8 = 1;

impl Printer<'_> {
    fn word(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Brackets, if what surrounds binds tighter than what stands inside.
    fn within(&mut self, own: u8, around: u8, body: impl FnOnce(&mut Self)) {
        let brackets = own < around;
        if brackets {
            self.word("(");
        }
        stacker::maybe_grow(64 << 10, 1 << 20, || body(self));
        if brackets {
            self.word(")");
        }
    }

    fn list(&mut self, open: &str, parts: &[Expr], close: &str) {
        self.word(open);
        for (i, part) in parts.iter().enumerate() {
            if i > 0 {
                self.word(", ");
            }
            // A pair without brackets would read as two parts.
            self.expr(part, level::ARROW);
        }
        self.word(close);
    }

    fn names(&mut self, locals: &[LocalId]) {
        for (i, local) in locals.iter().enumerate() {
            if i > 0 {
                self.word(",");
            }
            self.word(&self.model.local(*local).name.clone());
        }
    }

    /// `x` or `(x, y)`, before the dot of a quantifier.
    fn bound(&mut self, locals: &[LocalId]) {
        if let [one] = locals {
            return self.names(&[*one]);
        }
        self.word("(");
        self.names(locals);
        self.word(")");
    }

    fn expr(&mut self, e: &Expr, around: u8) {
        let model = self.model;
        match &e.kind {
            ExprKind::Integer(i) => {
                let own = if i.sign() == num_bigint::Sign::Minus { level::NEGATE } else { u8::MAX };
                self.within(own, around, |p| _ = write!(p.out, "{i}"));
            }
            ExprKind::Bool(b) => self.word(if *b { "TRUE" } else { "FALSE" }),
            ExprKind::Real(r) => _ = write!(self.out, "{r:?}"),
            ExprKind::String(text) => _ = write!(self.out, "{text:?}"),
            ExprKind::MaxInt => self.word("MAXINT"),
            ExprKind::MinInt => self.word("MININT"),
            ExprKind::Variable(v) => self.word(&model.variable(*v).name),
            ExprKind::Constant(c) => self.word(&model.constant(*c).name),
            ExprKind::Local(l) => self.word(&model.local(*l).name),
            ExprKind::Element(set, index) => {
                let set = model.set(*set);
                let named = set.elements.as_ref().unwrap_or(&set.fixed);
                match named.get(*index as usize) {
                    Some((name, _)) => self.word(name),
                    None => _ = write!(self.out, "{}{}", set.name, index + 1),
                }
            }
            ExprKind::GivenSet(set) => self.word(&model.set(*set).name),
            ExprKind::Basic(set) => self.word(basic_set(*set)),
            ExprKind::Function(function) => self.word(match function {
                BasicFunction::Successor => "succ",
                BasicFunction::Predecessor => "pred",
                BasicFunction::First => "prj1",
                BasicFunction::Second => "prj2",
                BasicFunction::Identity => "id",
            }),
            ExprKind::EmptySet => self.word("{}"),
            ExprKind::SetExtension(parts) => self.list("{", parts, "}"),
            ExprKind::SequenceExtension(parts) => self.list("[", parts, "]"),
            ExprKind::Unary(op, a) => self.unary(*op, a, around),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, around),
            ExprKind::Ternary(op, parts) => {
                let name = match op {
                    TernaryOp::TreeSon => "son(",
                    TernaryOp::TreeBin => "bin(",
                };
                self.list(name, &parts[..], ")");
            }
            ExprKind::Apply(function, argument) => {
                self.expr(function, level::POSTFIX);
                self.word("(");
                self.expr(argument, 0);
                self.word(")");
            }
            ExprKind::Comprehension(binder) => {
                self.word("{");
                self.names(&binder.locals);
                self.word(" | ");
                self.pred(&binder.predicate, 0);
                self.word("}");
            }
            ExprKind::MapComprehension(binder, value) => {
                self.word("{(");
                self.names(&binder.locals);
                self.word(").(");
                self.pred(&binder.predicate, 0);
                self.word(") | ");
                self.expr(value, 0);
                self.word("}");
            }
            ExprKind::Lambda(binder, value) => self.quantified("%", binder, value),
            ExprKind::Quantified(op, binder, value) => {
                let name = match op {
                    ExprQuantifier::Sum | ExprQuantifier::RealSum => "SIGMA",
                    ExprQuantifier::Product | ExprQuantifier::RealProduct => "PI",
                    ExprQuantifier::Union => "UNION",
                    ExprQuantifier::Intersection => "INTER",
                };
                self.quantified(name, binder, value);
            }
            ExprKind::Record(values) => self.fields("rec(", e, values),
            ExprKind::RecordSet(values) => self.fields("struct(", e, values),
            ExprKind::Field(record, index) => {
                self.expr(record, level::POSTFIX);
                self.word("'");
                let name = match model.types.get(record.ty) {
                    Type::Record(fields) => fields.get(*index).map(|f| f.0.to_string()),
                    _ => None,
                };
                self.word(name.as_deref().unwrap_or("?"));
            }
            ExprKind::If(condition, a, b) => {
                self.word("IF ");
                self.pred(condition, 0);
                self.word(" THEN ");
                self.expr(a, 0);
                self.word(" ELSE ");
                self.expr(b, 0);
                self.word(" END");
            }
            ExprKind::Let(values, body) => {
                self.lets(values);
                self.expr(body, 0);
                self.word(" END");
            }
            ExprKind::BoolOf(p) => {
                self.word("bool(");
                self.pred(p, 0);
                self.word(")");
            }
            ExprKind::External(id, arguments) => {
                self.word(&model.external(*id).name);
                self.arguments(arguments);
            }
            ExprKind::OperationCall(id, arguments) => {
                self.word(&model.operation(*id).name);
                self.arguments(arguments);
            }
            ExprKind::FreeTypeSet(id, arguments) => {
                self.word(&model.free_type(*id).name);
                self.arguments(arguments);
            }
            ExprKind::Constructor(id, index) => {
                let constructors = &model.free_type(*id).constructors;
                self.word(constructors.get(*index as usize).map_or("?", |c| c.0.as_str()));
            }
        }
    }

    fn arguments(&mut self, arguments: &[Expr]) {
        if !arguments.is_empty() {
            self.list("(", arguments, ")");
        }
    }

    fn quantified(&mut self, sign: &str, binder: &Binder, value: &Expr) {
        self.word(sign);
        // After a word a name must be told apart from it.
        if sign == "%" {
            self.bound(&binder.locals);
        } else {
            self.word("(");
            self.names(&binder.locals);
            self.word(")");
        }
        self.word(".(");
        self.pred(&binder.predicate, 0);
        self.word(" | ");
        self.expr(value, 0);
        self.word(")");
    }

    fn lets(&mut self, values: &[(LocalId, Expr)]) {
        self.word("LET ");
        self.names(&values.iter().map(|v| v.0).collect::<Vec<_>>());
        self.word(" BE ");
        for (i, (local, value)) in values.iter().enumerate() {
            if i > 0 {
                self.word(" & ");
            }
            self.names(&[*local]);
            self.word(" = ");
            self.expr(value, level::COMPARISON + TIGHTER);
        }
        self.word(" IN ");
    }

    /// A record or a set of records: the type tells the names.
    fn fields(&mut self, open: &str, e: &Expr, values: &[Expr]) {
        let types = &self.model.types;
        let record = match types.get(e.ty) {
            Type::Power(of) => *of,
            _ => e.ty,
        };
        self.word(open);
        for (i, value) in values.iter().enumerate() {
            if i > 0 {
                self.word(", ");
            }
            if let Type::Record(fields) = types.get(record)
                && let Some((name, _)) = fields.get(i)
            {
                self.word(name);
                self.word(" : ");
            }
            self.expr(value, level::ARROW);
        }
        self.word(")");
    }

    fn unary(&mut self, op: UnaryOp, a: &Expr, around: u8) {
        match op {
            UnaryOp::Negate | UnaryOp::RealNegate => self.within(level::NEGATE, around, |p| {
                p.word("-");
                p.expr(a, level::POSTFIX);
            }),
            UnaryOp::Inverse => {
                self.expr(a, level::POSTFIX);
                self.word("~");
            }
            _ => {
                self.word(function(op));
                self.word("(");
                self.expr(a, 0);
                self.word(")");
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr, around: u8) {
        let Some((sign, own)) = infix(op) else {
            return match op {
                BinaryOp::Image => {
                    self.expr(a, level::POSTFIX);
                    self.word("[");
                    self.expr(b, 0);
                    self.word("]");
                }
                BinaryOp::Compose | BinaryOp::ParallelProduct => {
                    self.word("(");
                    self.expr(a, level::COMPOSITION);
                    self.word(if op == BinaryOp::Compose { " ; " } else { " || " });
                    self.expr(b, level::COMPOSITION + TIGHTER);
                    self.word(")");
                }
                _ => {
                    self.word(call(op));
                    self.word("(");
                    self.expr(a, level::ARROW);
                    self.word(", ");
                    self.expr(b, level::ARROW);
                    self.word(")");
                }
            };
        };
        // Powers associate to the right, all others to the left.
        let (left, right) = if own == level::POWER { (TIGHTER, SAME) } else { (SAME, TIGHTER) };
        self.within(own, around, |p| {
            p.expr(a, own + left);
            p.word(sign);
            p.expr(b, own + right);
        });
    }

    fn joined(&mut self, sign: &str, parts: &[Pred], around: u8) {
        if let [one] = parts {
            return self.pred(one, around);
        }
        self.within(level::AND_OR, around, |p| {
            for (i, part) in parts.iter().enumerate() {
                if i > 0 {
                    p.word(sign);
                }
                p.pred(part, level::AND_OR + TIGHTER);
            }
        });
    }

    fn pred(&mut self, p: &Pred, around: u8) {
        match &p.kind {
            PredKind::Bool(b) => self.word(if *b { "btrue" } else { "bfalse" }),
            PredKind::And(parts) => self.joined(" & ", parts, around),
            PredKind::Or(parts) => self.joined(" or ", parts, around),
            PredKind::Not(p) => {
                self.word("not(");
                self.pred(p, 0);
                self.word(")");
            }
            PredKind::Implies(a, b) => self.implication(" => ", level::IMPLIES, a, b, around),
            PredKind::Equivalent(a, b) => {
                self.implication(" <=> ", level::EQUIVALENT, a, b, around)
            }
            PredKind::Compare(op, a, b) => self.within(level::COMPARISON, around, |p| {
                p.expr(a, level::COMPARISON + TIGHTER);
                p.word(comparison(*op));
                p.expr(b, level::COMPARISON + TIGHTER);
            }),
            PredKind::Forall(locals, body) => self.for_some("!", locals, body),
            PredKind::Exists(locals, body) => self.for_some("#", locals, body),
            PredKind::If(condition, a, b) => {
                self.word("IF ");
                self.pred(condition, 0);
                self.word(" THEN ");
                self.pred(a, 0);
                self.word(" ELSE ");
                self.pred(b, 0);
                self.word(" END");
            }
            PredKind::Let(values, body) => {
                self.lets(values);
                self.pred(body, 0);
                self.word(" END");
            }
            PredKind::Finite(set) => {
                self.word("finite(");
                self.expr(set, 0);
                self.word(")");
            }
            PredKind::Partition(whole, parts) => {
                self.word("partition(");
                self.expr(whole, level::ARROW);
                if !parts.is_empty() {
                    self.list(", ", parts, "");
                }
                self.word(")");
            }
            PredKind::External(id, arguments) => {
                self.word(&self.model.external(*id).name);
                self.arguments(arguments);
            }
        }
    }

    fn implication(&mut self, sign: &str, own: u8, a: &Pred, b: &Pred, around: u8) {
        self.within(own, around, |p| {
            p.pred(a, own + SAME);
            p.word(sign);
            p.pred(b, own + TIGHTER);
        });
    }

    fn for_some(&mut self, sign: &str, locals: &[LocalId], body: &Pred) {
        self.word(sign);
        self.bound(locals);
        self.word(".(");
        self.pred(body, 0);
        self.word(")");
    }
}

fn basic_set(set: BasicSet) -> &'static str {
    match set {
        BasicSet::Bool => "BOOL",
        BasicSet::Integer => "INTEGER",
        BasicSet::Natural => "NATURAL",
        BasicSet::Natural1 => "NATURAL1",
        BasicSet::Int => "INT",
        BasicSet::Nat => "NAT",
        BasicSet::Nat1 => "NAT1",
        BasicSet::String => "STRING",
        BasicSet::Real => "REAL",
        BasicSet::Float => "FLOAT",
    }
}

fn comparison(op: CompareOp) -> &'static str {
    match op {
        CompareOp::Equal => " = ",
        CompareOp::NotEqual => " /= ",
        CompareOp::Member => " : ",
        CompareOp::NotMember => " /: ",
        CompareOp::Subset => " <: ",
        CompareOp::StrictSubset => " <<: ",
        CompareOp::NotSubset => " /<: ",
        CompareOp::NotStrictSubset => " /<<: ",
        CompareOp::Less | CompareOp::RealLess => " < ",
        CompareOp::LessEqual | CompareOp::RealLessEqual => " <= ",
        CompareOp::Greater | CompareOp::RealGreater => " > ",
        CompareOp::GreaterEqual | CompareOp::RealGreaterEqual => " >= ",
    }
}

/// Operators between their operands, with their precedence.
fn infix(op: BinaryOp) -> Option<(&'static str, u8)> {
    use BinaryOp as B;
    Some(match op {
        B::Add | B::RealAdd => (" + ", level::SUM),
        B::Subtract | B::RealSubtract | B::Difference => (" - ", level::SUM),
        B::Multiply | B::RealMultiply | B::Cartesian => (" * ", level::PRODUCT),
        B::Divide | B::RealDivide => (" / ", level::PRODUCT),
        B::Modulo => (" mod ", level::PRODUCT),
        B::Exponent | B::RealExponent => (" ** ", level::POWER),
        B::Interval => ("..", level::INTERVAL),
        B::Pair => (" |-> ", level::SETS),
        B::Union => (" \\/ ", level::SETS),
        B::Intersection => (" /\\ ", level::SETS),
        B::Relations => (" <-> ", level::ARROW),
        B::PartialFunctions => (" +-> ", level::ARROW),
        B::TotalFunctions => (" --> ", level::ARROW),
        B::PartialInjections => (" >+> ", level::ARROW),
        B::TotalInjections => (" >-> ", level::ARROW),
        B::PartialSurjections => (" +->> ", level::ARROW),
        B::TotalSurjections => (" -->> ", level::ARROW),
        B::PartialBijections => (" >+>> ", level::ARROW),
        B::TotalBijections => (" >->> ", level::ARROW),
        B::TotalRelations => (" <<-> ", level::ARROW),
        B::SurjectiveRelations => (" <->> ", level::ARROW),
        B::TotalSurjectiveRelations => (" <<->> ", level::ARROW),
        B::DirectProduct => (" >< ", level::SETS),
        B::Override => (" <+ ", level::SETS),
        B::DomainRestrict => (" <| ", level::SETS),
        B::DomainSubtract => (" <<| ", level::SETS),
        B::RangeRestrict => (" |> ", level::SETS),
        B::RangeSubtract => (" |>> ", level::SETS),
        B::Concat | B::StringConcat => (" ^ ", level::SETS),
        B::Prepend => (" -> ", level::SETS),
        B::Append => (" <- ", level::SETS),
        B::Take | B::StringTake => (" /|\\ ", level::SETS),
        B::Drop | B::StringDrop => (" \\|/ ", level::SETS),
        _ => return None,
    })
}

/// Operators of two operands that are written as calls.
fn call(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Iterate => "iterate",
        BinaryOp::Projection1 => "prj1",
        BinaryOp::Projection2 => "prj2",
        BinaryOp::TreeConst => "const",
        BinaryOp::TreeRank => "rank",
        BinaryOp::TreeFather => "father",
        BinaryOp::TreeSubtree => "subtree",
        BinaryOp::TreeArity => "arity",
        _ => "?",
    }
}

fn function(op: UnaryOp) -> &'static str {
    use UnaryOp as U;
    match op {
        U::Negate | U::RealNegate => "-",
        U::Power => "POW",
        U::Power1 => "POW1",
        U::Finite => "FIN",
        U::Finite1 => "FIN1",
        U::Card => "card",
        U::Min | U::RealMin => "min",
        U::Max | U::RealMax => "max",
        U::GeneralUnion => "union",
        U::GeneralInter => "inter",
        U::Domain => "dom",
        U::Range => "ran",
        U::Identity => "id",
        U::Inverse => "~",
        U::Closure => "closure",
        U::Closure1 => "closure1",
        U::Fnc => "fnc",
        U::Rel => "rel",
        U::Seq => "seq",
        U::Seq1 => "seq1",
        U::Iseq => "iseq",
        U::Iseq1 => "iseq1",
        U::Perm => "perm",
        U::Size | U::StringSize => "size",
        U::First | U::StringFirst => "first",
        U::Last | U::StringLast => "last",
        U::Front | U::StringFront => "front",
        U::Tail | U::StringTail => "tail",
        U::Reverse | U::StringReverse => "rev",
        U::Concat | U::StringConcat => "conc",
        U::Floor => "floor",
        U::Ceiling => "ceiling",
        U::ToReal => "real",
        U::PairFirst => "prj1",
        U::PairSecond => "prj2",
        U::Tree => "tree",
        U::Btree => "btree",
        U::TreeTop => "top",
        U::TreeSons => "sons",
        U::TreePrefix => "prefix",
        U::TreePostfix => "postfix",
        U::TreeSize => "sizet",
        U::TreeMirror => "mirror",
        U::TreeLeft => "left",
        U::TreeRight => "right",
        U::TreeInfix => "infix",
        U::TreeLeaf => "bin",
    }
}
