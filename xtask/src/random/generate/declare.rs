//! Random declarations.

use super::scope::Scope;
use super::{Generator, Theme};
use crate::random::ast::{Act, Block, Expr, Field, Initial, Record, Scalar, Type, Var};

impl Generator {
    fn scalar(&mut self) -> Scalar {
        let symbols = if self.program.symbols.is_empty() { 0 } else { 3 };
        let width = self.rng.between(1, 5) as u8;
        self.rng.weighted(&[
            (3, Scalar::Bit),
            (4, Scalar::Bool),
            (8, Scalar::Byte),
            (2, Scalar::Short),
            (3, Scalar::Int),
            (2, Scalar::Unsigned(width)),
            (symbols, Scalar::Mtype),
            (1, Scalar::Pid),
        ])
    }
    pub fn record(&mut self) {
        let count = self.rng.between(1, 3);
        let mut fields = Vec::new();
        for position in 0..count {
            let ty = Type::Scalar(self.scalar());
            let array = (self.rng.chance(25) && !matches!(ty, Type::Scalar(Scalar::Unsigned(_)))).then_some(2);
            fields.push(Var { name: format!("f{position}"), ty, array, initial: None });
        }
        self.program.records.push(Record { name: "R".to_owned(), fields });
    }

    /// A number, array or record of this name.
    fn variable(&mut self, name: String) -> Var {
        if !self.program.records.is_empty() && self.rng.chance(25) {
            let array = self.rng.chance(30).then_some(2);
            return Var { name, ty: Type::Record("R".to_owned()), array, initial: None };
        }
        let scalar = self.scalar();
        let array =
            (self.rng.chance(20) && !matches!(scalar, Scalar::Unsigned(_))).then(|| self.rng.between(1, 3) as u8);
        let initial = match scalar {
            _ if self.rng.chance(70) => None,
            Scalar::Mtype => Some(Initial::Value(self.symbol())),
            Scalar::Bit | Scalar::Bool => Some(Initial::Value(Expr::constant(1))),
            _ => Some(Initial::Value(Expr::constant(self.rng.below(3) as i64))),
        };
        Var { name, ty: Type::Scalar(scalar), array, initial }
    }

    /// Global variables other than channels.
    pub fn global_numbers(&mut self, globals: &mut Scope) {
        let count = self.rng.between(1, 4);
        for position in 0..count {
            let var = self.variable(format!("g{position}"));
            globals.declare(&var, &self.program.records);
            self.program.globals.push(var);
        }
    }

    /// Signature 0 carries numbers only; another may carry channels of signature 0.
    pub fn global_channels(&mut self, globals: &mut Scope) {
        let wanted = self.theme(Theme::Talkative) || self.theme(Theme::Rendezvous) || self.theme(Theme::Channels);
        if !wanted && self.rng.chance(60) {
            return;
        }
        for signature in 0..self.rng.between(1, 2) {
            let count = self.rng.between(1, 3);
            let mut fields: Vec<Field> = (0..count).map(|_| Field::Scalar(self.field_scalar())).collect();
            if signature > 0 && self.theme(Theme::Channels) {
                fields[0] = Field::Chan;
            }
            self.signatures.push(fields);
        }
        let count = self.rng.between(self.signatures.len(), 3);
        for position in 0..count {
            let signature =
                if position < self.signatures.len() { position } else { self.rng.below(self.signatures.len()) };
            let capacity = match self.theme(Theme::Rendezvous) && !self.theme(Theme::Priority) && self.rng.chance(60) {
                true => 0,
                false => self.rng.weighted(&[(5, 1), (4, 2), (1, 3)]),
            };
            let initial = Some(Initial::Channel(capacity, self.signatures[signature].clone()));
            let array = self.rng.chance(15).then_some(2);
            let var = Var { name: format!("q{position}"), ty: Type::Chan, array, initial };
            globals.declare_channel(&var, signature);
            self.program.globals.push(var);
        }
    }

    fn field_scalar(&mut self) -> Scalar {
        match self.scalar() {
            Scalar::Unsigned(_) => Scalar::Byte,
            scalar => scalar,
        }
    }

    /// Declarations at the top of a body.
    pub fn locals(&mut self, scope: &mut Scope) -> Block {
        let mut declarations = Block::new();
        for position in 0..self.rng.below(3) {
            let mut var = self.variable(format!("l{position}"));
            if self.theme(Theme::Priority)
                && matches!(var.ty, Type::Scalar(Scalar::Bit | Scalar::Bool | Scalar::Unsigned(_)))
            {
                // With priorities, Spin leaves bit fields out of the comparison of states.
                var.ty = Type::Scalar(Scalar::Byte);
            }
            scope.declare(&var, &self.program.records);
            declarations.push(Act::Declare(var).into());
        }
        if !self.signatures.is_empty() && self.theme(Theme::Channels) && self.rng.chance(50) {
            let owned = self.rng.chance(50);
            let initial = owned.then(|| Initial::Channel(self.rng.between(1, 2) as u8, self.signatures[0].clone()));
            let var = Var { name: "lc".to_owned(), ty: Type::Chan, array: None, initial };
            if owned || self.rng.chance(30) {
                scope.declare_channel(&var, 0);
            }
            if !owned {
                scope.holders.push((var.name.clone(), 0));
            }
            declarations.push(Act::Declare(var).into());
        }
        declarations
    }
}
