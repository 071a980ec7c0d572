//! The checker of the model form.
//!
//! A model that passes guarantees:
//!
//! 1. every branch names an action and a location of its own process type;
//! 2. every process type starts at one of its locations;
//! 3. every place lies inside its frame, including the last element that its indices can select;
//! 4. every remote place names an existing process type, and every location test an existing location of one;
//! 5. every `run` names a system process type and passes as many arguments as it has parameters;
//! 6. every channel type has at least one field, and every created channel names a channel type;
//! 7. every node of a deterministic sequence has its successors in the same sequence;
//! 8. initial processes, claims and the event trace name process types of the correct role.

use crate::expr::{Expr, Frame, Place};
use crate::model::{Action, Initial, Model, ProcessRole, ProcessType, ProcessTypeId};
use crate::property::PropertyKind;
use crate::statement::{ActionKind, DStepNode};

/// Returns the violations of these rules, each with the name of the process type it occurs in.
pub fn check(model: &Model) -> Vec<String> {
    let mut checker = Checker { model, at: "globals".to_owned(), frame: None, errors: Vec::new() };
    checker.model();
    checker.errors
}

struct Checker<'a> {
    model: &'a Model,
    at: String,
    frame: Option<&'a ProcessType>,
    errors: Vec<String>,
}

impl<'a> Checker<'a> {
    fn expect(&mut self, holds: bool, what: &str) {
        if !holds {
            self.errors.push(format!("{}: {what}", self.at));
        }
    }

    fn model(&mut self) {
        for channel in &self.model.channel_types {
            self.expect(!channel.fields.is_empty(), "a channel has no fields");
        }
        for step in &self.model.global_init {
            self.initial(step);
        }
        for &(id, _) in &self.model.initial_processes {
            self.role(id, ProcessRole::System);
        }
        if let Some(id) = self.model.event_trace {
            let role = self.model.process_types.get(id.0 as usize).map(|p| p.role);
            let watches = matches!(role, Some(ProcessRole::Trace | ProcessRole::NoTrace));
            self.expect(watches, "the event trace is not one");
        }
        for property in &self.model.properties {
            match &property.kind {
                PropertyKind::Never(id) => self.role(*id, ProcessRole::Claim),
                kind => kind.exprs().iter().for_each(|e| self.expr(e)),
            }
        }
        for process in &self.model.process_types {
            self.process(process);
        }
    }

    fn role(&mut self, id: ProcessTypeId, role: ProcessRole) {
        let found = self.model.process_types.get(id.0 as usize).map(|p| p.role);
        self.expect(found == Some(role), "a process type is missing or of the wrong role");
    }

    fn process(&mut self, process: &'a ProcessType) {
        self.at = process.name.clone();
        self.frame = Some(process);
        let locations = process.locations.len();
        self.expect((process.initial.0 as usize) < locations, "it starts nowhere");
        for branch in process.locations.iter().flat_map(|l| &l.branches) {
            self.expect((branch.target.0 as usize) < locations, "a branch leads nowhere");
            self.expect((branch.action.0 as usize) < process.actions.len(), "a branch has no action");
        }
        process.params.iter().for_each(|p| self.place(p));
        process.init.iter().for_each(|i| self.initial(i));
        if let Some(provided) = &process.provided {
            self.expr(provided);
        }
        for Action { kind, .. } in &process.actions {
            self.action(kind);
        }
        self.frame = None;
    }

    fn initial(&mut self, step: &Initial) {
        match step {
            Initial::Value(place, value) => {
                self.place(place);
                self.expr(value);
            }
            Initial::Channel(new) => {
                self.place(&new.place);
                let known = (new.channel.0 as usize) < self.model.channel_types.len();
                self.expect(known, "a channel of no type is created");
            }
        }
    }

    fn action(&mut self, kind: &ActionKind) {
        kind.places(&mut |p| self.place(p));
        kind.exprs(&mut |e| self.expr(e));
        if let ActionKind::DStep(sequence) = kind {
            let count = sequence.nodes.len() as u32;
            for node in &sequence.nodes {
                let inside = match node {
                    DStepNode::Do(_, _, next) | DStepNode::Goto(next) => *next < count,
                    DStepNode::Choose(options, _) => options.iter().all(|o| *o < count),
                    DStepNode::Exit => true,
                };
                self.expect(inside, "a deterministic sequence leads out of itself");
            }
        }
    }

    fn place(&mut self, place: &Place) {
        let size = match &place.frame {
            Frame::Global => self.model.globals_size,
            Frame::Local => self.frame.map_or(0, |p| p.frame_size),
            Frame::Process(_, id) => self.model.process_types.get(id.0 as usize).map_or(0, |p| p.frame_size),
        };
        self.expect(place.bytes().end <= size, "a place lies outside its frame");
    }

    fn expr(&mut self, expr: &Expr) {
        let model = self.model;
        let process_type = |id: &ProcessTypeId| model.process_types.get(id.0 as usize);
        expr.walk(&mut |e| match e {
            Expr::Read(place) => self.place(place),
            Expr::Run(id, args, _) => {
                self.role(*id, ProcessRole::System);
                let takes = process_type(id).map(|p| p.params.len());
                self.expect(takes == Some(args.len()), "a process is run with the wrong number of values");
            }
            Expr::At(_, id, location) => {
                let inside = process_type(id).is_some_and(|p| (location.0 as usize) < p.locations.len());
                self.expect(inside, "a location of another process does not exist");
            }
            _ => {}
        });
    }
}
