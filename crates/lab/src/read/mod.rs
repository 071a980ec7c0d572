//! Reading an experiment's file.
//!
//! Everything that can be said about a trial may stand at the top of the file, where it holds for every series, or in
//! a `[[series]]`, where it wins. Whatever takes one value takes a list too; lists are crossed. All errors are
//! collected, each with its place.

mod choices;
mod comparison;
mod depth;
mod seeds;
mod study;
mod value;

use std::path::Path;

use crate::report::Axes;
use lurcher_syntax::{Diagnostic, FileId, SourceMap, Span, did_you_mean};
use toml::Spanned;
use toml::de::DeTable;

use crate::spec::{Choices, Experiment, Head, Metric, Plot, Reference, Series, Table};

pub use depth::depth;
pub use study::Study;
use value::{Value, sorted};

/// The contents of a file.
#[derive(Debug)]
pub struct Read {
    /// The file, for messages.
    pub sources: SourceMap,
    /// Trials; none when there are errors.
    pub experiment: Option<Experiment>,
    /// A study instead of trials; none when there are errors.
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

/// The quantities that have a table where the file does not say.
const USUAL: [Metric; 6] =
    [Metric::Walks, Metric::Steps, Metric::Time, Metric::Found, Metric::Reported, Metric::Memory];

impl Reader {
    fn place(&self, range: std::ops::Range<usize>) -> Span {
        Span::new(self.file, range.start as u32, range.end as u32)
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.failed = true;
        self.diagnostics.push(Diagnostic::error(span, message));
    }

    /// Records an error at the place of a key or value.
    fn wrong<T>(&mut self, at: &Spanned<T>, message: impl Into<String>) {
        self.error(self.place(at.span()), message);
    }

    fn warning(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::warning(span, message));
    }

    fn experiment(&mut self, path: &Path, table: &DeTable<'_>) -> Option<Experiment> {
        let mut usual = Series {
            name: String::new(),
            title: String::new(),
            size: None,
            show: USUAL.map(Table::Mean).to_vec(),
            plots: Vec::new(),
            log: Axes::Linear,
            references: Vec::new(),
            choices: Choices::usual(),
            span: self.place(0..0),
        };
        let mut head = Head::new(path);
        let (mut listed, mut comparisons) = (None, Vec::new());
        for (key, value) in sorted(table) {
            match key.get_ref().as_ref() {
                "series" => listed = Some(value),
                "compare" => comparisons = self.comparisons(value),
                "title" => head.title = self.text(value).unwrap_or(head.title),
                "about" => head.about = self.text(value).unwrap_or(head.about),
                "name" | "reference" => self.wrong(key, format!("`{}` belongs into a [[series]]", key.get_ref())),
                _ => self.entry(&mut usual, key, value, &["about", "series", "compare"]),
            }
        }
        let Some(listed) = listed else {
            self.error(self.place(0..0), "there is no [[series]], so there is nothing to run");
            return None;
        };
        let mut series: Vec<Series> = Vec::new();
        if listed.get_ref().as_array().is_none() {
            self.wrong(listed, "this must be a list of tables, written [[series]]");
        }
        for one in listed.get_ref().as_array().into_iter().flatten() {
            let read = self.series(&usual, one, series.len());
            if series.iter().any(|s| s.name == read.name) {
                self.error(read.span, format!("there is more than one series `{}`", read.name));
            }
            series.push(read);
        }
        Some(Experiment { head, series, comparisons })
    }

    fn series(&mut self, usual: &Series, value: &Value<'_>, number: usize) -> Series {
        let span = self.place(value.span());
        let mut series = Series { span, name: format!("series-{}", number + 1), ..usual.clone() };
        let Some(table) = self.table(value, "a series is a table") else { return series };
        for (key, value) in sorted(table) {
            self.entry(&mut series, key, value, &[]);
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

    /// One key of a series, or of the top of the file, where there are `others` too.
    fn entry(
        &mut self,
        series: &mut Series,
        key: &Spanned<std::borrow::Cow<'_, str>>,
        value: &Value<'_>,
        others: &[&'static str],
    ) {
        match key.get_ref().as_ref() {
            "name" => series.name = self.file_name(value).unwrap_or_default(),
            "title" => series.title = self.text(value).unwrap_or_default(),
            "size" => series.size = self.text(value),
            "show" => series.show = self.many(value, Reader::shown),
            "plots" => series.plots = self.many(value, Reader::plot),
            "log" => {
                let axes = [("none", Axes::Linear), ("y", Axes::LogY), ("xy", Axes::LogXY)];
                series.log = self.word(value, "choice of logarithmic axes", &axes).unwrap_or(Axes::Linear);
            }
            "reference" => series.references = self.many(value, Reader::reference),
            name => {
                if !self.choice(&mut series.choices, name, value) {
                    let mut known: Vec<&str> = OF_SERIES.into_iter().chain(choices::keys()).collect();
                    known.extend(others);
                    known.sort_unstable();
                    known.dedup();
                    let near = did_you_mean(name, known.iter().copied());
                    self.wrong(key, format!("there is no setting `{name}`; there are {}{near}", known.join(", ")));
                }
            }
        }
    }

    /// A name that files are named after.
    fn file_name(&mut self, value: &Value<'_>) -> Option<String> {
        let name = self.text(value)?;
        let is_allowed = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if name.is_empty() || !name.chars().all(is_allowed) {
            self.wrong(value, "a name has letters, digits, `-` and `_`, for it names files");
        }
        Some(name)
    }

    fn shown(&mut self, value: &Value<'_>) -> Option<Table> {
        let mut known: Vec<(&str, Table)> = Metric::all().map(|m| (m.name(), Table::Mean(m))).collect();
        known.extend([("effort", Table::Effort), ("normalised", Table::Normalised)]);
        self.word(value, "quantity", &known)
    }

    fn metric(&mut self, value: &Value<'_>) -> Option<Metric> {
        self.word(value, "quantity", &Metric::all().map(|m| (m.name(), m)).collect::<Vec<_>>())
    }

    fn plot(&mut self, value: &Value<'_>) -> Option<Plot> {
        let mut known: Vec<(&str, Plot)> = Metric::all().map(|m| (m.name(), Plot::Mean(m))).collect();
        known.push(("times", Plot::Times));
        self.word(value, "plot", &known)
    }

    fn reference(&mut self, value: &Value<'_>) -> Option<Reference> {
        let table = self.table(value, "a reference is a table with `name`, `quantity` and `values`")?;
        let (mut name, mut metric, mut values) = (None, None, Vec::new());
        for (key, value) in sorted(table) {
            match key.get_ref().as_ref() {
                "name" => name = self.text(value),
                "quantity" => metric = self.metric(value),
                "values" => values = self.numbers_by_size(value),
                other => self.wrong(key, format!("a reference has no `{other}`; it has name, quantity and values")),
            }
        }
        let (Some(name), Some(metric)) = (name, metric) else {
            self.wrong(value, "a reference needs `name` and `quantity`");
            return None;
        };
        Some(Reference { name, metric, values })
    }

    fn numbers_by_size(&mut self, value: &Value<'_>) -> Vec<(String, f64)> {
        let table = self.table(value, "these must be numbers by size: { 10 = 1.5, 20 = 3.0 }");
        let entries = table.map(sorted).unwrap_or_default().into_iter();
        entries.filter_map(|(size, number)| Some((size.get_ref().to_string(), self.float(number)?))).collect()
    }
}
