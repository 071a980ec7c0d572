//! A railroad gate with two tracks and unknown constants, and its ten mutants.
//!
//! The gate is the one of Z. Dang and R. A. Kemmerer, *Three approximation techniques for ASTRAL symbolic model checking of
//! infinite state real-time systems*, ICSE 2000, with a greatest speed of 20 and all other constants free: 20 columns. A state
//! knows the last two changes of each sensor; a sensor changes at most three times in a step.

use std::time::{Duration, Instant};

use lurcher_presburger::{Error, Formula, Relation, Set, Term};

const SPEED: i64 = 20;
const TRACKS: usize = 2;

// Columns: ten constants, then the state.
const TO_CROSSING: usize = 0;
const THROUGH_CROSSING: usize = 1;
const RESPONSE: usize = 2;
const WAIT: usize = 3;
const LOWER: usize = 4;
const DOWN: usize = 5;
const RAISE: usize = 6;
const UP: usize = 7;
const LOWER_TIME: usize = 8;
const RAISE_TIME: usize = 9;
const CONSTANTS: usize = 10;
const NOW: usize = 10;
const POSITION: usize = 11;
const END_LOWER: usize = 12;
const END_RAISE: usize = 13;
const SENSORS: usize = 14;
const COLUMNS: usize = SENSORS + 3 * TRACKS;

// Positions of the gate.
const RAISED: i64 = 0;
const RAISING: i64 = 1;
const LOWERED: i64 = 2;
const LOWERING: i64 = 3;

/// A column of the state before a step.
fn old(column: usize) -> Term {
    Term::column(column)
}

/// A column of the state after a step.
fn new(column: usize) -> Term {
    Term::column(if column < CONSTANTS { column } else { COLUMNS + column })
}

/// Whether a train is reported, the last change of that, and the change before.
fn sensor(track: usize) -> [usize; 3] {
    [0, 1, 2].map(|part| SENSORS + 3 * track + part)
}

fn all(parts: impl IntoIterator<Item = Formula>) -> Formula {
    Formula::And(parts.into_iter().collect())
}

fn any(parts: impl IntoIterator<Item = Formula>) -> Formula {
    Formula::Or(parts.into_iter().collect())
}

/// The gate, or one of the mutants of the paper's table 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gate {
    Unchanged,
    /// M1 to M10.
    Mutant(usize),
}

impl Gate {
    fn is(self, mutant: usize) -> bool {
        self == Gate::Mutant(mutant)
    }

    fn axioms(self) -> Formula {
        let sum = |columns: &[usize]| columns.iter().fold(Term::constant(0), |sum, &column| sum + old(column));
        let in_time = |last: &[usize]| {
            let before = sum(&[RESPONSE, LOWER, LOWER_TIME, DOWN]);
            old(TO_CROSSING).at_least((before + sum(last)) * SPEED)
        };
        let mut axioms: Vec<Formula> = (0..CONSTANTS).map(|column| old(column).at_least(1)).collect();
        axioms.push(old(TO_CROSSING).above(old(RESPONSE) * SPEED));
        axioms.extend((!self.is(1)).then(|| old(WAIT).at_least(sum(&[RAISE, RAISE_TIME, UP]))));
        axioms.extend((!self.is(2)).then(|| in_time(if self.is(4) { &[] } else { &[RAISE] })));
        axioms.extend((!self.is(3)).then(|| in_time(if self.is(5) { &[] } else { &[UP] })));
        all(axioms)
    }

    fn initial(self) -> Formula {
        self.axioms().and(all((CONSTANTS..COLUMNS).map(|column| old(column).equals(0))))
    }

    /// The changes of one sensor in a step: a train stays reported for as long as the fastest one needs.
    fn changes(self, track: usize) -> Formula {
        let [train, last, previous] = sensor(track);
        // At every instant of the time before that; the time itself need not be an integer.
        let stays = |from: Term, to: Term| {
            let least = old(TO_CROSSING) + old(THROUGH_CROSSING) - old(RESPONSE) * SPEED;
            if self.is(7) { Formula::always() } else { ((to - from + 1) * SPEED).above(least) }
        };
        let within = |times: &[Term]| {
            let ends = [old(NOW)].into_iter().chain(times[..times.len() - 1].iter().cloned());
            all(ends.zip(times).map(|(before, time)| time.clone().above(before)))
                .and(times[times.len() - 1].clone().at_most(new(NOW)))
        };
        let becomes = |from: i64, to: i64| old(train).equals(from).and(new(train).equals(to));
        let same = all(sensor(track).map(|column| new(column).equals(old(column))));
        let once = new(previous).equals(old(last)).and(within(&[new(last)]));
        let twice = within(&[new(previous), new(last)]);
        let first = || Term::column(2 * COLUMNS);
        let thrice = || within(&[first(), new(previous), new(last)]);
        any([
            same.and(any([old(train).equals(0), old(train).equals(1)])),
            becomes(0, 1).and(once.clone()),
            becomes(1, 0).and(once).and(stays(old(last), new(last))),
            becomes(0, 0).and(twice.clone()).and(stays(new(previous), new(last))),
            becomes(1, 1).and(twice).and(stays(old(last), new(previous))),
            Formula::exists(1, becomes(0, 1).and(thrice()).and(stays(first(), new(previous)))),
            Formula::exists(
                1,
                becomes(1, 0).and(thrice()).and(stays(old(last), first())).and(stays(new(previous), new(last))),
            ),
        ])
    }

    /// A step that takes a while, ends at a position of the gate, and is the end of some transition.
    fn step(self, entry: Formula, duration: Term, position: Term, ended: Option<usize>) -> Formula {
        let ends = [END_LOWER, END_RAISE].map(|end| match ended {
            Some(ended) if ended == end => new(end).equals(new(NOW)),
            _ => new(end).equals(old(end)),
        });
        entry
            .and(new(NOW).equals(old(NOW) + duration))
            .and(new(POSITION).equals(position))
            .and(all(ends))
            .and(all((0..TRACKS).map(|track| self.changes(track))))
    }

    /// The entry assertions of lower, down, raise and up.
    fn entries(self) -> [Formula; 4] {
        let at = |positions: &[i64]| any(positions.iter().map(|&position| old(POSITION).equals(position)));
        let waited = |end: usize, time: usize, not_in: usize| {
            if self.is(not_in) { Formula::always() } else { (old(NOW) - old(end)).at_least(old(time)) }
        };
        let train = |value: i64| (0..TRACKS).map(move |track| old(sensor(track)[0]).equals(value));
        [
            at(&[RAISED, RAISING]).and(any(train(1))),
            at(&[LOWERING]).and(waited(END_LOWER, LOWER_TIME, 8)),
            (if self.is(10) { Formula::always() } else { at(&[LOWERED, LOWERING]) }).and(all(train(0))),
            at(&[RAISING]).and(waited(END_RAISE, RAISE_TIME, 9)),
        ]
    }

    /// The steps in the order in which they are tried, as relations of states with equal constants.
    pub fn steps(self) -> Result<Vec<Relation>, Error> {
        let [lower, down, raise, up] = self.entries();
        let idle = any(self.entries()).negated();
        let steps = [
            self.step(lower, old(LOWER), Term::constant(LOWERING), Some(END_LOWER)),
            self.step(down, old(DOWN), Term::constant(LOWERED), None),
            self.step(raise, old(RAISE), Term::constant(RAISING), Some(END_RAISE)),
            self.step(up, old(UP), Term::constant(RAISED), None),
            self.step(idle, Term::constant(1), old(POSITION), None),
        ];
        let positions = old(POSITION).at_least(RAISED).and(old(POSITION).at_most(LOWERING));
        // The constants after a step are columns of their own.
        let same = all((0..CONSTANTS).map(|column| Term::column(COLUMNS + column).equals(old(column))));
        let relation = |step: Formula| {
            Relation::from_formula(COLUMNS, COLUMNS, &step.and(same.clone()).and(positions.clone()).and(self.axioms()))
        };
        steps.into_iter().map(relation).collect()
    }

    /// Where the schedule of the gate does not hold.
    fn violation(self) -> Formula {
        let late = (0..TRACKS).map(|track| {
            let [train, last, _] = sensor(track);
            let since = (old(NOW) - old(last)) * SPEED;
            let is_late = since.at_least(old(TO_CROSSING) - old(RESPONSE) * SPEED);
            old(train).equals(1).and(if self.is(6) { Formula::always() } else { is_late })
        });
        let quiet = (0..TRACKS).map(|track| {
            let [train, last, _] = sensor(track);
            old(train).equals(0).and(old(last).equals(0).or((old(NOW) - old(last)).at_least(old(WAIT))))
        });
        any(late)
            .and(old(POSITION).equals(LOWERED).negated())
            .or(all(quiet).and(old(POSITION).equals(RAISED).negated()))
    }

    /// Searches all paths of at most so many nodes for a violation.
    pub fn search(self, depth: usize, last_layer: LastLayer) -> Result<Outcome, Error> {
        let steps = self.steps()?;
        let violation = Set::from_formula(COLUMNS, &self.violation())?;
        let initial = Set::from_formula(COLUMNS, &self.initial())?;
        let mut search = Search { steps, violation, last_layer, outcome: Outcome { nodes: 1, ..Outcome::default() } };
        search.outcome.violated = search.children(&initial, depth.saturating_sub(1))?;
        Ok(search.outcome)
    }
}

/// What happens to the nodes at the greatest depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastLayer {
    /// They are only counted, as in the paper's figure 3.
    Counted,
    /// They are checked like the others.
    Checked,
}

/// What a search found, and how long its images took.
#[derive(Debug, Default)]
pub struct Outcome {
    pub violated: bool,
    /// The nodes that were tried.
    pub nodes: usize,
    pub images: u32,
    pub image_time: Duration,
    pub slowest_image: Duration,
    pub check_time: Duration,
    /// The greatest number of disjuncts of an image.
    pub disjuncts: usize,
}

/// Depth-first search: the states before a step are checked where the step has an image.
struct Search {
    steps: Vec<Relation>,
    violation: Set,
    last_layer: LastLayer,
    outcome: Outcome,
}

impl Search {
    /// Whether a violation is found below a node with these states and so many layers.
    fn children(&mut self, states: &Set, layers: usize) -> Result<bool, Error> {
        if layers == 0 {
            return Ok(false);
        }
        for step in 0..self.steps.len() {
            self.outcome.nodes += 1;
            if layers == 1 && self.last_layer == LastLayer::Counted {
                continue;
            }
            let next = self.image(step, states)?;
            if !next.is_empty() && (self.is_violated(states)? || self.children(&next, layers - 1)?) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn image(&mut self, step: usize, states: &Set) -> Result<Set, Error> {
        let start = Instant::now();
        let image = self.steps[step].image(states)?.coalesce()?;
        let time = start.elapsed();
        let outcome = &mut self.outcome;
        outcome.images += 1;
        outcome.image_time += time;
        outcome.slowest_image = outcome.slowest_image.max(time);
        outcome.disjuncts = outcome.disjuncts.max(image.disjuncts());
        Ok(image)
    }

    fn is_violated(&mut self, states: &Set) -> Result<bool, Error> {
        let start = Instant::now();
        let violated = !states.intersect(&self.violation)?.is_empty();
        self.outcome.check_time += start.elapsed();
        Ok(violated)
    }
}
