//! Models written in Rust.
//!
//! ```
//! use lurcher::{RustModel, StateMachine, Subject};
//!
//! /// Two clients and one lock that the second client forgets to test.
//! struct Lock;
//!
//! #[derive(Clone, Debug, PartialEq, Eq, Hash)]
//! struct State { inside: [bool; 2] }
//!
//! impl StateMachine for Lock {
//!     type State = State;
//!     type Action = usize;
//!
//!     fn initial(&self) -> Vec<State> {
//!         vec![State { inside: [false; 2] }]
//!     }
//!
//!     fn actions(&self, state: &State, actions: &mut Vec<usize>) {
//!         let free = !state.inside[0] && !state.inside[1];
//!         actions.extend((0..2).filter(|&i| state.inside[i] || free || i == 1));
//!     }
//!
//!     fn apply(&self, state: &mut State, client: &usize) {
//!         state.inside[*client] = !state.inside[*client];
//!     }
//!
//!     fn invariant(&self, state: &State) -> bool {
//!         state.inside != [true; 2]
//!     }
//! }
//!
//! # fn main() -> Result<(), lurcher::CheckError> {
//! let outcome = RustModel::new(Lock).hunt().run()?;
//! assert!(outcome.is_violated());
//! # Ok(())
//! # }
//! ```

use lurcher_engines::{Checked, EngineError, Executed, Own, OwnStep, Run, StateMachine, Task, check_with, replay_own};
use lurcher_ir::{AtomId, Formula, Property, PropertyKind};
use lurcher_search::Observer;

use crate::check::Subject;
use crate::question::{Question, QuestionError};

/// A model written in Rust.
#[derive(Debug)]
pub struct RustModel<M> {
    own: Own<M>,
}

impl<M: StateMachine> RustModel<M> {
    /// The model of a state machine.
    pub fn new(machine: M) -> Self {
        RustModel { own: Own { machine } }
    }

    /// The state machine.
    pub fn machine(&self) -> &M {
        &self.own.machine
    }

    /// Executes a path again; returns its states with the actions that lead to them.
    ///
    /// # Errors
    /// The index of the first step that is not possible.
    pub fn replay(&self, path: &[OwnStep]) -> Result<Vec<Executed<M>>, usize> {
        replay_own(&self.own.machine, path)
    }
}

impl<M: StateMachine> Subject for RustModel<M> {
    fn questions(&self) -> Vec<Question> {
        vec![Question::Named("safety".to_owned())]
    }

    /// `safety` means the invariant and deadlocks; formulas are about the state machine's propositions.
    fn resolve(&mut self, question: &Question) -> Result<Vec<Property>, QuestionError> {
        let unknown = |why: String| Err(QuestionError::Unknown(why));
        match question {
            Question::Named(name) if name == "safety" => Ok(vec![Property::built_in(name, PropertyKind::Safety)]),
            Question::Named(name) => unknown(format!("there is no property `{name}`; there is safety")),
            Question::Ltl(name, text) => {
                let propositions = self.own.machine.propositions();
                let mut parser = Parser { text, at: 0, propositions };
                let formula = parser.whole().map_err(QuestionError::Unknown)?;
                let kind = PropertyKind::Ltl { formula, atoms: Vec::new() };
                Ok(vec![Property { text: text.clone(), ..Property::built_in(name, kind) }])
            }
            Question::Ctl(..) | Question::Invariant(..) => {
                unknown("models written in Rust have safety and LTL over their propositions".to_owned())
            }
        }
    }

    fn check(
        &self,
        engine: &str,
        asked: &[(Question, Property)],
        task: Task<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Checked, EngineError> {
        let properties: Vec<Property> = asked.iter().map(|(_, p)| p.clone()).collect();
        check_with(engine, Run { model: &self.own, properties: &properties, task: &task, observer })
    }
}

/// Reads LTL in Spin's syntax over names: `[] <> X ! U W V && || -> <->`, weakest last, and parentheses.
struct Parser<'t> {
    text: &'t str,
    at: usize,
    propositions: &'static [&'static str],
}

type Binary = fn(Box<Formula>, Box<Formula>) -> Formula;

/// Binary operators, the weakest first; all associate to the right.
const LEVELS: [&[(&str, Binary)]; 4] = [
    &[("<->", Formula::Iff), ("->", Formula::Implies)],
    &[("||", Formula::Or)],
    &[("&&", Formula::And)],
    &[("U", Formula::Until), ("W", Formula::WeakUntil), ("V", Formula::Release)],
];

impl Parser<'_> {
    fn whole(&mut self) -> Result<Formula, String> {
        let formula = self.binary(0)?;
        match self.rest().is_empty() {
            true => Ok(formula),
            false => Err(format!("`{}` is not expected there", self.rest())),
        }
    }

    fn rest(&self) -> &str {
        self.text[self.at..].trim_start()
    }

    /// Takes a symbol if it comes next; words end where names end.
    fn takes(&mut self, symbol: &str) -> bool {
        let rest = self.rest();
        let word = symbol.starts_with(|c: char| c.is_alphabetic());
        let ends = |rest: &str| !word || !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        let Some(after) = rest.strip_prefix(symbol).filter(|rest| ends(rest)) else { return false };
        self.at = self.text.len() - after.len();
        true
    }

    fn binary(&mut self, level: usize) -> Result<Formula, String> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let left = self.binary(level + 1)?;
        for (symbol, combine) in *operators {
            if self.takes(symbol) {
                return Ok(combine(Box::new(left), Box::new(self.binary(level)?)));
            }
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Formula, String> {
        type Unary = fn(Box<Formula>) -> Formula;
        let operators: [(&str, Unary); 4] =
            [("[]", Formula::Always), ("<>", Formula::Eventually), ("X", Formula::Next), ("!", Formula::Not)];
        for (symbol, combine) in operators {
            if self.takes(symbol) {
                return Ok(combine(Box::new(self.unary()?)));
            }
        }
        if self.takes("(") {
            let inner = self.binary(0)?;
            return if self.takes(")") { Ok(inner) } else { Err("a `)` is missing".to_owned()) };
        }
        let rest = self.rest();
        let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        self.at = self.text.len() - rest.len() + name.len();
        match (name.as_str(), self.propositions.iter().position(|p| *p == name)) {
            (_, Some(index)) => Ok(Formula::Atom(AtomId(index as u32))),
            ("true", None) => Ok(Formula::True),
            ("false", None) => Ok(Formula::False),
            ("", None) => Err(format!("a proposition is missing at `{}`", self.rest())),
            (name, None) => {
                Err(format!("there is no proposition `{name}`; there are {}", self.propositions.join(", ")))
            }
        }
    }
}
