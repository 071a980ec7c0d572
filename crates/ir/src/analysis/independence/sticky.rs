//! Sticky edges: every cycle of a control-flow graph contains one.
//!
//! A reduced search must not ignore a process for ever. Processes that move along a cycle of states move along cycles of
//! their control flow, so it suffices to choose edges that cut all of those and to expand fully whenever one of them is
//! taken (Kurshan, Levin, Minea, Peled and Yenigün, *Static partial order reduction*, 1998). This needs no search stack,
//! so every search, on any number of threads, visits the same states.
//!
//! The choice is greedy. Visible edges cost nothing; then come edges that access shared resources, which are seldom
//! ample; among equals, the edge that leaves the fewest edges on cycles.

use crate::graph::components;

/// An edge of a graph.
#[derive(Clone, Copy, Debug)]
pub(super) struct FlowEdge {
    pub from: usize,
    pub to: usize,
    /// The cost of full expansion after this edge; 0 is none.
    pub cost: u8,
}

/// In graphs with more edges on cycles, the back edges of a depth-first search are sticky.
const LARGE: usize = 300;

/// Chooses edges such that the others form no cycle.
pub(super) fn sticky_edges(locations: usize, edges: &[FlowEdge]) -> Vec<bool> {
    let mut cut: Vec<bool> = edges.iter().map(|e| e.cost == 0).collect();
    loop {
        let cyclic = on_cycles(locations, edges, &cut);
        if cyclic.is_empty() {
            return cut;
        }
        if cyclic.len() > LARGE {
            back_edges(locations, edges, &mut cut);
            return cut;
        }
        let remaining = |&edge: &usize| {
            let mut without = cut.clone();
            without[edge] = true;
            on_cycles(locations, edges, &without).len()
        };
        let best = cyclic.iter().copied().min_by_key(|e| (edges[*e].cost, remaining(e), *e)).expect("there are some");
        cut[best] = true;
    }
}

/// The edges on cycles: those inside strongly connected components.
fn on_cycles(locations: usize, edges: &[FlowEdge], cut: &[bool]) -> Vec<usize> {
    let mut successors = vec![Vec::new(); locations];
    for (edge, _) in edges.iter().zip(cut).filter(|(_, cut)| !**cut) {
        successors[edge.from].push(edge.to);
    }
    let components = components(&successors);
    let inside = |&i: &usize| !cut[i] && components.inside(edges[i].from, edges[i].to);
    (0..edges.len()).filter(inside).collect()
}

/// Cuts the back edges of a depth-first search.
fn back_edges(locations: usize, edges: &[FlowEdge], cut: &mut [bool]) {
    #[derive(Clone, Copy, PartialEq)]
    enum Colour {
        New,
        Open,
        Done,
    }
    let mut outgoing = vec![Vec::new(); locations];
    for (i, edge) in edges.iter().enumerate().filter(|(i, _)| !cut[*i]) {
        outgoing[edge.from].push(i);
    }
    let mut colour = vec![Colour::New; locations];
    for start in 0..locations {
        if colour[start] != Colour::New {
            continue;
        }
        colour[start] = Colour::Open;
        let mut path = vec![(start, 0)];
        while let Some(&mut (at, ref mut next)) = path.last_mut() {
            let Some(&edge) = outgoing[at].get(*next) else {
                colour[at] = Colour::Done;
                path.pop();
                continue;
            };
            *next += 1;
            match colour[edges[edge].to] {
                Colour::New => {
                    colour[edges[edge].to] = Colour::Open;
                    path.push((edges[edge].to, 0));
                }
                Colour::Open => cut[edge] = true,
                Colour::Done => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(from: usize, to: usize, cost: u8) -> FlowEdge {
        FlowEdge { from, to, cost }
    }

    #[test]
    fn every_cycle_is_cut_and_free_edges_suffice_where_they_can() {
        let edges = [edge(0, 1, 2), edge(1, 2, 0), edge(2, 0, 2), edge(2, 2, 2), edge(2, 3, 2)];
        assert_eq!(sticky_edges(4, &edges), [false, true, false, true, false]);
    }

    #[test]
    fn one_edge_that_all_cycles_pass_is_enough() {
        let edges = [edge(0, 1, 1), edge(0, 2, 1), edge(1, 3, 1), edge(2, 3, 1), edge(3, 0, 1)];
        assert_eq!(sticky_edges(4, &edges), [false, false, false, false, true]);
    }

    #[test]
    fn cheap_edges_are_preferred() {
        let edges = [edge(0, 1, 2), edge(1, 2, 1), edge(2, 0, 2)];
        assert_eq!(sticky_edges(3, &edges), [false, true, false]);
    }

    #[test]
    fn large_graphs_are_cut_too() {
        let n = 400;
        let edges: Vec<FlowEdge> = (0..n).flat_map(|i| [edge(i, (i + 1) % n, 1), edge(i, (i + 7) % n, 1)]).collect();
        let cut = sticky_edges(n, &edges);
        assert!(on_cycles(n, &edges, &cut).is_empty());
        assert!(cut.iter().any(|c| !c));
    }
}
