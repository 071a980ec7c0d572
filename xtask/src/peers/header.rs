//! What a model's header comment expects.
//!
//! The keys stand in the first comment of the file, one per line, perhaps after a `*`:
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

/// A header, read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Header {
    /// Keys and values, in order.
    entries: Vec<(String, String)>,
}

const KEYS: [&str; 9] =
    ["expect", "property", "shortest", "stored", "ltl", "never", "non-progress", "define", "message-loss"];

impl Header {
    /// Reads the first comment of a file.
    pub fn read(text: &str) -> Header {
        let comment = text
            .trim_start()
            .strip_prefix("/*")
            .and_then(|rest| rest.split_once("*/"))
            .map_or("", |(inside, _)| inside);
        let entry = |line: &str| {
            let (key, value) = line.trim().trim_start_matches('*').trim().split_once(':')?;
            let key = key.split_whitespace().collect::<Vec<_>>().join(" ");
            let first = key.split(' ').next()?;
            KEYS.contains(&first).then(|| (key.clone(), value.trim().to_owned()))
        };
        Header { entries: comment.lines().filter_map(entry).collect() }
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.entries.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    /// The keys that expect something of a claim.
    pub fn claims(&self) -> impl Iterator<Item = (&str, &str)> {
        let is_claim = |key: &str| ["ltl", "never", "non-progress"].contains(&key.split(' ').next().unwrap_or(""));
        self.entries.iter().filter(move |(key, _)| is_claim(key)).map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// `NAME=VALUE` overrides.
    pub fn defines(&self) -> Vec<String> {
        self.entries.iter().filter(|(key, _)| key == "define").map(|(_, value)| value.clone()).collect()
    }

    /// Whether channels lose messages.
    pub fn loses_messages(&self) -> bool {
        self.get("message-loss").is_some_and(|value| value == "yes")
    }

    /// The header says that Spin has no stable number of states.
    pub fn uncountable(&self) -> bool {
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
}
