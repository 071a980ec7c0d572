//! Spin's trails.

use lurcher_system::Interpreter;
use lurcher_trace::{Trail, write_trail};

use super::{Document, Format, TraceOf};

pub(super) struct SpinTrail;

impl Format for SpinTrail {
    fn name(&self) -> &'static str {
        "spin-trail"
    }

    fn help(&self) -> &'static str {
        "A trail for `spin -t`; `replay` reads it"
    }

    fn render(&self, document: &Document<'_>) -> Result<String, String> {
        let TraceOf::Processes(trace, model, _) = &document.trace else {
            return Err("Spin's trails are for Promela models".to_owned());
        };
        let interpreter = Interpreter::new(model, trace.limits.clone());
        Ok(write_trail(&Trail::of_path(&interpreter, &trace.replayed.moves())))
    }
}
