//! SMV, NuSMV's language.

use lurcher_ir::relation::Relation;
use lurcher_ir::{Property, PropertyKind};
use lurcher_smv::{ExprClass, ast};
use lurcher_syntax::{Diagnostic, Severity, SourceMap};

use super::{Form, Language, Marks, Source};
use crate::load::{LoadError, LoadOptions};
use crate::question::{Question, QuestionError, unknown};

/// The language.
pub(super) struct Smv;

impl Language for Smv {
    fn name(&self) -> &'static str {
        "smv"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["smv"]
    }

    fn marks(&self) -> &'static Marks {
        const WORDS: [(&str, Option<char>); 14] = [
            ("ASSIGN", None),
            ("CTLSPEC", None),
            ("DEFINE", None),
            ("FAIRNESS", None),
            ("INIT", None),
            ("INVAR", None),
            ("INVARSPEC", None),
            ("IVAR", None),
            ("LTLSPEC", None),
            ("MODULE", None),
            ("SPEC", None),
            ("TRANS", None),
            ("VAR", None),
            ("esac", None),
        ];
        &Marks { comments: &[("/--", "--/"), ("--", "\n")], words: &WORDS }
    }

    fn load(&self, name: &str, text: String, options: &LoadOptions) -> Result<Box<dyn Source>, LoadError> {
        let mut sources = SourceMap::new();
        let main = sources.add(name, text);
        let lurcher_smv::Parsed { file, mut diagnostics, .. } = lurcher_smv::parse(&sources, main);
        if diagnostics.iter().any(|d| d.severity == Severity::Error) {
            return Err(LoadError::Rejected(sources, diagnostics));
        }
        let (relation, more) = lurcher_smv::lower(&sources, &file, &options.defines);
        diagnostics.extend(more);
        match relation {
            Some(relation) => {
                let defines = options.defines.clone();
                Ok(Box::new(SmvSource { sources, warnings: diagnostics, relation, file, defines }))
            }
            None => Err(LoadError::Rejected(sources, diagnostics)),
        }
    }
}

/// An SMV model that was read.
#[derive(Debug)]
struct SmvSource {
    sources: SourceMap,
    warnings: Vec<Diagnostic>,
    relation: Relation,
    file: ast::File,
    defines: Vec<(String, String)>,
}

impl Source for SmvSource {
    fn form(&self) -> Form<'_> {
        Form::Relation(&self.relation)
    }

    fn sources(&self) -> &SourceMap {
        &self.sources
    }

    fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// Everything that the model states, or deadlock if it states nothing.
    fn questions(&self) -> Vec<Question> {
        let stated: Vec<Question> = self.relation.properties.iter().map(|s| Question::Named(s.name.clone())).collect();
        if stated.is_empty() { vec![Question::Named("deadlock".to_owned())] } else { stated }
    }

    fn resolve(&mut self, question: &Question) -> Result<Vec<Property>, QuestionError> {
        let (what, name, text, class) = match question {
            Question::Named(name) => {
                let stated = &self.relation.properties;
                return match stated.iter().find(|s| s.name == *name) {
                    Some(found) => Ok(vec![found.clone()]),
                    None if name == "deadlock" => Ok(vec![Property::built_in(name, PropertyKind::Deadlock)]),
                    None => Err(unknown(name, stated, &["deadlock"], "there is also deadlock")),
                };
            }
            Question::Ltl(name, text) => ("formula", name.as_str(), text, ExprClass::Ltl),
            Question::Ctl(name, text) => ("formula", name.as_str(), text, ExprClass::Ctl),
            Question::Invariant(name, text) => ("invariant", name.as_str(), text, ExprClass::Simple),
        };
        let rejected = |d| QuestionError::Rejected(what, d);
        let formula = lurcher_smv::parse_expression(&mut self.sources, text, class).map_err(rejected)?;
        let lowered =
            lurcher_smv::lower_specification(&self.file, &self.defines, &mut self.relation, name, &formula, class);
        let (property, warnings) = lowered.map_err(rejected)?;
        let file = formula.span.file;
        self.warnings.extend(warnings.into_iter().filter(|d| d.labels[0].span.file == file));
        Ok(vec![property])
    }
}
