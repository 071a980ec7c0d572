//! The key of a state: equal keys at one instant mean equal continuations.

use std::collections::BTreeMap;

use super::super::reader::{Frame, View};
use super::super::snapshot::{Call, Firing, Snapshot};
use super::needs::{EventSort, Needs};
use lurcher_ir::timed::{TermId, TransitionRef};

/// Marks the ends of lists in keys.
const END: i64 = i64::MIN;

/// The key of a state.
pub(super) fn key(view: View<'_>, needs: &Needs) -> Box<[i64]> {
    let mut key = view.now.values.clone();
    for firing in sorted(&view.now.executing) {
        firing_key(firing, &mut key);
        let start = view.at(usize::try_from(firing.start).expect("transitions start at instants"));
        key.extend(needs.at_start.iter().map(|variable| start.values[variable.index()]));
    }
    key.push(END);
    for call in sorted(&view.now.pending) {
        call_key(call, &mut key);
    }
    key.push(END);
    for (variable, &window) in &needs.variables {
        let before = view.past[first(view, window)..].iter();
        key.extend(before.map(|snapshot| snapshot.values[variable.index()]));
    }
    for (&(sort, transition), &(window, nth)) in &needs.events {
        events_key(view, sort, transition, (window, nth), &mut key);
        key.push(END);
    }
    for (&of, &(window, nth)) in &needs.changes {
        changes_key(view, of, (window, nth), &mut key);
        key.push(END);
    }
    key.into_boxed_slice()
}

/// The first instant of a window.
fn first(view: View<'_>, window: i64) -> usize {
    view.instant().saturating_sub(usize::try_from(window).unwrap_or(usize::MAX))
}

fn sorted<T: Ord>(all: &[T]) -> Vec<&T> {
    let mut all: Vec<&T> = all.iter().collect();
    all.sort_unstable();
    all
}

fn call_key(call: &Call, key: &mut Vec<i64>) {
    match call.transition {
        TransitionRef::Own(id) => key.extend([0, i64::from(id.0)]),
        TransitionRef::Imported(id) => key.extend([1, i64::from(id.0)]),
    }
    key.extend(&call.arguments);
}

fn firing_key(firing: &Firing, key: &mut Vec<i64>) {
    call_key(&firing.call, key);
    key.extend([i64::from(firing.case), firing.start]);
}

/// The instants of an event inside a window and the last ones before it, for all arguments.
fn events_key(view: View<'_>, sort: EventSort, transition: TransitionRef, depth: (i64, u32), key: &mut Vec<i64>) {
    let window = first(view, depth.0);
    let mut before: BTreeMap<&[i64], u32> = BTreeMap::new();
    for instant in (0..=view.instant()).rev() {
        for call in calls(view.at(instant), sort).filter(|call| call.transition == transition) {
            let count = before.entry(&call.arguments).or_default();
            if *count < depth.1 {
                key.push(instant as i64);
                key.extend(&call.arguments);
                *count += u32::from(instant < window || depth.0 == 0);
            }
        }
    }
}

fn calls(snapshot: &Snapshot, sort: EventSort) -> impl Iterator<Item = &Call> {
    let (firings, calls): (&[Firing], &[Call]) = match sort {
        EventSort::Start => (&snapshot.starts, &[]),
        EventSort::End => (&snapshot.ends, &[]),
        EventSort::Call => (&[], &snapshot.calls),
    };
    firings.iter().map(|firing| &firing.call).chain(calls)
}

/// The instants at which a term changes inside a window and the last ones before it.
fn changes_key(view: View<'_>, of: TermId, depth: (i64, u32), key: &mut Vec<i64>) {
    let reader = view.reader(true, Frame::default());
    let window = first(view, depth.0);
    let mut left = depth.1;
    for instant in (1..=view.instant()).rev() {
        let outside = instant < window || depth.0 == 0;
        match (reader.value_at(of, instant), reader.value_at(of, instant - 1)) {
            (Some(a), Some(b)) if a == b => {}
            (Some(_), Some(_)) => {
                key.push(instant as i64);
                left -= u32::from(outside);
            }
            // Nothing before is looked at.
            _ => {
                key.push(-(instant as i64));
                if outside {
                    return;
                }
            }
        }
        if left == 0 {
            return;
        }
    }
}
