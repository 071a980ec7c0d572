//! The clauses of specifications and levels.

use lurcher_syntax::{Diagnostic, Span, closest};

use super::cursor::{P, Parser};
use crate::ast::{Clause, ClauseKind, FormulaKind};
use crate::token::{Keyword, T};

/// What clauses are part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    Global,
    Level,
    Composition,
}

impl Section {
    fn describe(self) -> &'static str {
        match self {
            Section::Global => "the global specification",
            Section::Level => "a level of a process",
            Section::Composition => "a composition",
        }
    }

    fn allows(self, keyword: Keyword) -> bool {
        use Keyword::*;
        let globals = matches!(keyword, Processes | Type | Axiom | Constant | Define);
        match self {
            Section::Global => globals || matches!(keyword, Environment | Invariant | Schedule),
            Section::Level => keyword.starts_clause() && keyword != Processes,
            Section::Composition => globals || keyword == Call,
        }
    }

    /// Whether a clause may be given several times.
    fn repeats(keyword: Keyword) -> bool {
        matches!(keyword, Keyword::Transition | Keyword::Further | Keyword::Call)
    }
}

/// Where a list of declarations may end.
const AFTER: &str = "`,`, a clause or `END`";

impl Parser<'_> {
    /// The clauses up to the end of the block.
    pub(super) fn clauses(&mut self, section: Section) -> Vec<Clause> {
        let mut clauses: Vec<Clause> = Vec::new();
        let mut seen: Vec<(Keyword, Span)> = Vec::new();
        self.section = section;
        while !self.at_end() && !self.at_block() {
            let span = self.here();
            let open = clauses.last().is_some_and(ends_openly) && self.error_at.is_none();
            match self.clause(if open { "an operator, a clause or `END`" } else { "a clause or `END`" }) {
                Ok((keyword, kind)) => {
                    match seen.iter().find(|(k, _)| *k == keyword && !Section::repeats(keyword)) {
                        Some(&(_, first)) => self.clause_twice(keyword, span, first),
                        None => clauses.push(Clause { kind, span }),
                    }
                    seen.push((keyword, span));
                }
                Err(_) => {
                    // The token of an error outside the clauses would be met again.
                    if self.here() == span {
                        self.bump();
                    }
                    self.skip_to_clause();
                }
            }
        }
        clauses
    }

    fn skip_to_clause(&mut self) {
        use Keyword::{Entry, Except, Exit};
        self.skip_to_part();
        while matches!(self.peek().kind, T::Key(Entry | Exit | Except)) {
            self.bump();
            self.skip_to_part();
        }
    }

    fn clause_twice(&mut self, keyword: Keyword, span: Span, first: Span) {
        let message = format!("the clause `{}` is given twice", clause_name(keyword));
        self.report(Diagnostic::error(span, message).also(first, "given first here"));
    }

    fn clause(&mut self, expected: &str) -> P<(Keyword, ClauseKind)> {
        let keyword = match self.peek().kind {
            T::Key(keyword) if self.at_part() && (keyword.starts_clause() || keyword == Keyword::Call) => keyword,
            _ => return self.no_clause(expected),
        };
        if !self.section.allows(keyword) {
            let message = format!("`{}` is not a clause of {}", clause_name(keyword), self.section.describe());
            return self.fail(Diagnostic::error(self.here(), message));
        }
        let span = self.bump().span;
        Ok((keyword, self.clause_body(keyword, span)?))
    }

    fn clause_body(&mut self, keyword: Keyword, span: Span) -> P<ClauseKind> {
        Ok(match keyword {
            Keyword::Processes => ClauseKind::Processes(self.declarations(AFTER, Self::instances)),
            Keyword::Import => ClauseKind::Import(self.declarations(AFTER, Self::import)),
            Keyword::Export => ClauseKind::Export(self.declarations(AFTER, |p| p.ident("a variable or transition"))),
            Keyword::Type => ClauseKind::Type(self.declarations(AFTER, Self::type_declaration)),
            Keyword::Constant => ClauseKind::Constant(self.declarations(AFTER, |p| p.declaration("a constant"))),
            Keyword::Variable => ClauseKind::Variable(self.declarations(AFTER, |p| p.declaration("a variable"))),
            Keyword::Define => {
                ClauseKind::Define(self.declarations("an operator, `,`, a clause or `END`", Self::define))
            }
            Keyword::Further => ClauseKind::Further(self.further()?),
            Keyword::Transition => ClauseKind::Transition(self.transition(span)?),
            Keyword::Implementation => ClauseKind::Implementation(self.implementation()?),
            Keyword::Call => self.call_generation()?,
            Keyword::Imported => {
                self.expect_key(Keyword::Variable)?;
                ClauseKind::Formula(FormulaKind::ImportedVariable, self.expr()?)
            }
            _ => ClauseKind::Formula(formula_kind(keyword), self.expr()?),
        })
    }

    /// Reports that neither the last clause goes on here nor another one starts.
    pub(super) fn no_clause<X>(&mut self, expected: &str) -> P<X> {
        let token = self.peek();
        let words = Keyword::ALL.iter().filter(|&&k| self.section.allows(k)).map(|k| k.text());
        match closest(token.text, words).filter(|_| token.kind == T::Name) {
            Some(near) => {
                let error = Diagnostic::error(token.span, format!("unknown clause `{}`", token.text));
                self.fail(error.suggest(Some(near)))
            }
            None => self.unexpected(expected),
        }
    }
}

/// The words of a clause.
fn clause_name(keyword: Keyword) -> &'static str {
    match keyword {
        Keyword::Imported => FormulaKind::ImportedVariable.text(),
        Keyword::Further => "FURTHER ASSUMPTIONS",
        Keyword::Call => "CALL GENERATION",
        _ => keyword.text(),
    }
}

/// The kind of a clause that is one word and one formula.
fn formula_kind(keyword: Keyword) -> FormulaKind {
    match keyword {
        Keyword::Axiom => FormulaKind::Axiom,
        Keyword::Environment => FormulaKind::Environment,
        Keyword::Initial => FormulaKind::Initial,
        Keyword::Invariant => FormulaKind::Invariant,
        Keyword::Constraint => FormulaKind::Constraint,
        Keyword::Schedule => FormulaKind::Schedule,
        other => unreachable!("{other:?} does not start a formula"),
    }
}

/// Whether the clause ends with a formula, which may continue.
fn ends_openly(clause: &Clause) -> bool {
    matches!(clause.kind, ClauseKind::Formula(..) | ClauseKind::Transition(_) | ClauseKind::Define(_))
}
