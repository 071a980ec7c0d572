//! The names in scope.

use crate::random::ast::{Expr, Initial, Record, Scalar, Type, Var};

/// Something that can be assigned to.
#[derive(Debug, Clone)]
pub struct Place {
    /// Its name, or the name of the array.
    pub base: Expr,
    pub scalar: Scalar,
    pub length: Option<u8>,
}

/// A channel that can be used.
#[derive(Debug, Clone)]
pub struct Channel {
    /// Its name, or the name of the array.
    pub base: Expr,
    pub length: Option<u8>,
    /// Which of the program's signatures its messages have.
    pub signature: usize,
    /// Its capacity; unknown for a channel that was received as a value.
    pub capacity: Option<u8>,
}

/// The variables in scope.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    /// Numbers that may be read and written.
    pub places: Vec<Place>,
    /// Loop counters, which may only be read, so that loops end.
    pub counters: Vec<String>,
    /// Channels that may be used.
    pub channels: Vec<Channel>,
    /// Channel variables that may be received into, with their signature.
    pub holders: Vec<(String, usize)>,
}

impl Scope {
    /// Adds a variable. Channels need a signature and are added by [`Scope::declare_channel`].
    pub fn declare(&mut self, var: &Var, records: &[Record]) {
        let base = Expr::name(&var.name);
        match &var.ty {
            Type::Scalar(scalar) => self.places.push(Place { base, scalar: *scalar, length: var.array }),
            Type::Record(name) => {
                let record = records.iter().find(|record| record.name == *name).expect("declared before use");
                let base = match var.array {
                    Some(length) => Expr::index(&base, Expr::constant(i64::from(length) - 1)),
                    None => base,
                };
                self.declare_fields(&base, record);
            }
            Type::Chan => {}
        }
    }

    fn declare_fields(&mut self, base: &Expr, record: &Record) {
        for field in &record.fields {
            if let Type::Scalar(scalar) = field.ty {
                let base = Expr::name(format!("{base}.{}", field.name));
                self.places.push(Place { base, scalar, length: field.array });
            }
        }
    }

    /// Adds a channel.
    pub fn declare_channel(&mut self, var: &Var, signature: usize) {
        let capacity = match var.initial {
            Some(Initial::Channel(capacity, _)) => Some(capacity),
            _ => None,
        };
        self.channels.push(Channel { base: Expr::name(&var.name), length: var.array, signature, capacity });
    }
}
