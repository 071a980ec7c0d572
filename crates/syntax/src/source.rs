//! Source files and spans.

use std::sync::Arc;

/// The name of files that hold formulas of the command line.
pub const FORMULA_FILE: &str = "<command line>";

/// Names a file of a [`SourceMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct FileId(pub u32);

/// A range of bytes in one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The range `start..end` of `file`.
    pub fn new(file: FileId, start: u32, end: u32) -> Self {
        Span { file, start, end }
    }

    /// From the start of `self` to the end of `other`; `self` alone where they lie in different files.
    pub fn to(self, other: Span) -> Span {
        if self.file == other.file && other.end >= self.start {
            Span { end: other.end.max(self.end), ..self }
        } else {
            self
        }
    }
}

/// A source file.
#[derive(Debug)]
pub struct SourceFile {
    name: String,
    text: Arc<str>,
    line_starts: Vec<u32>,
}

impl SourceFile {
    /// The name of the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// The line of a byte, counted from one; the last line for bytes past the end.
    pub fn line_at(&self, byte: u32) -> u32 {
        self.line_starts.partition_point(|&start| start <= byte) as u32
    }

    /// The first byte of a line (counted from one), and its text without the line end. Empty past the last line.
    pub fn line_text(&self, line: u32) -> (u32, &str) {
        let index = (line as usize).saturating_sub(1);
        let end = self.text.len();
        let start = self.line_starts.get(index).map_or(end, |&s| s as usize);
        let next = self.line_starts.get(index + 1).map_or(end, |&s| s as usize);
        let text = self.text[start..next].trim_end_matches('\n').trim_end_matches('\r');
        (start as u32, text)
    }
}

/// The files of one model.
#[derive(Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    /// A map with no files.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file and names it.
    ///
    /// # Panics
    /// If the file has 4 GiB or more: spans are 32 bits wide.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<Arc<str>>) -> FileId {
        let text: Arc<str> = text.into();
        assert!(u32::try_from(text.len()).is_ok(), "source file of 4 GiB or more");
        let mut line_starts = vec![0];
        line_starts.extend(text.bytes().enumerate().filter(|&(_, b)| b == b'\n').map(|(i, _)| i as u32 + 1));
        self.files.push(SourceFile { name: name.into(), text, line_starts });
        FileId(self.files.len() as u32 - 1)
    }

    /// The file of an id.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// The file of an id, if there is one.
    pub fn get(&self, id: FileId) -> Option<&SourceFile> {
        self.files.get(id.0 as usize)
    }

    /// All files with their ids.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(i, f)| (FileId(i as u32), f))
    }

    /// The text of a span.
    pub fn text(&self, span: Span) -> &str {
        let text = &self.file(span.file).text;
        text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// The text of a span with one space for each run of white space.
    pub fn text_on_one_line(&self, span: Span) -> String {
        self.text(span).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Line and column of a byte, both counted from one; columns count characters.
    pub fn line_column(&self, file: FileId, byte: u32) -> (u32, u32) {
        let f = self.file(file);
        let line = f.line_at(byte);
        let start = f.line_starts[line as usize - 1] as usize;
        let end = (byte as usize).clamp(start, f.text.len());
        let column = f.text.get(start..end).map_or(end - start, |s| s.chars().count());
        (line, column as u32 + 1)
    }

    /// The first line of a span, counted from one.
    pub fn line(&self, span: Span) -> u32 {
        self.file(span.file).line_at(span.start)
    }

    /// As [`SourceMap::place`], without the directories.
    pub fn short_place(&self, span: Span) -> String {
        let name = self.file(span.file).name.rsplit(['/', '\\']).next().unwrap_or("");
        format!("{name}:{}", self.line(span))
    }

    /// `file:line` of a span.
    pub fn place(&self, span: Span) -> String {
        format!("{}:{}", self.file(span.file).name, self.line(span))
    }
}
