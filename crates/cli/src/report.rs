//! Reports for people.

use indicatif::{HumanBytes, HumanCount};
use lurcher::engines::{
    Counterexample, Goal, LurchCurve, MemberReport, Polyhedra, Report, StopReason, Trace, Verdict, WalkReport,
};
use lurcher::formats::{Document, Page};
use lurcher::{Model, Outcome};
use lurcher_resources::ResourceLimits;

use crate::outcome::Run;
use crate::summary;
use crate::terminal::{Stream, Style, paint};
use crate::words::{count, fitted, probability};

/// A verdict in its colour.
pub fn verdict(verdict: Verdict) -> String {
    let style = match verdict {
        Verdict::Violated => Style::Bad,
        Verdict::Holds => Style::Good,
        Verdict::Inconclusive => Style::Open,
    };
    paint(verdict.name(), style)
}

/// The most steps of a trace that are printed; those in the middle of longer ones are left out.
const MOST_STEPS: usize = 200;

/// All reports of a run.
pub fn reports(run: &Run<'_>, model: &Model, outcome: &Outcome) -> String {
    let mut out = String::new();
    for (index, report) in outcome.reports.iter().enumerate() {
        one(&mut out, run, model, report, &outcome.reports[..index]);
    }
    coverage(&mut out, model, &outcome.reports);
    out.push_str(&summary::table(model, outcome));
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

fn one(out: &mut String, run: &Run<'_>, model: &Model, report: &Report, earlier: &[Report]) {
    let what = summary::headline(model, report, run.args.property.semantics.0.no_assertions);
    out.push_str(&format!("{}: {} — {what}\n", run.args.common.model.display(), verdict(report.verdict)));
    for counterexample in &report.counterexamples {
        let place = counterexample.place.map(|p| format!("{}: ", model.sources().place(p))).unwrap_or_default();
        let times =
            if counterexample.count > 1 { format!(" (met {} times)", counterexample.count) } else { String::new() };
        out.push_str(&format!("\n{place}{}{times}\n", paint(&counterexample.message, Style::Strong)));
        if summary::is_shown(report, counterexample, earlier) {
            out.push_str("the trace above shows it\n");
            continue;
        }
        let length = counterexample.trace.length();
        let best = if counterexample.shortest { ", the shortest possible" } else { "" };
        let found = match counterexample.found_length {
            found if found > length => format!(", shortened from {}", HumanCount(u64::from(found))),
            _ => String::new(),
        };
        if !matches!(counterexample.trace, Trace::States(None)) {
            let thing = if let Trace::Timed(_) = counterexample.trace { "event" } else { "step" };
            out.push_str(&format!("trace of {}{found}{best}:\n\n", count(u64::from(length), thing)));
            out.push_str(&trace(model, counterexample));
        }
    }
    if let Some(hint) = summary::own_answer(report) {
        out.push_str(&format!("{hint}\n"));
    }
    if report.verdict == Verdict::Inconclusive {
        let reason = summary::reason(report.stop);
        let searched = match report.stop {
            StopReason::Unsuited => "",
            _ if report.unconfirmed => "; a violation was found, but not replayed in time",
            _ => "; no violation in what was searched",
        };
        out.push_str(&format!("not proved: {reason}{searched}\n"));
        let limited = matches!(report.stop, StopReason::Time | StopReason::Memory);
        if run.goal == Goal::Verify && limited && !report.unconfirmed {
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
    let page = Page { width: Stream::report().form().width, steps: Some(MOST_STEPS) };
    let mut text = steps(&document, &page);
    if counterexample.trace.length() as usize > MOST_STEPS {
        text.push_str("\n--export text=FILE writes all steps\n");
    }
    if let Trace::Processes(trace) = &counterexample.trace {
        let (part, all) = trace.participants;
        let factor = part as f64 / all.max(1) as f64;
        text.push_str(&format!(
            "\nprocesses that move in this trace: {part} of {all}, a participation (PEP) of {factor:.2}\n"
        ));
    }
    text
}

/// The steps of a trace, if there is time left for them.
pub fn steps(document: &Document<'_>, page: &Page) -> String {
    let text = ResourceLimits::current().bound(|| document.text(page));
    text.unwrap_or_else(|limit| format!("the steps are not shown: {limit}\n"))
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
    if let Some(trials) = &report.trials {
        let decided = trials.decided_by.map(|number| format!("decided by trial {number}; "));
        let cut = match trials.cut {
            0 => String::new(),
            cut => format!(", {} of them cut by a limit", HumanCount(cut)),
        };
        out.push_str(&format!("{}{}{cut}\n", decided.unwrap_or_default(), count(trials.made, "trial")));
    }
    if let Some(Polyhedra { nodes, most, window }) = &report.polyhedra {
        let nodes = count(*nodes, if report.engine == "sets" { "round" } else { "node" });
        out.push_str(&format!(
            "{}: {nodes}, sets of at most {most} polyhedra, window {window}, in {seconds:.3} s\n",
            report.engine
        ));
        return;
    }
    if let (Some(guide), Some((least, most))) = (&report.guide, report.guide_range) {
        out.push_str(&format!("guided by {guide}, whose values were {least} to {most}\n"));
    }
    let compiled = match report.executor {
        Some("jit") => format!(" after {:.1} ms of compiling", report.times.compile.as_secs_f64() * 1e3),
        _ => String::new(),
    };
    if report.stats.stored == 0 && report.stats.transitions == 0 {
        out.push_str(&format!("{}: no results within {seconds:.3} s\n", report.engine));
        return;
    }
    let expanded = match report.stats.expanded {
        0 => String::new(),
        n => format!("{} expanded, ", HumanCount(n)),
    };
    let reduced = report.reduction.map(|name| format!(" with {name} reduction")).unwrap_or_default();
    out.push_str(&format!(
        "{}{reduced}: {} stored, {} matched, {}, {expanded}depth {}, {} in {seconds:.3} s{compiled}\n",
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
    let states = count(walks.distinct, "distinct state");
    let seen = match walks.looked_walks {
        0 => String::new(),
        all if all == walks.walks => format!(" {about}{states};"),
        some => format!(" {about}{states} in {} of the walks;", HumanCount(some)),
    };
    out.push_str(&format!(
        "{}, {}, the longest {};{seen} {seconds:.3} s, {} steps/s\n",
        count(walks.walks, "walk"),
        count(walks.steps, "step"),
        HumanCount(u64::from(walks.depth)),
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
        let head = ["", "walks", "steps", "new states", "best score"].map(str::to_owned).to_vec();
        let row = |m: &MemberReport| {
            let [walks, steps, new] = [m.walks, m.steps, m.new_states].map(|n| HumanCount(n).to_string());
            vec![m.name.clone(), walks, steps, new, m.best.map(|b| b.to_string()).unwrap_or_default()]
        };
        let rows: Vec<Vec<String>> = std::iter::once(head).chain(walks.members.iter().map(row)).collect();
        let room = Stream::report().form().width.map(|width| width.saturating_sub(2));
        fitted(&rows, 1, &[4, 3, 2, 1], room).concat().iter().for_each(|line| out.push_str(&format!("  {line}\n")));
    }
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
