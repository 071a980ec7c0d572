//! Rendering of diagnostics, for all spans.

use lurcher_syntax::{Diagnostic, FileId, SourceMap, Span, render};

fn shown(text: &str, start: u32, end: u32) -> String {
    let mut sources = SourceMap::new();
    let file = sources.add("m.pml", text);
    render(&sources, &[Diagnostic::error(Span::new(file, start, end), "wrong")], false)
}

#[test]
fn a_tab_widens_the_line_and_its_caret_alike() {
    let expected = "\
error: wrong
  ┌─ m.pml:1:2
  │
1 │         x = 1
  │         ^

";
    assert_eq!(shown("\tx = 1\n", 1, 2), expected);
}

#[test]
fn columns_count_characters_not_bytes() {
    let expected = "\
error: wrong
  ┌─ m.pml:1:8
  │
1 │ /* é */ x
  │        ^

";
    assert_eq!(shown("/* é */ x", 8, 9), expected);
}

#[test]
fn the_end_of_a_file_has_a_place() {
    let expected = "\
error: wrong
  ┌─ m.pml:1:7
  │
1 │ init {
  │       ^

";
    assert_eq!(shown("init {", 6, 6), expected);
    assert!(shown("init {\n", 7, 7).contains("m.pml:2:1"));
    assert!(shown("", 0, 0).contains("m.pml:1:1"));
}

#[test]
fn a_span_of_several_lines_is_shown_at_its_first() {
    let text = shown("if\n:: x\nfi", 0, 10);
    assert!(text.contains("1 │ if") && !text.contains(":: x"), "{text}");
}

#[test]
fn long_lines_are_cut_around_the_caret_and_keep_their_column() {
    let text = format!("{}x{}", "a".repeat(5000), "b".repeat(5000));
    let shown = shown(&text, 5000, 5001);
    assert!(shown.contains("m.pml:1:5001"), "{shown}");
    let line = shown.lines().find(|l| l.contains('x')).expect("the line is shown");
    assert!(line.chars().count() < 200 && line.contains('…'), "{line}");
    let caret = shown.lines().find(|l| l.contains('^')).expect("the caret is shown");
    let column = |l: &str, c: char| l.chars().position(|x| x == c);
    assert_eq!(column(line, 'x'), column(caret, '^'), "{shown}");
}

#[test]
fn control_characters_do_not_reach_the_terminal() {
    let mut sources = SourceMap::new();
    let file = sources.add("m.pml", "x \u{1b}[2J\u{0} y \u{202e}z");
    let text = render(&sources, &[Diagnostic::error(Span::new(file, 0, 1), "found `\u{1b}[2J`")], false);
    assert!(!text.contains(['\u{1b}', '\0', '\u{202e}']), "{text:?}");
}

#[test]
fn a_span_in_no_file_leaves_the_message() {
    let sources = SourceMap::new();
    let text = render(&sources, &[Diagnostic::error(Span::new(FileId(7), 1, 2), "wrong")], false);
    assert_eq!(text, "error: wrong\n\n");
}

#[test]
fn every_pair_of_spans_of_an_awkward_text_is_rendered() {
    let mut sources = SourceMap::new();
    let text = "é\t\r\n\nx漢\u{0}\r\n\u{7f}e\u{301}\nlast";
    let file = sources.add("m.pml", text);
    let other = sources.add("n.pml", "");
    let end = text.len() as u32 + 3;
    for start in 0..end {
        for stop in 0..end {
            for second in [Span::new(file, stop, start), Span::new(other, start, stop), Span::new(FileId(9), 0, 0)] {
                let diagnostic =
                    Diagnostic::warning(Span::new(file, start, stop), "wrong").at("here").also(second, "there");
                for colour in [false, true] {
                    let shown = render(&sources, std::slice::from_ref(&diagnostic), colour);
                    assert!(shown.contains("wrong") && shown.contains("here"), "{shown}");
                }
            }
        }
    }
}
