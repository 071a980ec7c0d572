//! From a model to its guide: smaller instances, goal paths, a table.

use std::fmt;

use lurcher_engines::prepare;
use lurcher_heuristics::reduced_instance::{
    GoalPath, Misfit, PathOf, ReducedInstance, Style, Table, difference, generalise, goal_path, shapes,
};
use lurcher_ir::Property;
use lurcher_search::{FoundKind, Semantics};
use lurcher_system::Violation;

use super::{Reduction, candidates, load_reduced};
use crate::languages::{PromelaSource, Source};
use crate::question::Question;

/// What a guide is to be made of.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// The question, to be asked again of smaller instances.
    pub question: &'a Question,
    /// Which of the properties that the question is about.
    pub property: &'a Property,
    /// The smaller instance, where the user knows better.
    pub reduction: Option<Reduction>,
    /// States that may be looked at in all instances together.
    pub states: u64,
    /// How the table is made.
    pub style: Style,
}

/// Why there is no guide.
#[derive(Debug)]
pub enum NoGuide {
    /// No instance that was tried shows a violation within the budget.
    NoPath(Vec<String>),
    /// The table does not fit the model.
    Misfit(Misfit),
    /// The model never uses this macro, so that its value makes no smaller instance.
    Unused(String),
}

impl fmt::Display for NoGuide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoGuide::NoPath(notes) => write!(f, "no small instance shows a violation: {}", notes.join("; ")),
            NoGuide::Misfit(misfit) => misfit.fmt(f),
            NoGuide::Unused(name) => write!(f, "the model never uses the macro `{name}`"),
        }
    }
}

impl std::error::Error for NoGuide {}

/// Instances of different size that are looked for. The smallest is often a special case (a ring of two), so the
/// last two are compared.
const LOOKED_FOR: usize = 3;
/// Instances of different size that are compared.
const COMPARED: usize = 2;

/// Makes the guide `reduced-instance` for a model.
///
/// Smaller instances are searched in the order of their size until three show a violation of the same kind or the
/// budget is used up; the largest two are compared. When fewer do and there is budget left, the model itself is tried:
/// if its violation is that near, the guide is simply the way to it.
///
/// # Errors
/// When no instance shows a violation within the budget.
pub fn reduced_instance(
    source: &PromelaSource,
    request: &Request<'_>,
) -> Result<(ReducedInstance, Vec<String>), NoGuide> {
    let mut notes = Vec::new();
    if let Some(name) = request.reduction.as_ref().and_then(|given| unused(source, given)) {
        return Err(NoGuide::Unused(name));
    }
    let reductions = match &request.reduction {
        Some(given) => vec![given.clone(), given.larger()],
        None => candidates(source),
    };
    if reductions.is_empty() {
        notes.push("nothing in the model makes it smaller".to_owned());
    }
    let mut states = request.states;
    let mut found: Vec<(String, GoalPath)> = Vec::new();
    for reduction in &reductions {
        match path_in(source, request, reduction, &mut states) {
            Ok(path) => keep(&mut found, reduction.to_string(), path, &mut notes),
            Err(why) => notes.push(format!("{reduction}: {why}")),
        }
        if found.len() == LOOKED_FOR || states == 0 {
            break;
        }
    }
    // When sizes have run out before the budget, the model itself is small.
    let mut itself = false;
    if found.len() < LOOKED_FOR && states > 0 {
        match path_in(source, request, &Reduction::default(), &mut states) {
            Ok(path) => {
                notes.push(format!("the model itself: a goal path of {} steps", path.length()));
                found = vec![("nothing".to_owned(), path)];
                itself = true;
            }
            Err(why) => notes.push(format!("the model itself: {why}")),
        }
    }
    found.drain(..found.len().saturating_sub(COMPARED));
    let of = if itself { PathOf::Model } else { PathOf::Smaller };
    let Some((_, path)) = found.last() else { return Err(NoGuide::NoPath(notes)) };
    let length = path.length();
    let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
    let reduction = names.join(" and ");
    let paths: Vec<GoalPath> = found.iter().map(|(_, path)| path.clone()).collect();
    let table = Table {
        model: source.sources.files().next().map_or(String::new(), |(_, f)| f.name().to_owned()),
        property: kind(&path.kind).to_owned(),
        reduction,
        length,
        style: request.style,
        shapes: shapes(source.model()),
        rows: generalise(source.model(), &paths, of, request.style),
    };
    let guide = ReducedInstance::new(source.model(), table).map_err(NoGuide::Misfit)?;
    Ok((guide, notes))
}

/// A macro of a reduction that the model never uses. The front-end warns of it where it is defined.
fn unused(source: &PromelaSource, given: &Reduction) -> Option<String> {
    let instance = load_reduced(source, given).ok()?;
    let warned = |name: &str| {
        let place = format!("--define {name}");
        instance.warnings().iter().any(|w| instance.sources().file(w.labels[0].span.file).name() == place)
    };
    given.defines.iter().map(|(name, _)| name).find(|name| warned(name)).cloned()
}

/// Keeps a path unless it ends in another kind of violation than the one before it.
fn keep(found: &mut Vec<(String, GoalPath)>, name: String, path: GoalPath, notes: &mut Vec<String>) {
    let kind = std::mem::discriminant(&path.kind);
    let length = path.length();
    if found.first().is_some_and(|(_, first)| std::mem::discriminant(&first.kind) != kind) {
        notes.push(format!("{name}: another kind of violation"));
        return;
    }
    notes.push(format!("{name}: a goal path of {length} steps"));
    found.push((name, path));
}

/// A goal path of an instance, or why there is none.
fn path_in(
    source: &PromelaSource,
    request: &Request<'_>,
    reduction: &Reduction,
    states: &mut u64,
) -> Result<GoalPath, String> {
    let mut instance = load_reduced(source, reduction).map_err(|_| "does not load".to_owned())?;
    if let Some(what) = difference(&shapes(source.model()), &shapes(instance.model())) {
        return Err(what);
    }
    let properties = instance.resolve(request.question).map_err(|_| "the question cannot be asked".to_owned())?;
    let property =
        properties.into_iter().find(|p| p.name == request.property.name).ok_or("the property is not there")?;
    let prepared = prepare(instance.model(), &property, Semantics::default()).map_err(|e| e.to_string())?;
    let interpreter = prepared.interpreter();
    let before = *states;
    let path = goal_path(&interpreter, &prepared.objective, states);
    let path = path.ok_or_else(|| format!("no violation in {} states", before - *states))?;
    if property.name == "deadlock" && path.kind != FoundKind::Deadlock {
        return Err("another kind of violation comes first".to_owned());
    }
    match path.is_fault() && *reduction != Reduction::default() {
        true => Err("a fault, perhaps of the smaller size".to_owned()),
        false => Ok(path),
    }
}

/// The word for what a path violates.
fn kind(kind: &FoundKind) -> &'static str {
    match kind {
        FoundKind::Deadlock => "deadlock",
        FoundKind::Step(Violation::Assertion(_)) => "assertion",
        FoundKind::Step(_) => "fault",
        FoundKind::Invariant | FoundKind::Watched(_) => "invariant",
        FoundKind::ClaimEnd => "claim",
        FoundKind::Cycle => "cycle",
    }
}
