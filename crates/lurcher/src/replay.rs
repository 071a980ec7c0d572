//! Replay: executing a trace again, and judging what it shows. The same for Promela and SMV models.

use lurcher_engines::{
    Confirmed, Counterexample, EngineError, Goal, ProcessTrace, Task, TimedTrace, Trace, evidence as evidence_of,
    shorten,
};
use lurcher_ir::relation::Relation;
use lurcher_ir::{Property, PropertyKind};
use lurcher_resources::ResourceLimits;
use lurcher_search::{Budget, Prepared, Semantics};
use lurcher_system::timed::Judgement;
use lurcher_system::{Interpreter, Limits, Violation};
use lurcher_trace::{
    Evidence, Header, ReplayError, Replayed, StateEvidence, TraceKind, Trail, judge, read_json, read_run_json,
    read_states_json, read_trail, readings,
};

use crate::languages::Form;
use crate::load::Model;
use crate::question::{Question, QuestionError};

/// A trace to be replayed: lurcher's JSON, or a trail of Spin's.
#[derive(Clone, Debug)]
pub struct TraceFile {
    text: String,
    /// What a JSON trace says about itself.
    pub header: Option<Header>,
}

/// A trace that was executed again.
#[derive(Debug)]
pub struct Replay {
    /// The trace.
    pub trace: Trace,
    /// The property that it was judged by.
    pub property: Property,
    /// The kind of violation that it shows, or `none`.
    pub kind: &'static str,
    /// Whether it shows a violation.
    pub violated: bool,
    /// What it shows, in words.
    pub summary: String,
    /// What the user should know.
    pub warnings: Vec<String>,
    /// How the trace was made shorter, if that was asked for.
    pub shortened: Option<Shortened>,
}

/// How a trace was made shorter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shortened {
    /// Its length before.
    pub found_length: u32,
    /// No shorter trace shows this violation.
    pub optimal: bool,
    /// Work done, in expanded states.
    pub expansions: u64,
    /// A limit ended it early.
    pub cut: bool,
}

impl TraceFile {
    /// Takes the text of a trace.
    ///
    /// # Errors
    /// When it looks like JSON and is none.
    pub fn new(text: String) -> Result<TraceFile, String> {
        let header = match text.trim_start().starts_with('{') {
            true => Some(Header::read(&text)?),
            false => None,
        };
        Ok(TraceFile { text, header })
    }
}

impl Model {
    /// Executes a trace again and judges it: by the named property, by the one that the trace is about, or by the first that it
    /// violates.
    ///
    /// # Errors
    /// Why it does not replay. A difference to the model that the trace was made from is named as the reason.
    pub fn replay(
        &mut self,
        file: &TraceFile,
        property: Option<&Question>,
        semantics: Semantics,
    ) -> Result<Replay, String> {
        let header = file.header.as_ref();
        let kind = match self.form() {
            Form::Processes(_) => TraceKind::Moves,
            Form::Relation(_) => TraceKind::States,
            Form::Timed(_) => TraceKind::Timed,
        };
        header.map_or(Ok(()), |header| header.is_about(kind))?;
        let difference = header.and_then(|header| self.difference(header));
        let semantics = header.map_or(semantics, |header| semantics.or(header.semantics));
        let replayed = match kind {
            TraceKind::Moves => self.replay_moves(file, property, semantics),
            TraceKind::States => self.replay_states(file, property),
            TraceKind::Timed => self.replay_run(file, property),
        };
        match (replayed, difference) {
            (Ok(mut replay), Some(difference)) => {
                replay.warnings.push(difference);
                Ok(replay)
            }
            (Err(why), Some(difference)) => Err(format!("{why}; {difference}")),
            (replayed, None) => replayed,
        }
    }

    /// Makes a replayed trace shorter, with a budget of expanded states. The trace that results shows the same kind of violation,
    /// and is replayed and judged like the one before. A trace without a violation stays as it is.
    ///
    /// # Errors
    /// When the shorter trace does not replay.
    pub fn shorten(&self, replay: Replay, expansions: u64, resources: &ResourceLimits) -> Result<Replay, EngineError> {
        let semantics = match &replay.trace {
            Trace::Processes(trace) => trace.semantics,
            _ => Semantics::default(),
        };
        let budget = Budget { resources: resources.clone(), ..Budget::default() };
        let minimise = Some(expansions);
        let task = Task { semantics, minimise, budget, sources: Some(self.sources()), ..Task::new(Goal::Hunt) };
        let Replay { trace, property, .. } = &replay;
        let confirmed = match self.form() {
            Form::Processes(model) => shorten(model, property, trace, &task),
            Form::Relation(relation) => shorten(relation, property, trace, &task),
            Form::Timed(specification) => shorten(specification, property, trace, &task),
        };
        let Some(Confirmed { counterexample, expansions, cut, .. }) = confirmed? else { return Ok(replay) };
        let Counterexample { trace, found_length, shortest: optimal, .. } = counterexample;
        let shortened = Some(Shortened { found_length, optimal, expansions, cut });
        Ok(Replay { trace, shortened, ..replay })
    }

    /// The property that a trace is about.
    fn property_of(&mut self, header: &Header) -> Result<Vec<Property>, QuestionError> {
        self.resolve(&Question::of(header))
    }

    fn replay_moves(
        &mut self,
        file: &TraceFile,
        wanted: Option<&Question>,
        semantics: Semantics,
    ) -> Result<Replay, String> {
        let trail = match &file.header {
            Some(_) => read_json(&file.text).map_err(|e| format!("it is no trace: {e}"))?.0,
            None => read_trail(&file.text).map_err(|e| format!("it is no trail: {e}"))?,
        };
        let mut warnings = Vec::new();
        let candidates = match (wanted, &file.header) {
            (Some(question), _) => self.resolve(question).map_err(|e| e.to_string())?,
            (None, Some(header)) => match self.property_of(header) {
                Ok(properties) => properties,
                Err(why) if trail.path.cycle_start.is_some() => return Err(why.to_string()),
                Err(why) => {
                    warnings.push(why.to_string());
                    vec![Property::built_in("safety", PropertyKind::Safety)]
                }
            },
            (None, None) => candidates(&processes(self).properties, &trail),
        };
        let (replayed, evidence, property) = find_evidence(processes(self), &trail, candidates, semantics)?;
        let unasked = wanted.is_none() && file.header.is_none() && !trail.non_progress;
        if unasked && evidence != Evidence::None && matches!(property.kind, PropertyKind::NonProgress) {
            warnings.push(UNASKED.to_owned());
        }
        let prepared = prepare(processes(self), &property, semantics)?;
        let with_claim = prepared.limits().with_claim;
        let limits = Limits { with_claim, ..semantics.limits(processes(self)) };
        let interpreter = Interpreter::new(processes(self), limits);
        let summary = match evidence {
            Evidence::AcceptingCycle => format!("the cycle violates {}", self.named(&property)),
            Evidence::None => "the trace replays and violates nothing".to_owned(),
            Evidence::Step(Violation::Assertion(span)) => {
                let assertion = self.sources().text_on_one_line(span);
                format!("the trace replays and shows a violation of {}: {assertion}", property.name)
            }
            _ => format!("the trace replays and shows a violation of {}", self.named(&property)),
        };
        let (kind, violated) = (kind(&evidence, &property), evidence != Evidence::None);
        let trace = Trace::Processes(Box::new(ProcessTrace::new(&interpreter, replayed, evidence, semantics)));
        Ok(Replay { trace, property, kind, violated, summary, warnings, shortened: None })
    }

    /// The name of a property, and its formula where the user gave it.
    fn named(&self, property: &Property) -> String {
        let formula = self.formula_at(property.span).map(|formula| format!(": {formula}"));
        property.name.clone() + &formula.unwrap_or_default()
    }

    fn replay_states(&mut self, file: &TraceFile, wanted: Option<&Question>) -> Result<Replay, String> {
        let header = file.header.as_ref().ok_or("Spin's trails are for Promela models")?;
        let read = read_states_json(relation(self), &file.text);
        let (run, _) = read.map_err(|e| format!("it is no trace of this model: {e}"))?;
        let mut warnings = Vec::new();
        let resolved = match wanted {
            Some(question) => self.resolve(question),
            None => self.property_of(header),
        };
        let property = match resolved {
            Ok(mut properties) => properties.remove(0),
            Err(why) if wanted.is_some() => return Err(why.to_string()),
            Err(why) => {
                warnings.push(format!("{why}; the trace is only executed"));
                let always = self.resolve(&Question::invariant("TRUE")).map_err(|e| e.to_string())?.remove(0);
                Property { name: header.property.clone(), ..always }
            }
        };
        let evidence = evidence_of(relation(self), &run, &property).map_err(|e| e.to_string())?;
        let summary = match evidence {
            StateEvidence::None => "the trace replays and violates nothing".to_owned(),
            StateEvidence::Illustration => {
                format!("the trace replays; it illustrates a violation of {}", self.named(&property))
            }
            _ => format!("the trace replays and shows a violation of {}", self.named(&property)),
        };
        let (kind, violated) = (property.kind.name(), evidence != StateEvidence::None);
        let trace = Trace::States(Some((run, evidence)));
        Ok(Replay { trace, property, kind, violated, summary, warnings, shortened: None })
    }
}

impl Model {
    fn replay_run(&mut self, file: &TraceFile, wanted: Option<&Question>) -> Result<Replay, String> {
        let header = file.header.as_ref().ok_or("Spin's trails are for Promela models")?;
        let resolved = match wanted {
            Some(question) => self.resolve(question),
            None => self.property_of(header),
        };
        let property = resolved.map_err(|e| e.to_string())?.remove(0);
        let (Form::Timed(specification), PropertyKind::Timed(at)) = (self.form(), &property.kind) else {
            unreachable!("timed models have timed properties")
        };
        let model = specification.property(*at).0;
        let run = read_run_json(model, &file.text).map_err(|e| format!("it is no trace of this model: {e}"))?;
        let trace = TimedTrace::judged(model, *at, run);
        let violated = trace.is_violation();
        let summary = match &trace.judgement {
            Judgement::Violates { .. } => format!("the trace replays and shows a violation of {}", property.name),
            Judgement::Undefined { .. } => format!("the trace replays; {}", trace.ending()),
            Judgement::ShowsNothing => "the trace replays and violates nothing".to_owned(),
            other => return Err(other.to_string()),
        };
        let (kind, trace) = (property.kind.name(), Trace::Timed(Box::new(trace)));
        Ok(Replay { trace, property, kind, violated, summary, warnings: Vec::new(), shortened: None })
    }
}

/// Said of a trail that violates only a property that nobody stated.
const UNASKED: &str = "the trail violates no property that the model states, and is judged by non-progress; --property, --ltl or \
                       --invariant names the property that it is about";

fn processes(model: &Model) -> &lurcher_ir::Model {
    match model.form() {
        Form::Processes(model) => model,
        _ => unreachable!("only process models have moves"),
    }
}

fn relation(model: &Model) -> &Relation {
    model.relation().expect("process models have moves")
}

fn prepare(model: &lurcher_ir::Model, property: &Property, semantics: Semantics) -> Result<Prepared, String> {
    lurcher_engines::prepare(model, property, semantics).map_err(|e| format!("property `{}`: {e}", property.name))
}

/// Executes a trail, and says what it shows: of the first property that it violates, else of the first that it can be read with.
fn find_evidence(
    model: &lurcher_ir::Model,
    trail: &Trail,
    candidates: Vec<Property>,
    semantics: Semantics,
) -> Result<(Replayed, Evidence, Property), String> {
    let mut first: Option<Result<_, ReplayError>> = None;
    for property in candidates {
        let prepared = prepare(model, &property, semantics)?;
        let question = lurcher_trace::Question::of(&prepared);
        let interpreter = prepared.interpreter();
        for reading in readings(&interpreter, trail) {
            let result = reading.map(|replayed| {
                let evidence = judge(&interpreter, &replayed, &question);
                (replayed, evidence, property.clone())
            });
            match result {
                Ok(found) if found.1 != Evidence::None => return Ok(found),
                Ok(found) => first = first.and_then(Result::ok).map(Ok).or(Some(Ok(found))),
                Err(error) => first = first.or(Some(Err(error))),
            }
        }
    }
    first.expect("there is at least one candidate").map_err(|e| e.to_string())
}

/// The properties that a trail of Spin's may be about.
fn candidates(stated: &[Property], trail: &Trail) -> Vec<Property> {
    let non_progress = Property::built_in("non-progress", PropertyKind::NonProgress);
    let mut all = stated.to_vec();
    if trail.non_progress {
        all.insert(0, non_progress);
    } else if trail.path.cycle_start.is_some() {
        all.push(Property::built_in("acceptance", PropertyKind::Acceptance));
        all.push(non_progress);
    }
    let place = if trail.with_claim { all.len() } else { 0 };
    all.insert(place, Property::built_in("safety", PropertyKind::Safety));
    all
}

/// The kind of a violation in JSON.
fn kind(evidence: &Evidence, property: &Property) -> &'static str {
    match evidence {
        Evidence::Deadlock => "deadlock",
        Evidence::Step(Violation::Assertion(_)) => "assertion",
        Evidence::Step(Violation::Fault { fault, .. }) => fault.kind(),
        Evidence::Invariant => "invariant",
        Evidence::ClaimEnd => "never",
        Evidence::None => "none",
        Evidence::AcceptingCycle | Evidence::BadPrefix => match property.kind {
            PropertyKind::Ltl { .. } => "ltl",
            PropertyKind::NonProgress => "non-progress",
            PropertyKind::Acceptance => "acceptance",
            _ => "never",
        },
    }
}
