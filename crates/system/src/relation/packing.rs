//! Packed states.
//!
//! Each state or frozen variable takes 1, 2, 4 or 8 bytes for the code of its value; inputs take none. Two valuations have
//! the same bytes exactly if they are the same state.

use lurcher_ir::relation::{Domain, Relation, VariableId, VariableRole};

#[derive(Clone, Debug)]
struct Field {
    variable: usize,
    bytes: u8,
    domain: Domain,
}

/// The layout of packed states.
#[derive(Clone, Debug)]
pub struct Packing {
    fields: Vec<Field>,
    /// Variables that are not packed, with the first value of their domain.
    rest: Vec<(usize, i64)>,
    len: usize,
}

impl Packing {
    /// A packing of the state variables.
    pub fn new(relation: &Relation) -> Self {
        Packing::with(relation, |_| false)
    }

    /// A packing of the state variables and of the inputs that satisfy `keep`.
    pub fn with(relation: &Relation, keep: impl Fn(VariableId) -> bool) -> Self {
        let mut packing = Packing { fields: Vec::new(), rest: Vec::new(), len: 0 };
        for (id, variable) in relation.variables() {
            let index = id.0 as usize;
            if variable.role == VariableRole::Input && !keep(id) {
                packing.rest.push((index, variable.domain.value(0)));
                continue;
            }
            let bytes = match variable.domain.bits() {
                0..=8 => 1,
                9..=16 => 2,
                17..=32 => 4,
                _ => 8,
            };
            packing.fields.push(Field { variable: index, bytes, domain: variable.domain.clone() });
            packing.len += usize::from(bytes);
        }
        packing
    }

    /// The size of a packed state.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether a packed state is empty.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Packs a valuation whose values lie in their domains.
    pub fn pack(&self, valuation: &[i64], bytes: &mut Vec<u8>) {
        bytes.clear();
        for field in &self.fields {
            let code = field.domain.code(valuation[field.variable]).expect("a value of the domain").to_le_bytes();
            match field.bytes {
                1 => bytes.push(code[0]),
                2 => bytes.extend_from_slice(&code[..2]),
                4 => bytes.extend_from_slice(&code[..4]),
                _ => bytes.extend_from_slice(&code),
            }
        }
    }

    /// Calls `f` with the index and code of each one-byte variable.
    pub fn each_small_code(&self, bytes: &[u8], mut f: impl FnMut(usize, u32)) {
        let mut at = 0;
        for field in &self.fields {
            if field.bytes == 1 {
                f(field.variable, u32::from(bytes[at]));
            }
            at += usize::from(field.bytes);
        }
    }

    /// Unpacks a valuation; variables that are not packed get the first value of their domain.
    pub fn unpack(&self, bytes: &[u8], valuation: &mut [i64]) {
        let mut at = 0;
        for field in &self.fields {
            let mut code = [0; 8];
            let width = usize::from(field.bytes);
            code[..width].copy_from_slice(&bytes[at..at + width]);
            at += width;
            valuation[field.variable] = field.domain.value(u64::from_le_bytes(code));
        }
        for &(variable, value) in &self.rest {
            valuation[variable] = value;
        }
    }
}
