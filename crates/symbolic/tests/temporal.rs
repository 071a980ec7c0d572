//! CTL and fair runs on tiny relations, against brute force over explicit graphs.

mod tiny;

use lurcher_ir::relation::Relation;
use lurcher_ir::{Ctl, TimeBounds};
use lurcher_symbolic::{CtlChecker, Encoding, Ground, Trace};
use tiny::{MOMENT, Random, STATE, World};

/// An explicit graph of moments, with the evaluator that the symbolic one is held against.
struct Graph<'w, 'r> {
    world: &'w World<'r>,
    relation: &'r Relation,
    /// The state of each moment, by number.
    state: Vec<usize>,
    states: usize,
}

type Moments = Vec<bool>;

impl<'w, 'r> Graph<'w, 'r> {
    fn new(world: &'w World<'r>, relation: &'r Relation) -> Self {
        let mut known: Vec<Vec<i64>> = Vec::new();
        let mut state = Vec::new();
        for v in 0..world.all.len() {
            let key = world.state_of(relation, v);
            let at = known.iter().position(|k| *k == key).unwrap_or_else(|| {
                known.push(key);
                known.len() - 1
            });
            state.push(at);
        }
        Graph { world, relation, state, states: known.len() }
    }

    fn moments(&self) -> std::ops::Range<usize> {
        0..self.world.all.len()
    }

    /// Moments of states.
    fn of(&self, states: &[bool]) -> Moments {
        self.moments().map(|m| self.world.states[m] && states[self.state[m]]).collect()
    }

    /// States of moments.
    fn states_of(&self, moments: &Moments) -> Vec<bool> {
        let mut states = vec![false; self.states];
        self.moments().filter(|&m| moments[m]).for_each(|m| states[self.state[m]] = true);
        states
    }

    /// reach[a][b]: a way of at least one step from a to b inside a set.
    fn ways(&self, within: &Moments) -> Vec<Vec<bool>> {
        let count = self.world.all.len();
        let mut ways = vec![vec![false; count]; count];
        for a in self.moments().filter(|&a| within[a]) {
            self.world.after[a].iter().filter(|&&b| within[b]).for_each(|&b| ways[a][b] = true);
        }
        for via in 0..count {
            for a in 0..count {
                if ways[a][via] {
                    let on = ways[via].clone();
                    ways[a].iter_mut().zip(on).for_each(|(way, on)| *way |= on);
                }
            }
        }
        ways
    }

    /// Moments from where a fair run stays inside a set: components are found, and those that fail a demand of
    /// compassion searched again without what triggers it.
    fn fair(&self, within: &Moments, compassion: bool) -> Moments {
        let ways = self.ways(within);
        let mut good = vec![false; within.len()];
        for m in self.moments().filter(|&m| ways[m][m]) {
            let component: Moments = self.moments().map(|n| ways[m][n] && ways[n][m]).collect();
            if self.component_is_fair(&component, compassion) {
                good[m] = true;
            }
        }
        let leads = |m: usize| self.moments().any(|n| good[n] && ways[m][n]);
        self.moments().map(|m| within[m] && (good[m] || leads(m))).collect()
    }

    fn component_is_fair(&self, component: &Moments, compassion: bool) -> bool {
        let holds = |term, m: usize| self.world.oracle.holds(term, &self.world.all[m]);
        let meets = |term| self.moments().any(|m| component[m] && holds(term, m));
        if !self.relation.justice.iter().all(|&j| meets(j)) {
            return false;
        }
        let failed = self.relation.compassion.iter().find(|&&(p, q)| compassion && meets(p) && !meets(q));
        match failed {
            None => true,
            Some(&(p, _)) => {
                let left: Moments = self.moments().map(|m| component[m] && !holds(p, m)).collect();
                self.fair(&left, compassion).iter().any(|&m| m)
            }
        }
    }

    fn next(&self, states: &[bool]) -> Vec<bool> {
        let fair = self.fair_states();
        let goal = |m: &usize| states[self.state[*m]] && fair[self.state[*m]];
        let moments: Moments = self.moments().map(|m| self.world.after[m].iter().any(&goal)).collect();
        self.states_of(&moments)
    }

    fn fair_states(&self) -> Vec<bool> {
        self.states_of(&self.fair(&self.of(&vec![true; self.states]), false))
    }

    fn eval(&self, formula: &Ctl) -> Vec<bool> {
        let both = |a: &[bool], b: &[bool]| -> Vec<bool> { a.iter().zip(b).map(|(a, b)| *a && *b).collect() };
        let either = |a: &[bool], b: &[bool]| -> Vec<bool> { a.iter().zip(b).map(|(a, b)| *a || *b).collect() };
        match formula {
            Ctl::Atom(term) => {
                let truth = self.moments().map(|m| self.world.oracle.holds(*term, &self.world.all[m])).collect();
                self.states_of(&truth)
            }
            Ctl::Not(a) => self.eval(a).iter().map(|a| !a).collect(),
            Ctl::And(a, b) => both(&self.eval(a), &self.eval(b)),
            Ctl::Or(a, b) => either(&self.eval(a), &self.eval(b)),
            Ctl::ExistsNext(a) => self.next(&self.eval(a)),
            Ctl::ExistsGlobally(a) => self.states_of(&self.fair(&self.of(&self.eval(a)), false)),
            Ctl::ExistsUntil(a, b) => {
                let a = self.eval(a);
                let mut states = both(&self.eval(b), &self.fair_states());
                for _ in 0..self.states {
                    states = either(&states, &both(&a, &self.next(&states)));
                }
                states
            }
            // By the distance from here, straight from the definition.
            Ctl::ExistsGloballyWithin(bounds, a) => {
                let a = self.eval(a);
                let mut states = self.fair_states();
                for distance in (0..=bounds.high).rev() {
                    if distance < bounds.high {
                        states = self.next(&states);
                    }
                    if distance >= bounds.low {
                        states = both(&states, &a);
                    }
                }
                states
            }
            Ctl::ExistsUntilWithin(bounds, a, b) => {
                let (a, b) = (self.eval(a), both(&self.eval(b), &self.fair_states()));
                let exactly = |distance: u32| (0..distance).fold(b.clone(), |states, _| both(&a, &self.next(&states)));
                (bounds.low..=bounds.high).map(exactly).fold(vec![false; self.states], |x, y| either(&x, &y))
            }
        }
    }
}

fn formula(random: &mut Random, relation: &mut Relation, depth: usize) -> Ctl {
    if depth == 0 {
        return Ctl::Atom(tiny::test(random, relation, STATE, 1));
    }
    let low = random.below(3) as u32;
    let bounds = TimeBounds { low, high: low + random.below(3) as u32 };
    let mut part = |random: &mut Random| Box::new(formula(random, relation, depth - 1));
    match random.below(9) {
        0 | 1 => Ctl::Not(part(random)),
        2 => Ctl::And(part(random), part(random)),
        3 => Ctl::Or(part(random), part(random)),
        4 => Ctl::ExistsNext(part(random)),
        5 => Ctl::ExistsGlobally(part(random)),
        6 => Ctl::ExistsUntil(part(random), part(random)),
        7 => Ctl::ExistsGloballyWithin(bounds, part(random)),
        _ => Ctl::ExistsUntilWithin(bounds, part(random), part(random)),
    }
}

fn assert_runs(world: &World<'_>, trace: &Trace, what: &str) {
    assert!(world.oracle.is_initial(&trace.states[0]), "{what}");
    let mut states = trace.states.clone();
    states.extend(trace.cycle_start.map(|start| trace.states[start].clone()));
    for pair in states.windows(2) {
        assert!(world.oracle.steps(&pair[0], &pair[1]).next().is_some(), "{what}: {pair:?}");
    }
}

/// Does the cycle of a lasso meet every demand?
fn assert_fair(relation: &Relation, world: &World<'_>, trace: &Trace, compassion: bool, what: &str) {
    let cycle = &trace.states[trace.cycle_start.expect("a lasso")..];
    let meets = |term| cycle.iter().any(|s| world.oracle.holds(term, s));
    assert!(relation.justice.iter().all(|&j| meets(j)), "{what}: unjust");
    assert!(!compassion || relation.compassion.iter().all(|&(p, q)| !meets(p) || meets(q)), "{what}: no compassion");
}

fn with_demands(random: &mut Random, relation: &mut Relation) {
    for _ in 0..random.below(3) {
        let term = tiny::test(random, relation, MOMENT, 2);
        relation.justice.push(term);
    }
    for _ in 0..random.below(3) {
        let pair = (tiny::test(random, relation, MOMENT, 2), tiny::test(random, relation, MOMENT, 2));
        relation.compassion.push(pair);
    }
}

#[test]
fn ctl_agrees_with_brute_force() {
    let (mut holding, mut failing, mut shown) = (0, 0, 0);
    for seed in 0..300 {
        let mut random = Random(seed);
        let mut relation = tiny::relation(&mut random, 24);
        with_demands(&mut random, &mut relation);
        let formulas: Vec<Ctl> = (0..8).map(|i| formula(&mut random, &mut relation, 1 + i % 3)).collect();
        let world = World::new(&relation);
        let graph = Graph::new(&world, &relation);
        let encoding = Encoding::new(&relation, &tiny::budget()).expect("within the budget");
        let checker = CtlChecker::new(&encoding, Ground::find(&encoding, None, &mut ()).expect("within the budget"));
        let fair = graph.fair_states();
        for formula in formulas {
            let what = format!("seed {seed}, {formula:?}");
            let truth = graph.eval(&formula);
            let states = checker.states(&formula).unwrap();
            let distances = world.distances();
            for m in graph.moments().filter(|&m| distances[m].is_some() && fair[graph.state[m]]) {
                assert_eq!(encoding.holds(&states, &world.all[m]), truth[graph.state[m]], "{what}");
            }
            let answer = checker.check(&formula).unwrap();
            let begin = |m: &usize| world.initial[*m] && fair[graph.state[*m]];
            assert_eq!(answer.holds, graph.moments().filter(begin).all(|m| truth[graph.state[m]]), "{what}");
            if answer.holds {
                holding += 1;
                continue;
            }
            failing += 1;
            let witness = answer.counterexample.expect("what is violated is shown");
            assert_runs(&world, &witness.trace, &what);
            let first = world.all.iter().position(|v| *v == witness.trace.states[0]).unwrap();
            assert!(!truth[graph.state[first]], "{what}");
            shown += u32::from(witness.complete);
            if witness.trace.cycle_start.is_some() {
                assert_fair(&relation, &world, &witness.trace, false, &what);
            }
        }
    }
    assert!(holding > 300 && failing > 300 && shown > 150, "{holding}, {failing}, {shown}");
}

#[test]
fn always_and_eventually_have_the_traces_people_expect() {
    let (mut paths, mut lassos) = (0, 0);
    for seed in 0..200 {
        let mut random = Random(seed);
        let mut relation = tiny::relation(&mut random, 24);
        let atom = Ctl::Atom(tiny::test(&mut random, &mut relation, STATE, 1));
        let truth = Ctl::Atom(relation.terms.truth(true));
        let not = |a: Ctl| Ctl::Not(Box::new(a));
        let always = not(Ctl::ExistsUntil(Box::new(truth), Box::new(not(atom.clone()))));
        let eventually = not(Ctl::ExistsGlobally(Box::new(not(atom.clone()))));
        let world = World::new(&relation);
        let encoding = Encoding::new(&relation, &tiny::budget()).expect("within the budget");
        let checker = CtlChecker::new(&encoding, Ground::find(&encoding, None, &mut ()).expect("within the budget"));
        let Ctl::Atom(atom) = atom else { unreachable!("it is one") };
        if let Some(shown) = checker.check(&always).unwrap().counterexample {
            assert!(shown.complete && shown.trace.cycle_start.is_none());
            assert!(!world.oracle.holds(atom, shown.trace.states.last().unwrap()));
            assert_runs(&world, &shown.trace, "always");
            paths += 1;
        }
        if let Some(shown) = checker.check(&eventually).unwrap().counterexample {
            assert!(shown.complete && shown.trace.cycle_start.is_some());
            assert!(shown.trace.states.iter().all(|s| !world.oracle.holds(atom, s)));
            assert_runs(&world, &shown.trace, "eventually");
            lassos += 1;
        }
    }
    assert!(paths > 40 && lassos > 20, "{paths} and {lassos}");
}

#[test]
fn fair_runs_are_found_where_brute_force_finds_one() {
    let (mut some, mut none) = (0, 0);
    for seed in 0..500 {
        let mut random = Random(1000 + seed);
        let mut relation = tiny::relation(&mut random, 24);
        with_demands(&mut random, &mut relation);
        let world = World::new(&relation);
        let graph = Graph::new(&world, &relation);
        let encoding = Encoding::new(&relation, &tiny::budget()).expect("within the budget");
        let fair = graph.fair(&graph.of(&vec![true; graph.states]), true);
        let expected = graph.moments().any(|m| world.initial[m] && fair[m]);
        let found = encoding.fair_run(&mut ()).expect("within the budget");
        assert_eq!(found.is_some(), expected, "seed {seed}");
        *if expected { &mut some } else { &mut none } += 1;
        if let Some(trace) = found {
            let what = format!("seed {seed}");
            assert_runs(&world, &trace, &what);
            assert_fair(&relation, &world, &trace, true, &what);
        }
    }
    assert!(some > 100 && none > 50, "{some} and {none}");
}
