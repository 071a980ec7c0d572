//! Strongly connected components, by Tarjan's algorithm with a stack of its own.

/// The number of each node's component.
pub(crate) fn components(targets: &[Vec<u32>]) -> Vec<u32> {
    const NEW: u32 = u32::MAX;
    let count = targets.len();
    let (mut index, mut low) = (vec![NEW; count], vec![0u32; count]);
    let mut component = vec![NEW; count];
    let (mut order, mut components) = (0, 0);
    let mut open: Vec<u32> = Vec::new();
    for root in 0..count as u32 {
        if index[root as usize] != NEW {
            continue;
        }
        let mut calls: Vec<(u32, usize)> = vec![(root, 0)];
        while let Some((node, edge)) = calls.pop() {
            let at = node as usize;
            if edge == 0 {
                (index[at], low[at]) = (order, order);
                order += 1;
                open.push(node);
            } else {
                let child = targets[at][edge - 1] as usize;
                low[at] = low[at].min(low[child]);
            }
            let mut edge = edge;
            let mut descended = false;
            while let Some(&child) = targets[at].get(edge) {
                edge += 1;
                let below = child as usize;
                if index[below] == NEW {
                    calls.push((node, edge));
                    calls.push((child, 0));
                    descended = true;
                    break;
                }
                if component[below] == NEW {
                    low[at] = low[at].min(index[below]);
                }
            }
            if !descended && low[at] == index[at] {
                while let Some(member) = open.pop() {
                    component[member as usize] = components;
                    if member == node {
                        break;
                    }
                }
                components += 1;
            }
        }
    }
    component
}

#[cfg(test)]
mod tests {
    use super::components;

    #[test]
    fn nodes_are_together_when_each_reaches_the_other() {
        let found = components(&[vec![1], vec![2], vec![0, 3], vec![4], vec![3, 5], vec![], vec![0]]);
        assert_eq!(found[0], found[1]);
        assert_eq!(found[1], found[2]);
        assert_eq!(found[3], found[4]);
        assert_ne!(found[2], found[3]);
        assert_ne!(found[4], found[5]);
        assert_ne!(found[6], found[0]);
    }
}
