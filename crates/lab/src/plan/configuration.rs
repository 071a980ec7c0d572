//! Ways of running a trial, without the settings that make no difference to them.

use lurcher_engines::{Engine, GuideKind, StateGuide, droppable};
use lurcher_ir::Model;
use lurcher_search::{Bias, Kind, Selection, UNBOUNDED, Until, WalkPlan};

use crate::spec::{Choices, Depth, EngineChoice, GuideChoice};
use crate::trial::{Parameters, Way};

use super::relation::{self, abstraction_name, guides, states_parameters, symbolic};

/// A way of running with the settings that matter to it.
#[derive(Clone, Debug)]
pub(super) struct Configuration {
    pub way: Way,
    /// What is said about it: name and value.
    pub said: Vec<(&'static str, String)>,
    pub(super) depth: String,
}

impl Configuration {
    /// Its parameters, over those that all trials of an instance share.
    pub fn parameters(&self, base: &Parameters) -> Parameters {
        let shared = Parameters { depth: self.depth.clone(), ..base.clone() };
        match &self.way {
            Way::Walks { name, plan, guide, drop } => Parameters {
                engine: (*name).to_owned(),
                select: selection_name(plan.selection).to_owned(),
                guide: match guide {
                    Some(GuideKind::Abstraction) => abstraction_name(drop),
                    guide => guide.map_or("none", GuideKind::name).to_owned(),
                },
                bias: guide.map_or("", |_| bias_name(plan.bias)).to_owned(),
                reverse: guide.map_or("", |_| if plan.reverse { "true" } else { "false" }).to_owned(),
                restart: if plan.chain > 1 { "random" } else { "initial" }.to_owned(),
                until: match plan.until {
                    Until::End => String::new(),
                    Until::Repeats(n) => n.to_string(),
                },
                ..shared
            },
            Way::Portfolio { .. } => Parameters { engine: "auto".to_owned(), ..shared },
            Way::Search { engine, .. } => Parameters { engine: engine.name().to_owned(), ..shared },
            Way::Spin(_) | Way::Nusmv(_) => shared,
            Way::States { name, hunter, guide } => states_parameters(name, hunter, guide, shared),
        }
    }
}

/// All configurations of an engine and a depth for a model made of processes, each once.
///
/// # Errors
/// When the engine is not one for such models, or no variable matches what shall be dropped.
pub(super) fn configurations(
    choices: &Choices,
    engine: EngineChoice,
    (wanted, steps): (&Depth, u32),
    model: &Model,
) -> Result<Vec<Configuration>, String> {
    let shown = if steps == UNBOUNDED { "none".to_owned() } else { steps.to_string() };
    let bound = ("depth", if steps == UNBOUNDED { "unbounded".to_owned() } else { format!("depth {}", wanted.text) });
    let (name, kind) = match engine {
        EngineChoice::Walk => ("walk", Kind::Walk),
        EngineChoice::Trail => ("trail", Kind::Trail),
        EngineChoice::Auto => {
            let said = vec![("engine", "portfolio".to_owned()), bound];
            return Ok(vec![Configuration { way: Way::Portfolio { depth: steps }, said, depth: shown }]);
        }
        EngineChoice::Bfs | EngineChoice::Dfs => {
            let engine = if engine == EngineChoice::Bfs { Engine::Bfs } else { Engine::Dfs };
            let said = vec![("engine", engine.name().to_owned()), bound];
            let depth = (steps != UNBOUNDED).then_some(steps);
            return Ok(vec![Configuration { way: Way::Search { engine, depth }, said, depth: shown }]);
        }
        EngineChoice::Bdd => {
            let way = Way::Search { engine: Engine::Bdd, depth: None };
            let said = vec![("engine", Engine::Bdd.name().to_owned())];
            return Ok(vec![Configuration { way, said, depth: String::new() }]);
        }
        EngineChoice::Sgmc | EngineChoice::SymbolicWalk | EngineChoice::SymbolicTrail => {
            return Ok(symbolic(engine, &abstractions(choices, model)?, (steps, &shown), &bound));
        }
        EngineChoice::Lurch | EngineChoice::BddPlain => {
            return Err("lurch and bdd-plain are for SMV models, and a model of this series is none".to_owned());
        }
    };
    let mut all: Vec<Configuration> = Vec::new();
    for &selection in &choices.selections {
        for (guide, drop) in of_processes(choices, model)? {
            for (&bias, &reverse) in choices.biases.iter().flat_map(|b| choices.reversed.iter().map(move |r| (b, r))) {
                for (&chain, &until) in choices.chains.iter().flat_map(|c| choices.untils.iter().map(move |u| (c, u))) {
                    let reverse = reverse && guide.is_some();
                    let until = until.map_or(Until::End, Until::Repeats);
                    let plan = WalkPlan { kind, selection, bias, reverse, until, depth: steps, chain };
                    let mut said = vec![
                        ("engine", name.to_owned()),
                        ("select", selection_name(selection).to_owned()),
                        ("guide", guide_text(guide, &drop, reverse)),
                    ];
                    if guide.is_some() {
                        said.push(("bias", format!("{} bias", bias_name(bias))));
                    }
                    said.push(("restart", if chain > 1 { "random start" } else { "initial start" }.to_owned()));
                    said.push(("until", until_text(until)));
                    said.push(bound.clone());
                    if all.iter().all(|known| known.said != said) {
                        let way = Way::Walks { name, plan, guide, drop: drop.clone() };
                        all.push(Configuration { way, said, depth: shown.clone() });
                    }
                }
            }
        }
    }
    Ok(all)
}

/// A guide of walks, or none, and what it drops.
type Guided = (Option<GuideKind>, Vec<String>);

/// The guides for walks of processes, or none.
fn of_processes(choices: &Choices, model: &Model) -> Result<Vec<Guided>, String> {
    let mut all = Vec::new();
    for guide in &choices.guides {
        match guide {
            None => all.push((None, Vec::new())),
            Some(GuideChoice::Processes(kind)) => all.push((Some(*kind), Vec::new())),
            Some(GuideChoice::Abstraction) => {
                let abstractions = abstractions(choices, model)?.into_iter().filter(|g| g.on);
                all.extend(abstractions.map(|g| (Some(GuideKind::Abstraction), g.drop)));
            }
        }
    }
    Ok(all)
}

/// The abstractions of a model made of processes, and no guide where that is a choice.
fn abstractions(choices: &Choices, model: &Model) -> Result<Vec<StateGuide>, String> {
    let named = choices.drops.iter().any(|patterns| !patterns.is_empty());
    guides(choices, &if named { droppable(model)? } else { Vec::new() })
}

pub(super) fn selection_name(selection: Selection) -> &'static str {
    match selection {
        Selection::TryAChild => "try-a-child",
        Selection::AllChildren => "all-children",
    }
}

pub(super) fn bias_name(bias: Bias) -> &'static str {
    match bias {
        Bias::Thesis => "thesis",
        Bias::Linear => "linear",
        Bias::Steep => "steep",
    }
}

fn guide_text(guide: Option<GuideKind>, drop: &[String], reverse: bool) -> String {
    match guide {
        None => "unguided".to_owned(),
        Some(GuideKind::Abstraction) => relation::guide_text(&StateGuide { on: true, reverse, drop: drop.to_vec() }),
        Some(kind) if reverse => format!("{} reversed", kind.name()),
        Some(kind) => kind.name().to_owned(),
    }
}

pub(super) fn until_text(until: Until) -> String {
    match until {
        Until::End => String::new(),
        Until::Repeats(1) => "until a loop".to_owned(),
        Until::Repeats(n) => format!("until {n} repeats"),
    }
}
