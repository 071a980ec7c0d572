//! Modules and their sections.

use lurcher_syntax::{Diagnostic, Span};

use super::class::ExprClass;
use super::cursor::{Abort, P, Parser};
use crate::ast::{ConstraintKind, Expr, File, Ident, Module, Section, SectionKind, VariableRole};
use crate::token::{Keyword, T};

impl Parser<'_> {
    pub(super) fn file(&mut self) -> File {
        let mut modules = Vec::new();
        if self.at(T::Eof) {
            let _ = self.unexpected::<()>("a module");
        }
        while !self.at(T::Eof) {
            match self.module() {
                Ok(module) => modules.push(module),
                Err(_) => self.skip_to_module(),
            }
        }
        File { modules }
    }

    fn skip_to_module(&mut self) {
        while !self.at(T::Eof) && !self.at_key(Keyword::Module) {
            self.bump();
        }
    }

    fn module(&mut self) -> P<Module> {
        self.expect(T::Key(Keyword::Module), "`MODULE`")?;
        let name = self.ident("the name of a module")?;
        let parameters = match self.eat(T::ParenOpen) {
            Some(_) => self.parameters().unwrap_or_else(|_| {
                self.skip_to_section();
                Vec::new()
            }),
            None => Vec::new(),
        };
        Ok(Module { name, parameters, sections: self.sections() })
    }

    fn parameters(&mut self) -> P<Vec<Ident>> {
        if self.eat(T::ParenClose).is_some() {
            return Ok(Vec::new());
        }
        let parameters = self.list(|p| p.ident("the name of a parameter"))?;
        self.expect(T::ParenClose, "`,` or `)`")?;
        Ok(parameters)
    }

    fn sections(&mut self) -> Vec<Section> {
        let mut sections = Vec::new();
        while !self.at(T::Eof) && !self.at_key(Keyword::Module) {
            let span = self.here();
            let open = sections.last().is_some_and(ends_openly) && self.previous().kind != T::Semi;
            match self.section(if open { "an operator, `;` or a section" } else { "a section" }) {
                Ok(kind) => sections.push(Section { kind, span }),
                Err(_) => self.skip_to_section(),
            }
        }
        sections
    }

    fn section(&mut self, expected: &str) -> P<SectionKind> {
        let T::Key(keyword) = self.peek().kind else { return self.no_section(expected) };
        match keyword {
            Keyword::PslSpec | Keyword::Fun => return self.foreign_section(),
            _ if !keyword.starts_section() => return self.no_section(expected),
            _ => self.bump(),
        };
        Ok(match keyword {
            Keyword::Var => self.variables(VariableRole::State),
            Keyword::Ivar => self.variables(VariableRole::Input),
            Keyword::FrozenVar => self.variables(VariableRole::Frozen),
            // The definitions of `MDEFINE` are all arrays.
            Keyword::Define | Keyword::ArrayDefine => {
                SectionKind::Define(self.declarations(|p| p.define(keyword == Keyword::ArrayDefine)))
            }
            Keyword::Constants => SectionKind::Constants(self.constants()?),
            Keyword::Assign => SectionKind::Assign(self.declarations(Self::assignment)),
            Keyword::Init => {
                SectionKind::Constraint(ConstraintKind::Init, self.constraint(ExprClass::Simple, keyword)?)
            }
            Keyword::Invar => {
                SectionKind::Constraint(ConstraintKind::Invar, self.constraint(ExprClass::Simple, keyword)?)
            }
            Keyword::Trans => {
                SectionKind::Constraint(ConstraintKind::Trans, self.constraint(ExprClass::Next, keyword)?)
            }
            Keyword::Fairness | Keyword::Justice => SectionKind::Justice(self.constraint(ExprClass::Simple, keyword)?),
            Keyword::Compassion => self.compassion()?,
            Keyword::Isa => SectionKind::Isa(self.ident("the name of a module")?),
            _ => SectionKind::Spec(self.spec(keyword)?),
        })
    }

    fn no_section(&mut self, expected: &str) -> P<SectionKind> {
        if self.at_foreign_section() {
            return self.foreign_section();
        }
        self.unexpected(expected)
    }

    /// Whether a section of another SMV dialect starts here.
    pub(super) fn at_foreign_section(&self) -> bool {
        let token = self.peek();
        let word = matches!(token.text, "PRED" | "PREDICATES" | "MIRROR");
        let declared = matches!(self.look(1).kind, T::Colon | T::Dot | T::BracketOpen);
        let defined = self.look(1).kind == T::Becomes;
        word && self.on_new_line() && !declared && !defined
    }

    fn foreign_section(&mut self) -> P<SectionKind> {
        let token = self.bump();
        let message = format!("`{}` is not supported", token.text);
        // The other properties can still be checked.
        if token.kind == T::Key(Keyword::PslSpec) {
            let message = "this property is not checked: `PSLSPEC` is not supported";
            self.report(Diagnostic::warning(token.span, message).note("write it as LTLSPEC or CTLSPEC"));
            return Err(Abort);
        }
        self.fail(Diagnostic::error(token.span, message))
    }

    fn variables(&mut self, role: VariableRole) -> SectionKind {
        SectionKind::Variables(role, self.declarations(|p| p.variable(role)))
    }

    /// The expression of a constraint, after its keyword.
    fn constraint(&mut self, class: ExprClass, keyword: Keyword) -> P<Expr> {
        let expr = self.classed(class, &format!("under `{}`", keyword.text()))?;
        self.eat(T::Semi);
        Ok(expr)
    }

    fn compassion(&mut self) -> P<SectionKind> {
        const PLACE: &str = "under `COMPASSION`";
        self.expect(T::ParenOpen, "`(`")?;
        let often = self.classed(ExprClass::Simple, PLACE)?;
        self.expect(T::Comma, "an operator or `,`")?;
        let then = self.classed(ExprClass::Simple, PLACE)?;
        self.expect(T::ParenClose, "an operator or `)`")?;
        self.eat(T::Semi);
        Ok(SectionKind::Compassion(often, then))
    }

    /// The span of the next token.
    pub(super) fn here(&self) -> Span {
        self.peek().span
    }
}

/// Whether the section ends with an expression that may continue.
fn ends_openly(section: &Section) -> bool {
    matches!(section.kind, SectionKind::Constraint(..) | SectionKind::Justice(_) | SectionKind::Spec(_))
}
