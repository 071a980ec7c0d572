//! The page of a study: counts first, times last.

use lurcher_smv::mutate::FaultKind;

use super::FaultStudy;
use super::findings::{Findings, Outcome};
use super::plots::DrawnPlot;
use super::trial::PropertyResult;
use crate::report::{Align, Machine, markdown_table, page_head};

pub(super) fn readme(study: &FaultStudy, findings: &Findings, machine: &Machine, drawn: &[DrawnPlot]) -> String {
    let mut out = page_head(&study.head, machine);
    out.push_str(&format!("* budget: {}\n\n", budget(study)));
    out.push_str(&disagreements(findings));
    for part in [mutants, figure, faults, missed, times] {
        out.push_str(&part(study, findings));
    }
    if !drawn.is_empty() {
        out.push_str("## Plots\n\n");
        for (name, title) in drawn {
            out.push_str(&format!("![{title}](plots/{name}.svg)\n"));
        }
    }
    out
}

fn budget(study: &FaultStudy) -> String {
    let effort = &study.effort;
    format!(
        "{} runs of each random engine; {} paths or walks of at most {} steps, LURCH's end at repeated state {}; {} s",
        study.runs,
        effort.paths,
        effort.depth,
        effort.repeats,
        effort.time.as_secs_f64()
    )
}

fn disagreements(findings: &Findings) -> String {
    let bugs = findings.bugs();
    if bugs.is_empty() {
        return "Every verdict of every engine agrees with the judge's.\n\n".to_owned();
    }
    let list: Vec<String> = bugs.iter().map(|b| format!("* {b}\n")).collect();
    format!(
        "**{} verdicts show a bug in lurcher; the numbers below cannot be relied on.**\n\n{}\n",
        bugs.len(),
        list.concat()
    )
}

fn mutants(study: &FaultStudy, findings: &Findings) -> String {
    let skipped = findings.skipped;
    let mut out = format!(
        "## Mutants\n\n{} mutants of `{}` with seed {}, {} properties, complete verification (BDDs, cone of \
         influence) as the judge. A mutant that violates nothing is harmless: equivalent, or wrong in a way that no property \
         is about. {} more faults were drawn and left out: {} models do not load, {} have the text of the original, {} that \
         of another mutant.\n\n",
        findings.outcomes.len() - 1,
        study.model.0,
        study.seed,
        findings.properties.len(),
        skipped.rejected + skipped.unchanged + skipped.repeated,
        skipped.rejected,
        skipped.unchanged,
        skipped.repeated,
    );
    if !findings.left_out.is_empty() {
        let names = findings.left_out.join(", ");
        out.push_str(&format!("Left out, because they do not hold without a fault: {names}.\n\n"));
    }
    if findings.undecided() > 0 {
        out.push_str(&format!("The judge could not decide {} properties of mutants.\n\n", findings.undecided()));
    }
    let line = |name: &str, kind: Option<FaultKind>| {
        let wanted = |o: &&Outcome| o.mutant.as_ref().is_some_and(|m| kind.is_none_or(|k| m.kind == k));
        let mutants: Vec<&Outcome> = findings.outcomes.iter().filter(wanted).collect();
        let count = |status: &str| mutants.iter().filter(|o| o.status() == status).count().to_string();
        vec![name.to_owned(), mutants.len().to_string(), count("fault"), count("harmless")]
    };
    let kinds = study.kinds.iter().map(|k| line(k.name(), Some(*k)));
    let lines: Vec<Vec<String>> = kinds.chain([line("all", None)]).collect();
    let table = markdown_table(&["kind", "mutants", "faults", "harmless"], &lines, Align::Right);
    out + &format!("{table}\nEach mutant is a row of [mutants.csv](mutants.csv).\n\n")
}

fn percent(part: usize, all: usize) -> String {
    if all == 0 { "–".to_owned() } else { format!("{:.1} %", 100.0 * part as f64 / all as f64) }
}

/// The paper's figure 10.
fn figure(study: &FaultStudy, findings: &Findings) -> String {
    let all = findings.violations();
    let mut out = "## Violations found (figure 10 of the paper)\n\n".to_owned();
    for engine in &study.engines {
        let score = findings.score(engine);
        let head = [engine.name, "violations", "share"];
        let row = |what: String, n: usize| vec![what, n.to_string(), percent(n, all)];
        let mut lines = vec![vec!["in all, by the judge".to_owned(), all.to_string(), String::new()]];
        for runs in (1..=score.runs).rev() {
            let what = match runs {
                n if n == score.runs => format!("found in {n} of {n} runs"),
                n => format!("in at least {n}"),
            };
            lines.push(row(what, score.at_least(runs)));
        }
        lines.push(row("never".to_owned(), score.by_runs[0]));
        out.push_str(&format!("{}\n", markdown_table(&head, &lines, Align::Right)));
    }
    out
}

fn faults(study: &FaultStudy, findings: &Findings) -> String {
    let all = findings.faults().count();
    let violations = findings.violations();
    let head = ["engine", "run", "violations", "share", "faults", "share of faults"];
    let mut lines = Vec::new();
    for engine in &study.engines {
        let score = findings.score(engine);
        let mut add = |run: String, (found, killed): (usize, usize)| {
            lines.push(vec![
                engine.name.to_owned(),
                run,
                found.to_string(),
                percent(found, violations),
                killed.to_string(),
                percent(killed, all),
            ]);
        };
        for (number, &each) in score.each.iter().enumerate() {
            add((number + 1).to_string(), each);
        }
        add("any".to_owned(), (violations - score.by_runs[0], score.faults));
    }
    format!(
        "## Faults found\n\nA fault is found when a violation of any property is. There are {all} faults with {violations} \
         violations.\n\n{}\n",
        markdown_table(&head, &lines, Align::Right)
    )
}

/// The faults that an engine never found.
fn missed(study: &FaultStudy, findings: &Findings) -> String {
    let mut out = "## Faults never found\n\n".to_owned();
    for engine in &study.engines {
        let unseen = |o: &&Outcome| (0..o.truth.len()).all(|p| o.found(engine, p) == 0);
        let lines: Vec<String> = findings.faults().filter(unseen).map(|o| describe(o, findings)).collect();
        match lines.len() {
            0 => out.push_str(&format!("{}: none.\n\n", engine.name)),
            n => out.push_str(&format!("{}: {n}.\n\n{}\n", engine.name, lines.concat())),
        }
    }
    out
}

fn describe(outcome: &Outcome, findings: &Findings) -> String {
    let Some(mutant) = &outcome.mutant else { return String::new() };
    let name = |p: usize| {
        let name = &findings.properties[p];
        outcome.truth[p].length.map_or_else(|| name.clone(), |l| format!("{name} (after {l} steps)"))
    };
    let names: Vec<String> = outcome.violated().map(name).collect();
    format!("* {}, {}: {}. Violates {}.\n", mutant.number, mutant.kind.name(), mutant.description, names.join(", "))
}

/// Times until violations were found.
fn times(study: &FaultStudy, findings: &Findings) -> String {
    let head = ["engine", "violations found", "median, ms", "90 %, ms", "slowest, ms"];
    let seconds = |s: &PropertyResult| Some(s.seconds);
    let mut lines = vec![line("judge", findings.measured(None, seconds))];
    lines.extend(study.engines.iter().map(|engine| line(engine.name, findings.measured(Some(engine), seconds))));
    format!(
        "## Time to a violation\n\nFrom the start of the search that found it. LURCH watches invariants together, and each \
         invariant about steps and each LTL formula in a search of its own.\n\n{}\n",
        markdown_table(&head, &lines, Align::Right)
    )
}

/// The number of violations, and quantiles of their times.
fn line(name: &str, mut sorted: Vec<f64>) -> Vec<String> {
    sorted.sort_by(f64::total_cmp);
    let at = |share: f64| match sorted.len() {
        0 => "–".to_owned(),
        n => format!("{:.3}", sorted[(((n - 1) as f64) * share).round() as usize] * 1000.0),
    };
    vec![name.to_owned(), sorted.len().to_string(), at(0.5), at(0.9), at(1.0)]
}
