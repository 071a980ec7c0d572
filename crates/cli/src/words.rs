//! Numbers as people write them.

use indicatif::HumanCount;

/// A number of things: `1 walk`, `2,000 walks`, `3 processes`.
pub fn count(number: u64, thing: &str) -> String {
    match number {
        1 => format!("1 {thing}"),
        _ if thing.ends_with('s') => format!("{} {thing}es", HumanCount(number)),
        _ => format!("{} {thing}s", HumanCount(number)),
    }
}

/// A probability: with decimals while they can be read, else with an exponent.
pub fn probability(value: f64) -> String {
    if value >= 0.001 { format!("{value:.4}") } else { format!("{value:.2e}") }
}

/// The lines of a table. Columns are as wide as they need; the first `left` are aligned to the left, the others to the right.
pub fn table(rows: &[Vec<String>], left: usize) -> Vec<String> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let wide = |text: &String| text.chars().count();
    let widths: Vec<usize> =
        (0..columns).map(|i| rows.iter().filter_map(|row| row.get(i)).map(wide).max().unwrap_or(0)).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate().map(|(i, (cell, &width))| match i < left {
            true => format!("{cell:<width$}"),
            false => format!("{cell:>width$}"),
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// The lines of a table that fits a terminal, by row: its line, and where the table is too wide the cells of some columns on a
/// line below, each with the head of its column. Columns move in the order of `movable` until the table fits.
pub fn fitted(rows: &[Vec<String>], left: usize, movable: &[usize], room: Option<usize>) -> Vec<Vec<String>> {
    let narrowed = |moved: &[usize]| {
        let kept = |row: &Vec<String>| {
            let cells = row.iter().enumerate().filter(|(i, _)| !moved.contains(i));
            cells.map(|(_, cell)| cell.clone()).collect()
        };
        let rows: Vec<Vec<String>> = rows.iter().map(kept).collect();
        table(&rows, left - moved.iter().filter(|&&column| column < left).count())
    };
    let fits = |lines: &[String]| lines.iter().all(|line| room.is_none_or(|room| line.chars().count() <= room));
    let count = (0..movable.len()).find(|&count| fits(&narrowed(&movable[..count]))).unwrap_or(movable.len());
    let mut moved = movable[..count].to_vec();
    let lines = narrowed(&moved);
    moved.sort_unstable();
    let below = |number: usize| {
        let cell =
            |&column: &usize| rows[number].get(column).filter(|cell| !cell.is_empty()).map(|cell| (column, cell));
        let cells = moved.iter().filter_map(cell).map(|(column, cell)| format!("{}: {cell}", rows[0][column]));
        cells.collect::<Vec<_>>().join(", ")
    };
    let both = |(number, line): (usize, String)| {
        let below = if number == 0 { String::new() } else { below(number) };
        // Of the head, nothing may be left.
        let line = (number > 0 || !line.is_empty()).then_some(line);
        line.into_iter().chain((!below.is_empty()).then(|| format!("    {below}"))).collect()
    };
    lines.into_iter().enumerate().map(both).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thing_is_singular() {
        assert_eq!([count(1, "walk"), count(0, "walk"), count(12_345, "step")], ["1 walk", "0 walks", "12,345 steps"]);
        assert_eq!([count(1, "process"), count(2, "process")], ["1 process", "2 processes"]);
    }

    #[test]
    fn columns_are_as_wide_as_they_need() {
        let rows = [vec!["a".to_owned(), "100".to_owned()], vec!["long".to_owned(), "2".to_owned()]];
        assert_eq!(table(&rows, 1), ["a     100", "long    2"]);
    }

    #[test]
    fn columns_move_below_their_row_until_a_table_fits() {
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        let rows = [row(["name", "reason", "length"]), row(["a", "it is so", "3"]), row(["b", "", ""])];
        let lines = |room| fitted(&rows, 2, &[1, 2], room).concat();
        assert_eq!(lines(None), table(&rows, 2));
        assert_eq!(lines(Some(12)), ["name  length", "a          3", "    reason: it is so", "b"]);
        assert_eq!(lines(Some(5)), ["name", "a", "    reason: it is so, length: 3", "b"]);
    }

    #[test]
    fn probabilities_can_be_read() {
        assert_eq!([probability(0.95), probability(0.0233), probability(2.5e-7)], ["0.9500", "0.0233", "2.50e-7"]);
    }
}
