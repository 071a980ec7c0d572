//! Reading models and choosing properties.

use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use lurcher_engines::reduce::Reduction;
use lurcher_engines::{
    AskError, Asked, GuideSettings, Language, LoadError, LoadOptions, Loaded, LoadedModel, LoadedRelation, load_model,
};
use lurcher_ir::Property;
use lurcher_syntax::{Diagnostic, Severity, SourceMap, render};

use crate::args::{CommonArgs, GuideFileArgs, Lang, PropertyArgs};
use crate::report::colour_on_stderr;

/// How the arguments say to read the model.
pub fn load_options(args: &CommonArgs) -> LoadOptions {
    let language = args.lang.map(|l| match l {
        Lang::Promela => Language::Promela,
        Lang::Smv => Language::Smv,
    });
    LoadOptions { defines: args.defines.clone(), language }
}

/// Reads the model; what is wrong with it is printed here.
pub fn read_model(args: &CommonArgs) -> Result<LoadedModel> {
    match load_model(&args.model, &load_options(args)) {
        Ok(loaded) => {
            print_diagnostics(loaded.sources(), loaded.warnings());
            Ok(loaded)
        }
        Err(LoadError::Io(path, error)) => bail!("cannot read {}: {error}", path.display()),
        Err(LoadError::TooLarge(path)) => bail!("{} is too large to be a model", path.display()),
        Err(LoadError::UnknownLanguage(path)) if path.is_dir() => bail!("{} is a folder, not a model", path.display()),
        Err(LoadError::UnknownLanguage(path)) if !path.exists() => {
            bail!("cannot read {}: there is none", path.display())
        }
        Err(LoadError::UnknownLanguage(path)) => bail!(
            "{}: the extension does not tell the language; use .pml, .prom, .pr, .promela, .spin or .smv, or --lang",
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

/// What the arguments ask, in order.
fn asked(args: &PropertyArgs) -> Vec<Asked> {
    let mut asked: Vec<Asked> = args.property.iter().cloned().map(Asked::Named).collect();
    let numbered = |texts: &[String], name: &str, ask: fn(String, String) -> Asked| -> Vec<Asked> {
        let name = |i: usize| if texts.len() == 1 { name.to_owned() } else { format!("{name}_{i}") };
        texts.iter().enumerate().map(|(i, text)| ask(name(i), text.clone())).collect()
    };
    asked.extend(numbered(&args.ltl, "ltl", Asked::Ltl));
    asked.extend(numbered(&args.ctl, "ctl", Asked::Ctl));
    asked.extend(args.invariant.iter().cloned().map(Asked::Invariant));
    asked
}

/// What was asked of a relation, in order.
pub fn specifications(loaded: &mut LoadedRelation, args: &PropertyArgs) -> Result<Vec<Property>> {
    if args.no_claims {
        bail!("--no-claims is for Promela models");
    }
    if args.fair {
        bail!("--fair is for Promela models; SMV models state their FAIRNESS themselves");
    }
    let mut asked = asked(args);
    if asked.is_empty() {
        asked = loaded.everything();
    }
    let mut all = Vec::new();
    for one in asked {
        match loaded.resolve(&one) {
            Ok(specification) => all.push(specification),
            Err(error) => return Err(unresolved(&loaded.sources, error)),
        }
    }
    Ok(all)
}

/// What was asked of a model made of processes, in order, with the properties that it means.
pub fn properties(loaded: &mut Loaded, args: &PropertyArgs) -> Result<Vec<(Asked, Property)>> {
    let mut asked = asked(args);
    if args.no_claims {
        asked = vec![Asked::Named("safety".to_owned())];
    }
    if asked.is_empty() {
        asked = Asked::everything(loaded);
    }
    let mut all = Vec::new();
    for one in asked {
        let properties = resolve(loaded, &one)?;
        all.extend(properties.into_iter().map(|p| (one.clone(), p)));
    }
    Ok(all)
}

fn resolve(loaded: &mut Loaded, asked: &Asked) -> Result<Vec<Property>> {
    asked.resolve(loaded).map_err(|error| unresolved(&loaded.sources, error))
}

/// Says why a question cannot be asked.
fn unresolved(sources: &SourceMap, error: AskError) -> anyhow::Error {
    match error {
        AskError::Unknown(why) => anyhow!("{why}"),
        AskError::Rejected(what, diagnostics) => {
            print_diagnostics(sources, &diagnostics);
            anyhow!("the {what} cannot be read")
        }
        error => anyhow!("{error:?}"),
    }
}

/// The properties of a name.
pub fn named(loaded: &mut Loaded, name: &str) -> Result<Vec<Property>> {
    resolve(loaded, &Asked::Named(name.to_owned()))
}

/// Reads a text file that the user named.
pub fn read_text(path: &Path) -> Result<String> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Refuses a file that could not be written where it is asked for.
pub fn check_place(path: &Path) -> Result<()> {
    let folder = path.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (folder.is_dir(), path.is_dir()) {
        (false, _) => bail!("cannot write {}: there is no folder {}", path.display(), folder.display()),
        (true, true) => bail!("cannot write {}: it is a folder", path.display()),
        (true, false) => Ok(()),
    }
}

/// Writes a text file that the user named.
pub fn write_text(path: &Path, text: &str) -> Result<()> {
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// What the arguments want of guides.
pub fn guide_settings(args: &GuideFileArgs) -> Result<GuideSettings> {
    let reduce = args.reduce.as_deref().map(Reduction::parse).transpose().map_err(|why| anyhow!("--reduce: {why}"))?;
    Ok(GuideSettings { drop: dropped(args.drop.as_deref())?, reduce, text: None })
}

/// The names in a file of variables to drop, if there is one; lines that start with `#` are comments.
fn dropped(path: Option<&Path>) -> Result<Vec<String>> {
    let Some(path) = path else { return Ok(Vec::new()) };
    let text = read_text(path)?;
    let names = text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#'));
    Ok(names.map(str::to_owned).collect())
}
