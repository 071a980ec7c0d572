//! One component of a space, with the edges that leave it set aside.
//!
//! A search for a cycle inside the component sees only edges that stay in it, those first that lead nearer to the node that
//! the cycle has to return to.

use lurcher_system::Violation;

use crate::space::{ClaimComponent, Expander, NodeInfo, Space};
use crate::store::Partition;

type StepOf<E> = <<E as Expander>::Space as Space>::Step;

/// One component of a space.
pub(super) struct ComponentSpace<'e, E: Expander> {
    pub expander: &'e mut E,
    /// The node where the component was entered.
    entry: Vec<u8>,
    component: u16,
    /// The edges that leave the component from the node that was listed last, with the nodes that they lead to.
    pub leaving: Vec<(StepOf<E>, Vec<u8>)>,
    /// The edges that stay in it, with the estimated distances behind them.
    staying: Vec<(u32, StepOf<E>)>,
    next: Vec<u8>,
}

impl<'e, E: Expander> ComponentSpace<'e, E> {
    pub fn new(expander: &'e mut E) -> Self {
        let (entry, next) = (Vec::new(), Vec::new());
        ComponentSpace { expander, entry, component: 0, leaving: Vec::new(), staying: Vec::new(), next }
    }

    /// Restricts the space to the component of a node, which cycles have to return to.
    pub fn enter(&mut self, entry: &[u8]) {
        self.component = self.expander.graph().component(entry).number;
        self.entry.clear();
        self.entry.extend_from_slice(entry);
        self.expander.aim_at(entry);
    }
}

impl<E: Expander> Space for ComponentSpace<'_, E> {
    type Step = StepOf<E>;

    fn initial(&mut self, node: &mut Vec<u8>) -> Result<(), Violation> {
        self.expander.space().initial(node)
    }

    fn check_node(&mut self, node: &[u8], broken: &mut Vec<u32>) {
        self.expander.space().check_node(node, broken);
    }

    fn steps(&mut self, node: &[u8], steps: &mut Vec<StepOf<E>>) -> NodeInfo {
        let info = self.expander.space().steps(node, steps);
        self.leaving.clear();
        self.staying.clear();
        for step in steps.iter() {
            let violation = self.expander.space().take(node, step, &mut self.next);
            let stays = self.expander.graph().component(&self.next).number == self.component;
            // A violation is reported when the edge is followed.
            match violation {
                Some(_) => self.staying.push((0, *step)),
                None if stays => self.staying.push((self.expander.distance_to_aim(&self.next), *step)),
                None => self.leaving.push((*step, self.next.clone())),
            }
        }
        self.staying.sort_by_key(|(distance, _)| *distance);
        steps.clear();
        steps.extend(self.staying.iter().map(|(_, step)| *step));
        info
    }

    fn take(&mut self, node: &[u8], step: &StepOf<E>, next: &mut Vec<u8>) -> Option<Violation> {
        self.expander.space().take(node, step, next)
    }

    fn chain_length(&self) -> u32 {
        self.expander.graph().chain_length()
    }

    fn counts(&self, node: &[u8]) -> bool {
        self.expander.graph().counts(node)
    }

    fn is_accepting(&mut self, node: &[u8]) -> bool {
        self.expander.space().is_accepting(node)
    }

    fn component(&self, node: &[u8]) -> ClaimComponent {
        self.expander.graph().component(node)
    }

    fn seek(&mut self, seed: Option<&[u8]>) {
        self.expander.aim_at(seed.unwrap_or(&self.entry));
    }

    fn is_root(&self, node: &[u8]) -> bool {
        self.expander.graph().is_root(node)
    }

    fn partition(&self) -> Partition {
        self.expander.partition()
    }

    fn memory(&self) -> u64 {
        self.expander.memory()
    }
}
