//! Files that are about models rather than trials: `[mutants]` and `[graph]`.

use std::path::Path;
use std::time::Duration;

use lurcher_smv::mutate::FaultKind;
use lurcher_syntax::did_you_mean;
use toml::de::DeTable;

use super::Reader;
use super::value::{Value, sorted};
use crate::faults::{Effort, FaultStudy, engines};
use crate::graph::GraphStudy;
use crate::spec::Head;
use crate::units;

/// The contents of such a file.
#[derive(Clone, Debug)]
pub enum Study {
    /// `[mutants]`: the seeded faults that engines find.
    Faults(FaultStudy),
    /// `[graph]`: the growth of a model and its states.
    Graph(GraphStudy),
}

const OF_MUTANTS: &str = "model, count, seed, kinds, properties, engines, runs, paths, depth, repeats, time, memory, \
                          judge-time, keep";
const OF_GRAPH: &str = "model, define, time, memory, states";

/// A suggestion for a misspelt setting.
fn near(name: &str, known: &str) -> String {
    did_you_mean(name, known.split(", "))
}

/// Whether a file has a table of a study.
pub(super) fn is_study(table: &DeTable<'_>) -> bool {
    table.contains_key("mutants") || table.contains_key("graph")
}

impl Reader {
    /// Reads a study.
    pub(super) fn study(&mut self, path: &Path, table: &DeTable<'_>) -> Option<Study> {
        let mut head = Head::new(path);
        let mut bodies = Vec::new();
        for (key, value) in sorted(table) {
            match key.get_ref().as_ref() {
                "title" => head.title = self.text(value).unwrap_or(head.title),
                "about" => head.about = self.text(value).unwrap_or(head.about),
                name @ ("mutants" | "graph") => bodies.push((name == "mutants", value)),
                other => {
                    self.wrong(key, format!("a study has title, about, and [mutants] or [graph], but no `{other}`"))
                }
            }
        }
        let [(is_mutants, value)] = bodies.as_slice() else {
            self.error(self.place(0..0), "[mutants] and [graph] are files of their own");
            return None;
        };
        let body = self.table(value, "this must be a table")?;
        if *is_mutants {
            let study = FaultStudy {
                head,
                model: (String::new(), self.place(value.span())),
                count: 100,
                seed: 1,
                kinds: FaultKind::ALL.to_vec(),
                properties: None,
                engines: engines()[..1].to_vec(),
                runs: 5,
                effort: Effort::default(),
                judge_time: Duration::from_secs(60),
                keep: false,
            };
            self.faults(study, body).map(Study::Faults)
        } else {
            let study = GraphStudy {
                head,
                model: String::new(),
                size: String::new(),
                values: Vec::new(),
                time: Duration::from_secs(60),
                memory: 2 << 30,
                states: None,
            };
            self.graph(study, value, body).map(Study::Graph)
        }
    }

    fn faults(&mut self, mut study: FaultStudy, body: &DeTable<'_>) -> Option<FaultStudy> {
        for (key, value) in sorted(body) {
            let span = self.place(value.span());
            match key.get_ref().as_ref() {
                "model" => study.model = (self.text(value)?, span),
                "count" => study.count = self.positive(value).unwrap_or(1),
                "seed" => study.seed = self.number(value).unwrap_or(1),
                "kinds" => {
                    let known = FaultKind::ALL.map(|k| (k.name(), k));
                    study.kinds = self.many(value, |r, v| r.word(v, "kind of fault", &known));
                }
                "properties" if value.get_ref().as_str() == Some("all") => study.properties = None,
                "properties" => {
                    study.properties = Some(self.many(value, |r, v| Some((r.text(v)?, r.place(v.span())))));
                }
                "engines" => {
                    let known: Vec<_> = engines().into_iter().map(|e| (e.name, e)).collect();
                    study.engines = self.many(value, |r, v| r.word(v, "engine of such a study", &known));
                }
                "runs" => study.runs = self.positive(value).unwrap_or(1),
                "paths" => study.effort.paths = self.positive(value).unwrap_or(1),
                "depth" => {
                    study.effort.depth = self.positive(value).map_or(1, |d| u32::try_from(d).unwrap_or(u32::MAX));
                }
                "repeats" => {
                    study.effort.repeats = self.positive(value).map_or(1, |d| u32::try_from(d).unwrap_or(u32::MAX));
                }
                "time" => study.effort.time = self.quantity(value, units::duration).unwrap_or_default(),
                "judge-time" => study.judge_time = self.quantity(value, units::duration).unwrap_or_default(),
                "memory" => study.effort.memory = self.quantity(value, units::size).unwrap_or_default(),
                "keep" => study.keep = self.flag(value).unwrap_or(false),
                other => self.wrong(
                    key,
                    format!("[mutants] has no setting `{other}`; it has {OF_MUTANTS}{}", near(other, OF_MUTANTS)),
                ),
            }
        }
        if !study.model.0.ends_with(".smv") {
            self.error(study.model.1, "[mutants] needs a `model`, and that must be an SMV file");
        }
        Some(study)
    }

    fn graph(&mut self, mut study: GraphStudy, whole: &Value<'_>, body: &DeTable<'_>) -> Option<GraphStudy> {
        for (key, value) in sorted(body) {
            match key.get_ref().as_ref() {
                "model" => study.model = self.text(value)?,
                "define" => {
                    let entries = value.get_ref().as_table().map(sorted).unwrap_or_default();
                    let [(name, values)] = entries.as_slice() else {
                        self.wrong(value, "`define` names one macro, the size, and its values");
                        continue;
                    };
                    study.size = name.get_ref().to_string();
                    study.values = self.macro_values(values);
                }
                "time" => study.time = self.quantity(value, units::duration).unwrap_or_default(),
                "memory" => study.memory = self.quantity(value, units::size).unwrap_or_default(),
                "states" => study.states = self.number(value),
                other => self.wrong(
                    key,
                    format!("[graph] has no setting `{other}`; it has {OF_GRAPH}{}", near(other, OF_GRAPH)),
                ),
            }
        }
        if study.model.is_empty() || study.values.is_empty() {
            self.wrong(whole, "[graph] needs `model` and `define`");
        }
        Some(study)
    }
}
