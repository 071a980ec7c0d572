//! Mistyped options, wrong files, closed pipes and singular forms.

mod support;

use std::process::Command;

use support::{errors, lurcher, model, scratch_file, text};

/// The message with which arguments are refused.
fn refused(args: &[&str]) -> String {
    let output = lurcher(args);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {}", text(&output));
    assert_eq!(text(&output), "", "{args:?}");
    errors(&output)
}

#[test]
fn one_of_a_thing_is_singular() {
    let path = scratch_file("one.pml", "active proctype P() { skip }").display().to_string();
    let walked =
        text(&lurcher(&["hunt", &model("peterson-n.pml"), "--engine", "walk", "--walks", "1", "--depth", "1"]));
    assert!(walked.contains("\n1 walk, 1 step, the longest 1; 2 distinct states;"), "{walked}");
    assert!(walked.contains("one more walk of 1 step finds a violation with probability below 0.9"), "{walked}");
    let simulated = text(&lurcher(&["simulate", &path, "--steps", "1"]));
    assert!(simulated.contains("stopped after 1 step ("), "{simulated}");
    let analysed = text(&lurcher(&["analyze", &path]));
    assert!(
        analysed.contains(": 1 process at the start, 0 global variables in 0 bytes, 0 channel types"),
        "{analysed}"
    );
    assert!(analysed.contains("0 of 1 process can take part"), "{analysed}");
    let bad = scratch_file("bad.pml", "init { assert(false) }").display().to_string();
    let found = text(&lurcher(&["verify", &bad]));
    assert!(found.contains("trace of 1 step, the shortest possible:"), "{found}");
    assert!(found.contains(" 1 transition, 1 expanded, depth "), "{found}");
}

#[test]
fn a_file_that_cannot_be_written_is_refused_before_the_search() {
    let philosophers = model("philosophers.pml");
    for option in ["--trace", "--trail"] {
        let words = refused(&["verify", &philosophers, option, "/no/such/folder/file"]);
        assert!(words.contains("cannot write /no/such/folder/file: there is no folder /no/such/folder"), "{words}");
    }
    let words = refused(&["hunt", &philosophers, "--save", "/"]);
    assert!(words.contains("cannot write /"), "{words}");
    let words = refused(&["verify", &model("mutex-32.smv"), "--trail", "x.trail"]);
    assert!(words.contains("Spin's trails are for Promela models"), "{words}");
}

#[test]
fn a_closed_pipe_does_not_change_the_exit_status() {
    // The shell closes its end before anything is written.
    let script = r#"{ "$0" verify "$1"; echo $? >&2; } | true"#;
    let philosophers = model("philosophers.pml");
    let mut shell = Command::new("sh");
    shell.args(["-c", script, env!("CARGO_BIN_EXE_lurcher"), &philosophers]);
    let output = shell.output().expect("a shell");
    assert_eq!(errors(&output), "1\n");
}

#[test]
fn a_path_that_is_no_model_is_refused_with_the_reason() {
    let folder = std::env::temp_dir().display().to_string();
    assert!(refused(&["verify", &folder]).contains("is a folder, not a model"));
    assert!(refused(&["verify", "/no/such/model.txt"]).contains("cannot read /no/such/model.txt"));
    assert!(refused(&["verify", "/no/such/model.pml"]).contains("cannot read /no/such/model.pml"));
    let letter = scratch_file("letter.txt", "Dear all,").display().to_string();
    assert!(refused(&["verify", &letter]).contains("neither the name nor the text shows the language"));
}

#[test]
fn options_without_effect_are_refused() {
    assert!(refused(&["hunt", &model("philosophers.pml"), "--walks", "0"]).contains("--walks"));
}

#[test]
fn a_misspelt_define_is_warned_of() {
    let philosophers = model("philosophers.pml");
    let said = |define: &str| errors(&lurcher(&["verify", &philosophers, "--define", define]));
    let words = said("M=4");
    assert!(words.contains("warning: the model never uses `M`"), "{words}");
    assert!(words.contains("--define M"), "{words}");
    assert_eq!(said("N=4"), "");
}

#[test]
fn a_define_gives_an_smv_model_its_size() {
    let text = "MODULE main\nDEFINE N := 9;\nVAR x : 0..N;\nASSIGN init(x) := 0; next(x) := x < N ? x + 1 : 0;\n\
                INVARSPEC x < 5\n";
    let counter = scratch_file("counter.smv", text).display().to_string();
    let code = |define: &str| lurcher(&["verify", &counter, "--define", define]).status.code();
    assert_eq!((code("N=4"), code("N=5")), (Some(0), Some(1)));
    assert!(refused(&["verify", &counter, "--define", "N=4 +"]).contains("in N=4 +"));
    let words = errors(&lurcher(&["verify", &counter, "--define", "M=4"]));
    assert!(words.contains("warning: the model never uses `M`"), "{words}");
}

#[test]
fn a_misspelt_word_of_a_model_is_suggested() {
    for (language, text, suggestion) in [
        ("smv", "MODULE main\nVAR x : boolean;\nINVARSPEC x = true", "TRUE"),
        ("smv", "MODULE main\nVAR x : boolean;\nINVARSPEC x = False", "FALSE"),
        ("smv", "MODULE main\nVAR x : boolen;", "boolean"),
        ("smv", "MODULE main\nVAR x : boolean;\nASIGN init(x) := TRUE;", "ASSIGN"),
        ("smv", "MODULE main\nVAR x : boolean;\nASSIGN nxt(x) := TRUE;", "next"),
        ("smv", "MODULE main\nVAR x : boolean;\nASSIGN next(x) := case x : x; TRUE : x; esc;", "esac"),
        ("smv", "MODULE Main\nVAR x : boolean;", "main"),
        ("smv", "MODULE fo(a)\nMODULE main\nVAR p : foo(TRUE);", "fo"),
        ("promela", "active proctype P() { goto lable; skip; label: skip }", "label"),
        ("promela", "#defin N 3\nactive proctype P() { skip }", "define"),
        ("promela", "byte x; ltl p { [] aways x } active proctype P() { skip }", "always"),
        ("promela", "inline foo(x) { skip } active proctype P() { fooo(x) }", "foo"),
        ("promela", "typedef R { byte field; byte g }; R r; active proctype P() { r.feild = 1 }", "field"),
    ] {
        let path = scratch_file("misspelt.txt", text).display().to_string();
        let said = refused(&["verify", &path, "--lang", language]);
        assert!(said.contains(&format!("did you mean `{suggestion}`?")), "{text}\n{said}");
    }
}

#[test]
fn a_misspelt_word_of_the_command_line_is_suggested_and_no_far_one() {
    let ring = model("leader-ring.pml");
    assert!(refused(&["hunt", &ring, "--engine", "BFS"]).contains("a similar value exists: 'bfs'"));
    assert!(refused(&["help", "HUNT"]).contains("did you mean `hunt`?"));
    assert!(refused(&["verify", &ring, "--property", "ELECTED"]).contains("did you mean `elected`?"));
    let said = refused(&["run", &ring]);
    assert!(!said.contains("similar"), "{said}");
    for command in ["analyze", "simulate"] {
        let said = refused(&[command, &ring, "--engine", "walk"]);
        assert!(said.contains("tip: --engine is an option of `hunt`, `verify`") && !said.contains("similar"), "{said}");
    }
    let said = refused(&["verify", &ring, "--engine", "walk"]);
    assert!(said.contains("it is an engine of `hunt`"), "{said}");
}

#[test]
fn numbers_are_refused_in_words_of_the_program() {
    let philosophers = model("philosophers.pml");
    for (args, said) in [
        (["--seed", "abc"], "no whole number from 0 to 18446744073709551615"),
        (["--seed", "99999999999999999999"], "no whole number from 0 to 18446744073709551615"),
        (["--jobs", "0"], "no whole number from 1 to 65535"),
    ] {
        let words = refused(&[&["hunt", &*philosophers], &args[..]].concat());
        assert!(words.contains(said) && !words.contains("digit"), "{words}");
    }
}

#[test]
fn every_command_has_the_version_of_the_program_and_its_own_time_limit() {
    let version = text(&lurcher(&["-V"]));
    for command in ["hunt", "verify", "simulate", "analyze", "replay"] {
        assert_eq!(text(&lurcher(&[command, "-V"])), version);
        let help = text(&lurcher(&["help", command]));
        assert_eq!(help.contains("a hunt without"), command == "hunt", "{help}");
    }
}

#[test]
fn a_reduction_by_a_macro_that_the_model_lacks_is_named() {
    let output = lurcher(&["analyze", &model("philosophers.pml"), "-D", "N=3", "--reduce", "M=2"]);
    assert!(text(&output).contains("the model never uses the macro `M`"), "{}", text(&output));
}
