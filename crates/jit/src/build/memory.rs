//! Access to the registers of a run and to values in a state.

use cranelift_codegen::ir::types::{I8, I16, I32, I64};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Type, Value};
use cranelift_frontend::Variable;
use lurcher_ir::Scalar;

use super::emit::Emit;
use crate::run::field;

/// Values in a state are unaligned.
const STATE: MemFlagsData = MemFlagsData::new().with_notrap();
const REGISTER: MemFlagsData = MemFlagsData::trusted();

impl Emit<'_, '_, '_> {
    pub fn register(&mut self, ty: Type, at: i32) -> Value {
        match self.cached_in(at) {
            Some(variable) => self.b.use_var(variable),
            None => self.b.ins().load(ty, REGISTER, self.run, at),
        }
    }

    pub fn set_register(&mut self, at: i32, value: Value) {
        match self.cached_in(at) {
            Some(variable) => self.b.def_var(variable, value),
            None => {
                self.b.ins().store(REGISTER, value, self.run, at);
            }
        }
    }

    fn cached_in(&self, at: i32) -> Option<Variable> {
        self.cached.filter(|(field, _)| *field == at).map(|(_, variable)| variable)
    }

    /// Caches a register in a variable.
    pub fn cache_register(&mut self, ty: Type, at: i32) {
        let variable = self.b.declare_var(ty);
        self.cached = Some((at, variable));
        self.reload_cached(ty);
    }

    /// Writes the cached register back.
    pub fn flush_cached(&mut self) {
        if let Some((at, variable)) = self.cached {
            let value = self.b.use_var(variable);
            self.b.ins().store(REGISTER, value, self.run, at);
        }
    }

    /// Reloads the cached register.
    pub fn reload_cached(&mut self, ty: Type) {
        if let Some((at, variable)) = self.cached {
            let value = self.b.ins().load(ty, REGISTER, self.run, at);
            self.b.def_var(variable, value);
        }
    }

    /// Adds a constant to a register.
    pub fn add_to_register(&mut self, ty: Type, at: i32, amount: i64) {
        let value = self.register(ty, at);
        let sum = self.b.ins().iadd_imm_s(value, amount);
        self.set_register(at, sum);
    }

    pub fn set_register_int(&mut self, at: i32, value: i32) {
        let value = self.int(value);
        self.set_register(at, value);
    }

    /// First byte of the state.
    pub fn bytes(&mut self) -> Value {
        self.b.use_var(self.bytes)
    }

    /// First byte of the current process.
    pub fn frame(&mut self) -> Value {
        self.b.use_var(self.frame)
    }

    /// First byte of an existing process.
    pub fn frame_of(&mut self, pid: Value) -> Value {
        let processes = self.register(I64, field!(processes));
        let at = self.element(processes, pid, 4);
        let offset = self.b.ins().uload32(REGISTER, at, 0);
        let bytes = self.register(I64, field!(bytes));
        self.b.ins().iadd(bytes, offset)
    }

    /// Loads 16 bits of a state.
    pub fn word(&mut self, base: Value, offset: i32) -> Value {
        self.b.ins().uload16(I32, STATE, base, offset)
    }

    pub fn set_word(&mut self, base: Value, offset: i32, value: Value) {
        self.b.ins().istore16(STATE, value, base, offset);
    }

    pub fn load(&mut self, scalar: Scalar, base: Value, offset: i32) -> Value {
        match (scalar.size(), scalar) {
            (1, _) => self.b.ins().uload8(I32, STATE, base, offset),
            (2, Scalar::Short) => self.b.ins().sload16(I32, STATE, base, offset),
            (2, _) => self.b.ins().uload16(I32, STATE, base, offset),
            _ => self.b.ins().load(I32, STATE, base, offset),
        }
    }

    /// Stores a value, truncated to its type.
    pub fn store(&mut self, scalar: Scalar, value: Value, base: Value, offset: i32) {
        let value = match scalar {
            Scalar::Bit | Scalar::Unsigned(_) => self.truncate(scalar, value),
            _ => value,
        };
        match scalar.size() {
            1 => self.b.ins().istore8(STATE, value, base, offset),
            2 => self.b.ins().istore16(STATE, value, base, offset),
            _ => self.b.ins().store(STATE, value, base, offset),
        };
    }

    /// A value truncated to a type.
    pub fn truncate(&mut self, scalar: Scalar, value: Value) -> Value {
        match scalar {
            Scalar::Bit => self.b.ins().band_imm_s(value, 1),
            Scalar::Byte | Scalar::Symbol(_) => self.b.ins().band_imm_s(value, 0xff),
            Scalar::Channel => self.b.ins().band_imm_s(value, 0xffff),
            Scalar::Short => {
                let low = self.b.ins().ireduce(I16, value);
                self.b.ins().sextend(I32, low)
            }
            Scalar::Unsigned(bits) => self.b.ins().band_imm_s(value, (1i64 << bits.min(31)) - 1),
            Scalar::Int => value,
        }
    }

    /// Copies bytes towards lower addresses.
    pub fn copy(&mut self, from: Value, to: Value, size: u32) {
        let mut at = 0;
        while at < size {
            let (ty, step) = match size - at {
                8.. => (I64, 8),
                4.. => (I32, 4),
                2.. => (I16, 2),
                _ => (I8, 1),
            };
            let part = self.b.ins().load(ty, STATE, from, at as i32);
            self.b.ins().store(STATE, part, to, at as i32);
            at += step;
        }
    }

    /// Sets bytes of the state to 0.
    pub fn clear(&mut self, at: Value, size: u32) {
        let zero = self.long(0);
        let mut offset = 0;
        while offset < size {
            let at_offset = offset as i32;
            offset += match size - offset {
                8.. => {
                    self.b.ins().store(STATE, zero, at, at_offset);
                    8
                }
                4.. => {
                    self.b.ins().istore32(STATE, zero, at, at_offset);
                    4
                }
                2.. => {
                    self.b.ins().istore16(STATE, zero, at, at_offset);
                    2
                }
                _ => {
                    self.b.ins().istore8(STATE, zero, at, at_offset);
                    1
                }
            };
        }
    }
}
