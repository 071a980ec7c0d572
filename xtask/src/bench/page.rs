//! The page: the table with its verdicts, then what each line was made from.

use std::fmt::Write as _;

use super::table::Line;

/// Everything as Markdown.
pub fn page(machine: &str, lines: &[Line], pictures: &[(String, &'static str)]) -> String {
    let mut out = format!(
        "# Speed\n\nAll figures of this page come from one run on one machine; `runs.csv` has every run of every program, \
         and `cargo xtask bench --from DIR` makes this page again. Figures are medians; times are processor time (that of \
         the system for the process included) unless they say *wall*; one core unless said.\n\n{machine}\n\
         | measure | reach | figure | verdict |\n| --- | --- | --- | --- |\n"
    );
    for line in lines {
        let (figure, verdict) = match &line.figure {
            Some(figure) => (figure.text.as_str(), if figure.reached { "reached" } else { "**not reached**" }),
            None if line.parts.is_empty() => ("–", "not measured"),
            None => ("see below", "–"),
        };
        let _ = writeln!(out, "| {} | {} | {figure} | {verdict} |", line.title, line.reach);
    }
    for (file, title) in pictures {
        let _ = write!(out, "\n![{title}]({file})\n");
    }
    for line in lines.iter().filter(|l| !l.parts.is_empty()) {
        let _ = write!(out, "\n## {}\n\n{}: {}\n\n", line.name, line.title, line.reach);
        let _ = writeln!(out, "| | | ratio | {} |", line.columns.join(" | "));
        let _ = writeln!(out, "| --- | --- | --- |{}", " --- |".repeat(line.columns.len()));
        for part in &line.parts {
            let _ =
                writeln!(out, "| {} | {} | {:.2}× | {} |", part.subject, part.size, part.ratio, part.cells.join(" | "));
        }
    }
    out
}
