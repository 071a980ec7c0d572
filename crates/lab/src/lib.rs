//! Many trials from one file: seeds × engines × guides × sizes, with statistics, tables and plots.
//!
//! [`read()`] reads the file, [`plan()`] crosses its lists into trials and reads the models, [`conduct`] runs what has no
//! result yet and writes everything. A trial is known by its parameters alone (`Parameters::id`): that is what
//! resuming, sharing trials between series and naming traces rest on. Each trial runs on one thread, so that its counts
//! are the same everywhere and its times are fair; many trials run at a time.
//!
//! Two kinds of files are about models rather than trials: [`conduct_faults`] measures engines by the faults they find,
//! [`conduct_graph`] compares the size of models with the number of their states.
//!
//! [`peers`] drives the programs that lurcher is compared with. Nothing is printed here: an [`ExperimentObserver`] receives
//! the progress.

mod conduct;
mod error;
mod faults;
mod graph;
mod guides;
mod instance;
mod output;
pub mod parallel;
pub mod peers;
mod plan;
mod plot;
mod read;
mod record;
pub mod report;
mod run;
mod spec;
mod statistics;
mod trial;
pub mod units;

pub use conduct::{Conducted, ExperimentObserver, Settings, conduct, unmatched};
pub use error::ExperimentError;
pub use faults::conduct_faults;
pub use graph::conduct_graph;
pub use plan::{Pair, Plan, plan};
pub use read::{Read, Study, read};
pub use record::{Results, Row, read_rows};
pub use spec::Experiment;
