//! Depth bounds: numbers, or expressions over the number of processes and the macros of an instance.

use lurcher_search::UNBOUNDED;

/// The depth that a text means; `value` returns the values of names.
///
/// # Errors
/// When the text is no expression, names something unknown, or its value is no depth of a walk.
pub fn depth(text: &str, value: &dyn Fn(&str) -> Option<i64>) -> Result<u32, String> {
    if text.trim() == "none" {
        return Ok(UNBOUNDED);
    }
    let mut parser = Parser { rest: text.trim_start(), value };
    let result = parser.sum()?;
    if !parser.rest.is_empty() {
        return Err(format!("`{}` does not belong to an expression", parser.rest));
    }
    match u32::try_from(result) {
        Ok(n) if n > 0 && n <= UNBOUNDED => Ok(n),
        _ => Err(format!("`{text}` is {result}, which is no number of steps from 1 to {UNBOUNDED}")),
    }
}

struct Parser<'t, 'v> {
    rest: &'t str,
    value: &'v dyn Fn(&str) -> Option<i64>,
}

impl<'t> Parser<'t, '_> {
    fn sum(&mut self) -> Result<i64, String> {
        let mut sum = self.product()?;
        loop {
            sum = match self.sign(&['+', '-']) {
                Some('+') => sum.checked_add(self.product()?),
                Some(_) => sum.checked_sub(self.product()?),
                None => return Ok(sum),
            }
            .ok_or_else(overflow)?;
        }
    }

    fn product(&mut self) -> Result<i64, String> {
        let mut product = self.factor()?;
        loop {
            product = match self.sign(&['*', '/']) {
                Some('*') => product.checked_mul(self.factor()?),
                Some(_) => product.checked_div(self.factor()?),
                None => return Ok(product),
            }
            .ok_or_else(overflow)?;
        }
    }

    fn factor(&mut self) -> Result<i64, String> {
        if self.sign(&['(']).is_some() {
            let inner = self.sum()?;
            return self.sign(&[')']).map(|_| inner).ok_or_else(|| "a `)` is missing".to_owned());
        }
        let end = self.rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(self.rest.len());
        let word = self.take(end);
        if word.is_empty() {
            return Err("a number or a name is missing".to_owned());
        }
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            return word.parse().map_err(|_| format!("`{word}` is no number"));
        }
        (self.value)(word).ok_or_else(|| format!("`{word}` is neither `processes` nor a macro with a number"))
    }

    fn sign(&mut self, signs: &[char]) -> Option<char> {
        let sign = self.rest.chars().next().filter(|c| signs.contains(c))?;
        self.take(1);
        Some(sign)
    }

    fn take(&mut self, count: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at(count);
        self.rest = rest.trim_start();
        taken
    }
}

fn overflow() -> String {
    "the expression divides by zero or comes to too large a number".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn eval(text: &str) -> Result<u32, String> {
        depth(text, &|name| (name == "processes").then_some(7))
    }

    #[test]
    fn expressions_follow_the_usual_precedence() {
        assert_eq!(eval("100 * processes"), Ok(700));
        assert_eq!(eval("2 + 3*(processes - 1)/2"), Ok(11));
        assert_eq!(eval("none"), Ok(UNBOUNDED));
        assert_eq!(eval("20"), Ok(20));
    }

    #[test]
    fn what_is_no_depth_says_why() {
        assert_eq!(eval("3 processes").unwrap_err(), "`processes` does not belong to an expression");
        assert_eq!(eval("10 * M").unwrap_err(), "`M` is neither `processes` nor a macro with a number");
        assert_eq!(eval("(1 + 2").unwrap_err(), "a `)` is missing");
        assert_eq!(eval("1 +").unwrap_err(), "a number or a name is missing");
        assert_eq!(eval("1 / 0").unwrap_err(), "the expression divides by zero or comes to too large a number");
        assert!(eval("1 - processes").unwrap_err().contains("is -6"));
        assert!(eval("é").is_err());
    }
}
