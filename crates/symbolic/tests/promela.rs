//! Every model of `models/promela` that can be translated: as many states as its header says, and its verdict; and each
//! state is one of the relation.

use std::collections::HashSet;
use std::path::Path;
use std::time::{Duration, Instant};

use lurcher_ir::{LocationId, Model};
use lurcher_promela::parse::{DiskReader, Options};
use lurcher_search::Budget;
use lurcher_symbolic::processes::translate;
use lurcher_symbolic::{Encoding, Stoppable, deep};
use lurcher_syntax::SourceMap;
use lurcher_system::{Interpreter, Limits, ProcessId, State};

fn header<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let end = text.find("*/").expect("a model starts with a comment");
    let line = |l: &'t str| l.trim().trim_start_matches('*').trim().strip_prefix(key)?.strip_prefix(": ");
    text[..end].lines().find_map(line).map(str::trim)
}

fn load(path: &Path) -> Model {
    let mut sources = SourceMap::new();
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path).expect("a model is readable");
    let file = sources.add(name, text);
    let parsed = lurcher_promela::parse::parse(&mut sources, file, &Options::default(), &DiskReader);
    let program = parsed.program;
    lurcher_promela::lower(&sources, &program).0.expect("the models are right").model
}

/// Models that take no time. `MODEL=name` and `MODEL=all` run others; `SECONDS` is the time for each.
const QUICK: [&str; 34] = [
    "alternating-bit",
    "alternating-bit-flawed",
    "alternating-bit-lossy",
    "atomic-blocked",
    "atomic-handover",
    "atomic-not-returned",
    "bakery-overflow",
    "bank-transfer",
    "barber-shop",
    "bit-decoder",
    "bounded-retransmission",
    "cache-coherence",
    "call-unless-busy",
    "cigarette-smokers",
    "d-step-sort",
    "dead-reply-channel",
    "dekker",
    "dice-select",
    "feature-switches",
    "flow-gauges",
    "grant-never-accept",
    "interrupt-unless",
    "mutex-flawed",
    "needham-schroeder",
    "peterson",
    "philosophers",
    "polling-accept-label",
    "readers-writers",
    "remote-view",
    "reorder",
    "ring-buffer-overrun",
    "river-crossing",
    "round-robin-provided",
    "sliding-window",
];

/// What is found of a model: stored states, whether one is stuck, whether a step goes wrong.
struct Found {
    stored: u128,
    violated: bool,
    beyond: bool,
}

fn explore(model: &Model, time: Duration) -> Result<Stoppable<Found>, String> {
    let translation = translate(model, &[]).map_err(|refusal| refusal.to_string())?;
    let problems = lurcher_ir::relation::check::check(&translation.relation);
    assert!(problems.is_empty(), "{problems:?}");
    let budget = Budget { deadline: Some(Instant::now() + time), memory: Some(192 << 20), ..Budget::default() };
    let search = || {
        let encoding = Encoding::new(&translation.relation, &budget)?;
        let reachable = encoding.reachable(&mut ())?;
        let k = encoding.kernel();
        let stored = k.and(&reachable, &encoding.truth(translation.stored)?)?;
        let mut violated = !k.disjoint(&reachable, &encoding.truth(translation.stuck)?)?;
        for violation in &translation.violations {
            violated |= !k.disjoint(&reachable, &encoding.truth(violation.condition)?)?;
        }
        let beyond = !k.disjoint(&reachable, &encoding.truth(translation.beyond)?)?;
        Ok(Found { stored: encoding.count(&stored).exact().unwrap_or(u128::MAX), violated, beyond })
    };
    Ok(deep(search))
}

#[test]
fn translated_models_have_the_states_and_verdicts_of_their_headers() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/promela");
    let mut files: Vec<_> = std::fs::read_dir(folder).expect("the models").map(|e| e.unwrap().path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "pml"));
    files.sort();
    let (mut wrong, mut agreed) = (Vec::new(), 0);
    for file in files {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let asked = match std::env::var("MODEL") {
            Ok(only) => only == name || only == "all",
            Err(_) => QUICK.contains(&name.as_str()),
        };
        if !asked {
            continue;
        }
        let text = std::fs::read_to_string(&file).expect("a model is readable");
        let start = Instant::now();
        let seconds = std::env::var("SECONDS").ok().and_then(|s| s.parse().ok()).unwrap_or(120);
        let found = match explore(&load(&file), Duration::from_secs(seconds)) {
            Err(refusal) => {
                println!("{name}: refused: {refusal}");
                continue;
            }
            Ok(Err(stop)) => {
                println!("{name}: stopped by {}", stop.name());
                assert!(!QUICK.contains(&name.as_str()), "{name}: stopped by {}", stop.name());
                continue;
            }
            Ok(Ok(found)) => found,
        };
        if found.beyond {
            println!("{name}: more processes than were seen");
            continue;
        }
        println!("{name}: {} states, {:.2} s", found.stored, start.elapsed().as_secs_f64());
        if let Some(stored) = header(&text, "stored").and_then(|s| s.parse::<u128>().ok())
            && stored != found.stored
        {
            wrong.push(format!("{name}: {} states, not {stored}", found.stored));
        }
        let verdict = header(&text, "expect").expect("a verdict");
        if (verdict == "violated") != found.violated {
            wrong.push(format!("{name}: it is {verdict}"));
        }
        agreed += 1;
    }
    println!("{agreed} models explored");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// All states that processes go through, with those inside atomic sequences; nothing when there are too many.
fn states(interpreter: &Interpreter<'_>, limit: usize) -> Option<Vec<State>> {
    let mut all = vec![interpreter.initial().ok()?];
    let mut known: HashSet<(Vec<u8>, Option<ProcessId>)> = HashSet::from([key(&all[0])]);
    let (mut next, mut moves) = (0, Vec::new());
    while next < all.len() {
        interpreter.moves(&all[next], &mut moves);
        for step in &moves {
            let mut after = all[next].clone();
            if interpreter.apply(&mut after, step).is_none() && known.insert(key(&after)) {
                all.push(after);
            }
        }
        next += 1;
        if all.len() > limit {
            return None;
        }
    }
    Some(all)
}

fn key(state: &State) -> (Vec<u8>, Option<ProcessId>) {
    (state.bytes().to_vec(), state.exclusive)
}

#[test]
fn every_state_of_the_processes_is_one_of_the_relation_and_no_two_are_the_same() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/promela");
    let mut compared = 0;
    for name in QUICK {
        let model = load(&folder.join(format!("{name}.pml")));
        let interpreter = Interpreter::new(&model, Limits::for_model(&model));
        let (Ok(translation), Some(states)) = (translate(&model, &[]), states(&interpreter, 20_000)) else { continue };
        let valuation = |state: &State| -> Vec<i64> {
            let value = |v| translation.map.value(interpreter.layout(), state, LocationId(0), v);
            translation.relation.variables().map(|(id, _)| value(id)).collect()
        };
        let valuations: HashSet<Vec<i64>> = states.iter().map(valuation).collect();
        assert_eq!(valuations.len(), states.len(), "{name}: states look the same");
        let strange = deep(|| {
            let encoding = Encoding::new(&translation.relation, &Budget::default()).expect("it fits");
            let reachable = encoding.reachable(&mut ()).expect("it fits");
            valuations.iter().find(|v| !encoding.holds(&reachable, v)).cloned()
        });
        assert_eq!(strange, None, "{name}: a state that the relation does not reach");
        compared += 1;
    }
    assert!(compared >= 25, "only {compared} models were compared");
}
