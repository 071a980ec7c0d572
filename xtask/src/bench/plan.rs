//! The trials of each measure.

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use super::family::{Family, Size};
use super::lurcher::Lurcher;
use super::places::Places;
use super::process;
use super::run::{Measure, Run, Tool};
use super::spin::Verifier;
use super::walked::Walked;

/// How much is measured.
pub struct Scale {
    /// Small sizes and short walks.
    pub small: bool,
    /// The families.
    pub families: Vec<&'static Family>,
    /// Numbers of threads beside one.
    pub threads: Vec<u16>,
    /// The search that lurcher uses, where it is not its default.
    pub engine: Option<String>,
}

/// One thing to run.
pub enum Trial {
    /// A complete search by `pan`.
    Pan(Verifier),
    /// `spin -a`, `gcc` and `pan`.
    SpinFromFile(Verifier),
    /// lurcher.
    Lurcher(Lurcher),
    /// Another program that walks and prints how many steps it took.
    Walker(Walker),
}

/// A program that walks.
pub struct Walker {
    tool: Tool,
    model: Walked,
    n: usize,
    program: PathBuf,
    arguments: Vec<String>,
}

impl Trial {
    /// Runs it once; a trial of several programs gives a row for each.
    pub fn run(&mut self, repetition: u32, places: &Places) -> Result<Vec<Run>, String> {
        match self {
            Trial::Pan(verifier) => Ok(vec![verifier.search(repetition, places)?]),
            Trial::SpinFromFile(verifier) => verifier.whole_way(repetition, places),
            Trial::Lurcher(lurcher) => Ok(vec![lurcher.run(repetition, &places.lurcher)?]),
            Trial::Walker(walker) => Ok(vec![walker.run(repetition)?]),
        }
    }
}

impl Walker {
    fn run(&self, repetition: u32) -> Result<Run, String> {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let used = process::run(Command::new(&self.program).args(&self.arguments), folder.path())?;
        let steps = used.output.trim().parse().map_err(|_| format!("{} failed", self.program.display()))?;
        Ok(Run {
            measure: Measure::Walks,
            subject: self.model.name().to_owned(),
            size: format!("N={}", self.n),
            tool: self.tool,
            setting: String::new(),
            repetition,
            wall: used.wall,
            processor: used.processor,
            resident: used.resident,
            data: used.data,
            stored: None,
            transitions: None,
            steps: Some(steps),
            verdict: String::new(),
        })
    }
}

/// The trials of a measure. Models that are made for it go to `folder`.
pub fn trials(measure: Measure, scale: &Scale, places: &Places, folder: &TempDir) -> Result<Vec<Trial>, String> {
    let planner = Planner { measure, scale, places, folder: folder.path() };
    match measure {
        Measure::Exhaustive => planner.exhaustive(),
        Measure::Reduced => planner.reduced(),
        Measure::Walks => planner.walks(),
        Measure::Threads => planner.threads(),
        Measure::Growth => planner.growth(),
        Measure::Startup => planner.startup(),
    }
}

/// Seconds that a trial of walks should take.
const WALKING: f64 = 1.5;
/// Steps of a walk.
const DEPTH: u32 = 10_000;
/// How much slower the interpreter and Stateright may be; they make that many fewer steps.
const SLOWER: u64 = 10;

struct Planner<'a> {
    measure: Measure,
    scale: &'a Scale,
    places: &'a Places,
    folder: &'a Path,
}

impl Planner<'_> {
    fn exhaustive(&self) -> Result<Vec<Trial>, String> {
        let mut trials = Vec::new();
        for family in &self.scale.families {
            let size = if self.scale.small { family.small } else { family.full };
            let file = self.places.root.join(family.file);
            trials.push(Trial::Pan(Verifier::new(self.measure, family.name, file, size, false)?));
            trials.push(self.family(
                family,
                size,
                "no reduction",
                &self.verify(&["--reduction", "none", "--jobs", "1"]),
            ));
        }
        Ok(trials)
    }

    fn reduced(&self) -> Result<Vec<Trial>, String> {
        let mut trials = Vec::new();
        for family in &self.scale.families {
            let Some(size) = family.reduced.map(|r| if self.scale.small { family.small } else { r }) else { continue };
            let file = self.places.root.join(family.file);
            trials.push(Trial::SpinFromFile(Verifier::new(self.measure, family.name, file, size, true)?));
            trials.push(self.family(family, size, "default", &self.verify(&["--jobs", "1"])));
        }
        Ok(trials)
    }

    fn walks(&self) -> Result<Vec<Trial>, String> {
        let mut trials = Vec::new();
        for (model, n) in Walked::ALL {
            let made = |setting: &str, more: &[String]| self.walked(model, n, setting, more);
            let (walks, steps) = self.enough(|walks| made("", &hunt(walks, &["--jobs", "1"])))?;
            trials.push(Trial::Lurcher(made("jit", &hunt(walks, &["--exec", "jit", "--jobs", "1"]))?));
            let few = walks.div_ceil(SLOWER);
            trials.push(Trial::Lurcher(made("interp", &hunt(few, &["--exec", "interp", "--jobs", "1"]))?));
            let by_hand = ["by-hand", model.name(), &n.to_string(), "--walks", &walks.to_string(), "--depth"];
            let mut arguments: Vec<String> = by_hand.map(str::to_owned).to_vec();
            arguments.push(DEPTH.to_string());
            trials.push(Trial::Walker(Walker {
                tool: Tool::Hand,
                model,
                n,
                program: self.places.this.clone(),
                arguments,
            }));
            if let Some(program) = &self.places.stateright {
                let arguments = vec![model.name().to_owned(), n.to_string(), steps.div_ceil(SLOWER).to_string()];
                trials.push(Trial::Walker(Walker {
                    tool: Tool::Stateright,
                    model,
                    n,
                    program: program.clone(),
                    arguments,
                }));
            }
        }
        for family in &self.scale.families {
            let size = if self.scale.small { family.small } else { family.full };
            let made = |setting: &str, more: &[String]| Ok(self.of_family(family, size, setting, more));
            let (walks, _) = self.enough(|walks| made("", &hunt(walks, &["--no-claims", "--jobs", "1"])))?;
            let jit = hunt(walks, &["--no-claims", "--exec", "jit", "--jobs", "1"]);
            let interp = hunt(walks.div_ceil(SLOWER), &["--no-claims", "--exec", "interp", "--jobs", "1"]);
            trials.push(Trial::Lurcher(made("jit", &jit)?));
            trials.push(Trial::Lurcher(made("interp", &interp)?));
        }
        Ok(trials)
    }

    fn threads(&self) -> Result<Vec<Trial>, String> {
        let mut trials = Vec::new();
        let counts: Vec<u16> = [1].into_iter().chain(self.scale.threads.iter().copied()).collect();
        for family in &self.scale.families {
            let size = if self.scale.small { family.small } else { family.full };
            let made = |walks| Ok(self.of_family(family, size, "", &hunt(walks, &["--no-claims", "--jobs", "1"])));
            let (walks, _) = self.enough(made)?;
            for jobs in &counts {
                let jobs = jobs.to_string();
                let walk = hunt(walks, &["--no-claims", "--jobs", &jobs]);
                trials.push(self.family(family, size, &format!("walks {jobs}"), &walk));
                let verify = self.verify(&["--reduction", "none", "--jobs", &jobs]);
                trials.push(self.family(family, size, &format!("exhaustive {jobs}"), &verify));
            }
        }
        Ok(trials)
    }

    fn growth(&self) -> Result<Vec<Trial>, String> {
        let mut trials = Vec::new();
        for n in [10, 30, 100, 300, 1000] {
            let made = |walks: u64| {
                let mut hunt = hunt(walks, &["--jobs", "1", "--select", "try-a-child"]);
                hunt.extend(["--exec", "jit"].map(str::to_owned));
                self.walked(Walked::Philosophers, n, "jit", &hunt)
            };
            let (walks, _) = self.enough(made)?;
            trials.push(Trial::Lurcher(made(walks)?));
        }
        Ok(trials)
    }

    fn startup(&self) -> Result<Vec<Trial>, String> {
        let mut trials = Vec::new();
        for (folder, extension) in [("models/promela", "pml"), ("models/smv", "smv")] {
            for model in in_folder(&self.places.root.join(folder), extension)? {
                for verb in ["verify", "hunt"] {
                    let arguments = [verb, "--time", "3s"].map(str::to_owned).to_vec();
                    let subject = model.file_name().unwrap_or_default().to_string_lossy().into_owned();
                    trials.push(Trial::Lurcher(Lurcher {
                        measure: self.measure,
                        subject,
                        size: Vec::new(),
                        model: model.clone(),
                        setting: verb.to_owned(),
                        arguments,
                    }));
                }
            }
        }
        Ok(trials)
    }

    fn verify(&self, more: &[&str]) -> Vec<String> {
        let engine = self.scale.engine.iter().flat_map(|e| ["--engine", e]);
        let all = ["verify", "--no-claims"].into_iter().chain(engine).chain(more.iter().copied());
        all.map(str::to_owned).collect()
    }

    fn family(&self, family: &Family, size: Size, setting: &str, arguments: &[String]) -> Trial {
        Trial::Lurcher(self.of_family(family, size, setting, arguments))
    }

    fn of_family(&self, family: &Family, size: Size, setting: &str, arguments: &[String]) -> Lurcher {
        Lurcher {
            measure: self.measure,
            subject: family.name.to_owned(),
            size: size.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
            model: self.places.root.join(family.file),
            setting: setting.to_owned(),
            arguments: arguments.to_vec(),
        }
    }

    fn walked(&self, model: Walked, n: usize, setting: &str, arguments: &[String]) -> Result<Lurcher, String> {
        Ok(Lurcher {
            measure: self.measure,
            subject: model.name().to_owned(),
            size: vec![("N".to_owned(), n.to_string())],
            model: model.write(self.folder)?,
            setting: setting.to_owned(),
            arguments: arguments.to_vec(),
        })
    }

    /// How many walks take long enough to be timed, and how many steps those are.
    fn enough(&self, made: impl Fn(u64) -> Result<Lurcher, String>) -> Result<(u64, u64), String> {
        let wanted = if self.scale.small { WALKING / 50.0 } else { WALKING };
        let mut walks = 64;
        loop {
            let run = made(walks)?.run(0, &self.places.lurcher)?;
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

fn hunt(walks: u64, more: &[&str]) -> Vec<String> {
    let (walks, depth) = (walks.to_string(), DEPTH.to_string());
    let all = ["hunt", "--engine", "walk", "--walks", &walks, "--depth", &depth];
    all.into_iter().chain(more.iter().copied()).map(str::to_owned).collect()
}

fn in_folder(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    files.retain(|p| p.extension().is_some_and(|e| e == extension));
    files.sort();
    Ok(files)
}
