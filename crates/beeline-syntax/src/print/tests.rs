//! One expectation for each form of node, on trees built by hand.

use super::*;
use crate::ast::*;
use beeline_source::Span;

fn e(kind: ExprKind) -> Expr {
    Expr::new(kind, Span::NONE)
}

fn b(kind: ExprKind) -> Box<Expr> {
    Box::new(e(kind))
}

fn x(name: &str) -> Expr {
    e(ExprKind::Ident(name.into()))
}

fn n(digits: &str) -> Expr {
    e(ExprKind::Integer(digits.into()))
}

fn id(name: &str) -> Ident {
    Ident { name: name.into(), span: Span::NONE }
}

fn bin(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    e(ExprKind::Binary(op, Box::new(left), Box::new(right)))
}

fn and(parts: Vec<Expr>) -> Expr {
    e(ExprKind::And(parts))
}

fn or(parts: Vec<Expr>) -> Expr {
    e(ExprKind::Or(parts))
}

fn eq(left: &str, right: &str) -> Expr {
    bin(BinaryOp::Equal, x(left), x(right))
}

fn s(kind: SubstKind) -> Subst {
    Subst::new(kind, Span::NONE)
}

fn set(name: &str, value: Expr) -> Subst {
    s(SubstKind::Assign(vec![x(name)], vec![value]))
}

#[track_caller]
fn check(tree: Expr, text: &str) {
    assert_eq!(print_expr(&tree), text);
}

#[track_caller]
fn check_subst(kind: SubstKind, text: &str) {
    assert_eq!(print_subst(&s(kind)), text);
}

#[test]
fn atoms() {
    check(x("a.b"), "a.b");
    check(e(ExprKind::Before("x".into())), "x$0");
    check(e(ExprKind::Real("1.5e3".into())), "1.5e3");
    check(e(ExprKind::Constant(Constant::EmptySequence)), "[]");
    check(e(ExprKind::String(StringKind::Plain, "a\tb".into())), "\"a\\tb\"");
    check(x("struct"), "`struct`");
}

#[test]
fn operators_get_the_parentheses_they_need_and_no_others() {
    use BinaryOp::{Divide, Implies, Maplet, Minus, Plus, Power, Times, TotalFunction};
    check(bin(Times, bin(Plus, x("a"), x("b")), x("c")), "(a + b) * c");
    check(bin(Plus, bin(Times, x("a"), x("b")), x("c")), "a * b + c");
    check(bin(Minus, bin(Minus, x("a"), x("b")), x("c")), "a - b - c");
    check(bin(Minus, x("a"), bin(Minus, x("b"), x("c"))), "a - (b - c)");
    check(bin(Times, x("a"), bin(Divide, x("b"), x("c"))), "a * (b / c)");
    check(bin(Power, x("a"), bin(Power, x("b"), x("c"))), "a ** b ** c");
    check(bin(Power, bin(Power, x("a"), x("b")), x("c")), "(a ** b) ** c");
    check(bin(Power, e(ExprKind::Negate(Box::new(n("2")))), n("2")), "-2 ** 2");
    check(e(ExprKind::Negate(Box::new(bin(Power, n("2"), n("2"))))), "-(2 ** 2)");
    check(e(ExprKind::Negate(b(ExprKind::Negate(Box::new(x("a")))))), "-(-a)");
    check(bin(Maplet, x("a"), bin(Maplet, x("b"), x("c"))), "a |-> (b |-> c)");
    check(bin(TotalFunction, bin(Times, x("A"), x("B")), x("C")), "A * B --> C");
    check(bin(Implies, eq("a", "b"), bin(Implies, eq("c", "d"), eq("e", "f"))), {
        "a = b => (c = d => e = f)"
    });
    check(bin(BinaryOp::Equal, eq("a", "b"), x("c")), "(a = b) = c");
    check(bin(BinaryOp::Less, x("x"), n("-1")), "x < -1");
    check(bin(BinaryOp::Equivalent, and(vec![eq("a", "b"), eq("c", "d")]), eq("e", "f")), {
        "(a = b & c = d) <=> e = f"
    });
}

#[test]
fn conjunction_and_disjunction_share_a_level() {
    let or_first = and(vec![or(vec![eq("a", "b"), eq("c", "d")]), eq("e", "f")]);
    check(or_first, "a = b or c = d & e = f");
    let or_last = and(vec![eq("a", "b"), or(vec![eq("c", "d"), eq("e", "f")])]);
    check(or_last, "a = b & (c = d or e = f)");
    let nested = and(vec![and(vec![eq("a", "b"), eq("c", "d")]), eq("e", "f")]);
    check(nested, "(a = b & c = d) & e = f");
}

#[test]
fn compositions_stand_in_brackets_only() {
    let composed = || bin(BinaryOp::Composition, x("f"), x("g"));
    check(bin(BinaryOp::Union, composed(), x("h")), "(f ; g) \\/ h");
    check(e(ExprKind::Image(Box::new(composed()), Box::new(composed()))), "(f ; g)[f ; g]");
    check(e(ExprKind::Builtin(Builtin::Dom, vec![composed()])), "dom(f ; g)");
    check(e(ExprKind::Call(Box::new(x("f")), vec![composed()])), "f((f ; g))");
    check(e(ExprKind::SequenceExtension(vec![composed()])), "[(f ; g)]");
    check(e(ExprKind::Paren(Box::new(composed()))), "(f ; g)");
}

#[test]
fn postfix_forms() {
    let inverse = || e(ExprKind::Inverse(Box::new(x("f"))));
    check(e(ExprKind::Call(Box::new(inverse()), vec![x("y")])), "f~(y)");
    check(e(ExprKind::Inverse(Box::new(inverse()))), "(f~)~");
    check(e(ExprKind::Inverse(Box::new(bin(BinaryOp::Union, x("f"), x("g"))))), "(f \\/ g)~");
    check(e(ExprKind::Field(b(ExprKind::Field(Box::new(x("r")), id("a"))), id("id"))), "r'a'`id`");
    check(e(ExprKind::Call(Box::new(x("top")), vec![x("t")])), "`top`(t)");
    check(e(ExprKind::Builtin(Builtin::Top, vec![x("t")])), "top(t)");
    check(e(ExprKind::Call(Box::new(n("1")), vec![x("t")])), "(1)(t)");
}

#[test]
fn collections_and_records() {
    check(e(ExprKind::Tuple(vec![x("a"), x("b")])), "(a, b)");
    check(e(ExprKind::SetExtension(vec![n("1"), n("2")])), "{1, 2}");
    check(e(ExprKind::Record(vec![(id("f"), n("1")), (id("g"), x("y"))])), "rec(f : 1, g : y)");
    check(e(ExprKind::RecordSet(vec![(id("f"), x("S"))])), "struct(f : S)");
    check(bin(BinaryOp::Interval, n("1"), x("n")), "1..n");
    check(bin(BinaryOp::Interval, n("1"), bin(BinaryOp::Plus, x("n"), n("1"))), "1 .. n + 1");
}

#[test]
fn binders() {
    let forall = |names: Vec<Ident>| {
        e(ExprKind::Quantified(Box::new(Quantified {
            quantifier: Quantifier::Forall,
            symbolic: false,
            names,
            predicate: bin(BinaryOp::Implies, eq("a", "b"), eq("c", "d")),
            expression: None,
        })))
    };
    check(forall(vec![id("x")]), "!x.(a = b => c = d)");
    check(forall(vec![id("x"), id("y")]), "!(x, y).(a = b => c = d)");
    check(forall(vec![id("m.x")]), "!(m.x).(a = b => c = d)");
    let sum = Quantified {
        quantifier: Quantifier::Sigma,
        symbolic: true,
        names: vec![id("x")],
        predicate: eq("a", "b"),
        expression: Some(bin(BinaryOp::Composition, x("f"), x("g"))),
    };
    check(e(ExprKind::Quantified(Box::new(sum))), "/*@symbolic*/ SIGMA(x).(a = b | f ; g)");
    let mut set = Comprehension {
        symbolic: false,
        names: vec![id("x"), id("y")],
        predicate: eq("x", "y"),
        expression: None,
    };
    check(e(ExprKind::Comprehension(Box::new(set.clone()))), "{x, y | x = y}");
    set.expression = Some(x("x"));
    check(e(ExprKind::Comprehension(Box::new(set))), "{(x, y) . x = y | x}");
}

#[test]
fn keyword_forms_labels_and_substituted_predicates() {
    check(
        e(ExprKind::If(vec![(eq("a", "b"), n("1")), (eq("c", "d"), n("2"))], Box::new(n("3")))),
        "IF a = b THEN 1 ELSIF c = d THEN 2 ELSE 3 END",
    );
    check(e(ExprKind::Let(vec![id("y")], Box::new(eq("y", "z")), Box::new(x("y")))), {
        "LET y BE y = z IN y END"
    });
    check(e(ExprKind::Substituted(vec![(id("x"), n("1"))], Box::new(eq("x", "y")))), {
        "[x := 1] x = y"
    });
    let labelled = e(ExprKind::Labelled("inv1".into(), Box::new(eq("a", "b"))));
    check(and(vec![labelled.clone(), eq("c", "d")]), "/*@label inv1*/ a = b & c = d");
    check(bin(BinaryOp::Equivalent, labelled, eq("c", "d")), "(/*@label inv1*/ a = b) <=> c = d");
    check(e(ExprKind::Described(Box::new(eq("a", "b")), "why".into())), "a = b /*@desc why*/");
    check(e(ExprKind::OfType(b(ExprKind::Constant(Constant::EmptySet)), Box::new(x("T")))), {
        "{} ⦂ T"
    });
}

#[test]
fn simple_substitutions() {
    check_subst(SubstKind::Skip, "skip");
    check_subst(SubstKind::BecomesElement(vec![x("a"), x("b")], x("S")), "a, b :: S");
    check_subst(SubstKind::BecomesSuch(vec![x("a")], eq("a", "b")), "a : (a = b)");
    let call = |results, arguments, parentheses| {
        SubstKind::Call(Call { results, name: id("op"), arguments, parentheses })
    };
    check_subst(call(vec![], vec![], false), "op");
    check_subst(call(vec![], vec![], true), "op()");
    check_subst(call(vec![x("r")], vec![n("1")], true), "r <-- op(1)");
}

#[test]
fn blocks_are_indented() {
    let one = || Box::new(set("a", n("1")));
    check_subst(SubstKind::Pre(eq("a", "b"), one()), "PRE a = b THEN\n  a := 1\nEND");
    check_subst(SubstKind::Any(vec![id("k")], eq("k", "b"), one()), {
        "ANY k WHERE k = b THEN\n  a := 1\nEND"
    });
    check_subst(SubstKind::Var(vec![id("k")], one()), "VAR k IN\n  a := 1\nEND");
    check_subst(SubstKind::If(vec![(eq("a", "b"), *one())], Some(one())), {
        "IF a = b THEN\n  a := 1\nELSE\n  a := 1\nEND"
    });
    check_subst(SubstKind::Select(vec![(eq("a", "b"), *one()), (eq("c", "d"), *one())], None), {
        "SELECT a = b THEN\n  a := 1\nWHEN c = d THEN\n  a := 1\nEND"
    });
    check_subst(SubstKind::Choice(vec![*one(), *one()]), "CHOICE\n  a := 1\nOR\n  a := 1\nEND");
    check_subst(SubstKind::Case(x("c"), vec![(vec![n("1"), n("2")], *one())], Some(one())), {
        "CASE c OF\n  EITHER 1, 2 THEN\n    a := 1\n  ELSE\n    a := 1\n  END\nEND"
    });
    let parts = While {
        condition: eq("a", "b"),
        body: *one(),
        invariant: and(vec![eq("c", "d"), eq("e", "f")]),
        variant: x("v"),
    };
    check_subst(SubstKind::While(Box::new(parts)), {
        "WHILE a = b DO\n  a := 1\nINVARIANT\n  c = d &\n  e = f\nVARIANT\n  v\nEND"
    });
}

#[test]
fn a_sequence_inside_parallel_gets_a_block() {
    let sequence = s(SubstKind::Sequence(vec![set("a", n("1")), set("b", n("2"))]));
    check_subst(SubstKind::Parallel(vec![sequence, set("c", n("3"))]), {
        "BEGIN\n  a := 1;\n  b := 2\nEND ||\nc := 3"
    });
}

#[test]
fn long_lines_are_broken_at_the_loosest_operator() {
    let long = |c: &str| x(&c.repeat(40));
    let sum = bin(BinaryOp::Plus, bin(BinaryOp::Times, long("a"), n("2")), long("b"));
    let subst = set("x", bin(BinaryOp::Plus, sum, long("c")));
    let expected = format!(
        "x :=\n  {} * 2 +\n    {} +\n    {}",
        "a".repeat(40),
        "b".repeat(40),
        "c".repeat(40)
    );
    assert_eq!(print_subst(&subst), expected);
}

#[test]
fn a_tree_of_great_height_prints() {
    let mut tree = x("a");
    for _ in 0..3000 {
        tree = e(ExprKind::Builtin(Builtin::Pow, vec![tree]));
    }
    assert_eq!(print_expr(&tree).len(), 3000 * 5 + 1);
    let mut chain = x("a");
    for _ in 0..3000 {
        chain = bin(BinaryOp::Plus, n("1"), chain);
    }
    assert_eq!(print_expr(&chain).matches('(').count(), 2999);
    std::mem::forget((tree, chain));
}

#[track_caller]
fn check_format(before: &str, after: &str) {
    let parsed = crate::parse_file(before, 7);
    assert!(!parsed.problems.has_errors(), "{:?}", parsed.problems);
    assert_eq!(format(before, 7, &parsed), after);
}

#[test]
fn a_file_is_laid_out_anew_and_its_comments_stay() {
    check_format(
        "\
#! /usr/bin/env beeline
/* head */

MACHINE m(S) // of sets
SETS T={a,b}; U
VARIABLES x, /* first */ y // last


INVARIANT x:NAT & // numbers
  /* own */
  y<:S & (x=0=>y={})
INITIALISATION x:=0||y:={}
OPERATIONS
  // does little
  r<--op(p)=PRE p:S THEN IF x>0 THEN x:=x-1 // down
  // otherwise
  ELSE skip END;r:=p END; other=skip
END
// the end
",
        "\
#! /usr/bin/env beeline
/* head */

MACHINE m(S) // of sets
SETS
  T = {a, b};
  U
VARIABLES
  x, /* first */ y // last

INVARIANT
  x : NAT & // numbers
  /* own */
  y <: S &
  (x = 0 => y = {})
INITIALISATION
  x := 0 ||
  y := {}
OPERATIONS
  // does little
  r <-- op(p) =
    PRE p : S THEN
      IF x > 0 THEN
        x := x - 1 // down
        // otherwise
      ELSE
        skip
      END;
      r := p
    END;

  other = skip
END
// the end
",
    );
}

#[test]
fn a_text_with_errors_is_left_alone() {
    let text = "MACHINE m\n  INVARIANT x = \nEND";
    assert_eq!(format(text, 0, &crate::parse_file(text, 0)), text);
}

#[test]
fn two_comments_that_end_their_lines_stay_two() {
    check_format("#FORMULA f // one\n( // two\nx)", "#FORMULA f( // one\n  // two\n  x\n)\n");
}
