//! Random temporal formulas.

use super::super::program::{Kind, Node};
use super::expression::Writer;

impl Writer<'_> {
    /// A formula of branching time.
    pub fn ctl(&mut self, depth: usize) -> Node {
        if depth == 0 || self.rng.chance(15) {
            return self.truth(1);
        }
        let deeper = depth - 1;
        let (template, binary) = match self.rng.below(10) {
            0..=4 => (format!("{} $0", self.rng.pick(&["EX", "AX", "EF", "AF", "EG", "AG"])), false),
            5 => (self.rng.pick(&["E [$0 U $1]", "A [$0 U $1]"]).to_string(), true),
            6 => {
                let bounds = self.bounds("..");
                (format!("{} {bounds} $0", self.rng.pick(&["EBF", "ABF", "EBG", "ABG"])), false)
            }
            7 => {
                let bounds = self.bounds("..");
                (format!("{} [$0 BU {bounds} $1]", self.rng.pick(&["E", "A"])), true)
            }
            8 => ("!$0".to_owned(), false),
            _ => (format!("$0 {} $1", self.rng.pick(&["&", "|", "->", "<->", "xor"])), true),
        };
        let mut parts = vec![self.ctl(deeper)];
        if binary {
            parts.push(self.ctl(deeper));
        }
        Node::new(Kind::Ctl, format!("({template})"), parts)
    }

    /// A formula of linear time, with the past.
    pub fn ltl(&mut self, depth: usize) -> Node {
        if depth == 0 || self.rng.chance(15) {
            return self.truth(1);
        }
        let deeper = depth - 1;
        let (template, binary) = match self.rng.below(10) {
            0..=3 => (format!("{} $0", self.rng.pick(&["X", "F", "G"])), false),
            4 => (format!("{} $0", self.rng.pick(&["Y", "Z", "O", "H"])), false),
            5 => (format!("$0 {} $1", self.rng.pick(&["U", "V"])), true),
            6 => (format!("$0 {} $1", self.rng.pick(&["S", "T"])), true),
            7 if self.modern => {
                let bounds = self.bounds(",");
                (format!("{} [{bounds}] $0", self.rng.pick(&["F", "G", "O", "H"])), false)
            }
            8 => ("!$0".to_owned(), false),
            _ => (format!("$0 {} $1", self.rng.pick(&["&", "|", "->", "<->", "xor"])), true),
        };
        let mut parts = vec![self.ltl(deeper)];
        if binary {
            parts.push(self.ltl(deeper));
        }
        Node::new(Kind::Ltl, format!("({template})"), parts)
    }

    fn bounds(&mut self, between: &str) -> String {
        let low = self.rng.below(3);
        format!("{low}{between}{}", low + self.rng.below(3))
    }
}
