//! A job: model, property, engine and budget in, verdict out.
