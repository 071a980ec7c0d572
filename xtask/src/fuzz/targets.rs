//! What is read, and the texts that are mutated for it.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use lurcher::engines::{SavedHunt, Semantics};
use lurcher::formats::{Document, format};
use lurcher::replay::TraceFile;
use lurcher::{LoadError, LoadOptions, Model, Question};
use lurcher_resources::{ResourceLimits, StopSignal};
use lurcher_test_support::{check_diagnostics, seeds};

use super::engines::check_engines;
use crate::repository::root;

/// Something that lurcher reads.
pub struct Target {
    pub name: &'static str,
    pub extension: &'static str,
    /// Words that random bytes rarely spell, separated by `¦`.
    pub words: &'static str,
    /// The texts to mutate.
    pub seeds: fn() -> Result<Vec<String>, String>,
    /// Reads a text; panics if something is wrong, and returns whether the text is accepted.
    pub check: fn(&str) -> bool,
}

/// The targets.
pub static TARGETS: [Target; 7] = [
    Target {
        name: "promela",
        extension: "pml",
        words: ";¦->¦::¦,¦.¦..¦(¦)¦[¦]¦{¦}¦!¦!!¦?¦??¦=¦==¦<¦>¦-->¦*/¦/*¦//¦\\\n¦\n¦\"¦'¦#define X(a) a ## a #a\n¦\
            #define Y Y Y\n¦#if ¦#endif\n¦X(¦Y¦if¦fi¦do¦od¦else¦atomic {¦d_step {¦unless¦inline f(a) { a }\n¦f(¦\
            ltl p { [] <> ¦typedef T { byte a; } T t = 1;¦mtype = {¦chan q = [¦proctype P(¦active [¦init {¦never {¦\
            for (¦select (¦timeout¦run P(¦_pid¦_nr_pr¦len(¦eval(¦hidden ¦unsigned u : ¦[65535]¦255¦32767¦-1¦0¦\
            2147483647¦99999999999¦STDIN?¦priority 3¦provided (¦xr ¦assert(¦goto ¦end: ¦progress: ¦P@¦P[0]:¦\u{e9}¦\
            \0¦\u{feff}¦\r\n",
        seeds: || {
            models(&["models/promela", "crates/promela/tests/golden/ok", "crates/promela/tests/golden/err"], "pml")
        },
        check: |text| check_model("fuzzed.pml", text),
    },
    Target {
        name: "smv",
        extension: "smv",
        words: ";¦:=¦:¦::¦,¦.¦..¦(¦)¦[¦]¦{¦}¦!¦!=¦?¦=¦<¦>¦<->¦->¦&¦|¦+¦-¦--¦/--¦--/¦#¦\"¦\n¦\n# 1 \"a\"\n¦MODULE m(¦VAR ¦\
            IVAR ¦FROZENVAR ¦DEFINE ¦ASSIGN ¦INIT ¦TRANS ¦INVAR ¦CONSTANTS ¦ISA ¦LTLSPEC G F ¦CTLSPEC AG ¦\
            INVARSPEC NAME p := ¦JUSTICE ¦COMPASSION (¦EBF 0..3 ¦A [¦U ¦BU 1..2 ¦G [0,3] ¦O ¦H ¦case ¦esac¦next(¦\
            init(¦union ¦in ¦mod ¦xor ¦array 0..3 of ¦word[¦signed word[¦process ¦self¦TRUE¦0ub5_10110¦0sd8_¦1.5¦\
            count(¦uwconst(¦resize(¦bool(¦toint(¦1..100000¦0¦-1¦99999999999¦\u{e9}¦\0¦\u{feff}¦\r\n",
        seeds: || models(&["models/smv", "crates/smv/tests/golden/ok", "crates/smv/tests/golden/err"], "smv"),
        check: |text| check_model("fuzzed.smv", text),
    },
    Target {
        name: "formula",
        extension: "txt",
        words: "[]¦<>¦X ¦ U ¦ W ¦ V ¦ R ¦!¦(¦)¦->¦<->¦&&¦||¦ & ¦ | ¦==¦ = ¦!=¦<¦+¦*/¦/\\¦\\/¦x¦y¦a[¦]¦G ¦F ¦H ¦O ¦ S ¦ T ¦\
            AG ¦EF ¦A[¦E[¦EBF 0..3 ¦true¦FALSE¦0¦-1¦99999999999¦P@l¦P[0]:z¦timeout¦np_¦_nr_pr¦case ¦esac¦\u{e9}¦\0",
        seeds: || Ok(FORMULAS.map(str::to_owned).to_vec()),
        check: check_formula,
    },
    Target {
        name: "engines",
        extension: "txt",
        words: ";¦\n¦0¦1¦255¦TRUE¦next(¦atomic {¦}¦(¦)¦goto ¦assert(false);¦timeout¦INIT FALSE\n¦JUSTICE FALSE\n",
        seeds: || {
            let mut seeds = models(&["models/promela", "crates/promela/tests/golden/ok"], "pml")?;
            seeds.extend(models(&["models/smv", "crates/smv/tests/golden/ok"], "smv")?);
            Ok(seeds)
        },
        check: check_engines,
    },
    Target {
        name: "experiment",
        extension: "toml",
        words: "[[series]]\n¦seeds = ¦\"1 to 9\"¦engine = ¦guide = ¦depth = ¦walks = ¦time = ¦model = ¦define = ¦[¦]¦{¦}¦\
            \"¦'¦=¦,¦\n¦1¦-1¦99999999999999999999¦1.5¦true¦\"1 to 4000000000\"¦[1, 2, 3]¦\u{e9}¦\0¦\u{feff}",
        seeds: || models(&["bench/thesis", "bench/lurch"], "toml"),
        check: check_experiment,
    },
    Target {
        name: "trace",
        extension: "json",
        words: "{¦}¦[¦]¦,¦:¦\"¦\n¦0¦1¦-1¦-2¦-4¦4294967296¦99999999999999999999¦1e308¦null¦true¦\"steps\"¦\"cycle_start\"¦\
            \"property\"¦\"formula\"¦\"ltl\"¦\"defines\"¦\u{e9}¦\0",
        seeds: traces,
        check: check_trace,
    },
    Target {
        name: "save",
        extension: "json",
        words: "{¦}¦[¦]¦,¦:¦\"¦0¦1¦-1¦4294967296¦18446744073709551615¦99999999999999999999¦1e308¦null¦true¦\u{e9}¦\0",
        seeds: || SAMPLES.iter().map(saved_hunt).collect(),
        check: check_save,
    },
];

/// A model to replay traces of and to resume hunts of, and an expression that is true in it.
struct Sample {
    path: &'static str,
    invariant: &'static str,
}

const SAMPLES: [Sample; 2] = [
    Sample { path: "models/promela/philosophers.pml", invariant: "true" },
    Sample { path: "models/smv/river-crossing.smv", invariant: "TRUE" },
];

/// How long a check of an input searches.
const SEARCH: Duration = Duration::from_millis(300);

const FORMULAS: [&str; 12] = [
    "[] (x == 1 -> <> y)",
    "<> x == 1 && [] !y",
    "(x U y) W (y V x)",
    "[]<>(P@l) || P[0]:z > 1",
    "a[x + 1] < 3",
    "X X (x -> y)",
    "G (x = 1 -> F y)",
    "G [0, 3] (x < 2) & O y",
    "AG (x = 1 -> EF y)",
    "A [ y U x = 2 ] | EBF 0..3 y",
    "case x > 1 : y; TRUE : !y; esac",
    "!(x in {1, 2}) xor y",
];

fn models(folders: &[&str], extension: &str) -> Result<Vec<String>, String> {
    let folders: Vec<PathBuf> = folders.iter().map(|folder| root().join(folder)).collect();
    Ok(seeds(&folders, extension))
}

fn load(path: &str) -> Result<Model, String> {
    Model::load(&root().join(path), &LoadOptions::default()).map_err(|e| e.to_string())
}

/// Loads a model, resolves its properties and walks through it for a moment.
fn check_model(name: &str, text: &str) -> bool {
    match Model::from_text(name, text, &LoadOptions::default()) {
        Ok(mut model) => {
            check_diagnostics(model.sources(), model.warnings(), 0);
            let check = model.hunt().engine("walk").option("walks", "3").option("depth", "50").option("exec", "interp");
            // What cannot be walked through says so.
            let _ = check.jobs(1).time(SEARCH).run();
            true
        }
        Err(LoadError::Rejected(sources, diagnostics)) => {
            let errors = check_diagnostics(&sources, &diagnostics, usize::MAX);
            assert!(errors > 0, "refused without an error");
            false
        }
        Err(error) => panic!("{error}"),
    }
}

/// Reads a text as every kind of formula, of a small model in each language.
fn check_formula(text: &str) -> bool {
    const MODELS: [(&str, &str); 2] = [
        ("f.pml", "byte x, y; byte a[3]; active proctype P() { byte z; l: do :: x < 3 -> x++ :: y = 1 - y; z = y od }"),
        (
            "f.smv",
            "MODULE main VAR x : 0..3; y : boolean; a : array 0..2 of 0..3;\n\
                ASSIGN init(x) := 0; next(x) := (x + 1) mod 4; next(y) := !y;",
        ),
    ];
    let kinds: [fn(String, String) -> Question; 3] = [Question::Ltl, Question::Ctl, Question::Invariant];
    let mut accepted = false;
    for ((name, model), kind) in MODELS.iter().flat_map(|m| kinds.iter().map(move |k| (m, k))) {
        let mut model = Model::from_text(name, *model, &LoadOptions::default()).expect("the model is right");
        let question = kind("formula".to_owned(), text.to_owned());
        // Nested bounded operators are exponential.
        let limits = ResourceLimits::new(Instant::now(), Some(SEARCH), Some(1 << 30), StopSignal::default());
        if limits.bound(|| model.resolve(&question)).is_ok_and(|resolved| resolved.is_ok()) {
            accepted = true;
            // A formula that is too large says so.
            let _ = model.verify().question(question).jobs(1).time(SEARCH).memory(256 << 20).run();
        }
    }
    accepted
}

fn check_experiment(text: &str) -> bool {
    let found = lurcher_lab::read(&root().join("bench/thesis/fuzzed.toml"), text);
    check_diagnostics(&found.sources, &found.diagnostics, usize::MAX);
    let planned = found.experiment.as_ref().map(lurcher_lab::plan);
    if let Some(Err(errors)) = &planned {
        check_diagnostics(&found.sources, errors, usize::MAX);
    }
    found.study.is_some() || planned.is_some_and(|p| p.is_ok())
}

/// Traces of the samples, in both forms that can be read.
fn traces() -> Result<Vec<String>, String> {
    let mut texts = Vec::new();
    for sample in &SAMPLES {
        let mut model = load(sample.path)?;
        let outcome = model.verify().run().map_err(|e| e.to_string())?;
        for document in outcome.reports.iter().filter_map(|report| Document::of(&model, sample.path, report)) {
            texts.extend(["json", "spin-trail"].iter().filter_map(|name| format(name)?.render(&document).ok()));
        }
    }
    Ok(texts)
}

/// Replays a trace on both samples, whatever it says.
fn check_trace(text: &str) -> bool {
    let Ok(file) = TraceFile::new(text.to_owned()) else { return false };
    let replays = |sample: &Sample| {
        let mut model = load(sample.path).expect("the model is right");
        model.replay(&file, None, Semantics::default()).is_ok()
    };
    SAMPLES.each_ref().map(replays).contains(&true)
}

fn saved_hunt(sample: &Sample) -> Result<String, String> {
    let mut model = load(sample.path)?;
    let hunt = model.hunt().engine("walk").option("walks", "2").option("depth", "20").invariant(sample.invariant);
    let outcome = hunt.jobs(1).save(Duration::from_secs(3600), |_| {}).run().map_err(|e| e.to_string())?;
    Ok(outcome.saved.ok_or("the hunt was not saved")?.to_text())
}

/// Resumes a hunt on both samples, whatever it says.
fn check_save(text: &str) -> bool {
    let Ok(saved) = SavedHunt::from_text(text.as_bytes()) else { return false };
    let resumes = |sample: &Sample| {
        let mut model = load(sample.path).expect("the model is right");
        let hunt = model.hunt().engine("walk").option("walks", "4").option("depth", "20").invariant(sample.invariant);
        hunt.jobs(1).time(SEARCH).resume(saved.clone()).run().is_ok()
    };
    SAMPLES.each_ref().map(resumes).contains(&true)
}
