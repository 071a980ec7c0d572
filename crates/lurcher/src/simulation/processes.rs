//! Simulation of process models.

use std::fmt::Write as _;

use lurcher_engines::{ProcessTrace, Trace};
use lurcher_ir::{Model, Property, PropertyKind};
use lurcher_search::Prepared;
use lurcher_syntax::SourceMap;
use lurcher_system::{Interpreter, Limits, Move, Path, State, Violation};
use lurcher_trace::{Describer, Question, Trail, judge, replay};
use rand_core::{RngCore, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::{Choices, End, Simulation, SimulationOptions, Taken};

pub(super) struct ProcessSimulation<'m> {
    model: &'m Model,
    interpreter: Interpreter<'m>,
    sources: &'m SourceMap,
    state: State,
    /// The steps so far, each with the state before it.
    history: Vec<(State, Move)>,
    /// The steps of a trace in `history`.
    length: u32,
    moves: Vec<Move>,
    random: Pcg64Mcg,
}

impl<'m> ProcessSimulation<'m> {
    pub fn new(model: &'m Model, sources: &'m SourceMap, options: &SimulationOptions) -> Result<Self, String> {
        let limits = Limits { message_loss: options.message_loss, ..Limits::for_model(model) };
        let interpreter = Interpreter::new(model, limits);
        let state = interpreter.initial().map_err(|violation| violation_text(sources, &violation))?;
        let random = Pcg64Mcg::seed_from_u64(options.seed);
        Ok(ProcessSimulation {
            model,
            interpreter,
            sources,
            state,
            history: Vec::new(),
            length: 0,
            moves: Vec::new(),
            random,
        })
    }

    fn describer(&self) -> Describer<'_, 'm> {
        Describer { interpreter: &self.interpreter, sources: self.sources }
    }

    /// A step as text: what each process does, what it prints, and what changes.
    fn step_text(&self, number: u32, before: &State, taken: &Move) -> String {
        let describer = self.describer();
        let mut out = String::new();
        for (process, action) in describer.actions(before, taken) {
            let who = describer.process(before, process);
            let place = self.sources.short_place(action.span);
            let _ = writeln!(out, "{number:>4}  {who:<16} {place:<24} {}", action.text);
            if let Some(printed) = self.interpreter.printed(before, process, action) {
                out.push_str(&printed);
                if !printed.ends_with('\n') {
                    out.push('\n');
                }
            }
        }
        let changes = describer.changes(before, &self.state);
        if !changes.is_empty() {
            let shown: Vec<String> = changes.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            let _ = writeln!(out, "      {:<16} → {}", "", shown.join(", "));
        }
        out
    }

    fn apply(&mut self, taken: Move) -> Taken {
        let before = self.state.clone();
        let violation = self.interpreter.apply(&mut self.state, &taken);
        self.length += taken.length();
        let text = self.step_text(self.length, &before, &taken);
        let fatal = violation.as_ref().is_some_and(Violation::is_fatal);
        if fatal {
            self.state.clone_from(&before);
        }
        self.history.push((before, taken));
        Taken { text, violation: violation.map(|v| violation_text(self.sources, &v)), fatal }
    }
}

impl Simulation for ProcessSimulation<'_> {
    fn choices(&mut self) -> Result<Choices, String> {
        self.interpreter.moves(&self.state, &mut self.moves);
        let describer = self.describer();
        let line = |taken: &Move| {
            let actions = describer.actions(&self.state, taken).into_iter().map(|(process, action)| {
                let place = self.sources.short_place(action.span);
                format!("{} {place} {}", describer.process(&self.state, process), action.text)
            });
            actions.collect::<Vec<_>>().join("  ⇄  ")
        };
        Ok(Choices { lines: self.moves.iter().map(line).collect(), ..Choices::default() })
    }

    fn take(&mut self, choice: usize) -> Taken {
        self.apply(self.moves[choice])
    }

    fn take_random(&mut self) -> Result<Option<Taken>, String> {
        self.interpreter.moves(&self.state, &mut self.moves);
        if self.moves.is_empty() {
            return Ok(None);
        }
        let wide = u128::from(self.random.next_u64()) * self.moves.len() as u128;
        Ok(Some(self.apply(self.moves[(wide >> 64) as usize])))
    }

    fn undo(&mut self) -> bool {
        let Some((before, taken)) = self.history.pop() else { return false };
        self.length -= taken.length();
        self.state = before;
        true
    }

    fn end(&self) -> End {
        match self.state.process_count() == 0 || self.interpreter.is_valid_end(&self.state) {
            true => End::Valid("the run ended: every process rests at a valid end"),
            false => End::Deadlock("invalid end state: no process can move"),
        }
    }

    fn variables(&self) -> Vec<(String, String)> {
        self.describer().variables(&self.state)
    }

    fn length(&self) -> u32 {
        self.length
    }

    fn trace(&self) -> (Trace, String) {
        let moves = self.history.iter().map(|(_, taken)| *taken).collect();
        let trail = Trail::of_path(&self.interpreter, &Path::finite(moves));
        let replayed = replay(&self.interpreter, &trail).expect("the run was executed once");
        let safety = Property::built_in("safety", PropertyKind::Safety);
        let prepared = Prepared::new(self.model, &safety, false).expect("every model has safety");
        let evidence = judge(&self.interpreter, &replayed, &Question::of(&prepared));
        let trace = ProcessTrace::new(&self.interpreter, replayed, evidence);
        (Trace::Processes(Box::new(trace)), safety.name)
    }
}

/// A violation in words.
fn violation_text(sources: &SourceMap, violation: &Violation) -> String {
    let place = sources.short_place(violation.span());
    match violation {
        Violation::Assertion(span) => format!("assertion violated at {place}: {}", sources.text(*span)),
        Violation::Fault { fault, .. } => format!("{fault} at {place}"),
    }
}
