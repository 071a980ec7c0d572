//! The header of a model against what Spin says.

use super::Row;
use crate::peers::header::Header;
use crate::peers::kind::Kinds;

/// Records a difference for every expectation that Spin does not share.
pub fn check(header: &Header, rows: &mut [Row]) {
    let verdict = |kinds: &Kinds| if kinds.holds() { "holds" } else { "violated" };
    if let Some(row) = rows.first_mut() {
        let spin = row.spin.clone();
        expect(row, header, "expect", verdict(&spin));
        if let Some(property) = header.get("property") {
            let kinds: Vec<String> = spin.0.iter().map(ToString::to_string).collect();
            let said = if spin.holds() { vec!["safety".to_owned()] } else { kinds };
            if !said.contains(&property.to_owned()) {
                row.differ("header property", said.join("+"), property);
            }
        }
        if let Some(stored) = row.stored.map(|stored| stored.to_string()) {
            expect(row, header, "stored", &stored);
        }
        if let Some(shortest) = row.shortest.map(|shortest| shortest.to_string()) {
            expect(row, header, "shortest", &shortest);
        }
    }
    for (key, value) in header.claims() {
        match rows.iter_mut().find(|row| row.property == key) {
            Some(row) => {
                let spin = verdict(&row.spin);
                if spin != value {
                    row.differ("header", spin, value);
                }
            }
            None => {
                if let Some(row) = rows.first_mut() {
                    row.differ("header", "no such property was compared", key);
                }
            }
        }
    }
}

fn expect(row: &mut Row, header: &Header, key: &str, spin: &str) {
    if let Some(value) = header.get(key)
        && value != spin
    {
        row.differ(&format!("header {key}"), spin, value);
    }
}
