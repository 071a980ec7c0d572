//! Values of a file as the types they must have.

use lurcher_syntax::did_you_mean;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::{Reader, seeds};

/// A value and its place.
pub(super) type Value<'i> = Spanned<DeValue<'i>>;

/// The entries of a table in the order in which they are written.
pub(super) fn sorted<'t, 'i>(table: &'t DeTable<'i>) -> Vec<(&'t Spanned<DeString<'i>>, &'t Value<'i>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

impl Reader {
    /// One value, or each of a list.
    pub(super) fn many<'i, T>(
        &mut self,
        value: &Value<'i>,
        read: impl Fn(&mut Self, &Value<'i>) -> Option<T>,
    ) -> Vec<T> {
        match value.get_ref().as_array() {
            Some(list) => {
                if list.is_empty() {
                    self.wrong(value, "an empty list leaves no trials");
                }
                list.iter().filter_map(|one| read(self, one)).collect()
            }
            None => read(self, value).into_iter().collect(),
        }
    }

    /// A table; where there is none, the error says what belongs here.
    pub(super) fn table<'v, 'i>(&mut self, value: &'v Value<'i>, what: &str) -> Option<&'v DeTable<'i>> {
        let table = value.get_ref().as_table();
        if table.is_none() {
            self.wrong(value, what);
        }
        table
    }

    /// A text.
    pub(super) fn text(&mut self, value: &Value<'_>) -> Option<String> {
        match value.get_ref() {
            DeValue::String(text) => Some(text.to_string()),
            _ => self.not_a(value, "a text"),
        }
    }

    /// A truth value.
    pub(super) fn flag(&mut self, value: &Value<'_>) -> Option<bool> {
        match value.get_ref() {
            DeValue::Boolean(flag) => Some(*flag),
            _ => self.not_a(value, "true or false"),
        }
    }

    /// A number that is not negative.
    pub(super) fn number(&mut self, value: &Value<'_>) -> Option<u64> {
        let DeValue::Integer(number) = value.get_ref() else {
            return self.not_a(value, "a number");
        };
        let read = u64::from_str_radix(number.as_str(), number.radix()).ok();
        if read.is_none() {
            self.wrong(value, format!("`{}` is not a number from 0 to {}", number.as_str(), u64::MAX));
        }
        read
    }

    /// A number with or without a fraction.
    pub(super) fn float(&mut self, value: &Value<'_>) -> Option<f64> {
        let read = match value.get_ref() {
            DeValue::Float(number) => number.as_str().parse().ok(),
            DeValue::Integer(number) => number.as_str().parse().ok(),
            _ => None,
        };
        read.filter(|n: &f64| n.is_finite()).or_else(|| self.not_a(value, "a number"))
    }

    /// One of some words.
    pub(super) fn word<T: Copy>(&mut self, value: &Value<'_>, what: &str, known: &[(&str, T)]) -> Option<T> {
        let text = self.text(value)?;
        let found = known.iter().find(|(name, _)| *name == text).map(|(_, v)| *v);
        if found.is_none() {
            let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
            let near = did_you_mean(&text, names.iter().copied());
            self.wrong(value, format!("`{text}` is no {what}; there are {}{near}", names.join(", ")));
        }
        found
    }

    /// Numbers: one, a list, or words that stand for some.
    pub(super) fn numbers(&mut self, value: &Value<'_>) -> Vec<u64> {
        let Some(text) = value.get_ref().as_str() else { return self.many(value, Reader::number) };
        self.accept(value, seeds::numbers(text)).unwrap_or_default()
    }

    /// Values of a macro: numbers, truth values or texts, in a list or as words that stand for numbers.
    pub(super) fn macro_values(&mut self, value: &Value<'_>) -> Vec<String> {
        let range = value.get_ref().as_str().filter(|t| t.contains(" to "));
        if range.is_some() {
            return self.numbers(value).iter().map(u64::to_string).collect();
        }
        self.many(value, |reader, one| match one.get_ref() {
            DeValue::String(text) if text.trim().is_empty() || text.contains(['\n', '\r']) => {
                reader.wrong(one, "a macro's value has at least one word and stands on one line");
                None
            }
            DeValue::String(text) => Some(text.to_string()),
            DeValue::Integer(number) if number.radix() == 10 => Some(number.as_str().to_owned()),
            DeValue::Integer(_) => reader.number(one).map(|n| n.to_string()),
            DeValue::Boolean(flag) => Some(u8::from(*flag).to_string()),
            _ => reader.not_a(one, "a macro's value"),
        })
    }

    /// A quantity with a unit, or a bare number.
    pub(super) fn quantity<T>(&mut self, value: &Value<'_>, parse: impl Fn(&str) -> Result<T, String>) -> Option<T> {
        let text = match value.get_ref() {
            DeValue::Integer(number) => number.as_str().to_owned(),
            DeValue::Float(number) => number.as_str().to_owned(),
            _ => self.text(value)?,
        };
        self.accept(value, parse(&text))
    }

    /// Passes a result on, or records its error.
    pub(super) fn accept<T>(&mut self, value: &Value<'_>, result: Result<T, String>) -> Option<T> {
        result.map_err(|why| self.wrong(value, why)).ok()
    }

    fn not_a<T>(&mut self, value: &Value<'_>, wanted: &str) -> Option<T> {
        let found = value.get_ref().type_str();
        self.wrong(value, format!("expected {wanted}, found a value of type {found}"));
        None
    }
}
