//! Reading times and sizes.

use std::time::Duration;

/// A number and its unit; the error is `what`.
fn split<'t>(text: &'t str, what: &str) -> Result<(f64, &'t str), String> {
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    Ok((number.parse().map_err(|_| format!("`{text}` is no {what}"))?, unit))
}

/// Reads a time: `30s`, `5m`, `1h`, `200ms`; a bare number means seconds.
pub fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split(text, "time; write 30s, 5m or 1h")?;
    let seconds = match unit {
        "" | "s" => number,
        "ms" => number / 1000.0,
        "m" | "min" => number * 60.0,
        "h" => number * 3600.0,
        _ => return Err(format!("`{unit}` is no unit of time; use ms, s, m or h")),
    };
    Duration::try_from_secs_f64(seconds).map_err(|_| format!("`{text}` is too long"))
}

/// Reads a number of bytes: `500M`, `8G`.
pub fn size(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text, "size; write 500M or 8G")?;
    let factor = match unit.trim_end_matches("iB").trim_end_matches('B').to_ascii_uppercase().as_str() {
        "" => 1u64,
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        "T" => 1 << 40,
        _ => return Err(format!("`{unit}` is no unit of size; use K, M, G or T")),
    };
    Ok((number * factor as f64) as u64)
}
