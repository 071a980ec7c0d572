//! Name resolution: types, symbolic constants, variables and their scopes, process types.

use std::collections::HashMap;

use lurcher_ir::{Scalar, VarShape, position_or_push};
use lurcher_syntax::Span;

use crate::ast::{self, TypeName};

/// The type of a declared name or of its elements.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Type {
    Scalar(Scalar),
    /// A `typedef`, by index into [`Names::typedefs`].
    Record(usize),
}

/// A field of a `typedef`.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub name: String,
    pub ty: Type,
    pub size: Option<u32>,
    pub offset: u32,
    pub shape: VarShape,
    pub init: Option<ast::Initialiser>,
}

/// A `typedef`.
#[derive(Clone, Debug)]
pub(super) struct Typedef {
    pub name: String,
    pub fields: NamedList<Field>,
    pub shape: VarShape,
    /// The number of fields, those of its fields included.
    pub all_fields: u32,
}

/// A declared variable.
#[derive(Clone, Debug)]
pub(super) struct Symbol {
    pub name: String,
    pub ty: Type,
    pub size: Option<u32>,
    pub offset: u32,
    pub local: bool,
    /// Its initial value if that is a constant, which may be an array size.
    pub constant: Option<i32>,
    /// The set of the symbolic constants that it may be assigned, if one is known, and the position that tells.
    pub symbols: Option<(u16, Span)>,
    /// Capacity and message types, for channels declared with an initialiser.
    pub channel: Option<(i32, Vec<ast::TypeName>)>,
    pub scope: Vec<u32>,
    pub span: Span,
}

/// A process type under construction; its id is its index.
#[derive(Clone, Debug)]
pub(super) struct ProcessName {
    pub name: String,
    pub locals: NamedList<Symbol>,
}

/// An element of a [`NamedList`].
pub(super) trait Named {
    fn name(&self) -> &str;
}

/// A list whose elements are found by name.
#[derive(Clone, Debug)]
pub(super) struct NamedList<T> {
    list: Vec<T>,
    /// The positions of the elements of each name, in order.
    positions: HashMap<String, Vec<usize>>,
}

impl<T> Default for NamedList<T> {
    fn default() -> Self {
        NamedList { list: Vec::new(), positions: HashMap::new() }
    }
}

impl<T: Named> NamedList<T> {
    pub fn push(&mut self, element: T) {
        self.positions.entry(element.name().to_owned()).or_default().push(self.list.len());
        self.list.push(element);
    }

    /// The positions of the elements of a name, in order.
    pub fn positions(&self, name: &str) -> &[usize] {
        self.positions.get(name).map_or(&[], Vec::as_slice)
    }

    /// The elements of a name, in order.
    pub fn named(&self, name: &str) -> impl DoubleEndedIterator<Item = &T> {
        self.positions(name).iter().map(|&at| &self.list[at])
    }
}

impl<T> std::ops::Deref for NamedList<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.list
    }
}

impl<T> std::ops::DerefMut for NamedList<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.list
    }
}

impl Named for Symbol {
    fn name(&self) -> &str {
        &self.name
    }
}

impl Named for Field {
    fn name(&self) -> &str {
        &self.name
    }
}

impl Named for Typedef {
    fn name(&self) -> &str {
        &self.name
    }
}

impl Named for ProcessName {
    fn name(&self) -> &str {
        &self.name
    }
}

/// The names of the model, in source order.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    pub typedefs: NamedList<Typedef>,
    pub globals: NamedList<Symbol>,
    pub processes: NamedList<ProcessName>,
    /// Names of the sets of symbolic constants; the first is the unnamed one.
    pub symbol_sets: Vec<String>,
    /// Value and set of every symbolic constant.
    pub symbols: HashMap<String, (i32, u16)>,
    /// The current process type and scope.
    pub process: Option<usize>,
    pub scope: Vec<u32>,
    next_scope: u32,
}

impl Names {
    /// Enters a block.
    pub fn enter(&mut self) {
        self.next_scope += 1;
        self.scope.push(self.next_scope);
    }

    /// Leaves a block.
    pub fn leave(&mut self) {
        self.scope.pop();
    }

    /// The set of symbolic constants of a name; created if new.
    pub fn symbol_set(&mut self, name: &str) -> u16 {
        position_or_push(&mut self.symbol_sets, name.to_owned()) as u16
    }

    /// The scalar of a type; none for an `unsigned`, which has a width, and for a `typedef`.
    pub fn scalar(&self, ty: &TypeName) -> Option<Scalar> {
        Some(match ty {
            TypeName::Bit | TypeName::Bool => Scalar::Bit,
            TypeName::Byte | TypeName::Pid => Scalar::Byte,
            TypeName::Short => Scalar::Short,
            TypeName::Int => Scalar::Int,
            TypeName::Chan => Scalar::Channel,
            TypeName::Mtype(set) => {
                let name = set.as_ref().map_or("", |s| &s.name);
                Scalar::Symbol(self.symbol_sets.iter().position(|s| s == name).unwrap_or(0) as u16)
            }
            TypeName::Unsigned | TypeName::User(_) => return None,
        })
    }

    /// The variable of a name in the current scope.
    pub fn variable(&self, name: &str) -> Option<&Symbol> {
        let local = self.local(name).map(|(process, at)| &self.processes[process].locals[at]);
        local.or_else(|| self.globals.named(name).next())
    }

    /// The variable of a name in the current scope, to be changed.
    pub fn variable_mut(&mut self, name: &str) -> Option<&mut Symbol> {
        match self.local(name) {
            Some((process, at)) => Some(&mut self.processes[process].locals[at]),
            None => self.globals.positions(name).first().copied().map(|at| &mut self.globals[at]),
        }
    }

    /// The current process type, and the position in it of the local variable of a name.
    fn local(&self, name: &str) -> Option<(usize, usize)> {
        let process = self.process?;
        let locals = &self.processes[process].locals;
        let visible = |&&at: &&usize| self.scope.starts_with(&locals[at].scope);
        locals.positions(name).iter().rev().find(visible).map(|&at| (process, at))
    }

    /// The type of the symbolic constants of a set, as written.
    pub fn symbol_type(&self, set: u16) -> String {
        match self.symbol_sets[set as usize].as_str() {
            "" => "mtype".to_owned(),
            name => format!("mtype:{name}"),
        }
    }

    /// The `typedef` of a name.
    pub fn typedef(&self, name: &str) -> Option<usize> {
        self.typedefs.positions(name).first().copied()
    }

    /// The process type of a name.
    pub fn process_index(&self, name: &str) -> Option<usize> {
        self.processes.positions(name).first().copied()
    }

    /// The shape of a declared name.
    pub fn shape(&self, ty: &Type, size: Option<u32>) -> VarShape {
        let element = match ty {
            // Spin stores arrays of bits as bytes, without truncation to one bit.
            Type::Scalar(Scalar::Bit) if size.is_some() => VarShape::Scalar(Scalar::Byte),
            Type::Scalar(s) => VarShape::Scalar(*s),
            Type::Record(t) => self.typedefs[*t].shape.clone(),
        };
        match size {
            None => element,
            Some(n) => VarShape::Array(n, element.size(), Box::new(element)),
        }
    }

    /// Visible names, for suggestions.
    pub fn candidates(&self) -> impl Iterator<Item = &str> {
        let locals = self.process.into_iter().flat_map(|p| self.processes[p].locals.iter());
        let variables = self.globals.iter().chain(locals).map(|s| s.name.as_str());
        variables.chain(self.symbols.keys().map(String::as_str))
    }
}
