//! The expectations in the first comment of a model, one `key: value` per line.
//!
//! Promela, in `/* … */`, each line perhaps after a `*`:
//!
//! ```text
//! expect: violated          (safety: end states, assertions, faults)
//! property: deadlock        (the kind of violation; `safety` when none)
//! shortest: 8               (steps of a shortest counterexample)
//! stored: 80                (`-` where Spin has no stable number)
//! ltl NAME [fair]: holds
//! never: violated
//! non-progress [fair]: holds
//! define: N=4
//! message-loss: yes
//! ```
//!
//! SMV, in lines that start with `--`:
//!
//! ```text
//! reachable states: 61
//! deadlock: yes
//! property NAME: violated, shortest 2
//! ```

/// The entries of a header.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Header {
    entries: Vec<(String, String)>,
}

/// First words of keys.
const KEYS: &str = "expect property shortest stored ltl never non-progress define message-loss reachable deadlock";

impl Header {
    /// Reads the first comment of a Promela or SMV text.
    pub fn read(text: &str) -> Header {
        let entry = |line: &str| {
            let (key, value) = line.trim().trim_start_matches('*').trim().split_once(':')?;
            let key = key.split_whitespace().collect::<Vec<_>>().join(" ");
            let first = key.split(' ').next()?;
            KEYS.split(' ').any(|known| known == first).then(|| (key.clone(), value.trim().to_owned()))
        };
        let promela = text.trim_start().strip_prefix("/*").and_then(|rest| rest.split_once("*/"));
        let entries = match promela {
            Some((comment, _)) => comment.lines().filter_map(entry).collect(),
            None => text.lines().map_while(|line| line.strip_prefix("--")).filter_map(entry).collect(),
        };
        Header { entries }
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.entries.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    /// The entries whose key starts with one of these words, or is one of them.
    fn starting<'h>(&'h self, words: &'h [&str]) -> impl Iterator<Item = (&'h str, &'h str)> {
        let matches = |key: &str| words.contains(&key.split(' ').next().unwrap_or(""));
        self.entries.iter().filter(move |(key, _)| matches(key)).map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// The expected verdicts of claims: `ltl NAME`, `never`, `non-progress`, each perhaps `fair`.
    pub fn claims(&self) -> impl Iterator<Item = (&str, &str)> {
        self.starting(&["ltl", "never", "non-progress"])
    }

    /// The expected verdicts of SMV specifications.
    pub fn specifications(&self) -> impl Iterator<Item = (&str, &str)> {
        let verdict = |value: &'_ str| value.find(',').unwrap_or(value.len());
        let named = self.starting(&["property"]).filter_map(|(key, value)| Some((key.split_once(' ')?.1, value)));
        named.map(move |(name, value)| (name, &value[..verdict(value)]))
    }

    /// `NAME=VALUE` overrides.
    pub fn defines(&self) -> Vec<String> {
        self.starting(&["define"]).map(|(_, value)| value.to_owned()).collect()
    }

    /// Whether full channels lose messages.
    pub fn loses_messages(&self) -> bool {
        self.get("message-loss") == Some("yes")
    }

    /// Whether Spin has no stable number of stored states for the model.
    pub fn is_uncountable(&self) -> bool {
        self.get("stored") == Some("-")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found_among_prose() {
        let header = Header::read(
            "/*\n * Philosophers: they starve.\n *\n * expect: violated\n * stored: 80\n * ltl turns  fair: holds\n * define: N=4\n * define: M=2\n */\nbyte x; /* expect: holds */",
        );
        assert_eq!((header.get("expect"), header.get("stored")), (Some("violated"), Some("80")));
        assert_eq!(header.claims().collect::<Vec<_>>(), [("ltl turns fair", "holds")]);
        assert_eq!(header.defines(), ["N=4", "M=2"]);
    }

    #[test]
    fn smv_headers_are_read() {
        let header = Header::read(
            "-- m.smv: a: b\n--\n-- reachable states: 61\n-- deadlock: yes\n-- property p: violated, shortest 2\nMODULE main\n-- property q: holds\n",
        );
        assert_eq!((header.get("reachable states"), header.get("deadlock")), (Some("61"), Some("yes")));
        assert_eq!(header.specifications().collect::<Vec<_>>(), [("p", "violated")]);
    }
}
