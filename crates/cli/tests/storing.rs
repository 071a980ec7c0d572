//! Storage and threads on the command line.

mod support;

use support::{errors, json, lurcher, model, text};

#[test]
fn lossy_storage_names_itself_and_the_chance_of_an_omission() {
    let exact = json(&lurcher(&["verify", &model("leader-ring.pml"), "--no-claims", "--engine", "dfs", "--json"]));
    assert_eq!((&exact["verdict"], &exact["storage"]["kind"]), (&"holds".into(), &"exact".into()));
    assert!(exact["storage"]["omission_probability"].is_null());
    for storage in ["compact", "bitstate"] {
        let args = ["verify", &model("leader-ring.pml"), "--no-claims", "--storage", storage, "--memory", "64M"];
        let output = lurcher(&[&args[..], &["--json"]].concat());
        assert_eq!(output.status.code(), Some(3));
        let object = json(&output);
        assert_eq!(object["verdict"], "inconclusive");
        assert_eq!((&object["stop_reason"], &object["complete"]), (&"storage".into(), &false.into()));
        assert_eq!(object["storage"]["kind"], storage);
        assert!(object["storage"]["omission_probability"].as_f64().is_some_and(|p| p > 0.0 && p < 0.001));
        assert_eq!(object["states"]["stored"], exact["states"]["stored"]);
        let text = lurcher(&args);
        let text = String::from_utf8_lossy(&text.stdout);
        assert!(text.contains("the storage is lossy"), "{text}");
        assert!(text.contains(&format!("{storage} storage takes a state that was not met")), "{text}");
    }
}

#[test]
fn violations_found_with_lossy_storage_come_with_a_trace() {
    for storage in ["compact", "bitstate"] {
        let output = lurcher(&["verify", &model("philosophers.pml"), "--storage", storage, "--memory", "64M"]);
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output).contains("invalid end state"));
    }
}

#[test]
fn lossy_storage_is_refused_where_it_does_not_apply() {
    let bfs = lurcher(&["verify", &model("philosophers.pml"), "--storage", "compact", "--engine", "bfs"]);
    assert_eq!(bfs.status.code(), Some(2));
    assert!(errors(&bfs).contains("--engine dfs"));
    let smv = lurcher(&["verify", &model("alternating-bit.smv"), "--storage", "bitstate"]);
    assert_eq!(smv.status.code(), Some(2));
}

#[test]
fn the_number_of_threads_does_not_change_what_is_printed() {
    for name in ["peterson-n.pml", "leader-flawed.pml", "elevator.pml"] {
        let on = |jobs| {
            let mut object = json(&lurcher(&["verify", &model(name), "--json", "--jobs", jobs]));
            for key in ["time", "memory_bytes", "results"] {
                object.as_object_mut().expect("an object").remove(key);
            }
            object
        };
        let one = on("1");
        assert_eq!((on("2"), on("5")), (one.clone(), one), "{name}");
    }
}
