//! One model by breadth-first search and by every directed search.

use std::path::Path;
use std::time::Duration;

use lurcher_heuristics::registry::HEURISTICS;
use lurcher_lab::peers::child::{Bounds, Ending};
use lurcher_lab::peers::lurcher;
use serde_json::Value;

/// The counts and differences of one model.
#[derive(Debug, Default)]
pub struct Comparison {
    /// Searches compared.
    pub searches: u64,
    /// Of these, those that found a violation.
    pub violated: u64,
    /// Of these, those that claim a shortest trace.
    pub optimal: u64,
    /// Searches that the engine or the heuristic refuses.
    pub refused: u64,
    /// Searches that a limit ended.
    pub cut: u64,
    pub differences: Vec<String>,
}

impl Comparison {
    /// Adds the counts of another model.
    pub fn add(&mut self, other: &Comparison) {
        self.searches += other.searches;
        self.violated += other.violated;
        self.optimal += other.optimal;
        self.refused += other.refused;
        self.cut += other.cut;
    }
}

/// A search: command, engine and options.
type Search = (&'static str, &'static str, &'static [&'static str]);

/// Searches that a heuristic guides.
const GUIDED: &[Search] = &[
    ("verify", "best-first", &["--reduction", "none"]),
    ("verify", "best-first", &["--ties", "newest"]),
    ("verify", "astar", &["--reduction", "none"]),
    ("verify", "astar", &["--reduction", "none", "--exec", "interp"]),
    ("verify", "idastar", &["--reduction", "none"]),
    ("hunt", "random-best-first", &["--trials", "2"]),
];

const BLIND: &[Search] = &[("hunt", "random-dfs", &["--trials", "1"])];

/// lurcher's answer about one property.
struct Answer {
    verdict: String,
    kind: String,
    length: u64,
    optimal: bool,
    stored: u64,
}

/// How a search ended.
enum Asked {
    Answered(Answer),
    Refused,
    Cut,
}

/// Compares a model; the error says why nothing was compared.
pub fn compare(lurcher: &Path, model: &Path) -> Result<Comparison, String> {
    let mut comparison = Comparison::default();
    for property in ["assertion", "deadlock"] {
        let ask = |(command, engine, options): Search, guide: Option<&str>| {
            let mut arguments = vec!["--property", property, "--engine", engine];
            arguments.extend(options);
            guide.into_iter().for_each(|name| arguments.extend(["--guide", name]));
            let who = format!("{command} {}", arguments.join(" "));
            (ask(lurcher, model, command, &arguments), who)
        };
        let base = match ask(("verify", "bfs", &["--reduction", "none"]), None).0? {
            Asked::Answered(answer) => answer,
            Asked::Refused => return Err("refused".to_owned()),
            Asked::Cut => return Err("too large".to_owned()),
        };
        let guides = || HEURISTICS.iter().map(|h| h.name).chain(["none"]);
        let guided = GUIDED.iter().flat_map(|&search| guides().map(move |guide| (search, Some(guide))));
        for (search, guide) in guided.chain(BLIND.iter().map(|&search| (search, None))) {
            let (asked, who) = ask(search, guide);
            match asked {
                Ok(Asked::Answered(answer)) => comparison.judge(&who, &base, &answer, search),
                Ok(Asked::Refused) => comparison.refused += 1,
                Ok(Asked::Cut) => comparison.cut += 1,
                Err(why) => comparison.differences.push(format!("{who}: {why}")),
            }
        }
    }
    Ok(comparison)
}

impl Comparison {
    fn judge(&mut self, who: &str, base: &Answer, answer: &Answer, (command, _, options): Search) {
        self.searches += 1;
        let mut differ = |what: String| self.differences.push(format!("{who}: {what}"));
        let is_unreduced = options.contains(&"none");
        if answer.verdict != base.verdict && (answer.verdict != "inconclusive" || command == "verify") {
            differ(format!("{}, but {} by breadth-first search", answer.verdict, base.verdict));
        } else if answer.verdict == "violated" {
            self.violated += 1;
            self.optimal += u64::from(answer.optimal);
            if is_unreduced && answer.length < base.length {
                differ(format!("{} steps, fewer than {}", answer.length, base.length));
            } else if answer.optimal && answer.kind == base.kind && answer.length != base.length {
                differ(format!("{} steps are said to be shortest, {} are", answer.length, base.length));
            }
        } else if is_unreduced && answer.stored != base.stored {
            differ(format!("{} states, not {}", answer.stored, base.stored));
        }
    }
}

fn ask(lurcher: &Path, model: &Path, command: &str, arguments: &[&str]) -> Result<Asked, String> {
    let model = model.display().to_string();
    let mut all = vec![command, &model, "--no-minimise", "--time", "5s", "--memory", "1G", "--jobs", "1"];
    all.extend(arguments);
    let run = lurcher::run(lurcher, all, Bounds::time(Duration::from_secs(60))).map_err(|e| e.to_string())?;
    match run.ending {
        Ending::Exited(0 | 1) => {}
        Ending::Exited(2) => return Ok(Asked::Refused),
        Ending::Exited(3) => return Ok(Asked::Cut),
        other => return Err(format!("{other:?}: {}", run.output().trim())),
    }
    let json = lurcher::json(&run)?;
    let result = &lurcher::results(&json)[0];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let trace = &result["trace"];
    Ok(Asked::Answered(Answer {
        verdict: text(&result["verdict"]),
        kind: text(&result["property"]["kind"]),
        length: trace["length"].as_u64().unwrap_or(0),
        optimal: trace["optimal"] == true,
        stored: result["states"]["stored"].as_u64().unwrap_or(0),
    }))
}
