//! Promela, Spin's language.

use std::collections::BTreeMap;
use std::sync::Arc;

use lurcher_heuristics::registry::Instances;
use lurcher_ir::{Model, Property, PropertyKind};
use lurcher_promela::Lowered;
use lurcher_promela::ast::{Expr, Ident, Ltl, Program, Unit};
use lurcher_promela::parse::{self, Context, DiskReader, Options};
use lurcher_syntax::{Diagnostic, Severity, SourceMap};

use super::{Form, Language, Marks, Source};
use crate::load::{LoadError, LoadOptions};
use crate::question::{Question, QuestionError, unknown};
use crate::reduce::PromelaInstances;

/// The language.
pub(super) struct Promela;

impl Language for Promela {
    fn name(&self) -> &'static str {
        "promela"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["pml", "prom", "pr", "promela", "spin"]
    }

    fn marks(&self) -> &'static Marks {
        const WORDS: [(&str, Option<char>); 16] = [
            ("active", None),
            ("atomic", None),
            ("byte", None),
            ("chan", None),
            ("d_step", None),
            ("fi", None),
            ("include", Some('"')),
            ("init", Some('{')),
            ("inline", None),
            ("ltl", None),
            ("mtype", None),
            ("never", Some('{')),
            ("od", None),
            ("printf", Some('(')),
            ("proctype", None),
            ("typedef", None),
        ];
        &Marks { comments: &[("/*", "*/"), ("//", "\n")], words: &WORDS }
    }

    fn load(&self, name: &str, text: String, options: &LoadOptions) -> Result<Box<dyn Source>, LoadError> {
        Ok(Box::new(PromelaSource::read(name, text, options.defines.clone(), BTreeMap::new())?))
    }
}

/// A Promela model that was read.
#[derive(Debug)]
pub struct PromelaSource {
    /// The files it was read from.
    pub sources: SourceMap,
    warnings: Vec<Diagnostic>,
    /// `NAME=VALUE` pairs that override the model's own definitions.
    pub defines: Vec<(String, String)>,
    /// The units of the model, and an `ltl` block for every formula that was read since.
    program: Program,
    lowered: Lowered,
    context: Context,
}

impl PromelaSource {
    /// Reads a model, with other numbers in `active [n]` for some process types.
    ///
    /// # Errors
    /// When the model is wrong.
    pub fn read(
        name: &str,
        text: String,
        defines: Vec<(String, String)>,
        active: BTreeMap<String, u16>,
    ) -> Result<PromelaSource, LoadError> {
        let mut sources = SourceMap::new();
        let main = sources.add(name, text);
        let options = Options { defines: defines.clone(), active, ..Options::default() };
        let parse::Parsed { program, mut diagnostics, context, .. } =
            parse::parse(&mut sources, main, &options, &DiskReader);
        if diagnostics.iter().any(|d| d.severity == Severity::Error) {
            return Err(LoadError::Rejected(sources, diagnostics));
        }
        let (lowered, more) = lurcher_promela::lower(&sources, &program);
        diagnostics.extend(more);
        match lowered {
            Some(lowered) => Ok(PromelaSource { sources, warnings: diagnostics, defines, program, lowered, context }),
            None => Err(LoadError::Rejected(sources, diagnostics)),
        }
    }

    /// The process model.
    pub fn model(&self) -> &Model {
        &self.lowered.model
    }

    /// Lowers the model again with one more `ltl` block: labels that it refers to change what the model does.
    fn add_formula(&mut self, formula: Expr) -> Result<Property, Vec<Diagnostic>> {
        let span = formula.span;
        let file = span.file;
        let name = Ident { name: format!("formula {}", self.program.units.len()), span };
        self.program.units.push(Unit::Ltl(Ltl { span, name: Some(name), formula }));
        let (lowered, diagnostics) = lurcher_promela::lower(&self.sources, &self.program);
        let Some(mut lowered) = lowered else {
            self.program.units.pop();
            return Err(diagnostics);
        };
        let property = lowered.model.properties.pop().expect("the block was read");
        lowered.model.properties.truncate(self.model().properties.len());
        self.warnings.extend(diagnostics.into_iter().filter(|d| d.labels[0].span.file == file));
        self.lowered = lowered;
        Ok(property)
    }

    fn formula(&mut self, name: &str, text: &str) -> Result<Property, Vec<Diagnostic>> {
        let formula = parse::parse_formula(&mut self.sources, &self.context, text)?;
        let property = self.add_formula(formula)?;
        Ok(Property { name: name.to_owned(), ..property })
    }

    fn invariant(&mut self, text: &str) -> Result<Property, Vec<Diagnostic>> {
        let expr = parse::parse_expression(&mut self.sources, &self.context, text)?;
        self.add_formula(expr.clone())?;
        self.lowered.invariant(&self.sources, &expr)
    }

    /// The properties of a name. `never` means every never claim; `deadlock` and `assertion` are parts of safety.
    fn named(&self, name: &str) -> Result<Vec<Property>, QuestionError> {
        let properties = &self.model().properties;
        let stated: Vec<Property> = properties.iter().filter(|p| p.name == name).cloned().collect();
        if !stated.is_empty() {
            return Ok(stated);
        }
        match name {
            "safety" | "deadlock" | "assertion" => return Ok(vec![Property::built_in(name, PropertyKind::Safety)]),
            "non-progress" => return Ok(vec![Property::built_in(name, PropertyKind::NonProgress)]),
            "acceptance" => return Ok(vec![Property::built_in(name, PropertyKind::Acceptance)]),
            _ => {}
        }
        let is_never = |p: &&Property| matches!(p.kind, PropertyKind::Never(_));
        let claims: Vec<Property> = properties.iter().filter(is_never).cloned().collect();
        if name == "never" && !claims.is_empty() {
            return Ok(claims);
        }
        let built_in = ["safety", "deadlock", "assertion", "non-progress", "acceptance"];
        Err(unknown(
            name,
            properties,
            &built_in,
            "there are also safety, deadlock, assertion, non-progress and acceptance",
        ))
    }
}

impl Source for PromelaSource {
    fn form(&self) -> Form<'_> {
        Form::Processes(self.model())
    }

    fn sources(&self) -> &SourceMap {
        &self.sources
    }

    fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// Safety, then everything that the model states.
    fn questions(&self) -> Vec<Question> {
        let mut all = vec![Question::Named("safety".to_owned())];
        for property in &self.model().properties {
            let question = Question::Named(property.name.clone());
            if !all.contains(&question) {
                all.push(question);
            }
        }
        all
    }

    fn resolve(&mut self, question: &Question) -> Result<Vec<Property>, QuestionError> {
        match question {
            Question::Named(name) => self.named(name),
            Question::Ltl(name, text) => {
                let property = self.formula(name, text).map_err(|d| QuestionError::Rejected("formula", d))?;
                Ok(vec![property])
            }
            Question::Ctl(..) => {
                Err(QuestionError::Unknown("CTL is for SMV models; Promela models have --ltl".to_owned()))
            }
            Question::Invariant(name, text) => {
                let property = self.invariant(text).map_err(|d| QuestionError::Rejected("invariant", d))?;
                Ok(vec![Property { name: name.clone(), ..property }])
            }
        }
    }

    fn instances<'s>(&'s self, asked: &'s [(Question, Property)]) -> Option<Arc<dyn Instances + 's>> {
        Some(Arc::new(PromelaInstances { source: self, asked }))
    }
}
