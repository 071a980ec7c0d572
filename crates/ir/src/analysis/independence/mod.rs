//! Which steps of different processes can be taken in either order: the tables of partial-order reduction.
//!
//! A [`Table`] is about one process: what each branch of its control flow touches, and what the process may still
//! touch from each location on, whatever it does. The numbers that never change while it lives are known when
//! the table is made (`fixed.rs`), so the tables of two processes of one type differ: `fork[id]` is another fork. What
//! processes can meet at are bits (`resources.rs`, `touch.rs`); two sets of bits tell in a few instructions whether
//! a step of one process can disturb, or be disturbed by, anything that another one may ever do.
//!
//! What makes this exact enough to be relied on:
//!
//! * An **atomic chain** is one step: a branch into it touches what the whole chain touches. In its middle a send
//!   and a receive on one channel depend on each other, because waiting would end the chain.
//! * `else` reads what the branches beside it read; so does every branch of a location with an escape (`unless`), and of
//!   a process that says it has no choice. Where it then depends on who is ready for a rendezvous, it depends on
//!   everything.
//! * **`timeout`** reads nothing: while some step is possible and stays so, it is false, and where no other step is
//!   possible nothing is left out.
//! * **Creation** and death: whoever may create a process may touch all that the process may. A process that is at its
//!   end waits for the youngest.
//! * **Cycles**: edges that cut every cycle of the control flow (`sticky.rs`) are never taken alone.
//! * What a property can **see** is never changed by a step taken alone.

mod facts;
mod fault;
mod fixed;
mod resources;
mod sticky;
mod table;
mod touch;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use crate::expr::Expr;
use crate::model::{Model, ProcessTypeId};

use self::facts::{Chain, Facts, Lens};
use self::fixed::{Fixed, fixed_globals, fixed_locals};
use self::resources::Resources;
use self::sticky::{FlowEdge, cuts};
use self::touch::Bits;

pub use self::fixed::FixedLocal;
pub use self::table::{Signature, Table};

/// What a property can tell apart.
#[derive(Clone, Debug, Default)]
pub struct Visibility {
    /// The values of these expressions.
    pub exprs: Vec<Expr>,
    /// Whether somebody stands at an accepting location.
    pub accept: bool,
    /// Whether somebody stands at a progress location.
    pub progress: bool,
    /// Whether a statement fails. A search that goes on until everything is executed need not see that.
    pub faults: bool,
    /// Bytes of the globals that are forgotten, because nobody ever asks for them.
    pub unseen: Vec<Range<u32>>,
}

/// What the tables of a model's processes are made from.
#[derive(Clone, Debug)]
pub struct Independence {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    model: Model,
    watch: Visibility,
    message_loss: bool,
    resources: Resources,
    /// What the property reads.
    seen: Bits,
    globals: HashMap<u32, i32>,
    locals: Vec<Vec<FixedLocal>>,
    /// By process type, location and branch: does it cut cycles of the control flow?
    cuts: Vec<Vec<Vec<bool>>>,
    /// By process type: what a process that is created may ever read and write.
    whole: Vec<(Bits, Bits)>,
}

impl Independence {
    /// Prepares the tables of a model: `watch` says what the property sees, and with `message_loss` a full channel
    /// loses messages.
    pub fn new(model: &Model, watch: Visibility, message_loss: bool) -> Independence {
        let resources = Resources::new(model, &watch.exprs, &watch.unseen);
        let nothing = vec![0; resources.words];
        let mut inner = Inner {
            watch,
            message_loss,
            seen: nothing.clone(),
            globals: fixed_globals(model),
            locals: model.process_types.iter().map(fixed_locals).collect(),
            cuts: Vec::new(),
            whole: vec![(nothing.clone(), nothing); model.process_types.len()],
            model: model.clone(),
            resources,
        };
        inner.seen = inner.read_by_property();
        let any: Vec<Facts> = inner.types().map(|ty| inner.facts(ty, None, &[])).collect();
        inner.cuts = any.iter().map(cut).collect();
        let chains: Vec<Vec<Chain>> =
            any.iter().zip(&inner.cuts).map(|(f, c)| f.chains(c, inner.resources.words)).collect();
        // Whoever is created may create others, so what a type may touch is found step by step.
        loop {
            let mut grown = false;
            for (ty, facts) in any.iter().enumerate() {
                let (reads, writes) = facts.futures(&chains[ty], &inner.whole).swap_remove(facts.initial);
                grown |= touch::add(&mut inner.whole[ty].0, &reads) | touch::add(&mut inner.whole[ty].1, &writes);
            }
            if !grown {
                break;
            }
        }
        Independence { inner: Arc::new(inner) }
    }

    /// The variables of a process type that keep their first values.
    pub fn fixed_locals(&self, ty: ProcessTypeId) -> &[FixedLocal] {
        &self.inner.locals[ty.0 as usize]
    }

    /// The table of a process: its number where it is known, and the values of its fixed variables, in order; no
    /// values where they are not known.
    pub fn table(&self, ty: ProcessTypeId, pid: Option<u16>, values: &[i32]) -> Table {
        let inner = &*self.inner;
        let locals: Vec<(u32, i32)> =
            inner.locals[ty.0 as usize].iter().zip(values).map(|(l, &v)| (l.offset, v)).collect();
        let facts = inner.facts(ty, pid, &locals);
        Table::new(&facts, &inner.cuts[ty.0 as usize], &inner.whole, inner.resources.exclusive_words)
    }
}

impl Inner {
    fn types(&self) -> impl Iterator<Item = ProcessTypeId> + use<> {
        (0..self.model.process_types.len()).map(|t| ProcessTypeId(t as u16))
    }

    fn facts(&self, ty: ProcessTypeId, pid: Option<u16>, locals: &[(u32, i32)]) -> Facts {
        let fixed = Fixed { pid, locals, globals: &self.globals };
        let lens = Lens {
            model: &self.model,
            resources: &self.resources,
            watch: &self.watch,
            seen: &self.seen,
            message_loss: self.message_loss,
        };
        lens.facts(ty, &fixed)
    }

    fn read_by_property(&self) -> Bits {
        let fixed = Fixed { pid: None, locals: &[], globals: &self.globals };
        let ty = ProcessTypeId(0);
        let toucher = touch::Toucher {
            model: &self.model,
            resources: &self.resources,
            ty,
            fixed: &fixed,
            message_loss: self.message_loss,
        };
        let mut seen = vec![0; self.resources.words];
        for expr in &self.watch.exprs {
            touch::add(&mut seen, &toucher.test(expr));
        }
        seen
    }
}

/// Chooses the edges of a process type that cut its cycles.
fn cut(facts: &Facts) -> Vec<Vec<bool>> {
    let mut edges = Vec::new();
    for (from, branches) in facts.branches.iter().enumerate() {
        for branch in branches {
            let cost = if branch.visible { 0 } else { 2 - u8::from(branch.touch.meets()) };
            edges.push(FlowEdge { from, to: branch.target, cost });
        }
    }
    let mut cut = cuts(facts.branches.len(), &edges).into_iter();
    facts.branches.iter().map(|branches| cut.by_ref().take(branches.len()).collect()).collect()
}
