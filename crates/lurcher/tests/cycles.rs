//! Searches for accepting cycles agree with each other and with the headers of all models.

mod support;

use lurcher::Question;
use lurcher::engines::{EngineError, Report, Verdict};
use lurcher_ir::Property;
use lurcher_search::Stats;

use support::{Setup, claim, header, name, open, promela, promela_models, relation, resolve, safety, smv_models};

/// The engines, with the options that they are run with.
const ENGINES: [(&str, &str); 5] = [
    ("ndfs", ""),
    ("indfs", ""),
    ("astar-indfs", "guide=none"),
    ("astar-indfs", "guide=local-distance-sum"),
    ("astar-indfs", "guide=local-distance-max weight=5"),
];

fn report(setup: &Setup, model: &lurcher::Model, property: &Property) -> Option<Report> {
    match setup.check(model, std::slice::from_ref(property)) {
        Ok(mut reports) => Some(reports.remove(0)),
        Err(EngineError::Heuristic(..)) => None,
        Err(error) => panic!("{}: {error}", setup.engine),
    }
}

#[test]
fn every_search_for_cycles_gives_the_verdicts_of_the_headers() {
    let (mut wrong, mut checked) = (Vec::new(), [0; ENGINES.len()]);
    for path in promela_models() {
        let model = open(&path);
        for (key, verdict) in &header(&path) {
            let Some((property, fair)) = claim(&model, key) else { continue };
            for (at, (engine, options)) in ENGINES.into_iter().enumerate() {
                for reduction in ["none", "auto"] {
                    let setup = Setup::hunt(engine, &format!("reduction={reduction} {options}"));
                    let Some(report) = report(&Setup { fair, ..setup }, &model, &property) else { continue };
                    checked[at] += 1;
                    if report.verdict.name() != verdict {
                        let verdict = report.verdict.name();
                        wrong.push(format!("{} {key} by {engine} {options} {reduction}: {verdict}", name(&path)));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(checked.iter().all(|&n| n >= 100), "{checked:?}");
}

#[test]
fn a_property_that_holds_takes_as_many_states_and_no_more_expansions() {
    let (mut fewer, mut same) = (0, 0);
    for path in promela_models() {
        let model = open(&path);
        for (key, verdict) in &header(&path) {
            let Some((property, fair)) = claim(&model, key).filter(|_| verdict == "holds") else { continue };
            let stats = |engine, options: &str| -> Option<Stats> {
                let setup = Setup { fair, ..Setup::hunt(engine, &format!("reduction=none {options}")) };
                Some(report(&setup, &model, &property)?.stats)
            };
            let nested = stats("ndfs", "").expect("no guide is needed");
            let partial = stats("indfs", "").expect("no guide is needed");
            let who = format!("{} {key}", name(&path));
            assert_eq!(partial.stored, nested.stored, "{who}");
            assert!(partial.expanded <= nested.expanded && partial.transitions <= nested.transitions, "{who}");
            if partial.expanded < nested.expanded {
                fewer += 1
            } else {
                same += 1
            }
            let directed = stats("astar-indfs", "guide=none").expect("no guide is needed");
            assert_eq!(directed.stored, nested.stored, "{who} by astar-indfs");
        }
    }
    assert!(fewer >= 5 && same >= 5, "{fewer} with fewer expansions, {same} with as many");
}

/// The expansions of the three searches for one formula on a model.
fn expansions(text: &str, formula: &str) -> [Report; 3] {
    let mut model = promela(&format!("{text} ltl p {{ {formula} }}"));
    let property = resolve(&mut model, Question::Named("p".to_owned()));
    ["ndfs", "indfs", "astar-indfs"].map(|engine| {
        let options = if engine == "astar-indfs" { "guide=local-distance-sum" } else { "" };
        Setup::hunt(engine, &format!("reduction=none {options}")).report(&model, &property)
    })
}

#[test]
fn a_fully_accepting_claim_is_searched_once() {
    // Every state before x is 5 is accepting, and none lies on a cycle.
    let counter = "byte x; active proctype P() { do :: x < 9 -> x++ :: x == 9 -> break od }";
    let [nested, partial, _] = expansions(counter, "<> (x == 5)");
    assert_eq!((nested.verdict, partial.verdict), (Verdict::Holds, Verdict::Holds));
    assert_eq!(partial.stats.expanded * 2, nested.stats.expanded, "the second search repeats the first");
}

#[test]
fn a_response_that_fails_is_found_by_a_search_that_goes_straight_there() {
    // A hundred idle rounds before each request, and one of the two answers does not come.
    let text = "byte idle; bool asked, answered;
        active proctype Server() { do
            :: idle < 100 -> idle++
            :: idle == 100 -> idle = 0; asked = true;
               if :: answered = true; asked = false; answered = false :: do :: asked -> skip od fi
        od }";
    let [nested, partial, directed] = expansions(text, "[] (asked -> <> answered)");
    for report in [&nested, &partial, &directed] {
        assert_eq!(report.verdict, Verdict::Violated);
        assert!(report.counterexamples[0].trace.cycle_start().is_some());
    }
    assert!(directed.stats.expanded <= nested.stats.expanded, "{} {}", directed.stats.expanded, nested.stats.expanded);
}

#[test]
fn a_cycle_inside_atomic_does_not_hide_an_accepting_one() {
    // The claim stands still inside `atomic`, so the loop of n1 and n2 is not accepting; the one by way of n3 is, and is
    // closed at a node that was left before.
    let text = "active proctype P() {
            atomic { skip; n1: if :: skip; n2: skip; goto n1 :: skip; goto n3 fi };
            n3: skip; goto n2
        }
        never { accept: do :: true od }";
    let mut model = promela(text);
    let never = resolve(&mut model, Question::Named("never".to_owned()));
    for (engine, options) in ENGINES {
        let Some(report) = report(&Setup::hunt(engine, options), &model, &never) else { continue };
        assert_eq!(report.verdict, Verdict::Violated, "{engine} {options}");
    }
    let endless = text.replace("goto n3 fi", "goto n1 fi").replace("n3: skip; goto n2", "skip");
    let mut model = promela(&endless);
    let never = resolve(&mut model, Question::Named("never".to_owned()));
    for (engine, options) in ENGINES {
        let Some(report) = report(&Setup::hunt(engine, options), &model, &never) else { continue };
        assert_eq!(report.verdict, Verdict::Holds, "{engine} {options}: the claim never moves again");
    }
}

#[test]
fn states_and_relations_are_refused_in_a_sentence() {
    let model = promela("active proctype P() { skip }");
    let relational = smv_models().into_iter().map(|path| open(&path)).find(|m| !relation(m).properties.is_empty());
    let relational = relational.expect("an SMV model with a property");
    for engine in ["ndfs", "indfs", "astar-indfs"] {
        let refused = Setup::hunt(engine, "").check(&model, &[safety()]).expect_err("it is about states").to_string();
        assert!(refused.contains("not for bad states"), "{engine}: {refused}");
        let property = relation(&relational).properties[0].clone();
        let refused = Setup::hunt(engine, "").check(&relational, &[property]).expect_err("a relation").to_string();
        assert!(refused.contains("fair runs of relations"), "{engine}: {refused}");
    }
}
