//! Directives: lines that begin with `#`.

use std::io;
use std::path::{Path, PathBuf};

use lurcher_syntax::{Diagnostic, Span, closest};

use super::macros::Macro;
use super::token::{PpKind, PpToken};
use super::{OpenFile, Preprocessor, Run, limits};

/// An open `#if`.
#[derive(Clone, Debug)]
pub(crate) struct Conditional {
    pub span: Span,
    /// A branch was taken; later ones are skipped.
    done: bool,
    /// `#else` was seen.
    last: bool,
}

/// The directives, for suggestions.
const DIRECTIVES: [&str; 12] =
    ["define", "elif", "else", "endif", "error", "if", "ifdef", "ifndef", "include", "pragma", "undef", "warning"];

impl Preprocessor<'_> {
    /// The next token of the innermost file that is not part of a directive.
    pub(super) fn next_from_file(&mut self) -> Run<PpToken> {
        loop {
            let mut token = self.scan();
            match token.kind {
                PpKind::Newline => {}
                PpKind::Punct if token.first && token.is("#") => self.directive(token.span)?,
                _ => {
                    token.space |= token.first;
                    return Ok(token);
                }
            }
        }
    }

    /// Returns a token to the file.
    pub(super) fn put_back_to_file(&mut self, token: PpToken) {
        self.open_file().scanner.put_back(token);
    }

    /// The innermost open file.
    fn open_file(&mut self) -> &mut OpenFile {
        self.open_files.last_mut().expect("a file is open while tokens are read")
    }

    fn scan(&mut self) -> PpToken {
        self.open_file().scanner.next()
    }

    /// The rest of the directive's line.
    fn scan_line(&mut self) -> Vec<PpToken> {
        let mut line = Vec::new();
        loop {
            let token = self.scan();
            if token.ends_line() {
                self.put_back_to_file(token);
                return line;
            }
            line.push(token);
        }
    }

    fn directive(&mut self, hash: Span) -> Run<()> {
        let name = self.scan();
        let at = hash.to(name.span);
        if name.ends_line() {
            self.put_back_to_file(name);
            return Ok(());
        }
        match &*name.text {
            "define" => self.define(at),
            "undef" => self.undef(at),
            "include" => self.include(at),
            "if" | "ifdef" | "ifndef" => self.conditional(&name.text, at),
            "elif" | "else" | "endif" => self.branch(&name.text, at),
            "error" | "warning" => self.message(&name.text, at),
            "pragma" => self.pragma(),
            "line" | "ident" | "sccs" => {
                self.scan_line();
                Ok(())
            }
            _ => {
                self.scan_line();
                if name.kind == PpKind::Number {
                    return Ok(());
                }
                let error = Diagnostic::error(at, format!("unknown preprocessor directive `#{}`", name.text));
                self.report(error.suggest(closest(&name.text, DIRECTIVES.into_iter())))
            }
        }
    }

    fn define(&mut self, at: Span) -> Run<()> {
        let line = self.scan_line();
        match Macro::parse(&line, at) {
            Ok(definition) => {
                let (name, span) = (definition.name.clone(), definition.span);
                self.note_use(&name);
                if let Some(old) = self.macros.define(definition)
                    && !self.macros.get(&name).is_some_and(|new| new.same_as(&old))
                {
                    self.report(
                        Diagnostic::warning(span, format!("macro `{name}` is defined again, differently"))
                            .also(old.span, "first defined here"),
                    )?;
                }
                Ok(())
            }
            Err(diagnostic) => self.report(diagnostic),
        }
    }

    fn undef(&mut self, at: Span) -> Run<()> {
        let line = self.scan_line();
        match line.first() {
            Some(name) if name.kind == PpKind::Ident => {
                self.note_use(&name.text);
                self.macros.undefine(&name.text);
                Ok(())
            }
            _ => self.error(at, "`#undef` needs the name of a macro"),
        }
    }

    fn message(&mut self, kind: &str, at: Span) -> Run<()> {
        let text = self.open_file().scanner.rest_of_line();
        let message = format!("#{kind} {text}");
        self.report(if kind == "error" { Diagnostic::error(at, message) } else { Diagnostic::warning(at, message) })
    }

    fn pragma(&mut self) -> Run<()> {
        let line = self.scan_line();
        if line.first().is_some_and(|t| &*t.text == "once") {
            let file = self.open_file().scanner.file();
            self.once.insert(file);
        }
        Ok(())
    }

    fn conditional(&mut self, kind: &str, at: Span) -> Run<()> {
        let line = self.scan_line();
        let taken = match (kind, line.first()) {
            ("if", _) => self.condition(line, at)?,
            (_, Some(name)) if name.kind == PpKind::Ident => {
                self.note_use(&name.text);
                self.macros.is_defined(&name.text) == (kind == "ifdef")
            }
            _ => {
                self.error(at, format!("`#{kind}` needs the name of a macro"))?;
                false
            }
        };
        let open = &mut self.open_file().conditionals;
        open.push(Conditional { span: at, done: taken, last: false });
        if open.len() > limits::CONDITION_DEPTH {
            return self.give_up(at, "conditionals are nested too deeply");
        }
        if taken { Ok(()) } else { self.skip_branches() }
    }

    /// `#elif`, `#else` or `#endif` at the end of a branch that was taken.
    fn branch(&mut self, kind: &str, at: Span) -> Run<()> {
        self.scan_line();
        let open = &mut self.open_file().conditionals;
        let Some(conditional) = open.last_mut() else {
            return self.error(at, format!("`#{kind}` without `#if`"));
        };
        if kind == "endif" {
            open.pop();
            return Ok(());
        }
        if conditional.last {
            let opened = conditional.span;
            self.report(Diagnostic::error(at, format!("`#{kind}` after `#else`")).also(opened, "opened here"))?;
        } else {
            conditional.last = kind == "else";
        }
        self.skip_branches()
    }

    /// Skips to the next branch of the innermost conditional that is taken, or to its end.
    fn skip_branches(&mut self) -> Run<()> {
        let mut depth = 0usize;
        loop {
            let token = self.scan();
            if token.kind == PpKind::Eof {
                self.put_back_to_file(token);
                return Ok(());
            }
            if !(token.first && token.is("#")) {
                continue;
            }
            let name = self.scan();
            if name.ends_line() {
                self.put_back_to_file(name);
                continue;
            }
            let at = token.span.to(name.span);
            match &*name.text {
                "if" | "ifdef" | "ifndef" => depth += 1,
                "endif" if depth > 0 => depth -= 1,
                "endif" => {
                    self.scan_line();
                    self.open_file().conditionals.pop();
                    return Ok(());
                }
                "elif" | "else" if depth == 0 => {
                    let line = self.scan_line();
                    if self.takes_branch(&name.text, line, at)? {
                        return Ok(());
                    }
                }
                _ => {}
            }
        }
    }

    fn takes_branch(&mut self, kind: &str, line: Vec<PpToken>, at: Span) -> Run<bool> {
        let Some(conditional) = self.open_file().conditionals.last_mut() else { return Ok(false) };
        let (done, last, opened) = (conditional.done, conditional.last, conditional.span);
        conditional.last |= kind == "else";
        if last {
            self.report(Diagnostic::error(at, format!("`#{kind}` after `#else`")).also(opened, "opened here"))?;
            return Ok(false);
        }
        let taken = !done && (kind == "else" || self.condition(line, at)?);
        if taken && let Some(conditional) = self.open_file().conditionals.last_mut() {
            conditional.done = true;
        }
        Ok(taken)
    }

    fn include(&mut self, at: Span) -> Run<()> {
        let mut line = self.scan_line();
        if line.first().is_some_and(|t| t.kind == PpKind::Ident) {
            line = self.expand_alone(line)?;
            line.retain(|t| !t.is_padding());
        }
        match line.first() {
            Some(name) if name.kind == PpKind::Str => {
                let path = name.text[1..name.text.len() - 1].to_owned();
                self.include_file(&path, at.to(name.span))
            }
            Some(open) if open.is("<") => self.report(
                Diagnostic::error(at.to(open.span), "`#include <…>` is not supported")
                    .note("a model can include its own files: #include \"file\""),
            ),
            _ => self.error(at, "`#include` needs a file name in quotes"),
        }
    }

    fn include_file(&mut self, name: &str, at: Span) -> Run<()> {
        self.includes += 1;
        if self.open_files.len() >= limits::INCLUDE_DEPTH {
            return self.give_up(at, "files include each other too deeply");
        }
        if self.includes > limits::INCLUDES {
            return self.give_up(at, "too many files are included");
        }
        for path in self.candidates(name) {
            if let Some(&file) = self.known_files.get(&path) {
                if !self.once.contains(&file) {
                    self.open(file);
                }
                return Ok(());
            }
            match self.reader.read(&path) {
                Ok(text) if u32::try_from(text.len()).is_ok() => {
                    let file = self.sources.add(path.display().to_string(), text);
                    self.known_files.insert(path, file);
                    self.open(file);
                    return Ok(());
                }
                Ok(_) => return self.error(at, format!("`{}` is too large", path.display())),
                Err(e) if e.kind() == io::ErrorKind::NotFound => {}
                Err(e) => return self.error(at, format!("cannot read `{}`: {e}", path.display())),
            }
        }
        self.error(at, format!("cannot find `{name}`"))
    }

    /// The candidate paths of an included file.
    fn candidates(&self, name: &str) -> Vec<PathBuf> {
        let name = Path::new(name);
        let file = self.open_files.last().map(|f| self.sources.file(f.scanner.file()).name());
        let beside = file.and_then(|f| Path::new(f).parent()).unwrap_or(Path::new(""));
        let mut paths = vec![beside.join(name)];
        paths.extend(self.settings.include_dirs.iter().map(|dir| dir.join(name)));
        paths
    }
}
