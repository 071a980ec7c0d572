//! Types.

use lurcher_syntax::{Diagnostic, Span};

use super::class::ExprClass;
use super::cursor::{P, Parser};
use crate::ast::{Expr, Type, TypeKind, Value, ValueKind, level};
use crate::token::{Keyword, T};

/// The place of constant expressions in messages.
const PLACE: &str = "in a type";

impl Parser<'_> {
    /// A type, or the instance of a module.
    pub(super) fn variable_type(&mut self) -> P<Type> {
        let start = self.here();
        let process = self.eat(T::Key(Keyword::Process)).is_some();
        if process || self.at_instance() {
            let kind = self.instance(process)?;
            return Ok(Type { kind, span: self.since(start) });
        }
        self.simple_type()
    }

    /// A type that is not an instance, for a section.
    pub(super) fn plain_type(&mut self, section: &str) -> P<Type> {
        if self.at_key(Keyword::Process) || self.at_instance() {
            let message = format!("an instance of a module cannot be declared under {section}");
            return self.fail(Diagnostic::error(self.here(), message).note("declare it under `VAR`"));
        }
        self.simple_type()
    }

    /// Whether a name starts here that is not part of a constant expression.
    fn at_instance(&self) -> bool {
        use Keyword::Mod;
        let goes_on = matches!(
            self.look(1).kind,
            T::DotDot | T::Dot | T::BracketOpen | T::Plus | T::Minus | T::Star | T::Slash | T::Shl | T::Shr | T::Concat
        );
        self.at(T::Name) && !goes_on && self.look(1).kind != T::Key(Mod)
    }

    fn instance(&mut self, process: bool) -> P<TypeKind> {
        let module = self.ident("the name of a module")?;
        let mut arguments = Vec::new();
        if self.eat(T::ParenOpen).is_some() && self.eat(T::ParenClose).is_none() {
            arguments = self.list(|p| p.classed(ExprClass::Next, "in an argument"))?;
            self.expect(T::ParenClose, "an operator, `,` or `)`")?;
        } else if !process && self.previous().kind == T::Name {
            self.refuse_unbounded(&module.name, module.span)?;
        }
        Ok(TypeKind::Instance { process, module, arguments })
    }

    /// Refuses infinite types of other SMV dialects, which look like modules.
    fn refuse_unbounded(&mut self, name: &str, span: Span) -> P<()> {
        if !matches!(name, "integer" | "real" | "clock") {
            return Ok(());
        }
        let error = Diagnostic::error(span, format!("the type `{name}` is not supported"));
        self.fail(error.note("variables need finite types, such as `0..100` or `signed word[16]`"))
    }

    fn simple_type(&mut self) -> P<Type> {
        let start = self.here();
        let kind = match self.peek().kind {
            T::Key(Keyword::Boolean) => {
                self.bump();
                TypeKind::Boolean
            }
            T::Key(Keyword::Word) => TypeKind::Word { signed: false, width: self.word_width()? },
            T::Key(sign @ (Keyword::Unsigned | Keyword::Signed)) if self.word_follows() => {
                self.bump();
                TypeKind::Word { signed: sign == Keyword::Signed, width: self.word_width()? }
            }
            T::Key(Keyword::Array) => self.nested(Self::array_type)?,
            T::BraceOpen => self.enumeration()?,
            _ if self.starts_operand() => {
                let (lower, upper) = self.constant_range()?;
                TypeKind::Range(lower, upper)
            }
            _ => return self.unexpected("a type"),
        };
        Ok(Type { kind, span: self.since(start) })
    }

    /// Whether `word` follows: `signed` and `unsigned` are functions too.
    fn word_follows(&self) -> bool {
        self.look(1).kind == T::Key(Keyword::Word)
    }

    /// `word[n]`.
    fn word_width(&mut self) -> P<Box<Expr>> {
        self.expect(T::Key(Keyword::Word), "`word`")?;
        self.expect(T::BracketOpen, "`[`")?;
        let width = self.classed(ExprClass::Simple, PLACE)?;
        self.expect(T::BracketClose, "an operator or `]`")?;
        Ok(Box::new(width))
    }

    fn constant_range(&mut self) -> P<(Box<Expr>, Box<Expr>)> {
        let lower = self.climb(level::SHIFT)?.expr;
        self.expect(T::DotDot, "an operator or `..`")?;
        let upper = self.climb(level::SHIFT)?.expr;
        for bound in [&lower, &upper] {
            self.check_class(bound, ExprClass::Simple, PLACE);
        }
        Ok((Box::new(lower), Box::new(upper)))
    }

    fn array_type(&mut self) -> P<TypeKind> {
        self.bump();
        if self.at_key(Keyword::Of) {
            return self.fail(Diagnostic::error(self.here(), "arrays without bounds are not supported"));
        }
        if self.at_key(Keyword::Word) {
            let width = self.word_width()?;
            return Ok(TypeKind::WordArray { width, element: self.element_type()? });
        }
        let (lower, upper) = self.constant_range()?;
        Ok(TypeKind::Array { lower, upper, element: self.element_type()? })
    }

    fn element_type(&mut self) -> P<Box<Type>> {
        self.expect(T::Key(Keyword::Of), "an operator or `of`")?;
        if self.at_key(Keyword::Process) || self.at_instance() {
            let error = Diagnostic::error(self.here(), "arrays of instances are not supported");
            return self.fail(error.note("declare the instances one by one"));
        }
        Ok(Box::new(self.simple_type()?))
    }

    fn enumeration(&mut self) -> P<TypeKind> {
        self.bump();
        let values = self.list(Self::value)?;
        self.expect(T::BraceClose, "`,` or `}`")?;
        Ok(TypeKind::Enumeration(values))
    }

    fn value(&mut self) -> P<Value> {
        let start = self.here();
        let kind = match self.peek().kind {
            T::Name => ValueKind::Symbol(self.symbol("a value")?),
            T::Number | T::Plus | T::Minus => ValueKind::Integer(self.integer()?),
            T::Key(word @ (Keyword::True | Keyword::False)) => {
                self.bump();
                ValueKind::Boolean(word == Keyword::True)
            }
            _ => return self.unexpected("a value"),
        };
        Ok(Value { kind, span: self.since(start) })
    }
}
