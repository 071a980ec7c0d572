//! What a statement may name.

use crate::random::ast::{Expr, Initial, Record, Scalar, Type, Var};

/// Something that can be assigned to.
#[derive(Debug, Clone)]
pub struct Place {
    /// Its name, or the name of the array.
    pub base: Expr,
    /// Its type.
    pub scalar: Scalar,
    /// Its length, for an array.
    pub length: Option<u8>,
}

/// A channel that can be used.
#[derive(Debug, Clone)]
pub struct Channel {
    /// Its name, or the name of the array.
    pub base: Expr,
    /// Its length, for an array.
    pub length: Option<u8>,
    /// Which of the program's signatures its messages have.
    pub signature: usize,
    /// Its capacity where known; a channel that arrived as a value may be any.
    pub capacity: Option<u8>,
}

/// The variables in sight.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    /// Numbers that may be read and written.
    pub places: Vec<Place>,
    /// Numbers that may only be read: loop counters, whose loops must end.
    pub counters: Vec<String>,
    /// Channels that may be used.
    pub channels: Vec<Channel>,
    /// Channel variables that may be received into, with the signature they are meant for.
    pub holders: Vec<(String, usize)>,
}

impl Scope {
    /// Brings a declared variable into sight. Channel variables need a signature and are added by hand.
    pub fn declare(&mut self, var: &Var, records: &[Record]) {
        let base = Expr::name(&var.name);
        match &var.ty {
            Type::Scalar(scalar) => self.places.push(Place { base, scalar: *scalar, length: var.array }),
            Type::Record(name) => {
                let record = records.iter().find(|record| record.name == *name).expect("declared before use");
                let base = match var.array {
                    Some(length) => Expr::Index(Box::new(base), Box::new(Expr::Const(i64::from(length) - 1))),
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
                let base = Expr::Field(Box::new(base.clone()), field.name.clone());
                self.places.push(Place { base, scalar, length: field.array });
            }
        }
    }

    /// Brings a channel into sight.
    pub fn declare_channel(&mut self, var: &Var, signature: usize) {
        let capacity = match var.initial {
            Some(Initial::Channel(capacity, _)) => Some(capacity),
            _ => None,
        };
        self.channels.push(Channel { base: Expr::name(&var.name), length: var.array, signature, capacity });
    }
}
