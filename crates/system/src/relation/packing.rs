//! States as bytes.
//!
//! Each state variable, frozen ones included, takes 1, 2, 4 or 8 bytes for the code of its value; inputs take none. So
//! two valuations have the same bytes exactly if they are the same state.

use lurcher_ir::relation::{Domain, Relation, VariableRole, WordShape};

/// How values of one variable become codes.
#[derive(Clone, Debug)]
enum Coding {
    From(i64),
    Word(WordShape),
    Listed(Vec<i64>),
}

#[derive(Clone, Debug)]
struct Field {
    variable: usize,
    bytes: u8,
    coding: Coding,
}

/// The layout of packed states.
#[derive(Clone, Debug)]
pub struct Packing {
    fields: Vec<Field>,
    /// The value of each variable that is not packed: the first of its domain.
    rest: Vec<(usize, i64)>,
    len: usize,
}

impl Packing {
    /// Packs the state variables of a relation.
    pub fn new(relation: &Relation) -> Self {
        Packing::with(relation, |_| false)
    }

    /// Packs the state variables and those inputs for which `keep` is true.
    pub fn with(relation: &Relation, keep: impl Fn(lurcher_ir::relation::VariableId) -> bool) -> Self {
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
            let coding = match &variable.domain {
                Domain::Boolean => Coding::From(0),
                Domain::Range(low, _) => Coding::From(*low),
                Domain::Values(values) => Coding::Listed(values.clone()),
                Domain::Word(shape) => Coding::Word(*shape),
            };
            packing.fields.push(Field { variable: index, bytes, coding });
            packing.len += usize::from(bytes);
        }
        packing
    }

    /// Bytes of a packed state.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Is there nothing to pack?
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Packs a valuation whose values lie in their domains.
    pub fn pack(&self, valuation: &[i64], bytes: &mut Vec<u8>) {
        bytes.clear();
        for field in &self.fields {
            let code = field.coding.code(valuation[field.variable]).to_le_bytes();
            match field.bytes {
                1 => bytes.push(code[0]),
                2 => bytes.extend_from_slice(&code[..2]),
                4 => bytes.extend_from_slice(&code[..4]),
                _ => bytes.extend_from_slice(&code),
            }
        }
    }

    /// Calls `f` with the index and the code of each variable that takes one byte.
    pub fn each_small_code(&self, bytes: &[u8], mut f: impl FnMut(usize, u32)) {
        let mut at = 0;
        for field in &self.fields {
            if field.bytes == 1 {
                f(field.variable, u32::from(bytes[at]));
            }
            at += usize::from(field.bytes);
        }
    }

    /// The valuation behind packed bytes; variables that were not packed get the first value of their domain.
    pub fn unpack(&self, bytes: &[u8], valuation: &mut [i64]) {
        let mut at = 0;
        for field in &self.fields {
            let mut code = [0; 8];
            let width = usize::from(field.bytes);
            code[..width].copy_from_slice(&bytes[at..at + width]);
            at += width;
            valuation[field.variable] = field.coding.value(u64::from_le_bytes(code));
        }
        for &(variable, value) in &self.rest {
            valuation[variable] = value;
        }
    }
}

impl Coding {
    fn code(&self, value: i64) -> u64 {
        match self {
            Coding::From(low) => value.wrapping_sub(*low) as u64,
            Coding::Word(shape) => shape.bits_of(value),
            Coding::Listed(values) => values.binary_search(&value).expect("a value of the domain") as u64,
        }
    }

    fn value(&self, code: u64) -> i64 {
        match self {
            Coding::From(low) => low.wrapping_add_unsigned(code),
            Coding::Word(shape) => shape.wrap(code as i64),
            Coding::Listed(values) => values[code as usize],
        }
    }
}
