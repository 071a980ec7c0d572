//! A replicated log, written as a state machine in Rust, hunted and proved.
//!
//! Clients send requests to a leader, which appends them to its log and acknowledges them once a majority of the replicas has
//! them. The network loses requests and acknowledgements, and a client repeats a request that was not acknowledged. If the
//! leader does not remember which requests it has served, a lost acknowledgement makes it append a request twice.
//!
//! ```sh
//! cargo run --release -p lurcher --example replicated_log
//! ```

use std::error::Error;

use lurcher::engines::{Report, Trace};
use lurcher::{RustModel, StateMachine, Subject};

const CLIENTS: usize = 2;
const REPLICAS: usize = 3;
/// Requests that each client makes.
const REQUESTS: u8 = 2;
/// The longest log.
const LENGTH: usize = 6;

/// The model; with `remembers`, the leader does not append a request twice.
pub(crate) struct ReplicatedLog {
    pub(crate) remembers: bool,
}

/// A request: the client and its number.
type Request = (u8, u8);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State {
    /// The leader's log.
    log: [Option<Request>; LENGTH],
    /// How many entries of it each replica has; the leader is the first one.
    stored: [u8; REPLICAS],
    clients: [Client; CLIENTS],
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Client {
    /// Requests that were acknowledged.
    acknowledged: u8,
    /// The client waits for an acknowledgement.
    waits: bool,
    /// A request is on its way.
    request: bool,
    /// The position of a log entry that will be acknowledged.
    pending: Option<u8>,
    /// An acknowledgement is on its way.
    acknowledgement: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Action {
    Send(usize),
    Repeat(usize),
    LoseRequest(usize),
    Append(usize),
    Replicate(usize),
    Acknowledge(usize),
    LoseAcknowledgement(usize),
    Receive(usize),
}

impl State {
    /// The length of the leader's log.
    fn length(&self) -> u8 {
        self.stored[0]
    }

    fn is_committed(&self, position: u8) -> bool {
        self.stored.iter().filter(|&&n| n > position).count() * 2 > REPLICAS
    }

    fn find(&self, request: Request) -> Option<u8> {
        self.log.iter().position(|entry| *entry == Some(request)).map(|at| at as u8)
    }

    fn done(&self) -> bool {
        self.clients.iter().all(|c| c.acknowledged == REQUESTS)
    }
}

impl StateMachine for ReplicatedLog {
    type State = State;
    type Action = Action;

    fn initial(&self) -> Vec<State> {
        vec![State { log: [None; LENGTH], stored: [0; REPLICAS], clients: [Client::default(); CLIENTS] }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        for (index, client) in state.clients.iter().enumerate() {
            if client.request {
                actions.push(Action::LoseRequest(index));
                if (state.length() as usize) < LENGTH {
                    actions.push(Action::Append(index));
                }
            }
            if client.pending.is_some_and(|position| state.is_committed(position)) && !client.acknowledgement {
                actions.push(Action::Acknowledge(index));
            }
            if client.acknowledgement {
                actions.extend([Action::LoseAcknowledgement(index), Action::Receive(index)]);
            }
            let idle = !client.request && client.pending.is_none() && !client.acknowledgement;
            if client.waits && idle {
                actions.push(Action::Repeat(index));
            }
            if !client.waits && client.acknowledged < REQUESTS {
                actions.push(Action::Send(index));
            }
        }
        let behind = |&replica: &usize| state.stored[replica] < state.length();
        actions.extend((1..REPLICAS).filter(behind).map(Action::Replicate));
    }

    fn apply(&self, state: &mut State, action: &Action) {
        match *action {
            Action::Send(index) => {
                state.clients[index].waits = true;
                state.clients[index].request = true;
            }
            Action::Repeat(index) => state.clients[index].request = true,
            Action::LoseRequest(index) => state.clients[index].request = false,
            Action::Append(index) => {
                let request = (index as u8, state.clients[index].acknowledged);
                let known = if self.remembers { state.find(request) } else { None };
                let position = known.unwrap_or_else(|| {
                    let end = state.length();
                    state.log[end as usize] = Some(request);
                    state.stored[0] += 1;
                    end
                });
                let client = &mut state.clients[index];
                (client.request, client.pending) = (false, Some(position));
            }
            Action::Replicate(replica) => state.stored[replica] += 1,
            Action::Acknowledge(index) => {
                let client = &mut state.clients[index];
                (client.pending, client.acknowledgement) = (None, true);
            }
            Action::LoseAcknowledgement(index) => state.clients[index].acknowledgement = false,
            Action::Receive(index) => {
                let client = &mut state.clients[index];
                (client.acknowledgement, client.waits) = (false, false);
                client.acknowledged += 1;
            }
        }
    }

    /// No request is in the log twice.
    fn invariant(&self, state: &State) -> bool {
        let entries = || state.log.iter().flatten();
        entries().enumerate().all(|(at, entry)| !entries().skip(at + 1).any(|other| other == entry))
    }

    fn is_end(&self, state: &State) -> bool {
        state.done()
    }

    /// Steps until a client that has lost an acknowledgement repeats a request.
    fn heuristic(&self, state: &State) -> Option<u32> {
        let distance = |(index, client): (usize, &Client)| {
            let logged = state.find((index as u8, client.acknowledged));
            match (logged, client.request) {
                (Some(_), true) => 1,
                (Some(_), false) if client.acknowledgement => 3,
                (Some(_), false) if client.pending.is_none() => 2,
                (Some(position), false) => 4 + u32::from(!state.is_committed(position)),
                (None, true) => 6,
                (None, false) => 7,
            }
        };
        state.clients.iter().enumerate().map(distance).min()
    }

    fn propositions(&self) -> &'static [&'static str] {
        &["done", "acknowledged", "stored"]
    }

    fn holds(&self, proposition: usize, state: &State) -> bool {
        match proposition {
            0 => state.done(),
            1 => state.clients.iter().any(|c| c.acknowledged > 0),
            _ => state.is_committed(0),
        }
    }
}

fn print(title: &str, report: &Report) {
    println!("{title}: {} — {}", report.name, report.verdict.name());
    for counterexample in &report.counterexamples {
        let Trace::Own(trace) = &counterexample.trace else { continue };
        println!(
            "  {} after {} steps, found with {}:",
            counterexample.message,
            trace.length(),
            counterexample.found_length
        );
        trace.actions.iter().skip(1).for_each(|action| println!("    {action}"));
    }
    if let Some(walks) = report.walks.as_ref().filter(|w| w.steps > 100_000) {
        println!("  {} steps of walks, {:.1} million a second", walks.steps, walks.rate / 1e6);
    }
}

#[allow(dead_code, reason = "tests include this file for its model")]
fn main() -> Result<(), Box<dyn Error>> {
    let mut flawed = RustModel::new(ReplicatedLog { remembers: false });
    let mut fixed = RustModel::new(ReplicatedLog { remembers: true });
    print("hunt", &flawed.hunt().run()?.reports[0]);
    print(
        "guided walks",
        &flawed.hunt().engine("walk").option("guide", "own").option("walks", "1000").run()?.reports[0],
    );
    print(
        "walks in the repaired model",
        &fixed.hunt().engine("walk").option("walks", "50000").jobs(1).run()?.reports[0],
    );
    print("proof", &fixed.verify().run()?.reports[0]);
    print("formula", &fixed.verify().ltl("[] (acknowledged -> stored)").run()?.reports[0]);
    print("formula", &fixed.verify().ltl("<> done").run()?.reports[0]);
    Ok(())
}
