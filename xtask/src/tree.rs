//! Expressions of generated programs, as trees that can be printed and shrunk.
//!
//! A node is a template with numbered holes, `$0`, `$1`, and the nodes that fill them; a hole may occur twice. The tree knows
//! nothing of a grammar but the kind of value of a node, which is all that shrinking needs.

use std::fmt;

use crate::shrink::replace;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node<K> {
    pub kind: K,
    /// Text with holes.
    pub template: String,
    /// The nodes that fill the holes.
    pub parts: Vec<Node<K>>,
}

impl<K> Node<K> {
    /// A node with parts.
    pub fn new(kind: K, template: impl Into<String>, parts: Vec<Node<K>>) -> Node<K> {
        Node { kind, template: template.into(), parts }
    }

    /// A node without parts.
    pub fn leaf(kind: K, text: impl Into<String>) -> Node<K> {
        Node::new(kind, text, Vec::new())
    }

    /// Replaces this node, or one inside it, by the `n`-th simpler node. Where there are fewer, counts them off `n`.
    pub fn shorten(&mut self, simpler: &impl Fn(&Node<K>) -> Vec<Node<K>>, n: &mut usize) -> bool {
        let alternatives = simpler(self);
        replace(self, alternatives, n) || self.parts.iter_mut().any(|part| part.shorten(simpler, n))
    }
}

impl<K> fmt::Display for Node<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut pieces = self.template.split('$');
        f.write_str(pieces.next().unwrap_or_default())?;
        for piece in pieces {
            let (number, rest) = piece.split_at(1);
            let hole: usize = number.parse().expect("a hole has a number");
            write!(f, "{}{rest}", self.parts[hole])?;
        }
        Ok(())
    }
}

/// The holes from `first` on for so many parts: `$1, $2`.
pub fn holes(first: usize, count: usize) -> String {
    (first..first + count).map(|hole| format!("${hole}")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_are_filled_as_often_as_they_occur() {
        let leaf = |text: &str| Node::leaf((), text);
        let node = Node::new((), "($1 = 0 ? 0 : $0 / $1)", vec![leaf("x"), leaf("y")]);
        assert_eq!(node.to_string(), "(y = 0 ? 0 : x / y)");
    }
}
