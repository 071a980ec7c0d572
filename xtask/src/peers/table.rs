//! Aligned columns.

/// Rows of text under a head, each column as wide as it needs to be.
pub fn render(head: &[&str], rows: &[Vec<String>]) -> String {
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

#[cfg(test)]
mod tests {
    #[test]
    fn columns_are_aligned_and_lines_not_padded() {
        let table = super::render(&["a", "long head"], &[vec!["wide cell".into(), "x".into()]]);
        assert_eq!(table, "a          long head\n---------  ---------\nwide cell  x\n");
    }
}
