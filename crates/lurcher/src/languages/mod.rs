//! The registry of languages.
//!
//! A front-end is a crate that turns text into a model form of [`lurcher_ir`]; a file here says how it is called. Everything else
//! asks [`LANGUAGES`].

mod astral;
mod promela;
mod recognise;
mod smv;

use std::path::Path;
use std::sync::Arc;

use lurcher_heuristics::registry::Instances;
use lurcher_ir::relation::Relation;
use lurcher_ir::{Property, timed};
use lurcher_syntax::{Diagnostic, SourceMap};

pub use promela::PromelaSource;
pub use recognise::Marks;

use crate::load::{LoadError, LoadOptions};
use crate::question::{Question, QuestionError};

/// All languages.
pub static LANGUAGES: &[&dyn Language] = &[&promela::Promela, &smv::Smv, &astral::Astral];

/// A language that models are written in.
pub trait Language: Sync {
    /// Its name: `--lang` on the command line.
    fn name(&self) -> &'static str;

    /// The extensions of its files, in lower case.
    fn extensions(&self) -> &'static [&'static str];

    /// What its texts are recognised by where the extension says nothing.
    fn marks(&self) -> &'static Marks;

    /// Whether its models are specifications of several processes, which are checked one by one: `--process` and `--further`
    /// choose.
    fn is_modular(&self) -> bool {
        false
    }

    /// Reads a model. `name` is what messages call it, and where its includes are looked for.
    ///
    /// # Errors
    /// When the model is wrong.
    fn load(&self, name: &str, text: String, options: &LoadOptions) -> Result<Box<dyn Source>, LoadError>;
}

/// The language of a file by its extension, in upper or lower case.
pub fn language_of(path: &Path) -> Option<&'static dyn Language> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    LANGUAGES.iter().copied().find(|l| l.extensions().contains(&extension.as_str()))
}

/// The language of a text: the one with the most of its marks. `None` if two have as many, or none has any.
pub fn language_of_text(text: &str) -> Option<&'static dyn Language> {
    let mut found: Vec<_> = LANGUAGES.iter().map(|l| (l.marks().count(text), *l)).filter(|(n, _)| *n > 0).collect();
    found.sort_by_key(|(n, _)| std::cmp::Reverse(*n));
    match found[..] {
        [(n, _), (m, _), ..] if n == m => None,
        [(_, language), ..] => Some(language),
        [] => None,
    }
}

/// The language of a name.
pub fn language(name: &str) -> Option<&'static dyn Language> {
    LANGUAGES.iter().copied().find(|l| l.name() == name)
}

/// A model form.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Form<'m> {
    /// Guarded actions of processes.
    Processes(&'m lurcher_ir::Model),
    /// A transition relation.
    Relation(&'m Relation),
    /// Processes of a real-time specification.
    Timed(&'m timed::Specification),
}

/// A model that was read, and what is needed to read formulas about it.
pub trait Source: Send + Sync + std::fmt::Debug {
    /// The model form.
    fn form(&self) -> Form<'_>;

    /// The files it was read from.
    fn sources(&self) -> &SourceMap;

    /// Warnings.
    fn warnings(&self) -> &[Diagnostic];

    /// The properties to check when the user names none.
    fn questions(&self) -> Vec<Question>;

    /// The properties that a question means.
    ///
    /// # Errors
    /// When there is no such property, or a formula cannot be read.
    fn resolve(&mut self, question: &Question) -> Result<Vec<Property>, QuestionError>;

    /// Smaller instances of the model, for the reduced-instance heuristic.
    fn instances<'s>(&'s self, asked: &'s [(Question, Property)]) -> Option<Arc<dyn Instances + 's>> {
        let _ = asked;
        None
    }
}
