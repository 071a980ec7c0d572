//! Specifications, processes, levels and compositions.

use lurcher_syntax::{Diagnostic, Span};

use super::clause::Section;
use super::cursor::{P, Parser};
use crate::ast::{Composition, File, Global, Ident, Level, Process, Specification, Unit};
use crate::token::{Keyword, T};

impl Parser<'_> {
    pub(super) fn file(&mut self) -> File {
        let unit = self.unit();
        if unit.is_ok() && self.error_at.is_none() && !self.at(T::Eof) {
            let _ = self.unexpected::<()>("the end of the file");
        }
        File { unit: unit.ok() }
    }

    fn unit(&mut self) -> P<Unit> {
        if self.at_key(Keyword::Composition) {
            return Ok(Unit::Composition(self.composition()?));
        }
        Ok(Unit::Specification(self.specification()?))
    }

    fn specification(&mut self) -> P<Specification> {
        self.expect_key(Keyword::Specification)?;
        let name = self.begin("the name of the specification")?;
        let mut specification = Specification { name, global: None, processes: Vec::new() };
        while !self.at_end() {
            let depth = self.open_blocks.len();
            let part = self.part(&mut specification);
            self.open_blocks.truncate(depth);
            if part.is_err() && !self.skip_to_block() {
                return Ok(specification);
            }
        }
        if specification.global.is_none() {
            let error = Diagnostic::error(specification.name.span, "there is no `GLOBAL SPECIFICATION`");
            self.report(error.note("it names the instances under `PROCESSES`"));
        }
        self.end(&specification.name);
        Ok(specification)
    }

    /// A global or process specification.
    fn part(&mut self, specification: &mut Specification) -> P<()> {
        let here = self.here();
        match self.peek().kind {
            T::Key(Keyword::Global) => {
                let global = self.global()?;
                if let Some(first) = &specification.global {
                    let error = Diagnostic::error(here, "a second `GLOBAL SPECIFICATION`");
                    self.report(error.also(first.name.span, "the first one"));
                } else {
                    specification.global = Some(global);
                }
                Ok(())
            }
            T::Key(Keyword::Process) => {
                let process = self.process()?;
                specification.processes.push(process);
                Ok(())
            }
            _ => self.unexpected("`GLOBAL SPECIFICATION`, `PROCESS SPECIFICATION` or `END`"),
        }
    }

    fn global(&mut self) -> P<Global> {
        self.bump();
        self.expect_key(Keyword::Specification)?;
        let name = self.begin("the name of the specification")?;
        let clauses = self.clauses(Section::Global);
        self.end(&name);
        Ok(Global { name, clauses })
    }

    fn process(&mut self) -> P<Process> {
        self.bump();
        self.expect_key(Keyword::Specification)?;
        let name = self.begin("the name of the process")?;
        let mut levels = vec![self.level()?];
        while self.at_key(Keyword::Level) {
            levels.push(self.level()?);
        }
        if !self.at_end() {
            return self.unexpected("`LEVEL` or `END`");
        }
        self.end(&name);
        Ok(Process { name, levels })
    }

    fn level(&mut self) -> P<Level> {
        let span = self.expect_key(Keyword::Level)?.span;
        let name = self.begin("the name of the level")?;
        let refines = match self.eat_key(Keyword::Refines) {
            true => Some(self.ident("the name of a level")?),
            false => None,
        };
        let clauses = self.clauses(Section::Level);
        self.end(&name);
        Ok(Level { name, refines, clauses, span })
    }

    fn composition(&mut self) -> P<Composition> {
        let span = self.bump().span;
        self.expect_key(Keyword::Of)?;
        let of = self.list(|p| p.ident("the name of a specification"))?;
        self.expect_key(Keyword::As)?;
        let name = self.begin("the name of the composition")?;
        let clauses = self.clauses(Section::Composition);
        let mut specifications = Vec::new();
        while self.at_key(Keyword::Specification) {
            specifications.push(self.specification()?);
        }
        self.end(&name);
        Ok(Composition { of, name, clauses, specifications, span })
    }

    /// Whether the end of a block, or of the file, is next.
    pub(super) fn at_end(&self) -> bool {
        self.at(T::Eof) || self.at_key(Keyword::End) && self.at_part()
    }

    /// The name of a block, which is open from here on.
    fn begin(&mut self, what: &str) -> P<Ident> {
        let name = self.ident(what)?;
        self.open_blocks.push(name.name.clone());
        Ok(name)
    }

    /// Takes `END name`; reports what is missing and continues.
    fn end(&mut self, name: &Ident) {
        self.open_blocks.pop();
        let _ = self.end_of(name);
    }

    fn end_of(&mut self, name: &Ident) -> P<()> {
        if self.ends_outer_block(name) {
            let message = format!("expected `END {}`, found `END {}`", name.name, self.look(1).text);
            return self.fail(Diagnostic::error(self.here(), message).also(name.span, "the block that is not ended"));
        }
        if !self.at_key(Keyword::End) {
            let message = format!("expected `END {}`, found {}", name.name, self.peek().describe());
            return self.fail(Diagnostic::error(self.here(), message).also(name.span, "the block that is not ended"));
        }
        self.bump();
        let closed = self.ident(&format!("`{}`, the name of the block", name.name))?;
        if !closed.name.eq_ignore_ascii_case(&name.name) {
            self.wrong_end(name, &closed.name, closed.span);
        }
        Ok(())
    }

    /// Whether `END` and the name of an outer block follow, and not the name of the innermost one.
    fn ends_outer_block(&self, name: &Ident) -> bool {
        let closed = self.look(1).text;
        let outer = self.open_blocks.iter().any(|open| open.eq_ignore_ascii_case(closed));
        self.at_key(Keyword::End) && outer && !closed.eq_ignore_ascii_case(&name.name)
    }

    fn wrong_end(&mut self, name: &Ident, closed: &str, span: Span) {
        let message = format!("this ends `{}`, not `{closed}`", name.name);
        self.report(Diagnostic::error(span, message).also(name.span, "the block that ends here"));
    }

    /// Skips to the next global or process specification, or to the end of the specification; `false` at the end of the
    /// file.
    fn skip_to_block(&mut self) -> bool {
        loop {
            let specification = self.look(1).kind == T::Key(Keyword::Specification);
            match self.peek().kind {
                T::Eof => return false,
                T::Key(Keyword::Global | Keyword::Process) if specification => return true,
                _ => drop(self.bump()),
            }
        }
    }
}
