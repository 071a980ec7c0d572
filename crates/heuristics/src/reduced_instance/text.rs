//! The table as text that can be edited and read back.
//!
//! `#` starts a comment. The header has one word and its value on each line. A row has five columns; `*` is a wildcard, and
//! `7:2` in the third column is branch 2, which leads to location 7:
//!
//! ```text
//! guide reduced-instance
//! style roles
//! model philosophers.pml
//! property safety
//! reduced N=3
//! length 6
//! shape Philosopher 12 14 2711934532
//!
//! # process role | previous | next | conditions | distance
//! Philosopher * | 9 | 2 | * | 2     # philosophers.pml:24 !taken[LEFT]
//! ```

use std::fmt::Write;

use lurcher_ir::{LocationId, Model, ProcessType};
use lurcher_syntax::SourceMap;

use super::table::{Row, Shape, Style, Table};
use crate::text::{TextError, lines};

/// The first line of every table.
const TITLE: &str = "guide reduced-instance";

/// Prints a table; with the model's sources, each row has its statement as a comment.
pub fn to_text(table: &Table, names: Option<(&Model, &SourceMap)>) -> String {
    let mut out = format!("{TITLE}\nstyle {}\n", table.style.name());
    for (word, value) in [("model", &table.model), ("property", &table.property), ("reduced", &table.reduction)] {
        let _ = writeln!(out, "{word} {}", one_line(value));
    }
    let _ = writeln!(out, "length {}", table.length);
    for s in &table.shapes {
        let _ = writeln!(out, "shape {} {} {} {}", s.process, s.locations, s.branches, s.targets);
    }
    out.push_str("\n# process role | previous | next | conditions | distance\n");
    let cells: Vec<[String; 5]> = table.rows.iter().map(cells).collect();
    let width = |column: usize| cells.iter().map(|c| c[column].chars().count()).max().unwrap_or(0);
    let widths = [0, 1, 2, 3, 4].map(width);
    for (row, cells) in table.rows.iter().zip(&cells) {
        let padded: Vec<String> = cells.iter().zip(widths).map(|(cell, w)| format!("{cell:<w$}")).collect();
        let line = padded.join(" | ");
        let comment = names.and_then(|(model, sources)| statement(model, sources, row));
        let comment = comment.map_or(String::new(), |c| format!("  # {c}"));
        let _ = writeln!(out, "{}", format!("{line}{comment}").trim_end());
    }
    out
}

fn one_line(text: &str) -> String {
    text.replace('#', " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

fn cells(row: &Row) -> [String; 5] {
    let location = |l: Option<LocationId>| l.map_or("*".to_owned(), |l| l.0.to_string());
    let conditions: Vec<String> = row.conditions.iter().map(ToString::to_string).collect();
    let conditions = if conditions.is_empty() { "*".to_owned() } else { conditions.join(", ") };
    let process = format!("{} {}", row.process, row.role);
    let branch = row.branch.map_or(String::new(), |b| format!(":{b}"));
    let next = format!("{}{branch}", location(row.next));
    [process, location(row.previous), next, conditions, row.distance.to_string()]
}

/// `file:line statement` of the branch of a row.
fn statement(model: &Model, sources: &SourceMap, row: &Row) -> Option<String> {
    let process_type: &ProcessType = model.process_type(model.find_process_type(&row.process)?);
    let location = process_type.locations.get(row.previous?.0 as usize)?;
    let mut branches = location.branches.iter();
    let branch = match row.branch {
        Some(number) => branches.nth(number.into())?,
        None => branches.find(|b| Some(b.target) == row.next)?,
    };
    let action = process_type.action(branch.action);
    sources.get(action.span.file)?;
    Some(format!("{} {}", sources.short_place(action.span), one_line(&action.text)))
}

/// Reads a table.
///
/// # Errors
/// The first error in the text.
pub fn from_text(text: &str) -> Result<Table, TextError> {
    let mut table = Table::default();
    let mut titled = false;
    for (number, line) in lines(text) {
        let wrong = |message: String| TextError::new(number, message);
        if !titled {
            if line.split_whitespace().collect::<Vec<_>>().join(" ") != TITLE {
                return Err(wrong(format!("expected `{TITLE}`, found `{}`", shortened(line))));
            }
            titled = true;
        } else if line.contains('|') {
            table.rows.push(row(line).map_err(wrong)?);
        } else {
            header(&mut table, line).map_err(wrong)?;
        }
    }
    if !titled {
        return Err(TextError::new(1, format!("expected `{TITLE}`, found nothing")));
    }
    Ok(table)
}

fn shortened(text: &str) -> String {
    text.chars().take(40).collect()
}

fn number<T: std::str::FromStr>(text: &str, what: &str) -> Result<T, String> {
    text.trim().parse().map_err(|_| format!("expected {what}, found `{}`", shortened(text.trim())))
}

fn header(table: &mut Table, line: &str) -> Result<(), String> {
    let (word, value) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let value = value.trim();
    match word {
        "style" => {
            let known = [Style::Roles, Style::Plain].into_iter().find(|s| s.name() == value);
            table.style =
                known.ok_or_else(|| format!("unknown style `{}`: use `roles` or `plain`", shortened(value)))?;
        }
        "model" => table.model = value.to_owned(),
        "property" => table.property = value.to_owned(),
        "reduced" => table.reduction = value.to_owned(),
        "length" => table.length = number(value, "a number of steps")?,
        "shape" => {
            let words: Vec<&str> = value.split_whitespace().collect();
            let [process, locations, branches, targets] = words[..] else {
                return Err("a shape is a process type and three numbers".to_owned());
            };
            table.shapes.push(Shape {
                process: process.to_owned(),
                locations: number(locations, "a number of locations")?,
                branches: number(branches, "a number of branches")?,
                targets: number(targets, "a number")?,
            });
        }
        _ => return Err(format!("unknown word `{}`", shortened(word))),
    }
    Ok(())
}

fn row(line: &str) -> Result<Row, String> {
    let cells: Vec<&str> = line.split('|').map(str::trim).collect();
    let [process, previous, next, conditions, distance] = cells[..] else {
        return Err(format!("a row has 5 columns, this one has {}", cells.len()));
    };
    let (process, role) = process.split_once(char::is_whitespace).ok_or("expected a process type and a role")?;
    let (next, branch) = next.split_once(':').map_or((next, None), |(next, branch)| (next.trim(), Some(branch)));
    let location = |text: &str| match text {
        "*" => Ok(None),
        _ => number(text, "a location or `*`").map(|n| Some(LocationId(n))),
    };
    let conditions = match conditions {
        "*" => Vec::new(),
        _ => conditions.split(',').map(str::parse).collect::<Result<_, _>>()?,
    };
    Ok(Row {
        process: process.to_owned(),
        role: role.parse()?,
        previous: location(previous)?,
        next: location(next)?,
        branch: branch.map(|b| number(b, "the number of a branch")).transpose()?,
        conditions,
        distance: number(distance, "a distance")?,
    })
}

#[cfg(test)]
mod tests;
