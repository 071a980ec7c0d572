//! What went wrong, in words that both tools share.

use std::collections::BTreeSet;
use std::fmt;

/// A kind of violation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// An invalid end state.
    Deadlock,
    /// A failed `assert`.
    Assertion,
    /// A run-time fault: division by zero, index out of bounds, wrong message fields, …
    Fault,
    /// A `trace` or `notrace` automaton refused an event.
    EventTrace,
    /// A never claim or the negation of an `ltl` formula ran to its end, or accepts a cycle.
    Claim,
    /// A cycle without progress.
    NonProgress,
}

impl Kind {
    /// The kind behind a message of `pan` (`pan:1: <message> (at depth 7)`).
    pub fn of_pan(message: &str) -> Kind {
        match message {
            _ if message.contains("invalid array index") => Kind::Fault,
            _ if message.starts_with("assertion violated") => Kind::Assertion,
            _ if message.starts_with("invalid end state") => Kind::Deadlock,
            _ if message.starts_with("end state in claim") => Kind::Claim,
            _ if message.starts_with("acceptance cycle") || message.starts_with("accept stutter") => Kind::Claim,
            _ if message.starts_with("non-progress cycle") => Kind::NonProgress,
            _ if message.starts_with("event_trace error") => Kind::EventTrace,
            _ => Kind::Fault,
        }
    }

    /// The kind behind `property.kind` of lurcher's JSON.
    pub fn of_lurcher(kind: &str) -> Option<Kind> {
        match kind {
            "deadlock" => Some(Kind::Deadlock),
            "assertion" => Some(Kind::Assertion),
            "fault" => Some(Kind::Fault),
            "trace" | "notrace" | "event-trace" => Some(Kind::EventTrace),
            "ltl" | "never" | "acceptance" => Some(Kind::Claim),
            "non-progress" => Some(Kind::NonProgress),
            _ => None,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Deadlock => "deadlock",
            Kind::Assertion => "assertion",
            Kind::Fault => "fault",
            Kind::EventTrace => "trace",
            Kind::Claim => "claim",
            Kind::NonProgress => "non-progress",
        })
    }
}

/// The kinds of violation a complete search met; none means the property holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Kinds(pub BTreeSet<Kind>);

impl Kinds {
    /// Whether nothing was violated.
    pub fn holds(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether `kind` is among them.
    pub fn has(&self, kind: Kind) -> bool {
        self.0.contains(&kind)
    }
}

impl FromIterator<Kind> for Kinds {
    fn from_iter<I: IntoIterator<Item = Kind>>(kinds: I) -> Self {
        Kinds(kinds.into_iter().collect())
    }
}

impl fmt::Display for Kinds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.holds() {
            return f.write_str("holds");
        }
        let words: Vec<String> = self.0.iter().map(Kind::to_string).collect();
        f.write_str(&words.join("+"))
    }
}
