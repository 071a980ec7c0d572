//! Comparisons of techniques: `[[compare]]`.

use super::Reader;
use super::value::{Value, sorted};
use crate::spec::{Comparison, Metric};

impl Reader {
    /// All comparisons of a file.
    pub(super) fn comparisons(&mut self, value: &Value<'_>) -> Vec<Comparison> {
        let mut comparisons: Vec<Comparison> = Vec::new();
        if value.get_ref().as_array().is_none() {
            self.wrong(value, "this must be a list of tables, written [[compare]]");
        }
        for one in value.get_ref().as_array().into_iter().flatten() {
            let Some(read) = self.comparison(one, comparisons.len()) else { continue };
            if comparisons.iter().any(|known| known.name == read.name) {
                self.error(read.span, format!("there is more than one comparison `{}`", read.name));
            }
            comparisons.push(read);
        }
        comparisons
    }

    fn comparison(&mut self, value: &Value<'_>, number: usize) -> Option<Comparison> {
        let table = self.table(value, "a comparison is a table")?;
        let mut read = Comparison {
            name: format!("comparison-{}", number + 1),
            title: String::new(),
            series: None,
            first: Vec::new(),
            second: Vec::new(),
            metrics: Metric::NORMALISED.to_vec(),
            span: self.place(value.span()),
        };
        for (key, value) in sorted(table) {
            match key.get_ref().as_ref() {
                "name" => read.name = self.file_name(value)?,
                "title" => read.title = self.text(value)?,
                "series" => read.series = Some(self.text(value)?),
                "first" => read.first = self.many(value, Reader::pattern),
                "second" => read.second = self.many(value, Reader::pattern),
                "quantities" => read.metrics = self.many(value, Reader::metric),
                other => self.wrong(
                    key,
                    format!("a comparison has no `{other}`; it has name, title, series, first, second and quantities"),
                ),
            }
        }
        if read.first.is_empty() || read.second.is_empty() {
            self.wrong(value, "a comparison needs `first` and `second`: patterns such as \"engine=random-dfs\"");
        }
        Some(read)
    }

    /// A pattern of trials, as for `--trials-only`.
    fn pattern(&mut self, value: &Value<'_>) -> Option<String> {
        let text = self.text(value)?;
        if !text.contains('=') {
            self.wrong(
                value,
                format!("`{text}` is no pattern of trials; write \"engine=random-dfs\" or \"guide=none\""),
            );
        }
        Some(text)
    }
}
