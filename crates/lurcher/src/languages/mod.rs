//! The registry of languages.
//!
//! A front-end is a crate that turns text into a model form of [`lurcher_ir`]; a file here says how it is called. Everything else
//! asks [`LANGUAGES`].

mod promela;
mod smv;

use std::path::Path;
use std::sync::Arc;

use lurcher_heuristics::registry::Instances;
use lurcher_ir::Property;
use lurcher_ir::relation::Relation;
use lurcher_syntax::{Diagnostic, SourceMap};

pub use promela::PromelaSource;

use crate::load::LoadError;
use crate::question::{Question, QuestionError};

/// All languages.
pub static LANGUAGES: &[&dyn Language] = &[&promela::Promela, &smv::Smv];

/// A language that models are written in.
pub trait Language: Sync {
    /// Its name: `--lang` on the command line.
    fn name(&self) -> &'static str;

    /// The extensions of its files.
    fn extensions(&self) -> &'static [&'static str];

    /// Reads a model. `name` is what messages call it, and where its includes are looked for; `defines` override its own
    /// definitions.
    ///
    /// # Errors
    /// When the model is wrong.
    fn load(&self, name: &str, text: String, defines: &[(String, String)]) -> Result<Box<dyn Source>, LoadError>;
}

/// The language of a file by its extension.
pub fn language_of(path: &Path) -> Option<&'static dyn Language> {
    let extension = path.extension()?.to_str()?;
    LANGUAGES.iter().copied().find(|l| l.extensions().contains(&extension))
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
