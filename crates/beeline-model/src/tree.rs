//! Typed formulas as plain trees: what stands directly below a node.

use crate::{Expr, ExprKind, LocalId, Pred, PredKind};

/// An expression or a predicate.
#[derive(Debug)]
pub enum Node<'t> {
    /// An expression.
    Expr(&'t mut Expr),
    /// A predicate.
    Pred(&'t mut Pred),
}

/// The nodes directly below a node, in the order of the text.
pub fn children(node: Node<'_>) -> Vec<Node<'_>> {
    match node {
        Node::Expr(e) => below_expr(e),
        Node::Pred(p) => below_pred(p),
    }
}

fn exprs(list: &mut [Expr]) -> Vec<Node<'_>> {
    list.iter_mut().map(Node::Expr).collect()
}

fn below_expr(expr: &mut Expr) -> Vec<Node<'_>> {
    match &mut expr.kind {
        ExprKind::SetExtension(list)
        | ExprKind::SequenceExtension(list)
        | ExprKind::Record(list)
        | ExprKind::RecordSet(list)
        | ExprKind::External(_, list)
        | ExprKind::OperationCall(_, list)
        | ExprKind::FreeTypeSet(_, list) => exprs(list),
        ExprKind::Unary(_, e) | ExprKind::Field(e, _) => vec![Node::Expr(e)],
        ExprKind::Binary(_, a, b) | ExprKind::Apply(a, b) => vec![Node::Expr(a), Node::Expr(b)],
        ExprKind::Ternary(_, parts) => exprs(&mut **parts),
        ExprKind::Comprehension(binder) => vec![Node::Pred(&mut binder.predicate)],
        ExprKind::MapComprehension(binder, e)
        | ExprKind::Lambda(binder, e)
        | ExprKind::Quantified(_, binder, e) => {
            vec![Node::Pred(&mut binder.predicate), Node::Expr(e)]
        }
        ExprKind::If(p, a, b) => vec![Node::Pred(p), Node::Expr(a), Node::Expr(b)],
        ExprKind::Let(values, e) => {
            let values = values.iter_mut().map(|v| Node::Expr(&mut v.1));
            values.chain([Node::Expr(e)]).collect()
        }
        ExprKind::BoolOf(p) => vec![Node::Pred(p)],
        _ => Vec::new(),
    }
}

fn below_pred(pred: &mut Pred) -> Vec<Node<'_>> {
    match &mut pred.kind {
        PredKind::Bool(_) => Vec::new(),
        PredKind::And(list) | PredKind::Or(list) => list.iter_mut().map(Node::Pred).collect(),
        PredKind::Not(p) | PredKind::Forall(_, p) | PredKind::Exists(_, p) => vec![Node::Pred(p)],
        PredKind::Implies(p, q) | PredKind::Equivalent(p, q) => vec![Node::Pred(p), Node::Pred(q)],
        PredKind::Compare(_, a, b) => vec![Node::Expr(a), Node::Expr(b)],
        PredKind::If(c, p, q) => vec![Node::Pred(c), Node::Pred(p), Node::Pred(q)],
        PredKind::Let(values, p) => {
            let values = values.iter_mut().map(|v| Node::Expr(&mut v.1));
            values.chain([Node::Pred(p)]).collect()
        }
        PredKind::Finite(e) => vec![Node::Expr(e)],
        PredKind::Partition(whole, parts) => {
            std::iter::once(Node::Expr(whole)).chain(parts.iter_mut().map(Node::Expr)).collect()
        }
        PredKind::External(_, list) => exprs(list),
    }
}

/// How many nodes there are.
pub fn size(node: Node<'_>) -> usize {
    1 + children(node).into_iter().map(size).sum::<usize>()
}

/// Calls `visit` with the node of this number, counted from above and from the left.
///
/// The number becomes what remains of it when the tree ends before.
pub fn at(node: Node<'_>, number: &mut usize, visit: &mut dyn FnMut(Node<'_>)) -> bool {
    if *number == 0 {
        visit(node);
        return true;
    }
    *number -= 1;
    children(node).into_iter().any(|child| at(child, number, visit))
}

/// The names that a node binds.
pub fn binds(node: &Node<'_>) -> Vec<LocalId> {
    match node {
        Node::Expr(e) => match &e.kind {
            ExprKind::Comprehension(binder)
            | ExprKind::MapComprehension(binder, _)
            | ExprKind::Lambda(binder, _)
            | ExprKind::Quantified(_, binder, _) => binder.locals.clone(),
            ExprKind::Let(values, _) => values.iter().map(|v| v.0).collect(),
            _ => Vec::new(),
        },
        Node::Pred(p) => match &p.kind {
            PredKind::Forall(locals, _) | PredKind::Exists(locals, _) => locals.clone(),
            PredKind::Let(values, _) => values.iter().map(|v| v.0).collect(),
            _ => Vec::new(),
        },
    }
}

/// Is every name bound?
pub fn is_closed(expr: &mut Expr) -> bool {
    fn walk(node: Node<'_>, bound: &mut Vec<LocalId>) -> bool {
        if let Node::Expr(e) = &node
            && let ExprKind::Local(id) = e.kind
        {
            return bound.contains(&id);
        }
        let depth = bound.len();
        bound.extend(binds(&node));
        let closed = children(node).into_iter().all(|child| walk(child, bound));
        bound.truncate(depth);
        closed
    }
    walk(Node::Expr(expr), &mut Vec::new())
}
