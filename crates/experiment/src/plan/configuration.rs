//! Ways of running a trial, without the settings that make no difference to them.

use lurcher_search::{Bias, Kind, Selection, UNBOUNDED, Until, WalkPlan};
use lurcher_session::{Engine, GuideKind};

use crate::spec::{Choices, Depth, EngineChoice, GuideChoice};
use crate::trial::{Parameters, Way};

use super::relation::states_parameters;

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
            Way::Walks { name, plan, guide } => Parameters {
                engine: (*name).to_owned(),
                select: selection_name(plan.selection).to_owned(),
                guide: guide.map_or("none", GuideKind::name).to_owned(),
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

/// All configurations of an engine and a depth, each once.
pub(super) fn configurations(
    choices: &Choices,
    engine: EngineChoice,
    wanted: &Depth,
    steps: u32,
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
        _ => return Err("an engine of this series is for SMV models only, and a model of it is not one".to_owned()),
    };
    let mut all: Vec<Configuration> = Vec::new();
    for &selection in &choices.selections {
        for guide in choices.guides.iter().filter_map(|g| of_processes(*g)) {
            for (&bias, &reverse) in choices.biases.iter().flat_map(|b| choices.reversed.iter().map(move |r| (b, r))) {
                for (&chain, &until) in choices.chains.iter().flat_map(|c| choices.untils.iter().map(move |u| (c, u))) {
                    let reverse = reverse && guide.is_some();
                    let until = until.map_or(Until::End, Until::Repeats);
                    let plan = WalkPlan { kind, selection, bias, reverse, until, depth: steps, chain };
                    let mut said = vec![
                        ("engine", name.to_owned()),
                        ("select", selection_name(selection).to_owned()),
                        ("guide", guide_text(guide, reverse)),
                    ];
                    if guide.is_some() {
                        said.push(("bias", format!("{} bias", bias_name(bias))));
                    }
                    said.push(("restart", if chain > 1 { "random start" } else { "initial start" }.to_owned()));
                    said.push(("until", until_text(until)));
                    said.push(bound.clone());
                    if all.iter().all(|known| known.said != said) {
                        all.push(Configuration { way: Way::Walks { name, plan, guide }, said, depth: shown.clone() });
                    }
                }
            }
        }
    }
    Ok(all)
}

/// A guide for models that are made of processes, or none; nothing for those of relations.
fn of_processes(guide: Option<GuideChoice>) -> Option<Option<GuideKind>> {
    match guide {
        None => Some(None),
        Some(GuideChoice::Processes(kind)) => Some(Some(kind)),
        Some(GuideChoice::Abstraction) => None,
    }
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

fn guide_text(guide: Option<GuideKind>, reverse: bool) -> String {
    match guide {
        None => "unguided".to_owned(),
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
