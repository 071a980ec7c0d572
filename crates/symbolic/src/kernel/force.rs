//! FORCE (Aloul, Markov and Sakallah 2003): a static variable order that places connected variables close together.
//!
//! Each round moves every vertex to the mean of the centres of gravity of its hyperedges. The cost of an order is its
//! total *span*: the sum over all edges of the distance between their first and last vertex. The best order seen is
//! kept, so the result is never worse than the order of declaration.

/// Rounds without improvement before the search stops.
const PATIENCE: u32 = 20;

/// The total span of an order; `places` holds the position of each vertex.
fn span(edges: &[Vec<usize>], places: &[usize]) -> u64 {
    let width = |edge: &Vec<usize>| {
        let places = edge.iter().map(|&v| places[v]);
        places.clone().max().unwrap_or(0) - places.min().unwrap_or(0)
    };
    edges.iter().map(|e| width(e) as u64).sum()
}

/// The vertices of a hypergraph in the best order found. A hyperedge is a list of vertices.
pub(crate) fn force_order(vertices: usize, edges: &[Vec<usize>]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..vertices).collect();
    let mut best = (span(edges, &places), places.clone());
    let mut waited = 0;
    while waited < PATIENCE {
        places = round(edges, &places);
        let now = span(edges, &places);
        waited += 1;
        if now < best.0 {
            best = (now, places.clone());
            waited = 0;
        }
    }
    let mut order: Vec<usize> = (0..vertices).collect();
    order.sort_unstable_by_key(|&v| best.1[v]);
    order
}

/// One round: the new position of each vertex.
fn round(edges: &[Vec<usize>], places: &[usize]) -> Vec<usize> {
    // Sum and number of the centres of gravity of each vertex's edges.
    let mut pulls = vec![(0.0, 0u32); places.len()];
    for edge in edges.iter().filter(|e| !e.is_empty()) {
        let mean = edge.iter().map(|&v| places[v] as f64).sum::<f64>() / edge.len() as f64;
        for &v in edge {
            pulls[v].0 += mean;
            pulls[v].1 += 1;
        }
    }
    let pulled = |v: usize| match pulls[v] {
        (_, 0) => places[v] as f64,
        (sum, count) => sum / f64::from(count),
    };
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by(|&a, &b| pulled(a).total_cmp(&pulled(b)).then(places[a].cmp(&places[b])));
    let mut moved = vec![0; places.len()];
    order.iter().enumerate().for_each(|(place, &v)| moved[v] = place);
    moved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scrambled_path_is_put_in_line() {
        // The path 0 - 5 - 3 - 1 - 4 - 2.
        let edges: Vec<Vec<usize>> = [0, 5, 3, 1, 4, 2].windows(2).map(<[usize]>::to_vec).collect();
        let order = force_order(6, &edges);
        let mut places = vec![0; 6];
        order.iter().enumerate().for_each(|(place, &v)| places[v] = place);
        assert!(span(&edges, &places) <= 7, "{order:?}");
    }

    #[test]
    fn an_order_that_is_given_is_never_made_worse() {
        let edges = vec![vec![0, 1, 2], vec![2, 3], vec![3, 4, 5], vec![]];
        let order = force_order(6, &edges);
        assert_eq!(order, [0, 1, 2, 3, 4, 5]);
    }
}
