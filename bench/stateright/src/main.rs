//! Random walks by Stateright's simulation checker: `stateright-walks MODEL N STATES` walks on one thread until it has
//! generated that many states, and prints their number.
//!
//! The models are the hand-written ones of lurcher's own comparison, so that both take the same kinds of steps. Stateright ends a
//! walk when a state repeats, and starts another.

#[path = "../../../xtask/src/bench/by_hand/hand.rs"]
#[allow(dead_code, reason = "shared with the hand-written walks")]
mod hand;

use std::fmt::Debug;
use std::hash::Hash;
use std::process::ExitCode;

use hand::{Hand, Peterson, Philosophers, Ring};
use stateright::{Checker, Model, Property, UniformChooser};

/// A hand-written model for Stateright: an action is the process that moves.
struct HandModel<H>(H);

impl<H: Hand + Clone + Debug + Hash + PartialEq> Model for HandModel<H> {
    type State = H;
    type Action = u32;

    fn init_states(&self) -> Vec<H> {
        vec![self.0.clone()]
    }

    fn actions(&self, state: &H, actions: &mut Vec<u32>) {
        match state.holder() {
            Some(holder) => actions.push(holder),
            None => actions.extend(0..state.processes()),
        }
    }

    fn next_state(&self, last: &H, process: u32) -> Option<H> {
        let mut next = last.clone();
        next.step(process).then_some(next)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        // The checker stops at once without a property.
        vec![Property::always("true", |_, _| true)]
    }
}

fn walk<H: Hand + Clone + Debug + Hash + PartialEq + Send + Sync + 'static>(model: H, states: usize) -> usize {
    let checker = HandModel(model).checker().threads(1).target_state_count(states).spawn_simulation(1, UniformChooser);
    checker.join().state_count()
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |text: &String| text.parse::<usize>().ok().filter(|n| *n > 0);
    let [name, n, states] = arguments.as_slice() else { return usage() };
    let (Some(n), Some(states)) = (number(n), number(states)) else { return usage() };
    let made = match name.as_str() {
        "philosophers" => walk(Philosophers::new(n), states),
        "mutual-exclusion" => walk(Peterson::new(), states),
        "channel-ring" => walk(Ring::new(n), states),
        _ => return usage(),
    };
    println!("{made}");
    ExitCode::SUCCESS
}

fn usage() -> ExitCode {
    eprintln!("usage: stateright-walks philosophers|mutual-exclusion|channel-ring N STATES");
    ExitCode::from(2)
}
