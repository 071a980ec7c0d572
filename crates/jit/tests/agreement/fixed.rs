//! Small programs, each for one feature.

use lurcher_jit::{Budget, Compiled, NotCompiled};
use lurcher_test_support::promela;

use super::compare::{Bounds, Outcome, compare};

fn agrees(text: &str) {
    let model = promela("test.pml", text.to_owned(), &[]).expect("a model");
    for loss in [false, true] {
        match compare(&model, loss, Bounds { states: 3000, walks: 20, depth: 300 }) {
            Outcome::Agree(tally) => assert!(tally.moves > 0, "nothing to compare"),
            Outcome::NotCompiled(reason) => panic!("{reason}"),
            Outcome::Differ(difference) => panic!("{difference}"),
        }
    }
}

#[test]
fn arithmetic_wraps_and_the_smallest_number_can_be_divided() {
    agrees(
        "int a = -2147483647, b, c; short s; byte y; bit t; unsigned u : 5;
         active proctype P() {
            a = a - 1; b = -1; c = a / b; c = a % b; c = a * a; c = a << 33; c = a >> 31; c = ~a;
            s = 40000; y = 300; t = 3; u = 77; s = s - 1; y = -1; c = (s > 0 -> y : u); c = a / -1; c = a % -1; c = -a
         }",
    );
}

#[test]
fn faults_in_guards_and_statements_are_the_same() {
    agrees(
        "byte x[3]; byte i = 2; int z; chan c; chan d = [1] of { byte, byte };
         active proctype P() {
            do :: i < 5 -> i++ :: x[i] == 0 -> x[i] = 1 :: 10 / z > 1 -> skip :: z = 7 % (i - 3) :: c?i :: d!1(2) :: d?1(3)
               :: d?i :: len(c) > 0 -> skip :: assert(x[i] < 1) :: else -> break od
         }",
    );
}

#[test]
fn three_exclusive_guards_are_tried_in_the_same_order() {
    agrees(
        "byte a = 1, b = 3, k; byte x[3]; int z;
         active [2] proctype P() {
            do
            :: a = (a + 1) % 5;
               if :: a > b -> k = 1 :: a < b -> k = 2 :: a == b -> k = 3 fi;
               if :: a >= b -> b = (b + 1) % 5 :: a < b -> skip :: else -> k = 9 fi
            :: b = (b + 2) % 5;
               if :: k == 1 -> z++ :: k == 2 -> z-- :: else -> z = z * 3 fi;
               if :: k == 1 -> k = 2 :: k == 2 -> k = 3 :: k == 3 -> k = 1 fi
            :: x[a] == 0 -> if :: x[a] < x[b] -> k = 4 :: x[a] > x[b] -> k = 5 :: else -> x[b % 3] = a fi
            :: k == 9 -> break
            od
         }",
    );
}

#[test]
fn a_process_that_runs_another_inside_an_atomic_sequence_keeps_control() {
    agrees(
        "byte n; chan c = [1] of { byte };
         proctype R(byte i, j; chan out) { out!i; n = n + j }
         init { byte i; atomic { for (i : 1 .. 3) { run R(i, 4 - i, c); c?_ } }; n == 6 }",
    );
}

#[test]
fn messages_are_matched_sorted_copied_and_taken_from_any_place() {
    agrees(
        "mtype = { one, two }; chan c = [3] of { mtype, short, bit }; chan e = [2] of { byte }; short v; bit w; mtype m;
         active proctype P() { do :: c!one(5, 1) :: c!!two(3, 0) :: c!!one(-1, 1) :: e!7 :: e!!3 od }
         active proctype Q() {
            do :: c??two(v, w) :: c?one(eval(v), w) :: c?<m, v, w> :: c??[two(3, 0)] -> v = len(c) :: e?_
               :: full(e) -> v = 1 :: nempty(c) -> v = 2 :: c??<one(v, 1)> od
         }",
    );
}

#[test]
fn rendezvous_find_every_partner_and_channels_are_passed_on() {
    agrees(
        "chan a = [0] of { byte, chan }; chan b = [0] of { byte }; chan q = [1] of { byte }; byte n;
         proctype R(chan mine; byte k) { byte x; chan y; do :: a?x, y -> if :: y!k :: skip fi :: mine?eval(k) -> n++ od }
         init { chan own = [1] of { byte }; atomic { run R(b, 1); run R(q, 2); run R(own, 1) };
            do :: a!1, b :: b!1 :: b!2 :: q!2 :: own!1 :: a!3, q :: b?n :: n > 3 -> break od }",
    );
}

#[test]
fn atomic_chains_pass_on_block_and_end() {
    agrees(
        "chan c = [0] of { byte }; byte x, y; bool go;
         active proctype A() { atomic { x = 1; y = 1; go; x = 2; c!1; x = 3 }; atomic { x = 0; do :: x < 2 -> x++ :: else -> break od } }
         active proctype B() { byte z; do :: atomic { c?z -> y = 2; go = false } :: go = true :: go && y == 2 -> break od }",
    );
}

#[test]
fn escapes_preempt_the_branches_of_other_groups() {
    agrees(
        "byte x; chan c = [0] of { byte }; bool stop;
         active proctype A() { { do :: x++ :: c!x :: x > 3 -> x = 0 od } unless { if :: stop -> x = 9 :: c?x fi } ; { x = 1; x = 2 } unless { x == 9 } }
         active proctype B() { byte y; do :: stop = true :: c?y :: c!1 :: else -> skip od }",
    );
}

#[test]
fn d_steps_choose_loop_and_block() {
    agrees(
        "byte a[4]; byte i, r; chan c = [1] of { byte }; chan z = [0] of { byte };
         active proctype P() { byte k;
            do :: d_step { k = 0; do :: k < 4 -> a[k] = k * i; k++ :: else -> break od; i++ }
               :: d_step { c?r; r = r + 1 } :: c!i :: d_step { i > 5 -> i = 0; if :: a[1] > 3 -> r = 1 fi }
               :: d_step { r = 2; assert(i < 4); r = 10 / i } :: d_step { z?k; r = k } :: d_step { i == 3 -> z!1 } od }
         active proctype Q() { do :: z!4 :: z?_ od }",
    );
}

#[test]
fn processes_come_and_go_in_order() {
    agrees(
        "byte n; int last; proctype C(byte k; short s) { chan mine = [1] of { byte }; mine!k; n = n + s; mine?last }
         init { do :: _nr_pr < 5 -> last = run C(n, -1) + 1 :: (run C(1, 2)) :: n > 20 -> n = 0 :: timeout -> break od }",
    );
}

#[test]
fn remote_references_end_states_and_last_agree() {
    agrees(
        "byte g; active [2] proctype P() { byte v; do :: v < 3 -> v++; l: g = P[1 - _pid]:v :: g == 2 && P[0]@l -> v = 0 :: v == 3 -> break od; end: g == 9 }
         active proctype W() { do :: _last == 0 -> g = 0 :: pc_value(0) > 3 -> g = pc_value(1) :: enabled(0) && !enabled(1) -> g = 3 od }
         ltl p { [] (P[0]@l -> P[1]:v < 3) }",
    );
}

#[test]
fn provided_clauses_and_priorities_hold_processes_back() {
    agrees(
        "byte t; active [2] proctype P() provided (t == _pid) { do :: t = 1 - t :: skip od }
         active proctype Q() provided (5 / t > 1) { do :: t = 0 :: t = 3 od }",
    );
    agrees(
        "byte t; active proctype H() priority 5 { do :: t < 3 -> t++ :: t == 3 -> set_priority(_pid, 1) od }
         active proctype L() priority 2 { do :: t = 0 :: t > 1 -> set_priority(0, get_priority(0) + 4) od }",
    );
}

#[test]
fn deterministic_processes_and_event_traces_are_checked() {
    agrees("byte x; active D_proctype P() { do :: x < 3 -> x++ :: x > 1 -> x-- :: else -> x = 0 od }");
    agrees(
        "mtype = { a, b }; chan c = [1] of { mtype }; chan d = [0] of { byte };
         trace { do :: c!a; c?a :: d!1; d?1 od }
         active proctype P() { do :: c!a :: c!b :: d!1 :: d!2 od } active proctype Q() { byte k; mtype m; do :: c?m :: d?k od }",
    );
}

#[test]
fn many_branches_are_drawn_from_memory() {
    let branches: String = (0..20).map(|i| format!(":: x % {} == {} -> x = x * 3 + {i}\n", i + 2, i % 3)).collect();
    agrees(&format!("short x; active [2] proctype P() {{ do {branches} :: else -> x = 1 od }}"));
}

#[test]
fn many_processes_are_drawn_from_memory_while_their_number_changes() {
    agrees(
        "byte n; chan c = [2] of { byte };
         proctype P(byte me) { do :: atomic { c?eval(me % 3) -> n = me; n > 9; c!1 } :: c!(me % 3) :: n == me -> break od }
         active [14] proctype Q() { byte k; do :: k < 2 -> atomic { k++; run P(k + _pid) } :: n > 3 && n % 2 -> n-- od }",
    );
}

#[test]
fn steps_of_a_large_model_are_functions() {
    let line = |i: u32| format!("if :: x > {i} -> x = x - {i} :: x < {i} -> x = x + 2 :: c!x :: c?x :: skip fi;\n");
    let lines: String = (0..100).map(line).collect();
    agrees(&format!("short x; chan c = [1] of {{ short }}; active [3] proctype P() {{ {lines} }}"));
}

#[test]
fn pairs_of_branches_are_chosen_with_and_without_faults() {
    agrees(
        "byte x[3]; byte i; short z; chan c = [1] of { byte, byte }; chan d = [0] of { byte };
         active [2] proctype P() {
            do
            :: if :: i < 2 -> i++ :: i > 0 -> i-- fi
            :: if :: i < 3 :: else -> i = 0 fi
            :: if :: x[i] == 0 -> x[i] = 1 :: z / i > 1 -> z = 0 fi
            :: if :: c?1, i :: c?2, _ fi
            :: if :: c!1(i) :: c!2(i) fi
            :: if :: nfull(c) && i < 2 -> c!1(1) :: i == 2 || len(c) == 1 -> z++ fi
            :: if :: d!1 :: z > 3 -> z = 0 fi
            :: if :: d?i :: timeout -> i = 3 fi
            :: if :: d_step { i > 1 -> i = 1 } :: d_step { else -> z = z + i } fi
            od
         }",
    );
}

#[test]
fn a_model_larger_than_the_budget_is_refused_with_a_reason() {
    let model = promela("test.pml", "byte x; active proctype P() { x = 1; x = 2 }".to_owned(), &[]).expect("a model");
    let budget = Budget { instructions: 10, ..Budget::default() };
    let limits = lurcher_system::Limits::for_model(&model);
    let refused = Compiled::watching(&model, limits, Vec::new(), budget).err();
    assert_eq!(refused, Some(NotCompiled::Instructions(10)));
}
