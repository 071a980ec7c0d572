//! Pattern databases.

use lurcher_search::{Bias, Scores};

use super::{Built, Entry, Request};
use crate::heuristic::Heuristic;
use crate::pattern_database::{PatternDatabase, PatternSettings};

pub(super) const ENTRY: Entry = Entry {
    name: "pattern-database",
    help: "Distances in an abstraction of the model without its weak variables, for states",
    scores: Scores::States,
    costly: true,
    bias: Bias::Steep,
    for_processes,
    for_relation: None,
};

fn for_processes<'m>(request: &Request<'_, 'm>) -> Built<'m> {
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
