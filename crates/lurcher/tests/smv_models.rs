//! Every SMV model states in its header what NuSMV says of it; here every engine that applies has to agree, on verdicts,
//! numbers of reachable states and lengths of shortest traces. A trace that does not replay is an error of the engine.
//!
//! `MODEL=name` checks one model only.

mod support;

use std::path::Path;
use std::time::{Duration, Instant};

use lurcher::Question;
use lurcher::engines::{Report, Verdict};
use lurcher_ir::{Property, PropertyKind};

use support::{Setup, name, open, relation, resolve, smv_models};

/// Models with more states are not searched explicitly.
const EXPLICIT_STATES: u64 = 60_000;
/// Time of one engine for all properties of a model.
const TIME: Duration = Duration::from_secs(3);
/// Fewer comparisons than this mean that the test does not do its work.
const FEWEST: usize = 1500;

/// Engines, each with and without the cone of influence.
const WAYS: [(&str, bool); 6] =
    [("bdd", true), ("bdd", false), ("bfs", true), ("bfs", false), ("dfs", true), ("dfs", false)];

/// What a header says of a property.
#[derive(Clone, Copy)]
struct Expected {
    verdict: &'static str,
    shortest: Option<u32>,
}

/// What the header of a model says.
struct Header {
    text: String,
}

impl Header {
    fn read(path: &Path) -> Header {
        let text = std::fs::read_to_string(path).expect("a model is readable");
        let lines: Vec<&str> = text.lines().take_while(|l| l.starts_with("--")).collect();
        Header { text: lines.join("\n") }
    }

    fn get(&self, key: &str) -> Option<&str> {
        self.text.lines().find_map(|l| l.strip_prefix("-- ")?.strip_prefix(key)?.strip_prefix(':')).map(str::trim)
    }

    fn states(&self) -> Option<u64> {
        self.get("reachable states")?.parse().ok()
    }

    /// What is expected of a property; none where NuSMV does not know either.
    fn property(&self, name: &str) -> Option<Expected> {
        let value = if name == "deadlock" { self.get(name) } else { self.get(&format!("property {name}")) }?;
        let (verdict, shortest) = value.split_once(", shortest ").unwrap_or((value, ""));
        let verdict = match verdict {
            "holds" | "none" => "holds",
            "violated" | "yes" => "violated",
            "unknown" => return None,
            other => panic!("`{other}` in a header"),
        };
        Some(Expected { verdict, shortest: shortest.parse().ok() })
    }
}

/// What was compared, and what differed.
#[derive(Default)]
struct Tally {
    verdicts: usize,
    counts: usize,
    lengths: usize,
    unfinished: Vec<String>,
    wrong: Vec<String>,
}

impl Tally {
    fn compared(&self) -> usize {
        self.verdicts + self.counts + self.lengths
    }

    fn verdict(&mut self, who: &str, report: &Report, expected: Expected, engine: &str) {
        if report.verdict == Verdict::Inconclusive {
            self.unfinished.push(format!("{who} ({})", report.stop.name()));
            return;
        }
        self.verdicts += 1;
        if report.verdict.name() != expected.verdict {
            self.wrong.push(format!("{who}: {}, not {}", report.verdict.name(), expected.verdict));
        }
        let length = report.counterexamples.first().map(|c| (c.shortest, c.trace.length()));
        match (expected.shortest, length) {
            // Depth-first traces are as they are found; breadth-first ones are shortest, unless time was short.
            (Some(shortest), Some((claimed, length))) if claimed || engine == "bfs" => {
                self.lengths += 1;
                if length != shortest {
                    self.wrong.push(format!("{who}: a trace of {length}, not {shortest}"));
                }
            }
            _ => {}
        }
    }

    fn count(&mut self, who: &str, report: &Report, header: &Header) {
        let Some(expected) = header.get("reachable states").filter(|e| *e != "unknown") else { return };
        if report.verdict != Verdict::Holds {
            self.unfinished.push(format!("{who} ({})", report.stop.name()));
            return;
        }
        let count = report.sets.as_ref().and_then(|s| s.reachable.clone());
        let same = match (expected.strip_prefix("about "), count) {
            (Some(rounded), Some(count)) => {
                let rounded: f64 = rounded.parse().expect("a number");
                (count.rounded() / rounded - 1.0).abs() < 1e-9
            }
            (None, Some(count)) => count.exact().map(|n| n.to_string()).as_deref() == Some(expected),
            (_, None) => report.stats.stored.to_string() == expected,
        };
        self.counts += 1;
        if !same {
            self.wrong.push(format!("{who}: {:?} states, not {expected}", report.stats.stored));
        }
    }
}

fn compare(path: &Path, tally: &mut Tally) {
    let (name, header) = (name(path), Header::read(path));
    let mut model = open(path);
    let mut asked: Vec<Property> = relation(&model).properties.clone();
    asked.push(resolve(&mut model, Question::Named("deadlock".to_owned())));
    // An invariant that every state satisfies: the search visits all of them.
    let everywhere = resolve(&mut model, Question::invariant("TRUE"));
    let small = header.states().is_some_and(|n| n <= EXPLICIT_STATES);
    for (engine, cone) in WAYS {
        let explicit = engine != "bdd";
        if explicit && !small {
            continue;
        }
        let applies = |s: &&Property| !explicit || !matches!(s.kind, PropertyKind::Ctl(_));
        let mut mine: Vec<Property> = asked.iter().filter(applies).cloned().collect();
        if !cone {
            mine.insert(0, everywhere.clone());
        }
        let mut setup = Setup::verify(engine, if cone { "reduction=auto" } else { "" });
        setup.budget.resources.deadline = Some(Instant::now() + TIME);
        setup.budget.resources.memory = Some(2 << 30);
        setup.budget.states = explicit.then_some(EXPLICIT_STATES * 20);
        let reports = setup.check(&model, &mine).unwrap_or_else(|e| panic!("{name}, {engine}, cone {cone}: {e}"));
        assert_eq!(reports.len(), mine.len(), "{name}: every property has a report");
        for report in &reports {
            let who = format!("{name}, {}, {engine:?}{}", report.name, if cone { " with cone" } else { "" });
            if !cone && report.name == everywhere.name {
                tally.count(&who, report, &header);
            } else if let Some(expected) = header.property(&report.name) {
                tally.verdict(&who, report, expected, engine);
            }
        }
    }
}

#[test]
fn every_engine_says_of_every_model_what_its_header_says() {
    let only = std::env::var("MODEL").ok();
    let mut tally = Tally::default();
    let paths = smv_models();
    for path in paths.iter().filter(|p| only.as_ref().is_none_or(|o| name(p) == *o)) {
        let started = Instant::now();
        compare(path, &mut tally);
        println!("{:6.2} s {}", started.elapsed().as_secs_f64(), path.display());
    }
    println!("{} verdicts, {} counts of states, {} shortest lengths", tally.verdicts, tally.counts, tally.lengths);
    println!("{} unfinished:\n{}", tally.unfinished.len(), tally.unfinished.join("\n"));
    assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
    assert!(only.is_some() || tally.compared() >= FEWEST, "only {} comparisons", tally.compared());
}
