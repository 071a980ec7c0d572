//! The reference semantics of timed models.
//!
//! The oracle judges a run instant by instant, straight from the rules that [`lurcher_ir::timed`] states. It enumerates nothing
//! but the parameters of transitions that may be enabled. Violations that engines find are confirmed with it.
//!
//! The first instant decides at which a rule is broken, a clause has no value, or the property is false. If several of these
//! come together, the broken rule counts, then the clause without a value.

use lurcher_ir::timed::{Clause, Model, PropertyKind, TermId, TransitionId, TransitionRef};
use lurcher_resources::checkpoint;

use super::enabled::Instant;
use super::judgement::{Judgement, Rule};
use super::reader::{Frame, View, Vocabulary};
use super::run::Run;
use super::snapshot::{Call, Firing, Snapshot, duration};
use super::unroll::{Unrolled, malformed};

/// Judges runs of a model.
#[derive(Clone, Debug)]
pub struct Oracle<'m> {
    vocabulary: Vocabulary<'m>,
}

/// What is found at an instant.
#[derive(Default)]
struct Findings {
    illegal: Option<(Rule, String)>,
    undefined: Option<String>,
    undecided: Option<String>,
}

impl Findings {
    fn illegal(&mut self, rule: Rule, reason: impl FnOnce() -> String) {
        if self.illegal.is_none() {
            self.illegal = Some((rule, reason()));
        }
    }

    /// Notes a formula that has to be true.
    fn must(&mut self, truth: Option<bool>, rule: Rule, name: &str) {
        match truth {
            Some(true) => {}
            Some(false) => self.illegal(rule, || format!("{name} does not hold")),
            None => self.undefined(name),
        }
    }

    fn undefined(&mut self, name: &str) {
        self.undefined.get_or_insert_with(|| name.to_owned());
    }

    /// The judgement, if the instant decides.
    fn judgement(self, at: i64) -> Option<Judgement> {
        if let Some((rule, reason)) = self.illegal {
            return Some(Judgement::Illegal { rule, at, reason });
        }
        if let Some(reason) = self.undecided {
            return Some(Judgement::Undecided { at, reason });
        }
        self.undefined.map(|clause| Judgement::Undefined { clause, at })
    }
}

impl<'m> Oracle<'m> {
    /// The oracle of a model that passes [`check`](lurcher_ir::timed::check::check).
    pub fn new(model: &'m Model) -> Self {
        Oracle { vocabulary: Vocabulary::new(model) }
    }

    /// Whether a run violates a property, an index into the properties of the model.
    pub fn judge(&self, run: &Run, property: usize) -> Judgement {
        let kind = self.vocabulary.model.properties[property].kind;
        self.judged(run, kind, Some(property))
    }

    /// Whether a run is legal under what the properties of a kind may assume.
    pub fn judge_run(&self, run: &Run, kind: PropertyKind) -> Judgement {
        self.judged(run, kind, None)
    }

    fn judged(&self, run: &Run, kind: PropertyKind, property: Option<usize>) -> Judgement {
        let model = self.vocabulary.model;
        if let Some(fault) = malformed(model, run) {
            return Judgement::Illegal { rule: fault.rule, at: fault.at, reason: fault.reason };
        }
        if let Some(judgement) = self.constants(run) {
            return judgement;
        }
        let unrolled = Unrolled::new(model, run);
        let mut history: Vec<&Snapshot> = Vec::with_capacity(unrolled.snapshots.len());
        for snapshot in &unrolled.snapshots {
            checkpoint();
            history.push(snapshot);
            let at = history.len() as i64 - 1;
            let mut findings = Findings::default();
            if let Some(fault) = unrolled.faults.iter().find(|fault| fault.at == at) {
                findings.illegal(fault.rule, || fault.reason.clone());
            }
            let (now, past) = history.split_last().expect("there is an instant");
            let view = View { vocabulary: &self.vocabulary, constants: &run.constants, past, now };
            let judge = AtInstant { view };
            judge.values(&mut findings);
            judge.ends(&mut findings);
            judge.starts(&mut findings);
            judge.assumptions(kind, &mut findings);
            let violated = property.is_some_and(|property| judge.is_violated(property, &mut findings));
            if let Some(judgement) = findings.judgement(at) {
                return judgement;
            }
            if violated {
                return Judgement::Violates { at };
            }
        }
        Judgement::ShowsNothing
    }

    /// Constants lie in their domains and satisfy the axioms.
    fn constants(&self, run: &Run) -> Option<Judgement> {
        let model = self.vocabulary.model;
        let mut findings = Findings::default();
        for ((_, constant), &value) in model.constants().zip(&run.constants) {
            let fits = constant.domain.contains(value) && constant.value.is_none_or(|given| given == value);
            if !fits {
                findings.illegal(Rule::Axiom, || format!("`{}` does not have this value", constant.name));
            }
        }
        // Axioms read nothing of the run.
        let nothing = Snapshot { values: run.initial.clone(), ..Snapshot::default() };
        let view = View { vocabulary: &self.vocabulary, constants: &run.constants, past: &[], now: &nothing };
        let judge = AtInstant { view };
        judge.clauses(&model.axioms, Rule::Axiom, &mut findings);
        for case in model.transitions.iter().flat_map(|t| &t.cases) {
            if duration(model, &run.constants, case.duration) < 1 {
                findings.illegal(Rule::Axiom, || format!("the duration of `{}` is not positive", case.name));
            }
        }
        findings.judgement(0)
    }
}

/// Judges the last instant of a run.
struct AtInstant<'a> {
    view: View<'a>,
}

impl AtInstant<'_> {
    fn model(&self) -> &Model {
        self.view.model()
    }

    fn now(&self) -> &Snapshot {
        self.view.now
    }

    /// The truth of a formula.
    fn truth(&self, formula: TermId, starts: bool, frame: Frame<'_>, findings: &mut Findings) -> Option<bool> {
        let reader = self.view.reader(starts, frame);
        let truth = reader.truth(formula);
        if truth.is_none() && reader.overflowed() {
            findings.undecided.get_or_insert_with(|| "a number is too large".to_owned());
        }
        truth
    }

    fn clauses(&self, clauses: &[Clause], rule: Rule, findings: &mut Findings) {
        for clause in clauses {
            let truth = self.truth(clause.term, true, Frame::default(), findings);
            findings.must(truth, rule, &clause.name);
        }
    }

    /// Values lie in their types; initial clauses hold.
    fn values(&self, findings: &mut Findings) {
        for ((_, variable), &value) in self.model().variables().zip(&self.now().values) {
            if !variable.domain.contains(value) {
                findings.illegal(Rule::Type, || format!("`{}` has no value of its type", variable.name));
            }
            for &condition in &variable.conditions {
                let truth = self.truth(condition, true, Frame::default(), findings);
                findings.must(truth, Rule::Type, &format!("the type of `{}`", variable.name));
            }
        }
        if self.view.instant() == 0 {
            self.clauses(&self.model().initial, Rule::Initial, findings);
        }
    }

    /// Exit assertions hold where transitions end.
    fn ends(&self, findings: &mut Findings) {
        for (id, firing) in own(&self.now().ends) {
            let case = &self.model().transition(id).cases[firing.case as usize];
            let frame = Frame { arguments: &firing.call.arguments, start: firing.start };
            let truth = self.truth(case.exit, false, frame, findings);
            findings.must(truth, Rule::Exit, &format!("{} (exit)", case.name));
        }
    }

    /// Entry assertions hold, arguments fit, and something starts if something is enabled.
    fn starts(&self, findings: &mut Findings) {
        let starts: Vec<&Firing> = own(&self.now().starts).map(|(_, firing)| firing).collect();
        let pending = self.pending();
        let instant = Instant { view: self.view, pending: &pending, tried: None };
        let called = self.now().calls.iter();
        for call in called.chain(self.now().starts.iter().map(|firing| &firing.call)) {
            self.parameters(&instant, call, findings);
        }
        for firing in &starts {
            let id = firing.own().expect("it is an own one");
            let truth = instant.entry(id, firing.case, &firing.call.arguments);
            let name = &self.model().transition(id).cases[firing.case as usize].name;
            findings.must(truth, Rule::Entry, &format!("{name} (entry)"));
        }
        let here = self.view.instant() as i64;
        if own(&self.now().executing).any(|(_, firing)| firing.start < here) {
            return;
        }
        let enabled = instant.enabled();
        for &(id, case) in &enabled.undefined {
            findings.undefined(&format!("{} (entry)", self.model().transition(id).cases[case as usize].name));
        }
        match instant.selected(&enabled.firings) {
            None => findings.undefined("a condition of the transition selection"),
            Some(selected) if starts.is_empty() && !enabled.firings.is_empty() => {
                let may = selected.first().or(enabled.firings.first()).and_then(Firing::own);
                let name = may.map_or("", |id| &self.model().transition(id).name);
                findings.illegal(Rule::Progress, || format!("`{name}` is enabled, and nothing starts"));
            }
            Some(selected) => {
                let known = |firing: &&&Firing| enabled.firings.contains(firing) && !selected.contains(firing);
                if starts.iter().any(|firing| known(&firing)) {
                    findings.illegal(Rule::Progress, || "what starts is not selected".to_owned());
                }
            }
        }
        if let (Some(id), true) = (enabled.unbounded, starts.is_empty() || !self.model().selection.is_empty()) {
            let reason = format!("a parameter of `{}` has infinitely many values", self.model().transition(id).name);
            findings.undecided.get_or_insert(reason);
        }
    }

    /// The calls that were pending before own transitions started.
    fn pending(&self) -> Vec<Call> {
        let before = self.view.past.last().map_or(&[][..], |before| &before.pending);
        before.iter().chain(&self.now().calls).cloned().collect()
    }

    /// Arguments lie in the types of their parameters.
    fn parameters(&self, instant: &Instant<'_>, call: &Call, findings: &mut Findings) {
        let (name, parameters) = match call.transition {
            TransitionRef::Own(id) => (&self.model().transition(id).name, &self.model().transition(id).parameters),
            TransitionRef::Imported(id) => {
                let imported = &self.model().imported[id.index()];
                (&imported.name, &imported.parameters)
            }
        };
        for (position, parameter) in parameters.iter().enumerate() {
            if !instant.fits(parameter, &call.arguments[..=position]) {
                let reason = format!("`{}` of `{name}` has no value of its type", parameter.name);
                findings.illegal(Rule::Parameters, || reason);
            }
        }
    }

    fn assumptions(&self, kind: PropertyKind, findings: &mut Findings) {
        let assumed: Vec<Clause> = self.model().assumptions(kind).cloned().collect();
        self.clauses(&assumed, Rule::Assumption, findings);
    }

    /// Whether a property is false.
    fn is_violated(&self, property: usize, findings: &mut Findings) -> bool {
        let property = &self.model().properties[property];
        let mut truths = Vec::new();
        if property.kind == PropertyKind::Constraint {
            for (_, firing) in own(&self.now().ends) {
                let frame = Frame { arguments: &[], start: firing.start };
                truths.push(self.truth(property.term, false, frame, findings));
            }
        } else {
            truths.push(self.truth(property.term, true, Frame::default(), findings));
        }
        if truths.contains(&Some(false)) {
            return true;
        }
        if truths.contains(&None) {
            findings.undefined(&property.name);
        }
        false
    }
}

/// The own transitions among some.
fn own(firings: &[Firing]) -> impl Iterator<Item = (TransitionId, &Firing)> {
    firings.iter().filter_map(|firing| Some((firing.own()?, firing)))
}
