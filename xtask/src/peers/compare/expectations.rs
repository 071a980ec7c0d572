//! The header of a model against Spin's verdicts.

use lurcher_lab::peers::{Header, ViolationKinds};

use super::Row;

/// Records a difference for every expectation of the header that Spin contradicts.
pub fn check(header: &Header, rows: &mut [Row]) {
    let verdict = |kinds: &ViolationKinds| if kinds.holds() { "holds" } else { "violated" };
    let Some(safety) = rows.first_mut() else { return };
    let number = |n: Option<u64>| n.map(|n| n.to_string());
    for (key, spin) in [
        ("expect", Some(verdict(&safety.spin).to_owned())),
        ("stored", number(safety.stored)),
        ("shortest", number(safety.shortest)),
    ] {
        if let (Some(value), Some(spin)) = (header.get(key), spin)
            && value != spin
        {
            safety.differ(&format!("header {key}"), spin, value);
        }
    }
    let kinds = if safety.spin.holds() { "safety".to_owned() } else { safety.spin.to_string() };
    if let Some(property) = header.get("property")
        && !kinds.split('+').any(|kind| kind == property)
    {
        safety.differ("header property", kinds, property);
    }
    for (key, value) in header.claims() {
        match rows.iter_mut().find(|row| row.property == key) {
            Some(row) => {
                let spin = verdict(&row.spin);
                if spin != value {
                    row.differ("header", spin, value);
                }
            }
            None => rows[0].differ("header", "no such property was compared", key),
        }
    }
}
