//! Any bytes at all, read as a Promela program: parsed or refused, never a panic, an overflow or an endless loop.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/promela/examples/fuzz_parse/check.rs"]
#[allow(dead_code)]
mod check;

fuzz_target!(|bytes: &[u8]| {
    check::check(&String::from_utf8_lossy(bytes));
});
