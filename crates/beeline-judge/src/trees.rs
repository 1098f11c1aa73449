//! Trees of Atelier B: functions from branches (sequences of numbers) to labels.

use crate::Judge;
use crate::error::{Eval, EvalError};
use crate::parts::{halves, integer};
use crate::value::Value;
use beeline_model::{BinaryOp, UnaryOp};

/// A tree, taken apart.
#[derive(Clone)]
struct Node {
    label: Value,
    sons: Vec<Node>,
}

impl Judge<'_> {
    fn as_tree(&self, value: &Value) -> Eval<Option<Node>> {
        let mut labels: Vec<(Vec<usize>, Value)> = Vec::new();
        for pair in self.elements(value)? {
            let (branch, label) = halves(&pair)?;
            let Some(steps) = self.as_sequence(branch)? else { return Ok(None) };
            let steps: Eval<Vec<Option<usize>>> =
                steps.iter().map(|s| Ok(self.small(integer(s)?))).collect();
            let Some(steps) = steps?.into_iter().collect() else { return Ok(None) };
            labels.push((steps, label.clone()));
        }
        labels.sort();
        let mut rest = labels.into_iter().peekable();
        let tree = self.read_tree(&[], &mut rest)?;
        Ok(tree.filter(|_| rest.peek().is_none()))
    }

    fn read_tree(
        &self,
        at: &[usize],
        rest: &mut std::iter::Peekable<std::vec::IntoIter<(Vec<usize>, Value)>>,
    ) -> Eval<Option<Node>> {
        let Some((_, label)) = rest.next_if(|(branch, _)| branch == at) else { return Ok(None) };
        let mut sons = Vec::new();
        loop {
            let mut next = at.to_vec();
            next.push(sons.len() + 1);
            match self.deeper(|| self.read_tree(&next, rest))? {
                Some(son) => sons.push(son),
                None => return Ok(Some(Node { label, sons })),
            }
        }
    }

    fn tree(&self, value: &Value) -> Eval<Node> {
        self.as_tree(value)?.ok_or_else(|| EvalError::ill_defined("a value is used as a tree"))
    }

    fn tree_value(&self, node: Node) -> Eval<Value> {
        let mut pairs = Vec::new();
        let mut todo = vec![(Vec::new(), node)];
        while let Some((branch, node)) = todo.pop() {
            self.charge(1)?;
            for (i, son) in node.sons.into_iter().enumerate() {
                let mut next = branch.clone();
                next.push(Value::int(i + 1));
                todo.push((next, son));
            }
            pairs.push(Value::pair(Value::sequence(branch), node.label));
        }
        self.make_set(pairs)
    }

    pub(crate) fn in_trees(&self, binary: bool, labels: &Value, value: &Value) -> Eval<bool> {
        let Some(tree) = self.as_tree(value)? else { return Ok(false) };
        let mut todo = vec![tree];
        while let Some(node) = todo.pop() {
            if !self.contains(labels, &node.label)? || (binary && !matches!(node.sons.len(), 0 | 2))
            {
                return Ok(false);
            }
            todo.extend(node.sons);
        }
        Ok(true)
    }

    pub(crate) fn tree1(&self, op: UnaryOp, a: Value) -> Eval<Value> {
        if op == UnaryOp::TreeLeaf {
            return self.tree_value(Node { label: a, sons: Vec::new() });
        }
        let node = self.tree(&a)?;
        match op {
            UnaryOp::TreeTop => Ok(node.label),
            UnaryOp::TreeSize => self.cardinality(&a).map(Value::int),
            UnaryOp::TreeSons => {
                let sons: Eval<Vec<Value>> =
                    node.sons.into_iter().map(|s| self.tree_value(s)).collect();
                self.make_sequence(sons?)
            }
            UnaryOp::TreeMirror => self.tree_value(mirror(node)),
            UnaryOp::TreePrefix => self.make_sequence(walk(&node, Order::Prefix)),
            UnaryOp::TreePostfix => self.make_sequence(walk(&node, Order::Postfix)),
            UnaryOp::TreeInfix => self.make_sequence(walk(&node, Order::Infix)),
            UnaryOp::TreeLeft | UnaryOp::TreeRight => {
                let index = usize::from(op == UnaryOp::TreeRight);
                match (node.sons.len(), node.sons.get(index)) {
                    (2, Some(son)) => self.tree_value(son.clone()),
                    _ => Err(EvalError::ill_defined("a node without left and right son")),
                }
            }
            _ => Err(EvalError::internal("not an operator on trees")),
        }
    }

    fn node_at(&self, tree: &Value, branch: &Value) -> Eval<Node> {
        let mut node = self.tree(tree)?;
        for step in self.items(branch)? {
            let index = self.small(&(integer(&step)?.previous()));
            node = index
                .and_then(|i| node.sons.get(i).cloned())
                .ok_or_else(|| EvalError::ill_defined("a branch that is not in the tree"))?;
        }
        Ok(node)
    }

    pub(crate) fn tree2(&self, op: BinaryOp, a: Value, b: &Value) -> Eval<Value> {
        if op == BinaryOp::TreeConst {
            let sons: Eval<Vec<Node>> = self.items(b)?.iter().map(|s| self.tree(s)).collect();
            return self.tree_value(Node { label: a, sons: sons? });
        }
        let node = self.node_at(&a, b)?;
        match op {
            BinaryOp::TreeSubtree => self.tree_value(node),
            BinaryOp::TreeArity => Ok(Value::int(node.sons.len())),
            BinaryOp::TreeRank => self.sequence1(UnaryOp::Last, b),
            BinaryOp::TreeFather => self.sequence1(UnaryOp::Front, b),
            _ => Err(EvalError::internal("not an operator on trees")),
        }
    }

    pub(crate) fn tree_son(&self, tree: &Value, branch: &Value, n: &Value) -> Eval<Value> {
        let son = self.sequence2(BinaryOp::Append, branch.clone(), n.clone())?;
        self.node_at(tree, &son)?;
        Ok(son)
    }

    pub(crate) fn tree_bin(&self, left: &Value, label: Value, right: &Value) -> Eval<Value> {
        let sons = vec![self.tree(left)?, self.tree(right)?];
        self.tree_value(Node { label, sons })
    }
}

#[derive(Clone, Copy)]
enum Order {
    Prefix,
    Infix,
    Postfix,
}

/// The labels in some order; trees are as deep as their longest branch, which was listed.
fn walk(node: &Node, order: Order) -> Vec<Value> {
    stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
        let mut labels: Vec<Vec<Value>> = node.sons.iter().map(|s| walk(s, order)).collect();
        let at = match order {
            Order::Prefix => 0,
            Order::Infix => labels.len().min(1),
            Order::Postfix => labels.len(),
        };
        labels.insert(at, vec![node.label.clone()]);
        labels.concat()
    })
}

fn mirror(node: Node) -> Node {
    stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
        let sons = node.sons.into_iter().rev().map(mirror).collect();
        Node { label: node.label, sons }
    })
}
