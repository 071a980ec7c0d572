//! Kinds of violation, in words that Spin and lurcher share.

use std::collections::BTreeSet;
use std::fmt;

/// A kind of violation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ViolationKind {
    /// An invalid end state.
    Deadlock,
    /// A failed `assert`.
    Assertion,
    /// A run-time fault: division by zero, index out of bounds, wrong message fields, …
    Fault,
    /// A `trace` or `notrace` automaton rejects an event.
    EventTrace,
    /// A never claim or the negation of an `ltl` formula reaches its end or accepts a cycle.
    Claim,
    /// A cycle without progress.
    NonProgress,
}

impl ViolationKind {
    /// The kind of a message of `pan`: `pan:1: MESSAGE (at depth 7)`.
    pub fn of_pan(message: &str) -> ViolationKind {
        let starts = |words: &[&str]| words.iter().any(|w| message.starts_with(w));
        match message {
            _ if message.contains("invalid array index") => ViolationKind::Fault,
            _ if starts(&["assertion violated"]) => ViolationKind::Assertion,
            _ if starts(&["invalid end state"]) => ViolationKind::Deadlock,
            _ if starts(&["end state in claim", "acceptance cycle", "accept stutter"]) => ViolationKind::Claim,
            _ if starts(&["non-progress cycle"]) => ViolationKind::NonProgress,
            _ if starts(&["event_trace error"]) => ViolationKind::EventTrace,
            _ => ViolationKind::Fault,
        }
    }

    /// The kind of `property.kind` in lurcher's JSON.
    pub fn of_lurcher(kind: &str) -> Option<ViolationKind> {
        match kind {
            "deadlock" => Some(ViolationKind::Deadlock),
            "assertion" => Some(ViolationKind::Assertion),
            "fault" => Some(ViolationKind::Fault),
            "trace" | "notrace" | "event-trace" => Some(ViolationKind::EventTrace),
            "ltl" | "never" | "acceptance" => Some(ViolationKind::Claim),
            "non-progress" => Some(ViolationKind::NonProgress),
            _ => None,
        }
    }
}

impl fmt::Display for ViolationKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ViolationKind::Deadlock => "deadlock",
            ViolationKind::Assertion => "assertion",
            ViolationKind::Fault => "fault",
            ViolationKind::EventTrace => "trace",
            ViolationKind::Claim => "claim",
            ViolationKind::NonProgress => "non-progress",
        })
    }
}

/// The kinds of violation that a search found; the empty set means that the property holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ViolationKinds(pub BTreeSet<ViolationKind>);

impl ViolationKinds {
    /// Whether no violation was found.
    pub fn holds(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a violation of this kind was found.
    pub fn has(&self, kind: ViolationKind) -> bool {
        self.0.contains(&kind)
    }
}

impl FromIterator<ViolationKind> for ViolationKinds {
    fn from_iter<I: IntoIterator<Item = ViolationKind>>(kinds: I) -> Self {
        ViolationKinds(kinds.into_iter().collect())
    }
}

impl fmt::Display for ViolationKinds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.holds() {
            return f.write_str("holds");
        }
        f.write_str(&self.0.iter().map(ViolationKind::to_string).collect::<Vec<_>>().join("+"))
    }
}
