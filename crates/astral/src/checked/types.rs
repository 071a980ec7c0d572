//! Types.

use lurcher_syntax::Span;

use super::{BoundId, ConstantId, InstancesId, ProcessId, Specification, TermId, TypeId};

/// A type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `BOOLEAN`.
    Boolean,
    /// `INTEGER`.
    Integer,
    /// `REAL`. Its values are integers here; quotients are exact.
    Real,
    /// `TIME`: the instants 0, 1, …
    Time,
    /// `ID`: all declared instances.
    Id,
    /// A declared type.
    Named(TypeId),
}

/// A declared type.
#[derive(Clone, Debug)]
pub struct TypeDefinition {
    /// Its name.
    pub name: String,
    /// Its name in the file.
    pub span: Span,
    /// The process that declares it.
    pub process: Option<ProcessId>,
    /// What it is.
    pub kind: TypeKind,
}

/// Kinds of declared types.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeKind {
    /// Values that can only be compared.
    Uninterpreted,
    /// Named values.
    Enumeration(Vec<String>),
    /// Another name of a type.
    Alias(Type),
    /// The values of a type with a condition.
    Restriction {
        /// The type.
        base: Type,
        /// The variable of the condition.
        variable: BoundId,
        /// The condition.
        condition: TermId,
        /// The limits that the condition states, for numbers.
        range: Range,
        /// The instances that satisfy the condition, for `ID`.
        instances: Vec<InstancesId>,
    },
}

/// The limits of a type of numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Range {
    /// The lower limit.
    pub lower: Option<Limit>,
    /// The upper limit.
    pub upper: Option<Limit>,
}

/// A limit that does not depend on time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// The limit.
    pub term: TermId,
    /// Whether the limit itself is excluded.
    pub strict: bool,
}

/// An end of the index range of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexRange {
    /// A number.
    Number(i64),
    /// A constant without parameters.
    Constant(ConstantId),
}

impl Specification {
    /// The type without aliases and restrictions: built-in, an enumeration or an uninterpreted type.
    pub fn base(&self, ty: Type) -> Type {
        match self.declarations(ty).last() {
            None => ty,
            Some(&last) => match self.types[last.index()].kind {
                TypeKind::Alias(base) | TypeKind::Restriction { base, .. } => base,
                TypeKind::Uninterpreted | TypeKind::Enumeration(_) => Type::Named(last),
            },
        }
    }

    /// The declared types from a type to its base, the type itself first.
    pub fn declarations(&self, ty: Type) -> Vec<TypeId> {
        let mut found = Vec::new();
        let mut ty = ty;
        while let Type::Named(id) = ty {
            found.push(id);
            match self.types[id.index()].kind {
                TypeKind::Alias(base) | TypeKind::Restriction { base, .. } => ty = base,
                TypeKind::Uninterpreted | TypeKind::Enumeration(_) => break,
            }
        }
        found
    }

    /// The limits that a type of numbers states; without one of its own, that of the type that it restricts.
    pub fn range(&self, ty: Type) -> Range {
        let mut whole = Range::default();
        for id in self.declarations(ty) {
            if let TypeKind::Restriction { range, .. } = &self.types[id.index()].kind {
                whole = Range { lower: whole.lower.or(range.lower), upper: whole.upper.or(range.upper) };
            }
        }
        whole
    }

    /// The instances of a type whose base is `ID`.
    pub fn instances_of(&self, ty: Type) -> Vec<InstancesId> {
        let mut found: Vec<InstancesId> = (0..self.instances.len()).map(InstancesId::new).collect();
        for id in self.declarations(ty) {
            if let TypeKind::Restriction { instances, .. } = &self.types[id.index()].kind {
                found.retain(|i| instances.contains(i));
            }
        }
        found
    }

    /// The name of a type.
    pub fn type_name(&self, ty: Type) -> &str {
        match ty {
            Type::Boolean => "BOOLEAN",
            Type::Integer => "INTEGER",
            Type::Real => "REAL",
            Type::Time => "TIME",
            Type::Id => "ID",
            Type::Named(id) => &self.types[id.index()].name,
        }
    }
}
