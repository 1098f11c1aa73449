//! Keyword operators and binary operators: what each takes and gives.

use super::Elaborator;
use super::call::count;
use crate::infer::{INTEGER, Question, REAL, SET_OF_INTEGER, Ty};
use beeline_model::{BinaryOp, Expr, ExprKind, TernaryOp, UnaryOp};
use beeline_source::{Code, Diagnostic, Span};
use beeline_syntax::ast::{self, BinaryOp as B, Builtin};

impl<'a> Elaborator<'a> {
    pub(super) fn builtin(&mut self, builtin: Builtin, args: &'a [ast::Expr], span: Span) -> Expr {
        if let Some(word) = self.declared_word(builtin, span) {
            return self.call_word(&word, args, span);
        }
        match (builtin, args) {
            (Builtin::Not | Builtin::Finite | Builtin::Partition, _) => {
                self.not_an_expression(span)
            }
            (Builtin::BoolOf, [p]) => {
                let p = self.pred(p);
                self.make(ExprKind::BoolOf(Box::new(p)), crate::infer::BOOL, span)
            }
            (_, [a]) => {
                let a = self.expr(a);
                self.unary(builtin, a, span)
            }
            (_, [a, b]) => {
                let (a, b) = (self.expr(a), self.expr(b));
                self.two(builtin, a, b, span)
            }
            (_, [a, b, c]) => {
                let args = [self.expr(a), self.expr(b), self.expr(c)];
                self.three(builtin, args, span)
            }
            _ => self.wrong_count(builtin, args.len(), span),
        }
    }

    /// `card(set)`
    pub fn card(&mut self, set: Expr) -> Expr {
        let span = set.span;
        self.unary(Builtin::Card, set, span)
    }

    fn wrong_count(&mut self, builtin: Builtin, given: usize, span: Span) -> Expr {
        let message = format!("`{}` cannot take {}", builtin.keyword(), count(given, "argument"));
        self.problem(Diagnostic::new(Code::WRONG_ARGUMENT_COUNT, span, message));
        self.broken(span)
    }

    /// The operand must be a set; the type of its elements.
    fn set_operand(&mut self, e: &Expr, operator: &str) -> Ty {
        let of = self.infer.fresh();
        let power = self.infer.power(of);
        self.want(e, power, &format!("the operand of `{operator}`"));
        of
    }

    /// The operand must be a relation; the types of its two sides.
    fn relation_operand(&mut self, e: &Expr, operator: &str) -> (Ty, Ty) {
        let (x, y) = (self.infer.fresh(), self.infer.fresh());
        let relation = self.infer.relation(x, y);
        self.want(e, relation, &format!("the operand of `{operator}`"));
        (x, y)
    }

    /// Trees are functions from branches (sequences of integers) to labels.
    fn tree_ty(&mut self, label: Ty) -> Ty {
        let branch = self.infer.sequence(INTEGER);
        self.infer.relation(branch, label)
    }

    fn tree_operand(&mut self, e: &Expr, operator: &str) -> Ty {
        let label = self.infer.fresh();
        let tree = self.tree_ty(label);
        self.want(e, tree, &format!("the operand of `{operator}`"));
        label
    }

    fn unary(&mut self, builtin: Builtin, a: Expr, span: Span) -> Expr {
        use Builtin as K;
        use UnaryOp as U;
        let word = builtin.keyword();
        let own = Ty(a.ty.0);
        let (op, ty) = match builtin {
            K::Pow | K::Pow1 | K::Fin | K::Fin1 => {
                self.set_operand(&a, word);
                let op = match builtin {
                    K::Pow => U::Power,
                    K::Pow1 => U::Power1,
                    K::Fin => U::Finite,
                    _ => U::Finite1,
                };
                (op, self.infer.power(own))
            }
            K::Card => {
                self.set_operand(&a, word);
                (U::Card, INTEGER)
            }
            K::Min | K::Max => {
                let of = self.set_operand(&a, word);
                self.ask(Question::Numeric(of), a.span);
                (if builtin == K::Min { U::Min } else { U::Max }, of)
            }
            K::GeneralUnion | K::GeneralInter => {
                let of = self.set_operand(&a, word);
                let inner = self.infer.fresh();
                let power = self.infer.power(inner);
                if !self.fits(of, power, a.span) {
                    let message = format!(
                        "`{word}` takes a set of sets, but this has type {}",
                        self.show(own)
                    );
                    self.problem(Diagnostic::new(Code::TYPE_MISMATCH, a.span, message));
                }
                (if builtin == K::GeneralUnion { U::GeneralUnion } else { U::GeneralInter }, of)
            }
            K::Dom | K::Ran => {
                let (x, y) = self.relation_operand(&a, word);
                match builtin {
                    K::Dom => (U::Domain, self.infer.power(x)),
                    _ => (U::Range, self.infer.power(y)),
                }
            }
            K::Identity => {
                let of = self.set_operand(&a, word);
                (U::Identity, self.infer.relation(of, of))
            }
            K::Closure | K::Closure1 => {
                let (x, y) = self.relation_operand(&a, word);
                if !self.fits(x, y, a.span) {
                    let message =
                        format!("`{word}` takes a relation on one set, not {}", self.show(own));
                    self.problem(Diagnostic::new(Code::TYPE_MISMATCH, a.span, message));
                }
                (if builtin == K::Closure { U::Closure } else { U::Closure1 }, own)
            }
            K::Fnc => {
                let (x, y) = self.relation_operand(&a, word);
                let set = self.infer.power(y);
                (U::Fnc, self.infer.relation(x, set))
            }
            K::Rel => {
                let (x, y) = (self.infer.fresh(), self.infer.fresh());
                let set = self.infer.power(y);
                let function = self.infer.relation(x, set);
                self.want(&a, function, "the operand of `rel`");
                (U::Rel, self.infer.relation(x, y))
            }
            K::Prj1 | K::Prj2 => {
                let (x, y) = (self.infer.fresh(), self.infer.fresh());
                let pair = self.infer.pair(x, y);
                self.want(&a, pair, &format!("the operand of `{word}`"));
                if builtin == K::Prj1 { (U::PairFirst, x) } else { (U::PairSecond, y) }
            }
            K::Seq | K::Seq1 | K::Iseq | K::Iseq1 | K::Perm => {
                let of = self.set_operand(&a, word);
                let op = match builtin {
                    K::Seq => U::Seq,
                    K::Seq1 => U::Seq1,
                    K::Iseq => U::Iseq,
                    K::Iseq1 => U::Iseq1,
                    _ => U::Perm,
                };
                let sequence = self.infer.sequence(of);
                (op, self.infer.power(sequence))
            }
            K::Size => {
                self.ask(Question::Sequence(own), a.span);
                (U::Size, INTEGER)
            }
            K::First | K::Last => {
                let element = self.infer.fresh();
                self.ask(Question::ElementOf(own, element), a.span);
                (if builtin == K::First { U::First } else { U::Last }, element)
            }
            K::Front | K::Tail | K::Rev => {
                self.ask(Question::Sequence(own), a.span);
                let op = match builtin {
                    K::Front => U::Front,
                    K::Tail => U::Tail,
                    _ => U::Reverse,
                };
                (op, own)
            }
            K::Conc => {
                let result = self.infer.fresh();
                self.ask(Question::Flattened(own, result), a.span);
                (U::Concat, result)
            }
            K::Floor | K::Ceiling => {
                self.want(&a, REAL, &format!("the operand of `{word}`"));
                (if builtin == K::Floor { U::Floor } else { U::Ceiling }, INTEGER)
            }
            K::ToReal => {
                self.want(&a, INTEGER, "the operand of `real`");
                (U::ToReal, REAL)
            }
            _ => return self.tree_unary(builtin, a, span),
        };
        self.make(ExprKind::Unary(op, Box::new(a)), ty, span)
    }

    fn tree_unary(&mut self, builtin: Builtin, a: Expr, span: Span) -> Expr {
        use Builtin as K;
        use UnaryOp as U;
        let own = Ty(a.ty.0);
        let word = builtin.keyword();
        if let K::Tree | K::Btree = builtin {
            let of = self.set_operand(&a, word);
            let tree = self.tree_ty(of);
            let ty = self.infer.power(tree);
            let op = if builtin == K::Tree { U::Tree } else { U::Btree };
            return self.make(ExprKind::Unary(op, Box::new(a)), ty, span);
        }
        if builtin == K::Bin {
            let ty = self.tree_ty(own);
            return self.make(ExprKind::Unary(U::TreeLeaf, Box::new(a)), ty, span);
        }
        let op = match builtin {
            K::Top => U::TreeTop,
            K::Sons => U::TreeSons,
            K::Prefix => U::TreePrefix,
            K::Postfix => U::TreePostfix,
            K::Sizet => U::TreeSize,
            K::Mirror => U::TreeMirror,
            K::Left => U::TreeLeft,
            K::Right => U::TreeRight,
            K::Infix => U::TreeInfix,
            _ => return self.wrong_count(builtin, 1, span),
        };
        let label = self.tree_operand(&a, word);
        let ty = match op {
            U::TreeTop => label,
            U::TreeSons => self.infer.sequence(own),
            U::TreePrefix | U::TreePostfix | U::TreeInfix => self.infer.sequence(label),
            U::TreeSize => INTEGER,
            _ => own,
        };
        self.make(ExprKind::Unary(op, Box::new(a)), ty, span)
    }

    fn two(&mut self, builtin: Builtin, a: Expr, b: Expr, span: Span) -> Expr {
        use Builtin as K;
        let word = builtin.keyword();
        let (op, ty) = match builtin {
            K::Iterate => {
                let (x, y) = self.relation_operand(&a, word);
                if !self.fits(x, y, a.span) {
                    let message = "`iterate` takes a relation on one set";
                    self.problem(Diagnostic::new(Code::TYPE_MISMATCH, a.span, message));
                }
                self.want(&b, INTEGER, "the number of iterations");
                (BinaryOp::Iterate, Ty(a.ty.0))
            }
            K::Prj1 | K::Prj2 => {
                let x = self.set_operand(&a, word);
                let y = self.set_operand(&b, word);
                let pair = self.infer.pair(x, y);
                match builtin {
                    K::Prj1 => (BinaryOp::Projection1, self.infer.relation(pair, x)),
                    _ => (BinaryOp::Projection2, self.infer.relation(pair, y)),
                }
            }
            K::Const => {
                let tree = self.tree_ty(Ty(a.ty.0));
                let sons = self.infer.sequence(tree);
                self.want(&b, sons, "the second operand of `const`");
                (BinaryOp::TreeConst, tree)
            }
            K::Rank | K::Father | K::Subtree | K::Arity => {
                self.tree_operand(&a, word);
                let branch = self.infer.sequence(INTEGER);
                self.want(&b, branch, &format!("the branch of `{word}`"));
                match builtin {
                    K::Rank => (BinaryOp::TreeRank, INTEGER),
                    K::Father => (BinaryOp::TreeFather, branch),
                    K::Subtree => (BinaryOp::TreeSubtree, Ty(a.ty.0)),
                    _ => (BinaryOp::TreeArity, INTEGER),
                }
            }
            _ => return self.wrong_count(builtin, 2, span),
        };
        self.make(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, span)
    }

    fn three(&mut self, builtin: Builtin, args: [Expr; 3], span: Span) -> Expr {
        let (op, ty) = match builtin {
            Builtin::Son => {
                self.tree_operand(&args[0], "son");
                let branch = self.infer.sequence(INTEGER);
                self.want(&args[1], branch, "the branch of `son`");
                self.want(&args[2], INTEGER, "the number of `son`");
                (TernaryOp::TreeSon, branch)
            }
            Builtin::Bin => {
                let tree = self.tree_ty(Ty(args[1].ty.0));
                self.want(&args[0], tree, "the left subtree of `bin`");
                self.want(&args[2], tree, "the right subtree of `bin`");
                (TernaryOp::TreeBin, tree)
            }
            _ => return self.wrong_count(builtin, 3, span),
        };
        self.make(ExprKind::Ternary(op, Box::new(args)), ty, span)
    }

    pub(super) fn binary(
        &mut self,
        op: B,
        a: &'a ast::Expr,
        b: &'a ast::Expr,
        whole: &'a ast::Expr,
    ) -> Expr {
        if op.makes_predicate() {
            return self.not_an_expression(whole.span);
        }
        let (mut a, mut b) = (self.expr(a), self.expr(b));
        let (op, ty) = match op {
            B::Plus | B::Minus | B::Times | B::Divide | B::Modulo | B::Power | B::Interval => {
                self.arithmetic(op, &a, &b, whole.span)
            }
            B::BackwardComposition => {
                std::mem::swap(&mut a, &mut b);
                self.relational(B::Composition, &a, &b)
            }
            B::Concat | B::Prepend | B::Append | B::Take | B::Drop => self.sequences(op, &a, &b),
            B::Union | B::Intersection | B::SetMinus | B::Cartesian => self.sets(op, &a, &b),
            B::Maplet => (BinaryOp::Pair, self.infer.pair(Ty(a.ty.0), Ty(b.ty.0))),
            _ => match arrow(op) {
                Some(arrow) => {
                    let x = self.set_operand(&a, op.spelling());
                    let y = self.set_operand(&b, op.spelling());
                    let relation = self.infer.relation(x, y);
                    (arrow, self.infer.power(relation))
                }
                None => self.relational(op, &a, &b),
            },
        };
        self.make(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, whole.span)
    }

    fn arithmetic(&mut self, op: B, a: &Expr, b: &Expr, span: Span) -> (BinaryOp, Ty) {
        let own = Ty(a.ty.0);
        match op {
            B::Plus | B::Divide => {
                self.same(a, b, op.spelling());
                self.ask(Question::Numeric(own), a.span);
                (if op == B::Plus { BinaryOp::Add } else { BinaryOp::Divide }, own)
            }
            B::Minus => {
                self.same(a, b, "-");
                self.ask(Question::Minus(own), span);
                (BinaryOp::Subtract, own)
            }
            B::Times => {
                let result = self.infer.fresh();
                self.ask(Question::Times(own, Ty(b.ty.0), result), span);
                (BinaryOp::Multiply, result)
            }
            B::Power => {
                self.ask(Question::Numeric(own), a.span);
                self.ask(Question::Numeric(Ty(b.ty.0)), b.span);
                (BinaryOp::Exponent, own)
            }
            B::Modulo => {
                self.want(a, INTEGER, "the left side of `mod`");
                self.want(b, INTEGER, "the right side of `mod`");
                (BinaryOp::Modulo, INTEGER)
            }
            _ => {
                self.want(a, INTEGER, "the lower end of an interval");
                self.want(b, INTEGER, "the upper end of an interval");
                (BinaryOp::Interval, SET_OF_INTEGER)
            }
        }
    }

    fn sets(&mut self, op: B, a: &Expr, b: &Expr) -> (BinaryOp, Ty) {
        if op == B::Cartesian {
            let x = self.set_operand(a, "×");
            let y = self.set_operand(b, "×");
            return (BinaryOp::Cartesian, self.infer.relation(x, y));
        }
        self.same(a, b, op.spelling());
        self.set_operand(a, op.spelling());
        let op = match op {
            B::Union => BinaryOp::Union,
            B::Intersection => BinaryOp::Intersection,
            _ => BinaryOp::Difference,
        };
        (op, Ty(a.ty.0))
    }

    fn sequences(&mut self, op: B, a: &Expr, b: &Expr) -> (BinaryOp, Ty) {
        let own = Ty(a.ty.0);
        match op {
            B::Concat => {
                self.same(a, b, "^");
                self.ask(Question::Sequence(own), a.span);
                (BinaryOp::Concat, own)
            }
            B::Prepend => {
                let sequence = self.infer.sequence(own);
                self.want(b, sequence, "the right side of `->`");
                (BinaryOp::Prepend, sequence)
            }
            B::Append => {
                let sequence = self.infer.sequence(Ty(b.ty.0));
                self.want(a, sequence, "the left side of `<-`");
                (BinaryOp::Append, sequence)
            }
            _ => {
                self.ask(Question::Sequence(own), a.span);
                self.want(b, INTEGER, &format!("the right side of `{}`", op.spelling()));
                (if op == B::Take { BinaryOp::Take } else { BinaryOp::Drop }, own)
            }
        }
    }

    fn relational(&mut self, op: B, a: &Expr, b: &Expr) -> (BinaryOp, Ty) {
        let word = op.spelling();
        match op {
            B::Composition | B::SymbolicComposition => {
                let (x, y) = self.relation_operand(a, word);
                let z = self.infer.fresh();
                let relation = self.infer.relation(y, z);
                self.want(b, relation, &format!("the right side of `{word}`"));
                (BinaryOp::Compose, self.infer.relation(x, z))
            }
            B::ParallelProduct => {
                let (x, y) = self.relation_operand(a, word);
                let (u, v) = self.relation_operand(b, word);
                let (from, to) = (self.infer.pair(x, u), self.infer.pair(y, v));
                (BinaryOp::ParallelProduct, self.infer.relation(from, to))
            }
            B::DirectProduct => {
                let (x, y) = self.relation_operand(a, word);
                let z = self.infer.fresh();
                let relation = self.infer.relation(x, z);
                self.want(b, relation, &format!("the right side of `{word}`"));
                let to = self.infer.pair(y, z);
                (BinaryOp::DirectProduct, self.infer.relation(x, to))
            }
            B::DomainRestrict | B::DomainSubtract => {
                let (x, _) = self.relation_operand(b, word);
                let set = self.infer.power(x);
                self.want(a, set, &format!("the left side of `{word}`"));
                let op = match op {
                    B::DomainRestrict => BinaryOp::DomainRestrict,
                    _ => BinaryOp::DomainSubtract,
                };
                (op, Ty(b.ty.0))
            }
            B::RangeRestrict | B::RangeSubtract => {
                let (_, y) = self.relation_operand(a, word);
                let set = self.infer.power(y);
                self.want(b, set, &format!("the right side of `{word}`"));
                let op = match op {
                    B::RangeRestrict => BinaryOp::RangeRestrict,
                    _ => BinaryOp::RangeSubtract,
                };
                (op, Ty(a.ty.0))
            }
            _ => {
                // Override is the last one.
                self.same(a, b, word);
                self.relation_operand(a, word);
                (BinaryOp::Override, Ty(a.ty.0))
            }
        }
    }
}

fn arrow(op: B) -> Option<BinaryOp> {
    Some(match op {
        B::Relation => BinaryOp::Relations,
        B::PartialFunction => BinaryOp::PartialFunctions,
        B::TotalFunction => BinaryOp::TotalFunctions,
        B::PartialInjection => BinaryOp::PartialInjections,
        B::TotalInjection => BinaryOp::TotalInjections,
        B::PartialSurjection => BinaryOp::PartialSurjections,
        B::TotalSurjection => BinaryOp::TotalSurjections,
        B::PartialBijection => BinaryOp::PartialBijections,
        B::TotalBijection => BinaryOp::TotalBijections,
        B::TotalRelation => BinaryOp::TotalRelations,
        B::SurjectiveRelation => BinaryOp::SurjectiveRelations,
        B::TotalSurjectiveRelation => BinaryOp::TotalSurjectiveRelations,
        _ => return None,
    })
}
