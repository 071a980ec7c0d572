//! Terms as text, with the spelling of the declarations. Every operator stands in parentheses.

use super::{Owner, Specification, TermId, TermKind, TypeKind};

impl Specification {
    /// A term as text.
    pub fn text(&self, term: TermId) -> String {
        match &self.terms[term].kind {
            TermKind::Boolean(true) => "TRUE".to_owned(),
            TermKind::Boolean(false) => "FALSE".to_owned(),
            TermKind::Number(n) if n.denominator == 1 => n.numerator.to_string(),
            TermKind::Number(n) => format!("{}/{}", n.numerator, n.denominator),
            TermKind::Enumerator(id, value) => match &self.types[id.index()].kind {
                TypeKind::Enumeration(values) => values[*value as usize].clone(),
                other => unreachable!("{other:?} has no named values"),
            },
            TermKind::Now => "now".to_owned(),
            TermKind::SelfId => "Self".to_owned(),
            TermKind::Instance(id, index) => {
                let index = index.map_or(String::new(), |i| format!("[{}]", self.text(i)));
                format!("{}{index}", self.instances[id.index()].name)
            }
            TermKind::Bound(id) => self.bound[id.index()].name.clone(),
            TermKind::Constant(id, list) => self.applied(&self.constants[id.index()].name, false, list),
            TermKind::Variable { variable, owner, arguments, primed } => {
                let name = &self.variables[variable.index()].name;
                self.owner(*owner) + &self.applied(name, *primed, arguments)
            }
            TermKind::Define(id, list, primed) => self.applied(&self.defines[id.index()].name, *primed, list),
            TermKind::Not(a) => format!("~{}", self.text(*a)),
            TermKind::Minus(a) => format!("-{}", self.text(*a)),
            TermKind::Binary(..) => self.chain(term),
            TermKind::If(c, a, b) => {
                format!("IF {} THEN {} ELSE {} FI", self.text(*c), self.text(*a), self.text(*b))
            }
            TermKind::IsOf(a, process) => {
                format!("(IDTYPE({}) = {})", self.text(*a), self.processes[process.index()].name)
            }
            TermKind::Quantified(quantifier, bound, body) => {
                let bound = bound.iter().map(|b| &self.bound[b.index()]);
                let names: Vec<_> = bound.map(|b| format!("{}: {}", b.name, self.type_name(b.ty))).collect();
                format!("{} {} ({})", quantifier.symbol(), names.join(", "), self.text(*body))
            }
            TermKind::Event(event) => {
                let transition = &self.transitions[event.transition.index()].name;
                let what = self.applied(transition, false, &event.arguments);
                let (owner, kind) = (self.owner(event.owner), event.kind.symbol());
                format!("{owner}{kind}{}({what}{})", nth(event.nth), self.at(event.at))
            }
            TermKind::Change { of, nth: k, at } => format!("Change{}({}{})", nth(*k), self.text(*of), self.at(*at)),
            TermKind::Past(of, at) => format!("past({}, {})", self.text(*of), self.text(*at)),
            TermKind::Becomes(variable, value) => format!("({} BECOMES {})", self.text(*variable), self.text(*value)),
            TermKind::NoChange(list) => self.applied("NOCHANGE", false, list),
        }
    }

    /// Binary operators. Chains are as long as the source, so that their left operands are followed without recursion.
    fn chain(&self, term: TermId) -> String {
        let mut operations = Vec::new();
        let mut first = term;
        while let TermKind::Binary(op, a, b) = self.terms[first].kind {
            operations.push((op, b));
            first = a;
        }
        let mut out = "(".repeat(operations.len()) + &self.text(first);
        for (op, operand) in operations.into_iter().rev() {
            out += &format!(" {} {})", op.symbol(), self.text(operand));
        }
        out
    }

    fn applied(&self, name: &str, primed: bool, arguments: &[TermId]) -> String {
        let prime = if primed { "'" } else { "" };
        let arguments: Vec<_> = arguments.iter().map(|&a| self.text(a)).collect();
        if arguments.is_empty() { format!("{name}{prime}") } else { format!("{name}{prime}({})", arguments.join(", ")) }
    }

    fn owner(&self, owner: Owner) -> String {
        owner.term().map_or(String::new(), |term| format!("{}.", self.text(term)))
    }

    fn at(&self, at: Option<TermId>) -> String {
        at.map_or(String::new(), |t| format!(", {}", self.text(t)))
    }
}

/// `[k]`, unless it is the last event.
fn nth(nth: u32) -> String {
    if nth == 1 { String::new() } else { format!("[{nth}]") }
}
