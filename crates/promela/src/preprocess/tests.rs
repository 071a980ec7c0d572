//! The preprocessor against hand-written expectations and against gcc.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::process::{Command, Stdio};

use lurcher_syntax::{Severity, SourceMap};

use super::{MacroTable, Outcome, Settings, preprocess};

fn run_with(text: &str, settings: &Settings, files: &HashMap<String, String>) -> (SourceMap, Outcome) {
    let mut sources = SourceMap::new();
    let main = sources.add("main.pml", text);
    let outcome = preprocess(&mut sources, main, MacroTable::default(), settings, files);
    (sources, outcome)
}

/// The lines that are not blank, each with its number, white space squeezed.
fn lines(text: &str) -> Vec<(u32, String)> {
    let (sources, outcome) = run_with(text, &Settings::default(), &HashMap::new());
    let mut found = Vec::new();
    let mut start = 0;
    for line in outcome.expanded.text.split_inclusive('\n') {
        let squeezed = squeeze(line);
        if !squeezed.is_empty() {
            let first = start + line.len() - line.trim_start().len();
            found.push((sources.line(outcome.expanded.span(first, first + 1)), squeezed));
        }
        start += line.len();
    }
    found
}

fn squeeze(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn text_of(input: &str) -> String {
    lines(input).into_iter().map(|(_, l)| l).collect::<Vec<_>>().join("\n")
}

fn errors(text: &str) -> Vec<String> {
    let (_, outcome) = run_with(text, &Settings::default(), &HashMap::new());
    outcome.diagnostics.iter().filter(|d| d.severity == Severity::Error).map(|d| d.message.clone()).collect()
}

#[test]
fn the_examples_of_the_c_standard_come_out_as_gcc_prints_them() {
    let rescan = "#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n#define z z[0]\n#define h g(~\n\
                  #define m(a) a(w)\n#define w 0,1\n#define t(a) a\n#define p() int\n#define q(x) x\n#define r(x,y) x ## y\n\
                  #define str(x) # x\nf(y+1) + f(f(z)) % t(t(g)(0) + t)(1);\ng(x+(3,4)-w) | h 5) & m\n(f)^m(m);\n\
                  p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };\nchar c[2][6] = { str(hello), str() };\n";
    assert_eq!(
        text_of(rescan),
        "f(2 * (y+1)) + f(2 * (f(2 * (z[0])))) % f(2 * (0)) + t(1);\n\
         f(2 * (2 +(3,4)-0,1)) | f(2 * (~ 5)) & f(2 * (0,1))\n\
         ^m(0,1);\n\
         int i[] = { 1, 23, 4, 5, };\n\
         char c[2][6] = { \"hello\", \"\" };"
    );
    let paste = "#define hash_hash # ## #\n#define mkstr(a) # a\n#define in_between(a) mkstr(a)\n\
                 #define join(c, d) in_between(c hash_hash d)\nchar p[] = join(x, y);\n";
    assert_eq!(text_of(paste), "char p[] = \"x ## y\";");
    let placemarkers = "#define t(x,y,z) x ## y ## z\nint j[] = { t(1,2,3), t(,4,5), t(6,,7), t(8,9,),\n\
                        t(10,,), t(,11,), t(,,12), t(,,) };\n";
    assert_eq!(text_of(placemarkers), "int j[] = { 123, 45, 67, 89,\n10, 11, 12, };");
}

#[test]
fn a_multi_line_call_stands_on_the_line_of_its_macro_and_the_rest_on_its_own() {
    let text = "#define M(a,b) a; b\nskip;\nM(x = 1,\n  x =\n2); x = 3 ;\n";
    let expected = [(2, "skip;"), (3, "x = 1; x = 2"), (5, "; x = 3 ;")];
    assert_eq!(lines(text), expected.map(|(n, l)| (n, l.to_owned())));
}

#[test]
fn comments_and_splices_are_white_space_except_in_strings() {
    assert_eq!(
        text_of("a/* x */b // c\n\"/* no */ // no\" 'x'\nlo\\\nng // com\\\nment\n"),
        "a b\n\"/* no */ // no\" 'x'\nlong"
    );
    assert_eq!(text_of("#define X 1 /* two\nlines */ + 2\nX"), "1 + 2");
}

#[test]
fn an_apostrophe_in_skipped_text_or_a_comment_is_harmless() {
    assert!(errors("#if 0\ndon't\n#endif\n/* isn't */ // wasn't\nx\n").is_empty());
}

#[test]
fn conditions_are_c_integer_expressions() {
    for (condition, holds) in [
        ("1 + 2 * 3 == 7", true),
        ("(1 ? 2 : 3) == 2 && !0", true),
        ("-1 > 0u", true),
        ("-1 > 0", false),
        ("0x10 == 16 && 010 == 8 && 0b11 == 3", true),
        ("'a' == 97 && '\\n' == 10", true),
        ("1 << 4 >> 2 == 4", true),
        ("0 && 1 / 0", false),
        ("1 || 1 / 0", true),
        ("UNKNOWN", false),
        ("defined UNKNOWN || defined(__LINE__)", true),
        ("~0 == -1 && (7 & 3 | 8 ^ 1) == 11", true),
        ("7 % 4 == 3 && -7 / 2 == -3", true),
        ("10UL > 9ll", true),
    ] {
        let text = format!("#if {condition}\nyes\n#else\nno\n#endif\n");
        assert_eq!(text_of(&text), if holds { "yes" } else { "no" }, "#if {condition}");
        assert!(errors(&text).is_empty(), "#if {condition}");
    }
}

#[test]
fn a_given_define_that_no_file_asks_for_is_named_in_a_warning() {
    let settings = Settings { defines: vec![("N".into(), "7".into())], ..Settings::default() };
    let warnings = |text: &str| {
        let files = HashMap::from([("inner.pml".to_owned(), "byte x = N;".to_owned())]);
        let (_, outcome) = run_with(text, &settings, &files);
        outcome.diagnostics.into_iter().map(|d| (d.severity, d.message)).collect::<Vec<_>>()
    };
    let said = (Severity::Warning, "the model never uses `N`: defining it changes nothing".to_owned());
    for text in ["n NN /* N */ // N\n\"N\" 'N'", "", "#if 0\nN\n#endif\nM"] {
        assert_eq!(warnings(text), std::slice::from_ref(&said), "{text}");
    }
    for text in [
        "N",
        "#define N 3",
        "#undef N",
        "#ifdef N\n#endif",
        "#ifndef N\n#endif",
        "#if defined(N) || 1\n#endif",
        "#if 0\n#elif N\n#endif",
        "#define TWICE 2 * N\nTWICE",
        "#include \"inner.pml\"",
    ] {
        assert_eq!(warnings(text), [], "{text}");
    }
}

#[test]
fn a_given_define_wins_over_the_file() {
    let settings = Settings { defines: vec![("N".into(), "7".into())], ..Settings::default() };
    for text in ["#define N 3\nN", "#ifndef N\n#define N 3\n#endif\nN", "#undef N\nN", "#undef N\n#define N 3\nN"] {
        let (_, outcome) = run_with(text, &settings, &HashMap::new());
        assert_eq!(squeeze(&outcome.expanded.text), "7", "{text}");
        assert!(outcome.diagnostics.is_empty());
    }
    let wrong = Settings { defines: vec![("3x".into(), "7".into())], ..Settings::default() };
    assert_eq!(run_with("", &wrong, &HashMap::new()).1.diagnostics.len(), 1);
}

#[test]
fn included_files_are_found_beside_the_including_one_and_keep_their_places() {
    let files: HashMap<String, String> =
        [("sub/a.pml", "#include \"b.pml\"\nfrom_a\n"), ("sub/b.pml", "#pragma once\nfrom_b\n")]
            .map(|(n, t)| (n.to_owned(), t.to_owned()))
            .into();
    let text = "#include \"sub/a.pml\"\n#include \"sub/b.pml\"\nmain\n";
    let (sources, outcome) = run_with(text, &Settings::default(), &files);
    assert_eq!(squeeze(&outcome.expanded.text), "from_b from_a main");
    let at = outcome.expanded.text.find("from_a").expect("the text is there");
    assert_eq!(sources.place(outcome.expanded.span(at, at + 6)), "sub/a.pml:2");
}

#[test]
fn runaway_input_ends_with_one_error() {
    let mut bomb = "#define A0 x x\n".to_owned();
    for i in 1..60 {
        let _ = writeln!(bomb, "#define A{i} A{} A{}", i - 1, i - 1);
    }
    assert_eq!(errors(&(bomb + "A59")), ["macro expansion grows without end here"]);
    let mut paste = "#define P(x) P1(x, x)\n#define P1(a, b) a ## b\n#define A0 x\n".to_owned();
    for i in 1..60 {
        let _ = writeln!(paste, "#define A{i} P(A{})", i - 1);
    }
    assert_eq!(errors(&(paste + "A59")), ["macro expansion grows without end here"]);
    let nested = format!("#define F(x) x\n{}1{}", "F(".repeat(5000), ")".repeat(5000));
    assert_eq!(errors(&nested), ["macro calls are nested too deeply in arguments"]);
    let conditions = "#if 1\n".repeat(1000);
    assert_eq!(errors(&conditions), ["conditionals are nested too deeply"]);
    assert_eq!(errors(&format!("#if {}1{}\n#endif", "(".repeat(5000), ")".repeat(5000))).len(), 1);
    assert_eq!(errors(&format!("#if {}1\n#endif", "!".repeat(5000))).len(), 1);
    assert_eq!(errors(&format!("#if {}1\n#endif", "1 ? ".repeat(5000))).len(), 1);
    let files = HashMap::from([("twice".to_owned(), "#include \"twice\"\n#include \"twice\"\n".to_owned())]);
    let (_, outcome) = run_with("#include \"twice\"\n", &Settings::default(), &files);
    assert_eq!(outcome.diagnostics.len(), 1);
}

/// What gcc makes of a text, in the form of [`lines`]; `None` if gcc refuses it. Panics, or skips loudly, without gcc.
fn gcc_lines(text: &str) -> Option<Vec<(u32, String)>> {
    use std::io::Write as _;
    let mut child = Command::new("gcc")
        .args(["-std=gnu99", "-E", "-x", "c", "-undef", "-nostdinc", "-w", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("gcc starts");
    child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("gcc reads its input");
    let output = child.wait_with_output().expect("gcc ends");
    if !output.status.success() {
        return None;
    }
    let (mut found, mut line, mut here) = (Vec::new(), 0, false);
    for text in String::from_utf8_lossy(&output.stdout).lines() {
        if let Some(marker) = text.strip_prefix("# ") {
            let mut words = marker.split(' ');
            line = words.next().and_then(|n| n.parse().ok()).unwrap_or(0);
            here = words.next() == Some("\"<stdin>\"");
            continue;
        }
        if here && !text.trim().is_empty() {
            found.push((line, squeeze(text)));
        }
        line += 1;
    }
    Some(found)
}

fn gcc_is_installed() -> bool {
    let installed = Command::new("gcc").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok();
    if !installed {
        assert!(std::env::var_os("CI").is_none(), "gcc is missing, and CI must compare with it");
        eprintln!("SKIPPED: gcc is not installed, so the preprocessor was not compared with it");
    }
    installed
}

#[test]
fn awkward_input_comes_out_as_from_gcc() {
    if !gcc_is_installed() {
        return;
    }
    for text in [
        "a /* c\n */ b\n",
        "#define M(a,b) a; b\nM(1,2) c\nM(1,\n 2) c\nd M(1,\n\n#define Q 77\n\n Q) c\ne Q f \\\n g\n",
        "#define F(x) <x>\nF\nh\nF\n(i) j\nF (k F(1\n) l ) m\nx F(1\n  ) F(\n  3) z\n",
        "#define F(x) <x>\n#define M(a,b) a; b\na/**/b\n- - M(-,-)-\nF(-)- x--F(-)\n",
        "\"str\" \"unterminated M(1,2)\ndon't M(1,2)\n'M(1,2)' 0..Q\n",
        "#define E\na E b E+E\n#define N(x) x\nN()N(1)N()2\n[E] <E> -E- !E!\n",
        "#define V(a, ...) f(a, ## __VA_ARGS__) [__VA_ARGS__]\nV(1) V(1,2) V(1,2,3) V()\n",
        "#define W(args...) g(args)\nW() W(1) W(1,(2,3))\n",
        "#define S(x) #x\nS( a   +  b ) S(\"q\\n\" 'c') S() S(a\nb)\n",
        "#define C(a,b) a##b\nC(x,1) C(1,x) C(+,+) C(,x) C(x,) C(,)\n",
        "#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)\n",
        "#define foo foo a bar\n#define bar foo b\nfoo bar\n",
        "__LINE__ __COUNTER__ __COUNTER__\n#define L __LINE__\nL (\nL)\n#define K(x) x L\nK(\n1) L\n",
        "#if 1\n#if 0\nx\n#elif 1\ny\n#else\nz\n#endif\n#else\nw\n#endif\n",
        "  #  define  X  1 // c\n # if X\nX\n # endif\n#\n# /* c */\n",
        "a\r\nb \\\r\n c\r\n",
        "#define X(a) a\nX((1,2)) X([1) X((a,(b))) X(,)\n",
        "q!!x; q??y; a::b; 1..2; x->y; <>p [] <->\n",
        "#define LP (\n#define F(x) {x}\nF LP 1)\nF LP 1) )\n",
        "#define A B C\n#define B (\nF A\n#define F(x) x\nF A )\n",
    ] {
        let ours = errors(text).is_empty().then(|| lines(text));
        assert_eq!(ours, gcc_lines(text), "for\n{text}");
    }
}

/// Text made of a few macros calling each other in every way, from a small generator of random numbers.
fn random_macros(seed: u64) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut below = |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % n as u64) as usize
    };
    let mut out = String::new();
    for head in ["A", "B", "F(x)", "G(x,y)", "H(y)"] {
        let _ = write!(out, "#define {head} ");
        match (below(6), head) {
            (0, "F(x)") => out.push_str("#x"),
            (1, "F(x)") => out.push_str("x ## 1 x"),
            (0, "G(x,y)") => out.push_str("z ## x y"),
            (1, "G(x,y)") => out.push_str("<x ## y>"),
            (0, "H(y)") => out.push_str("F LP y)"),
            _ => (0..below(4)).for_each(|_| term(&mut out, 2, &mut below)),
        }
        out.push('\n');
    }
    out.push_str("#define LP (\n");
    for _ in 0..below(12) {
        term(&mut out, 3, &mut below);
    }
    out.push('\n');
    out
}

/// One word or call; arguments nest up to a depth.
fn term(out: &mut String, depth: usize, below: &mut dyn FnMut(usize) -> usize) {
    const WORDS: [&str; 14] = ["A", "B", "F", "G", "H", "x", "y", "+", "-", "1", "2", "!", ":", "\"s\""];
    out.push_str([" ", "", " ", "\n"][below(if depth == 3 { 4 } else { 3 })]);
    let (open, commas) = match below(8) {
        _ if depth == 0 => return out.push_str(WORDS[below(WORDS.len())]),
        0 => ("F(", 0),
        1 => ("G(", 1),
        2 => ("H(", 0),
        3 => ("(", below(2)),
        _ => return out.push_str(WORDS[below(WORDS.len())]),
    };
    out.push_str(open);
    for i in 0..=commas {
        if i > 0 {
            out.push(',');
        }
        for _ in 0..below(3) {
            term(out, depth - 1, below);
        }
    }
    out.push(')');
}

#[test]
fn random_macros_come_out_as_from_gcc() {
    if !gcc_is_installed() {
        return;
    }
    let count = std::env::var("LURCHER_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(200);
    let mut useful = 0;
    for seed in 1..=count {
        let text = random_macros(seed);
        let ours = errors(&text).is_empty().then(|| lines(&text));
        let theirs = gcc_lines(&text);
        useful += u64::from(theirs.is_some());
        assert_eq!(ours, theirs, "seed {seed}:\n{text}");
    }
    assert!(useful * 5 > count, "only {useful} of {count} random texts were accepted by gcc");
}
