//! Domains of constants, variables and parameters.

/// The values that something can have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Domain {
    /// 0 and 1.
    Boolean,
    /// Named values in ascending order: values of an enumeration or instances.
    Named(Vec<(i64, String)>),
    /// Integers, with the limits that are known as numbers.
    Integer {
        /// The least value.
        lower: Option<i64>,
        /// The greatest value.
        upper: Option<i64>,
    },
}

impl Domain {
    /// All integers.
    pub const INTEGERS: Domain = Domain::Integer { lower: None, upper: None };

    /// Whether a value is in the domain.
    pub fn contains(&self, value: i64) -> bool {
        match self {
            Domain::Boolean => value == 0 || value == 1,
            Domain::Named(values) => values.iter().any(|(v, _)| *v == value),
            Domain::Integer { lower, upper } => lower.is_none_or(|l| l <= value) && upper.is_none_or(|u| value <= u),
        }
    }

    /// The number of values; none if there are infinitely many.
    pub fn size(&self) -> Option<u64> {
        match self {
            Domain::Boolean => Some(2),
            Domain::Named(values) => Some(values.len() as u64),
            Domain::Integer { lower: Some(lower), upper: Some(upper) } if upper < lower => Some(0),
            Domain::Integer { lower: Some(lower), upper: Some(upper) } => {
                Some(upper.abs_diff(*lower).saturating_add(1))
            }
            Domain::Integer { .. } => None,
        }
    }

    /// The values in ascending order; none if there are infinitely many.
    pub fn values(&self) -> Option<Vec<i64>> {
        match self {
            Domain::Boolean => Some(vec![0, 1]),
            Domain::Named(values) => Some(values.iter().map(|(v, _)| *v).collect()),
            Domain::Integer { lower: Some(lower), upper: Some(upper) } => Some((*lower..=*upper).collect()),
            Domain::Integer { .. } => None,
        }
    }

    /// A value in the words of the source.
    pub fn show(&self, value: i64) -> String {
        match self {
            Domain::Boolean if value == 0 => "FALSE".to_owned(),
            Domain::Boolean => "TRUE".to_owned(),
            Domain::Named(values) => {
                let name = values.iter().find(|(v, _)| *v == value).map(|(_, name)| name.clone());
                name.unwrap_or_else(|| value.to_string())
            }
            Domain::Integer { .. } => value.to_string(),
        }
    }

    /// Parses a value that [`Domain::show`] prints; upper and lower case make no difference.
    pub fn read(&self, text: &str) -> Option<i64> {
        let value = match self {
            Domain::Boolean if text.eq_ignore_ascii_case("true") => 1,
            Domain::Boolean if text.eq_ignore_ascii_case("false") => 0,
            Domain::Boolean => return None,
            Domain::Named(values) => values.iter().find(|(_, name)| name.eq_ignore_ascii_case(text))?.0,
            Domain::Integer { .. } => text.parse().ok()?,
        };
        self.contains(value).then_some(value)
    }
}
