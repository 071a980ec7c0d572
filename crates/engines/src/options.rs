//! Parameters of engines and the values that the user gives them.
//!
//! A [`Parameter`] is a name, a kind of value, a default and a line of help. Engines list the parameters they read; the
//! command line makes its flags from them and experiment files their keys. [`Options`] holds the values that were
//! given, as text that was checked.

use std::collections::BTreeMap;
use std::fmt;

use lurcher_search::{Ties, UNBOUNDED};
use lurcher_syntax::did_you_mean;

use crate::engine::Task;

pub use crate::processes::EXEC;

/// A parameter of an engine.
#[derive(Debug)]
pub struct Parameter {
    /// Its name: `--name` on the command line.
    pub name: &'static str,
    /// What its value is called in help; empty for flags.
    pub value: &'static str,
    /// What values it takes.
    pub kind: Kind,
    /// One line of help.
    pub help: &'static str,
    /// The default, in words.
    pub default: &'static str,
}

/// What values a parameter takes.
#[derive(Debug)]
pub enum Kind {
    /// None: it is given or not.
    Flag,
    /// A number.
    Number {
        /// The least.
        least: u64,
        /// The greatest.
        most: u64,
    },
    /// A number of steps, or `none`.
    Steps,
    /// A number of repeated states, or `loop` for one.
    Repeats,
    /// One of these words, each with its help.
    Word(&'static [(&'static str, &'static str)]),
    /// The name of a heuristic, or `none`; may be repeated.
    Heuristic,
    /// A number between 0 and 1, both excluded.
    Probability,
    /// A number, or `none`.
    Count,
    /// A number from 1 to 1000, with at most two decimals.
    Weight,
    /// Any text.
    Text,
    /// The name of a file whose text is the value.
    File,
}

/// The name of the heuristic that a model written in Rust brings along.
pub const OWN_GUIDE: &str = "own";

/// Values of parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    given: BTreeMap<&'static str, Vec<String>>,
}

impl Options {
    /// Gives a parameter a value, after those that it has.
    ///
    /// # Errors
    /// When the text is no value of it.
    pub fn add(&mut self, parameter: &'static Parameter, text: &str) -> Result<(), String> {
        let refused = |what: &str| Err(format!("`{text}` is {what}"));
        let number = text.parse::<u64>().ok();
        match &parameter.kind {
            Kind::Number { least, most } if number.is_none_or(|n| n < *least || n > *most) => {
                let most = if *most == u64::MAX { String::new() } else { format!(" to {most}") };
                return refused(&format!("no number from {least}{most}"));
            }
            Kind::Steps if text != "none" && number.is_none_or(|n| n == 0 || n > u64::from(UNBOUNDED)) => {
                return refused(&format!("no number of steps from 1 to {UNBOUNDED}, nor `none`"));
            }
            Kind::Repeats if text != "loop" && number.is_none_or(|n| n == 0 || n > u64::from(u32::MAX)) => {
                return refused("neither `loop` nor a number of repeated states");
            }
            Kind::Word(words) if words.iter().all(|(word, _)| *word != text) => {
                let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
                let near = did_you_mean(text, words.iter().copied());
                return refused(&format!("none of {}{near}", words.join(", ")));
            }
            Kind::Heuristic
                if !["none", OWN_GUIDE].contains(&text) && lurcher_heuristics::registry::heuristic(text).is_none() =>
            {
                let known: Vec<&str> = lurcher_heuristics::registry::HEURISTICS.iter().map(|h| h.name).collect();
                let near = did_you_mean(text, known.iter().copied());
                return refused(&format!("no guide; there are none, {}{near}", known.join(", ")));
            }
            Kind::Count if text != "none" && number.is_none_or(|n| n == 0) => {
                return refused("neither a number from 1 nor `none`");
            }
            Kind::Weight if hundredths(text).is_none() => {
                return refused("no number from 1 to 1000 with at most two decimals");
            }
            Kind::Probability if text.parse::<f64>().ok().is_none_or(|p| p <= 0.0 || p >= 1.0) => {
                return refused("not a number between 0 and 1");
            }
            _ => {}
        }
        self.given.entry(parameter.name).or_default().push(text.to_owned());
        Ok(())
    }

    /// The same, for values that are known to be right.
    ///
    /// # Panics
    /// When the text is no value of the parameter.
    pub fn with(mut self, parameter: &'static Parameter, text: &str) -> Options {
        self.add(parameter, text).expect("a value of the parameter");
        self
    }

    /// The same without values of some parameters.
    pub fn without(mut self, names: &[&str]) -> Options {
        self.given.retain(|name, _| !names.contains(name));
        self
    }

    /// The names of the parameters that have a value.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.given.keys().copied()
    }

    /// All values of a parameter.
    pub fn all(&self, parameter: &Parameter) -> &[String] {
        self.given.get(parameter.name).map_or(&[], Vec::as_slice)
    }

    /// The last value of a parameter as text.
    pub fn text(&self, parameter: &Parameter) -> Option<&str> {
        self.all(parameter).last().map(String::as_str)
    }

    /// The names of a list.
    pub fn names_of(&self, parameter: &Parameter) -> Vec<String> {
        let names = self.text(parameter).unwrap_or_default().split(',').map(str::trim);
        names.filter(|name| !name.is_empty()).map(str::to_owned).collect()
    }

    /// Whether a parameter has a value.
    pub fn has(&self, parameter: &Parameter) -> bool {
        self.text(parameter).is_some()
    }

    /// Whether a parameter has this value.
    pub fn is(&self, parameter: &Parameter, word: &str) -> bool {
        self.text(parameter) == Some(word)
    }

    /// A number.
    pub fn number(&self, parameter: &Parameter) -> Option<u64> {
        self.text(parameter)?.parse().ok()
    }

    /// A probability.
    pub fn probability(&self, parameter: &Parameter) -> Option<f64> {
        self.text(parameter)?.parse().ok()
    }

    /// A number; the inner `None` is for `none`.
    pub fn count(&self, parameter: &Parameter) -> Option<Option<usize>> {
        let text = self.text(parameter)?;
        Some(text.parse().ok())
    }

    /// A weight in hundredths.
    pub fn hundredths(&self, parameter: &Parameter) -> Option<u32> {
        hundredths(self.text(parameter)?)
    }

    /// A number of steps; `none` is [`UNBOUNDED`].
    pub fn steps(&self, parameter: &Parameter) -> Option<u32> {
        let text = self.text(parameter)?;
        Some(text.parse().unwrap_or(UNBOUNDED))
    }

    /// A number of repeated states; `loop` is 1.
    pub fn repeats(&self, parameter: &Parameter) -> Option<u32> {
        let text = self.text(parameter)?;
        Some(text.parse().unwrap_or(1))
    }
}

/// A number from 1 to 1000 with at most two decimals, in hundredths.
fn hundredths(text: &str) -> Option<u32> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    let is_short = (1..=2).contains(&decimals.len()) && decimals.bytes().all(|b| b.is_ascii_digit());
    let decimals = format!("{decimals:0<2}").parse::<u32>().ok().filter(|_| is_short)?;
    let value = whole.parse::<u32>().ok()?.checked_mul(100)?.checked_add(decimals)?;
    Some(value).filter(|v| (100..=100_000).contains(v))
}

/// The order of states with equal priorities.
pub(crate) fn ties(task: &Task<'_>) -> Ties {
    if task.options.is(&TIES, "newest") { Ties::Newest } else { Ties::Oldest }
}

/// Parameters that are read only where another has a value: this one, or any.
static NEEDS: &[(&Parameter, &Parameter, Option<&str>)] = &[
    (&LOAD_GUIDE, &GUIDE, None),
    (&PREFER, &GUIDE, Some("prefer-threads")),
    (&BIAS, &GUIDE, None),
    (&REVERSE_GUIDE, &GUIDE, None),
    (&CHAIN, &RESTART, Some("random")),
    (&HASH_FUNCTIONS, &STORAGE, Some("bitstate")),
];

impl Options {
    /// Refuses options without the one that they need.
    ///
    /// # Errors
    /// The first of them.
    pub fn refuse_idle(&self) -> Result<(), String> {
        let given = |p: &Parameter, value: Option<&str>| {
            value.map_or(self.has(p), |word| self.all(p).iter().any(|v| v == word))
        };
        match NEEDS.iter().find(|(idle, needed, value)| self.has(idle) && !given(needed, *value)) {
            None => Ok(()),
            Some((idle, needed, value)) => {
                Err(format!("--{} needs --{} {}", idle.name, needed.name, value.unwrap_or(needed.value)))
            }
        }
    }
}

/// As on a command line.
impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all: Vec<String> =
            self.given.iter().flat_map(|(name, values)| values.iter().map(move |v| format!("--{name} {v}"))).collect();
        f.write_str(&all.join(" "))
    }
}

/// Any number from a least one on.
const fn at_least(least: u64) -> Kind {
    Kind::Number { least, most: u64::MAX }
}

/// The parameters of every engine that a heuristic guides.
pub static GUIDING: &[&Parameter] = &[&GUIDE, &DROP, &REDUCE, &DANGER, &PREFER, &LOAD_GUIDE];

macro_rules! parameters {
    ($($(#[$doc:meta])* $id:ident $name:literal $value:literal $kind:expr, $default:literal, $help:literal;)*) => {
        $($(#[$doc])* pub static $id: Parameter =
            Parameter { name: $name, value: $value, kind: $kind, help: $help, default: $default };)*
    };
}

parameters! {
    /// How a step is chosen.
    SELECT "select" "HOW" Kind::Word(&[
        ("try-a-child", "A random process, then a random branch of it, until one is enabled"),
        ("all-children", "One of all enabled steps"),
    ]), "try-a-child", "How a step of a walk is chosen";
    /// The heuristic of symbolic engines.
    SET_GUIDE "guide" "NAME" Kind::Word(&[("none", "no heuristic"), ("abstraction", "rings of an abstraction")]), "",
        "The heuristic for sets of states";
    /// The heuristic.
    GUIDE "guide" "NAME" Kind::Heuristic, "none for walks; for directed searches the first that can be built; for auto all",
        "The heuristic that guides the search";
    /// Variables to drop.
    DROP "drop" "FILE" Kind::File, "weak variables",
        "A file with the names of variables that the pattern database or the abstraction drops, one on each line";
    /// The smaller instance.
    REDUCE "reduce" "NAME=VALUE,…" Kind::Text, "chosen automatically",
        "The smaller instance that the guide reduced-instance is made from";
    /// Labels of dangerous locations.
    DANGER "danger" "PREFIX" Kind::Text, "danger",
        "With --guide deadlock: the prefix of labels at which a process is in danger";
    /// Preferred process types.
    PREFER "prefer" "TYPE,…" Kind::Text, "none",
        "With --guide prefer-threads: the process types whose moves come first";
    /// A heuristic from a file.
    LOAD_GUIDE "load-guide" "FILE" Kind::File, "the guide is made from the model",
        "Read the guide from a file that `analyze --save-guide` wrote";
    /// How scores become weights.
    BIAS "bias" "HOW" Kind::Word(&[
        ("thesis", "max − h: the worst score is never chosen unless all have it"),
        ("linear", "max − h + 1"),
        ("steep", "Halved for each unit above the best, and never 0"),
    ]), "linear for reduced-instance, steep for the others",
        "How scores become weights; h is a score, max the greatest one";
    /// Follow the heuristic backwards.
    REVERSE_GUIDE "reverse-guide" "" Kind::Flag, "", "Prefer the worst scores, to see how much the guide matters";
    /// The depth limit.
    DEPTH "depth" "STEPS" Kind::Steps, "10000 for walks, growing with --engine auto; none for searches",
        "End a walk or cut a search after this many steps, or `none`";
    /// Repeated states.
    UNTIL "until" "loop|N" Kind::Repeats, "never; 2 for lurch",
        "End a walk at the first state it has seen before (`loop`), or after that many such states";
    /// Where walks start.
    RESTART "restart" "WHERE" Kind::Word(&[
        ("initial", "In the initial state"),
        ("random", "At a random state of the walk before"),
    ]), "initial", "Where a walk starts";
    /// Walks in a chain.
    CHAIN "chain" "WALKS" Kind::Number { least: 2, most: u32::MAX as u64 }, "16",
        "With --restart random: walks in a chain before the next chain starts in the initial state";
    /// How many walks.
    WALKS "walks" "N" at_least(1), "until the time is up", "Stop after exactly this many walks for each property";
    /// The (δ, ε) bound.
    DELTA "delta" "δ" Kind::Probability, "no such bound", "With --epsilon: stop after ln δ / ln(1 − ε) walks";
    /// The (δ, ε) bound.
    EPSILON "epsilon" "ε" Kind::Probability, "no such bound",
        "With --delta: the probability of a violating walk that is to be noticed";
    /// Saturation.
    SATURATION "saturation" "SHARE" Kind::Probability, "never",
        "Stop when less than this share of the states that a batch of walks sees is new";
    /// The first walk.
    WALKS_FROM "walks-from" "A" at_least(0), "0", "Make the walks from this number on";
    /// The walk behind the last.
    WALKS_TO "walks-to" "B" at_least(1), "no end", "Make the walks below this number";
    /// What is stored of a state.
    STORAGE "storage" "HOW" Kind::Word(&[
        ("exact", "All of it"),
        ("compact", "40 bits of a hash (hash-compact)"),
        ("bitstate", "A few bits among those that fill three quarters of --memory, or 1 GiB"),
    ]), "exact", "What is stored of a state; all but `exact` search depth first and can refute but never prove";
    /// Bits of a state.
    HASH_FUNCTIONS "hash-functions" "K" Kind::Number { least: 1, most: 32 }, "3",
        "With --storage bitstate: how many bits a state sets";
    /// How far clauses look back.
    WINDOW "window" "W" Kind::Number { least: 1, most: 16 }, "2",
        "How many of the last changes, starts, ends and calls of a kind the tree remembers";
    /// The last layer.
    LAST_LAYER "last-layer" "" Kind::Flag, "", "Examine the nodes of the last layer, which the published search only counts";
    /// Instants inside transitions.
    EVERY_INSTANT "every-instant" "" Kind::Flag, "", "Check properties at the instants inside transitions, too";
    /// Half images.
    PARTIAL_IMAGE "partial-image" "" Kind::Flag, "", "Go on from half of the polyhedra of an image, drawn at random";
    /// The weight of the heuristic.
    WEIGHT "weight" "W" Kind::Weight, "1",
        "Multiply heuristic values by W; above 1 the search is greedier, and counterexamples need not be shortest";
    /// Ties.
    TIES "ties" "ORDER" Kind::Word(&[
        ("oldest", "The state that was generated first"),
        ("newest", "The state that was generated last"),
    ]), "oldest", "Which of the states with equal priorities is expanded first";
    /// The bound of the open list.
    FRONTIER "frontier" "N" Kind::Count, "none; 100000 for randomised searches",
        "Keep at most N states in the open list, or `none` for no bound; the worst are dropped";
    /// The n best.
    CHOICES "choices" "N" Kind::Number { least: 1, most: 1_000_000 }, "5",
        "Draw the next state from the best N";
    /// How many trials.
    TRIALS "trials" "N" at_least(1), "until the time is up", "Make exactly this many trials for each property";
    /// States of a trial.
    TRIAL_STATES "trial-states" "N" at_least(1), "1000000", "End a trial that has stored this many states";
    /// Restarts.
    RESTARTS "restarts" "N" Kind::Number { least: 0, most: 1_000_000 }, "3",
        "With lossy storage: how often to search again with other hash functions";
    /// Report all violations.
    ALL_ERRORS "all-errors" "" Kind::Flag, "",
        "Go on past the first violation and report all, one for each kind and place";
    /// Reductions.
    REDUCTION "reduction" "HOW" Kind::Word(&[
        ("auto", "Those that are sound: partial-order reduction and dead-variable reset; in SMV models the cone of influence"),
        ("none", "Every state is visited"),
    ]), "auto", "Reductions of the state space";
}
