//! Edges that every cycle of a control-flow graph passes.
//!
//! A reduced search must not go round and round with some processes while it ignores the others for ever. The
//! processes that move along a cycle of states go round cycles of their control flow, so it is enough to choose edges
//! that cut all of those and to look at every process whenever one of them is taken (Kurshan, Levin, Minea, Peled and
//! Yenigün, *Static partial order reduction*, 1998). This needs no stack and no queue, so every search, on any number
//! of threads, visits the same states.
//!
//! Which edges are chosen decides how much is lost. Those that cannot be left alone anyway cost nothing and are
//! taken first; then those that other processes can meet, because a step there seldom suffices; and among equals
//! the edge that leaves the fewest cycles.

/// An edge of a graph.
#[derive(Clone, Copy, Debug)]
pub(super) struct FlowEdge {
    pub from: usize,
    pub to: usize,
    /// What it costs to look at every process when this edge is taken; 0 is nothing.
    pub cost: u8,
}

/// Graphs with more edges on cycles than this are cut where a depth-first search meets its stack.
const LARGE: usize = 300;

/// Chooses edges so that the others form no cycle.
pub(super) fn cuts(locations: usize, edges: &[FlowEdge]) -> Vec<bool> {
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

/// The edges that lie on cycles: those inside strongly connected components.
fn on_cycles(locations: usize, edges: &[FlowEdge], cut: &[bool]) -> Vec<usize> {
    let component = components(locations, edges, cut);
    let inside = |&i: &usize| !cut[i] && component[edges[i].from] == component[edges[i].to];
    (0..edges.len()).filter(inside).collect()
}

/// Tarjan's algorithm without recursion: the number of each location's strongly connected component. An edge from a
/// location to itself lies inside its component as well.
fn components(locations: usize, edges: &[FlowEdge], cut: &[bool]) -> Vec<usize> {
    let mut outgoing = vec![Vec::new(); locations];
    for (edge, _) in edges.iter().zip(cut).filter(|(_, cut)| !**cut) {
        outgoing[edge.from].push(edge.to);
    }
    const NONE: usize = usize::MAX;
    let (mut index, mut low, mut component) = (vec![NONE; locations], vec![0; locations], vec![NONE; locations]);
    let (mut open, mut count, mut found) = (Vec::new(), 0, 0);
    for start in 0..locations {
        if index[start] != NONE {
            continue;
        }
        let mut path = vec![(start, 0)];
        while let Some(&mut (at, ref mut next)) = path.last_mut() {
            if *next == 0 && index[at] == NONE {
                (index[at], low[at]) = (count, count);
                count += 1;
                open.push(at);
            }
            if let Some(&to) = outgoing[at].get(*next) {
                *next += 1;
                if index[to] == NONE {
                    path.push((to, 0));
                } else if component[to] == NONE {
                    low[at] = low[at].min(index[to]);
                }
                continue;
            }
            path.pop();
            if let Some(&(before, _)) = path.last() {
                low[before] = low[before].min(low[at]);
            }
            if low[at] == index[at] {
                while let Some(member) = open.pop() {
                    component[member] = found;
                    if member == at {
                        break;
                    }
                }
                found += 1;
            }
        }
    }
    component
}

/// Cuts the edges that lead back to the stack of a depth-first search.
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
        assert_eq!(cuts(4, &edges), [false, true, false, true, false]);
    }

    #[test]
    fn one_edge_that_all_cycles_pass_is_enough() {
        let edges = [edge(0, 1, 1), edge(0, 2, 1), edge(1, 3, 1), edge(2, 3, 1), edge(3, 0, 1)];
        assert_eq!(cuts(4, &edges), [false, false, false, false, true]);
    }

    #[test]
    fn cheap_edges_are_preferred() {
        let edges = [edge(0, 1, 2), edge(1, 2, 1), edge(2, 0, 2)];
        assert_eq!(cuts(3, &edges), [false, true, false]);
    }

    #[test]
    fn large_graphs_are_cut_too() {
        let n = 400;
        let edges: Vec<FlowEdge> = (0..n).flat_map(|i| [edge(i, (i + 1) % n, 1), edge(i, (i + 7) % n, 1)]).collect();
        let cut = cuts(n, &edges);
        assert!(on_cycles(n, &edges, &cut).is_empty());
        assert!(cut.iter().any(|c| !c));
    }
}
