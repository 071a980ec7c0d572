use lurcher_ir::analysis::partition_globals;

use super::model;

/// The boundaries of the partition of the globals.
fn boundaries(text: &str) -> Vec<u32> {
    partition_globals(&model(text), |_| false, 40)
}

#[test]
fn arrays_with_known_indices_are_partitioned_into_elements() {
    let known = "byte a[8]; active [8] proctype P() { a[_pid] = 1 }";
    assert_eq!(boundaries(known), [1, 2, 3, 4, 5, 6, 7]);
    let through = "active proctype Q() { byte k; d_step { do :: k < 8 -> a[k] = 0; k++ :: else -> break od } }";
    assert_eq!(boundaries(&format!("{known} {through}")), [] as [u32; 0], "a process accesses all of a long array");
    let few = format!("{known} {through}").replace('8', "3");
    assert_eq!(boundaries(&few), [1, 2], "small arrays are always partitioned");
}

#[test]
fn fields_of_an_element_stay_together() {
    let text = "typedef T { byte x; byte y; byte z }; T t[3];
        active [3] proctype P() { t[_pid].x = 1; t[_pid].z = t[_pid].y }";
    assert_eq!(boundaries(text), [3, 6]);
}

#[test]
fn values_used_at_different_locations_are_separated() {
    let text = "byte a, b, c, d;
        active proctype P() { d_step { a = 1; b = 1 }; c = a + b }
        active proctype Q() { d = 1 }";
    assert_eq!(boundaries(text), [2, 3]);
    assert_eq!(partition_globals(&model(text), |_| false, 2), [2], "at most as many boundaries as requested");
}
