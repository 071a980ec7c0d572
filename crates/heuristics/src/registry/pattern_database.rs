//! Pattern databases.

use lurcher_search::Scores;

use super::{HeuristicError, Request};
use crate::heuristic::Heuristic;
use crate::pattern_database::{PatternDatabase, PatternSettings};

/// Distances in an abstraction without the weak variables, for states.
pub struct Entry;

impl super::Entry for Entry {
    fn name(&self) -> &'static str {
        "pattern-database"
    }

    fn help(&self) -> &'static str {
        "Distances in an abstraction of the model without its weak variables, for states"
    }

    fn scores(&self) -> Scores {
        Scores::States
    }

    fn is_costly(&self) -> bool {
        true
    }

    fn for_processes<'m>(&self, request: &Request<'_, 'm>) -> Result<(Heuristic<'m>, Vec<String>), HeuristicError> {
        let Request { interpreter, target, settings, .. } = request;
        let (database, notes) = match &settings.text {
            Some(text) => (PatternDatabase::load(interpreter, target, text).map_err(|e| e.to_string())?, Vec::new()),
            None => {
                let wanted = PatternSettings { drop: settings.drop.clone(), ..PatternSettings::default() };
                let database = PatternDatabase::build(interpreter, target, &wanted).map_err(|e| e.to_string())?;
                let note = format!("{} abstract states; kept: {}", database.len(), database.kept().join(", "));
                (database, vec![note])
            }
        };
        Ok((Heuristic::PatternDatabase(Box::new(database)), notes))
    }
}
