//! Limits on time and memory, and interrupts, in every phase of every command.
//!
//! The corpus is `nasty/` and the models that [`generated`] writes. Every command that reads a model runs on it, with every
//! engine and every guide of the registries: a part of these runs by default, all of them with `LURCHER_NASTY=all`.

mod support;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use lurcher::engines::ENGINES;
use lurcher_heuristics::registry::HEURISTICS;
use rustix::process::{Pid, Signal, kill_process};
use support::scratch_file;
use wait4::Wait4;

/// The limits of every run: a second, and this memory.
const LIMITS: [&str; 4] = ["--time", "1s", "--memory", "200M"];
const MEMORY: u64 = 200 << 20;
/// What the limits may be exceeded by: half a second and a tenth; a tenth and 64 MiB.
const LATEST: Duration = Duration::from_millis(1600);
const LARGEST: u64 = MEMORY / 10 * 11 + (64 << 20);
/// Time that no wait for a processor explains.
const HANGING: Duration = Duration::from_secs(20);
/// Processor time at which a run that was ended from outside has not stopped by itself.
const BUSY: Duration = Duration::from_millis(1200);
/// Time in which an interrupted command ends.
const PROMPT: Duration = Duration::from_millis(500);

/// How a run ended.
struct Ended {
    status: Option<i32>,
    wall: Duration,
    processor: Duration,
    resident: u64,
    out: String,
    errors: String,
}

/// Starts the program with output to files, so that no reader delays it.
fn start(args: &[String], name: &str) -> (std::process::Child, PathBuf, PathBuf) {
    let (out, errors) = (scratch_file(&format!("{name}.out"), ""), scratch_file(&format!("{name}.err"), ""));
    let child = Command::new(env!("CARGO_BIN_EXE_lurcher"))
        .args(args)
        .env("LURCHER_TELL_OVERDUE", "1")
        .stdin(Stdio::null())
        .stdout(File::create(&out).expect("a file for output"))
        .stderr(File::create(&errors).expect("a file for errors"))
        .spawn()
        .expect("lurcher starts");
    (child, out, errors)
}

fn run(args: &[String], name: &str) -> Ended {
    let started = Instant::now();
    let (mut child, out, errors) = start(args, name);
    let ended = child.wait4().expect("lurcher ends");
    let wall = started.elapsed();
    let read = |path: &Path| String::from_utf8_lossy(&std::fs::read(path).expect("a file")).into_owned();
    let (out, errors) = (read(&out), read(&errors));
    let processor = ended.rusage.utime + ended.rusage.stime;
    Ended { status: ended.status.code(), wall, processor, resident: ended.rusage.maxrss, out, errors }
}

/// What is wrong with how a run within the limits ended. A run that waits for a processor is not late, unless it waits for
/// something else.
fn faults(ended: &Ended) -> Vec<String> {
    let mut faults = Vec::new();
    match ended.status {
        Some(0..=3) => {}
        other => faults.push(format!("status {other:?}")),
    }
    if ended.wall > LATEST && (ended.processor > LATEST || ended.wall > HANGING) {
        faults.push(format!(
            "{:.2} s, {:.2} s of processor time",
            ended.wall.as_secs_f64(),
            ended.processor.as_secs_f64()
        ));
    }
    if ended.resident > LARGEST {
        faults.push(format!("{} MiB", ended.resident >> 20));
    }
    if ended.errors.contains("did not stop in time") && ended.processor > BUSY {
        faults.push("a phase was late".to_owned());
    }
    if ended.errors.contains("panicked") {
        faults.push("a panic".to_owned());
    }
    if ended.status != Some(2) && ended.out.is_empty() {
        faults.push("no report".to_owned());
    }
    faults
}

/// Calls `work` with each number below `count`, on all cores.
fn on_all_cores(count: usize, work: impl Fn(usize) + Sync) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(number) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|n| *n < count) {
                    work(number);
                }
            });
        }
    });
}

/// Models with the numbers that make them nasty.
fn generated() -> Vec<PathBuf> {
    let list = |n: usize, separator: &str, item: &dyn Fn(usize) -> String| -> String {
        (0..n).map(item).collect::<Vec<_>>().join(separator)
    };
    let nested =
        |n: usize, open: &str, inner: &str, close: &str| format!("{}{inner}{}", open.repeat(n), close.repeat(n));
    let models = [
        (
            "deep-expression.pml",
            format!("int x;\nactive proctype P() {{ do :: x = {} od }}\n", nested(100, "(", "x", " + 1)")),
        ),
        (
            "too-deep-expression.pml",
            format!("int x;\nactive proctype P() {{ x = {} }}\n", nested(100_000, "(", "x", ")")),
        ),
        (
            "inlines.pml",
            format!(
                "byte x, y;\ninline i0() {{ x++; y = x }}\n{}\nactive proctype P() {{ do :: i11() od }}\n",
                list(11, "\n", &|i| format!("inline i{}() {{ i{i}(); i{i}(); i{i}() }}", i + 1))
            ),
        ),
        (
            "macros.pml",
            format!(
                "#define A0 x++\n{}\nint x;\nactive proctype P() {{ A23 }}\n",
                list(23, "\n", &|i| format!("#define A{} A{i}; A{i}", i + 1))
            ),
        ),
        (
            "many-statements.pml",
            format!(
                "int x;\nactive proctype P() {{\n{}\n}}\n",
                list(6000, ";\n", &|i| format!("if :: x == {i} -> x = {} :: else -> x++ fi", i % 13))
            ),
        ),
        (
            "responses.pml",
            format!(
                "byte x;\nactive proctype P() {{ do :: x++ od }}\nltl p {{ {} }}\n",
                list(40, " && ", &|i| format!("([] ((x == {i}) -> <> (x == {})))", i + 7))
            ),
        ),
        (
            "untils.pml",
            format!(
                "bool a, b;\nactive proctype P() {{ do :: a = !a :: b = !b od }}\nltl p {{ !({}a{}) }}\n",
                "a U (b U (".repeat(12),
                "))".repeat(12)
            ),
        ),
        (
            "one-constraint.smv",
            format!(
                "MODULE main\nVAR b : array 0..39 of boolean;\nTRANS {}\nINVARSPEC !(b[0] & b[39])\nLTLSPEC G F b[0]\n",
                list(40, " xor ", &|i| format!("next(b[{i}])"))
            ),
        ),
        (
            "enumeration.smv",
            format!(
                "MODULE main\nVAR x : {{{}}}; y : 0..50000;\nASSIGN next(y) := case y < 50000 : y + 1; TRUE : 0; esac;\n\
                 INVARSPEC y != 49999\nCTLSPEC AG EF x = v3\nLTLSPEC G F y = 0\n",
                list(20_000, ", ", &|i| format!("v{i}"))
            ),
        ),
        (
            "invariants.smv",
            format!(
                "MODULE main\nVAR {}\n{}\nTRANS {}\nINVARSPEC a0 < 7\nCTLSPEC EF (a1 = 7 & a2 = 6)\n",
                list(60, " ", &|i| format!("a{i} : 0..7;")),
                list(60, "\n", &|i| format!("INVAR a{i} + a{} != 3", (i * 7 + 1) % 60)),
                list(60, " & ", &|i| format!("(next(a{i}) >= a{i} | a{i} = 7)"))
            ),
        ),
        (
            "definitions.smv",
            format!(
                "MODULE main\nVAR b : boolean; c : boolean;\nDEFINE d0 := b xor c;\n{}\nASSIGN next(b) := d59;\n\
                 INVARSPEC d59\nLTLSPEC G F d30\n",
                list(59, "\n", &|i| format!("d{} := d{i} xor (d{i} & b);", i + 1))
            ),
        ),
        (
            "modules.smv",
            format!(
                "MODULE cell(left)\nVAR v : 0..3; w : {{a, b, c}};\nASSIGN next(v) := case left.v = 2 : (v + 1) mod 4; \
                 TRUE : v; esac;\nnext(w) := case left.w = a : b; TRUE : {{a, c}}; esac;\nMODULE main\nVAR\n{}\n\
                 INVARSPEC c0.v != 3\nLTLSPEC G F c5.w = a\n",
                list(800, "\n", &|i| format!("c{i} : cell(c{});", (i + 1) % 800))
            ),
        ),
        (
            "obligations.smv",
            format!(
                "MODULE main\nVAR {}\nLTLSPEC {}\nLTLSPEC {}\n",
                list(12, " ", &|i| format!("a{i} : boolean;")),
                list(12, " & ", &|i| format!("(G (a{i} -> F (a{} U X a{})))", (i + 1) % 12, (i + 5) % 12)),
                list(12, " | ", &|i| format!("(G F a{i} & F G a{})", (i + 1) % 12))
            ),
        ),
        (
            "nested-cases.smv",
            format!(
                "MODULE main\nVAR x : 0..7;\nASSIGN next(x) := {};\nINVARSPEC x != 6\n",
                nested(150, "case x = 1 : ", "x", "; TRUE : 0; esac")
            ),
        ),
        (
            "free.smv",
            format!(
                "MODULE main\nVAR {}\nIVAR i : 0..1000;\nINVARSPEC a0 + a1 + a2 + a3 + a4 != 1200\nLTLSPEC G F a0 = 3\n",
                list(40, " ", &|i| format!("a{i} : 0..255;"))
            ),
        ),
        (
            "sum.smv",
            format!(
                "MODULE main\nVAR {}\nINVAR {} = 180\nTRANS {} > 100\nINVARSPEC a0 != 15\nLTLSPEC G F a1 = 3\n",
                list(24, " ", &|i| format!("a{i} : 0..15;")),
                list(24, " + ", &|i| format!("a{i}")),
                list(24, " + ", &|i| format!("next(a{i})"))
            ),
        ),
    ];
    models.iter().map(|(name, text)| scratch_file(name, text)).collect()
}

/// The corpus.
fn corpus() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/nasty");
    let written = std::fs::read_dir(folder).expect("the corpus is there").map(|entry| entry.expect("a file").path());
    let mut models: Vec<PathBuf> = written.chain(generated()).collect();
    models.sort();
    models
}

/// Commands that read a model, each with the options that vary: with every engine and every guide.
fn commands() -> Vec<Vec<String>> {
    let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<String>>();
    let mut all = vec![words("hunt"), words("verify"), words("analyze"), words("simulate"), words("simulate --json")];
    for engine in ENGINES.iter().map(|e| e.info()) {
        all.push(words(&format!("hunt --engine {}", engine.name)));
        if engine.proves {
            all.push(words(&format!("verify --engine {}", engine.name)));
        }
    }
    all.extend(HEURISTICS.iter().map(|guide| words(&format!("hunt --engine walk --guide {}", guide.name))));
    all.extend(HEURISTICS.iter().map(|guide| words(&format!("hunt --engine best-first --guide {}", guide.name))));
    all
}

/// How many commands run on each model by default, besides the plain ones.
const SAMPLE: usize = 3;

#[test]
fn no_command_exceeds_its_limits() {
    let (models, commands) = (corpus(), commands());
    let all = std::env::var_os("LURCHER_NASTY").is_some_and(|v| v == "all");
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for model in 0..models.len() {
        // By default every command meets several models, and every model the plain commands.
        let plain = 0..4;
        let others = (4..commands.len()).filter(|c| all || (c + model * 5) % (commands.len() / SAMPLE) == 0);
        runs.extend(plain.chain(others).map(|command| (model, command)));
    }
    let arguments = |&(model, command): &(usize, usize)| {
        let mut args = commands[command].clone();
        args.insert(1, models[model].display().to_string());
        args.extend(LIMITS.map(str::to_owned));
        // On one thread, processor time is at most wall-clock time.
        args.extend(["--jobs", "1"].map(str::to_owned));
        args
    };
    let suspects = Mutex::new(Vec::new());
    on_all_cores(runs.len(), |number| {
        if !faults(&run(&arguments(&runs[number]), &format!("limits-{number}"))).is_empty() {
            suspects.lock().expect("no test thread panicked").push(number);
        }
    });
    // Alone, a run is not slowed down by others.
    let mut wrong = Vec::new();
    for number in suspects.into_inner().expect("no test thread panicked") {
        let args = arguments(&runs[number]);
        let ended = run(&args, "limits-again");
        let faults = faults(&ended);
        if !faults.is_empty() {
            wrong.push(format!("lurcher {}: {}\n{}", args.join(" "), faults.join(", "), ended.errors));
        }
    }
    assert!(wrong.is_empty(), "{} of {} runs:\n{}", wrong.len(), runs.len(), wrong.join("\n"));
}

#[test]
fn every_command_that_takes_a_model_and_a_time_is_tried() {
    let help = support::text(&support::lurcher(&["--help"]));
    let known = ["hunt", "verify", "analyze", "simulate", "replay"];
    let commands: Vec<&str> = help.lines().filter_map(|l| l.strip_prefix("  ")?.split_whitespace().next()).collect();
    assert!(known.iter().all(|k| commands.contains(k)), "{help}");
    for command in commands.iter().filter(|c| c.chars().all(|c| c.is_ascii_lowercase())) {
        let help = support::text(&support::lurcher(&[command, "--help"]));
        assert!(!help.contains("--time") || known.contains(command), "{command} is not tried");
    }
}

#[test]
fn replaying_a_long_trace_keeps_the_limits() {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/nasty/deep-counter.pml").display().to_string();
    let trace = scratch_file("deep.json", "").display().to_string();
    let found =
        support::lurcher(&["verify", &model, "-D", "N=100000", "--engine", "dfs", "--no-minimise", "--trace", &trace]);
    assert_eq!(found.status.code(), Some(1), "{}", support::errors(&found));
    for command in ["replay", "simulate"] {
        let mut args = vec![command.to_owned(), model.clone()];
        args.extend(if command == "simulate" {
            vec!["--follow".to_owned(), trace.clone()]
        } else {
            vec![trace.clone()]
        });
        args.extend(LIMITS.map(str::to_owned));
        let ended = run(&args, &format!("{command}-deep"));
        assert_eq!(faults(&ended), Vec::<String>::new(), "{command}: {}", ended.errors);
    }
}

/// A constraint over 40 bits: a violation is found at once, and making its trace shorter takes long.
fn slow_to_shorten() -> String {
    let found = generated().into_iter().find(|path| path.ends_with("one-constraint.smv"));
    found.expect("it is generated").display().to_string()
}

#[test]
fn a_violation_is_reported_when_the_time_is_up_before_its_trace_is_shortest() {
    for engine in ["walk", "trail", "lurch", "symbolic-walk"] {
        let words = ["hunt", &slow_to_shorten(), "--engine", engine, "--property", "invar_1", "--time", "600ms"];
        let ended = run(&words.map(str::to_owned), &format!("found-by-{engine}"));
        assert_eq!(ended.status, Some(1), "{engine}: {}{}", ended.out, ended.errors);
        // A fast machine makes it shortest in that time.
        let is_cut = ended.out.contains("making the trace shorter was stopped early");
        assert!(is_cut || ended.wall < LATEST, "{engine}: {}", ended.out);
    }
}

#[test]
fn a_violation_is_reported_when_making_its_trace_shorter_is_interrupted() {
    let words = ["hunt", &slow_to_shorten(), "--engine", "walk", "--property", "invar_1", "-v"].map(str::to_owned);
    let (mut child, out, errors) = start(&words, "interrupted-shortening");
    let begun = Instant::now();
    while !std::fs::read_to_string(&errors).expect("text").contains("replaying and shortening") {
        assert!(begun.elapsed() < HANGING, "it finds a violation");
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(300));
    kill_process(Pid::from_child(&child), Signal::INT).expect("it runs");
    let status = child.wait().expect("lurcher ends");
    let out = std::fs::read_to_string(out).expect("text");
    assert_eq!(status.code(), Some(1), "{out}");
    assert!(out.contains("violated"), "{out}");
}

#[test]
fn interrupts_at_any_moment_end_every_command_with_a_report() {
    let nasty = |name: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/nasty").join(name).display().to_string();
    let cases: Vec<Vec<String>> = ["hunt", "verify", "analyze", "simulate"]
        .iter()
        .flat_map(|command| {
            ["array-million.pml", "channel-65535.pml", "states.pml", "multiplier.smv"].map(|model| {
                let steps = if *command == "simulate" { "--steps 100000000" } else { "--time 60s" };
                let words = [*command, &nasty(model)].map(str::to_owned);
                words.into_iter().chain(steps.split(' ').map(str::to_owned)).collect()
            })
        })
        .collect();
    let signals = [Signal::INT, Signal::TERM];
    let late = Mutex::new(Vec::new());
    let attempt = |number: usize| {
        let (case, signal) = (&cases[number / 2], signals[number % 2]);
        let (mut child, out, errors) = start(case, &format!("signal-{number}"));
        // Moments from the first milliseconds to a second.
        let moment = (number as u64 * 2_654_435_761) % 1000;
        std::thread::sleep(Duration::from_millis(20 + moment));
        let running = child.try_wait().expect("lurcher runs").is_none();
        let sent = Instant::now();
        if running {
            let pid = Pid::from_child(&child);
            kill_process(pid, signal).expect("it runs");
        }
        let status = child.wait().expect("lurcher ends");
        let wall = sent.elapsed();
        let out = std::fs::read_to_string(out).expect("text");
        let errors = std::fs::read_to_string(errors).expect("text");
        let code = status.code();
        // It may have ended by itself in the same moment.
        let expected = if running { matches!(code, Some(3 | 1)) } else { matches!(code, Some(0..=3)) };
        let wrong = !expected || wall > PROMPT || out.is_empty() || errors.contains("panicked");
        wrong.then(|| format!("{} {signal:?} after {moment} ms: {status}, {wall:?}\n{out}{errors}", case.join(" ")))
    };
    on_all_cores(cases.len() * 2, |number| {
        if attempt(number).is_some() {
            late.lock().expect("no test thread panicked").push(number);
        }
    });
    // Alone, a run is not slowed down by others; a loaded machine gets three chances.
    let again = late.into_inner().expect("no test thread panicked");
    let wrong: Vec<String> =
        again.into_iter().filter_map(|number| (0..3).map(|_| attempt(number)).reduce(Option::and)?).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Runs the program in a shell with limits.
#[cfg(target_os = "linux")]
fn limited(limits: &str, args: &[&str]) -> std::process::Output {
    let quoted: Vec<String> = args.iter().map(|arg| format!("'{arg}'")).collect();
    let line = format!("{limits}; exec '{}' {}", env!("CARGO_BIN_EXE_lurcher"), quoted.join(" "));
    Command::new("sh").args(["-c", &line]).output().expect("a shell runs")
}

#[test]
#[cfg(target_os = "linux")]
fn a_failed_allocation_ends_as_a_memory_limit() {
    let zeros = scratch_file("zeros.smv", "");
    std::fs::write(&zeros, vec![0; 50_000_000]).expect("a file");
    let frames = "active [100] proctype P() { byte loc[60000]; int i; do :: loc[i]++; i = (i + 1) % 60000 od }";
    let large = scratch_file("large-frames.pml", frames).display().to_string();
    let zeros = zeros.display().to_string();
    let runs: [&[&str]; 3] = [
        &["verify", &zeros, "--time", "5s"],
        &["verify", &large, "--time", "5s", "--memory", "250M"],
        &["hunt", &large, "--engine", "walk", "--time", "5s", "--memory", "2G", "--jobs", "8"],
    ];
    for args in runs {
        let output = limited("ulimit -v 307200", args);
        let (out, errors) = (support::text(&output), support::errors(&output));
        assert_eq!(output.status.code(), Some(3), "{args:?}: {out}{errors}");
        assert!(out.contains("memory"), "{args:?}: {out}{errors}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_limit_on_the_size_of_files_costs_the_file_and_not_the_report() {
    let counter = scratch_file("to-500.pml", "int x; active proctype P() { do :: x++; assert(x < 500) od }");
    let (counter, trace) = (counter.display().to_string(), scratch_file("too-large.json", "").display().to_string());
    let output = limited("ulimit -f 8", &["verify", &counter, "--trace", &trace]);
    assert_eq!(output.status.code(), Some(1), "{}", support::errors(&output));
    assert!(support::text(&output).contains("violated") && support::errors(&output).contains("cannot write"));
}

#[test]
#[cfg(target_os = "linux")]
fn a_pipe_that_nobody_reads_is_an_error_instead_of_a_wait() {
    let pipe = scratch_file("unread", "");
    std::fs::remove_file(&pipe).expect("it was written");
    let pipe = pipe.display().to_string();
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs").success());
    let output = support::lurcher(&["verify", &support::model("philosophers.pml"), "--trace", &pipe]);
    assert_eq!(output.status.code(), Some(1), "{}", support::errors(&output));
    assert!(support::errors(&output).contains("cannot write"), "{}", support::errors(&output));
}

#[test]
fn properties_that_were_decided_before_a_limit_keep_their_verdicts() {
    let formula = |i: usize| format!("ltl p{i} {{ [] ((a == {}) -> <> (b == {})) }}\n", i % 256, i * 7 % 256);
    let all: String = (0..3000).map(formula).collect();
    let text = format!("byte a, b; active proctype P() {{ do :: a++ :: b++ od }}\nltl first {{ [] (a < 3) }}\n{all}");
    let many = scratch_file("many-formulas.pml", &text).display().to_string();
    let words = ["verify", &many, "--time", "2s", "--memory", "400M", "--jobs", "1"].map(str::to_owned);
    let ended = run(&words, "many-formulas");
    assert_eq!(ended.status, Some(1), "{}{}", ended.out, ended.errors);
    let row = |name: &str, verdict: &str| {
        let mut words = ended.out.lines().map(|line| line.split_whitespace().take(2).collect::<Vec<_>>());
        words.any(|words| words == [name, verdict])
    };
    assert!(row("first", "violated") && row("p2999", "inconclusive"), "{}", ended.errors);
    assert!(!ended.errors.contains("did not stop in time"), "{}", ended.errors);
}

#[test]
fn walks_with_steps_that_take_long_keep_their_time_and_are_saved() {
    let branches: String = (0..20_000).map(|i| format!(":: x == {i} -> x = {}\n", i * 3 % 20_000)).collect();
    let text = format!("int x; active [3] proctype P() {{ do\n{branches}:: x++ od }}");
    let wide = scratch_file("wide.pml", &text).display().to_string();
    let save = scratch_file("wide.json", "");
    let words =
        ["hunt", &wide, "--engine", "walk", "--guide", "local-distance", "--jobs", "1", "--time", "3s", "--save"];
    let args: Vec<String> = words.iter().map(|s| (*s).to_owned()).chain([save.display().to_string()]).collect();
    let ended = run(&args, "wide");
    assert_eq!(ended.status, Some(0), "{}{}", ended.out, ended.errors);
    assert!(std::fs::metadata(&save).expect("a save").len() > 100);
}

#[test]
fn long_texts_of_a_model_are_cut_in_traces() {
    let letters = "z".repeat(1_000_000);
    let text = format!("int x; active proctype P() {{ do :: printf(\"{letters}\\n\"); x++; assert(x < 300) od }}");
    let talkative = scratch_file("talkative.pml", &text).display().to_string();
    for more in [&[][..], &["--json"]] {
        let args = [&["verify", &talkative, "--time", "20s", "--memory", "200M"], more].concat();
        let ended = run(&args.into_iter().map(str::to_owned).collect::<Vec<_>>(), "talkative");
        assert!(ended.resident <= LARGEST, "{} MiB", ended.resident >> 20);
        assert!(ended.out.contains("more characters)") && ended.out.len() < 4_000_000, "{}", ended.out.len());
    }
}
