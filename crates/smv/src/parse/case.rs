//! `case … esac`.

use lurcher_syntax::Diagnostic;

use super::cursor::{Abort, P, Parser};
use crate::ast::{Branch, ExprKind};
use crate::token::{Keyword, T};

impl Parser<'_> {
    pub(super) fn case(&mut self) -> P<ExprKind> {
        let start = self.bump().span;
        let mut branches = Vec::new();
        if self.at_key(Keyword::Esac) {
            return self.unexpected("a branch of the `case`");
        }
        while self.eat(T::Key(Keyword::Esac)).is_none() {
            if self.at_section() {
                let message = format!("expected a branch or `esac`, found {}", self.peek().describe());
                return self.fail(Diagnostic::error(self.here(), message).also(start, "of this `case`"));
            }
            match self.branch() {
                Ok(branch) => branches.push(branch),
                Err(Abort) if self.skip_branch() => {}
                Err(Abort) => return Err(Abort),
            }
        }
        Ok(ExprKind::Case(branches))
    }

    fn branch(&mut self) -> P<Branch> {
        let condition = self.expr()?;
        self.expect(T::Colon, "an operator or `:`")?;
        let value = self.expr()?;
        if self.at_key(Keyword::Esac) {
            let error = Diagnostic::error(self.previous().end(), "expected `;` before `esac`");
            let _ = self.fail::<()>(error.at("a `;` is missing here"));
        } else {
            self.expect(T::Semi, "an operator or `;`")?;
        }
        Ok(Branch { condition, value })
    }
}
