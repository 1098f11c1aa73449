//! Types under construction in B notation; unknown parts are `_`.

use crate::infer::{Infer, Node, Ty};
use beeline_model::{Model, TypeNode, show_type};

/// No type is shown with more parts: one that grows without end is known by its beginning.
const MAX_PARTS: usize = 200;

/// A type that is not yet ground, with the names of the model it will belong to.
pub(crate) fn show_ty(infer: &Infer, model: &Model, ty: Ty) -> String {
    let mut left = MAX_PARTS;
    show_type(ty, &mut |ty| {
        if left == 0 {
            return TypeNode::Word("…");
        }
        left -= 1;
        match infer.node(ty) {
            Node::Unknown | Node::Link(_) => TypeNode::Word("_"),
            Node::Bool => TypeNode::Word("BOOL"),
            Node::Integer => TypeNode::Word("INTEGER"),
            Node::Real => TypeNode::Word("REAL"),
            Node::String => TypeNode::Word("STRING"),
            Node::Given(set) => TypeNode::Word(&model.set(*set).name),
            Node::Free(free, args) => TypeNode::Free(&model.free_type(*free).name, args),
            Node::Power(of) => TypeNode::Power(*of),
            Node::Pair(left, right) => TypeNode::Pair(*left, *right),
            Node::Record(fields) => TypeNode::Record(fields),
        }
    })
}
