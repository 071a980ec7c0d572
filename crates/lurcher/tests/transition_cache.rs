//! Breadth-first search, which caches transitions and stores no states inside `atomic`, stores the same states as a
//! depth-first search.

mod support;

use support::{Setup, promela, safety};

/// The stored states, by depth-first search and by breadth-first search with interpreter, native code and threads.
fn stored(text: &str) -> u64 {
    let model = promela(text);
    let expected = Setup::verify("dfs", "all-errors exec=interp").report(&model, &safety());
    let search = Setup::verify("bfs", "all-errors");
    for setup in [search.clone().with("exec=interp"), search.clone(), search.on(3)] {
        let found = setup.report(&model, &safety());
        let who = format!("{} on {} threads", setup.options, setup.jobs);
        assert_eq!((found.verdict, found.stats.stored), (expected.verdict, expected.stats.stored), "{who}");
    }
    expected.stats.stored
}

#[test]
fn processes_created_in_any_order_have_cache_entries_of_their_own() {
    // Ten processes of two types and sizes: a thousand partitions of the state vector.
    let text = "byte g;
        proctype A() { byte a; g = (g + 1) % 3; a = g }
        proctype B() { short b; g = (g + 2) % 3; b = g }
        init { byte i; do :: i < 10 -> i++; if :: run A() :: run B() fi :: else -> break od }";
    // Running all of them gives too many states, so they block.
    let waiting = text.replace("g = (g +", "g == 9; g = (g +");
    assert!(stored(&waiting) > 1 << 11);
    assert!(stored(&text.replace("i < 10", "i < 4")) > 1000);
}

#[test]
fn long_chains_and_loops_inside_atomic_end() {
    let long = "byte g; active [2] proctype P() { byte i; atomic { do :: i < 100 -> i++ :: i >= 100 -> break od; g++ }; i = 0 }";
    assert!(stored(long) > 5);
    let round =
        "bit x; byte g; active proctype P() { atomic { do :: x = 1 - x od } } active proctype Q() { g = 1; g = 2 }";
    assert!(stored(round) > 2);
    let choice = "byte g; active [3] proctype P() { do :: atomic { if :: g = 1 :: g = 2 fi; if :: g == 1 -> g = 3 :: g == 2 fi } od }";
    assert!(stored(choice) > 2);
    // Many choices inside `atomic`, some of which another process has to enable or answer.
    let choices = "byte a[3]; chan q = [1] of { byte }; chan r = [0] of { byte };
        proctype P(byte i) { byte x; do
            :: atomic { select (x : 0 .. 2); if :: x > 0 -> a[i] = (a[i] + x) % 3 :: x == 0 -> q!i; a[2 - i] = 1 :: x == 2 -> r!i fi; x = 0 }
            :: a[i] == 2 -> a[i] = 0 od }
        active proctype Q() { byte y; do :: q?y :: r?y; y = 0 :: atomic { r?y; if :: y = 1 :: a[y] == 1 -> y = 0 fi } od }
        init { atomic { run P(0); run P(1) } }";
    assert!(stored(choices) > 100);
}

#[test]
fn large_frames_and_channels_in_messages_are_part_of_the_footprint() {
    let large = "byte g[60]; active [2] proctype P() { byte a[70]; byte i;
        do :: i < 5 -> a[i * 13] = g[i * 11] + 1; g[(4 - i) * 14] = a[i * 13]; i++ :: i == 5 -> break od }";
    assert!(stored(large) > 30);
    let passed = "chan q = [1] of { chan }; chan r[2] = [1] of { byte };
        active proctype P() { do :: q!r[0] :: q!r[1] od }
        active [2] proctype Q() { chan c; byte x; do :: q?c; c!1; if :: c?x :: skip fi od }";
    assert!(stored(passed) > 20);
}

#[test]
fn elements_selected_by_an_index_that_changes_are_part_of_the_footprint() {
    // The index arrives in a message, changes inside `atomic` or `d_step`, or is written by another process.
    let received = "byte a[4]; chan q = [1] of { byte, byte };
        active proctype P() { byte i; do :: select (i : 0 .. 3); q!i,(a[i] + 1) % 3 od }
        active proctype Q() { byte j; do :: q?j,a[j]; a[3 - j] = 2 - a[j] od }";
    assert!(stored(received) > 100);
    let moving = "byte a[4]; active [2] proctype P() { byte i;
        do :: atomic { i = (i + 1) % 4; a[i] = (a[i] + 1) % 3; i = (i + _pid) % 4; a[i] = 2 - a[i] }
           :: d_step { a[i] = (a[i] + 2) % 3; i = 3 - i; a[i] = 0 } od }";
    assert!(stored(moving) > 100);
    let given = "byte a[4]; byte at; active proctype P() { do :: at = (at + 1) % 4 od }
        active [2] proctype Q() { do :: a[at] = (a[at] + 1) % 3 :: atomic { a[at] == 2; a[(at + 1) % 4] = 1 } od }";
    assert!(stored(given) > 100);
    let nested = "typedef R { byte f[3] }; R r[3]; byte n; active [2] proctype P() { byte i, j;
        do :: i = (i + 1) % 3 :: j = (j + 1) % 3 :: r[i].f[j] < 2 -> r[i].f[j]++; n = r[j].f[i] :: r[n].f[n] = 0 od }";
    assert!(stored(&nested.replace("[2] proctype", "proctype")) > 100);
    let beyond = "byte a[3]; active [2] proctype P() { byte i; do :: a[i] = 1 - a[i] :: i = (i + 1) % 4 od }";
    assert!(stored(beyond) > 10);
}

#[test]
fn rendezvous_sends_depend_on_the_receivers_and_their_footprints() {
    // Messages are received into globals, also indexed ones; `eval` reads a global.
    let stored_where = "byte a[3]; byte at; chan q = [0] of { byte };
        active proctype P() { byte x; do :: q!x :: x = (x + 1) % 3 od }
        active proctype Q() { do :: q?a[at] :: q?eval(at) :: at = (at + a[at]) % 3 :: at == 2 -> q?at od }";
    assert!(stored(stored_where) > 50);
    // The receiver continues inside `atomic` or `d_step` and reads more there, or is disabled. It reads an array element
    // outside the footprint of the sender.
    let rest = "byte g[3]; chan q = [0] of { byte };
        active proctype P() { byte x; do :: q!x; x = (x + 1) % 2 od }
        active proctype R() { byte i; do :: g[i] = 1 - g[i] :: i = (i + 1) % 3 od }";
    let inside = "active proctype Q() { byte y; do :: atomic { q?y; if :: g[1] == 1 -> y = y + 2 :: else fi } od }";
    assert!(stored(&format!("{rest} {inside}")) > 50);
    let at_once = "active proctype Q() { byte y; do :: d_step { q?y; y = y + 2 * g[1] } od }";
    assert!(stored(&format!("{rest} {at_once}")) > 50);
    let provided = "active proctype Q() provided (g[1] == 1) { byte y; q?y; q?y }";
    assert!(stored(&format!("{rest} {provided}")) > 50);
    let counting = "chan r = [2] of { byte }; active proctype Q() { byte y; do :: q?eval(len(r)) :: r!1 :: r?y od }";
    assert!(stored(&format!("{rest} {counting}")) > 50);
    // Senders inside `atomic`, some of which block.
    let inside = "byte n; chan q = [0] of { byte };
        active [2] proctype P() { byte x; do :: atomic { x = (x + 1) % 3; q!x; n = (n + x) % 4 } od }
        active proctype Q() { byte y; do :: n != 2 -> q?y; y = 0 :: n == 2 -> n = y od }";
    assert!(stored(inside) > 20);
}

#[test]
fn receivers_may_be_replaced_by_processes_of_the_same_size() {
    // The frame of a receiver is taken by a process that does not receive.
    let changing = "chan q = [0] of { byte }; chan r = [0] of { byte }; byte n;
        proctype A() { byte x; q?x; n = (n + x) % 3 }
        proctype B() { byte x; r?x; n = (n + 2 * x) % 3 }
        active proctype P() { do :: q!1 od }
        active proctype R() { do :: r!1 od }
        active proctype Q() { do :: _nr_pr < 5 -> if :: run A() :: run B() fi :: _nr_pr == 5 -> n = 0 od }";
    assert!(stored(changing) > 30);
    let passed = "chan q = [0] of { chan }; chan own[2] = [0] of { byte }; byte n;
        active proctype P() { do :: q!own[0] :: q!own[1] od }
        active proctype Q() { chan c; byte x; do :: q?c; if :: c?x -> n = x :: own[0]?x fi od }
        active proctype R() { byte i; do :: own[i]!i + 1 :: i = 1 - i od }";
    assert!(stored(passed) > 20);
}

#[test]
fn timeout_is_enabled_when_no_other_process_can_move() {
    let last = "byte g; chan q = [1] of { byte };
        active [2] proctype P() { byte x; do :: g < 3 -> g++ :: q!x :: q?x; g = 0 :: g == 3 && full(q) -> x = 1; break od }
        active proctype Q() { do :: timeout -> g = 0 :: g == 2 -> g = 4 :: atomic { g == 1; timeout; g = 0 } od }
        init { _nr_pr == 2 -> g = 1 }";
    assert!(stored(last) > 20);
}

#[test]
fn globals_are_partitioned_by_the_processes_that_use_them() {
    // One process scans an array whose elements belong to others; fields of an element; globals that only some use.
    let tasks = "typedef Task { byte left; bool ready }; Task task[3]; byte running = 9; byte a, b, c, d;
        active proctype Pick() { byte k; do
            :: d_step { k = 0; do :: k < 3 && !task[k].ready -> k++ :: else -> break od;
                running = (k < 3 -> k : 9); if :: k < 3 -> a = (a + 1) % 3 :: else fi; k = 0 } od }
        active [3] proctype Job() { byte me; me = _pid - 1; do
            :: atomic { !task[me].ready -> task[me].left = 2; task[me].ready = true }
            :: atomic { running == me && task[me].left > 0 -> task[me].left--; task[me].ready = task[me].left > 0; b = (b + 1) % 2 }
            od }
        active proctype C() { do :: c = (c + 1) % 3; d = (c + d) % 2 :: d == 1 -> b = 0 od }";
    assert!(stored(tasks) > 1000);
    // More values in one step than a process may depend on.
    let names: Vec<String> = (0..30).map(|n| format!("v{n}")).collect();
    let sum: Vec<String> = names.iter().map(|n| format!("{n} = 0")).collect();
    let single: Vec<String> = names[..6].iter().map(|n| format!(":: {n} < 2 -> {n}++")).collect();
    let wide = format!(
        "byte {}; active proctype All() {{ do :: d_step {{ v0 + v1 > 2 -> {} }} od }} active proctype One() {{ do {} od }}",
        names.join(", "),
        sum.join("; "),
        single.join(" ")
    );
    // One of six counters has been reset and is not yet incremented, or none has.
    assert_eq!(stored(&wide), 3u64.pow(6) + 6 * 2 * 3u64.pow(5));
}
