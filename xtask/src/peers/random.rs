//! `cargo xtask peers --random N`: random Promela programs.

use std::io;
use std::time::Duration;

use lurcher_lab::peers::Header;
use lurcher_lab::peers::spin::NoResult;

use super::case::{Case, Limits, Tools};
use super::compare::{self, Difference, Row, Tally};
use crate::campaign::{Campaign, Compared, census, spread, tally};
use crate::random::ast::Program;
use crate::random::{SIGNS, generate, shrink};
use crate::shrink::Pass;

const LIMITS: Limits =
    Limits { time: Duration::from_secs(4), depth: 400_000, vector: 20_000, memory: 512, states: 200_000, hash: 16 };
/// Time to confirm a difference with GCC.
const CONFIRMING: Limits = Limits { time: Duration::from_secs(16), ..LIMITS };

/// Spin and lurcher on random Promela programs.
pub struct RandomPromela<'t> {
    pub tools: &'t Tools,
    /// Full channels lose messages.
    pub loss: bool,
}

impl RandomPromela<'_> {
    fn case(&self, index: u64, program: &Program, limits: &'static Limits) -> io::Result<Case<'_>> {
        let mut case = Case::of_text(&program.to_string(), self.tools, limits)?.with_message_loss(self.loss);
        case.minimise = is_minimised(index);
        Ok(case)
    }
}

/// Every fourth program has its traces minimised; minimising all of them takes too long.
fn is_minimised(index: u64) -> bool {
    index.is_multiple_of(4)
}

impl Campaign for RandomPromela<'_> {
    type Program = Program;
    type Outcome = Result<Vec<Row>, NoResult>;
    type Difference = Difference;
    const FOLDER: &'static str = "peers-failures";
    const EXTENSION: &'static str = "pml";
    const TRIALS: usize = 1200;
    const PASSES: &'static [Pass<Program>] = shrink::PASSES;

    fn generate(&self, seed: u64, index: u64) -> Program {
        generate::program(seed, index)
    }

    /// Compares with the fast compiler; a difference counts when GCC's `pan` shows it too.
    fn compare(&self, index: u64, program: &Program) -> Self::Outcome {
        let header = Header::default();
        let rows = compare::compare(&mut self.case(index, program, &LIMITS)?, &header, None)?;
        let differing = compare::differences(&rows).next().map(|difference| difference.property().to_owned());
        if differing.is_none() || self.tools.spin.tcc.is_none() {
            return Ok(rows);
        }
        compare::compare(&mut self.case(index, program, &CONFIRMING)?.with_gcc(), &header, differing.as_deref())
    }

    fn difference(&self, outcome: &Self::Outcome) -> Option<Difference> {
        compare::differences(outcome.as_ref().ok()?).next().cloned()
    }

    fn reproduce(&self, index: u64, program: &Program, wanted: &Difference, exact: bool) -> Option<Difference> {
        let case = self.case(index, program, &LIMITS).ok()?;
        let mut case = if exact { case.with_gcc() } else { case };
        let rows = compare::compare(&mut case, &Header::default(), Some(wanted.property())).ok()?;
        compare::differences(&rows).find(|difference| difference.resembles(wanted)).cloned()
    }

    fn report(&self, compared: &[Compared<Self>], elapsed: Duration) {
        let useful: Vec<(&Compared<Self>, &Vec<Row>)> =
            compared.iter().filter_map(|one| Some((one, one.outcome.as_ref().ok()?))).collect();
        println!("{} programs in {:.0} s, {} useful", compared.len(), elapsed.as_secs_f64(), useful.len());
        let useless = compared.iter().filter_map(|one| one.outcome.as_ref().err());
        tally(useless.map(sort_of)).iter().for_each(|(reason, count)| println!("  {count} {reason}"));
        let all = |minimised: bool, safety: Option<bool>| {
            let chosen = useful.iter().filter(move |(one, _)| !minimised || is_minimised(one.index));
            let rows = chosen.flat_map(|(_, rows)| rows.iter());
            rows.filter(move |row| safety.is_none_or(|safety| (row.property == "safety") == safety))
        };
        for (name, safety) in [("safety", true), ("claims and progress", false)] {
            let (hold, violated): (Vec<&Row>, Vec<&Row>) = all(false, Some(safety)).partition(|row| row.spin.holds());
            println!("{name}: {} hold, {} violated", hold.len(), violated.len());
        }
        println!("stored states: {}", spread(useful.iter().filter_map(|(_, rows)| rows.first()?.stored).collect()));
        let ours = |minimised, safety| all(minimised, safety).map(|row| row.ours).sum::<Tally>();
        let theirs: Tally = all(false, None).map(|row| row.theirs).sum();
        println!("trails: {} of ours followed by Spin, {theirs} of Spin's by lurcher", ours(false, None));
        let (safety, claims) = (ours(true, Some(true)), ours(true, Some(false)));
        println!("minimised, among ours: {safety} of safety, {claims} of claims and progress");
        let texts: Vec<String> = useful.iter().map(|(one, _)| one.program.to_string()).collect();
        println!("constructs: {}", census(SIGNS, &texts));
    }
}

/// A reason without the details of one program.
fn sort_of(reason: &NoResult) -> String {
    let words = reason.to_string();
    let words = words.rsplit_once("Error: ").map_or(words.as_str(), |(_, rest)| rest);
    words.split(['(', '\'', '\t']).next().unwrap_or(words).trim().to_owned()
}
