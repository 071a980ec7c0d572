//! Running a study of seeded faults.

use std::path::Path;

use lurcher::engines::Info;
use lurcher::{LoadOptions, Model};
use lurcher_ir::{Property, PropertyKind};
use lurcher_resources::StopSignal;
use lurcher_smv::mutate::{Mutant, Seeder, Skipped};
use lurcher_syntax::SourceMap;

use super::findings::{Findings, Outcome, Run};
use super::trial::{PropertyResult, hunt, judge};
use super::{FaultStudy, plots, report, tables};
use crate::conduct::{Conducted, ExperimentObserver, Settings};
use crate::error::ExperimentError;
use crate::output::{make_folder, write_file};
use crate::parallel::in_order;
use crate::report::Machine;

/// Makes mutants, verifies them, runs the engines on the faulty ones, and writes the results.
///
/// # Errors
/// When the model cannot be used, when there are results already, or when they cannot be written.
pub fn conduct_faults(
    study: &FaultStudy,
    settings: &Settings,
    interrupt: &StopSignal,
    observer: &mut impl ExperimentObserver,
) -> Result<Conducted, ExperimentError> {
    settings.expect_no_results()?;
    let folder = &settings.folder;
    let path = study.head.folder.join(&study.model.0);
    let text = std::fs::read_to_string(&path).map_err(ExperimentError::about(&path))?;
    let original = load(&path, &text)?;
    let properties = chosen(study, &path, &original)?;
    let mutants = mutants(study, &path, &text);
    let Some(findings) = find(study, original, properties, mutants, settings, interrupt, observer)? else {
        return Ok(Conducted::default());
    };
    make_folder(&folder.join("plots"))?;
    if study.keep {
        keep(folder, &findings)?;
    }
    let rows = tables::write(folder, study, &findings)?;
    let drawn = plots::draw(folder, study, &findings)?;
    let machine = Machine::here(&settings.command, settings.jobs, None);
    write_file(&folder.join("README.md"), &report::readme(study, &findings, &machine, &drawn))?;
    let bugs = findings.bugs().len();
    Ok(Conducted { ran: rows, known: rows, trials: rows, failed: tables::failures(&findings), bugs })
}

/// Writes the faulty models.
fn keep(folder: &Path, findings: &Findings) -> Result<(), ExperimentError> {
    make_folder(&folder.join("mutants"))?;
    for mutant in findings.faults().filter_map(|o| o.mutant.as_ref()) {
        write_file(&folder.join(format!("mutants/{:03}.smv", mutant.number)), &mutant.text)?;
    }
    Ok(())
}

fn load(path: &Path, text: &str) -> Result<Model, ExperimentError> {
    let options = LoadOptions { language: Some("smv".to_owned()), ..LoadOptions::default() };
    Model::from_text(&path.display().to_string(), text, &options).map_err(ExperimentError::about(path))
}

/// The relation of an SMV model.
fn relation(model: &Model) -> &lurcher_ir::relation::Relation {
    model.relation().expect("an SMV model is a relation")
}

/// The properties of the study.
fn chosen(study: &FaultStudy, path: &Path, original: &Model) -> Result<Vec<Property>, ExperimentError> {
    let stated = &relation(original).properties;
    let watchable = |s: &&Property| !matches!(s.kind, PropertyKind::Ctl(_));
    let wrong = ExperimentError::about::<String>(path);
    let all: Vec<Property> = match &study.properties {
        None => stated.iter().filter(watchable).cloned().collect(),
        Some(names) => {
            let one = |(name, _): &(String, _)| match stated.iter().find(|s| s.name == *name) {
                None => Err(wrong(format!("there is no property `{name}`"))),
                Some(s) if !watchable(&s) => {
                    Err(wrong(format!("`{name}` is a CTL formula, which random search cannot watch")))
                }
                Some(s) => Ok(s.clone()),
            };
            names.iter().map(one).collect::<Result<_, _>>()?
        }
    };
    if all.is_empty() {
        return Err(wrong("it states no invariant and no LTL formula".to_owned()));
    }
    Ok(all)
}

fn mutants(study: &FaultStudy, path: &Path, text: &str) -> (Vec<Mutant>, Skipped) {
    let mut sources = SourceMap::new();
    let main = sources.add(path.display().to_string(), text);
    let parsed = lurcher_smv::parse(&sources, main);
    let mut seeder = Seeder::new(&sources, &parsed.file, &[], &study.kinds, study.seed);
    let made = seeder.by_ref().take(study.count as usize).collect();
    (made, seeder.skipped())
}

/// Runs the judge and the engines; nothing when interrupted. Leaves out properties that the model itself violates.
fn find(
    study: &FaultStudy,
    original: Model,
    properties: Vec<Property>,
    (mutants, skipped): (Vec<Mutant>, Skipped),
    settings: &Settings,
    interrupt: &StopSignal,
    observer: &mut impl ExperimentObserver,
) -> Result<Option<Findings>, ExperimentError> {
    observer.planned(mutants.len() + 1, 0);
    let mut truth = judge(study, relation(&original), &properties, interrupt);
    observer.progressed(0);
    let (kept, left_out): (Vec<_>, Vec<_>) = properties.into_iter().zip(&truth).partition(|(_, truth)| truth.holds());
    let left_out = left_out.into_iter().map(|(property, _)| property.name).collect();
    let properties: Vec<Property> = kept.into_iter().map(|(property, _)| property).collect();
    truth.retain(PropertyResult::holds);
    let names: Vec<String> = properties.iter().map(|p| p.name.clone()).collect();
    let judged = |mutant: &Mutant| {
        // Mutation leaves properties as they are, but their term ids differ.
        let loaded = load(Path::new("mutant.smv"), &mutant.text)?;
        let named = |n: &String| relation(&loaded).properties.iter().find(|s| s.name == *n).cloned();
        let properties: Vec<Property> = names.iter().filter_map(named).collect();
        let truth = judge(study, relation(&loaded), &properties, interrupt);
        Ok(Outcome { mutant: Some(mutant.clone()), loaded, properties, truth, runs: Vec::new() })
    };
    let progressed = |o: &Result<Outcome, ExperimentError>| {
        observer.progressed(o.as_ref().map_or(0, |o| count_violated(&o.truth)));
    };
    let judged = in_order(mutants.len(), settings.jobs, interrupt, |i| judged(&mutants[i]), progressed);
    let Some(judged) = judged else { return Ok(None) };
    let mut outcomes = vec![Outcome { mutant: None, loaded: original, properties, truth, runs: Vec::new() }];
    outcomes.extend(judged.into_iter().collect::<Result<Vec<_>, _>>()?);
    // Engines also run on the model itself, where they must find nothing.
    let wanted = |&o: &usize| outcomes[o].mutant.is_none() || outcomes[o].is_fault();
    let pieces: Vec<(usize, &'static Info, u64)> = (0..outcomes.len())
        .filter(wanted)
        .flat_map(|o| plan(study).map(move |(engine, seed)| (o, engine, seed)))
        .collect();
    observer.planned(pieces.len(), 0);
    let run = |i: usize| {
        let (at, engine, seed) = pieces[i];
        let Outcome { loaded, properties, .. } = &outcomes[at];
        Run { engine, seed, results: hunt(engine, seed, &study.effort, relation(loaded), properties, interrupt) }
    };
    let progressed = |run: &Run| observer.progressed(count_violated(&run.results));
    let Some(runs) = in_order(pieces.len(), settings.jobs, interrupt, run, progressed) else { return Ok(None) };
    for (run, (at, ..)) in runs.into_iter().zip(&pieces) {
        outcomes[*at].runs.push(run);
    }
    Ok(Some(Findings { properties: names, left_out, skipped, outcomes }))
}

/// The runs: engines and seeds.
fn plan(study: &FaultStudy) -> impl Iterator<Item = (&'static Info, u64)> {
    let runs = |engine: &Info| if engine.random { study.runs } else { 1 };
    study.engines.iter().flat_map(move |&engine| (1..=runs(engine)).map(move |seed| (engine, seed)))
}

fn count_violated(results: &[PropertyResult]) -> usize {
    results.iter().filter(|s| s.is_violated()).count()
}
