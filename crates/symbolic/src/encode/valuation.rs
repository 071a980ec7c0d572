//! Converting between sets and valuations.

use lurcher_ir::relation::{Domain, VariableId, VariableRole};
use oxidd::util::OptBool;
use oxidd::{BooleanFunction, VarNo};

use super::Encoding;
use crate::kernel::{Bdd, BddResult};

impl Encoding<'_> {
    /// The valuation with the given bits.
    pub(crate) fn decode(&self, bits: impl Fn(VarNo) -> bool) -> Vec<i64> {
        let value = |(id, domain): (VariableId, &Domain)| {
            let set = self.layout.now(id).iter().enumerate().filter(|&(_, &b)| bits(b));
            domain.value(set.map(|(i, _)| 1u64 << i).sum())
        };
        self.relation.variables().map(|(id, v)| (id, &v.domain)).map(value).collect()
    }

    /// A deterministic choice of one valuation; `None` if the set is empty.
    pub fn pick(&self, set: &Bdd) -> Option<Vec<i64>> {
        let cube = set.pick_cube(|_, _, _| false)?;
        Some(self.decode(|bit| cube[bit as usize] == OptBool::True))
    }

    /// The bits of a valuation, with or without inputs.
    pub(crate) fn bits_of(&self, valuation: &[i64], inputs: bool) -> Vec<(VarNo, bool)> {
        let mut bits = Vec::new();
        for (id, variable) in self.relation.variables() {
            if variable.role == VariableRole::Input && !inputs {
                continue;
            }
            bits.extend(self.bits_of_one(valuation, id));
        }
        bits
    }

    /// The bits of one variable's value.
    pub(crate) fn bits_of_one(&self, valuation: &[i64], id: VariableId) -> Vec<(VarNo, bool)> {
        let code = self.relation.variable(id).domain.code(valuation[id.0 as usize]).expect("a value of the domain");
        self.layout.now(id).iter().enumerate().map(|(i, &b)| (b, code >> i & 1 != 0)).collect()
    }

    /// The set of one state.
    pub fn state(&self, valuation: &[i64]) -> BddResult<Bdd> {
        self.kernel.literals(self.bits_of(valuation, false))
    }

    /// The set of one state-input pair.
    pub fn state_with_inputs(&self, valuation: &[i64]) -> BddResult<Bdd> {
        self.kernel.literals(self.bits_of(valuation, true))
    }

    /// Whether a set of states or state-input pairs contains a valuation.
    pub fn holds(&self, set: &Bdd, valuation: &[i64]) -> bool {
        set.eval(self.bits_of(valuation, true))
    }
}
