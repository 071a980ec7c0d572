//! A trial: everything that decides what happens in it.

use std::time::Duration;

use lurcher::engines::{Info, Options, TRIAL_STATES};
use lurcher_syntax::glob;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::spec::{Limits, PeerLimits};

/// What runs a trial.
#[derive(Clone, Debug)]
pub enum Way {
    Engine { info: &'static Info, options: Options },
    Spin(PeerLimits),
    Nusmv(PeerLimits),
}

impl Way {
    /// Whether the seed makes a difference.
    pub fn is_random(&self) -> bool {
        matches!(self, Way::Engine { info, .. } if info.random)
    }

    /// Whether a limit on stored states ends a trial: those of complete searches and of randomised searches.
    pub fn stores_states(&self) -> bool {
        let has_limit = |info: &Info| info.reads(TRIAL_STATES.name);
        matches!(self, Way::Engine { info, .. } if !info.random || has_limit(info))
    }
}

#[derive(Clone, Debug)]
pub struct Trial {
    /// The model, among those of the plan.
    pub instance: usize,
    /// The question, among those of the instance.
    pub question: usize,
    pub way: Way,
    pub seed: u64,
    pub limits: Limits,
    pub minimise: bool,
    pub keep_trace: bool,
    /// All of this as text.
    pub parameters: Parameters,
}

/// The parameters of a trial as text. Two trials with the same parameters are the same trial.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Parameters {
    pub model: String,
    /// A fingerprint of the model's text.
    pub text: String,
    pub define: String,
    pub property: String,
    pub engine: String,
    pub select: String,
    pub guide: String,
    pub bias: String,
    pub reverse: String,
    pub restart: String,
    pub until: String,
    pub depth: String,
    pub minimise: String,
    pub seed: String,
    pub max_walks: String,
    pub max_time: String,
    pub max_memory: String,
    pub max_states: String,
}

impl Parameters {
    /// Names and values, in the order of the columns.
    pub fn fields(&self) -> [(&'static str, &str); 18] {
        [
            ("model", &self.model),
            ("text", &self.text),
            ("define", &self.define),
            ("property", &self.property),
            ("engine", &self.engine),
            ("select", &self.select),
            ("guide", &self.guide),
            ("bias", &self.bias),
            ("reverse", &self.reverse),
            ("restart", &self.restart),
            ("until", &self.until),
            ("depth", &self.depth),
            ("minimise", &self.minimise),
            ("seed", &self.seed),
            ("max_walks", &self.max_walks),
            ("max_time", &self.max_time),
            ("max_memory", &self.max_memory),
            ("max_states", &self.max_states),
        ]
    }

    /// A short name that stands for all of them: in file names, and from table to trial.
    pub fn id(&self) -> String {
        let text: Vec<String> = self.fields().iter().map(|(name, value)| format!("{name}={value}")).collect();
        format!("{:016x}", xxh3_64(text.join("\u{1f}").as_bytes()))
    }

    /// Whether a pattern such as `guide=none`, `N=10` or `engine=sp*` matches.
    pub fn matches(&self, pattern: &str) -> bool {
        let named = self.fields().iter().any(|(name, value)| glob(pattern, &format!("{name}={value}")));
        named || self.define.split(' ').any(|define| glob(pattern, define))
    }
}

/// A time as parameters show it.
pub(crate) fn seconds(time: Duration) -> String {
    format!("{}s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_parameters_and_macros() {
        let define = "N=10 LOW_PEP=1".to_owned();
        let trial = Parameters { define, guide: "local-distance".to_owned(), ..Parameters::default() };
        assert!(trial.matches("N=10") && trial.matches("guide=local*") && trial.matches("guide=*distance"));
        assert!(!trial.matches("N=1") && !trial.matches("guide=none") && !trial.matches("local-distance"));
    }

    #[test]
    fn equal_parameters_have_equal_ids_and_others_do_not() {
        let one = Parameters { seed: "1".to_owned(), ..Parameters::default() };
        let other = Parameters { max_walks: "1".to_owned(), ..Parameters::default() };
        assert_eq!(one.id(), one.clone().id());
        assert_ne!(one.id(), other.id());
    }
}
