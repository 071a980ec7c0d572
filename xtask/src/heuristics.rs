//! `cargo xtask heuristics`: heuristics that call themselves admissible against true distances, on random programs.
//!
//! Every target of every program has its reachability graph, which is small enough to be complete. No admissible heuristic may
//! give a state a value above its distance.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use lurcher::LoadOptions;
use lurcher::engines::ProcessSystem;
use lurcher_heuristics::ReachabilityGraph;
use lurcher_heuristics::registry::{HEURISTICS, Request, Settings};
use lurcher_ir::{Model, Property, PropertyKind};
use lurcher_search::{Budget, Guidance, Prepared, Scores, Semantics};
use lurcher_system::State;

use crate::campaign::{self, Campaign, Compared, tally};
use crate::options::{Sampling, Threads};
use crate::random::ast::Program;
use crate::random::{generate, shrink};
use crate::shrink::Pass;

/// What is compared.
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    random: Sampling,
    #[command(flatten)]
    threads: Threads,
}

/// Runs the comparison; true when no value exceeds a distance.
pub fn run(options: &Options) -> Result<bool, String> {
    let random = Sampling { count: options.random.count.or(Some(500)), ..options.random };
    campaign::run(&Admissibility, &random, options.threads.count())
}

/// The most states of a program.
const STATES: usize = 4_000;
/// The most conditions of a program that are compared.
const CONDITIONS: usize = 4;
/// The time and the memory for building a heuristic.
const BUILD: (Duration, u64) = (Duration::from_secs(2), 16 << 20);

/// What was compared for one program.
#[derive(Clone, Debug, Default)]
struct Comparison {
    /// By heuristic: how many were compared on all states, and how many of these are above 0 in the initial state.
    compared: BTreeMap<&'static str, (usize, usize)>,
    /// The first value that exceeds a distance.
    difference: Option<String>,
}

struct Admissibility;

impl Campaign for Admissibility {
    type Program = Program;
    type Outcome = Result<Comparison, String>;
    type Difference = String;
    const FOLDER: &'static str = "heuristics-failures";
    const EXTENSION: &'static str = "pml";
    const TRIALS: usize = 1500;
    const PASSES: &'static [Pass<Program>] = shrink::PASSES;

    fn generate(&self, seed: u64, index: u64) -> Program {
        generate::program(seed, index)
    }

    fn compare(&self, _: u64, program: &Program) -> Self::Outcome {
        let loaded = lurcher::Model::from_text("model.pml", program.to_string(), &LoadOptions::default());
        let loaded = loaded.map_err(|_| "rejected".to_owned())?;
        let model = loaded.processes().ok_or("no process model")?;
        let mut comparison = Comparison::default();
        for property in properties(model) {
            compare(model, &property, &mut comparison);
        }
        Ok(comparison)
    }

    fn difference(&self, outcome: &Self::Outcome) -> Option<String> {
        outcome.as_ref().ok()?.difference.clone()
    }

    fn reproduce(&self, index: u64, program: &Program, wanted: &String, _: bool) -> Option<String> {
        let heuristic = |difference: &str| difference.split(' ').next().map(str::to_owned);
        self.difference(&self.compare(index, program)).filter(|found| heuristic(found) == heuristic(wanted))
    }

    fn report(&self, compared: &[Compared<Self>], elapsed: Duration) {
        let mut total: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for (name, counts) in compared.iter().flat_map(|one| &one.outcome).flat_map(|comparison| &comparison.compared) {
            let sum = total.entry(name).or_default();
            *sum = (sum.0 + counts.0, sum.1 + counts.1);
        }
        println!("{} programs in {:.0} s", compared.len(), elapsed.as_secs_f64());
        for (name, (all, told)) in total {
            println!("{name}: compared on all states of {all} instances, above 0 in the initial state of {told}");
        }
        let reasons = tally(compared.iter().filter_map(|one| one.outcome.as_ref().err().cloned()));
        reasons.iter().for_each(|(why, count)| println!("{count} not compared: {why}"));
    }
}

/// Safety, and for each condition of a formula the invariants that it holds and that it does not.
fn properties(model: &Model) -> Vec<Property> {
    let mut properties = vec![Property::built_in("safety", PropertyKind::Safety)];
    let atoms = model.properties.iter().flat_map(|property| match &property.kind {
        PropertyKind::Ltl { atoms, .. } => atoms.clone(),
        _ => Vec::new(),
    });
    for atom in atoms.take(CONDITIONS) {
        let negated = lurcher_ir::Atom::Expr(atom.expr().clone().negated());
        for condition in [atom, negated] {
            properties.push(Property::built_in("condition", PropertyKind::Invariant(condition)));
        }
    }
    properties
}

/// Compares every admissible heuristic for every target of a property.
fn compare(model: &Model, property: &Property, comparison: &mut Comparison) {
    let Ok(prepared) = Prepared::new(model, property, Semantics::default()) else { return };
    let interpreter = prepared.interpreter();
    for target in ProcessSystem::targets(&prepared) {
        let Some(graph) = ReachabilityGraph::explore(&interpreter, &target, STATES) else { continue };
        for entry in HEURISTICS.iter().filter(|entry| entry.scores == Scores::States) {
            let budget = &Budget::default().until(Instant::now() + BUILD.0).with_memory(Some(BUILD.1));
            let (prepared, interpreter, settings) = (&prepared, &interpreter, &Settings::default());
            let request = Request { prepared, interpreter, target: &target, settings, instances: None, budget };
            let Ok(built) = entry.build(&request, false) else { continue };
            if !built.guide.admissible() {
                continue;
            }
            let mut state = State::empty(interpreter.layout());
            let mut value = |number: usize| {
                let claim = graph.load(interpreter, number, &mut state);
                built.guide.of_state(&state, claim)
            };
            let counts = comparison.compared.entry(entry.name).or_default();
            *counts = (counts.0 + 1, counts.1 + usize::from(value(0) > 0));
            let exceeding = (0..graph.len()).find_map(|n| graph.distance(n).filter(|&d| value(n) > d).map(|d| (n, d)));
            if let (Some((number, distance)), None) = (exceeding, &comparison.difference) {
                let (name, found) = (entry.name, value(number));
                let kind = target.name();
                comparison.difference = Some(format!(
                    "{name} says {found} in state {number}, which is {distance} from a violation ({kind})"
                ));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Admissibility, Campaign};

    #[test]
    fn admissible_heuristics_never_exceed_the_distances_in_random_programs() {
        let mut compared = 0;
        for index in 0..60 {
            let outcome = Admissibility.compare(index, &Admissibility.generate(7, index));
            let Ok(comparison) = outcome else { continue };
            assert_eq!(comparison.difference, None, "program {index}");
            compared += comparison.compared.values().map(|counts| counts.1).sum::<usize>();
        }
        assert!(compared >= 30, "only {compared} heuristics say anything about an initial state");
    }
}
