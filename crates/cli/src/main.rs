//! The lurcher command line.
fn main() {}
