//! Golden files: each `ok/x.toml` beside the trials it asks for, each `err/x.toml` beside what is said about it.
//!
//! `UPDATE_EXPECT=1 cargo test -p lurcher-lab --test golden` rewrites the expectations; read the difference
//! before you commit it.

use std::path::{Path, PathBuf};

use lurcher_lab::{Experiment, Plan, plan, read};
use lurcher_syntax::render;
use lurcher_test_support::{Golden, named_text};

fn golden() -> Golden {
    Golden::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden"), "toml")
}

/// Everything that is said about a file, and the plan when it is a good one.
fn described(file: &Path) -> (String, Option<Plan>) {
    let found = read(file, &named_text(file).1);
    let mut said = render(&found.sources, &found.diagnostics, false);
    let plan = found.experiment.and_then(|experiment| match plan(&experiment) {
        Ok(plan) => Some(plan),
        Err(errors) => {
            said.push_str(&render(&found.sources, &errors, false));
            None
        }
    });
    let here = format!("{}/", file.parent().expect("golden files lie in a folder").display());
    (said.replace(&here, "").lines().map(without_registries).collect(), plan)
}

/// A line without the names of the registries, which grow: engines, guides, and the settings that are options of engines.
fn without_registries(line: &str) -> String {
    let grows =
        ["is no engine; there are ", "there is no setting", "there is no guide"].iter().any(|l| line.contains(l));
    let Some((said, names)) = line.split_once("there are ").filter(|_| grows) else { return format!("{line}\n") };
    let near = names.split_once("; did you mean").map_or(String::new(), |(_, near)| format!("; did you mean{near}"));
    format!("{said}there are …{near}\n")
}

#[test]
fn good_files_become_the_trials_they_ask_for() {
    golden().check("ok", |file| {
        let (mut said, plan) = described(file);
        let plan = plan.unwrap_or_else(|| panic!("{} is refused: {said}", file.display()));
        for (number, groups) in plan.groups.iter().enumerate() {
            said.push_str(&format!("series {}\n", number + 1));
            for group in groups {
                let first = &plan.trials[group.trials[0]].parameters;
                let fields =
                    first.fields().into_iter().filter(|(n, v)| !v.is_empty() && !["model", "text"].contains(n));
                let fields: Vec<String> = fields.map(|(n, v)| format!("{n}={v}")).collect();
                let (size, name, count) = (&group.size, &group.configuration, group.trials.len());
                said.push_str(&format!("  {size} | {name} | {count}: {}\n", fields.join("; ")));
            }
        }
        said.push_str(&format!("{} trials\n", plan.trials.len()));
        said
    });
}

#[test]
fn wrong_files_are_refused_with_place_and_reason() {
    golden().check("err", |file| {
        let (said, plan) = described(file);
        assert!(plan.is_none(), "{} is not refused", file.display());
        assert!(said.contains("error: "), "{} says nothing", file.display());
        said
    });
}

/// The experiments of a folder of the repository.
fn experiments(folder: &str) -> Vec<(PathBuf, Experiment)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench").join(folder);
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let paths = entries.map(|entry| entry.expect("it can be listed").path());
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let found = read(&path, &text);
        let said = render(&found.sources, &found.diagnostics, false);
        // A file may be written ahead of its guides.
        assert!(found.experiment.is_some() || said.contains("there is no guide"), "{}: {said}", path.display());
        Some((path, found.experiment?))
    };
    paths.filter(|path| path.extension().is_some_and(|e| e == "toml")).filter_map(read).collect()
}

#[test]
fn the_experiments_of_the_repository_can_be_read() {
    assert!(experiments("thesis").len() >= 5);
    let randomised = experiments("randomised");
    assert!(randomised.len() >= 4);
    for (path, experiment) in randomised {
        let plan = plan(&experiment).unwrap_or_else(|errors| panic!("{}: {errors:?}", path.display()));
        assert!(!plan.pairs.is_empty() && plan.pairs.iter().all(|pairs| !pairs.is_empty()), "{}", path.display());
    }
}
