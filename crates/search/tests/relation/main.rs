//! Searches through random relations against brute force; every run they find is judged by the oracle.

#[path = "../../../system/tests/relation/brute.rs"]
mod brute;
mod fairness;
#[path = "../../../system/tests/relation/generate.rs"]
mod generate;
mod judge;
mod lurching;
mod safety;
mod walks;

/// How many random relations each test tries.
fn rounds() -> u64 {
    std::env::var("LURCHER_ROUNDS").ok().and_then(|r| r.parse().ok()).unwrap_or(600)
}
