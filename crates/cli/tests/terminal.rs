//! What a terminal shows: widths, colours, character sets, progress, and text that a model controls.

mod support;

use std::fs::File;
use std::io::{Read, Write};
use std::process::Stdio;

use rustix_openpty::openpty;
use rustix_openpty::rustix::termios::Winsize;
use support::{errors, lurcher, model, program, scratch, scratch_file, text};

/// Runs the program on a terminal of so many columns; returns the exit status and all that it wrote.
fn on_terminal_with(args: &[&str], width: u16, settings: &[(&str, &str)], input: &str) -> (i32, String) {
    let size = Winsize { ws_row: 24, ws_col: width, ws_xpixel: 0, ws_ypixel: 0 };
    let pty = openpty(None, Some(&size)).expect("a terminal");
    let end = || Stdio::from(pty.user.try_clone().expect("an end of the terminal"));
    let mut command = program(args);
    command.envs(settings.iter().copied()).stdin(end()).stdout(end()).stderr(end());
    let mut child = command.spawn().expect("lurcher starts");
    drop((command, pty.user));
    let mut terminal = File::from(pty.controller);
    terminal.write_all(input.as_bytes()).expect("the terminal takes input");
    let mut written = Vec::new();
    // Reading fails when the other end is closed.
    let _ = terminal.read_to_end(&mut written);
    let status = child.wait().expect("lurcher runs").code().expect("an exit status");
    (status, String::from_utf8_lossy(&written).replace("\r\n", "\n"))
}

fn on_terminal(args: &[&str], width: u16) -> String {
    on_terminal_with(args, width, &[], "").1
}

/// Text without colour codes.
fn colourless(text: &str) -> String {
    let mut parts = text.split("\x1b[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |out, part| out + part.split_once('m').map_or(part, |(_, text)| text))
}

/// The lines that stay on the screen: those of progress are rewritten and removed.
fn screen(written: &str) -> Vec<String> {
    let line = |line: &str| colourless(line.rsplit('\r').next().unwrap_or_default().trim_start_matches("\x1b[K"));
    written.split('\n').map(line).collect()
}

/// What was shown in place, one after the other.
fn rewritten(written: &str) -> Vec<&str> {
    let shown = |part: &'_ str| part.strip_suffix("\x1b[K").is_some_and(|line| !line.is_empty());
    let lines = written.split('\r').filter(|part| shown(part));
    lines.map(|line| line.strip_suffix("\x1b[K").unwrap_or(line)).collect()
}

#[test]
fn no_command_is_wider_than_the_terminal() {
    let (leader, mutex) = (model("leader-flawed.pml"), model("mutex-flawed-4.smv"));
    let (philosophers, peterson) = (model("philosophers.pml"), model("peterson-n.pml"));
    let trace = scratch("narrow.json").display().to_string();
    assert_eq!(lurcher(&["verify", &philosophers, "--trace", &trace]).status.code(), Some(1));
    let commands: &[&[&str]] = &[
        &["verify", &leader],
        &["verify", &mutex],
        &["hunt", &peterson, "--engine", "walk", "--walks", "40", "--depth", "50"],
        &["hunt", &peterson, "--walks", "40"],
        &["analyze", &philosophers, "-D", "N=2"],
        &["analyze", &mutex],
        &["simulate", &leader, "--steps", "30"],
        &["simulate", &mutex, "--steps", "5"],
        &["replay", &philosophers, &trace],
        &["help"],
        &["help", "engines"],
        &["help", "hunt"],
        &["verify", "--help"],
        &["verify"],
        &["verify", "no-such-model-of-this-rather-long-name.pml"],
        &["hunt", &leader, "--engine", "no-such-engine"],
    ];
    for width in [40, 60, 80, 200] {
        for command in commands {
            let written = on_terminal(command, width);
            for line in screen(&written) {
                assert!(line.chars().count() <= width.into(), "{width} {command:?}: {line:?}\n{written}");
            }
        }
    }
}

#[test]
fn tables_keep_their_rows_where_the_terminal_is_narrow() {
    let (mutex, philosophers) = (model("mutex-4.smv"), model("philosophers.pml"));
    let (properties, guides) = (["verify", &mutex], ["analyze", &philosophers, "-D", "N=3"]);
    let hunt = ["hunt", &model("peterson-n.pml"), "--walks", "40"];
    for (command, row, below) in [
        (&properties[..], "enters      violated      10     bdd", "    reason: false of a run"),
        (&guides[..], "    pattern-database  ", "build: "),
        (&hunt[..], "  walk, local-distance-sum to deadlock  ", "      new states: "),
    ] {
        let written = on_terminal(command, 60);
        let lines = screen(&written);
        let at = lines.iter().position(|line| line.starts_with(row)).unwrap_or_else(|| panic!("{row}: {written}"));
        assert!(lines[at + 1].contains(below), "{command:?}: {written}");
    }
}

#[test]
fn one_column_is_enough_to_end() {
    for width in [1, 2, 7] {
        let (status, written) = on_terminal_with(&["verify", &model("philosophers.pml")], width, &[], "");
        assert_eq!(status, 1, "{written}");
    }
}

#[test]
fn colours_follow_the_terminal_the_environment_and_the_option() {
    let philosophers = model("philosophers.pml");
    let shown = |options: &[&str], settings: &[(&str, &str)]| {
        let args = [&["verify", philosophers.as_str()], options].concat();
        on_terminal_with(&args, 80, settings, "").1.contains("\x1b[1;31mviolated")
    };
    assert!(shown(&[], &[]));
    assert!(!shown(&[], &[("NO_COLOR", "1")]));
    assert!(!shown(&[], &[("TERM", "dumb")]));
    assert!(!shown(&[], &[("TERM", "dumb"), ("CI", "true")]));
    assert!(!shown(&["--color", "never"], &[]));
    assert!(!shown(&["--color=never"], &[("CLICOLOR_FORCE", "1")]));
    // The option decides over the environment.
    assert!(shown(&["--color", "always"], &[("NO_COLOR", "1")]));
    let piped = |options: &[&str], settings: &[(&str, &str)]| {
        let args = [&["verify", philosophers.as_str()], options].concat();
        let output = program(&args).envs(settings.iter().copied()).output().expect("lurcher runs");
        text(&output).contains("\x1b[1;31mviolated")
    };
    assert!(!piped(&[], &[]));
    assert!(piped(&[], &[("CLICOLOR_FORCE", "1")]));
    assert!(!piped(&[], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    assert!(!piped(&[], &[("CLICOLOR_FORCE", "0")]));
    assert!(piped(&["--color", "always"], &[]));
    // Messages about arguments and models obey as well.
    let refused = |options: &[&str]| errors(&program(&[&["verify", "--nonsense"], options].concat()).output().unwrap());
    assert!(refused(&["--color", "always"]).contains('\x1b'));
    assert!(!refused(&[]).contains('\x1b'));
    let bad = scratch_file("colour.pml", "active proctype P() { x = 1 }").display().to_string();
    let output = lurcher(&["verify", &bad, "--color", "always"]);
    assert!(errors(&output).contains('\x1b'), "{}", errors(&output));
}

#[test]
fn without_utf8_everything_is_ascii() {
    let source = "active proctype P() { printf(\"gr\u{fc}n\\n\"); assert(false) }";
    let umlaut = scratch_file("ascii.pml", source).display().to_string();
    let commands: &[&[&str]] = &[
        &["verify", &model("leader-flawed.pml")],
        &["verify", &umlaut],
        &["verify", &model("mutex-flawed-4.smv")],
        &["analyze", &model("philosophers.pml"), "-D", "N=2"],
        &["simulate", &model("handshake-trace.pml")],
        &["verify", &scratch_file("bad.pml", "active proctype P() { x = 1 }").display().to_string()],
        &["hunt", "--help"],
        &["help", "options"],
        &["nonsense"],
    ];
    for command in commands {
        for locale in [("LC_ALL", "C"), ("LC_ALL", "POSIX")] {
            let output = program(command).envs([locale]).output().expect("lurcher runs");
            let all = text(&output) + &errors(&output);
            assert!(all.is_ascii() && !all.is_empty(), "{command:?}: {all}");
        }
    }
    let output = program(&["verify", &umlaut]).env("LC_ALL", "C").output().expect("lurcher runs");
    assert!(text(&output).contains("| gr\\u{fc}n"), "{}", text(&output));
    assert!(text(&output).contains(": violated - "), "{}", text(&output));
}

#[test]
fn a_model_cannot_move_the_cursor() {
    let source = "active proctype P() { printf(\"\u{1b}[2J\u{1b}]0;title\u{7}\u{9b}H\\n\"); assert(false) }";
    let evil = scratch_file("e\u{1b}[2Jvil.pml", source).display().to_string();
    let trace = scratch("evil.json").display().to_string();
    lurcher(&["verify", &evil, "--trace", &trace]);
    let commands: &[&[&str]] = &[
        &["verify", &evil],
        &["verify", &evil, "--json"],
        &["hunt", &evil],
        &["simulate", &evil],
        &["simulate", &evil, "--json"],
        &["analyze", &evil],
        &["replay", &evil, &trace],
        &["verify", &format!("{evil}x")],
        &["hunt", &evil, "--engine", "\u{1b}[2J"],
        &["hunt", &evil, "--property", "\u{1b}[2J"],
    ];
    for command in commands {
        let (_, written) = on_terminal_with(command, 80, &[("NO_COLOR", "1")], "");
        // Progress clears its own line.
        let written = written.replace("\r\x1b[K", "").replace("\x1b[K", "");
        let bad = |c: char| c.is_control() && c != '\n' && c != '\r';
        assert!(!written.contains(bad), "{command:?}: {written:?}");
    }
}

/// A model that keeps a hunt busy.
const BUSY: &str = "short x; active [6] proctype P() { short y; do :: x++ :: y++ :: x > y -> y = x - 1 od }";

#[test]
fn progress_is_rewritten_in_place() {
    let busy = scratch_file("busy.pml", BUSY).display().to_string();
    for width in [30, 60, 120] {
        let (_, written) = on_terminal_with(&["hunt", &busy, "--time", "2s"], width, &[], "");
        let lines = rewritten(&written);
        assert!(lines.iter().any(|line| line.contains(" s left")), "{written:?}");
        assert!(lines.iter().all(|line| line.chars().count() < width.into()), "{lines:?}");
        if width > 60 {
            assert!(
                lines.iter().any(|l| l.contains("walk: random walks (safety)") && l.contains(" walks, ")),
                "{lines:?}"
            );
        }
        // Nothing of it stays.
        assert!(screen(&written).iter().all(|line| !line.contains(" s left")), "{written:?}");
        assert!(screen(&written).join("").contains("inconclusive"), "{written:?}");
    }
    let quiet = on_terminal(&["hunt", &busy, "--time", "1s", "-q"], 80);
    assert!(!quiet.contains('\r') && !quiet.contains(" s left"), "{quiet:?}");
    // A dumb terminal has no line to rewrite.
    let (_, dumb) = on_terminal_with(&["hunt", &busy, "--time", "1s"], 80, &[("TERM", "dumb")], "");
    assert!(!dumb.contains('\x1b') && !dumb.contains('\r'), "{dumb:?}");
}

#[test]
fn where_there_is_no_terminal_progress_is_a_line_now_and_then() {
    let busy = scratch_file("piped.pml", BUSY).display().to_string();
    let told = |args: &[&str]| {
        let output = lurcher(&[args, &["--time", "2s", "--progress-every", "300ms"]].concat());
        (text(&output), errors(&output))
    };
    let (out, err) = told(&["hunt", &busy]);
    assert!((3..8).contains(&err.lines().count()), "{err}");
    assert!(err.lines().all(|line| line.contains(" s left, ") && !line.contains('\x1b')), "{err}");
    assert!(err.contains("walk: random walks (safety)"), "{err}");
    assert!(!out.contains(" s left"), "{out}");
    let (_, err) = told(&["verify", &busy]);
    assert!(err.contains("bfs: searching states (safety), ") && err.contains(" steps/s, depth "), "{err}");
    let (_, err) = told(&["verify", &busy, "--json", "-q"]);
    assert_eq!(err, "");
    // By default there is nothing to be seen within half a minute.
    assert_eq!(errors(&lurcher(&["hunt", &busy, "--time", "1s"])), "");
}

#[test]
fn analysis_and_bdds_report_progress_too() {
    let told = |args: &[&str]| errors(&lurcher(&[args, &["--progress-every", "20ms"]].concat()));
    let analysed = told(&["analyze", &model("leader-flawed.pml")]);
    assert!(analysed.contains("analyze: making the guide pattern-database (safety)"), "{analysed}");
    let symbolic = told(&["verify", &model("leader-ring.pml"), "--engine", "bdd", "--time", "3s"]);
    assert!(symbolic.contains("bdd: "), "{symbolic}");
}

#[test]
fn verbose_runs_name_their_phases() {
    let output = lurcher(&["hunt", &model("peterson-n-flawed.pml"), "-v"]);
    let said = errors(&output);
    assert!(said.contains(" s  bfs: searching the first 4096 states breadth first (safety)\n"), "{said}");
    assert!(said.contains(" s  in all for "), "{said}");
    let symbolic = errors(&lurcher(&["verify", &model("mutex-flawed-4.smv"), "-v"]));
    for phase in ["encoding the model as BDDs", "computing the reachable states", "replaying and shortening the trace"]
    {
        assert!(symbolic.contains(phase), "{phase}: {symbolic}");
    }
    assert_eq!(errors(&lurcher(&["verify", &model("mutex-flawed-4.smv")])), "");
}

#[test]
fn the_menu_works_on_a_narrow_terminal() {
    let leader = model("leader-flawed.pml");
    let save = scratch("menu.json").display().to_string();
    let answers =
        format!("99\n0\n-1\nnonsense\nr 0\nr 99999999999\nr 5\nv\nu\n1\ns\ns {save}\ns /no/such/folder/x\nq\n");
    for width in [40, 60] {
        let (status, written) = on_terminal_with(&["simulate", &leader, "-i"], width, &[], &answers);
        assert_eq!(status, 0, "{written}");
        // The terminal echoes what is typed.
        let screen = screen(&written);
        let own = screen.iter().filter(|line| !line.contains(&save) && !answers.contains(line.as_str()));
        // A prompt whose answer was typed ahead stands before the reply.
        let fits = |line: &String| line.trim_start_matches("> ").chars().count() <= width.into();
        assert!(own.clone().all(fits), "{written}");
        let all = screen.join(" ").replace("   ", " ");
        for part in ["there is no step 99", "there is no step 0", "`-1` is no command", "`nonsense` is no command"] {
            assert!(all.contains(part), "{part}: {written}");
        }
        assert!(all.contains("cannot write /no/such/folder/x"), "{written}");
    }
    assert_eq!(lurcher(&["replay", &leader, &save]).status.code(), Some(0));
}

#[test]
fn help_and_traces_fit_the_terminal_without_utf8_too() {
    let options = text(&program(&["help", "options"]).env("LC_ALL", "C").output().expect("lurcher runs"));
    assert!(options.contains("ln(1 - epsilon)"), "{options}");
    let column =
        |flag: &str| options.lines().find(|l| l.starts_with(flag)).and_then(|l| l.find("With --")).unwrap_or(0);
    assert_eq!(column("  --delta delta"), column("  --epsilon epsilon"), "{options}");
    let man = text(&lurcher(&["man"]));
    assert!(man.is_ascii(), "{man}");
    let written = on_terminal(&["verify", &model("mutex-flawed-4.smv"), "--export", "text=-"], 40);
    for line in screen(&written) {
        assert!(line.chars().count() <= 40, "{line:?}\n{written}");
    }
}
