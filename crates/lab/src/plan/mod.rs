//! From an experiment to its trials.
//!
//! Lists are crossed, and settings that make no difference are dropped first: an unguided walk has no bias, a complete
//! search has no seed. What is the same trial then is run once, whatever number of series it belongs to.

mod comparison;
mod configuration;
mod group;

use std::collections::HashMap;

use lurcher::Question;
use lurcher_syntax::{Diagnostic, Span};

use crate::instance::Instance;
use crate::read::depth;
use crate::spec::{Experiment, Series, Traces};
use crate::trial::{Parameters, Trial, Way, seconds};

use configuration::{Configuration, configurations};
use group::{Labels, group};

pub use comparison::Pair;
pub use group::Group;

/// The models and trials of an experiment.
#[derive(Debug)]
pub struct Plan {
    /// The models.
    pub instances: Vec<Instance>,
    /// The trials, each once.
    pub trials: Vec<Trial>,
    /// The groups of each series.
    pub groups: Vec<Vec<Group>>,
    /// The subjects of each comparison.
    pub pairs: Vec<Vec<Pair>>,
}

/// The most trials of an experiment.
const MOST_TRIALS: usize = 200_000;

struct Planner<'e> {
    experiment: &'e Experiment,
    plan: Plan,
    by_id: HashMap<String, usize>,
    by_model: HashMap<(String, String), usize>,
    errors: Vec<Diagnostic>,
}

/// Makes the plan of an experiment; models are read here.
///
/// # Errors
/// With everything that is wrong with models, properties and depths, each at its place in the experiment's file.
pub fn plan(experiment: &Experiment) -> Result<Plan, Vec<Diagnostic>> {
    let plan = Plan { instances: Vec::new(), trials: Vec::new(), groups: Vec::new(), pairs: Vec::new() };
    let (by_id, by_model) = (HashMap::new(), HashMap::new());
    let mut planner = Planner { experiment, plan, by_id, by_model, errors: Vec::new() };
    for series in &experiment.series {
        let groups = planner.series(series);
        planner.plan.groups.push(groups);
    }
    if planner.errors.is_empty() {
        for comparison in &experiment.comparisons {
            let pairs = comparison::pairs(comparison, experiment, &planner.plan);
            let pairs = planner.accept(comparison.span, pairs).unwrap_or_default();
            planner.plan.pairs.push(pairs);
        }
    }
    if planner.errors.is_empty() { Ok(planner.plan) } else { Err(planner.errors) }
}

impl Planner<'_> {
    fn series(&mut self, series: &Series) -> Vec<Group> {
        let choices = &series.choices;
        let mut points: Vec<(Labels, Vec<usize>)> = Vec::new();
        for (model, span) in &choices.models {
            for defines in cross(&choices.defines) {
                let instance = self.instance(model, &defines);
                let Some(instance) = self.accept(*span, instance) else { continue };
                for (asked, span) in &choices.properties {
                    let question = self.plan.instances[instance].ask(asked);
                    let Some(question) = self.accept(*span, question) else { continue };
                    let at = Point { series, instance, question, size: series.size_name(), model };
                    self.ways(&at, asked, &mut points);
                }
            }
        }
        group(points)
    }

    /// Passes a result on, or records its error.
    fn accept<T>(&mut self, span: Span, result: Result<T, String>) -> Option<T> {
        result.map_err(|why| self.errors.push(Diagnostic::error(span, why))).ok()
    }

    fn instance(&mut self, model: &str, defines: &[(String, String)]) -> Result<usize, String> {
        let key = (model.to_owned(), format!("{defines:?}"));
        if let Some(&known) = self.by_model.get(&key) {
            return Ok(known);
        }
        let loaded = Instance::load(&self.experiment.head.folder, model, defines.to_vec())?;
        self.plan.instances.push(loaded);
        let number = self.plan.instances.len() - 1;
        self.by_model.insert(key, number);
        Ok(number)
    }

    fn ways(&mut self, at: &Point<'_>, asked: &Question, points: &mut Vec<(Labels, Vec<usize>)>) {
        let choices = &at.series.choices;
        let base = self.parameters(at, asked);
        let spin = choices.spin.clone().map(|limits| ("Spin", "spin", limits.clone(), Way::Spin(limits)));
        let nusmv = choices.nusmv.clone().map(|limits| ("NuSMV", "nusmv", limits.clone(), Way::Nusmv(limits)));
        for (label, engine, limits, way) in spin.into_iter().chain(nusmv) {
            let parameters = Parameters {
                engine: engine.to_owned(),
                depth: optional(limits.depth),
                max_time: seconds(limits.time),
                max_memory: limits.memory.to_string(),
                ..base.clone()
            };
            let labels = at.labels(&self.plan, asked, vec![("engine", label.to_owned())]);
            points.push((labels, vec![self.add(at.trial(way, 0, false, false, parameters))]));
        }
        for engine in &choices.engines {
            if let Some(why) = self.plan.instances[at.instance].refusal(at.question, engine) {
                self.errors.push(Diagnostic::error(at.series.span, why));
                continue;
            }
            for wanted in &choices.depths {
                let instance = &self.plan.instances[at.instance];
                let steps = depth(&wanted.text, &|name| instance.value(name));
                let Some(steps) = self.accept(wanted.span, steps) else { continue };
                let model = &self.plan.instances[at.instance].model;
                let all = configurations(choices, engine, (wanted, steps), model);
                for one in self.accept(at.series.span, all).unwrap_or_default() {
                    for &minimise in &choices.minimise {
                        let mut said = one.said.clone();
                        said.push(("minimise", if minimise { "minimised" } else { "as found" }.to_owned()));
                        let labels = at.labels(&self.plan, asked, said);
                        let trials = self.seeds(at, &base, &one, minimise);
                        points.push((labels, trials));
                    }
                }
            }
        }
    }

    fn seeds(&mut self, at: &Point<'_>, base: &Parameters, one: &Configuration, minimise: bool) -> Vec<usize> {
        let choices = &at.series.choices;
        let random = one.way.is_random();
        let seeds = if random { &choices.seeds[..] } else { &choices.seeds[..1] };
        if self.plan.trials.len() + seeds.len() > MOST_TRIALS {
            if self.errors.is_empty() {
                let why = format!("the experiment has more than {MOST_TRIALS} trials");
                self.errors.push(Diagnostic::error(at.series.span, why));
            }
            return Vec::new();
        }
        let mut trials = Vec::new();
        for (number, &seed) in seeds.iter().enumerate() {
            let parameters = Parameters {
                minimise: minimise.to_string(),
                seed: if random { seed.to_string() } else { String::new() },
                max_walks: if random { optional(choices.limits.walks) } else { String::new() },
                max_states: if one.way.stores_states() { optional(choices.limits.states) } else { String::new() },
                ..one.parameters(base)
            };
            let keep_trace = match choices.traces {
                Traces::All => true,
                Traces::First => number == 0,
                Traces::None => false,
            };
            trials.push(self.add(at.trial(one.way.clone(), seed, minimise, keep_trace, parameters)));
        }
        trials
    }

    /// What all trials of an instance and a question share.
    fn parameters(&self, at: &Point<'_>, asked: &Question) -> Parameters {
        let instance = &self.plan.instances[at.instance];
        let limits = &at.series.choices.limits;
        Parameters {
            model: instance.name.clone(),
            text: instance.text.clone(),
            define: instance.define_text(),
            property: asked.to_string(),
            max_time: seconds(limits.time),
            max_memory: limits.memory.to_string(),
            ..Parameters::default()
        }
    }

    /// Adds a trial unless the plan has it, and returns its number.
    fn add(&mut self, trial: Trial) -> usize {
        let trials = &mut self.plan.trials;
        let number = *self.by_id.entry(trial.parameters.id()).or_insert(trials.len());
        match trials.get_mut(number) {
            Some(known) => known.keep_trace |= trial.keep_trace,
            None => trials.push(trial),
        }
        number
    }
}

/// A question about a model of a series.
struct Point<'a> {
    series: &'a Series,
    instance: usize,
    question: usize,
    size: Option<&'a str>,
    model: &'a str,
}

impl Point<'_> {
    fn trial(&self, way: Way, seed: u64, minimise: bool, keep_trace: bool, parameters: Parameters) -> Trial {
        let (instance, question, limits) = (self.instance, self.question, self.series.choices.limits.clone());
        Trial { instance, question, way, seed, limits, minimise, keep_trace, parameters }
    }

    fn labels(&self, plan: &Plan, asked: &Question, way: Vec<(&'static str, String)>) -> Labels {
        let defines = &plan.instances[self.instance].defines;
        let size = self.size.and_then(|s| defines.iter().find(|(n, _)| n == s)).map_or("", |(_, v)| v).to_owned();
        let others: Vec<String> =
            defines.iter().filter(|(n, _)| Some(n.as_str()) != self.size).map(|(n, v)| format!("{n}={v}")).collect();
        let mut said =
            vec![("model", self.model.to_owned()), ("define", others.join(" ")), ("property", asked.to_string())];
        said.extend(way);
        Labels { size, said }
    }
}

/// All combinations of values.
fn cross(defines: &[(String, Vec<String>)]) -> Vec<Vec<(String, String)>> {
    let mut all = vec![Vec::new()];
    for (name, values) in defines {
        let longer = |head: &Vec<(String, String)>| {
            let head = head.clone();
            values.iter().map(move |v| [&head[..], &[(name.clone(), v.clone())]].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

fn optional(number: Option<u64>) -> String {
    number.map_or(String::new(), |n| n.to_string())
}
