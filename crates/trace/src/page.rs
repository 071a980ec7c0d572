//! Lines of limited width.

use unicode_width::UnicodeWidthChar;

/// What a text is written on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// Columns of a line; none for lines of any length.
    pub width: Option<usize>,
    /// The most steps of a trace; those in the middle are left out.
    pub steps: Option<usize>,
}

/// The fewest columns for text, however narrow the page is.
const NARROWEST: usize = 8;

/// The characters of a text with the columns that each takes; colour codes take none.
fn measured(text: &str) -> impl Iterator<Item = (char, usize)> {
    let mut in_code = false;
    text.chars().map(move |c| {
        in_code |= c == '\x1b';
        // In ASCII an arrow takes two columns.
        let wide = if c == '→' { 2 } else { c.width().unwrap_or(0) };
        let wide = if in_code { 0 } else { wide };
        in_code &= c != 'm';
        (c, wide)
    })
}

/// The columns that a text takes; colour codes take none.
pub fn columns(text: &str) -> usize {
    measured(text).map(|(_, wide)| wide).sum()
}

/// Appends pieces, separated by spaces, in lines of at most `width` columns. The first line begins with `first`, the
/// others begin with `rest`. A piece that fits on no line is cut.
pub fn fill<'p>(
    out: &mut String,
    first: &str,
    rest: &str,
    pieces: impl IntoIterator<Item = &'p str>,
    width: Option<usize>,
) {
    let room = |prefix: &str| width.map_or(usize::MAX, |w| w.saturating_sub(columns(prefix)).max(NARROWEST));
    let (mut line, mut used, mut left) = (first.to_owned(), 0, room(first));
    let mut end_line = |line: &mut String| {
        out.push_str(line.trim_end());
        out.push('\n');
        rest.clone_into(line);
    };
    for piece in pieces {
        let wide = columns(piece);
        if used > 0 && used + 1 + wide > left {
            end_line(&mut line);
            (used, left) = (0, room(rest));
        } else if used > 0 {
            line.push(' ');
            used += 1;
        }
        if used + wide <= left {
            line.push_str(piece);
            used += wide;
            continue;
        }
        for (c, wide) in measured(piece) {
            if used > 0 && used + wide > left {
                end_line(&mut line);
                (used, left) = (0, room(rest));
            }
            line.push(c);
            used += wide;
        }
    }
    end_line(&mut line);
}

/// Appends a text in lines, broken at spaces. Spaces at its start stay.
pub fn wrap(out: &mut String, first: &str, rest: &str, text: &str, width: Option<usize>) {
    let body = text.trim_start_matches(' ');
    let first = format!("{first}{}", &text[..text.len() - body.len()]);
    fill(out, &first, rest, body.split(' '), width);
}

/// Appends a list in lines, broken at commas where that is possible.
pub fn list(out: &mut String, first: &str, rest: &str, parts: &[String], width: Option<usize>) {
    let commas: Vec<String> = parts.iter().map(|part| format!("{part},")).collect();
    let last = parts.len().saturating_sub(1);
    let pieces = commas.iter().enumerate().map(|(i, part)| if i == last { parts[i].as_str() } else { part });
    // A part that is wider than a line is broken at its spaces.
    let room = width.map_or(usize::MAX, |w| w.saturating_sub(columns(rest)));
    let pieces = pieces.flat_map(|part| match columns(part) > room {
        true => part.split(' ').collect(),
        false => vec![part],
    });
    fill(out, first, rest, pieces, width);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrapped(text: &str, width: usize) -> String {
        let mut out = String::new();
        wrap(&mut out, "1 ", "  ", text, Some(width));
        out
    }

    #[test]
    fn lines_are_broken_at_spaces_and_long_words_anywhere() {
        assert_eq!(wrapped("one two three", 10), "1 one two\n  three\n");
        assert_eq!(wrapped("abcdefghijklm", 10), "1 abcdefgh\n  ijklm\n");
        assert_eq!(wrapped("x abcdefghijklmnop", 10), "1 x\n  abcdefgh\n  ijklmnop\n");
        assert_eq!(wrapped("", 10), "1\n");
        assert_eq!(wrapped("  x y", 10), "1   x y\n");
        // A page of no width still makes progress.
        assert_eq!(wrapped("abcdefghij", 0), "1 abcdefgh\n  ij\n");
    }

    #[test]
    fn lists_are_broken_at_commas() {
        let mut out = String::new();
        list(&mut out, "", "  ", &["a = 1".to_owned(), "b = 2".to_owned(), "c = [1; 2; 3]".to_owned()], Some(14));
        assert_eq!(out, "a = 1, b = 2,\n  c = [1; 2;\n  3]\n");
    }

    #[test]
    fn wide_characters_count_twice() {
        assert_eq!(wrapped("日本語日本語", 10), "1 日本語日\n  本語\n");
    }
}
