//! Engines with random options on mutants of models.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use lurcher::engines::{ENGINES, EngineError, Kind, Parameter, Verdict};
use lurcher::{Check, CheckError, LoadOptions, Model};
use lurcher_heuristics::registry::HEURISTICS;
use lurcher_test_support::Random;

/// How long one engine searches.
const SEARCH: Duration = Duration::from_millis(150);
const MEMORY: u64 = 256 << 20;

/// Checks all properties of a model with two engines; panics if they contradict each other.
pub fn check_engines(text: &str) -> bool {
    let name = if text.contains("MODULE") { "fuzzed.smv" } else { "fuzzed.pml" };
    let Ok(mut model) = Model::from_text(name, text, &LoadOptions::default()) else { return false };
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    let mut random = Random::new(hasher.finish());
    let (first, second) = (Configuration::draw(&mut random), Configuration::draw(&mut random));
    let verdicts = [first.verdicts(&mut model), second.verdicts(&mut model)];
    for (name, verdict) in &verdicts[0] {
        let other = verdicts[1].iter().find(|(n, _)| n == name).map_or(Verdict::Inconclusive, |(_, v)| *v);
        let contradict =
            matches!((verdict, other), (Verdict::Holds, Verdict::Violated) | (Verdict::Violated, Verdict::Holds));
        assert!(!contradict, "{name}: {first:?} says {verdict:?}, {second:?} says {other:?}");
    }
    true
}

/// An engine with options.
#[derive(Debug)]
struct Configuration {
    engine: &'static str,
    verify: bool,
    options: Vec<(&'static str, String)>,
    jobs: usize,
    seed: u64,
}

impl Configuration {
    fn draw(random: &mut Random) -> Self {
        let engine = ENGINES[random.below(ENGINES.len())].info();
        let parameters = engine.parameters().filter(|_| random.below(4) == 0).collect::<Vec<_>>();
        Configuration {
            engine: engine.name,
            verify: engine.proves && random.below(3) > 0,
            options: parameters.into_iter().filter_map(|p| Some((p.name, value(p, random)?))).collect(),
            jobs: 1 + random.below(2),
            seed: random.below(5) as u64,
        }
    }

    /// The verdict on each property; none if the engine refuses the model or an option.
    fn verdicts(&self, model: &mut Model) -> Vec<(String, Verdict)> {
        let check: Check<'_> = if self.verify { model.verify() } else { model.hunt() };
        let check = check.engine(self.engine).seed(self.seed).jobs(self.jobs).time(SEARCH).memory(MEMORY);
        let check = self.options.iter().fold(check, |check, (name, value)| check.option(name, value));
        match check.run() {
            Ok(outcome) => outcome.reports.into_iter().map(|r| (r.name, r.verdict)).collect(),
            Err(CheckError::Engine(error @ EngineError::Unconfirmed(_))) => panic!("{self:?}: {error}"),
            Err(_) => Vec::new(),
        }
    }
}

/// A value of a parameter; none where a text is wanted.
fn value(parameter: &Parameter, random: &mut Random) -> Option<String> {
    let mut one_of = |words: &[&str]| Some(words[random.below(words.len())].to_owned());
    match &parameter.kind {
        Kind::Flag => Some(String::new()),
        Kind::Number { least, most } => {
            let numbers = [*least, least + 1, 7, 100, 5000].map(|n| n.clamp(*least, *most).to_string());
            one_of(&numbers.each_ref().map(String::as_str))
        }
        Kind::Steps => one_of(&["none", "1", "9", "1000"]),
        Kind::Repeats => one_of(&["loop", "1", "5"]),
        Kind::Word(words) => one_of(&words.iter().map(|(word, _)| *word).collect::<Vec<_>>()),
        Kind::Heuristic => one_of(&HEURISTICS.iter().map(|h| h.name).chain(["none"]).collect::<Vec<_>>()),
        Kind::Count => one_of(&["none", "1", "10", "1000"]),
        Kind::Weight => one_of(&["1", "1.5", "30"]),
        Kind::Probability => one_of(&["0.5", "0.01"]),
        Kind::Text | Kind::File => None,
    }
}
