//! Nothing is lost: hunts are saved while they go on, and an old save only goes when a new one is complete.

mod support;

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use lurcher_test_support::Random;
use serde_json::Value;

use support::{model, run, run_json, scratch, scratch_file};

/// The arguments of a hunt that finds nothing.
fn endless() -> Vec<String> {
    let words =
        ["hunt", &model("leader-ring.pml"), "--define", "N=6", "--no-claims", "--engine", "walk", "--jobs", "1"];
    words.map(str::to_owned).to_vec()
}

#[test]
fn a_hunt_that_is_killed_can_be_resumed_from_its_last_save() {
    let file = scratch("killed.json").display().to_string();
    let mut command = Command::new(env!("CARGO_BIN_EXE_lurcher"));
    command.args(endless()).args(["--time", "10m", "--save", &file, "--save-every", "50ms"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("lurcher starts");
    let started = Instant::now();
    while !std::path::Path::new(&file).exists() {
        assert!(started.elapsed() < Duration::from_secs(60), "nothing was saved");
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    let resumed: Vec<String> =
        [endless(), ["--walks", "1000000000", "--time", "1s", "--resume", &file].map(str::to_owned).to_vec()].concat();
    let resumed: Vec<&str> = resumed.iter().map(String::as_str).collect();
    let (status, object) = run_json(&resumed);
    assert_eq!(status, 0, "{object}");
    assert!(object["walks"].as_u64() > Some(0), "{object}");
}

#[cfg(unix)]
#[test]
fn an_old_save_survives_a_full_disk_and_the_report_is_printed() {
    let file = scratch("full.json").display().to_string();
    let quoted: Vec<String> = endless().iter().map(|word| format!("'{word}'")).collect();
    let shell = |limit: &str, more: &str| {
        let lurcher = env!("CARGO_BIN_EXE_lurcher");
        let line = format!("{limit} '{lurcher}' {} --save '{file}' {more}", quoted.join(" "));
        Command::new("sh").args(["-c", &line]).output().expect("a shell")
    };
    assert_eq!(shell("", "--walks 200").status.code(), Some(0));
    let saved = std::fs::read(&file).expect("it was saved");
    // Files may not grow beyond one block, and a write that tries it fails as on a full disk.
    let output = shell("trap '' XFSZ; ulimit -f 1;", &format!("--walks 400 --resume '{file}'"));
    assert_eq!(output.status.code(), Some(2));
    assert!(
        String::from_utf8_lossy(&output.stdout).contains("400 walks"),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write"));
    assert_eq!(std::fs::read(&file).expect("it is still there"), saved);
    let folder = std::path::Path::new(&file).parent().expect("a folder");
    let left: Vec<_> = std::fs::read_dir(folder).expect("a folder").filter_map(Result::ok).collect();
    assert!(left.iter().all(|f| !f.file_name().to_string_lossy().contains("unfinished")), "{left:?}");
}

#[cfg(unix)]
#[test]
fn a_device_is_written_to_and_a_link_stays_a_link() {
    use std::os::unix::fs::FileTypeExt;
    let (file, link) = (scratch("target.json"), scratch("link.json"));
    std::fs::write(&file, "").expect("a scratch file");
    std::os::unix::fs::symlink(&file, &link).expect("a link");
    for path in ["/dev/null".to_owned(), link.display().to_string()] {
        let args = [endless(), ["--walks", "50", "--save", &path].map(str::to_owned).to_vec()].concat();
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        assert_eq!(run_json(&args).0, 0);
    }
    assert!(std::fs::metadata("/dev/null").expect("a device").file_type().is_char_device());
    assert!(link.is_symlink() && std::fs::metadata(&file).expect("the target").len() > 0);
}

/// Where a saved hunt stands: for each property its members, walks and steps.
fn standing(file: &str) -> Vec<(usize, u64, u64)> {
    let saved: Value = serde_json::from_slice(&std::fs::read(file).expect("a save")).expect("JSON");
    let number = |value: &Value| value.as_u64().expect("a number");
    let property = |p: &Value| {
        (p["members"].as_array().expect("names").len(), number(&p["walks"]["walks"]), number(&p["walks"]["steps"]))
    };
    saved["properties"].as_array().expect("properties").iter().map(property).collect()
}

/// A relation that walks cannot exhaust, with a product that has no small BDD.
const NUMBERS: &str = "MODULE main
VAR x : word[12]; y : word[12]; z : word[12];
ASSIGN
  init(x) := 0ud12_1; init(y) := 0ud12_7; init(z) := 0ud12_0;
  next(x) := x * 0ud12_5 + y; next(y) := (y xor (x >> 3)) + z; next(z) := z + 0ud12_1;
INVARSPEC NAME never := !(x * y = 0ud12_4093 & z * x = 0ud12_4091 & x * x + y * z = 0ud12_17)
IVAR free : boolean;
TRANS free | next(z) != z
";

/// A relation with an abstraction that is made in a moment.
const COUNTER: &str = "MODULE main
VAR x : 0..600; y : boolean;
ASSIGN init(x) := 0; next(x) := x < 600 & y ? x + 1 : 0;
INVARSPEC NAME low := x < 599
";

#[test]
fn a_save_is_resumed_under_any_time_limit() {
    let (numbers, counter) = (scratch_file("numbers.smv", NUMBERS), scratch_file("counter.smv", COUNTER));
    let (numbers, counter) = (numbers.display().to_string(), counter.display().to_string());
    let ring = model("leader-ring.pml");
    let hunts: [&[&str]; 5] = [
        &[&ring, "--define", "N=7", "--no-claims"],
        &[&ring, "--define", "N=7", "--no-claims", "--engine", "trail", "--guide", "abstraction"],
        &[&numbers, "--memory", "8M"],
        &[&numbers, "--engine", "walk", "--depth", "50"],
        &[&counter, "--engine", "walk", "--depth", "50", "--guide", "abstraction"],
    ];
    let (file, again) =
        (scratch("timed.json").display().to_string(), scratch("timed-again.json").display().to_string());
    for hunt in hunts {
        // BDDs get other shares of a hunt with a time limit, and a fast machine uses up a small memory before the time.
        let counted = !hunt.contains(&"--memory");
        let ended = |status: i32, time: &str| status == 0 || (status == 3 && (time == "1ms" || !counted));
        let whole = run_json(&[&["hunt"], hunt, &["--walks", "2000"]].concat()).1;
        for saved in ["1ms", "60ms", "400ms"] {
            // A limit that is reached while the model is read leaves nothing to save.
            std::fs::remove_file(&file).ok();
            let (status, _, errors) = run(&[&["hunt"], hunt, &["--time", saved, "--save", &file]].concat());
            assert!(ended(status, saved), "{hunt:?} {saved}: {status} {errors}");
            if !std::path::Path::new(&file).exists() {
                assert_eq!((status, saved), (3, "1ms"), "{hunt:?}: nothing was saved");
                continue;
            }
            let before = standing(&file);
            for resumed in ["1ms", "200ms", "500ms"] {
                let times = format!("{hunt:?} saved after {saved}, resumed for {resumed}");
                std::fs::copy(&file, &again).expect("a copy");
                let args = [&["hunt"], hunt, &["--time", resumed, "--resume", &again, "--save", &again]].concat();
                let (status, _, errors) = run(&args);
                assert!(ended(status, resumed), "{times}: {status} {errors}");
                let after = standing(&again);
                let grown = before.iter().zip(&after).all(|(b, a)| b.0 <= a.0 && b.1 <= a.1 && b.2 <= a.2);
                assert!(after.len() >= before.len() && grown, "{times}: {before:?} became {after:?}");
            }
            if counted && before.iter().all(|&(_, walks, _)| walks < 2000) {
                let args = [&["hunt"], hunt, &["--walks", "2000", "--resume", &file]].concat();
                let end = run_json(&args).1;
                assert_eq!(end["steps"], whole["steps"], "{hunt:?} saved after {saved}");
                assert_eq!(end["hunt"]["members"], whole["hunt"]["members"], "{hunt:?} saved after {saved}");
            }
        }
    }
}

#[test]
fn members_that_joined_late_are_there_when_a_hunt_is_resumed() {
    let file = scratch("late.json").display().to_string();
    let again = scratch("late-again.json").display().to_string();
    // Pattern databases join after a million steps.
    let hunt = ["hunt", &model("leader-ring.pml"), "--define", "N=7", "--no-claims", "--walks", "14000"];
    assert_eq!(run(&[&hunt[..], &["--time", "10m", "--save", &file]].concat()).0, 0);
    let before = standing(&file);
    assert_eq!(before[0].0, 16, "four unguided members and twelve guided ones");
    for time in ["100ms", "10m"] {
        let (status, _, errors) = run(&[&hunt[..], &["--time", time, "--resume", &file, "--save", &again]].concat());
        assert_eq!((status, errors.as_str(), standing(&again)), (0, "", before.clone()), "{time}");
    }
}

/// A damaged copy: bytes changed, removed, inserted, cut off or appended.
fn damaged(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut copy = bytes.to_vec();
    let place = random.below(copy.len());
    match random.below(5) {
        0 => copy[place] ^= 1 << random.below(8),
        1 => drop(copy.drain(place..(place + 1 + random.below(40)).min(bytes.len()))),
        2 => copy.truncate(place),
        3 => copy.insert(place, b" 0,\"}\n"[random.below(6)]),
        _ => copy.push(b" 0,\"}\n"[random.below(6)]),
    }
    copy
}

#[test]
fn damaged_saves_are_refused_with_one_sentence() {
    let numbers = scratch_file("numbers-saved.smv", NUMBERS).display().to_string();
    let file = scratch("damaged.json").display().to_string();
    let ring = model("leader-ring.pml");
    for hunt in [&["hunt", &ring, "--define", "N=6", "--no-claims"][..], &["hunt", &numbers, "--engine", "walk"]] {
        assert_eq!(run(&[hunt, &["--walks", "40", "--save", &file]].concat()).0, 0);
        let whole = std::fs::read(&file).expect("a save");
        let mut random = Random::new(1);
        for round in 0..200 {
            let bytes = damaged(&whole, &mut random);
            std::fs::write(&file, &bytes).expect("a scratch file");
            let (status, out, errors) = run(&[hunt, &["--walks", "50", "--resume", &file]].concat());
            assert_eq!((status, out.as_str()), (2, ""), "{round}: {errors}");
            assert!(errors.starts_with("error: ") && errors.lines().count() == 1, "{round}: {errors}");
        }
    }
}

/// A trace has no checksum, because people write and edit traces; it is executed again instead.
#[test]
fn damaged_traces_are_refused_or_show_what_they_showed() {
    let file = scratch("damaged-trace.json").display().to_string();
    for (name, kind) in [("philosophers.pml", "deadlock"), ("mutex-flawed-4.smv", "invariant")] {
        let model = model(name);
        let (status, _) = run_json(&["verify", &model, "--trace", &file]);
        assert_eq!(status, 1);
        let whole = std::fs::read(&file).expect("a trace");
        let mut random = Random::new(2);
        for round in 0..200 {
            std::fs::write(&file, damaged(&whole, &mut random)).expect("a scratch file");
            let (status, out, errors) = run(&["replay", &model, &file, "--json"]);
            match status {
                0 => assert!(out.contains("\"inconclusive\""), "{round}: {out}{errors}"),
                1 => assert!(out.contains(&format!("\"{kind}\"")), "{round}: {out}{errors}"),
                2 => assert!(errors.contains("error: "), "{round}: {out}{errors}"),
                _ => panic!("{round}: {status} {out}{errors}"),
            }
        }
    }
}

#[test]
fn a_hunt_makes_exactly_as_many_walks_as_it_is_told_to() {
    let ring = model("leader-ring.pml");
    let hunt = ["hunt", &ring, "--define", "N=6", "--no-claims", "--jobs", "2"];
    let file = scratch("exact.json").display().to_string();
    for engine in [&[][..], &["--engine", "walk", "--restart", "random", "--chain", "7"]] {
        for walks in [1_u64, 5, 16, 100, 333] {
            let count = walks.to_string();
            let object = run_json(&[&hunt[..], engine, &["--walks", &count]].concat()).1;
            assert_eq!((&object["walks"], &object["stop_reason"]), (&walks.into(), &"walks".into()), "{object}");
        }
        // A unit that was cut short is made again as a whole.
        let whole = run_json(&[&hunt[..], engine, &["--walks", "333"]].concat()).1;
        run_json(&[&hunt[..], engine, &["--walks", "99", "--save", &file]].concat());
        let resumed = run_json(&[&hunt[..], engine, &["--walks", "333", "--resume", &file]].concat()).1;
        assert_eq!((&resumed["steps"], &resumed["hunt"]), (&whole["steps"], &whole["hunt"]));
    }
}

#[test]
fn what_differs_from_a_saved_hunt_is_named() {
    let (file, peterson) = (scratch("differs.json").display().to_string(), model("peterson-n.pml"));
    let hunt = ["hunt", &peterson, "--engine", "walk", "--walks", "5"];
    assert_eq!(run(&[&hunt[..], &["--save", &file]].concat()).0, 0);
    let refused = |args: &[&str]| {
        let (status, _, errors) = run(&[args, &["--resume", &file]].concat());
        assert_eq!(status, 2, "{args:?}: {errors}");
        errors
    };
    for (more, said) in [
        (["--seed", "2"], "it was saved with seed 1, not 2"),
        (["--depth", "9"], "it was saved with options none, not --depth 9"),
        (["--property", "assertion"], "it was saved with properties safety, not assertion"),
        (["--define", "N=4"], "the model is not what it was saved with"),
        (["--memory", "1G"], ""),
    ] {
        if said.is_empty() {
            assert_eq!(run(&[&hunt[..], &more, &["--resume", &file]].concat()).0, 0);
        } else {
            let errors = refused(&[&hunt[..], &more].concat());
            assert!(errors.contains(said), "{more:?}: {errors}");
        }
    }
    let errors = refused(&["hunt", &peterson, "--engine", "trail"]);
    assert!(errors.contains("it was saved with engine walk, not trail"), "{errors}");
}
