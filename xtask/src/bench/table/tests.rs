//! Lines from made-up runs.

use lurcher_lab::peers::child::Usage;

use super::*;
use crate::bench::run::{Measure, Tool};

fn row(measure: Measure, subject: &str, tool: Tool, setting: &str, repetition: u32, processor: f64) -> Run {
    let data = if tool == Tool::Pan { 3000 } else { 900 };
    let usage = Usage { wall: processor, processor, resident: 4000, data };
    let [subject, size, setting] = [subject, "N=3", setting].map(str::to_owned);
    let (stored, transitions, steps) = (Some(100), Some(300), Some(1000));
    let run = Run { measure, subject, size, tool, setting, repetition, stored, transitions, steps, ..Run::default() };
    run.with(usage)
}

/// A search by lurcher and one by `pan`, three repetitions each, one of them disturbed.
fn searches(measure: Measure, subject: &str, ours: f64, theirs: f64) -> Vec<Run> {
    let both = |repetition| {
        let slow = if repetition == 2 { 50.0 } else { 1.0 };
        let run = |tool, time| row(measure, subject, tool, "", repetition, time * slow);
        [run(Tool::Lurcher, ours), run(Tool::Pan, theirs)]
    };
    (1..=3).flat_map(both).collect()
}

fn line<'l>(lines: &'l [Line], name: &str) -> &'l Line {
    lines.iter().find(|l| l.name == name).expect("a line")
}

#[test]
fn a_goal_for_each_family_names_the_family_that_misses_it() {
    let mut runs = searches(Measure::Exhaustive, "leader", 1.0, 8.0);
    runs.extend(searches(Measure::Exhaustive, "arrays", 2.0, 1.0));
    let lines = lines(&runs);
    let text = "2.00× (geometric mean; 0.50× to 8.00×); below 1.0×: arrays";
    assert_eq!(line(&lines, "exhaustive").figure, Some((text.to_owned(), false)));
    runs.truncate(6);
    assert!(super::lines(&runs)[0].figure.as_ref().unwrap().1);
}

#[test]
fn counts_that_differ_stand_out() {
    let mut runs = searches(Measure::Exhaustive, "leader", 1.0, 8.0);
    assert_eq!(lines(&runs)[0].parts[0].cells[0], "100");
    runs.iter_mut().filter(|r| r.tool == Tool::Pan).for_each(|r| r.stored = Some(1101));
    assert_eq!(lines(&runs)[0].parts[0].cells[0], "**100 against 1,101**");
}

#[test]
fn the_way_from_file_to_verdict_has_the_compiler_in_it() {
    let mut runs = searches(Measure::Reduced, "leader", 1.0, 2.0);
    let partial = lines(&runs);
    assert_eq!(line(&partial, "file to verdict").parts, []);
    runs.push(row(Measure::Reduced, "leader", Tool::Spin, "", 1, 0.5));
    runs.push(row(Measure::Reduced, "leader", Tool::Gcc, "", 1, 1.5));
    let lines = lines(&runs);
    assert_eq!(line(&lines, "file to verdict").parts[0].ratio, 4.0);
    assert_eq!(line(&lines, "stored states").parts[0].ratio, 1.0);
    assert!(!line(&lines, "memory, whole process").figure.as_ref().unwrap().1);
    assert!(line(&lines, "memory").figure.as_ref().unwrap().1);
}

#[test]
fn walks_are_held_against_the_transitions_of_the_same_size() {
    let mut runs = searches(Measure::Exhaustive, "leader", 1.0, 3.0);
    runs.push(row(Measure::Walks, "leader", Tool::Lurcher, "jit", 1, 1.0));
    runs.push(row(Measure::Walks, "leader", Tool::Lurcher, "interp", 1, 4.0));
    runs.push(row(Measure::Walks, "ring", Tool::Hand, "", 1, 1.0));
    let lines = lines(&runs);
    assert_eq!(line(&lines, "pan's transitions").parts[0].ratio, 10.0);
    assert_eq!(line(&lines, "interpreter").parts[0].ratio, 4.0);
    assert_eq!(line(&lines, "walks by hand").parts, []);
    assert!(line(&lines, "Stateright").figure.is_none());
}

#[test]
fn numbers_are_written_for_people() {
    assert_eq!((whole(1_234_567.0), whole(12.0)), ("1,234,567".to_owned(), "12".to_owned()));
    assert_eq!((rate(2_500_000.0), rate(1500.0)), ("2.50 M".to_owned(), "1.5 k".to_owned()));
}
