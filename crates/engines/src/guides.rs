//! Making guides for a property.

use std::sync::Arc;
use std::time::{Duration, Instant};

use lurcher_heuristics::reduced_instance::{self, ReducedInstance};
use lurcher_heuristics::{
    Abstraction, AbstractionError, GoalSet, Heuristic, LocalDistance, PatternDatabase, PatternSettings, StateForm,
    Target,
};
use lurcher_ir::Property;
use lurcher_search::{Budget, StopReason};
use lurcher_system::Interpreter;

use crate::asked::Asked;
use crate::load::{LoadOptions, Loaded};
use crate::quarry::{Quarry, Watched};
use crate::reduce::{Built, Reduction, Request};

/// Which heuristic to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GuideKind {
    /// Local distances, for steps (h0).
    LocalDistance,
    /// Local distances, for states: the sum over all processes.
    LocalDistanceSum,
    /// Local distances, for states: the greatest over all processes.
    LocalDistanceMax,
    /// Distances in an abstraction without the weak variables, for states.
    PatternDatabase,
    /// The goal path of a smaller instance, for steps (h1).
    ReducedInstance,
    /// Distances in the abstraction of symbolic searches, for states.
    Abstraction,
}

/// What the user wants of guides.
#[derive(Clone, Debug, Default)]
pub struct GuideSettings {
    /// What a pattern database drops in any case, and an abstraction instead of weak variables.
    pub drop: Vec<String>,
    /// The smaller instance, where the user knows better.
    pub reduce: Option<Reduction>,
    /// A guide that was written to a file, instead of one that is made.
    pub text: Option<String>,
}

/// Where a property comes from: what it takes to ask the same of a smaller instance.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'a> {
    /// The model.
    pub loaded: &'a Loaded,
    /// How it was loaded.
    pub options: &'a LoadOptions,
    /// The question.
    pub asked: &'a Asked,
}

/// States that may be looked at in smaller instances.
const REDUCED_STATES: u64 = 50_000;
/// Why an abstraction is in no file.
const UNWRITTEN: &str = "it is made anew each time, and in no file; --drop FILE says what it drops";
/// Memory for the diagrams of an abstraction, so that it is the same guide on every machine.
const ABSTRACTION_MEMORY: u64 = 256 << 20;

impl GuideKind {
    /// All of them.
    pub const ALL: [GuideKind; 6] = [
        GuideKind::LocalDistance,
        GuideKind::LocalDistanceSum,
        GuideKind::LocalDistanceMax,
        GuideKind::PatternDatabase,
        GuideKind::ReducedInstance,
        GuideKind::Abstraction,
    ];

    /// The one of a name.
    pub fn from_name(name: &str) -> Option<GuideKind> {
        GuideKind::ALL.into_iter().find(|k| k.name() == name)
    }

    /// Does it take long to make, compared with a few thousand steps?
    pub fn is_costly(self) -> bool {
        matches!(self, GuideKind::PatternDatabase | GuideKind::ReducedInstance | GuideKind::Abstraction)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            GuideKind::LocalDistance => "local-distance",
            GuideKind::LocalDistanceSum => "local-distance-sum",
            GuideKind::LocalDistanceMax => "local-distance-max",
            GuideKind::PatternDatabase => "pattern-database",
            GuideKind::ReducedInstance => "reduced-instance",
            GuideKind::Abstraction => "abstraction",
        }
    }
}

/// Why a guide was not made.
#[derive(Debug)]
#[non_exhaustive]
pub enum GuideError {
    /// A limit was reached.
    Stopped(StopReason),
    /// There is none for this model and target, or not with what was asked of it.
    None(String),
}

impl From<String> for GuideError {
    fn from(why: String) -> Self {
        GuideError::None(why)
    }
}

impl std::fmt::Display for GuideError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            GuideError::Stopped(stop) => write!(f, "stopped by {}", stop.name()),
            GuideError::None(why) => write!(f, "{why}"),
        }
    }
}

/// What is remarked where a limit was reached before walks could begin.
pub(crate) fn unmade(guide: &str) -> String {
    format!("the limit was reached while the guide {guide} was made: there were no walks")
}

/// A guide and what it is called.
#[derive(Debug)]
pub struct NamedGuide<'m> {
    /// Its name.
    pub name: String,
    /// The guide.
    pub guide: Arc<Heuristic<'m>>,
    /// How it came about, a sentence each.
    pub notes: Vec<String>,
    /// How long it took to make it.
    pub build: Duration,
}

impl Quarry {
    /// The kinds of violations that guides can lead to, the most promising first. A property that is called by the
    /// name of one asks for that one.
    pub fn targets(&self) -> Vec<Target> {
        let claim = match &self.watched {
            Watched::Claim(claim) => Some(*claim),
            Watched::States(_) => None,
        };
        let mut targets = Target::of_property(&self.model, &self.property.kind, claim);
        if targets.iter().any(|t| t.name() == self.property.name) {
            targets.retain(|t| t.name() == self.property.name);
        }
        targets
    }

    /// Makes a guide to a target within a budget, or reads it from text; says why when there is none.
    pub fn guide<'m>(
        &self,
        interpreter: &Interpreter<'m>,
        target: &Target,
        kind: GuideKind,
        origin: Origin<'_>,
        (settings, budget): (&GuideSettings, &Budget),
    ) -> Result<NamedGuide<'m>, GuideError> {
        let started = Instant::now();
        let local = |guide: LocalDistance<'m>| {
            let mut guide = guide;
            if let Some(text) = &settings.text {
                guide.set_from_text(text).map_err(|e| e.to_string())?;
            }
            Ok::<_, String>(Heuristic::LocalDistance(Box::new(guide)))
        };
        let states = |form| LocalDistance::states(interpreter, target, form, GoalSet::Informative);
        let mut notes = Vec::new();
        let guide = match (kind, &settings.text) {
            (GuideKind::LocalDistance, _) => local(LocalDistance::steps(interpreter, target))?,
            (GuideKind::LocalDistanceSum, _) => local(states(StateForm::Sum))?,
            (GuideKind::LocalDistanceMax, _) => local(states(StateForm::Max))?,
            (GuideKind::PatternDatabase, Some(text)) => {
                let database = PatternDatabase::load(interpreter, target, text);
                Heuristic::PatternDatabase(Box::new(database.map_err(|e| e.to_string())?))
            }
            (GuideKind::PatternDatabase, None) => {
                let wanted = PatternSettings { drop: settings.drop.clone(), ..PatternSettings::default() };
                let database = PatternDatabase::build(interpreter, target, &wanted).map_err(|e| e.to_string())?;
                notes.push(format!("{} abstract states; kept: {}", database.len(), database.kept().join(", ")));
                Heuristic::PatternDatabase(Box::new(database))
            }
            (GuideKind::ReducedInstance, Some(text)) => {
                let table = reduced_instance::from_text(text).map_err(|e| e.to_string())?;
                let guide = ReducedInstance::new(interpreter.model(), table).map_err(|e| e.to_string())?;
                Heuristic::ReducedInstance(Box::new(guide))
            }
            (GuideKind::ReducedInstance, None) => {
                let built = self.reduced(origin, target, settings)?;
                notes = built.notes;
                Heuristic::ReducedInstance(Box::new(built.guide))
            }
            (GuideKind::Abstraction, Some(_)) => return Err(UNWRITTEN.to_owned().into()),
            (GuideKind::Abstraction, None) => {
                let memory = Some(budget.memory.map_or(ABSTRACTION_MEMORY, |limit| limit.min(ABSTRACTION_MEMORY)));
                let budget = Budget { memory, ..budget.clone() };
                let made = Abstraction::build(interpreter, target, &settings.drop, &budget);
                let made = made.map_err(|error| match error {
                    AbstractionError::Stopped(stop) => GuideError::Stopped(stop),
                    error => GuideError::None(error.to_string()),
                })?;
                notes.push(format!("{} rings; kept: {}", made.rings(), made.kept().join(", ")));
                Heuristic::Abstraction(Box::new(made))
            }
        };
        let name = match self.targets().len() {
            0 | 1 => kind.name().to_owned(),
            _ => format!("{} to {}", kind.name(), target.name()),
        };
        Ok(NamedGuide { name, guide: Arc::new(guide), notes, build: started.elapsed() })
    }

    fn reduced(&self, origin: Origin<'_>, target: &Target, settings: &GuideSettings) -> Result<Built, String> {
        // The property under the name of the target asks for that kind of violation.
        let by_target = matches!(target, Target::Deadlock | Target::Assertion);
        let property = match by_target {
            true => Property { name: target.name().to_owned(), ..self.property.clone() },
            false => self.property.clone(),
        };
        let asked = if by_target { Asked::Named(property.name.clone()) } else { origin.asked.clone() };
        let request = Request {
            options: origin.options,
            asked: &asked,
            property: &property,
            reduction: settings.reduce.clone(),
            states: REDUCED_STATES,
            style: reduced_instance::Style::Roles,
        };
        crate::reduce::reduced_instance(origin.loaded, &request).map_err(|e| e.to_string())
    }
}

impl NamedGuide<'_> {
    /// The guide as text that can be edited and read again.
    ///
    /// # Errors
    /// Why it has no text.
    pub fn to_text(&self, origin: Origin<'_>) -> Result<String, &'static str> {
        Ok(match &*self.guide {
            Heuristic::LocalDistance(guide) => guide.to_text(&origin.loaded.sources),
            Heuristic::PatternDatabase(database) => database.save(),
            Heuristic::ReducedInstance(guide) => {
                let shown = Some((origin.loaded.model(), &origin.loaded.sources));
                reduced_instance::to_text(guide.table(), shown)
            }
            Heuristic::Abstraction(_) => return Err(UNWRITTEN),
        })
    }
}
