//! Reading an experiment's file.
//!
//! Everything that can be said about a trial may stand at the top of the file, where it holds for every series, or in
//! a `[[series]]`, where it wins. Whatever takes one value takes a list too; lists are crossed. All errors are
//! collected, each with its place.

mod choices;
mod depth;
mod seeds;
mod study;
mod value;

use std::path::Path;

use crate::report::Axes;
use lurcher_syntax::{Diagnostic, FileId, SourceMap, Span};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::spec::{Choices, Experiment, Metric, Plot, Reference, Series};

pub use depth::depth;
pub use study::Study;
use value::sorted;

/// What a file came to.
#[derive(Debug)]
pub struct Read {
    /// The file, for messages.
    pub sources: SourceMap,
    /// The trials it asks for; nothing when there are errors.
    pub experiment: Option<Experiment>,
    /// What it asks for instead of trials.
    pub study: Option<Study>,
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads an experiment from text; `path` is what messages call it, and models are named relative to its folder.
pub fn read(path: &Path, text: &str) -> Read {
    let mut sources = SourceMap::new();
    let file = sources.add(path.display().to_string(), text);
    let mut reader = Reader { file, diagnostics: Vec::new(), failed: false };
    let (table, errors) = DeTable::parse_recoverable(text);
    for error in &errors {
        let span = error.span().unwrap_or(0..0);
        let message = error.message().lines().collect::<Vec<_>>().join(", ");
        reader.error(reader.place(span), message);
    }
    let table = table.get_ref();
    let (mut experiment, mut study) = (None, None);
    if errors.is_empty() && study::is_study(table) {
        study = reader.study(path, table);
    } else if errors.is_empty() {
        experiment = reader.experiment(path, table);
    }
    let Reader { diagnostics, failed, .. } = reader;
    Read { sources, experiment: experiment.filter(|_| !failed), study: study.filter(|_| !failed), diagnostics }
}

/// Reads values and collects what is wrong with them.
pub(crate) struct Reader {
    file: FileId,
    diagnostics: Vec<Diagnostic>,
    failed: bool,
}

/// What belongs to a series and not to its trials.
const OF_SERIES: [&str; 7] = ["name", "title", "size", "show", "plots", "log", "reference"];

impl Reader {
    fn place(&self, range: std::ops::Range<usize>) -> Span {
        Span::new(self.file, range.start as u32, range.end as u32)
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.failed = true;
        self.diagnostics.push(Diagnostic::error(span, message));
    }

    fn warning(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::warning(span, message));
    }

    fn experiment(&mut self, path: &Path, table: &DeTable<'_>) -> Option<Experiment> {
        let mut usual = Series {
            name: String::new(),
            title: String::new(),
            size: None,
            show: vec![Metric::Walks, Metric::Steps, Metric::Time, Metric::Found, Metric::Reported, Metric::Memory],
            plots: Vec::new(),
            log: Axes::Linear,
            references: Vec::new(),
            choices: Choices::usual(),
            span: self.place(0..0),
        };
        let mut about = String::new();
        let mut title = path.file_stem().map_or(String::new(), |s| s.to_string_lossy().into_owned());
        let mut listed = None;
        for (key, value) in sorted(table) {
            match key.get_ref().as_ref() {
                "series" => listed = Some(value),
                "title" => title = self.text(value).unwrap_or(title),
                "about" => about = self.text(value).unwrap_or(about),
                "name" | "reference" => {
                    let message = format!("`{}` belongs into a [[series]]", key.get_ref());
                    self.error(self.place(key.span()), message);
                }
                _ => self.entry(&mut usual, key, value),
            }
        }
        let Some(listed) = listed else {
            self.error(self.place(0..0), "there is no [[series]], so there is nothing to run");
            return None;
        };
        let mut series: Vec<Series> = Vec::new();
        for one in self.tables(listed) {
            let read = self.series(&usual, one, series.len());
            if series.iter().any(|s| s.name == read.name) {
                self.error(read.span, format!("there is more than one series `{}`", read.name));
            }
            series.push(read);
        }
        let folder = path.parent().map(Path::to_owned).unwrap_or_default();
        Some(Experiment { title, about, folder, series })
    }

    /// The tables of a list of tables.
    fn tables<'v, 'i>(&mut self, value: &'v Spanned<DeValue<'i>>) -> Vec<&'v Spanned<DeValue<'i>>> {
        let Some(list) = value.get_ref().as_array() else {
            self.error(self.place(value.span()), "this must be a list of tables, written [[series]]");
            return Vec::new();
        };
        list.iter().collect()
    }

    fn series(&mut self, usual: &Series, value: &Spanned<DeValue<'_>>, number: usize) -> Series {
        let span = self.place(value.span());
        let mut series = Series { span, name: format!("series-{}", number + 1), ..usual.clone() };
        let Some(table) = value.get_ref().as_table() else {
            self.error(span, "a series is a table");
            return series;
        };
        for (key, value) in sorted(table) {
            self.entry(&mut series, key, value);
        }
        if series.title.is_empty() {
            series.title.clone_from(&series.name);
        }
        if series.choices.models.is_empty() {
            self.error(span, format!("the series `{}` has no `model`", series.name));
        }
        if let Some(size) = series.size.clone()
            && !series.choices.defines.iter().any(|(name, _)| *name == size)
        {
            self.error(span, format!("the size of `{}` is `{size}`, which `define` does not name", series.name));
        }
        series
    }

    /// One key of a series, or of the top of the file.
    fn entry(&mut self, series: &mut Series, key: &Spanned<std::borrow::Cow<'_, str>>, value: &Spanned<DeValue<'_>>) {
        match key.get_ref().as_ref() {
            "name" => {
                if let Some(name) = self.text(value) {
                    let ok = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
                    if name.is_empty() || !name.chars().all(ok) {
                        self.error(
                            self.place(value.span()),
                            "a name has letters, digits, `-` and `_`, for it names files",
                        );
                    }
                    series.name = name;
                }
            }
            "title" => series.title = self.text(value).unwrap_or_default(),
            "size" => series.size = self.text(value),
            "show" => series.show = self.many(value, Reader::metric),
            "plots" => series.plots = self.many(value, Reader::plot),
            "log" => {
                let axes = [("none", Axes::Linear), ("y", Axes::LogY), ("xy", Axes::LogXY)];
                series.log = self.word(value, "choice of logarithmic axes", &axes).unwrap_or(Axes::Linear);
            }
            "reference" => series.references = self.many(value, Reader::reference),
            name => {
                if !self.choice(&mut series.choices, name, value) {
                    let mut known = [&OF_SERIES[..], &choices::KEYS[..]].concat();
                    known.sort_unstable();
                    let message = format!("there is no setting `{name}`; there are {}", known.join(", "));
                    self.error(self.place(key.span()), message);
                }
            }
        }
    }

    fn metric(&mut self, value: &Spanned<DeValue<'_>>) -> Option<Metric> {
        self.word(value, "quantity", &Metric::all().map(|m| (m.name(), m)).collect::<Vec<_>>())
    }

    fn plot(&mut self, value: &Spanned<DeValue<'_>>) -> Option<Plot> {
        let mut known: Vec<(&str, Plot)> = Metric::all().map(|m| (m.name(), Plot::Mean(m))).collect();
        known.push(("times", Plot::Times));
        self.word(value, "plot", &known)
    }

    fn reference(&mut self, value: &Spanned<DeValue<'_>>) -> Option<Reference> {
        let span = self.place(value.span());
        let Some(table) = value.get_ref().as_table() else {
            self.error(span, "a reference is a table with `name`, `quantity` and `values`");
            return None;
        };
        let (mut name, mut metric, mut values) = (None, None, Vec::new());
        for (key, value) in sorted(table) {
            match key.get_ref().as_ref() {
                "name" => name = self.text(value),
                "quantity" => metric = self.metric(value),
                "values" => values = self.numbers_by_size(value),
                other => {
                    let message = format!("a reference has no `{other}`; it has name, quantity and values");
                    self.error(self.place(key.span()), message);
                }
            }
        }
        let (Some(name), Some(metric)) = (name, metric) else {
            self.error(span, "a reference needs `name` and `quantity`");
            return None;
        };
        Some(Reference { name, metric, values })
    }

    fn numbers_by_size(&mut self, value: &Spanned<DeValue<'_>>) -> Vec<(String, f64)> {
        let Some(table) = value.get_ref().as_table() else {
            self.error(self.place(value.span()), "these must be numbers by size: { 10 = 1.5, 20 = 3.0 }");
            return Vec::new();
        };
        let mut values = Vec::new();
        for (size, number) in sorted(table) {
            if let Some(number) = self.float(number) {
                values.push((size.get_ref().to_string(), number));
            }
        }
        values
    }
}
