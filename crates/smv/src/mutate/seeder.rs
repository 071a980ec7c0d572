//! Drawing faults.

use std::collections::HashSet;

use lurcher_syntax::{Diagnostic, SourceMap};

use super::draws::Draws;
use super::scope::Scopes;
use super::sites::{Site, sites};
use super::tree::visit;
use super::{FaultKind, edit::Edit};
use crate::ast::{Expr, File};
use crate::{lower, parse, print};

/// A model with one fault.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// Its number among the mutants of its seed, from 1.
    pub number: usize,
    /// The kind of its fault.
    pub kind: FaultKind,
    /// `file:line: what became what`.
    pub description: String,
    /// The model, printed anew.
    pub text: String,
}

/// Drawn faults that gave no mutant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Skipped {
    /// Models that do not load: wrong types, circular definitions, a `case` with holes.
    pub rejected: usize,
    /// Models with the text of the original.
    pub unchanged: usize,
    /// Models with the text of an earlier mutant.
    pub repeated: usize,
}

/// An iterator over the mutants of a model.
///
/// ```
/// use lurcher_smv::mutate::{FaultKind, Seeder};
/// use lurcher_syntax::SourceMap;
///
/// let mut sources = SourceMap::new();
/// let file = sources.add("light.smv", "MODULE main VAR on : boolean; ASSIGN next(on) := !on; INVARSPEC on");
/// let parsed = lurcher_smv::parse(&sources, file);
/// let mut seeder = Seeder::new(&sources, &parsed.file, &[], &[FaultKind::ConditionNegation], 1);
/// assert_eq!(seeder.next().unwrap().description, "light.smv:1: `!on` became `on`");
/// assert!(seeder.next().is_none());
/// ```
#[derive(Debug)]
pub struct Seeder<'a> {
    sources: &'a SourceMap,
    file: &'a File,
    defines: &'a [(String, String)],
    /// The names visible in each module.
    names: Vec<Vec<Expr>>,
    /// For each kind, the sites with remaining faults.
    pools: Vec<(FaultKind, Vec<Site>)>,
    /// The current kind.
    turn: usize,
    draws: Draws,
    original: String,
    texts: HashSet<String>,
    skipped: Skipped,
}

impl<'a> Seeder<'a> {
    /// Mutants of a file with faults of some kinds, in turn.
    pub fn new(
        sources: &'a SourceMap,
        file: &'a File,
        defines: &'a [(String, String)],
        kinds: &[FaultKind],
        seed: u64,
    ) -> Seeder<'a> {
        let all = sites(file);
        let of = |kind: FaultKind| all.iter().filter(|s| s.kind == kind).cloned().collect();
        let scopes = Scopes(file);
        let names = |m| scopes.visible(m).into_iter().map(|(name, _)| name).collect();
        Seeder {
            sources,
            file,
            defines,
            names: file.modules.iter().map(names).collect(),
            pools: kinds.iter().map(|&kind| (kind, of(kind))).collect(),
            turn: 0,
            draws: Draws::new(seed),
            original: print(file),
            texts: HashSet::new(),
            skipped: Skipped::default(),
        }
    }

    /// Drawn faults that gave no mutant so far.
    pub fn skipped(&self) -> Skipped {
        self.skipped
    }

    /// Draws a fault of the current kind.
    fn draw(&mut self) -> Option<(FaultKind, Site, Edit)> {
        let (kind, pool) = &mut self.pools[self.turn];
        if pool.is_empty() {
            return None;
        }
        let at = self.draws.below(pool.len());
        let edit = self.draws.below(pool[at].edits.len());
        let edit = pool[at].edits.remove(edit);
        let site = Site { edits: Vec::new(), ..pool[at].clone() };
        if pool[at].edits.is_empty() {
            pool.remove(at);
        }
        Some((*kind, site, edit))
    }

    /// The mutant of a fault; `None`, and counted, if it is not one.
    fn make(&mut self, kind: FaultKind, site: &Site, edit: Edit) -> Option<Mutant> {
        let (faulty, what) = apply(self.file, site, edit, &self.names[site.module]);
        let text = print(&faulty);
        if text == self.original {
            self.skipped.unchanged += 1;
        } else if self.texts.contains(&text) {
            self.skipped.repeated += 1;
        } else if !loads(&text, self.defines) {
            self.skipped.rejected += 1;
        } else {
            self.texts.insert(text.clone());
            let description = format!("{}: {what}", self.sources.short_place(site.span));
            return Some(Mutant { number: self.texts.len(), kind, description, text });
        }
        None
    }
}

impl Iterator for Seeder<'_> {
    type Item = Mutant;

    fn next(&mut self) -> Option<Mutant> {
        // A kind stays current until it has given a mutant or has no faults left.
        for _ in 0..self.pools.len() {
            while let Some((kind, site, edit)) = self.draw() {
                if let Some(mutant) = self.make(kind, &site, edit) {
                    self.turn = (self.turn + 1) % self.pools.len();
                    return Some(mutant);
                }
            }
            self.turn = (self.turn + 1) % self.pools.len();
        }
        None
    }
}

/// A file with a fault, and its description.
fn apply(file: &File, site: &Site, edit: Edit, names: &[Expr]) -> (File, String) {
    let mut faulty = file.clone();
    let mut what = None;
    visit(&mut faulty, &mut |node, expr| {
        // After the fault, numbers refer to other expressions.
        if node.number == site.node && what.is_none() {
            let (changed, said) = edit.apply(expr, names);
            *expr = changed;
            what = Some(said);
        }
    });
    (faulty, what.expect("a site is an expression of the file"))
}

fn loads(text: &str, defines: &[(String, String)]) -> bool {
    let mut sources = SourceMap::new();
    let main = sources.add("mutant.smv", text);
    let parsed = parse(&sources, main);
    let wrong = parsed.diagnostics.iter().any(Diagnostic::is_error);
    !wrong && lower(&sources, &parsed.file, defines).0.is_some()
}
