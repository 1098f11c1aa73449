//! When two formulas are the same: their words, without places and types.

use beeline_model::{Binder, CompareOp, Expr, ExprKind, LocalId, Pred, PredKind};

/// A formula as a list of words, without places and types of its parts: equal for equal formulas.
///
/// Bound names are unique in a model, so the same name means the same thing; and where two formulas
/// could be put in each other's place, types are the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    words: Vec<u32>,
    is_pure: bool,
}

impl Key {
    /// Of an expression.
    pub fn expr(e: &Expr) -> Key {
        let mut writer = Writer::default();
        writer.expr(e);
        writer.done()
    }

    /// Of a predicate.
    pub fn pred(p: &Pred) -> Key {
        let mut writer = Writer::default();
        writer.pred(p);
        writer.done()
    }

    /// The key of `a op b`.
    pub fn comparison(op: CompareOp, a: &Expr, b: &Expr) -> Key {
        let mut writer = Writer::default();
        writer.comparison(op, a, b);
        writer.done()
    }

    /// Has the formula the same value whenever its variables and bound names have? Calls of something
    /// outside may not.
    pub fn is_pure(&self) -> bool {
        self.is_pure
    }
}

/// Writes each node as a number of its form, then what it has beside other nodes, then those. Lists
/// begin with their length, so that a text of words is that of one formula only.
#[derive(Default)]
struct Writer {
    words: Vec<u32>,
    calls: bool,
}

impl Writer {
    fn done(self) -> Key {
        Key { words: self.words, is_pure: !self.calls }
    }

    fn put(&mut self, words: &[u32]) {
        self.words.extend_from_slice(words);
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.put(&[bytes.len() as u32]);
        self.words.extend(bytes.iter().map(|b| u32::from(*b)));
    }

    fn exprs(&mut self, list: &[Expr]) {
        self.put(&[list.len() as u32]);
        list.iter().for_each(|e| self.expr(e));
    }

    fn preds(&mut self, list: &[Pred]) {
        self.put(&[list.len() as u32]);
        list.iter().for_each(|p| self.pred(p));
    }

    fn locals(&mut self, list: &[LocalId]) {
        self.put(&[list.len() as u32]);
        self.words.extend(list.iter().map(|local| local.0));
    }

    fn binder(&mut self, binder: &Binder) {
        self.locals(&binder.locals);
        self.put(&[u32::from(binder.symbolic)]);
        self.pred(&binder.predicate);
    }

    fn equations(&mut self, list: &[(LocalId, Expr)]) {
        self.put(&[list.len() as u32]);
        for (local, e) in list {
            self.put(&[local.0]);
            self.expr(e);
        }
    }

    fn two(&mut self, a: &Expr, b: &Expr) {
        self.expr(a);
        self.expr(b);
    }

    fn comparison(&mut self, op: CompareOp, a: &Expr, b: &Expr) {
        self.put(&[70, op as u32]);
        self.two(a, b);
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Integer(i) => {
                self.put(&[0]);
                self.bytes(&i.to_signed_bytes_le());
            }
            ExprKind::Bool(b) => self.put(&[1, u32::from(*b)]),
            ExprKind::Real(r) => {
                self.put(&[2]);
                self.bytes(&r.to_le_bytes());
            }
            ExprKind::String(text) => {
                self.put(&[3]);
                self.bytes(text.as_bytes());
            }
            ExprKind::MaxInt => self.put(&[4]),
            ExprKind::MinInt => self.put(&[5]),
            ExprKind::Variable(id) => self.put(&[6, id.0]),
            ExprKind::Constant(id) => self.put(&[7, id.0]),
            ExprKind::Local(id) => self.put(&[8, id.0]),
            ExprKind::Element(set, at) => self.put(&[9, set.0, *at]),
            ExprKind::GivenSet(set) => self.put(&[10, set.0]),
            ExprKind::Basic(set) => self.put(&[11, *set as u32]),
            ExprKind::Function(function) => self.put(&[12, *function as u32]),
            ExprKind::EmptySet => self.put(&[13]),
            ExprKind::SetExtension(list) => {
                self.put(&[14]);
                self.exprs(list);
            }
            ExprKind::SequenceExtension(list) => {
                self.put(&[15]);
                self.exprs(list);
            }
            ExprKind::Unary(op, a) => {
                self.put(&[16, *op as u32]);
                self.expr(a);
            }
            ExprKind::Binary(op, a, b) => {
                self.put(&[17, *op as u32]);
                self.two(a, b);
            }
            ExprKind::Ternary(op, three) => {
                self.put(&[18, *op as u32]);
                self.exprs(&three[..]);
            }
            ExprKind::Apply(f, x) => {
                self.put(&[19]);
                self.two(f, x);
            }
            ExprKind::Comprehension(binder) => {
                self.put(&[20]);
                self.binder(binder);
            }
            ExprKind::MapComprehension(binder, body) => {
                self.put(&[21]);
                self.binder(binder);
                self.expr(body);
            }
            ExprKind::Lambda(binder, body) => {
                self.put(&[22]);
                self.binder(binder);
                self.expr(body);
            }
            ExprKind::Quantified(quantifier, binder, body) => {
                self.put(&[23, *quantifier as u32]);
                self.binder(binder);
                self.expr(body);
            }
            ExprKind::Record(fields) => {
                self.put(&[24]);
                self.exprs(fields);
            }
            ExprKind::RecordSet(fields) => {
                self.put(&[25]);
                self.exprs(fields);
            }
            ExprKind::Field(record, at) => {
                self.put(&[26, *at as u32]);
                self.expr(record);
            }
            ExprKind::If(p, a, b) => {
                self.put(&[27]);
                self.pred(p);
                self.two(a, b);
            }
            ExprKind::Let(equations, body) => {
                self.put(&[28]);
                self.equations(equations);
                self.expr(body);
            }
            ExprKind::BoolOf(p) => {
                self.put(&[29]);
                self.pred(p);
            }
            ExprKind::External(id, arguments) => {
                self.calls = true;
                self.put(&[30, id.0]);
                self.exprs(arguments);
            }
            ExprKind::OperationCall(id, arguments) => {
                self.calls = true;
                self.put(&[31, id.0]);
                self.exprs(arguments);
            }
            ExprKind::FreeTypeSet(id, arguments) => {
                self.put(&[32, id.0]);
                self.exprs(arguments);
            }
            ExprKind::Constructor(id, which) => self.put(&[33, id.0, *which]),
        }
    }

    fn pred(&mut self, p: &Pred) {
        match &p.kind {
            PredKind::Bool(b) => self.put(&[64, u32::from(*b)]),
            PredKind::And(list) => {
                self.put(&[65]);
                self.preds(list);
            }
            PredKind::Or(list) => {
                self.put(&[66]);
                self.preds(list);
            }
            PredKind::Not(a) => {
                self.put(&[67]);
                self.pred(a);
            }
            PredKind::Implies(a, b) => {
                self.put(&[68]);
                self.pred(a);
                self.pred(b);
            }
            PredKind::Equivalent(a, b) => {
                self.put(&[69]);
                self.pred(a);
                self.pred(b);
            }
            PredKind::Compare(op, a, b) => self.comparison(*op, a, b),
            PredKind::Forall(locals, body) => {
                self.put(&[71]);
                self.locals(locals);
                self.pred(body);
            }
            PredKind::Exists(locals, body) => {
                self.put(&[72]);
                self.locals(locals);
                self.pred(body);
            }
            PredKind::If(a, b, c) => {
                self.put(&[73]);
                self.pred(a);
                self.pred(b);
                self.pred(c);
            }
            PredKind::Let(equations, body) => {
                self.put(&[74]);
                self.equations(equations);
                self.pred(body);
            }
            PredKind::Finite(set) => {
                self.put(&[75]);
                self.expr(set);
            }
            PredKind::Partition(set, parts) => {
                self.put(&[76]);
                self.expr(set);
                self.exprs(parts);
            }
            PredKind::External(id, arguments) => {
                self.calls = true;
                self.put(&[77, id.0]);
                self.exprs(arguments);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use beeline_source::MemoryLoader;

    /// The keys of the invariants of a machine with three variables.
    fn keys(invariants: &str) -> Vec<Key> {
        let text = format!(
            "MACHINE M SETS S VARIABLES a, b, s INVARIANT a : INTEGER & b : INTEGER & s <: S & \
             {invariants} INITIALISATION a, b, s := 0, 0, {{}} END"
        );
        let model =
            beeline_elaborate::load(&MemoryLoader::new().with("M.mch", &text), "M.mch").model;
        let model = model.expect("a model without faults");
        let all = model.concrete().invariants.iter().skip(3);
        all.map(|invariant| Key::pred(&invariant.conjunct.pred)).collect()
    }

    #[test]
    fn equal_formulas_have_equal_keys_wherever_they_stand() {
        let same = keys("a + 1 < b & a+1<b & (a + (1) < b)");
        assert!(same.len() == 3 && same.iter().all(|key| *key == same[0] && key.is_pure()));
    }

    #[test]
    fn other_formulas_have_other_keys() {
        let mut all = keys(
            "a + 1 < b & a + 1 <= b & a + 2 < b & b + 1 < a & a - 1 < b & a < b + 1 & \
             s = {} & s /= {} & card(s) = a & not(a = b) & (a = b or a = 1) & (a = b => a = 1) & \
             a : {1, 2} & a : {1} \\/ {2} & !x.(x : s => x : s) & #x.(x : s & x : s) & \
             a = 256 & a = 1 & [a, b] = [b, a] & {a, b} = {b, a}",
        );
        let count = all.len();
        all.sort();
        all.dedup();
        assert_eq!((count, all.len()), (20, 20));
    }
}
