//! Where models come from: files of any name, standard input, and the text that other systems and editors write.

mod support;

use support::{model, run, run_with, scratch_file};

const PROMELA: &str = "byte x; active proctype P() { x = 1; assert(x == 1) }";
const SMV: &str = "MODULE main\nVAR x : boolean;\nASSIGN next(x) := !x;\nINVARSPEC x | !x;\n";

/// Checks that `verify` proves a text under a name.
fn holds(name: &str, text: &str) {
    let path = scratch_file(name, text).display().to_string();
    let (status, out, errors) = run(&["verify", &path]);
    assert_eq!((status, errors.as_str()), (0, ""), "{name}: {out}");
}

#[test]
fn the_language_follows_the_extension_in_any_case_and_else_the_text() {
    for name in ["m.PML", "m.Pml", "m.pm", "m.prm", "m.sumo", "m.txt", "m", ".m", "m.pml.bak"] {
        holds(&format!("language/{name}"), PROMELA);
    }
    for name in ["m.SMV", "m.nusmv", "m.txt2", "m2"] {
        holds(&format!("language/{name}"), SMV);
    }
}

#[test]
fn a_text_that_shows_no_language_needs_an_option() {
    let path = scratch_file("no-language", "x := 1").display().to_string();
    let (status, _, errors) = run(&["verify", &path]);
    assert_eq!(status, 2);
    let sentence =
        "neither the name nor the text shows the language; add --lang promela or --lang smv or --lang astral";
    assert_eq!(errors, format!("error: {path}: {sentence}\n"));
    let (_, _, errors) = run(&["verify", &path, "--language", "smv"]);
    assert!(errors.contains("no-language:1:1"), "{errors}");
    // The extension wins over the text.
    let path = scratch_file("smv-in.pml", SMV).display().to_string();
    assert_eq!(run(&["verify", &path]).0, 2);
    assert_eq!(run(&["verify", &path, "--lang", "smv"]).0, 0);
}

#[test]
fn a_dash_is_standard_input() {
    for text in [PROMELA, SMV] {
        let (status, out, errors) = run_with(&["verify", "-"], text);
        assert_eq!((status, errors.as_str()), (0, ""), "{out}");
        assert!(out.starts_with("<stdin>: holds"), "{out}");
    }
    let (status, _, errors) = run_with(&["hunt", "-"], "init { x = 1 }");
    assert_eq!(status, 2);
    assert!(errors.contains("<stdin>:1:8"), "{errors}");
    let (status, _, errors) = run_with(&["verify", "-"], "");
    assert_eq!(status, 2);
    assert!(errors.contains("--lang"), "{errors}");
    let (status, _, errors) = run_with(&["verify", "-", "--lang", "promela"], "");
    assert_eq!(status, 2);
    assert!(errors.contains("the program is empty"), "{errors}");
    // Includes are looked for in the current folder, which is that of this crate.
    let (status, out, errors) =
        run_with(&["verify", "-"], "#include \"tests/support/one.inc\"\ninit { assert(ONE == 1) }");
    assert_eq!((status, errors.as_str()), (0, ""), "{out}");
}

#[test]
fn a_byte_order_mark_and_lines_of_windows_are_read() {
    for (name, text) in [("bom.pml", PROMELA), ("bom.smv", SMV), ("bom", PROMELA), ("bom2", SMV)] {
        let windows = format!("\u{feff}{}", text.replace('\n', "\r\n"));
        holds(name, &windows);
        holds(&format!("crlf-{name}"), &text.replace("; ", ";\r\n").replace('\n', "\r\n").replace("\r\r", "\r"));
    }
    // A macro over two lines.
    holds("splice.pml", "#define TWO 1 + \\\r\n 1\r\ninit { assert(TWO == 2) }\r\n");
}

#[test]
fn folders_and_missing_files_are_named() {
    let folder = std::env::temp_dir().display().to_string();
    assert!(run(&["verify", &folder]).2.contains("is a folder, not a model"));
    assert!(run(&["verify", "no-such-model"]).2.contains("cannot read no-such-model"));
}

#[test]
fn misspelt_names_are_answered_with_the_right_ones() {
    let philosophers = model("philosophers.pml");
    let cases: [(&[&str], &str); 9] = [
        (&["hutn", "x.pml"], "'hunt'"),
        (&["hunt", &philosophers, "--engine", "wlak"], "'walk'"),
        (&["verify", &philosophers, "--engine", "bsf"], "'bfs'"),
        (&["hunt", &philosophers, "--guide", "local-distnce"], "'local-distance'"),
        (&["hunt", &philosophers, "--engin", "walk"], "'--engine'"),
        (&["hunt", &philosophers, "--property", "safty"], "did you mean `safety`?"),
        (&["hunt", &philosophers, "--export", "jsn=x"], "did you mean `json`?"),
        (&["help", "engnes"], "did you mean `engines`?"),
        (&["help", "verfy"], "did you mean `verify`?"),
    ];
    for (args, words) in cases {
        let (status, _, errors) = run(args);
        assert_eq!(status, 2, "{args:?}");
        assert!(errors.contains(words), "{args:?}: {errors}");
    }
    let (_, _, errors) = run(&["hunt", &philosophers, "--property", "s"]);
    assert!(!errors.contains("did you mean"), "{errors}");
}

#[test]
fn warnings_about_a_formula_are_printed() {
    let path = scratch_file("operand.pml", "byte x; active proctype P() { x = 1 }").display().to_string();
    let (status, out, errors) = run(&["verify", &path, "--ltl", "<> x == 1"]);
    assert_eq!(status, 1, "{out}");
    assert!(errors.contains("<command line>:1:1") && errors.contains("Spin takes 334"), "{errors}");
    let (status, _, errors) = run(&["verify", &path, "--ltl", "<> (x == 1)"]);
    assert_eq!((status, errors.as_str()), (0, ""));
}
