//! Simulation of process models.

use lurcher_engines::{ProcessTrace, Trace};
use lurcher_ir::{Model, Property, PropertyKind};
use lurcher_search::{Prepared, Semantics};
use lurcher_syntax::SourceMap;
use lurcher_system::{Interpreter, Move, Path, State, Violation};
use lurcher_trace::{Describer, Question, StepLines, Trail, judge, replay};
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
    semantics: Semantics,
    moves: Vec<Move>,
    random: Pcg64Mcg,
    lines: StepLines,
}

impl<'m> ProcessSimulation<'m> {
    pub fn new(model: &'m Model, sources: &'m SourceMap, options: &SimulationOptions) -> Result<Self, String> {
        let interpreter = Interpreter::new(model, options.semantics.limits(model));
        let state = interpreter.initial().map_err(|violation| violation_text(sources, &violation))?;
        let random = Pcg64Mcg::seed_from_u64(options.seed);
        let lines = StepLines::one_by_one(model, sources, options.width);
        Ok(ProcessSimulation {
            model,
            interpreter,
            sources,
            state,
            history: Vec::new(),
            semantics: options.semantics,
            length: 0,
            moves: Vec::new(),
            random,
            lines,
        })
    }

    fn describer(&self) -> Describer<'_, 'm> {
        Describer { interpreter: &self.interpreter, sources: self.sources }
    }

    fn apply(&mut self, taken: Move) -> Taken {
        let before = self.state.clone();
        let violation = self.interpreter.apply(&mut self.state, &taken);
        let fatal = violation.as_ref().is_some_and(Violation::is_fatal);
        if fatal {
            self.state.clone_from(&before);
        }
        let mut text = String::new();
        for step in self.describer().step(self.length, &taken, violation.as_ref(), &before, &self.state) {
            self.lines.step(&mut text, &step);
        }
        self.length += taken.length();
        self.history.push((before, taken));
        Taken { text, violation: violation.map(|v| violation_text(self.sources, &v)), fatal }
    }
}

impl Simulation for ProcessSimulation<'_> {
    fn legend(&self) -> String {
        self.lines.legend()
    }

    fn choices(&mut self, _: usize) -> Result<Choices, String> {
        self.interpreter.moves(&self.state, &mut self.moves);
        let describer = self.describer();
        let line = |taken: &Move| {
            let actions = describer.actions(&self.state, taken).into_iter().map(|(process, action)| {
                let place = self.sources.short_place(action.span);
                let statement = describer.statement(&self.state, process, action);
                format!("{} {place} {statement}", describer.process(&self.state, process))
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

    fn memory(&self) -> u64 {
        let each = size_of::<(State, Move)>() + self.state.bytes().len() + 4 * usize::from(self.state.process_count());
        (self.history.len() * each) as u64
    }

    fn trace(&self) -> (Trace, String) {
        let moves = self.history.iter().map(|(_, taken)| *taken).collect();
        let trail = Trail::of_path(&self.interpreter, &Path::finite(moves));
        let replayed = replay(&self.interpreter, &trail).expect("the run was executed once");
        let safety = Property::built_in("safety", PropertyKind::Safety);
        let prepared = Prepared::new(self.model, &safety, self.semantics).expect("every model has safety");
        let evidence = judge(&self.interpreter, &replayed, &Question::of(&prepared));
        let trace = ProcessTrace::new(&self.interpreter, replayed, evidence, self.semantics);
        (Trace::Processes(Box::new(trace)), safety.name)
    }
}

/// A violation in words.
fn violation_text(sources: &SourceMap, violation: &Violation) -> String {
    let place = sources.short_place(violation.span());
    match violation {
        Violation::Assertion(span) => format!("assertion violated at {place}: {}", sources.text_on_one_line(*span)),
        Violation::Fault { fault, .. } => format!("{fault} at {place}"),
    }
}
