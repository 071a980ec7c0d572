//! The tables of a paper, rerun: `bench/NAME/runs.csv` lists searches with the numbers that the paper has for them.
//!
//! A row of the file is one cell of a table: the table, the row and the column it belongs to, model and arguments, and the paper's *s* (stored
//! states), *e* (expanded states), *t* (transitions), *l* (length of the trail) and *r* (range of the heuristic), each empty where it has none.

use std::path::{Path, PathBuf};

use lurcher_lab::parallel;
use lurcher_lab::report::{Align, distinct, markdown_table};
use serde::Deserialize;

use super::search::{Effort, Runner};
use crate::repository;

/// A search, and what the paper says of it.
#[derive(Deserialize)]
struct Cell {
    table: String,
    row: String,
    column: String,
    /// Relative to the repository.
    model: PathBuf,
    arguments: String,
    s: String,
    e: String,
    t: String,
    l: String,
    r: String,
}

impl Cell {
    /// The paper's number for a quantity.
    fn theirs(&self, quantity: char) -> &str {
        match quantity {
            's' => &self.s,
            'e' => &self.e,
            't' => &self.t,
            'l' => &self.l,
            _ => &self.r,
        }
    }
}

/// What the rows of a table are for each model; *r* only where the paper has it.
const QUANTITIES: [char; 5] = ['s', 'e', 't', 'l', 'r'];

type Result<T> = std::result::Result<T, String>;

/// Runs all searches whose row or table is one of `only`; returns the page and whether all of them ran.
pub(super) fn page(name: &str, only: &[String], runner: &Runner, jobs: usize) -> Result<(String, bool)> {
    let folder = repository::root().join("bench").join(name);
    let cells = read(&folder.join("runs.csv"))?;
    let is_chosen =
        |cell: &&Cell| only.is_empty() || only.iter().any(|part| cell.row.contains(part) || cell.table == *part);
    let cells: Vec<&Cell> = cells.iter().filter(is_chosen).collect();
    let done = parallel::map(&cells, jobs, |cell| {
        let arguments: Vec<String> = cell.arguments.split_whitespace().map(str::to_owned).collect();
        let effort = runner.search(&repository::root().join(&cell.model), &arguments);
        eprintln!("{} {} {}: {effort:?}", cell.table, cell.row, cell.column);
        effort
    });
    let searches: Vec<(&Cell, &Result<Effort>)> = cells.iter().copied().zip(&done).collect();
    let mut page = format!(
        "# The tables of bench/{name}

`cargo xtask directed --tables {name}` measured this; `bench/{name}/runs.csv` has model and options of every search. The paper's numbers are
in parentheses: *s* states stored, *e* expanded, *t* transitions, *l* length of the trail, *r* range of the heuristic. A dash is a search that found nothing within its
limits; it keeps its counts.
"
    );
    for title in distinct(cells.iter().map(|cell| &*cell.table)) {
        let here: Vec<_> = searches.iter().copied().filter(|(cell, _)| cell.table == title).collect();
        page.push_str(&format!("\n## Table {title}\n\n{}", table(&here)));
    }
    let refusals = searches.iter().filter_map(|(cell, result)| Some((cell, result.as_ref().err()?)));
    let refusals: Vec<String> =
        refusals.map(|(cell, why)| format!("* table {}, {}, {}: {why}\n", cell.table, cell.row, cell.column)).collect();
    if !refusals.is_empty() {
        page.push_str(&format!("\n## Refused\n\n{}", refusals.concat()));
    }
    Ok((page, refusals.is_empty()))
}

fn read(file: &Path) -> Result<Vec<Cell>> {
    let failed = |e: csv::Error| format!("{}: {e}", file.display());
    csv::Reader::from_path(file).map_err(failed)?.deserialize().collect::<std::result::Result<_, _>>().map_err(failed)
}

/// One table: for each row of the paper and each quantity a line, for each column a cell.
fn table(searches: &[(&Cell, &Result<Effort>)]) -> String {
    let columns = distinct(searches.iter().map(|(cell, _)| &*cell.column));
    let mut lines = Vec::new();
    for row in distinct(searches.iter().map(|(cell, _)| &*cell.row)) {
        let has_range = searches.iter().any(|(cell, _)| cell.row == row && !cell.r.is_empty());
        for quantity in QUANTITIES.into_iter().filter(|quantity| *quantity != 'r' || has_range) {
            let of_column = |column: &&str| {
                let search = searches.iter().find(|(cell, _)| cell.row == row && cell.column == **column);
                search.map_or(String::new(), |(cell, effort)| beside(cell, effort, quantity))
            };
            lines.push([format!("{row} {quantity}")].into_iter().chain(columns.iter().map(of_column)).collect());
        }
    }
    let head: Vec<&str> = [""].into_iter().chain(columns).collect();
    markdown_table(&head, &lines, Align::Right)
}

/// Our number, and the paper's in parentheses.
fn beside(cell: &Cell, effort: &Result<Effort>, quantity: char) -> String {
    let ours = match (effort, quantity) {
        (Err(_), _) => "refused".to_owned(),
        (Ok(effort), 's') => effort.stored.to_string(),
        (Ok(effort), 'e') => effort.expanded.to_string(),
        (Ok(effort), 't') => effort.transitions.to_string(),
        (Ok(effort), 'l') => effort.length.map_or("–".to_owned(), |length| length.to_string()),
        (Ok(effort), _) => effort.range.map_or("–".to_owned(), |(least, greatest)| format!("{least}..{greatest}")),
    };
    match cell.theirs(quantity) {
        "" => ours,
        theirs => format!("{ours} ({theirs})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_models_of_the_tables_exist() {
        let cells = read(&repository::root().join("bench/hsf-spin/runs.csv")).unwrap();
        assert!(cells.len() >= 40, "{}", cells.len());
        for cell in &cells {
            assert!(repository::root().join(&cell.model).is_file(), "{}", cell.model.display());
        }
    }

    #[test]
    fn our_numbers_stand_before_those_of_the_paper() {
        let text = "table,row,column,model,arguments,s,e,t,l,r
7,p = 2,A*,m.pml,-D N=2,6,4,4,10,0..2
7,p = 2,DFS,m.pml,-D N=2,,,,,
";
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let cells: Vec<Cell> = reader.deserialize().collect::<std::result::Result<_, _>>().unwrap();
        let found: Result<Effort> =
            Ok(Effort { stored: 6, expanded: 5, length: Some(12), range: Some((0, 3)), ..Effort::NONE });
        let none: Result<Effort> = Ok(Effort { stored: 9, ..Effort::NONE });
        let table = table(&[(&cells[0], &found), (&cells[1], &none)]);
        assert!(table.starts_with("|  | A* | DFS |"), "{table}");
        assert!(table.contains("| p = 2 r | 0..3 (0..2) | – |"), "{table}");
        assert!(table.contains("| p = 2 s | 6 (6) | 9 |") && table.contains("| p = 2 l | 12 (10) | – |"), "{table}");
    }
}
