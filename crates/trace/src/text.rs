//! Traces as text.

use lurcher_ir::{ActionKind, Model, ProcessRole};
use lurcher_syntax::{SourceMap, escape};
use lurcher_system::{ProcessId, State, Violation};

use crate::describe::Describer;
use crate::judge::Evidence;
use crate::page::{Page, columns, list, wrap};
use crate::replay::Replayed;
use crate::steps::{Atomic, StepView, left_out};

/// The trace as text: a line for each statement, followed by its changes.
pub fn to_text(describer: &Describer<'_, '_>, replayed: &Replayed, evidence: &Evidence, page: &Page) -> String {
    let without = left_out(replayed.path.steps.len(), page.steps);
    let steps = describer.steps(replayed, without.clone());
    let lines = StepLines::fitting(&steps, replayed.length(), page.width);
    let mut out = lines.legend();
    let hidden_start = replayed.path.cycle_start.is_some_and(|start| without.contains(&start));
    let before = std::iter::once(None).chain(steps.iter().map(Some));
    for (before, step) in before.zip(&steps) {
        let starts = step.in_cycle && before.is_none_or(|b| !b.in_cycle);
        let skipped = step.number - before.map_or(0, |b| b.number) - 1;
        if skipped > 0 {
            let among = if starts && hidden_start { ", the start of the cycle among them" } else { "" };
            lines.remark(&mut out, &format!("… {skipped} steps left out{among} …"));
        }
        if starts && !hidden_start {
            lines.remark(&mut out, CYCLE_START);
        }
        lines.step(&mut out, step);
    }
    if replayed.path.cycle_start == Some(replayed.path.steps.len()) {
        lines.remark(&mut out, "┌── the cycle starts here: the run stays in this state for ever");
    } else if replayed.path.cycle_start.is_some() {
        lines.remark(&mut out, CYCLE_END);
    }
    out.push_str(&ending(describer, replayed, evidence, page));
    out
}

pub(crate) const CYCLE_START: &str = "┌── the cycle starts here";
pub(crate) const CYCLE_END: &str = "└── back to the start of the cycle, which repeats for ever";

/// How the steps of a process model are laid out in lines.
pub struct StepLines {
    width: Option<usize>,
    /// Columns of the number.
    number: usize,
    /// There is a column for the brackets of atomic sequences.
    brackets: bool,
    /// Columns of the process and of the place.
    process: usize,
    place: usize,
    /// The file that places leave out.
    file: Option<String>,
    /// The statement stands on a line of its own.
    stacked: bool,
}

/// The columns of processes and places where there is room.
const ROOMY: (usize, usize) = (16, 24);
/// Columns for a statement that are enough beside other columns.
const STATEMENT: usize = 30;

impl StepLines {
    /// The layout that fits a width: with names of files, without them, or with statements on lines of their own.
    fn fitting(steps: &[StepView], length: u32, width: Option<usize>) -> StepLines {
        let widest = |f: fn(&StepView) -> &str| steps.iter().map(|s| columns(f(s))).max().unwrap_or(0);
        let brackets = steps.iter().any(|s| s.atomic != Atomic::Outside);
        let (process, statement) = (widest(|s| s.process.as_deref().unwrap_or_default()), widest(|s| &s.action));
        let file = steps.first().and_then(|s| s.place.as_deref()?.rsplit_once(':')).map(|(file, _)| file.to_owned());
        let number = length.to_string().len().max(3);
        StepLines { width, number, brackets, process: 0, place: 0, file: None, stacked: false }.with_columns(
            process,
            widest(|s| s.place.as_deref().unwrap_or_default()),
            statement.min(STATEMENT),
            file,
        )
    }

    /// The layout for steps of a model that are shown one by one: columns for its longest names of processes and places.
    pub fn one_by_one(model: &Model, sources: &SourceMap, width: Option<usize>) -> StepLines {
        let system = || model.process_types.iter().filter(|p| p.role == ProcessRole::System);
        // Most process numbers have at most two digits.
        let process = system().map(|p| p.name.len() + "[10]".len()).max().unwrap_or(0);
        let place = system().flat_map(|p| &p.actions).map(|a| columns(&sources.short_place(a.span))).max().unwrap_or(0);
        let main = system().next().map(|p| sources.short_place(p.span)).unwrap_or_default();
        let file = main.rsplit_once(':').map(|(file, _)| file.to_owned());
        let brackets = system().flat_map(|p| &p.locations).flat_map(|l| &l.branches).any(|b| b.atomic);
        StepLines { width, number: 4, brackets, process: 0, place: 0, file: None, stacked: false }
            .with_columns(process, place, STATEMENT, file)
    }

    fn with_columns(mut self, process: usize, place: usize, statement: usize, file: Option<String>) -> StepLines {
        let room = self.width.map_or(usize::MAX, |w| w.saturating_sub(columns(&self.blank(Atomic::Outside))));
        (self.process, self.place) = ROOMY;
        if process.max(ROOMY.0) + place.max(ROOMY.1) + 2 + statement <= room {
            return self;
        }
        let short = file.as_ref().map_or(place, |file| (place + 1).saturating_sub(columns(file)).max(4));
        (self.process, self.place, self.file) = (process, short, file);
        self.stacked = process + short + 2 + statement > room;
        self
    }

    /// What stands before the text of a line without a number.
    fn blank(&self, atomic: Atomic) -> String {
        let bracket = match atomic {
            _ if !self.brackets => " ",
            Atomic::First | Atomic::Inner => "│ ",
            Atomic::Outside | Atomic::Last => "  ",
        };
        format!("{:>1$} {bracket}", "", self.number)
    }

    /// What the signs and short forms of the steps mean.
    pub fn legend(&self) -> String {
        let mut out = String::new();
        if let Some(file) = &self.file {
            wrap(&mut out, "", "", &format!("(:N is line N of {})", escape(file)), self.width);
        }
        if self.brackets {
            wrap(&mut out, "", "", "(┌│└ is one atomic sequence: no other process moves in it)", self.width);
        }
        out
    }

    fn remark(&self, out: &mut String, text: &str) {
        let blank = self.blank(Atomic::Outside);
        wrap(out, &blank, &blank, text, self.width);
    }

    /// Appends the lines of a step.
    pub fn step(&self, out: &mut String, step: &StepView) {
        let bracket = match step.atomic {
            _ if !self.brackets => " ",
            Atomic::Outside => "  ",
            Atomic::First => "┌ ",
            Atomic::Inner => "│ ",
            Atomic::Last => "└ ",
        };
        let number = format!("{:>1$} {bracket}", step.number, self.number);
        let blank = self.blank(step.atomic);
        let process = step.process.as_deref().unwrap_or_default();
        let place = step.place.as_deref().unwrap_or_default();
        let place = match &self.file {
            Some(file) => place.strip_prefix(file.as_str()).filter(|line| line.starts_with(':')).unwrap_or(place),
            None => place,
        };
        let (action, place) = (escape(&step.action), escape(place));
        let indent = if self.stacked { 0 } else { self.process + 1 };
        match self.stacked {
            true => {
                wrap(out, &number, &blank, &format!("{process} {place}"), self.width);
                wrap(out, &blank, &format!("{blank}  "), &action, self.width);
            }
            false => {
                let head = format!("{process:<0$} {place:<1$} ", self.process, self.place);
                let rest = format!("{blank}{:1$}  ", "", columns(&head));
                wrap(out, &format!("{number}{head}"), &rest, &action, self.width);
            }
        }
        let blank = format!("{blank}{:indent$}", "");
        for line in step.printed.iter().flat_map(|printed| printed.lines()) {
            let bar = format!("{blank}│ ");
            wrap(out, &bar, &bar, &escape(&expand_tabs(line)), self.width);
        }
        if !step.changes.is_empty() {
            let changes: Vec<String> = step.changes.iter().map(|change| escape(&change.to_string()).into()).collect();
            list(out, &format!("{blank}→ "), &format!("{blank}  "), &changes, self.width);
        }
    }
}

/// Replaces tabs by spaces up to the next multiple of eight columns.
fn expand_tabs(line: &str) -> String {
    let mut out = String::new();
    for c in line.chars() {
        match c {
            '\t' => out.push_str(&" ".repeat(8 - columns(&out) % 8)),
            c => out.push(c),
        }
    }
    out
}

fn ending(describer: &Describer<'_, '_>, replayed: &Replayed, evidence: &Evidence, page: &Page) -> String {
    let width = page.width;
    let place = |span| describer.sources.short_place(span);
    let text = match evidence {
        Evidence::Deadlock => {
            let mut out = "\n".to_owned();
            wrap(&mut out, "", "", "invalid end state: no process can move", width);
            locations(&mut out, describer, &replayed.last, page);
            return out;
        }
        Evidence::Step(Violation::Assertion(span)) => {
            format!("assertion violated at {}: {}", place(*span), describer.sources.text_on_one_line(*span))
        }
        Evidence::Step(Violation::Fault { fault, span, .. }) => format!("{fault} at {}", place(*span)),
        Evidence::Invariant => "the invariant does not hold".to_owned(),
        Evidence::ClaimEnd => "the never claim came to its end".to_owned(),
        Evidence::AcceptingCycle => return String::new(),
        Evidence::BadPrefix => "whatever comes next, the property is violated".to_owned(),
        Evidence::None => "no violation".to_owned(),
    };
    let mut out = "\n".to_owned();
    wrap(&mut out, "", "  ", &escape(&text), width);
    out
}

/// The location of every process.
fn locations(out: &mut String, describer: &Describer<'_, '_>, state: &State, page: &Page) {
    let Page { width, steps: most } = *page;
    let line = |p: ProcessId| {
        let ty = describer.interpreter.model().process_type(state.process_type(p));
        let location = ty.location(state.location(p));
        let is_over = location.branches.iter().all(|b| matches!(ty.action(b.action).kind, ActionKind::End));
        let waits: Vec<&str> = location.branches.iter().map(|b| ty.action(b.action).text.as_str()).collect();
        let end = if location.end { " (valid end)" } else { "" };
        let what = if is_over { "ended".to_owned() } else { format!("waits at {}{end}", waits.join(" | ")) };
        (describer.process(state, p), describer.sources.short_place(location.span), what)
    };
    let count = usize::from(state.process_count());
    let shown = most.map_or(count, |most| most.min(count));
    let lines: Vec<_> = (0..state.process_count()).take(shown).map(|p| line(ProcessId(p))).collect();
    let roomy: Vec<String> = lines.iter().map(|(who, at, what)| format!("  {who:<16} {at:<24} {what}")).collect();
    let fits = roomy.iter().all(|line| width.is_none_or(|w| columns(line) <= w));
    let narrow = lines.iter().map(|(who, at, what)| format!("  {who} {at} {what}"));
    for line in if fits { roomy } else { narrow.collect() } {
        wrap(out, "", "      ", &escape(&line), width);
    }
    if shown < count {
        wrap(out, "  ", "  ", &format!("… and {} more processes", count - shown), width);
    }
}
