//! The printable source lines of a diagnostic.
//!
//! `codespan-reporting` expects whole files and valid ranges. It gets an excerpt instead: only the lines with a label, long
//! lines cut around it, control characters replaced, and every range clamped to its line.

use std::collections::BTreeMap;
use std::ops::Range;

use codespan_reporting::files::{Error, Files};

use crate::{FileId, SourceFile, SourceMap, Span};

/// The most characters of a line.
const WIDTH: usize = 160;
/// The most of them before the label.
const LEAD: usize = 60;

/// The excerpts of the files of one diagnostic.
#[derive(Default)]
pub(crate) struct Excerpts<'s> {
    files: BTreeMap<FileId, Excerpt<'s>>,
}

/// The excerpt of one file.
struct Excerpt<'s> {
    source: &'s SourceFile,
    text: String,
    lines: BTreeMap<usize, Line>,
}

/// One line of an excerpt.
struct Line {
    /// Its range in the text of the excerpt.
    range: Range<usize>,
    /// The first byte of the shown part in the file.
    shown_from: u32,
    /// The size of the ellipsis before the shown part.
    mark: usize,
}

impl<'s> Excerpts<'s> {
    /// The excerpts for some spans, and the range of each span in its excerpt; `None` for a span in no file.
    pub(crate) fn new(sources: &'s SourceMap, spans: impl Iterator<Item = Span>) -> (Self, Vec<Option<Range<usize>>>) {
        let mut excerpts = Excerpts::default();
        let spans: Vec<Span> = spans.collect();
        for &span in &spans {
            if let Some(source) = sources.get(span.file) {
                let empty = || Excerpt { source, text: String::new(), lines: BTreeMap::new() };
                let excerpt = excerpts.files.entry(span.file).or_insert_with(empty);
                excerpt.add_line(source.line_at(span.start) as usize - 1, Some(span.start));
            }
        }
        // A single line between two labels is shown as well.
        for excerpt in excerpts.files.values_mut() {
            for index in excerpt.lines.keys().map(|index| index + 1).collect::<Vec<_>>() {
                excerpt.add_line(index, None);
            }
        }
        let ranges = spans.iter().map(|span| Some(excerpts.files.get(&span.file)?.locate(*span))).collect();
        (excerpts, ranges)
    }

    fn file(&self, id: FileId) -> Result<&Excerpt<'s>, Error> {
        self.files.get(&id).ok_or(Error::FileMissing)
    }
}

impl Excerpt<'_> {
    /// Adds a line, cut around the first label.
    fn add_line(&mut self, index: usize, label: Option<u32>) {
        let Excerpt { source, text, lines } = self;
        lines.entry(index).or_insert_with(|| cut(source, text, index, label));
    }

    /// The range in the excerpt of the part of a span on its first line.
    fn locate(&self, span: Span) -> Range<usize> {
        let index = self.source.line_at(span.start) as usize - 1;
        let Some(line) = self.lines.get(&index) else { return 0..0 };
        let place = |byte: u32| {
            let at = line.range.start + line.mark + byte.saturating_sub(line.shown_from) as usize;
            let at = at.min(line.range.end);
            (0..=at).rev().find(|&i| self.text.is_char_boundary(i)).unwrap_or(0)
        };
        let start = place(span.start);
        start..place(span.end).max(start)
    }
}

/// Appends the printable part of a line to `text`.
fn cut(source: &SourceFile, text: &mut String, index: usize, label: Option<u32>) -> Line {
    let (start, line) = source.line_text(index as u32 + 1);
    let label = (label.unwrap_or(start).saturating_sub(start) as usize).min(line.len());
    let before = line.char_indices().map(|(i, _)| i).take_while(|&i| i < label).count();
    let skip = if line.chars().count() > WIDTH { before.saturating_sub(LEAD) } else { 0 };
    let shown_from = line.char_indices().nth(skip).map_or(line.len(), |(i, _)| i);
    let mark = if skip > 0 { "…" } else { "" };
    let begin = text.len();
    text.push_str(mark);
    let mut rest = line[shown_from..].chars();
    text.extend(rest.by_ref().take(WIDTH).map(printable));
    if rest.next().is_some() {
        text.push('…');
    }
    let range = begin..text.len();
    text.push('\n');
    Line { range, shown_from: start + shown_from as u32, mark: mark.len() }
}

/// A printable character of the same UTF-8 length.
pub(crate) fn printable(c: char) -> char {
    match c {
        '\t' => c,
        c if c.is_control() && c.len_utf8() == 1 => '?',
        c if c.is_control() => '¿',
        // Bidirectional control characters.
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' => '\u{fffd}',
        c => c,
    }
}

impl<'a> Files<'a> for Excerpts<'a> {
    type FileId = FileId;
    type Name = &'a str;
    type Source = &'a str;

    fn name(&'a self, id: FileId) -> Result<&'a str, Error> {
        Ok(self.file(id)?.source.name())
    }

    fn source(&'a self, id: FileId) -> Result<&'a str, Error> {
        Ok(&self.file(id)?.text)
    }

    fn line_index(&'a self, id: FileId, byte: usize) -> Result<usize, Error> {
        let holds = |(_, line): &(&usize, &Line)| line.range.start <= byte && byte <= line.range.end;
        let found = self.file(id)?.lines.iter().find(holds);
        found.map(|(&index, _)| index).ok_or(Error::IndexTooLarge { given: byte, max: 0 })
    }

    fn column_number(&'a self, id: FileId, line_index: usize, byte: usize) -> Result<usize, Error> {
        let file = self.file(id)?;
        let line = file.lines.get(&line_index).ok_or(Error::LineTooLarge { given: line_index, max: 0 })?;
        let shown = &file.text[line.range.start + line.mark..byte.max(line.range.start + line.mark)];
        let (start, text) = file.source.line_text(line_index as u32 + 1);
        let hidden = text.get(..(line.shown_from - start) as usize).map_or(0, |t| t.chars().count());
        Ok(hidden + shown.chars().count() + 1)
    }

    fn line_range(&'a self, id: FileId, line_index: usize) -> Result<Range<usize>, Error> {
        let lines = &self.file(id)?.lines;
        lines.get(&line_index).map(|l| l.range.clone()).ok_or(Error::LineTooLarge { given: line_index, max: 0 })
    }
}
