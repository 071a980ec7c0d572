//! Numbers as people write them.

use indicatif::HumanCount;

/// A number of things: `1 walk`, `2,000 walks`, `3 processes`.
pub fn count(number: u64, thing: &str) -> String {
    match number {
        1 => format!("1 {thing}"),
        _ if thing.ends_with('s') => format!("{} {thing}es", HumanCount(number)),
        _ => format!("{} {thing}s", HumanCount(number)),
    }
}

/// A probability: with decimals while they can be read, else with an exponent.
pub fn probability(value: f64) -> String {
    if value >= 0.001 { format!("{value:.4}") } else { format!("{value:.2e}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thing_is_singular() {
        assert_eq!([count(1, "walk"), count(0, "walk"), count(12_345, "step")], ["1 walk", "0 walks", "12,345 steps"]);
        assert_eq!([count(1, "process"), count(2, "process")], ["1 process", "2 processes"]);
    }

    #[test]
    fn probabilities_can_be_read() {
        assert_eq!([probability(0.95), probability(0.0233), probability(2.5e-7)], ["0.9500", "0.0233", "2.50e-7"]);
    }
}
