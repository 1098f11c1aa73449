//! Typed formulas as plain trees: what stands directly below a node.

use crate::{Expr, ExprKind, LocalId, Part, PartMut, Pred};

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
    let mut below = Vec::new();
    let mut keep = |part| match part {
        PartMut::Expr(e) => below.push(Node::Expr(e)),
        PartMut::Pred(p) => below.push(Node::Pred(p)),
        // No formula has a substitution below it.
        PartMut::Subst(_) | PartMut::Target(_) | PartMut::Binds(_) => {}
    };
    match node {
        Node::Expr(e) => e.parts_mut(&mut keep),
        Node::Pred(p) => p.parts_mut(&mut keep),
    }
    below
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
    let mut bound = Vec::new();
    let mut keep = |part: Part<'_>| {
        if let Part::Binds(locals) = part {
            bound.extend(locals);
        }
    };
    match node {
        Node::Expr(e) => e.parts(&mut keep),
        Node::Pred(p) => p.parts(&mut keep),
    }
    bound
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
