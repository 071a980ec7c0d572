//! The menu of `simulate --interactive`.

use std::io::Write;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use anyhow::{Result, anyhow};
use lurcher::simulation::{Choices, Simulation, Taken};
use lurcher_resources::reached;

use crate::Exit;
use crate::terminal::Stream;

const HELP: &str = "  3       take step 3
  enter   take the only step, or a random one
  r 10    take 10 random steps
  m       list more steps, where there are more
  u       undo the last step
  v       show the variables
  s FILE  save the run as a trace
  h       show this help
  q       quit";

/// Random steps that one command takes at most.
const MOST_STEPS: u32 = 1_000_000;

/// Choices that are listed at first, and by which `m` lists more.
const LISTED: usize = 40;

/// Writes the run to a file.
pub type Save<'s> = &'s dyn Fn(&dyn Simulation, &Path) -> Result<()>;

/// Time between two looks at the limits while the user is awaited.
const LOOK_INTERVAL: Duration = Duration::from_millis(20);

/// Lines of standard input. A thread of their own reads them, so that a limit ends the wait for one.
struct Lines(Receiver<std::io::Result<String>>);

impl Lines {
    fn start() -> Lines {
        let (sender, receiver) = sync_channel(0);
        std::thread::spawn(move || std::io::stdin().lines().try_for_each(|line| sender.send(line)));
        Lines(receiver)
    }

    /// The next line; none at the end of the input, or when a limit is reached.
    fn next(&self) -> Result<Option<String>> {
        loop {
            match self.0.recv_timeout(LOOK_INTERVAL) {
                Ok(line) => return Ok(Some(line?)),
                Err(RecvTimeoutError::Timeout) if reached().is_none() => {}
                Err(_) => return Ok(None),
            }
        }
    }
}

/// Lets the user choose every step. Reads commands line by line, so that it can be driven by a script as well.
pub fn interact(run: &mut dyn Simulation, save: Save<'_>) -> Result<Exit> {
    let mut out = Stream::report().writer();
    let input = Lines::start();
    writeln!(out, "{HELP}")?;
    write!(out, "{}", run.legend())?;
    let mut shown = false;
    let mut listed = LISTED;
    loop {
        let choices = run.choices(listed).map_err(|why| anyhow!(why))?;
        if !shown {
            show(&mut out, run, &choices)?;
        }
        shown = true;
        write!(out, "> ")?;
        out.flush()?;
        let Some(line) = input.next()? else {
            writeln!(out)?;
            return Ok(if reached().is_some() { Exit::Limit } else { Exit::Clean });
        };
        let (word, argument) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
        match word {
            "q" | "quit" => return Ok(Exit::Clean),
            "h" | "help" | "?" => writeln!(out, "{HELP}")?,
            "u" | "undo" => match run.undo() {
                true => shown = false,
                false => writeln!(out, "this is the start")?,
            },
            "m" | "more" if choices.more => {
                listed += LISTED;
                shown = false;
                continue;
            }
            "m" | "more" => writeln!(out, "all steps are listed")?,
            "v" | "variables" => {
                for (name, value) in run.variables() {
                    writeln!(out, "  {name} = {value}")?;
                }
            }
            "s" | "save" if argument.is_empty() => writeln!(out, "the name of a file is missing: s trace.json")?,
            "s" | "save" => match save(run, argument.trim().as_ref()) {
                Ok(()) => writeln!(out, "the run is in {}", argument.trim())?,
                Err(why) => writeln!(out, "{why:#}")?,
            },
            "" | "r" | "random" => {
                let wanted = if argument.is_empty() { Ok(1) } else { argument.trim().parse::<u32>() };
                match wanted {
                    // The choice of an initial state is no step.
                    Ok(steps @ 1..=MOST_STEPS) => {
                        let first = u32::from(choices.initial && !argument.is_empty());
                        shown = !take_random(&mut out, run, first + steps)?;
                    }
                    _ => writeln!(out, "`{argument}` is no number of steps from 1 to {MOST_STEPS}")?,
                }
            }
            other => match other.parse::<usize>() {
                Ok(number @ 1..) if number <= choices.lines.len() => {
                    let taken = run.take(number - 1);
                    shown = false;
                    report(&mut out, run, &taken)?;
                }
                Ok(_) if choices.lines.is_empty() => writeln!(out, "nothing can be taken here; u takes a step back")?,
                Ok(number) => writeln!(out, "there is no step {number}; take 1 to {}", choices.lines.len())?,
                Err(_) => writeln!(out, "`{other}` is no command; h lists them")?,
            },
        }
    }
}

/// Shows what can come next.
fn show(out: &mut impl Write, run: &dyn Simulation, choices: &Choices) -> Result<()> {
    match choices.initial {
        true => writeln!(out, "\ninitial states")?,
        false => writeln!(out, "\nstep {}", run.length())?,
    }
    for (index, line) in choices.lines.iter().enumerate() {
        writeln!(out, "  {:>3}  {line}", index + 1)?;
    }
    if choices.more {
        writeln!(out, "       … and more, which m lists")?;
    }
    if choices.lines.is_empty() {
        writeln!(out, "  {}", run.end())?;
    }
    Ok(())
}

/// Takes random steps, up to the first violation; false if none could be taken.
fn take_random(out: &mut impl Write, run: &mut dyn Simulation, steps: u32) -> Result<bool> {
    for done in 0..steps {
        let Some(taken) = run.take_random().map_err(|why| anyhow!(why))? else {
            writeln!(out, "{}", run.end())?;
            return Ok(done > 0);
        };
        report(out, run, &taken)?;
        if taken.violation.is_some() {
            break;
        }
    }
    Ok(true)
}

/// Shows a step that was taken. One without a state after it is taken back.
fn report(out: &mut impl Write, run: &mut dyn Simulation, taken: &Taken) -> Result<()> {
    write!(out, "{}", taken.text)?;
    if let Some(violation) = &taken.violation {
        writeln!(out, "{violation}")?;
    }
    if taken.fatal {
        writeln!(out, "there is no state after this; the step is undone")?;
        run.undo();
    }
    Ok(())
}
