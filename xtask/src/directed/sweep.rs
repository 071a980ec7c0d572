//! The sweep: breadth-first and depth-first search, and directed searches with every heuristic for states, on one list of models.

use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use lurcher_heuristics::registry::HEURISTICS;
use lurcher_lab::parallel;
use lurcher_lab::report::{Align, markdown_table};
use lurcher_search::Scores;
use serde::Serialize;

use super::search::{Effort, Runner};
use super::subject::{Subject, subjects};

/// Deterministic engines that follow a heuristic; the best of them counts.
const DIRECTED: [&str; 2] = ["best-first", "astar"];
/// The randomised one, which is run with several seeds.
const RANDOMISED: &str = "random-best-first";
const SEEDS: u64 = 5;
/// How many times fewer states the best directed search should store than breadth-first search.
const GOAL: f64 = 10.0;

/// One search, as a row of the CSV file.
#[derive(Serialize)]
struct Row<'s> {
    model: &'s str,
    engine: &'s str,
    guide: &'s str,
    seed: u64,
    verdict: &'s str,
    stop: &'s str,
    stored: u64,
    expanded: u64,
    transitions: u64,
    length: Option<u64>,
    optimal: bool,
    seconds: f64,
    memory: u64,
    /// Why there was no search.
    refused: &'s str,
}

/// An engine with a heuristic.
struct Trial {
    engine: &'static str,
    guide: &'static str,
    seed: u64,
    result: Result<Effort, String>,
}

impl Trial {
    fn effort(&self) -> Option<&Effort> {
        self.result.as_ref().ok().filter(|effort| effort.found())
    }

    fn is(&self, engine: &str, guide: &str) -> bool {
        self.engine == engine && self.guide == guide
    }
}

/// All searches on one model.
struct Swept {
    subject: Subject,
    trials: Vec<Trial>,
}

impl Swept {
    /// Breadth-first search that found the violation.
    fn breadth_first(&self) -> Option<&Effort> {
        self.trials.iter().find(|trial| trial.engine == "bfs")?.effort()
    }

    /// The directed search that stored the fewest states.
    fn best(&self) -> Option<(&Trial, &Effort)> {
        let directed = self.trials.iter().filter(|trial| DIRECTED.contains(&trial.engine));
        directed.filter_map(|trial| Some((trial, trial.effort()?))).min_by_key(|(_, effort)| effort.stored)
    }

    /// The mean of the states stored by randomised searches that found the violation, and their number.
    fn randomised(&self) -> Option<(f64, usize)> {
        let trials = self.trials.iter().filter(|trial| trial.engine == RANDOMISED);
        let stored: Vec<u64> = trials.filter_map(|trial| Some(trial.effort()?.stored)).collect();
        (!stored.is_empty()).then(|| (stored.iter().sum::<u64>() as f64 / stored.len() as f64, stored.len()))
    }

    fn ratio(&self) -> Option<f64> {
        Some(self.breadth_first()?.stored as f64 / self.best()?.1.stored as f64)
    }
}

/// The heuristics for states.
pub(super) fn guides() -> impl Iterator<Item = &'static str> {
    HEURISTICS.iter().filter(|h| h.scores == Scores::States).map(|h| h.name)
}

/// Searches all models of the list; returns the page and whether the goal is met.
pub(super) fn page(
    list: &Path,
    only: &[String],
    runner: &Runner,
    jobs: usize,
    folder: &Path,
) -> Result<(String, bool), String> {
    let subjects = subjects(list, only)?;
    let file = folder.join("directed.csv");
    let csv = csv::Writer::from_path(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    let csv = Mutex::new(csv);
    let swept = parallel::map(&subjects, jobs, |subject| {
        let swept = sweep(subject, runner);
        eprintln!("{}", cells(&swept).join(" | "));
        let mut csv = csv.lock().expect("no other thread panicked");
        swept.trials.iter().try_for_each(|trial| csv.serialize(row(subject, trial)))?;
        csv.flush()?;
        Ok(swept)
    });
    let swept = swept.into_iter().collect::<Result<Vec<Swept>, csv::Error>>().map_err(|e| e.to_string())?;
    Ok(text(&swept))
}

fn sweep(subject: &Subject, runner: &Runner) -> Swept {
    let search = |runner: &Runner, engine: &'static str, guide: &'static str, seed: u64| {
        let mut arguments = subject.arguments.clone();
        arguments.extend(["--engine", engine].map(str::to_owned));
        match engine {
            RANDOMISED => arguments.extend(["--trials", "1", "--seed", &seed.to_string()].map(str::to_owned)),
            _ => arguments.extend(["--reduction", "none"].map(str::to_owned)),
        }
        if guide != "none" {
            arguments.extend(["--guide", guide].map(str::to_owned));
        }
        Trial { engine, guide, seed, result: runner.search(&subject.model, &arguments) }
    };
    let mut trials = vec![search(runner, "bfs", "none", 1)];
    // A directed search that takes much more time or memory has stored more states.
    let limits = trials[0].effort().map(|bfs| (3 + bfs.seconds.ceil() as u64, (64 << 20) + 2 * bfs.memory));
    let (time, memory) = limits.map_or((runner.time, runner.memory.clone()), |(seconds, bytes)| {
        (runner.time.min(Duration::from_secs(seconds)), format!("{}M", bytes >> 20))
    });
    let runner = Runner { time, memory, lurcher: runner.lurcher.clone() };
    trials.push(search(&runner, "dfs", "none", 1));
    for guide in guides() {
        trials.extend(DIRECTED.map(|engine| search(&runner, engine, guide, 1)));
    }
    let mut swept = Swept { subject: subject.clone(), trials };
    if let Some(guide) = swept.best().map(|(trial, _)| trial.guide) {
        swept.trials.extend((1..=SEEDS).map(|seed| search(&runner, RANDOMISED, guide, seed)));
    }
    swept
}

fn row<'s>(subject: &'s Subject, trial: &'s Trial) -> Row<'s> {
    static NONE: Effort = Effort::NONE;
    let (effort, refused) = match &trial.result {
        Ok(effort) => (effort, ""),
        Err(why) => (&NONE, why.as_str()),
    };
    Row {
        model: &subject.name,
        engine: trial.engine,
        guide: trial.guide,
        seed: trial.seed,
        verdict: &effort.verdict,
        stop: &effort.stop,
        stored: effort.stored,
        expanded: effort.expanded,
        transitions: effort.transitions,
        length: effort.length,
        optimal: effort.optimal,
        seconds: effort.seconds,
        memory: effort.memory,
        refused,
    }
}

fn cells(swept: &Swept) -> Vec<String> {
    let bfs = swept.breadth_first();
    let dfs = swept.trials.iter().find(|trial| trial.engine == "dfs");
    let best = swept.best();
    let length = |effort: &Effort| effort.length.map_or(String::new(), |length| length.to_string());
    let dash = || "–".to_owned();
    vec![
        swept.subject.name.clone(),
        bfs.map_or_else(dash, |effort| effort.stored.to_string()),
        bfs.map_or_else(dash, length),
        dfs.and_then(|trial| trial.result.as_ref().ok()).map_or_else(dash, stored),
        dfs.and_then(Trial::effort).map_or_else(dash, length),
        best.map_or_else(dash, |(trial, _)| format!("{} {}", trial.engine, trial.guide)),
        best.map_or_else(dash, |(_, effort)| effort.stored.to_string()),
        best.map_or_else(dash, |(_, effort)| length(effort)),
        swept.ratio().map_or_else(dash, |ratio| format!("{ratio:.1}")),
        swept.randomised().map_or_else(dash, |(mean, found)| format!("{mean:.0} ({found}/{SEEDS})")),
    ]
}

/// Stored states, marked where the search ended without a violation.
fn stored(effort: &Effort) -> String {
    let mark = if effort.found() { "" } else { ">" };
    format!("{mark}{}", effort.stored)
}

/// The page, and whether the goal is met.
fn text(swept: &[Swept]) -> (String, bool) {
    let ratios: Vec<f64> = swept.iter().filter_map(Swept::ratio).collect();
    let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len().max(1) as f64).exp();
    let head =
        ["model", "bfs", "l", "dfs", "l", "best directed search", "stored", "l", "bfs / best", "random-best-first"];
    let rows: Vec<_> = swept.iter().map(cells).collect();
    let mut page = format!(
        "# Directed search beside breadth-first search

`cargo xtask directed` measured this: states stored when the violation was found, and length of the trace (*l*), one thread, without
reduction. The *best directed search* is the one of {} with a heuristic for states that stored the fewest states. `>`
marks a search that found nothing within its limits. The last column is {RANDOMISED} with the same heuristic: mean of the trials
that found the violation, and their number, of {SEEDS}.

{}
The best directed search stores {mean:.1} times fewer states than breadth-first search (geometric mean of {} models; the goal is {GOAL}).
",
        DIRECTED.join(" and "),
        markdown_table(&head, &rows, Align::Right),
        ratios.len(),
    );
    for engine in DIRECTED {
        page.push_str(&format!("\n## Stored states of {engine}\n\n{}", matrix(swept, engine)));
    }
    let complete = ratios.len() == swept.len();
    (page, complete && mean >= GOAL)
}

/// Stored states of an engine by model and heuristic.
fn matrix(swept: &[Swept], engine: &str) -> String {
    let head: Vec<&str> = ["model"].into_iter().chain(guides()).collect();
    let row = |swept: &Swept| {
        let cell = |guide: &str| {
            let trial = swept.trials.iter().find(|trial| trial.is(engine, guide));
            trial.and_then(|trial| trial.result.as_ref().ok()).map_or("–".to_owned(), stored)
        };
        [swept.subject.name.clone()].into_iter().chain(guides().map(cell)).collect()
    };
    markdown_table(&head, &swept.iter().map(row).collect::<Vec<Vec<String>>>(), Align::Right)
}
