//! Running a relation.

mod oracle;

pub use oracle::Oracle;
