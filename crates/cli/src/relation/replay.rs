//! `replay`: asking again whether a list of states is a run, and what it shows.

use std::io::Write;

use anyhow::{Result, bail};
use lurcher_engines::{Asked, LoadedRelation, shows};
use lurcher_ir::{Atom, Property, PropertyKind};
use lurcher_system::Path;
use lurcher_trace::{StateEvidence, read_states_json, states_to_json, states_to_text};
use serde_json::json;

use crate::Exit;
use crate::args::ReplayArgs;
use crate::input;

/// `lurcher replay` on a relation.
pub fn replay(args: &ReplayArgs, mut loaded: LoadedRelation) -> Result<Exit> {
    if args.to_trail.is_some() {
        bail!("Spin's trails are for Promela models; --to-json FILE writes a trace of any model");
    }
    let text = input::read_text(&args.trace)?;
    let (run, stated) = match read_states_json(&loaded.relation, &text) {
        Ok(read) => read,
        Err(error) => bail!("{} is no trace of this model: {error}", args.trace.display()),
    };
    let wanted = args.property.clone().unwrap_or(stated);
    let specification = match loaded.resolve(&Asked::Named(wanted.clone())) {
        Ok(specification) => specification,
        // The trace may be about a formula that was given on the command line.
        Err(_) if args.property.is_none() => {
            eprintln!("warning: the model has no property `{wanted}`; the trace is only executed");
            unknown(&mut loaded, &wanted)
        }
        Err(_) => bail!("there is no property `{wanted}`"),
    };
    let evidence = match shows(&loaded.relation, &run, &specification) {
        Ok(evidence) => evidence,
        Err(error) => bail!("{} does not replay: {error}", args.trace.display()),
    };
    if let Some(path) = &args.to_json {
        let model = args.common.model.display().to_string();
        input::write_text(path, &states_to_json(&loaded.relation, &model, &specification.name, &run))?;
    }
    print(args, &loaded, &run, &specification, evidence)?;
    let violated = !matches!(evidence, StateEvidence::None);
    Ok(if violated { Exit::Violation } else { Exit::Clean })
}

/// A property that no run violates.
fn unknown(loaded: &mut LoadedRelation, name: &str) -> Property {
    let always = loaded.relation.terms.truth(true);
    Property::built_in(name, PropertyKind::Invariant(Atom::Term(always)))
}

fn print(
    args: &ReplayArgs,
    loaded: &LoadedRelation,
    run: &Path<Vec<i64>>,
    specification: &Property,
    evidence: StateEvidence,
) -> Result<()> {
    let mut out = std::io::stdout().lock();
    if args.common.json {
        let object = json!({
            "tool": "lurcher",
            "version": env!("CARGO_PKG_VERSION"),
            "model": args.common.model.display().to_string(),
            "verdict": if evidence == StateEvidence::None { "inconclusive" } else { "violated" },
            "replayed": true,
            "property": { "kind": specification.kind.name(), "name": specification.name },
            "trace": { "length": run.length(), "cycle_start": run.cycle_start },
        });
        writeln!(out, "{}", serde_json::to_string_pretty(&object)?)?;
        return Ok(());
    }
    write!(out, "{}", states_to_text(&loaded.relation, run, evidence))?;
    let name = &specification.name;
    let said = match evidence {
        StateEvidence::None => "the trace replays and violates nothing".to_owned(),
        StateEvidence::Illustration => format!("the trace replays; it illustrates a violation of {name}"),
        _ => format!("the trace replays and shows a violation of {name}"),
    };
    writeln!(out, "{said}")?;
    Ok(())
}
