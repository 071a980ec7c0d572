//! Searches through the states of a model.
