//! Running the trials of a plan on threads.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

use crate::error::ExperimentError;
use crate::guides::Guides;
use crate::plan::Plan;
use crate::record::{Results, Row, RowWriter};
use crate::run::run;

/// Watches an experiment. Called from the thread that started it.
pub trait ExperimentObserver {
    /// The trials are known: how many there are, and how many of them need not be run again.
    fn planned(&mut self, trials: usize, known: usize) {
        let _ = (trials, known);
    }

    /// A trial has ended.
    fn finished(&mut self, row: &Row) {
        let _ = row;
    }

    /// A piece of a study has ended; so many properties were violated.
    fn progressed(&mut self, violated: usize) {
        let _ = violated;
    }
}

impl ExperimentObserver for () {}

/// Results by trial id.
pub type Known = HashMap<String, Results>;

/// Runs those trials of a plan that have no result yet and that `wanted` names; each row is written at once. When
/// `interrupt` is set, the trials under way are given up.
///
/// # Errors
/// When a row cannot be written.
pub(crate) fn execute(
    plan: &Plan,
    wanted: &HashSet<usize>,
    (folder, jobs): (&Path, usize),
    known: &mut Known,
    writer: &mut RowWriter,
    interrupt: &Arc<AtomicBool>,
    observer: &mut impl ExperimentObserver,
) -> Result<(), ExperimentError> {
    let ids: Vec<String> = plan.trials.iter().map(|t| t.parameters.id()).collect();
    let open: Vec<usize> = (0..ids.len()).filter(|t| wanted.contains(t) && !known.contains_key(&ids[*t])).collect();
    observer.planned(wanted.len(), wanted.len() - open.len());
    let guides = Guides::default();
    let next = AtomicUsize::new(0);
    let stop = AtomicBool::new(false);
    let (sender, receiver) = mpsc::channel::<(usize, Results)>();
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, open.len().max(1)) {
            let sender = sender.clone();
            scope.spawn(|| {
                let sender = sender;
                while let Some(&trial) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if interrupt.load(Ordering::Relaxed) || stop.load(Ordering::Relaxed) {
                        break;
                    }
                    let what = &plan.trials[trial];
                    if let Some(results) = run(what, &plan.instances[what.instance], &guides, folder, interrupt)
                        && sender.send((trial, results)).is_err()
                    {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for (trial, results) in receiver {
            let (id, parameters) = (ids[trial].clone(), plan.trials[trial].parameters.clone());
            let row = Row { id, parameters, results };
            if let Err(error) = writer.add(&row) {
                stop.store(true, Ordering::Relaxed);
                return Err(error);
            }
            observer.finished(&row);
            known.insert(row.id, row.results);
        }
        Ok(())
    })
}
