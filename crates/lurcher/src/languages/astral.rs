//! ASTRAL: real-time specifications.

use lurcher_astral::{Request, check, lower_each, parse};
use lurcher_ir::timed::Specification;
use lurcher_ir::{Property, PropertyKind};
use lurcher_syntax::{Diagnostic, Severity, SourceMap};

use super::{Form, Language, Marks, Source};
use crate::load::{LoadError, LoadOptions};
use crate::question::{Question, QuestionError, unknown};

/// The language.
pub(super) struct Astral;

impl Language for Astral {
    fn name(&self) -> &'static str {
        "astral"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["astral"]
    }

    fn marks(&self) -> &'static Marks {
        const WORDS: [(&str, Option<char>); 10] = [
            ("SPECIFICATION", None),
            ("PROCESSES", None),
            ("LEVEL", None),
            ("IMPORT", None),
            ("EXPORT", None),
            ("SCHEDULE", None),
            ("TRANSITION", None),
            ("ENTRY", Some('[')),
            ("EXIT", None),
            ("TYPEDEF", None),
        ];
        &Marks { comments: &[("/*", "*/")], words: &WORDS }
    }

    fn is_modular(&self) -> bool {
        true
    }

    fn load(&self, name: &str, text: String, options: &LoadOptions) -> Result<Box<dyn Source>, LoadError> {
        let mut sources = SourceMap::new();
        let main = sources.add(name, text);
        let parsed = parse(&sources, main);
        let mut diagnostics = parsed.diagnostics;
        let is_wrong = |diagnostics: &[Diagnostic]| diagnostics.iter().any(|d| d.severity == Severity::Error);
        if is_wrong(&diagnostics) {
            return Err(LoadError::Rejected(sources, diagnostics));
        }
        let (checked, more) = check(&parsed.file);
        diagnostics.extend(more);
        let Some(checked) = checked.filter(|_| !is_wrong(&diagnostics)) else {
            return Err(LoadError::Rejected(sources, diagnostics));
        };
        let LoadOptions { process, defines, further, .. } = options.clone();
        let (processes, more) = lower_each(&checked, &Request { process, defines, further });
        diagnostics.extend(more);
        if is_wrong(&diagnostics) {
            return Err(LoadError::Rejected(sources, diagnostics));
        }
        let specification = Specification { processes };
        let properties = specification.properties().map(|(at, property)| Property {
            name: property.name.clone(),
            kind: PropertyKind::Timed(at),
            text: property.text.clone(),
            span: property.span,
        });
        let properties = properties.collect();
        Ok(Box::new(AstralSource { sources, warnings: diagnostics, specification, properties }))
    }
}

/// A specification that was read.
#[derive(Debug)]
struct AstralSource {
    sources: SourceMap,
    warnings: Vec<Diagnostic>,
    specification: Specification,
    properties: Vec<Property>,
}

impl Source for AstralSource {
    fn form(&self) -> Form<'_> {
        Form::Timed(&self.specification)
    }

    fn sources(&self) -> &SourceMap {
        &self.sources
    }

    fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// Every conjunct of an invariant, a schedule or a constraint.
    fn questions(&self) -> Vec<Question> {
        self.properties.iter().map(|property| Question::Named(property.name.clone())).collect()
    }

    fn resolve(&mut self, question: &Question) -> Result<Vec<Property>, QuestionError> {
        let Question::Named(name) = question else {
            let why = "the properties of a real-time specification are its invariants, schedules and constraints";
            return Err(QuestionError::Unknown(why.to_owned()));
        };
        match self.properties.iter().find(|property| property.name == *name) {
            Some(property) => Ok(vec![property.clone()]),
            None => {
                Err(unknown(name, &self.properties, &[], "--property takes names and patterns such as `*.schedule.*`"))
            }
        }
    }
}
