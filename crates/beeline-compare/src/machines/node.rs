//! Text as a tree that can be taken apart: what random machines are made of.
//!
//! A tree knows where a formula can be put in place of another (its [`Sort`]) and which lists may
//! lose an item. It knows no types: whoever takes a piece away tries whether the rest still loads.

use std::fmt;
use std::sync::Arc;

/// What can stand in place of what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// An expression.
    Expr,
    /// A predicate.
    Pred,
    /// A substitution.
    Subst,
    /// Something that nothing else can replace: a clause, an operation.
    Part,
}

/// A piece of text, perhaps with pieces in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// As it is.
    Text(Arc<str>),
    /// A name that is declared somewhere.
    Name(Arc<str>),
    /// Pieces in a row.
    Form(Sort, Vec<Node>),
    /// Pieces that may be taken away one by one.
    List(List),
}

/// Pieces between separators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List {
    /// What the whole list is.
    pub sort: Sort,
    /// Before the first, if there is one.
    pub open: Arc<str>,
    /// Between two.
    pub between: Arc<str>,
    /// After the last, if there is one.
    pub close: Arc<str>,
    /// The pieces.
    pub items: Vec<Node>,
    /// It cannot be shorter.
    pub least: usize,
}

/// As it is.
pub fn text(text: impl Into<String>) -> Node {
    Node::Text(text.into().into())
}

/// A declared name.
pub fn name(name: impl Into<String>) -> Node {
    Node::Name(name.into().into())
}

/// An expression of which nothing can be taken away.
pub fn atom(text: impl Into<String>) -> Node {
    Node::Form(Sort::Expr, vec![Node::Text(text.into().into())])
}

/// A form from a template: each `@` is one of the parts.
pub fn form(sort: Sort, template: &str, parts: impl IntoIterator<Item = Node>) -> Node {
    let mut parts = parts.into_iter();
    let mut pieces = Vec::new();
    for (i, piece) in template.split('@').enumerate() {
        if i > 0 {
            pieces.extend(parts.next());
        }
        if !piece.is_empty() {
            pieces.push(text(piece));
        }
    }
    Node::Form(sort, pieces)
}

/// An expression from a template.
pub fn expr(template: &str, parts: impl IntoIterator<Item = Node>) -> Node {
    form(Sort::Expr, template, parts)
}

/// A predicate from a template.
pub fn pred(template: &str, parts: impl IntoIterator<Item = Node>) -> Node {
    form(Sort::Pred, template, parts)
}

/// A substitution from a template.
pub fn subst(template: &str, parts: impl IntoIterator<Item = Node>) -> Node {
    form(Sort::Subst, template, parts)
}

/// A list.
pub fn list(
    sort: Sort,
    (open, between, close): (&str, &str, &str),
    items: Vec<Node>,
    least: usize,
) -> Node {
    let (open, between, close) = (open.into(), between.into(), close.into());
    Node::List(List { sort, open, between, close, items, least })
}

impl Node {
    /// What it is.
    pub fn sort(&self) -> Sort {
        match self {
            Node::Text(_) => Sort::Part,
            Node::Name(_) => Sort::Expr,
            Node::Form(sort, _) => *sort,
            Node::List(list) => list.sort,
        }
    }

    /// The pieces it is made of.
    pub fn parts(&self) -> &[Node] {
        match self {
            Node::Text(_) | Node::Name(_) => &[],
            Node::Form(_, parts) => parts,
            Node::List(list) => &list.items,
        }
    }

    /// The same, to be changed.
    pub fn parts_mut(&mut self) -> &mut [Node] {
        match self {
            Node::Text(_) | Node::Name(_) => &mut [],
            Node::Form(_, parts) => parts,
            Node::List(list) => &mut list.items,
        }
    }

    /// How many nodes there are.
    pub fn size(&self) -> usize {
        1 + self.parts().iter().map(Node::size).sum::<usize>()
    }

    /// Does the name occur in it?
    pub fn mentions(&self, wanted: &str) -> bool {
        match self {
            Node::Name(name) => &**name == wanted,
            _ => self.parts().iter().any(|p| p.mentions(wanted)),
        }
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Node::Text(text) | Node::Name(text) => f.write_str(text),
            Node::Form(_, parts) => parts.iter().try_for_each(|p| p.fmt(f)),
            Node::List(list) if list.items.is_empty() => Ok(()),
            Node::List(list) => {
                f.write_str(&list.open)?;
                for (i, item) in list.items.iter().enumerate() {
                    if i > 0 {
                        f.write_str(&list.between)?;
                    }
                    item.fmt(f)?;
                }
                f.write_str(&list.close)
            }
        }
    }
}
