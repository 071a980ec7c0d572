//! Transitions.

use lurcher_syntax::Span;

use super::{Domain, TermId};

/// An own transition, for one choice of its parameters of finite types.
#[derive(Clone, Debug)]
pub struct Transition {
    /// Its name, such as `print(3)`.
    pub name: String,
    /// Its declaration; transitions of one declaration have the same number and stand together.
    pub declaration: u32,
    /// Whether it starts only when it is called.
    pub exported: bool,
    /// Its parameters that are unbounded numbers.
    pub parameters: Vec<Parameter>,
    /// Its `ENTRY` and `EXCEPT` cases, never empty. Any of them is a start of the transition.
    pub cases: Vec<Case>,
    /// Where it is declared.
    pub span: Span,
}

/// A parameter whose type is not finite.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its values.
    pub domain: Domain,
    /// What its type says beyond the domain: formulas over constants and the parameter.
    pub conditions: Vec<TermId>,
}

/// One way in which a transition happens.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its name: that of the transition, with ` except 1` for its first exception.
    pub name: String,
    /// The entry assertion.
    pub entry: TermId,
    /// The exit assertion, with everything that keeps its value.
    pub exit: TermId,
    /// The duration: a positive number or a constant that the axioms make positive.
    pub duration: TermId,
    /// Where its entry assertion stands.
    pub span: Span,
}

/// A transition of another instance, of which only the events are known.
#[derive(Clone, Debug)]
pub struct ImportedTransition {
    /// Its name, such as `the_panel.press(2)`.
    pub name: String,
    /// The instance, an index into [`Model::instances`](super::Model::instances).
    pub instance: u32,
    /// Its parameters that are unbounded numbers.
    pub parameters: Vec<Parameter>,
    /// Where it is declared.
    pub span: Span,
}
