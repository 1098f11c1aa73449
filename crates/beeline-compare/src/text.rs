//! Typed formulas as B text, with more parentheses than people would write.

use beeline_model::{
    BasicFunction, BasicSet, BinaryOp as B, CompareOp as C, Expr, ExprKind, ExprQuantifier,
    LocalId, Model, Pred, PredKind, Type, UnaryOp as U,
};

/// An expression in B notation.
pub fn expr(model: &Model, e: &Expr) -> String {
    let show = |e: &Expr| expr(model, e);
    let list = |es: &[Expr]| es.iter().map(show).collect::<Vec<_>>().join(", ");
    match &e.kind {
        ExprKind::Integer(i) if i.sign() == num_bigint::Sign::Minus => format!("({i})"),
        ExprKind::Integer(i) => i.to_string(),
        ExprKind::Bool(b) => (if *b { "TRUE" } else { "FALSE" }).to_owned(),
        ExprKind::Real(r) if *r < 0.0 => format!("({r:?})"),
        ExprKind::Real(r) => format!("{r:?}"),
        ExprKind::String(text) => format!("{text:?}"),
        ExprKind::MaxInt => "MAXINT".to_owned(),
        ExprKind::MinInt => "MININT".to_owned(),
        ExprKind::Variable(id) => model.variable(*id).name.to_string(),
        ExprKind::Constant(id) => model.constant(*id).name.to_string(),
        ExprKind::Local(id) => model.local(*id).name.to_string(),
        ExprKind::Element(set, index) => {
            let set = model.set(*set);
            match set.elements.as_ref().and_then(|e| e.get(*index as usize)) {
                Some((name, _)) => name.to_string(),
                None => format!("{}{}", set.name, index + 1),
            }
        }
        ExprKind::GivenSet(set) => model.set(*set).name.to_string(),
        ExprKind::Basic(set) => basic(*set).to_owned(),
        ExprKind::Function(f) => match f {
            BasicFunction::Successor => "succ",
            BasicFunction::Predecessor => "pred",
            BasicFunction::First => "@prj1",
            BasicFunction::Second => "@prj2",
            BasicFunction::Identity => "id",
        }
        .to_owned(),
        ExprKind::EmptySet => "{}".to_owned(),
        ExprKind::SetExtension(es) => format!("{{{}}}", list(es)),
        ExprKind::SequenceExtension(es) => format!("[{}]", list(es)),
        ExprKind::Unary(U::Negate | U::RealNegate, a) => format!("(-({}))", show(a)),
        ExprKind::Unary(U::Inverse, a) => format!("({})~", show(a)),
        ExprKind::Unary(op, a) => format!("{}({})", unary(*op), show(a)),
        ExprKind::Binary(B::Image, a, b) => format!("({})[{}]", show(a), show(b)),
        ExprKind::Binary(B::Iterate, a, b) => format!("iterate({}, {})", show(a), show(b)),
        ExprKind::Binary(B::Projection1, a, b) => format!("prj1({}, {})", show(a), show(b)),
        ExprKind::Binary(B::Projection2, a, b) => format!("prj2({}, {})", show(a), show(b)),
        ExprKind::Binary(op, a, b) => format!("({} {} {})", show(a), binary(*op), show(b)),
        ExprKind::Apply(f, x) => match f.kind {
            ExprKind::Function(_) => format!("{}({})", show(f), show(x)),
            _ => format!("({})({})", show(f), show(x)),
        },
        ExprKind::Comprehension(binder) => {
            format!("{{{} | {}}}", names(model, &binder.locals), pred(model, &binder.predicate))
        }
        ExprKind::MapComprehension(binder, body) => {
            let (names, p) = (names(model, &binder.locals), pred(model, &binder.predicate));
            format!("{{({names}).({p}) | {}}}", show(body))
        }
        ExprKind::Lambda(binder, body) => {
            quantified(model, "%", &binder.locals, &binder.predicate, body)
        }
        ExprKind::Quantified(op, binder, body) => {
            let op = match op {
                ExprQuantifier::Sum | ExprQuantifier::RealSum => "SIGMA",
                ExprQuantifier::Product | ExprQuantifier::RealProduct => "PI",
                ExprQuantifier::Union => "UNION",
                ExprQuantifier::Intersection => "INTER",
            };
            quantified(model, op, &binder.locals, &binder.predicate, body)
        }
        ExprKind::Record(parts) => format!("rec({})", fields(model, e.ty, parts)),
        ExprKind::RecordSet(parts) => {
            let of = model.types.element(e.ty).unwrap_or(e.ty);
            format!("struct({})", fields(model, of, parts))
        }
        ExprKind::Field(record, index) => {
            let name = match model.types.get(record.ty) {
                Type::Record(fields) => fields.get(*index).map_or("?", |f| f.0.as_str()),
                _ => "?",
            };
            format!("({})'{name}", show(record))
        }
        ExprKind::If(p, a, b) => {
            format!("(IF {} THEN {} ELSE {} END)", pred(model, p), show(a), show(b))
        }
        ExprKind::Let(values, body) => {
            format!("({} {} END)", bindings(model, values), show(body))
        }
        ExprKind::BoolOf(p) => format!("bool({})", pred(model, p)),
        ExprKind::Ternary(..)
        | ExprKind::External(..)
        | ExprKind::OperationCall(..)
        | ExprKind::FreeTypeSet(..)
        | ExprKind::Constructor(..) => "?".to_owned(),
    }
}

fn names(model: &Model, locals: &[LocalId]) -> String {
    let names: Vec<&str> = locals.iter().map(|l| model.local(*l).name.as_str()).collect();
    names.join(", ")
}

fn quantified(model: &Model, op: &str, locals: &[LocalId], p: &Pred, body: &Expr) -> String {
    format!("{op}({}).({} | {})", names(model, locals), pred(model, p), expr(model, body))
}

fn fields(model: &Model, ty: beeline_model::TypeId, parts: &[Expr]) -> String {
    let Type::Record(types) = model.types.get(ty) else { return "?".to_owned() };
    let parts = types.iter().zip(parts).map(|((n, _), e)| format!("{n} : {}", expr(model, e)));
    parts.collect::<Vec<_>>().join(", ")
}

fn bindings(model: &Model, values: &[(LocalId, Expr)]) -> String {
    let locals: Vec<LocalId> = values.iter().map(|v| v.0).collect();
    let equations: Vec<String> = values
        .iter()
        .map(|(l, e)| format!("{} = {}", model.local(*l).name, expr(model, e)))
        .collect();
    format!("LET {} BE {} IN", names(model, &locals), equations.join(" & "))
}

/// A predicate in B notation.
pub fn pred(model: &Model, p: &Pred) -> String {
    let show = |p: &Pred| pred(model, p);
    let joined = |parts: &[Pred], op: &str, none: &str| match parts {
        [] => none.to_owned(),
        parts => format!("({})", parts.iter().map(show).collect::<Vec<_>>().join(op)),
    };
    match &p.kind {
        PredKind::Bool(b) => (if *b { "btrue" } else { "bfalse" }).to_owned(),
        PredKind::And(parts) => joined(parts, " & ", "btrue"),
        PredKind::Or(parts) => joined(parts, " or ", "bfalse"),
        PredKind::Not(p) => format!("not({})", show(p)),
        PredKind::Implies(p, q) => format!("({} => {})", show(p), show(q)),
        PredKind::Equivalent(p, q) => format!("({} <=> {})", show(p), show(q)),
        PredKind::Compare(op, a, b) => {
            format!("({} {} {})", expr(model, a), comparison(*op), expr(model, b))
        }
        PredKind::Forall(locals, p) => format!("!({}).({})", names(model, locals), show(p)),
        PredKind::Exists(locals, p) => format!("#({}).({})", names(model, locals), show(p)),
        PredKind::If(c, p, q) => {
            format!("(IF {} THEN {} ELSE {} END)", show(c), show(p), show(q))
        }
        PredKind::Let(values, p) => format!("({} {} END)", bindings(model, values), show(p)),
        PredKind::Finite(e) => format!("@finite({})", expr(model, e)),
        PredKind::Partition(whole, parts) => {
            let parts = parts.iter().map(|e| format!(", {}", expr(model, e)));
            format!("@partition({}{})", expr(model, whole), parts.collect::<String>())
        }
        PredKind::External(..) => "?".to_owned(),
    }
}

fn basic(set: BasicSet) -> &'static str {
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

fn comparison(op: C) -> &'static str {
    match op {
        C::Equal => "=",
        C::NotEqual => "/=",
        C::Member => ":",
        C::NotMember => "/:",
        C::Subset => "<:",
        C::StrictSubset => "<<:",
        C::NotSubset => "/<:",
        C::NotStrictSubset => "/<<:",
        C::Less | C::RealLess => "<",
        C::LessEqual | C::RealLessEqual => "<=",
        C::Greater | C::RealGreater => ">",
        C::GreaterEqual | C::RealGreaterEqual => ">=",
    }
}

fn unary(op: U) -> &'static str {
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

fn binary(op: B) -> &'static str {
    match op {
        B::Add | B::RealAdd => "+",
        B::Subtract | B::RealSubtract | B::Difference => "-",
        B::Multiply | B::RealMultiply | B::Cartesian => "*",
        B::Divide | B::RealDivide => "/",
        B::Modulo => "mod",
        B::Exponent | B::RealExponent => "**",
        B::Interval => "..",
        B::Pair => "|->",
        B::Union => "\\/",
        B::Intersection => "/\\",
        B::Relations => "<->",
        B::PartialFunctions => "+->",
        B::TotalFunctions => "-->",
        B::PartialInjections => ">+>",
        B::TotalInjections => ">->",
        B::PartialSurjections => "+->>",
        B::TotalSurjections => "-->>",
        B::PartialBijections => ">+>>",
        B::TotalBijections => ">->>",
        B::TotalRelations => "<<->",
        B::SurjectiveRelations => "<->>",
        B::TotalSurjectiveRelations => "<<->>",
        B::Compose => ";",
        B::ParallelProduct => "||",
        B::DirectProduct => "><",
        B::Override => "<+",
        B::DomainRestrict => "<|",
        B::DomainSubtract => "<<|",
        B::RangeRestrict => "|>",
        B::RangeSubtract => "|>>",
        B::Concat | B::StringConcat => "^",
        B::Prepend => "->",
        B::Append => "<-",
        B::Take | B::StringTake => "/|\\",
        B::Drop | B::StringDrop => "\\|/",
        B::Image => "image",
        B::Iterate => "iterate",
        B::Projection1 => "prj1",
        B::Projection2 => "prj2",
        B::TreeConst => "const",
        B::TreeRank => "rank",
        B::TreeFather => "father",
        B::TreeSubtree => "subtree",
        B::TreeArity => "arity",
    }
}
