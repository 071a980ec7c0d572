//! Threads, slices of walk numbers and interruptions do not change the result of a hunt.

mod support;

use serde_json::{Value, json};

use support::{errors, lurcher, model, scratch};

/// Runs a hunt; returns its JSON without times and memory.
fn hunt(args: &[&str]) -> Value {
    let mut object = support::json(&lurcher(&[&["hunt"], args, &["--json"]].concat()));
    remove_times(&mut object);
    object
}

fn remove_times(value: &mut Value) {
    if let Some(object) = value.as_object_mut() {
        object.remove("time");
        object.remove("memory_bytes");
        object.values_mut().for_each(remove_times);
    } else if let Some(list) = value.as_array_mut() {
        list.iter_mut().for_each(remove_times);
    }
}

#[test]
fn any_number_of_threads_gives_the_same_violation_and_the_same_trace() {
    let peterson = model("peterson-n-flawed.pml");
    let philosophers = model("philosophers.pml");
    let runs: [&[&str]; 4] = [
        &[&peterson, "--seed", "3"],
        &[&philosophers, "--define", "N=40", "--seed", "4"],
        &[&peterson, "--engine", "walk", "--depth", "100", "--walks", "5000"],
        &[&peterson, "--engine", "trail", "--depth", "60", "--walks", "5000", "--seed", "9"],
    ];
    for args in runs {
        let file = |jobs: &str| scratch(&format!("threads-{jobs}.json"));
        let run = |jobs: &str| {
            let path = file(jobs).display().to_string();
            let mut object = hunt(&[args, &["--jobs", jobs, "--trace", &path]].concat());
            object["trace"]["file"] = Value::Null;
            (object, std::fs::read_to_string(path).expect("a trace"))
        };
        let one = run("1");
        assert_eq!(one.0["verdict"], "violated");
        for jobs in ["2", "8"] {
            assert_eq!(one, run(jobs), "{args:?} with {jobs} threads");
        }
    }
}

#[test]
fn slices_of_walk_numbers_make_up_the_whole() {
    let peterson = model("peterson-n-flawed.pml");
    let slice = |from: &str, to: &str| {
        let range = ["--walks-from", from, "--walks-to", to];
        hunt(&[&[&*peterson, "--engine", "walk", "--depth", "50", "--no-minimise"], &range[..]].concat())
    };
    let whole = slice("0", "4000");
    let found = whole["hunt"]["unit"].as_u64().expect("something is found");
    let (before, behind) = (found.to_string(), (found + 1).to_string());
    assert_eq!(slice("0", &before)["verdict"], "inconclusive");
    let alone = slice(&before, &behind);
    assert_eq!(alone["hunt"]["unit"], json!(found));
    assert_eq!(alone["trace"], whole["trace"]);
    let middle = (found / 2).to_string();
    assert_eq!(slice(&middle, "4000")["trace"], whole["trace"]);
}

#[test]
fn a_hunt_that_is_resumed_ends_as_if_it_had_not_been_interrupted() {
    let ring = model("leader-ring.pml");
    let path = scratch("saved.json").display().to_string();
    let again = scratch("saved-again.json").display().to_string();
    let base: &[&str] = &[&ring, "--define", "N=6", "--no-claims", "--seed", "11"];
    for walks in [["70", "71", "300"], ["1", "16", "500"]] {
        let whole = hunt(&[base, &["--walks", walks[2]]].concat());
        assert_eq!(whole["verdict"], "inconclusive");
        hunt(&[base, &["--walks", walks[0], "--save", &path, "--jobs", "2"]].concat());
        hunt(&[base, &["--walks", walks[1], "--resume", &path, "--save", &again, "--jobs", "1"]].concat());
        assert_eq!(hunt(&[base, &["--walks", walks[2], "--resume", &again]].concat()), whole);
    }
}

/// A counter that walks have to step through, and a product without a small BDD.
const NUMBERS: &str = "MODULE main
VAR x : word[12]; y : word[12]; z : word[12];
ASSIGN
  init(x) := 0ud12_1; init(y) := 0ud12_7; init(z) := 0ud12_0;
  next(x) := x * 0ud12_5 + y; next(y) := (y xor (x >> 3)) + z; next(z) := z + 0ud12_1;
INVARSPEC NAME never := !(x * y = 0ud12_4093 & z * x = 0ud12_4091 & x * x + y * z = 0ud12_17)
LTLSPEC NAME product := G (x * y = 0ud12_4093 -> X z * x != 0ud12_4091)
IVAR free : boolean;
TRANS free | next(z) != z
";

#[test]
fn a_hunt_in_a_relation_that_is_resumed_ends_as_if_it_had_not_been_interrupted() {
    let file = scratch("numbers.smv");
    std::fs::write(&file, NUMBERS).expect("a scratch file");
    let file = file.display().to_string();
    let path = scratch("saved-relation.json").display().to_string();
    let again = scratch("saved-relation-again.json").display().to_string();
    let never: &[&str] = &["--property", "never"];
    let (some, few) = (["70", "71", "300"], ["1", "16", "200"]);
    let trail: &[&str] = &["--engine", "trail", "--depth", "300"];
    for (engine, walks) in [(&["--engine", "walk"][..], some), (trail, few), (never, some), (&[], few)] {
        let base = [&[&file, "--seed", "11", "--memory", "8M"], engine].concat();
        let whole = hunt(&[&base[..], &["--walks", walks[2]]].concat());
        assert_eq!(whole["verdict"], "inconclusive", "{engine:?}");
        hunt(&[&base[..], &["--walks", walks[0], "--save", &path, "--jobs", "2"]].concat());
        hunt(&[&base[..], &["--walks", walks[1], "--resume", &path, "--save", &again, "--jobs", "1"]].concat());
        assert_eq!(hunt(&[&base[..], &["--walks", walks[2], "--resume", &again]].concat()), whole, "{engine:?}");
    }
    let other = ["hunt", &file, "--engine", "walk", "--walks", "40", "--seed", "12", "--resume", &path];
    let output = lurcher(&other);
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("cannot be resumed"));
}

/// Independent processes: many states, small BDDs.
const TOGGLES: &str = "
bit on[12];
active [12] proctype Toggle() {
  do
  :: on[_pid] == 0 -> on[_pid] = 1
  :: on[_pid] == 1 -> on[_pid] = 0
  od
}
active proctype Watch() {
  bit seen;
  do
  :: seen = on[0]; assert(seen <= 1)
  od
}
";

#[test]
fn bdds_prove_a_property_in_a_long_hunt_with_a_time_limit() {
    let file = scratch("toggles.pml");
    std::fs::write(&file, TOGGLES).expect("a scratch file");
    let file = file.display().to_string();
    // The time limit is generous; the hunt ends when BDDs have proved the property.
    let proved = hunt(&[&file, "--guide", "none", "--time", "10min"]);
    assert_eq!((&proved["verdict"], &proved["engine"]), (&json!("holds"), &json!("bdd")), "{proved}");
    assert_eq!(proved["states"]["stored"], 1u64 << 26);
    assert!(proved["walks"].as_u64() > Some(100), "{proved}");
    // With a limit on walks, engines that depend on the speed of the machine are not used.
    let counted = hunt(&[&file, "--guide", "none", "--walks", "3500"]);
    assert_eq!(counted["verdict"], "inconclusive", "{counted}");
    assert!(counted["steps"].as_u64() > proved["steps"].as_u64(), "{counted}");
}

#[test]
fn a_hunt_that_was_saved_with_other_options_is_not_resumed() {
    let ring = model("leader-ring.pml");
    let path = scratch("other.json").display().to_string();
    hunt(&[&ring, "--define", "N=6", "--no-claims", "--walks", "20", "--save", &path]);
    let other = ["hunt", &ring, "--define", "N=7", "--no-claims", "--walks", "40", "--resume", &path];
    let output = lurcher(&other);
    assert_eq!(output.status.code(), Some(2));
    let said = errors(&output);
    assert!(said.contains("cannot be resumed"), "{said}");
    std::fs::write(&path, "{\"version\": 1}").expect("a scratch file");
    let output = lurcher(&other);
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("saved in form 1; this version reads form 5"));
}

#[test]
fn a_hunt_that_finds_nothing_reports_bounds() {
    let object = hunt(&[&model("leader-ring.pml"), "--define", "N=7", "--no-claims", "--walks", "400"]);
    assert_eq!(object["verdict"], "inconclusive");
    assert_eq!(object["stop_reason"], "walks");
    assert_eq!(object["complete"], false);
    let hunted = &object["hunt"];
    assert!(hunted["distinct_states"].as_u64() > Some(100));
    assert!(hunted["new_state_probability"].as_f64().is_some_and(|p| (0.0..=1.0).contains(&p)));
    let bound = &hunted["bounds"][0];
    let (walks, probability) = (bound["walks"].as_f64().expect("walks"), bound["probability"].as_f64().expect("p"));
    assert!((1.0 - (1.0 - probability).powf(walks) - 0.95).abs() < 1e-9);
    assert!(object["unreached"].is_array());
}

#[test]
fn the_table_of_states_seen_counts_against_the_memory() {
    let object =
        hunt(&[&model("leader-ring.pml"), "--define", "N=8", "--no-claims", "--memory", "50K", "--time", "20s"]);
    assert_eq!((&object["verdict"], &object["stop_reason"]), (&json!("inconclusive"), &json!("memory")));
    assert!(object["walks"].as_u64() > Some(0), "what was walked until then is told");
}
