//! Independence of steps of different processes: the tables of partial-order reduction.
//!
//! A [`Table`] belongs to one process: the read, write and enabling sets of each branch, and the sets of everything that the
//! process may do from each location on. Values that are constant during the life of the process are known when its table
//! is built (`fixed.rs`), so two processes of one type have different tables: `fork[id]` denotes different forks.
//! Shared resources are bits (`resources.rs`, `access_sets.rs`); a few instructions decide whether a step of one process
//! is dependent on anything that another may ever do.
//!
//! * An **atomic chain** is one step: its first branch has the sets of the whole chain. Inside it a send and a receive on
//!   one channel are dependent, because blocking ends the chain.
//! * `else` reads what the other branches of its location read; so does every branch of a location with an escape
//!   (`unless`) and of a deterministic process. If it then depends on possible rendezvous partners, it is dependent on
//!   everything.
//! * **`timeout`** reads nothing: it is false while some step is enabled, and if no other step is enabled, nothing is
//!   pruned.
//! * **Creation**: a process that may create another may do everything that the other may do. A process at its end waits
//!   for the death of the youngest.
//! * **Cycles**: sticky edges, which every cycle of the control flow contains (`sticky.rs`), are in no proper ample set.
//! * **Visibility**: steps that the property observes are in no proper ample set.

mod access_sets;
mod facts;
mod fault;
mod fixed;
mod resources;
mod sticky;
mod table;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use crate::expr::Expr;
use crate::model::{Model, ProcessTypeId};

use self::access_sets::{Bits, ReadWrite, SetBuilder, add};
use self::facts::{Chain, Facts};
use self::fixed::{Fixed, fixed_globals, fixed_locals};
use self::resources::Resources;
use self::sticky::{FlowEdge, sticky_edges};

pub use self::fixed::FixedLocal;
pub use self::table::{Signature, Table};

/// What a property observes.
#[derive(Clone, Debug, Default)]
pub struct Visibility {
    /// The values of these expressions.
    pub exprs: Vec<Expr>,
    /// Whether a process is at an accepting location.
    pub accept: bool,
    /// Whether a process is at a progress location.
    pub progress: bool,
    /// Whether a statement fails. Not needed if the search executes every statement anyway.
    pub faults: bool,
    /// Bytes of faint globals, which are reset.
    pub unseen: Vec<Range<u32>>,
}

/// The static facts from which tables are built.
#[derive(Clone, Debug)]
pub struct Independence {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    model: Model,
    visibility: Visibility,
    message_loss: bool,
    resources: Resources,
    /// Resources that the property reads.
    observed: Bits,
    globals: HashMap<u32, i32>,
    locals: Vec<Vec<FixedLocal>>,
    /// Whether a branch is sticky, by process type, location and branch.
    sticky: Vec<Vec<Vec<bool>>>,
    /// Everything that a created process may do, by process type.
    whole: Vec<ReadWrite>,
}

impl Independence {
    /// Prepares the tables of a model. With `message_loss`, sends to a full channel lose the message.
    pub fn new(model: &Model, visibility: Visibility, message_loss: bool) -> Independence {
        let resources = Resources::new(model, &visibility.exprs, &visibility.unseen);
        let words = resources.words;
        let mut inner = Inner {
            visibility,
            message_loss,
            observed: vec![0; words],
            globals: fixed_globals(model),
            locals: model.process_types.iter().map(fixed_locals).collect(),
            sticky: Vec::new(),
            whole: vec![ReadWrite::empty(words); model.process_types.len()],
            model: model.clone(),
            resources,
        };
        inner.observed = inner.read_by_property();
        let any: Vec<Facts> = model.process_types().map(|(ty, _)| inner.facts(ty, None, &[])).collect();
        inner.sticky = any.iter().map(sticky_branches).collect();
        let chains: Vec<Vec<Chain>> = any.iter().zip(&inner.sticky).map(|(f, s)| f.chains(s, words)).collect();
        // A created process may create others: a fixpoint.
        let mut grown = true;
        while grown {
            grown = false;
            for (ty, facts) in any.iter().enumerate() {
                let future = facts.futures(&chains[ty], &inner.whole, words).swap_remove(facts.initial);
                grown |= inner.whole[ty].add(&future);
            }
        }
        Independence { inner: Arc::new(inner) }
    }

    /// The variables of a process type that keep their initial values.
    pub fn fixed_locals(&self, ty: ProcessTypeId) -> &[FixedLocal] {
        &self.inner.locals[ty.0 as usize]
    }

    /// The table of a process: its number and the values of its fixed variables, in order, where they are known.
    pub fn table(&self, ty: ProcessTypeId, pid: Option<u16>, values: &[i32]) -> Table {
        let inner = &*self.inner;
        let locals: Vec<(u32, i32)> =
            inner.locals[ty.0 as usize].iter().zip(values).map(|(l, &v)| (l.offset, v)).collect();
        let facts = inner.facts(ty, pid, &locals);
        Table::new(&facts, &inner.sticky[ty.0 as usize], &inner.whole, &inner.resources)
    }
}

impl Inner {
    fn read_by_property(&self) -> Bits {
        let fixed = Fixed { pid: None, locals: &[], globals: &self.globals };
        let builder = SetBuilder { inner: self, ty: ProcessTypeId(0), fixed: &fixed };
        let mut observed = vec![0; self.resources.words];
        for expr in &self.visibility.exprs {
            add(&mut observed, &builder.test(expr));
        }
        observed
    }
}

/// The sticky branches of a process type, by location.
fn sticky_branches(facts: &Facts) -> Vec<Vec<bool>> {
    let mut edges = Vec::new();
    for (from, branches) in facts.branches.iter().enumerate() {
        for branch in branches {
            let cost = if branch.visible { 0 } else { 2 - u8::from(branch.access.is_shared()) };
            edges.push(FlowEdge { from, to: branch.target, cost });
        }
    }
    let mut sticky = sticky_edges(facts.branches.len(), &edges).into_iter();
    facts.branches.iter().map(|branches| sticky.by_ref().take(branches.len()).collect()).collect()
}
