//! What is asked about a model, in a form that can be asked again of another instance of it.

use std::fmt;

use lurcher_ir::Property;
use lurcher_syntax::{Diagnostic, did_you_mean, glob};
use lurcher_trace::{Formula, Header};

/// A property as the user names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// By name: one that the model states, or one that every model has.
    Named(String),
    /// A temporal formula: its name and text.
    Ltl(String, String),
    /// A branching-time formula: its name and text.
    Ctl(String, String),
    /// An expression that holds in every state: its name and text.
    Invariant(String, String),
}

impl Question {
    /// An invariant under its usual name.
    pub fn invariant(text: &str) -> Question {
        Question::Invariant("invariant".to_owned(), text.to_owned())
    }

    /// The formula, where the question has one.
    pub(crate) fn formula(&self) -> Option<Formula> {
        match self {
            Question::Named(_) => None,
            Question::Ltl(_, text) => Some(Formula::Ltl(text.clone())),
            Question::Ctl(_, text) => Some(Formula::Ctl(text.clone())),
            Question::Invariant(_, text) => Some(Formula::Invariant(text.clone())),
        }
    }

    /// The question that a trace is about.
    pub(crate) fn of(header: &Header) -> Question {
        let name = header.property.clone();
        match header.formula.clone() {
            None => Question::Named(name),
            Some(Formula::Ltl(text)) => Question::Ltl(name, text),
            Some(Formula::Ctl(text)) => Question::Ctl(name, text),
            Some(Formula::Invariant(text)) => Question::Invariant(name, text),
        }
    }

    /// The questions that a selection means, each once: names may be separated by commas, and `*` in a name stands for
    /// anything. Patterns are about the properties that are checked by default, which are `known` and come first, in their
    /// order.
    ///
    /// # Errors
    /// When a pattern matches nothing.
    pub fn select(questions: &[Question], known: &[Question]) -> Result<Vec<Question>, QuestionError> {
        let mut selected: Vec<Question> = Vec::new();
        let mut add = |question: &Question| {
            if !selected.contains(question) {
                selected.push(question.clone());
            }
        };
        for question in questions {
            match question {
                Question::Named(text) if !known.contains(question) && text.contains([',', '*']) => {
                    for name in text.split(',').map(str::trim) {
                        if !name.contains('*') {
                            add(&Question::Named(name.to_owned()));
                            continue;
                        }
                        let matching: Vec<&Question> = known.iter().filter(|q| glob(name, q.name())).collect();
                        if matching.is_empty() {
                            let names: Vec<&str> = known.iter().map(Question::name).collect();
                            let names = listed(&names);
                            let why = format!("`{name}` matches no property that is checked by default: {names}");
                            return Err(QuestionError::Unknown(why));
                        }
                        matching.into_iter().for_each(&mut add);
                    }
                }
                other => add(other),
            }
        }
        selected.sort_by_key(|question| known.iter().position(|k| k == question).unwrap_or(usize::MAX));
        Ok(selected)
    }

    /// The name of the property.
    pub fn name(&self) -> &str {
        match self {
            Question::Named(name) | Question::Ltl(name, _) | Question::Ctl(name, _) | Question::Invariant(name, _) => {
                name
            }
        }
    }
}

/// The kind and the text of a formula, or the name.
impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Question::Named(name) => f.write_str(name),
            Question::Ltl(_, text) => write!(f, "ltl {text}"),
            Question::Ctl(_, text) => write!(f, "ctl {text}"),
            Question::Invariant(_, text) => write!(f, "invariant {text}"),
        }
    }
}

/// Why a question cannot be asked of a model.
#[derive(Debug)]
#[non_exhaustive]
pub enum QuestionError {
    /// There is no such property.
    Unknown(String),
    /// The text cannot be read: what it is, and why.
    Rejected(&'static str, Vec<Diagnostic>),
}

impl fmt::Display for QuestionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            QuestionError::Unknown(why) => f.write_str(why),
            QuestionError::Rejected(what, diagnostics) => {
                let first = diagnostics.first().map_or("", |d| d.message.as_str());
                write!(f, "the {what} cannot be read: {first}")
            }
        }
    }
}

impl std::error::Error for QuestionError {}

/// The most names that a message lists.
const MOST_NAMES: usize = 20;

fn listed(names: &[&str]) -> String {
    let shown = names[..names.len().min(MOST_NAMES)].join(", ");
    match names.len().saturating_sub(MOST_NAMES) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// There is no property of that name. `built_in` are those that every model has.
pub(crate) fn unknown(name: &str, stated: &[Property], built_in: &[&str], also: &str) -> QuestionError {
    let known: Vec<&str> = stated.iter().map(|p| p.name.as_str()).collect();
    let near = did_you_mean(name, known.iter().chain(built_in).copied());
    let known = if known.is_empty() { "states none".to_owned() } else { format!("states {}", listed(&known)) };
    QuestionError::Unknown(format!("there is no property `{name}`; the model {known}; {also}{near}"))
}
