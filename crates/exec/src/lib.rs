//! Running a model: states, enabled actions, successors.
