//! Limits stop an operation with a reason, and reordering changes no function.

use std::time::{Duration, Instant};

use lurcher_search::{Budget, StopReason};
use lurcher_symbolic::{Bdd, BddResult, Kernel};

/// `x1 y1 | x2 y2 | ...` with all x before all y: a BDD of more than 2^pairs nodes.
fn scattered(k: &Kernel, pairs: u32) -> BddResult<Bdd> {
    let mut any = k.constant(false);
    for i in 0..pairs {
        let both = k.and(k.bit(i), k.bit(pairs + i))?;
        any = k.or(&any, &both)?;
    }
    Ok(any)
}

#[test]
fn a_full_table_is_a_reason_to_stop() {
    let budget = Budget::default().with_memory(Some(4 << 20));
    let k = Kernel::new(60, &budget).unwrap();
    assert_eq!(scattered(&k, 30).err(), Some(StopReason::Memory));
    // Small things can still be made.
    assert!(scattered(&k, 8).is_ok());
}

#[test]
fn time_and_interrupts_are_checked() {
    let late = Budget::default().until(Instant::now() - Duration::from_secs(1));
    assert_eq!(Kernel::new(4, &late).and_then(|k| scattered(&k, 2)).err(), Some(StopReason::Time));
    let stopped = Budget::default();
    stopped.resources.stop.interrupt();
    assert_eq!(Kernel::new(4, &stopped).and_then(|k| scattered(&k, 2)).err(), Some(StopReason::Interrupted));
}

#[test]
fn sifting_finds_a_small_order_and_changes_no_function() {
    let pairs = 10;
    let k = Kernel::new(2 * pairs, &Budget::default().with_memory(Some(256 << 20))).unwrap();
    let f = scattered(&k, pairs).unwrap();
    let before = oxidd::Function::node_count(&f);
    let groups: Vec<Vec<u32>> = (0..2 * pairs).map(|b| vec![b]).collect();
    assert!(k.sift(&groups).unwrap());
    let after = oxidd::Function::node_count(&f);
    assert!(before > 1 << pairs && after < 10 * pairs as usize, "{before} nodes, then {after}");
    assert!(scattered(&k, pairs).unwrap() == f, "the same function is found again");
}

#[test]
fn sifting_is_refused_where_there_is_no_room() {
    let k = Kernel::new(40, &Budget::default().with_memory(Some(4 << 20))).unwrap();
    let f = scattered(&k, 14).unwrap();
    let groups: Vec<Vec<u32>> = (0..40).map(|b| vec![b]).collect();
    assert!(!k.sift(&groups).unwrap());
    assert!(scattered(&k, 14).unwrap() == f);
}
