//! Ways of running a trial on a relation, without the settings that make no difference to them.

use lurcher_engines::{StateGuide, StateHunter, SymbolicHunter};
use lurcher_ir::relation::Relation;
use lurcher_search::{Kind, LurchPlan, UNBOUNDED, Until, WalkPlan};

use crate::spec::{Choices, Depth, EngineChoice, GuideChoice};
use crate::trial::{Parameters, Way, glob};

use super::configuration::{Configuration, bias_name, selection_name, until_text};

/// All configurations of an engine and a depth, each once.
///
/// # Errors
/// When the engine is not one for relations, or no variable matches what shall be dropped.
pub(super) fn configurations(
    choices: &Choices,
    engine: EngineChoice,
    (wanted, steps): (&Depth, u32),
    relation: &Relation,
) -> Result<Vec<Configuration>, String> {
    let names: Vec<String> = relation.state_variables().map(|(_, v)| v.name.clone()).collect();
    let bounded = steps != UNBOUNDED;
    let shown = if bounded { steps.to_string() } else { "none".to_owned() };
    let bound = ("depth", if bounded { format!("depth {}", wanted.text) } else { "unbounded".to_owned() });
    let one = |name: &'static str, hunter: StateHunter| {
        let way = Way::States { name, hunter, guide: StateGuide::default() };
        Ok(vec![Configuration { way, said: vec![("engine", name.to_owned())], depth: String::new() }])
    };
    let (name, kind) = match engine {
        EngineChoice::Auto => return one("auto", StateHunter::Auto),
        EngineChoice::Bfs => return one("bfs", StateHunter::Bfs),
        EngineChoice::Bdd => return one("bdd", StateHunter::Bdd),
        EngineChoice::BddPlain => return one("bdd-plain", StateHunter::BddPlain),
        EngineChoice::Dfs => return Err("there is no dfs among the engines for SMV models".to_owned()),
        EngineChoice::Lurch => return Ok(lurch(choices, steps, &shown, &bound)),
        EngineChoice::Sgmc | EngineChoice::SymbolicWalk | EngineChoice::SymbolicTrail => {
            return Ok(symbolic(engine, &guides(choices, &names)?, (steps, &shown), &bound));
        }
        EngineChoice::Walk => ("walk", Kind::Walk),
        EngineChoice::Trail => ("trail", Kind::Trail),
    };
    let mut all: Vec<Configuration> = Vec::new();
    for guide in guides(choices, &names)? {
        for (&selection, &bias) in choices.selections.iter().flat_map(|s| choices.biases.iter().map(move |b| (s, b))) {
            for (&chain, &until) in choices.chains.iter().flat_map(|c| choices.untils.iter().map(move |u| (c, u))) {
                let until = until.map_or(Until::End, Until::Repeats);
                let plan = WalkPlan { kind, selection, bias, reverse: guide.reverse, until, depth: steps, chain };
                let mut said = vec![("engine", name.to_owned())];
                if guide.on {
                    said.push(("bias", format!("{} bias", bias_name(bias))));
                } else {
                    said.push(("select", selection_name(selection).to_owned()));
                }
                said.push(("guide", guide_text(&guide)));
                said.push(("restart", if chain > 1 { "random start" } else { "initial start" }.to_owned()));
                said.push(("until", until_text(until)));
                said.push(bound.clone());
                if all.iter().all(|known| known.said != said) {
                    let way = Way::States { name, hunter: StateHunter::Walk(plan), guide: guide.clone() };
                    all.push(Configuration { way, said, depth: shown.clone() });
                }
            }
        }
    }
    Ok(all)
}

/// SGMC, and symbolic walks and trails, with each of the guides.
pub(super) fn symbolic(
    engine: EngineChoice,
    guides: &[StateGuide],
    (steps, shown): (u32, &str),
    bound: &(&'static str, String),
) -> Vec<Configuration> {
    let trail = engine == EngineChoice::SymbolicTrail;
    let name = match engine {
        EngineChoice::Sgmc => "sgmc",
        _ if trail => "symbolic-trail",
        _ => "symbolic-walk",
    };
    let one = |hunter: SymbolicHunter, guide: &StateGuide| {
        let way = Way::States { name, hunter: StateHunter::Symbolic(hunter), guide: guide.clone() };
        let said = vec![("engine", name.to_owned()), ("guide", guide_text(guide))];
        Configuration { way, said, depth: String::new() }
    };
    if engine == EngineChoice::Sgmc {
        // SGMC has a guide, whatever guides walks have.
        let usual = [StateGuide { on: true, ..StateGuide::default() }];
        let chosen: Vec<&StateGuide> = guides.iter().filter(|g| g.on && !g.reverse).collect();
        let chosen = if chosen.is_empty() { usual.iter().collect() } else { chosen };
        return chosen.into_iter().map(|guide| one(SymbolicHunter::Sgmc, guide)).collect();
    }
    let depth = (steps != UNBOUNDED).then_some(u64::from(steps));
    let walk = |guide: &StateGuide| {
        let Configuration { way, mut said, .. } = one(SymbolicHunter::Walk { trail, depth }, guide);
        said.push(bound.clone());
        Configuration { way, said, depth: shown.to_owned() }
    };
    guides.iter().map(walk).collect()
}

fn lurch(choices: &Choices, steps: u32, shown: &str, bound: &(&'static str, String)) -> Vec<Configuration> {
    let one = |until: &Option<u32>| {
        let usual = LurchPlan::default();
        let plan = LurchPlan { repeats: until.unwrap_or(usual.repeats), depth: steps, ..usual };
        Configuration {
            said: vec![
                ("engine", "lurch".to_owned()),
                ("until", until_text(Until::Repeats(plan.repeats))),
                bound.clone(),
            ],
            way: Way::States { name: "lurch", hunter: StateHunter::Lurch(plan), guide: StateGuide::default() },
            depth: shown.to_owned(),
        }
    };
    choices.untils.iter().map(one).collect()
}

/// The guides of walks: what is dropped and which way they lead matters only where there is one.
pub(super) fn guides(choices: &Choices, names: &[String]) -> Result<Vec<StateGuide>, String> {
    let mut all = Vec::new();
    for guide in &choices.guides {
        match guide {
            None => all.push(StateGuide::default()),
            Some(GuideChoice::Processes(_)) => {}
            Some(GuideChoice::Abstraction) => {
                for patterns in &choices.drops {
                    let drop = dropped(names, patterns)?;
                    let guide = |&reverse: &bool| StateGuide { on: true, reverse, drop: drop.clone() };
                    all.extend(choices.reversed.iter().map(guide));
                }
            }
        }
    }
    Ok(all)
}

/// The names that match one of the patterns, which are separated by blanks.
fn dropped(names: &[String], patterns: &str) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    for pattern in patterns.split_whitespace() {
        let before = found.len();
        found.extend(names.iter().filter(|n| glob(pattern, n)).cloned());
        if found.len() == before {
            return Err(format!("no variable matches `{pattern}`, which shall be dropped"));
        }
    }
    Ok(found)
}

/// The thesis calls what the tool drops `auto` and what the user drops `manu`.
pub(super) fn guide_text(guide: &StateGuide) -> String {
    if !guide.on {
        return "unguided".to_owned();
    }
    let kind = if guide.drop.is_empty() { "auto" } else { "manu" };
    format!("abstraction {kind}{}", if guide.reverse { " reversed" } else { "" })
}

/// An abstraction as a parameter.
pub(super) fn abstraction_name(drop: &[String]) -> String {
    match drop {
        [] => "abstraction".to_owned(),
        names => format!("abstraction without {}", names.join(" ")),
    }
}

/// The parameters of a trial of an engine for states, or sets of states.
pub(super) fn states_parameters(
    name: &str,
    hunter: &StateHunter,
    guide: &StateGuide,
    shared: Parameters,
) -> Parameters {
    let guided = guide.on || matches!(hunter, StateHunter::Symbolic(SymbolicHunter::Sgmc));
    let text = if guided { abstraction_name(&guide.drop) } else { "none".to_owned() };
    let named = Parameters {
        engine: name.to_owned(),
        guide: text,
        reverse: if guide.on { guide.reverse.to_string() } else { String::new() },
        ..shared
    };
    match hunter {
        StateHunter::Walk(plan) => Parameters {
            select: if guide.on { String::new() } else { selection_name(plan.selection).to_owned() },
            bias: if guide.on { bias_name(plan.bias).to_owned() } else { String::new() },
            restart: if plan.chain > 1 { "random" } else { "initial" }.to_owned(),
            until: match plan.until {
                Until::End => String::new(),
                Until::Repeats(n) => n.to_string(),
            },
            ..named
        },
        StateHunter::Lurch(plan) => Parameters { guide: String::new(), until: plan.repeats.to_string(), ..named },
        StateHunter::Symbolic(_) => named,
        _ => Parameters { guide: String::new(), ..named },
    }
}
