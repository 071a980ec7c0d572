//! Reports for people.

use std::io::IsTerminal;

use indicatif::{HumanBytes, HumanCount};
use lurcher::Model;
use lurcher::engines::{Counterexample, Goal, LurchCurve, Report, StopReason, Trace, Verdict, WalkReport};
use lurcher::formats::Document;

use crate::outcome::Run;
use crate::words::{count, probability};

/// May standard error be coloured?
pub fn colour_on_stderr() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}

fn colour_on_stdout() -> bool {
    std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}

fn paint(text: &str, code: &str) -> String {
    if colour_on_stdout() { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
}

/// A verdict in its colour.
pub fn verdict(verdict: Verdict) -> String {
    let code = match verdict {
        Verdict::Violated => "1;31",
        Verdict::Holds => "1;32",
        Verdict::Inconclusive => "1;33",
    };
    paint(verdict.name(), code)
}

/// The longest trace that is printed whole; longer ones are cut in the middle.
const LONGEST: usize = 400;

/// All reports of a run.
pub fn reports(run: &Run<'_>, model: &Model, reports: &[Report]) -> String {
    let mut out = String::new();
    for report in reports {
        one(&mut out, run, model, report);
    }
    coverage(&mut out, model, reports);
    out
}

/// What was never executed, where that means something.
fn coverage(out: &mut String, model: &Model, reports: &[Report]) {
    let tells = |r: &&Report| r.kind == "safety" && (r.stop == StopReason::Complete || r.walks.is_some());
    let violated = reports.iter().any(|r| r.walks.is_some() && r.verdict == Verdict::Violated);
    if let Some(safety) = reports.iter().find(tells).filter(|_| !violated) {
        unreached(out, model, safety);
    }
}

fn one(out: &mut String, run: &Run<'_>, model: &Model, report: &Report) {
    let what = match report.kind {
        "safety" => "end states, assertions, faults".to_owned(),
        kind if kind == report.name => kind.to_owned(),
        kind => format!("{kind} {}", report.name),
    };
    out.push_str(&format!("{}: {} — {what}\n", run.args.common.model.display(), verdict(report.verdict)));
    for counterexample in &report.counterexamples {
        let place = counterexample.place.map(|p| format!("{}: ", model.sources().place(p))).unwrap_or_default();
        let times = if counterexample.count > 1 { format!(" ({} times)", counterexample.count) } else { String::new() };
        out.push_str(&format!("\n{place}{}{times}\n", paint(&counterexample.message, "1")));
        let length = counterexample.trace.length();
        let best = if counterexample.shortest { ", the shortest possible" } else { "" };
        let found = match counterexample.found_length {
            found if found > length => format!(", found with {}", HumanCount(u64::from(found))),
            _ => String::new(),
        };
        if !matches!(counterexample.trace, Trace::States(None)) {
            out.push_str(&format!("trace of {}{found}{best}:\n\n", count(u64::from(length), "step")));
            out.push_str(&trace(model, counterexample));
        }
    }
    if report.verdict == Verdict::Inconclusive {
        let reason = match report.stop {
            StopReason::Time => "the time was up",
            StopReason::Memory => "the memory was used up (--memory sets the limit)",
            StopReason::Depth => "the depth limit hides the rest (--depth sets it)",
            StopReason::Storage => "the storage is lossy, so states may have been left out",
            StopReason::Interrupted => "interrupted",
            StopReason::Walks => "the walks that were asked for are made",
            StopReason::Unsuited => "this engine cannot check it",
            StopReason::Saturation => "walks hardly see new states any more",
            _ => "stopped",
        };
        let searched = if report.stop == StopReason::Unsuited { "" } else { "; no violation in what was searched" };
        out.push_str(&format!("not proved: {reason}{searched}\n"));
        if run.goal == Goal::Verify && matches!(report.stop, StopReason::Time | StopReason::Memory) {
            out.push_str("`lurcher hunt` looks for violations that lie deeper\n");
        }
    }
    for remark in &report.remarks {
        out.push_str(&format!("{remark}\n"));
    }
    match &report.walks {
        Some(walks) if walks.winner.is_some() || report.verdict == Verdict::Inconclusive => walked(out, report, walks),
        Some(walks) => {
            searched(out, report);
            let (made, steps) = (count(walks.walks, "walk"), count(walks.steps, "step"));
            out.push_str(&format!("after {made} of {steps} that found nothing\n"));
        }
        None if report.stop == StopReason::Unsuited => {}
        None => searched(out, report),
    }
}

/// A trace, and who takes part in it.
fn trace(model: &Model, counterexample: &Counterexample) -> String {
    let Some(document) = Document::new(model, "", "", &counterexample.trace) else { return String::new() };
    let mut text = shortened(&document.text());
    if let Trace::Processes(trace) = &counterexample.trace {
        let (part, all) = trace.participants;
        let factor = part as f64 / all.max(1) as f64;
        text.push_str(&format!("\n{part} of {} take part (PEP {factor:.2})\n", count(all as u64, "process")));
    }
    text
}

fn searched(out: &mut String, report: &Report) {
    let seconds = report.times.search.as_secs_f64();
    if let Some(sets) = &report.sets {
        let several = |n: &str| if n == "1" { "" } else { "s" };
        let reachable = sets.reachable.as_ref().map(ToString::to_string);
        let reachable = reachable.map(|n| format!("{n} reachable state{}, ", several(&n))).unwrap_or_default();
        let (nodes, memory) = (count(sets.nodes, "node"), HumanBytes(report.stats.memory));
        out.push_str(&format!("{}: {reachable}{nodes}, {memory} in {seconds:.3} s\n", report.engine));
        return;
    }
    if let Some(curve) = &report.curve {
        lurched(out, report, curve);
        return;
    }
    let compiled = match report.executor {
        Some("jit") => format!(" after {:.1} ms of compiling", report.times.compile.as_secs_f64() * 1e3),
        _ => String::new(),
    };
    let reduced = report.reduction.map(|name| format!(" with {name} reduction")).unwrap_or_default();
    out.push_str(&format!(
        "{}{reduced}: {} stored, {} matched, {}, depth {}, {} in {seconds:.3} s{compiled}\n",
        report.engine,
        count(report.stats.stored, "state"),
        HumanCount(report.stats.matched),
        count(report.stats.transitions, "transition"),
        HumanCount(report.stats.depth),
        HumanBytes(report.stats.memory),
    ));
}

/// How LURCH went: what it took, and how much of what it saw was new.
fn lurched(out: &mut String, report: &Report, curve: &LurchCurve) {
    let seconds = report.times.search.as_secs_f64();
    let at_least = if curve.full { "at least " } else { "" };
    out.push_str(&format!(
        "lurch: {}, {}, the longest {}; {at_least}{}; {seconds:.3} s\n",
        count(curve.paths, "path"),
        count(report.stats.transitions, "step"),
        HumanCount(report.stats.depth),
        count(report.stats.stored, "different state"),
    ));
    let shares: Vec<String> = saturation(curve).iter().map(|(steps, new)| format!("{steps}: {new:.0} %")).collect();
    if report.verdict == Verdict::Inconclusive && !shares.is_empty() {
        out.push_str(&format!("new states among those seen, by steps: {}\n", shares.join(", ")));
    }
}

/// The share of new states since the point before, in per cent, at about ten points of the curve.
fn saturation(curve: &LurchCurve) -> Vec<(u64, f64)> {
    let every = curve.points.len().div_ceil(10).max(1);
    let points: Vec<(u64, u64)> = curve.points.iter().copied().skip(every - 1).step_by(every).collect();
    let before = std::iter::once((0, 0)).chain(points.iter().copied());
    let share =
        |((s0, n0), (s1, n1)): ((u64, u64), (u64, u64))| (s1, 100.0 * (n1 - n0) as f64 / (s1 - s0).max(1) as f64);
    before.zip(points.iter().copied()).map(share).collect()
}

/// What the walks came to: who won, or what was covered and what can be said about the rest.
fn walked(out: &mut String, report: &Report, walks: &WalkReport) {
    let seconds = report.times.search.as_secs_f64();
    if let (Some(winner), Some(unit)) = (&walks.winner, walks.unit) {
        out.push_str(&format!("found by {winner}, number {unit}\n"));
    }
    let about = if walks.exact { "" } else { "about " };
    let looked = match walks.looked_walks {
        all if all == walks.walks => String::new(),
        some => format!(" in {} of the walks", HumanCount(some)),
    };
    out.push_str(&format!(
        "{}, {}, the longest {}; {about}{}{looked}; {seconds:.3} s, {} steps/s\n",
        count(walks.walks, "walk"),
        count(walks.steps, "step"),
        HumanCount(u64::from(walks.depth)),
        count(walks.distinct, "distinct state"),
        HumanCount(walks.rate as u64),
    ));
    if walks.winner.is_some() {
        return;
    }
    // The first kind of walk says enough; JSON has them all.
    let first = walks.bounds.first().map(|b| b.member.clone());
    for bound in walks.bounds.iter().filter(|b| Some(&b.member) == first.as_ref()) {
        out.push_str(&format!(
            "with {} % confidence, one more {} of {} finds a violation with probability below {} ({} made)\n",
            bound.confidence * 100.0,
            bound.member,
            count(u64::from(bound.depth), "step"),
            probability(bound.probability),
            HumanCount(bound.walks),
        ));
    }
    if let Some(new) = walks.new_states_per_walk {
        out.push_str(&format!("one more unguided walk is expected to see {new:.2} new states\n"));
    }
    if walks.members.len() > 1 {
        let width = walks.members.iter().map(|m| m.name.chars().count()).max().unwrap_or(0);
        out.push_str(&format!(
            "  {:width$} {:>9} {:>13} {:>13} {:>12}\n",
            "", "walks", "steps", "new states", "best score"
        ));
        for m in &walks.members {
            let best = m.best.map(|b| b.to_string()).unwrap_or_default();
            let [walks, steps, new] = [m.walks, m.steps, m.new_states].map(|n| HumanCount(n).to_string());
            out.push_str(&format!("  {:width$} {walks:>9} {steps:>13} {new:>13} {best:>12}\n", m.name));
        }
    }
}

fn shortened(trace: &str) -> String {
    let lines: Vec<&str> = trace.lines().collect();
    if lines.len() <= LONGEST {
        return trace.to_owned();
    }
    let (head, tail) = (&lines[..LONGEST / 2], &lines[lines.len() - LONGEST / 2..]);
    let left_out = count((lines.len() - LONGEST) as u64, "line");
    format!("{}\n  … {left_out} left out; --trace FILE writes all …\n{}\n", head.join("\n"), tail.join("\n"))
}

fn unreached(out: &mut String, model: &Model, report: &Report) {
    let (Some(coverage), Some(processes)) = (&report.coverage, model.processes()) else { return };
    let all = coverage.unreached(processes);
    for (id, actions) in all.iter().filter(|(_, actions)| !actions.is_empty()) {
        out.push_str(&format!("never executed in {}:\n", processes.process_type(*id).name));
        for action in actions {
            out.push_str(&format!("  {:<24} {}\n", model.sources().short_place(action.span), action.text));
        }
    }
    if all.iter().all(|(_, actions)| actions.is_empty()) {
        out.push_str("every statement was executed\n");
    }
}
