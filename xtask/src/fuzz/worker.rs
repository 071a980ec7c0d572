//! Makes inputs and reads them.

use std::io::{ErrorKind, Write};
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::process::exit;
use std::sync::{Mutex, PoisonError};

use lurcher_test_support::{Random, gentle_mutant, mutant};

use super::targets::Target;

/// The inputs of a seed.
pub struct Inputs {
    seed: u64,
    pub targets: Vec<&'static Target>,
    /// The texts that are mutated, for each target.
    seeds: Vec<Vec<String>>,
}

impl Inputs {
    pub fn new(seed: u64, targets: Vec<&'static Target>) -> Result<Inputs, String> {
        let seeds = targets.iter().map(|t| (t.seeds)()).collect::<Result<Vec<_>, String>>()?;
        match seeds.iter().position(Vec::is_empty) {
            Some(empty) => Err(format!("there is nothing to mutate for {}", targets[empty].name)),
            None => Ok(Inputs { seed, targets, seeds }),
        }
    }

    fn place(&self, index: u64) -> usize {
        (index % self.targets.len() as u64) as usize
    }

    /// The target of an input.
    pub fn target(&self, index: u64) -> &'static Target {
        self.targets[self.place(index)]
    }

    /// The text of an input.
    pub fn text(&self, index: u64) -> String {
        let words: Vec<&str> = self.target(index).words.split('¦').collect();
        let mut random = Random::new(self.seed.wrapping_mul(0x2545_f491_4f6c_dd1d).wrapping_add(index));
        let seeds = &self.seeds[self.place(index)];
        match random.below(2) {
            0 => mutant(seeds, &words, &mut random),
            _ => gentle_mutant(seeds, &mut random),
        }
    }
}

/// Reads every `step`-th input from `first` on, until nobody listens any longer.
pub fn work(inputs: &Inputs, first: u64, step: u64) -> ! {
    static MESSAGE: Mutex<String> = Mutex::new(String::new());
    set_hook(Box::new(|panic| {
        *MESSAGE.lock().unwrap_or_else(PoisonError::into_inner) = panic.to_string().replace('\n', " ");
    }));
    for index in (first..).step_by(step as usize) {
        let text = inputs.text(index);
        say(">");
        match catch_unwind(AssertUnwindSafe(|| (inputs.target(index).check)(&text))) {
            Ok(true) => say("+"),
            Ok(false) => say("-"),
            Err(_) => say(&format!("!{}", MESSAGE.lock().unwrap_or_else(PoisonError::into_inner))),
        }
    }
    exit(0)
}

fn say(line: &str) {
    match writeln!(std::io::stdout(), "{line}") {
        Err(e) if e.kind() == ErrorKind::BrokenPipe => exit(0),
        _ => {}
    }
}
