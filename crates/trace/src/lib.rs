//! Traces: replay, text, JSON and Spin trails.
