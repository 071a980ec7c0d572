//! The time of images: all paths of a railroad gate with two tracks and unknown constants, up to a depth.
//!
//! `cargo run --release -p lurcher-presburger --example crossing -- 10`
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

fn axioms() -> Formula {
    let sum = |columns: &[usize]| columns.iter().fold(Term::constant(0), |sum, &column| sum + old(column));
    let in_time = |last: usize| old(TO_CROSSING).at_least(sum(&[RESPONSE, LOWER, LOWER_TIME, DOWN, last]) * SPEED);
    all((0..CONSTANTS).map(|column| old(column).at_least(1)))
        .and(old(TO_CROSSING).above(old(RESPONSE) * SPEED))
        .and(old(WAIT).at_least(sum(&[RAISE, RAISE_TIME, UP])))
        .and(in_time(RAISE))
        .and(in_time(UP))
}

fn initial() -> Formula {
    axioms().and(all((CONSTANTS..COLUMNS).map(|column| old(column).equals(0))))
}

/// The changes of one sensor in a step: a train stays reported for as long as the fastest one needs.
fn changes(track: usize) -> Formula {
    let [train, last, previous] = sensor(track);
    // At every instant of the time before that; the time itself need not be an integer.
    let stays = |from: Term, to: Term| {
        ((to - from + 1) * SPEED).above(old(TO_CROSSING) + old(THROUGH_CROSSING) - old(RESPONSE) * SPEED)
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
fn step(entry: Formula, duration: Term, position: Term, ended: Option<usize>) -> Formula {
    let ends = [END_LOWER, END_RAISE].map(|end| match ended {
        Some(ended) if ended == end => new(end).equals(new(NOW)),
        _ => new(end).equals(old(end)),
    });
    entry
        .and(new(NOW).equals(old(NOW) + duration))
        .and(new(POSITION).equals(position))
        .and(all(ends))
        .and(all((0..TRACKS).map(changes)))
}

/// The entry assertions of lower, down, raise and up.
fn entries() -> [Formula; 4] {
    let at = |positions: &[i64]| any(positions.iter().map(|&position| old(POSITION).equals(position)));
    let train = |value: i64| (0..TRACKS).map(move |track| old(sensor(track)[0]).equals(value));
    [
        at(&[RAISED, RAISING]).and(any(train(1))),
        at(&[LOWERING]).and((old(NOW) - old(END_LOWER)).at_least(old(LOWER_TIME))),
        at(&[LOWERED, LOWERING]).and(all(train(0))),
        at(&[RAISING]).and((old(NOW) - old(END_RAISE)).at_least(old(RAISE_TIME))),
    ]
}

/// The steps in the order in which they are tried, as relations of states with equal constants.
fn steps() -> Result<Vec<Relation>, Error> {
    let [lower, down, raise, up] = entries();
    let idle = any(entries()).negated();
    let steps = [
        step(lower, old(LOWER), Term::constant(LOWERING), Some(END_LOWER)),
        step(down, old(DOWN), Term::constant(LOWERED), None),
        step(raise, old(RAISE), Term::constant(RAISING), Some(END_RAISE)),
        step(up, old(UP), Term::constant(RAISED), None),
        step(idle, Term::constant(1), old(POSITION), None),
    ];
    let positions = old(POSITION).at_least(RAISED).and(old(POSITION).at_most(LOWERING));
    // The constants after a step are columns of their own.
    let same = all((0..CONSTANTS).map(|column| Term::column(COLUMNS + column).equals(old(column))));
    let relation = |step: Formula| {
        Relation::from_formula(COLUMNS, COLUMNS, &step.and(same.clone()).and(positions.clone()).and(axioms()))
    };
    steps.into_iter().map(relation).collect()
}

/// Where the schedule of the gate does not hold.
fn violation() -> Formula {
    let late = (0..TRACKS).map(|track| {
        let [train, last, _] = sensor(track);
        let since = (old(NOW) - old(last)) * SPEED;
        old(train).equals(1).and(since.at_least(old(TO_CROSSING) - old(RESPONSE) * SPEED))
    });
    let quiet = (0..TRACKS).map(|track| {
        let [train, last, _] = sensor(track);
        old(train).equals(0).and(old(last).equals(0).or((old(NOW) - old(last)).at_least(old(WAIT))))
    });
    any(late).and(old(POSITION).equals(LOWERED).negated()).or(all(quiet).and(old(POSITION).equals(RAISED).negated()))
}

/// What the search measures.
#[derive(Default)]
struct Measured {
    nodes: usize,
    images: u32,
    image_time: Duration,
    slowest: Duration,
    check_time: Duration,
    disjuncts: usize,
}

/// Depth-first search: the set of a node is checked where the next image is not empty.
fn search(states: &Set, layer: usize, steps: &[Relation], bad: &Set, measured: &mut Measured) -> Result<bool, Error> {
    for step in steps {
        measured.nodes += 1;
        if layer == 0 {
            continue;
        }
        let start = Instant::now();
        let next = step.image(states)?.coalesce()?;
        let time = start.elapsed();
        measured.images += 1;
        measured.image_time += time;
        measured.slowest = measured.slowest.max(time);
        measured.disjuncts = measured.disjuncts.max(next.disjuncts());
        if next.is_empty() {
            continue;
        }
        let start = Instant::now();
        let violated = !states.intersect(bad)?.is_empty();
        measured.check_time += start.elapsed();
        if violated || search(&next, layer - 1, steps, bad, measured)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn main() -> Result<(), Error> {
    let depth: usize = std::env::args().nth(1).and_then(|depth| depth.parse().ok()).unwrap_or(8);
    let start = Instant::now();
    let steps = steps()?;
    let bad = Set::from_formula(COLUMNS, &violation())?;
    let disjuncts: Vec<usize> = steps.iter().map(|step| step.pairs().disjuncts()).collect();
    println!("relations: {disjuncts:?} disjuncts in {:.2?}", start.elapsed());
    let start = Instant::now();
    let mut measured = Measured { nodes: 1, ..Measured::default() };
    let initial = Set::from_formula(COLUMNS, &initial())?;
    let violated = search(&initial, depth.saturating_sub(2), &steps, &bad, &mut measured)?;
    let Measured { nodes, images, image_time, slowest, check_time, disjuncts } = measured;
    println!("depth {depth}: {nodes} nodes, violated: {violated}, in {:.2?}", start.elapsed());
    let mean = |time: Duration| time / images.max(1);
    println!("images: {images}, mean {:.2?}, slowest {slowest:.2?}, at most {disjuncts} disjuncts", mean(image_time));
    println!("checks: mean {:.2?}", mean(check_time));
    Ok(())
}
