//! Reading models and choosing properties.

use std::path::Path;

use anyhow::{Context, Result, bail};
use lurcher_ir::{Property, PropertyKind};
use lurcher_session::{Language, LoadError, LoadOptions, Loaded, load, safety};
use lurcher_syntax::{Diagnostic, Severity, SourceMap, Span, render};

use crate::args::{CommonArgs, Lang, PropertyArgs};
use crate::report::colour_on_stderr;

/// Reads the model; what is wrong with it is printed here.
pub fn read_model(args: &CommonArgs) -> Result<Loaded> {
    let language = args.lang.map(|l| match l {
        Lang::Promela => Language::Promela,
    });
    let options = LoadOptions { defines: args.defines.clone(), language };
    match load(&args.model, &options) {
        Ok(loaded) => {
            print_diagnostics(&loaded.sources, &loaded.warnings);
            Ok(loaded)
        }
        Err(LoadError::Io(path, error)) => bail!("cannot read {}: {error}", path.display()),
        Err(LoadError::TooLarge(path)) => bail!("{} is too large to be a model", path.display()),
        Err(LoadError::UnknownLanguage(path)) => bail!(
            "{}: the extension does not tell the language; use .pml, .prom, .pr, .promela or .spin, or --lang",
            path.display()
        ),
        Err(LoadError::Rejected(sources, diagnostics)) => {
            print_diagnostics(&sources, &diagnostics);
            let errors = diagnostics.iter().filter(|d| d.severity == Severity::Error).count();
            bail!("{}: {errors} error{}", args.model.display(), if errors == 1 { "" } else { "s" })
        }
        Err(error) => bail!("{error:?}"),
    }
}

fn print_diagnostics(sources: &SourceMap, diagnostics: &[Diagnostic]) {
    if !diagnostics.is_empty() {
        eprint!("{}", render(sources, diagnostics, colour_on_stderr()));
    }
}

fn rejected(sources: &SourceMap, diagnostics: Vec<Diagnostic>, what: &str) -> anyhow::Error {
    print_diagnostics(sources, &diagnostics);
    anyhow::anyhow!("the {what} cannot be read")
}

/// The properties to check, in order.
pub fn properties(loaded: &mut Loaded, args: &PropertyArgs) -> Result<Vec<Property>> {
    if args.no_claims {
        return Ok(vec![safety()]);
    }
    let mut chosen = Vec::new();
    for name in &args.property {
        chosen.extend(named(loaded, name)?);
    }
    for (i, text) in args.ltl.iter().enumerate() {
        let name = if args.ltl.len() == 1 { "ltl".to_owned() } else { format!("ltl_{i}") };
        let property = loaded.formula(&name, text);
        chosen.push(property.map_err(|d| rejected(&loaded.sources, d, "formula"))?);
    }
    for text in &args.invariant {
        let property = loaded.invariant(text);
        chosen.push(property.map_err(|d| rejected(&loaded.sources, d, "invariant"))?);
    }
    if chosen.is_empty() {
        chosen.push(safety());
        chosen.extend(loaded.model().properties.iter().cloned());
    }
    Ok(chosen)
}

/// The properties of a name: `never` means every never claim.
pub fn named(loaded: &Loaded, name: &str) -> Result<Vec<Property>> {
    let own = |kind| Property { name: name.to_owned(), kind, span: Span::default() };
    let stated: Vec<Property> = loaded.model().properties.iter().filter(|p| p.name == name).cloned().collect();
    if !stated.is_empty() {
        return Ok(stated);
    }
    match name {
        "safety" | "deadlock" | "assertion" => return Ok(vec![safety()]),
        "non-progress" => return Ok(vec![own(PropertyKind::NonProgress)]),
        "acceptance" => return Ok(vec![own(PropertyKind::Acceptance)]),
        _ => {}
    }
    let is_never = |p: &&Property| matches!(p.kind, PropertyKind::Never(_));
    let claims: Vec<Property> = loaded.model().properties.iter().filter(is_never).cloned().collect();
    if name == "never" && !claims.is_empty() {
        return Ok(claims);
    }
    let known: Vec<&str> = loaded.model().properties.iter().map(|p| p.name.as_str()).collect();
    let known = if known.is_empty() { "states none".to_owned() } else { format!("states {}", known.join(", ")) };
    bail!("there is no property `{name}`; the model {known}; there are also safety, non-progress and acceptance")
}

/// Reads a text file that the user named.
pub fn read_text(path: &Path) -> Result<String> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Writes a text file that the user named.
pub fn write_text(path: &Path, text: &str) -> Result<()> {
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}
