//! Random expressions over words.

use super::super::program::{Kind, Node};
use super::expression::Writer;

impl Writer<'_> {
    pub fn word(&mut self, signed: bool, width: u32, depth: usize) -> Node {
        let kind = Kind::Word { signed, width };
        if depth == 0 || self.rng.chance(25) {
            return self.name(kind).unwrap_or_else(|| self.word_constant(signed, width));
        }
        let deeper = depth - 1;
        let (template, parts): (String, Vec<Node>) = match self.rng.below(13) {
            0..=4 => {
                let operator = *self.rng.pick(&["+", "-", "*", "&", "|", "xor", "xnor"]);
                let parts = vec![self.word(signed, width, deeper), self.word(signed, width, deeper)];
                (format!("($0 {operator} $1)"), parts)
            }
            5 => {
                let operator = *self.rng.pick(&["!", "-"]);
                (format!("({operator} $0)"), vec![self.word(signed, width, deeper)])
            }
            6 => {
                let operator = *self.rng.pick(&["/", "mod"]);
                let zero = format!("0{}d{width}_0", if signed { 's' } else { 'u' });
                let parts = vec![self.word(signed, width, deeper), self.word(signed, width, deeper)];
                (format!("($1 = {zero} ? $0 : $0 {operator} $1)"), parts)
            }
            7 => {
                let (operator, by) = (*self.rng.pick(&["<<", ">>"]), self.rng.between(0, width as usize));
                (format!("($0 {operator} {by})"), vec![self.word(signed, width, deeper)])
            }
            8 => {
                let operator = *self.rng.pick(&["<<", ">>"]);
                // Not a constant: NuSMV rejects one that is too large even under a guard.
                let Some(amount) = self.name(Kind::Int) else { return self.word(signed, width, deeper) };
                let parts = vec![self.word(signed, width, deeper), amount];
                (format!("(($1 + 0) in 0..{width} ? $0 {operator} ($1 + 0) : $0)"), parts)
            }
            9 => {
                let other = self.rng.between(1, 3) as u32;
                (format!("resize($0, {width})"), vec![self.word(signed, other, deeper)])
            }
            10 => {
                let to = if signed { "signed" } else { "unsigned" };
                (format!("{to}($0)"), vec![self.word(!signed, width, deeper)])
            }
            11 => return self.pieces(signed, width, deeper),
            _ => {
                let parts =
                    vec![self.truth(deeper), self.word(signed, width, deeper), self.word(signed, width, deeper)];
                ("($0 ? $1 : $2)".to_owned(), parts)
            }
        };
        Node::new(kind, template, parts)
    }

    /// Words made of parts of words, or from other types.
    fn pieces(&mut self, signed: bool, width: u32, depth: usize) -> Node {
        let kind = Kind::Word { signed, width };
        let cast = |template: &str| if signed { format!("signed({template})") } else { template.to_owned() };
        match (self.rng.below(3), width) {
            (0, 1) => Node::new(kind, cast("word1($0)"), vec![self.truth(depth)]),
            (0, _) => {
                let low = self.rng.between(1, width as usize - 1) as u32;
                let sides = (self.rng.chance(30), self.rng.chance(30));
                let parts = vec![self.word(sides.0, width - low, depth), self.word(sides.1, low, depth)];
                Node::new(kind, cast("($0 :: $1)"), parts)
            }
            (1, _) => {
                let from = self.rng.between(width as usize, 3) as u32;
                let low = self.rng.below((from - width + 1) as usize) as u32;
                let side = self.rng.chance(30);
                Node::new(kind, cast(&format!("$0[{}:{low}]", low + width - 1)), vec![self.word(side, from, depth)])
            }
            (_, 1) => self.word_constant(signed, width),
            _ => {
                let by = self.rng.between(1, width as usize - 1) as u32;
                Node::new(kind, format!("extend($0, {by})"), vec![self.word(signed, width - by, depth)])
            }
        }
    }

    /// A constant word.
    pub fn word_constant(&mut self, signed: bool, width: u32) -> Node {
        let kind = Kind::Word { signed, width };
        let sign = if signed { 's' } else { 'u' };
        let value = self.rng.below(1 << width);
        let text = match self.rng.below(3) {
            0 => format!("0{sign}b{width}_{value:0width$b}", width = width as usize),
            1 => format!("{sign}wconst({}, {width})", value >> usize::from(signed)),
            _ => format!("0{sign}d{width}_{}", value >> usize::from(signed)),
        };
        Node::leaf(kind, text)
    }
}
