//! Random trees: what is printed parses back to the same tree, invented brackets aside.

use beeline_source::Span;
use beeline_syntax::ast::*;
use beeline_syntax::operators::{BINARY_OPS, BUILTINS};
use beeline_syntax::{parse_file, print_expr, print_unit};

/// A small generator of pseudo-random numbers (xorshift64*): the same trees in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % sides
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.roll(items.len())]
    }

    fn name(&mut self) -> Name {
        self.pick(&["x", "yy", "card", "top", "left", "a.b", "stroke-width", "m.id", "λx", "x₁"])
            .into()
    }

    fn ident(&mut self) -> Ident {
        Ident { name: self.name(), span: Span::NONE }
    }

    fn field(&mut self) -> Ident {
        let name = self.pick(&["f", "id", "top", "with space"]).into();
        Ident { name, span: Span::NONE }
    }

    fn idents(&mut self) -> Vec<Ident> {
        (0..=self.roll(3)).map(|_| self.ident()).collect()
    }

    fn exprs(&mut self, least: usize, size: usize) -> Vec<Expr> {
        (0..least + self.roll(3)).map(|_| self.expr(size)).collect()
    }

    fn boxed(&mut self, size: usize) -> Box<Expr> {
        Box::new(self.expr(size))
    }

    fn text(&mut self) -> Name {
        let pieces = ["a", "\"", "\\", "\n", "'", "''", "é", " ", "\t", "\\n", "*/", "\r"];
        (0..self.roll(6)).map(|_| self.pick(&pieces)).collect::<String>().into()
    }

    fn leaf(&mut self) -> ExprKind {
        match self.roll(7) {
            0 => ExprKind::Before(self.name()),
            1 => ExprKind::Integer(self.roll(1000).to_string().into()),
            2 => ExprKind::Real("1.5e-3".into()),
            3 => {
                let kinds = [StringKind::Plain, StringKind::MultiLine, StringKind::Template];
                let (kind, text) = (self.pick(&kinds), self.text());
                // A long string cannot end in a quote.
                let plain = text.ends_with('\'');
                ExprKind::String(if plain { StringKind::Plain } else { kind }, text)
            }
            4 => {
                use Constant::*;
                let constants = [True, Truth, MinInt, Natural1, Succ, Projection1, EmptySet];
                ExprKind::Constant(self.pick(&constants))
            }
            _ => ExprKind::Ident(self.name()),
        }
    }

    fn expr(&mut self, size: usize) -> Expr {
        let kind = if size == 0 { self.leaf() } else { self.node(size - 1) };
        Expr::new(kind, Span::NONE)
    }

    fn node(&mut self, size: usize) -> ExprKind {
        match self.roll(24) {
            0 => ExprKind::Negate(self.boxed(size)),
            1 => ExprKind::Inverse(self.boxed(size)),
            2 => {
                let builtin = self.pick(BUILTINS);
                let count = builtin.arity().0;
                ExprKind::Builtin(builtin, (0..count).map(|_| self.expr(size)).collect())
            }
            3..=8 => self.binary(size),
            9 => ExprKind::And(self.exprs(2, size)),
            10 => ExprKind::Or(self.exprs(2, size)),
            11 => ExprKind::Call(self.boxed(size), self.exprs(1, size)),
            12 => ExprKind::Image(self.boxed(size), self.boxed(size)),
            13 => ExprKind::Field(self.boxed(size), self.field()),
            14 => ExprKind::Tuple(self.exprs(2, size)),
            15 => ExprKind::SetExtension(self.exprs(1, size)),
            16 => ExprKind::SequenceExtension(self.exprs(1, size)),
            17 => ExprKind::Comprehension(Box::new(Comprehension {
                symbolic: self.roll(3) == 0,
                names: self.idents(),
                predicate: self.expr(size),
                expression: (self.roll(2) == 0).then(|| self.expr(size)),
            })),
            18 => self.quantified(size),
            19 => ExprKind::Record(vec![(self.field(), self.expr(size))]),
            20 => {
                let branches = (0..=self.roll(2)).map(|_| (self.expr(size), self.expr(size)));
                let branches = branches.collect();
                ExprKind::If(branches, self.boxed(size))
            }
            21 => ExprKind::Let(self.idents(), self.boxed(size), self.boxed(size)),
            22 => ExprKind::OfType(self.boxed(size), self.boxed(size)),
            _ => self.marked(size),
        }
    }

    fn binary(&mut self, size: usize) -> ExprKind {
        let op = self.pick(BINARY_OPS);
        let (mut left, mut right) = (self.boxed(size), self.boxed(size));
        // The parser refuses to compose what is evidently a predicate.
        if matches!(op.spelling(), ";" | "||" | "/*@symbolic*/ ;") {
            left = Box::new(Expr::new(ExprKind::Ident("f".into()), Span::NONE));
            right = Box::new(Expr::new(ExprKind::Inverse(left.clone()), Span::NONE));
        }
        ExprKind::Binary(op, left, right)
    }

    fn quantified(&mut self, size: usize) -> ExprKind {
        use Quantifier::*;
        let quantifier = self.pick(&[Forall, Exists, Lambda, Sigma, Pi, Union, Inter]);
        let valued = quantifier.has_expression();
        ExprKind::Quantified(Box::new(Quantified {
            quantifier,
            symbolic: valued && self.roll(3) == 0,
            names: self.idents(),
            predicate: self.expr(size),
            expression: valued.then(|| self.expr(size)),
        }))
    }

    fn marked(&mut self, size: usize) -> ExprKind {
        match self.roll(3) {
            0 => ExprKind::Labelled(
                self.pick(&["inv1", "two words", "q\"t"]).into(),
                self.boxed(size),
            ),
            1 => ExprKind::Described(self.boxed(size), "says something".into()),
            _ => ExprKind::Substituted(vec![(self.ident(), self.expr(size))], self.boxed(size)),
        }
    }

    fn block(&mut self, size: usize) -> Box<Subst> {
        Box::new(self.subst(size))
    }

    fn target(&mut self) -> Expr {
        let x = Expr::new(ExprKind::Ident("x".into()), Span::NONE);
        let kind = match self.roll(3) {
            0 => ExprKind::Call(Box::new(x), self.exprs(1, 1)),
            1 => ExprKind::Field(Box::new(x), self.field()),
            _ => return x,
        };
        Expr::new(kind, Span::NONE)
    }

    fn subst(&mut self, size: usize) -> Subst {
        let kind = if size == 0 { self.simple_subst() } else { self.block_subst(size - 1) };
        Subst::new(kind, Span::NONE)
    }

    fn simple_subst(&mut self) -> SubstKind {
        let x = Expr::new(ExprKind::Ident("x".into()), Span::NONE);
        match self.roll(5) {
            0 => SubstKind::Skip,
            1 => SubstKind::BecomesElement(vec![x], self.expr(2)),
            2 => SubstKind::BecomesSuch(vec![x.clone(), x], self.expr(2)),
            3 => {
                let arguments = if self.roll(2) == 0 { self.exprs(1, 1) } else { Vec::new() };
                let results = if self.roll(2) == 0 { vec![self.target()] } else { Vec::new() };
                let parentheses = !arguments.is_empty();
                SubstKind::Call(Call { results, name: self.ident(), arguments, parentheses })
            }
            _ => {
                let targets: Vec<Expr> = (0..=self.roll(2)).map(|_| self.target()).collect();
                let values = targets.iter().map(|_| self.expr(2)).collect();
                SubstKind::Assign(targets, values)
            }
        }
    }

    fn block_subst(&mut self, size: usize) -> SubstKind {
        let otherwise = self.roll(2) == 0;
        match self.roll(13) {
            0 => SubstKind::Pre(self.expr(2), self.block(size)),
            1 => SubstKind::Assert(self.expr(2), self.block(size)),
            2 => SubstKind::Witness(self.expr(2), self.block(size)),
            3 => {
                let branches = (0..=self.roll(2)).map(|_| (self.expr(2), self.subst(size)));
                let branches = branches.collect();
                SubstKind::If(branches, otherwise.then(|| self.block(size)))
            }
            4 => {
                let branches = (0..=self.roll(2)).map(|_| (self.expr(2), self.subst(size)));
                let branches = branches.collect();
                SubstKind::Select(branches, otherwise.then(|| self.block(size)))
            }
            5 => SubstKind::Choice(vec![self.subst(size), self.subst(size)]),
            6 => {
                let branches = vec![(self.exprs(1, 1), self.subst(size))];
                SubstKind::Case(self.expr(2), branches, otherwise.then(|| self.block(size)))
            }
            7 => SubstKind::Any(self.idents(), self.expr(2), self.block(size)),
            8 => SubstKind::Let(self.idents(), self.expr(2), self.block(size)),
            9 => SubstKind::Var(self.idents(), self.block(size)),
            10 => SubstKind::While(Box::new(While {
                condition: self.expr(2),
                body: self.subst(size),
                invariant: self.expr(2),
                variant: self.expr(2),
            })),
            11 => SubstKind::Sequence(vec![self.subst(size), self.subst(size)]),
            _ => SubstKind::Parallel(vec![self.subst(size), self.subst(size)]),
        }
    }
}

/// Takes parentheses away, which the printer may have had to add.
fn strip(e: &mut Expr) {
    use ExprKind::*;
    while let Paren(inner) = &mut e.kind {
        e.kind = std::mem::replace(&mut inner.kind, Error);
    }
    match &mut e.kind {
        Negate(a) | Inverse(a) | Field(a, _) | Labelled(_, a) | Described(a, _) => strip(a),
        Builtin(_, list)
        | And(list)
        | Or(list)
        | Tuple(list)
        | List(list)
        | SetExtension(list)
        | SequenceExtension(list) => list.iter_mut().for_each(strip),
        Binary(_, a, b) | Image(a, b) | OfType(a, b) | Let(_, a, b) => {
            strip(a);
            strip(b);
        }
        Call(f, list) => {
            strip(f);
            list.iter_mut().for_each(strip);
        }
        Comprehension(c) => {
            strip(&mut c.predicate);
            c.expression.iter_mut().for_each(strip);
        }
        Quantified(q) => {
            strip(&mut q.predicate);
            q.expression.iter_mut().for_each(strip);
        }
        Record(list) | RecordSet(list) => list.iter_mut().for_each(|(_, e)| strip(e)),
        Substituted(list, p) => {
            list.iter_mut().for_each(|(_, e)| strip(e));
            strip(p);
        }
        If(branches, otherwise) => {
            for (condition, value) in branches {
                strip(condition);
                strip(value);
            }
            strip(otherwise);
        }
        _ => {}
    }
}

/// Takes `BEGIN … END` away, and parentheses within.
fn strip_subst(s: &mut Subst) {
    use SubstKind::*;
    while let Block(inner) = &mut s.kind {
        s.kind = std::mem::replace(&mut inner.kind, Error);
    }
    match &mut s.kind {
        Assign(a, b) => a.iter_mut().chain(b).for_each(strip),
        BecomesElement(a, e) | BecomesSuch(a, e) => {
            a.iter_mut().for_each(strip);
            strip(e);
        }
        Pre(e, s) | Assert(e, s) | Witness(e, s) | Any(_, e, s) | Let(_, e, s) => {
            strip(e);
            strip_subst(s);
        }
        If(branches, otherwise) | Select(branches, otherwise) => {
            for (e, s) in branches {
                strip(e);
                strip_subst(s);
            }
            otherwise.iter_mut().for_each(|s| strip_subst(s));
        }
        Case(e, branches, otherwise) => {
            strip(e);
            for (labels, s) in branches {
                labels.iter_mut().for_each(strip);
                strip_subst(s);
            }
            otherwise.iter_mut().for_each(|s| strip_subst(s));
        }
        Choice(list) | Sequence(list) | Parallel(list) => list.iter_mut().for_each(strip_subst),
        Var(_, s) => strip_subst(s),
        While(w) => {
            strip(&mut w.condition);
            strip_subst(&mut w.body);
            strip(&mut w.invariant);
            strip(&mut w.variant);
        }
        Call(c) => c.results.iter_mut().chain(&mut c.arguments).for_each(strip),
        _ => {}
    }
}

#[test]
fn expressions() {
    let mut dice = Dice(2024);
    for round in 0..20_000 {
        let tree = dice.expr(1 + round / 5_000);
        let text = print_unit(&Unit::Formula(tree.clone()));
        let parsed = parse_file(&text, 0);
        let Some(Unit::Formula(mut again)) = parsed.unit else {
            panic!("does not parse: {text}\n{:?}\n{tree:?}", parsed.problems);
        };
        strip(&mut again);
        assert!(again == tree, "{text}\n{tree:?}\n{again:?}");
        assert!(!print_expr(&tree).trim_end().is_empty());
    }
}

#[test]
fn substitutions() {
    let mut dice = Dice(1789);
    for round in 0..5_000 {
        let tree = dice.subst(round / 1250);
        let text = print_unit(&Unit::Substitution(tree.clone()));
        let parsed = parse_file(&text, 0);
        let Some(Unit::Substitution(mut again)) = parsed.unit else {
            panic!("does not parse: {text}\n{:?}\n{tree:?}", parsed.problems);
        };
        strip_subst(&mut again);
        assert!(again == tree, "{text}\n{tree:?}\n{again:?}");
    }
}
