//! `analyze`, and guides that go through files.

mod support;

use serde_json::Value;

use support::{json, lurcher, model, scratch};

#[test]
fn analyze_tells_layers_participation_and_how_good_guides_are() {
    let output = lurcher(&["analyze", &model("mutex-flawed.pml"), "--property", "assertion", "--json"]);
    assert_eq!(output.status.code(), Some(0));
    let object = json(&output);
    assert_eq!(object["processes"], 3);
    let target = &object["targets"][0];
    assert_eq!((&target["target"], &target["static_pep"]), (&Value::from("assertion"), &Value::from(1.0)));
    assert!(target["layers"][0].as_array().is_some_and(|l| l.contains(&Value::from("inside"))));
    assert_eq!(target["sample"]["exact"], true);
    assert_eq!(target["sample"]["distance"], 9);
    let guides = target["guides"].as_array().expect("guides");
    assert_eq!(guides.len(), lurcher_heuristics::registry::HEURISTICS.len());
    let abstraction = guides.iter().find(|g| g["name"] == "abstraction").expect("an abstraction");
    assert!(abstraction["correlation"].as_f64() > Some(0.2), "{abstraction}");
    let database = guides.iter().find(|g| g["name"] == "pattern-database").expect("a pattern database");
    assert_eq!(database["admissible"], true);
    assert!(database["correlation"].as_f64() > Some(0.9), "{database}");
}

#[test]
fn analyze_recommends_an_engine_and_a_hunt_something_else() {
    let recommendation = |args: &[&str]| {
        let object = json(&lurcher(&[&["analyze"], args, &["--json"]].concat()));
        let target = object["targets"][0].clone();
        (target["recommendation"].clone(), target["bits"].clone())
    };
    let mutex = model("mutex-flawed.pml");
    let (advice, bits) = recommendation(&[&mutex]);
    assert_eq!(
        (&advice["command"], &advice["engine"], &advice["symbolic"]),
        (&"verify".into(), &"auto".into(), &"symbolic-trail --guide abstraction".into())
    );
    assert!(bits.as_u64().is_some(), "{bits}");
    assert!(advice["reason"].as_str().is_some_and(|r| r.contains("1029 states")), "{advice}");
    let (advice, bits) = recommendation(&[&mutex, "--define", "N=60"]);
    assert!(advice["reason"].as_str().is_some_and(|r| r.contains("many for BDDs")), "{advice} {bits}");
    let (advice, _) = recommendation(&[&model("priority-inversion.pml"), "--no-claims"]);
    assert_eq!(advice["command"], "verify", "{advice}");
    assert_eq!(advice["symbolic"], Value::Null);
    let said = |args: &[&str]| String::from_utf8_lossy(&lurcher(args).stdout).into_owned();
    let text = said(&["analyze", &mutex]);
    assert!(text.contains("  recommended: `lurcher verify`, because the model has 1029 states"), "{text}");
    let text = said(&["analyze", &mutex, "--define", "N=60"]);
    assert!(text.contains("  recommended: `lurcher hunt`, because "), "{text}");
    let text = said(&["analyze", &model("mutex-8.smv")]);
    assert!(text.contains("  recommended: `lurcher verify --engine bdd`, because "), "{text}");
    // A hunt recommends what it does not do itself, and nothing when it has found a violation.
    let text = said(&["hunt", &model("leader-ring.pml"), "--define", "N=7", "--no-claims", "--walks", "20"]);
    assert!(text.contains("next: `lurcher verify` visits all states"), "{text}");
    assert!(!text.contains("lurcher hunt"), "{text}");
    let text = said(&["hunt", &model("philosophers.pml"), "--define", "N=40"]);
    assert!(!text.contains("next: ") && !text.contains("recommended"), "{text}");
}

#[test]
fn analyze_classifies_the_components_of_claims() {
    let model = model("leader-ring.pml");
    let counts = |property: &str| {
        let object = json(&lurcher(&["analyze", &model, "--property", property, "--json"]));
        let claim = object["targets"][0]["claim"].clone();
        let keys = ["non_accepting", "fully_accepting", "partially_accepting", "ends"];
        keys.map(|key| claim[key].to_string()).join(" ")
    };
    assert_eq!(counts("elected"), "0 1 0 false");
    assert_eq!(counts("one_leader"), "0 0 1 false");
    assert_eq!(counts("at_most_one"), "1 0 0 true");
    assert_eq!(counts("safety"), "null null null null");
    let text = lurcher(&["analyze", &model, "--property", "elected"]);
    let text = String::from_utf8_lossy(&text.stdout);
    let line = "  components of the claim: 0 non-accepting, 1 fully accepting, 0 partially accepting, and 0 locations on no \
        cycle; no finite prefix violates it";
    assert!(text.contains(line), "{text}");
}

#[test]
fn analyze_draws_process_types() {
    let folder = scratch("graphs");
    let output = lurcher(&["analyze", &model("philosophers.pml"), "--dot", &folder.display().to_string()]);
    assert_eq!(output.status.code(), Some(0));
    let graph = std::fs::read_to_string(folder.join("Philosopher.dot")).expect("a graph");
    assert!(graph.starts_with("digraph \"Philosopher\" {") && graph.contains("->"), "{graph}");
}

#[test]
fn a_guide_that_goes_through_a_file_leads_the_same_way() {
    let mutex = model("mutex-flawed.pml");
    for guide in ["local-distance", "reduced-instance", "pattern-database"] {
        let file = scratch(guide).display().to_string();
        let base = [&*mutex, "--define", "N=5", "--property", "assertion", "--guide", guide];
        let saved = lurcher(&[&["analyze"], &base[..], &["--save-guide", &file]].concat());
        assert_eq!(saved.status.code(), Some(0), "{}", String::from_utf8_lossy(&saved.stderr));
        let walk = ["--engine", "walk", "--no-minimise", "--json", "--depth", "500"];
        let made = json(&lurcher(&[&["hunt"], &base[..], &walk[..]].concat()));
        let read = json(&lurcher(&[&["hunt"], &base[..], &walk[..], &["--load-guide", &file]].concat()));
        assert_eq!(made["verdict"], "violated");
        assert_eq!((&made["trace"], &made["hunt"]), (&read["trace"], &read["hunt"]), "{guide}");
        std::fs::write(&file, "nonsense").expect("a scratch file");
        let output = lurcher(&[&["hunt"], &base[..], &walk[..], &["--load-guide", &file]].concat());
        assert_eq!(output.status.code(), Some(2), "{guide}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("cannot be made"), "{guide}");
    }
    let file = scratch("abstraction").display().to_string();
    let base = [&*mutex, "--property", "assertion", "--guide", "abstraction"];
    for more in [&["analyze", "--save-guide", &file][..], &["hunt", "--engine", "walk", "--load-guide", &mutex]] {
        let output = lurcher(&[&more[..1], &base[..], &more[1..]].concat());
        assert_eq!(output.status.code(), Some(2), "{more:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("--drop FILE says what it drops"), "{more:?}");
    }
}

#[test]
fn a_smaller_instance_can_be_given() {
    let args = ["hunt", &model("philosophers.pml"), "--define", "N=30", "--engine", "walk", "--json"];
    let guided = json(&lurcher(&[&args[..], &["--guide", "reduced-instance", "--reduce", "N=3"]].concat()));
    assert_eq!(guided["verdict"], "violated");
    assert!(guided["trace"]["found_length"].as_u64() <= Some(70), "{}", guided["trace"]);
    let wrong = lurcher(&[&args[..], &["--guide", "reduced-instance", "--reduce", "N"]].concat());
    assert_eq!(wrong.status.code(), Some(2));
}
