use lurcher_ir::analysis::partition_globals;

use super::model;

/// Where the globals of a model are cut.
fn cuts(text: &str) -> Vec<u32> {
    partition_globals(&model(text), |_| false, 40)
}

#[test]
fn arrays_are_cut_into_elements_whose_indices_are_known() {
    let known = "byte a[8]; active [8] proctype P() { a[_pid] = 1 }";
    assert_eq!(cuts(known), [1, 2, 3, 4, 5, 6, 7]);
    let through = "active proctype Q() { byte k; d_step { do :: k < 8 -> a[k] = 0; k++ :: else -> break od } }";
    assert_eq!(cuts(&format!("{known} {through}")), [] as [u32; 0], "somebody sees all of a long array");
    let few = format!("{known} {through}").replace('8', "3");
    assert_eq!(cuts(&few), [1, 2], "few elements are cut apart all the same");
}

#[test]
fn fields_of_an_element_stay_together() {
    let text = "typedef T { byte x; byte y; byte z }; T t[3];
        active [3] proctype P() { t[_pid].x = 1; t[_pid].z = t[_pid].y }";
    assert_eq!(cuts(text), [3, 6]);
}

#[test]
fn values_are_cut_between_those_who_use_them() {
    let text = "byte a, b, c, d;
        active proctype P() { d_step { a = 1; b = 1 }; c = a + b }
        active proctype Q() { d = 1 }";
    assert_eq!(cuts(text), [2, 3]);
    assert_eq!(partition_globals(&model(text), |_| false, 2), [2], "no more pieces than asked for");
}
