//! The trials of each measure.

use std::path::Path;

use lurcher_lab::peers::models_in;

use super::by_hand::HandModel;
use super::family::Family;
use super::places::Places;
use super::run::{Measure, Run, Tool};
use super::trial::{Program, Search, Trial};

/// How much is measured.
pub struct Scale {
    /// Small sizes and short walks.
    pub small: bool,
    pub families: Vec<&'static Family>,
    /// Numbers of threads besides one.
    pub threads: Vec<u16>,
    /// lurcher's engine, where it is not the default.
    pub engine: Option<String>,
}

impl Scale {
    /// The size in which a family is measured, where `usual` is that of the measure.
    fn size(&self, family: &Family, usual: &'static str) -> &'static str {
        if self.small { family.small } else { usual }
    }
}

/// Seconds that a trial of walks should take.
const WALKING: f64 = 1.5;
/// Steps of a walk.
const DEPTH: u32 = 10_000;
/// The interpreter and Stateright make this many times fewer steps.
const SLOWER: u64 = 10;

/// The trials of a measure. Hand-written models are written to `folder`.
pub fn trials<'p>(
    measure: Measure,
    scale: &'p Scale,
    places: &'p Places,
    folder: &'p Path,
) -> Result<Vec<Trial<'p>>, String> {
    let planner = Planner { measure, scale, places, folder };
    match measure {
        Measure::Exhaustive => planner.searches(false),
        Measure::Reduced => planner.searches(true),
        Measure::Walks => planner.walks(),
        Measure::Threads => planner.threads(),
        Measure::Growth => planner.growth(),
        Measure::Startup => planner.startup(),
    }
}

struct Planner<'p> {
    measure: Measure,
    scale: &'p Scale,
    places: &'p Places,
    folder: &'p Path,
}

impl<'p> Planner<'p> {
    fn searches(&self, reduced: bool) -> Result<Vec<Trial<'p>>, String> {
        let (setting, options) =
            if reduced { ("default", "--jobs 1") } else { ("no reduction", "--reduction none --jobs 1") };
        let mut trials = Vec::new();
        for family in &self.scale.families {
            let size = if reduced { family.reduced } else { Some(family.full) };
            let Some(size) = size.map(|size| self.scale.size(family, size)) else { continue };
            let program = self.family(family, size, setting, &self.verify(options));
            let (file, tools) = (self.places.root.join(family.file), self.places.spin.as_ref()?);
            trials.push(Trial::Spin(Search::new(program.row.clone(), file, reduced, tools)?));
            trials.push(Trial::Program(program));
        }
        Ok(trials)
    }

    fn walks(&self) -> Result<Vec<Trial<'p>>, String> {
        let mut trials = Vec::new();
        for (model, n) in HandModel::ALL {
            model.write(self.folder)?;
            let made = |setting: &str, arguments: &str| self.hand_model(model, n, setting, arguments);
            let (walks, steps) = self.enough(|walks| made("", &hunt(walks, "--jobs 1")))?;
            let few = walks.div_ceil(SLOWER);
            let mut programs = vec![
                made("jit", &hunt(walks, "--exec jit --jobs 1")),
                made("interp", &hunt(few, "--exec interp --jobs 1")),
            ];
            let other = |tool, program: &Path, arguments: &str| Program {
                row: Run { tool, ..made("", "hunt").row },
                program: program.to_owned(),
                arguments: words(arguments),
            };
            let by_hand = format!("by-hand {} {n} --walks {walks} --depth {DEPTH}", model.name());
            programs.push(other(Tool::Hand, &self.places.this, &by_hand));
            if let Some(program) = &self.places.stateright {
                let arguments = format!("{} {n} {}", model.name(), steps.div_ceil(SLOWER));
                programs.push(other(Tool::Stateright, program, &arguments));
            }
            trials.extend(programs.into_iter().map(Trial::Program));
        }
        for family in &self.scale.families {
            let size = self.scale.size(family, family.full);
            let made = |setting: &str, arguments: &str| self.family(family, size, setting, arguments);
            let (walks, _) = self.enough(|walks| made("", &hunt(walks, "--no-claims --jobs 1")))?;
            for (exec, walks) in [("jit", walks), ("interp", walks.div_ceil(SLOWER))] {
                let arguments = hunt(walks, &format!("--no-claims --exec {exec} --jobs 1"));
                trials.push(Trial::Program(made(exec, &arguments)));
            }
        }
        Ok(trials)
    }

    fn threads(&self) -> Result<Vec<Trial<'p>>, String> {
        let mut trials = Vec::new();
        for family in &self.scale.families {
            let size = self.scale.size(family, family.full);
            let made = |setting: &str, arguments: &str| self.family(family, size, setting, arguments);
            let (walks, _) = self.enough(|walks| made("", &hunt(walks, "--no-claims --jobs 1")))?;
            for jobs in [1].iter().chain(&self.scale.threads) {
                let walk = hunt(walks, &format!("--no-claims --jobs {jobs}"));
                trials.push(Trial::Program(made(&format!("walks {jobs}"), &walk)));
                let verify = self.verify(&format!("--reduction none --jobs {jobs}"));
                trials.push(Trial::Program(made(&format!("exhaustive {jobs}"), &verify)));
            }
        }
        Ok(trials)
    }

    fn growth(&self) -> Result<Vec<Trial<'p>>, String> {
        let model = HandModel::Philosophers;
        model.write(self.folder)?;
        let trial = |n| {
            let options = "--jobs 1 --select try-a-child --exec jit";
            let made = |walks| self.hand_model(model, n, "jit", &hunt(walks, options));
            self.enough(made).map(|(walks, _)| Trial::Program(made(walks)))
        };
        [10, 30, 100, 300, 1000].into_iter().map(trial).collect()
    }

    fn startup(&self) -> Result<Vec<Trial<'p>>, String> {
        let mut trials = Vec::new();
        for (folder, extension) in [("models/promela", "pml"), ("models/smv", "smv")] {
            for model in models_in(&self.places.root.join(folder), extension)? {
                for verb in ["verify", "hunt"] {
                    let subject = model.file_name().unwrap_or_default().to_string_lossy();
                    let arguments = format!("{verb} --time 3s");
                    trials.push(Trial::Program(self.lurcher(&subject, "", &model, verb, &arguments)));
                }
            }
        }
        Ok(trials)
    }

    fn verify(&self, more: &str) -> String {
        let engine = self.scale.engine.as_ref().map_or(String::new(), |engine| format!("--engine {engine}"));
        format!("verify --no-claims {engine} {more}")
    }

    fn family(&self, family: &Family, size: &str, setting: &str, arguments: &str) -> Program {
        self.lurcher(family.name, size, &self.places.root.join(family.file), setting, arguments)
    }

    fn hand_model(&self, model: HandModel, n: usize, setting: &str, arguments: &str) -> Program {
        let path = self.folder.join(format!("{}.pml", model.name()));
        self.lurcher(model.name(), &format!("N={n}"), &path, setting, arguments)
    }

    /// lurcher with these arguments, the first of which is the verb.
    fn lurcher(&self, subject: &str, size: &str, model: &Path, setting: &str, arguments: &str) -> Program {
        let mut arguments = words(arguments);
        arguments.insert(1, model.display().to_string());
        let [subject, size, setting] = [subject, size, setting].map(str::to_owned);
        let row = Run { measure: self.measure, subject, size, tool: Tool::Lurcher, setting, ..Run::default() };
        Program { row, program: self.places.lurcher.clone(), arguments }
    }

    /// A number of walks that takes long enough to be timed, and the number of their steps.
    fn enough(&self, made: impl Fn(u64) -> Program) -> Result<(u64, u64), String> {
        let wanted = if self.scale.small { WALKING / 50.0 } else { WALKING };
        let mut walks = 64;
        loop {
            let run = made(walks).run()?;
            if run.verdict == "violated" {
                return Err(format!("{} {} has a violation, where walks stop", run.subject, run.size));
            }
            if run.processor >= wanted / 4.0 {
                let factor = (wanted / run.processor).max(1.0 / walks as f64);
                let scaled = |count: u64| (count as f64 * factor).ceil() as u64;
                return Ok((scaled(walks), scaled(run.steps.unwrap_or(0))));
            }
            walks *= 8;
        }
    }
}

fn hunt(walks: u64, more: &str) -> String {
    format!("hunt --engine walk --walks {walks} --depth {DEPTH} {more}")
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}
