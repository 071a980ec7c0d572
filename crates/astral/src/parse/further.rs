//! Further assumptions, implementations of lower levels, and the generation of calls in compositions.

use lurcher_syntax::Diagnostic;

use super::cursor::{P, Parser};
use crate::ast::{ClauseKind, Expr, Further, Ident, Mapping, MappingBody, SelectionRule, Sequence, level};
use crate::token::{Keyword, T};

impl Parser<'_> {
    /// `FURTHER ASSUMPTIONS #k` with its parts, after its first word.
    pub(super) fn further(&mut self) -> P<Further> {
        self.expect_key(Keyword::Assumptions)?;
        self.expect(T::Hash, "`#`")?;
        let number = self.number("a number")?;
        let mut further = Further { number, environment: None, constants: None, selection: Vec::new() };
        if self.further_is(Keyword::Environment) {
            self.bump();
            self.bump();
            further.environment = Some(self.expr()?);
        }
        if self.further_is(Keyword::Process) {
            self.bump();
            self.bump();
            self.expect_key(Keyword::Assumptions)?;
            self.process_assumptions(&mut further)?;
        }
        Ok(further)
    }

    /// Whether `FURTHER` and this word follow.
    fn further_is(&self, word: Keyword) -> bool {
        self.at_key(Keyword::Further) && self.look(1).kind == T::Key(word)
    }

    fn process_assumptions(&mut self, further: &mut Further) -> P<()> {
        let word = |p: &Self| p.look(1).kind;
        if self.at_key(Keyword::Constant) && word(self) == T::Key(Keyword::Refinement) {
            self.bump();
            self.bump();
            further.constants = Some(self.expr()?);
        }
        if self.at_key(Keyword::Transition) && word(self) == T::Key(Keyword::Selection) {
            self.bump();
            self.bump();
            further.selection = self.list(Self::selection_rule)?;
        }
        Ok(())
    }

    /// `{enabled} & condition -> {selected}`.
    fn selection_rule(&mut self) -> P<SelectionRule> {
        let enabled = self.transitions()?;
        let condition = match self.eat(T::And) {
            Some(_) => Some(self.nested(|p| p.climb(level::OR))?),
            None => None,
        };
        self.expect(T::Arrow, "`&` or `->`")?;
        Ok(SelectionRule { enabled, condition, selected: self.transitions()? })
    }

    fn transitions(&mut self) -> P<Vec<Ident>> {
        self.expect(T::BraceOpen, "`{`")?;
        let names = self.list(|p| p.ident("the name of a transition"))?;
        self.expect(T::BraceClose, "`,` or `}`")?;
        Ok(names)
    }

    /// `CALL GENERATION instance.transition formula`, after its first word.
    pub(super) fn call_generation(&mut self) -> P<ClauseKind> {
        self.expect_key(Keyword::Generation)?;
        let instance = self.ident("the name of an instance")?;
        self.expect(T::Dot, "`.`")?;
        let transition = self.ident("the name of a transition")?;
        Ok(ClauseKind::CallGeneration { instance, transition, formula: self.expr()? })
    }

    /// `{ name == … }` under `IMPLEMENTATION`.
    pub(super) fn implementation(&mut self) -> P<Vec<Mapping>> {
        let mut mappings = vec![self.mapping()?];
        while self.eat(T::Comma).is_some() || self.at(T::Name) {
            mappings.push(self.mapping()?);
        }
        Ok(mappings)
    }

    fn mapping(&mut self) -> P<Mapping> {
        let name = self.ident("a name of the upper level")?;
        let case = if self.eat(T::Dot).is_some() { Some(self.number("the number of a case")?) } else { None };
        let parameters = self.optional_list(|p| p.ident("the name of a parameter"))?;
        self.expect(T::Defined, "`==`")?;
        let body = match self.peek().kind {
            T::Key(Keyword::When | Keyword::Do) => MappingBody::Sequence(self.sequence()?),
            _ => MappingBody::Formula(self.expr()?),
        };
        Ok(Mapping { name, case, parameters, body })
    }

    /// Sequences separated by `OR`, which binds less than `BEFORE`.
    fn sequence(&mut self) -> P<Sequence> {
        self.nested(|p| p.separated(Keyword::Or, Sequence::Or, Self::before))
    }

    fn before(&mut self) -> P<Sequence> {
        self.separated(Keyword::Before, Sequence::Before, Self::step)
    }

    fn separated(
        &mut self,
        separator: Keyword,
        join: fn(Vec<Sequence>) -> Sequence,
        element: fn(&mut Self) -> P<Sequence>,
    ) -> P<Sequence> {
        let mut sequences = vec![element(self)?];
        while self.eat_key(separator) {
            sequences.push(element(self)?);
        }
        if sequences.len() > 1 {
            return Ok(join(sequences));
        }
        Ok(sequences.remove(0))
    }

    fn step(&mut self) -> P<Sequence> {
        match self.peek().kind {
            T::Key(Keyword::When) => {
                self.bump();
                let condition = self.expr()?;
                self.guarded(Some(condition))
            }
            T::Key(Keyword::Do) => self.guarded(None),
            T::ParenOpen => {
                self.bump();
                let inner = self.sequence()?;
                self.expect(T::ParenClose, "`BEFORE`, `OR` or `)`")?;
                Ok(inner)
            }
            T::Name => {
                let name = self.ident("the name of a transition")?;
                Ok(Sequence::Transition(name, self.optional_list(Self::expr)?))
            }
            _ => self.unexpected("a transition, `WHEN`, `DO` or `(`"),
        }
    }

    fn guarded(&mut self, condition: Option<Expr>) -> P<Sequence> {
        self.expect(T::Key(Keyword::Do), "an operator or `DO`")?;
        let inner = self.sequence()?;
        if !self.at_key(Keyword::Od) {
            let message = format!("expected `BEFORE`, `OR` or `OD`, found {}", self.peek().describe());
            return self.fail(Diagnostic::error(self.here(), message));
        }
        self.bump();
        Ok(Sequence::When(condition, Box::new(inner)))
    }
}
