//! A study of seeded faults from its model to its results.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use lurcher_engines::{LoadError, LoadedRelation};
use lurcher_ir::{Property, PropertyKind};
use lurcher_smv::mutate::{Mutant, Seeder, Skipped};
use lurcher_syntax::SourceMap;

use super::tally::{Findings, Outcome, Run};
use super::trial::{Said, hunt, judge};
use super::{FaultEngine, FaultStudy, pictures, report, tables};
use crate::conduct::{Conducted, Settings, make_folder};
use crate::error::ExperimentError;
use crate::execute::ExperimentObserver;
use crate::output::{Machine, write_file};
use crate::parallel::in_order;

/// Makes mutants, judges them, runs the engines on those that are faulty, and writes the results.
///
/// # Errors
/// When the model cannot be used, when there are results already, or when they cannot be written.
pub fn conduct_faults(
    study: &FaultStudy,
    settings: &Settings,
    interrupt: &Arc<AtomicBool>,
    observer: &mut impl ExperimentObserver,
) -> Result<Conducted, ExperimentError> {
    let folder = &settings.folder;
    let table = folder.join("trials.csv");
    if table.exists() {
        return Err(ExperimentError::NoResume(table));
    }
    let path = study.folder.join(&study.model.0);
    let text = std::fs::read_to_string(&path).map_err(|e| ExperimentError::Io(path.clone(), e))?;
    let original = load(&path, &text)?;
    let mut properties = chosen(study, &path, &original)?;
    let (mutants, skipped) = mutants(study, &path, &text);
    let Some(findings) = find(study, (&original, mutants, skipped), &mut properties, settings, interrupt, observer)?
    else {
        return Ok(Conducted { ran: 0, known: 0, trials: 0, failed: 0, bugs: 0 });
    };
    make_folder(&folder.join("plots"))?;
    if study.keep {
        keep(folder, &findings)?;
    }
    let rows = tables::write(folder, study, &findings)?;
    let drawn = pictures::draw(folder, study, &findings)?;
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

fn load(path: &Path, text: &str) -> Result<LoadedRelation, ExperimentError> {
    let name = path.display().to_string();
    LoadedRelation::read(&name, text.to_owned(), &[]).map_err(|error| {
        let why = match error {
            LoadError::Rejected(sources, diagnostics) => crate::instance::first(&sources, &diagnostics),
            other => format!("{other:?}"),
        };
        ExperimentError::Model(path.to_owned(), why)
    })
}

/// The properties that the study is about.
fn chosen(study: &FaultStudy, path: &Path, original: &LoadedRelation) -> Result<Vec<Property>, ExperimentError> {
    let stated = &original.relation.properties;
    let watchable = |s: &&Property| !matches!(s.kind, PropertyKind::Ctl(_));
    let wrong = |why: String| ExperimentError::Model(path.to_owned(), why);
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

/// Judges and hunts; nothing when interrupted. Properties that the model itself violates are taken out.
fn find(
    study: &FaultStudy,
    (original, mutants, skipped): (&LoadedRelation, Vec<Mutant>, Skipped),
    properties: &mut Vec<Property>,
    settings: &Settings,
    interrupt: &Arc<AtomicBool>,
    observer: &mut impl ExperimentObserver,
) -> Result<Option<Findings>, ExperimentError> {
    observer.planned(mutants.len() + 1, 0);
    let first = judge(study, &original.relation, properties, interrupt);
    observer.progressed(0);
    let mut holds = first.iter().map(Said::holds);
    let mut left_out = Vec::new();
    properties.retain(|p| {
        let keep = holds.next().unwrap_or(false);
        if !keep {
            left_out.push(p.name.clone());
        }
        keep
    });
    let names: Vec<String> = properties.iter().map(|p| p.name.clone()).collect();
    let read = |mutant: &Mutant| {
        // The same words as in the model, whose properties are not touched, but other numbers of terms.
        let loaded = load(Path::new("mutant.smv"), &mutant.text)?;
        let named = |n: &String| loaded.relation.properties.iter().find(|s| s.name == *n).cloned();
        let properties: Vec<Property> = names.iter().filter_map(named).collect();
        Ok((loaded, properties))
    };
    let judged = in_order(
        mutants.len(),
        settings.jobs,
        interrupt,
        |i| {
            let (loaded, properties) = read(&mutants[i])?;
            let judged = judge(study, &loaded.relation, &properties, interrupt);
            Ok((loaded, properties, judged))
        },
        |r: &Result<_, ExperimentError>| {
            observer.progressed(r.as_ref().map_or(0, |(_, _, s): &(_, _, Vec<Said>)| count_violated(s)));
        },
    );
    let Some(judged) = judged else { return Ok(None) };
    let kept = first.into_iter().filter(Said::holds).collect();
    let mut outcomes = vec![Outcome { mutant: None, judged: kept, runs: Vec::new() }];
    let mut relations = vec![(&original.relation, &*properties)];
    let judged: Vec<(LoadedRelation, Vec<Property>, Vec<Said>)> = judged.into_iter().collect::<Result<_, _>>()?;
    for (mutant, (loaded, properties, said)) in mutants.into_iter().zip(&judged) {
        outcomes.push(Outcome { mutant: Some(mutant), judged: said.clone(), runs: Vec::new() });
        relations.push((&loaded.relation, properties));
    }
    // Engines run on the model itself too: there is nothing to find, and they must not find it.
    let wanted = |o: &Outcome| o.mutant.is_none() || o.is_fault();
    let pieces: Vec<(usize, FaultEngine, u64)> = (0..outcomes.len())
        .filter(|&o| wanted(&outcomes[o]))
        .flat_map(|o| plan(study).map(move |(engine, seed)| (o, engine, seed)))
        .collect();
    observer.planned(pieces.len(), 0);
    let runs = in_order(
        pieces.len(),
        settings.jobs,
        interrupt,
        |i| {
            let (at, engine, seed) = pieces[i];
            let (relation, properties) = relations[at];
            Run { engine, seed, said: hunt(engine, seed, &study.effort, relation, properties, interrupt) }
        },
        |run| observer.progressed(count_violated(&run.said)),
    );
    let Some(runs) = runs else { return Ok(None) };
    for (run, (at, ..)) in runs.into_iter().zip(&pieces) {
        outcomes[*at].runs.push(run);
    }
    Ok(Some(Findings { properties: names, left_out, skipped, outcomes }))
}

/// Engines and their seeds.
fn plan(study: &FaultStudy) -> impl Iterator<Item = (FaultEngine, u64)> {
    let runs = |engine: FaultEngine| if engine.is_random() { study.runs } else { 1 };
    study.engines.iter().flat_map(move |&engine| (1..=runs(engine)).map(move |seed| (engine, seed)))
}

fn count_violated(said: &[Said]) -> usize {
    said.iter().filter(|s| s.is_violated()).count()
}
