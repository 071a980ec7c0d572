//! Runs of timed models: the oracle on runs written by hand, and the stepper against the oracle.

mod oracle;
mod script;
mod stepper;
