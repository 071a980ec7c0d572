//! Making guides for a property.

use std::sync::Arc;
use std::time::{Duration, Instant};

use lurcher_exec::Interpreter;
use lurcher_guide::{Choice, Guide, LocalDistance, PatternDatabase, PatternSettings, StateForm, Target};

use crate::quarry::{Quarry, Watched};

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
}

/// What the user wants of guides.
#[derive(Clone, Debug, Default)]
pub struct GuideSettings {
    /// What a pattern database drops in any case.
    pub drop: Vec<String>,
}

impl GuideKind {
    /// All of them.
    pub const ALL: [GuideKind; 4] = [
        GuideKind::LocalDistance,
        GuideKind::LocalDistanceSum,
        GuideKind::LocalDistanceMax,
        GuideKind::PatternDatabase,
    ];

    /// The one of a name.
    pub fn from_name(name: &str) -> Option<GuideKind> {
        GuideKind::ALL.into_iter().find(|k| k.name() == name)
    }

    /// Does it take long to make, compared with a few thousand steps?
    pub(crate) fn is_costly(self) -> bool {
        matches!(self, GuideKind::PatternDatabase)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            GuideKind::LocalDistance => "local-distance",
            GuideKind::LocalDistanceSum => "local-distance-sum",
            GuideKind::LocalDistanceMax => "local-distance-max",
            GuideKind::PatternDatabase => "pattern-database",
        }
    }
}

/// A guide and what it is called.
#[derive(Debug)]
pub struct NamedGuide<'m> {
    /// Its name.
    pub name: String,
    /// The guide.
    pub guide: Arc<Guide<'m>>,
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

    /// Makes a guide to a target; says why when there is none.
    pub fn guide<'m>(
        &self,
        interpreter: &Interpreter<'m>,
        target: &Target,
        kind: GuideKind,
        settings: &GuideSettings,
    ) -> Result<NamedGuide<'m>, String> {
        let started = Instant::now();
        let states = |form| LocalDistance::states(interpreter, target, form, Choice::Preferred);
        let guide = match kind {
            GuideKind::LocalDistance => Guide::LocalDistance(Box::new(LocalDistance::steps(interpreter, target))),
            GuideKind::LocalDistanceSum => Guide::LocalDistance(Box::new(states(StateForm::Sum))),
            GuideKind::LocalDistanceMax => Guide::LocalDistance(Box::new(states(StateForm::Max))),
            GuideKind::PatternDatabase => {
                let wanted = PatternSettings { drop: settings.drop.clone(), ..PatternSettings::default() };
                let database = PatternDatabase::build(interpreter, target, &wanted);
                Guide::PatternDatabase(Box::new(database.map_err(|e| e.to_string())?))
            }
        };
        let name = match self.targets().len() {
            0 | 1 => kind.name().to_owned(),
            _ => format!("{} to {}", kind.name(), target.name()),
        };
        Ok(NamedGuide { name, guide: Arc::new(guide), build: started.elapsed() })
    }
}
