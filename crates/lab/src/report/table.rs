//! Tables as Markdown and as aligned text.

/// The alignment of the columns of a Markdown table after the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// To the left.
    Left,
    /// To the right.
    Right,
}

/// A Markdown table.
pub fn markdown_table<H: AsRef<str>>(head: &[H], rows: &[Vec<String>], align: Align) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let rule = |column: usize| if column == 0 || align == Align::Left { "---" } else { "---:" };
    let escaped = |cell: &str| cell.replace('|', "\\|");
    let mut out = line(head.iter().map(|cell| escaped(cell.as_ref())).collect());
    out.push_str(&line((0..head.len()).map(|column| rule(column).to_owned()).collect()));
    rows.iter().for_each(|row| out.push_str(&line(row.iter().map(|cell| escaped(cell)).collect())));
    out
}

/// A table for a terminal: each column is as wide as its widest cell.
pub fn aligned_table(head: &[&str], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([head[column].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let line = |cells: &[String]| {
        let padded: Vec<String> = cells.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        padded.join("  ").trim_end().to_owned() + "\n"
    };
    let rule: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
    let head: Vec<String> = head.iter().map(|cell| (*cell).to_owned()).collect();
    line(&head) + &line(&rule) + &rows.iter().map(|row| line(row)).collect::<String>()
}

/// The distinct items, in the order in which they first occur.
pub fn distinct<T: PartialEq>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut found = Vec::new();
    for item in items {
        if !found.contains(&item) {
            found.push(item);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_and_lines_not_padded() {
        let table = aligned_table(&["a", "long head"], &[vec!["wide cell".into(), "x".into()]]);
        assert_eq!(table, "a          long head\n---------  ---------\nwide cell  x\n");
    }

    #[test]
    fn numbers_are_aligned_to_the_right_and_bars_escaped() {
        let table = markdown_table(&["a", "b"], &[vec!["x|y".into(), "1".into()]], Align::Right);
        assert_eq!(table, "| a | b |\n| --- | ---: |\n| x\\|y | 1 |\n");
    }
}
