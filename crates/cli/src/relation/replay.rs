//! `replay`: checking again whether a list of states is a run of a relation, and what it shows.

use std::io::Write;

use anyhow::{Result, bail};
use lurcher::engines::evidence;
use lurcher::formats::{Document, TraceOf};
use lurcher::{Model, Question};
use lurcher_ir::Property;
use lurcher_trace::{StateEvidence, read_states_json};
use serde_json::json;

use crate::Exit;
use crate::args::ReplayArgs;
use crate::{input, outcome};

/// `lurcher replay` on a relation.
pub fn replay(args: &ReplayArgs, mut model: Model) -> Result<Exit> {
    if args.exports().iter().any(|(format, _)| *format == "spin-trail") {
        bail!("Spin's trails are for Promela models; --to-json FILE writes a trace of any model");
    }
    let relation = |model: &Model| model.relation().expect("it is a relation").clone();
    let (run, stated) = match read_states_json(&relation(&model), &input::read_text(&args.trace)?) {
        Ok(read) => read,
        Err(error) => bail!("{} is no trace of this model: {error}", args.trace.display()),
    };
    let wanted = args.property.clone().unwrap_or(stated);
    let property = match model.resolve(&Question::Named(wanted.clone())) {
        Ok(mut properties) => properties.remove(0),
        // The trace may be about a formula that was given on the command line.
        Err(_) if args.property.is_none() => {
            eprintln!("warning: the model has no property `{wanted}`; the trace is only executed");
            let always = input::resolve(&mut model, &Question::invariant("TRUE"))?.remove(0);
            Property { name: wanted, ..always }
        }
        Err(_) => bail!("there is no property `{wanted}`"),
    };
    let relation = relation(&model);
    let evidence = match evidence(&relation, &run, &property) {
        Ok(evidence) => evidence,
        Err(error) => bail!("{} does not replay: {error}", args.trace.display()),
    };
    let name = args.common.model.display().to_string();
    let trace = TraceOf::Relation(&run, evidence, &relation);
    let document = Document { model: &name, property: &property.name, trace };
    outcome::export(&document, &args.exports())?;
    let violated = evidence != StateEvidence::None;
    let mut out = std::io::stdout().lock();
    if args.common.json {
        let object = json!({
            "tool": "lurcher",
            "version": env!("CARGO_PKG_VERSION"),
            "model": name,
            "verdict": if violated { "violated" } else { "inconclusive" },
            "replayed": true,
            "property": { "kind": property.kind.name(), "name": property.name },
            "trace": { "length": run.length(), "cycle_start": run.cycle_start },
        });
        writeln!(out, "{}", serde_json::to_string_pretty(&object)?)?;
    } else {
        write!(out, "{}", document.text())?;
        let name = &property.name;
        let said = match evidence {
            StateEvidence::None => "the trace replays and violates nothing".to_owned(),
            StateEvidence::Illustration => format!("the trace replays; it illustrates a violation of {name}"),
            _ => format!("the trace replays and shows a violation of {name}"),
        };
        writeln!(out, "{said}")?;
    }
    Ok(if violated { Exit::Violation } else { Exit::Clean })
}
