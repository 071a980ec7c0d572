//! Breadth-first search, which remembers what processes did and keeps no states inside `atomic`, stores the states that a
//! depth-first search stores, step by step.

use lurcher_engines::{Engine, Exec, Job, LoadOptions, Report, load_text, safety};
use lurcher_search::{Budget, Storage};

fn search(text: &str, engine: Engine, exec: Exec, jobs: usize) -> Report {
    let loaded = load_text("model.pml", text.to_owned(), &LoadOptions::default()).expect("a valid model");
    let budget = Budget { all_errors: true, ..Budget::default() };
    let job = Job {
        engine,
        exec,
        jobs,
        storage: Storage::Exact,
        budget,
        fair: false,
        message_loss: false,
        reduce: false,
        minimise: None,
    };
    job.check(loaded.model(), &loaded.sources, &safety(), &mut ()).expect("every trace is confirmed")
}

/// The stored states, by every way of searching.
fn stored(text: &str) -> u64 {
    let expected = search(text, Engine::Dfs, Exec::Interp, 1);
    for (exec, jobs) in [(Exec::Interp, 1), (Exec::Jit, 1), (Exec::Jit, 3)] {
        let found = search(text, Engine::Bfs, exec, jobs);
        assert_eq!((found.verdict, found.stats.stored), (expected.verdict, expected.stats.stored), "{jobs} threads");
    }
    expected.stats.stored
}

#[test]
fn processes_that_come_in_any_order_are_told_apart() {
    // Ten processes of two types, of different size: a thousand ways to cut a state.
    let text = "byte g;
        proctype A() { byte a; g = (g + 1) % 3; a = g }
        proctype B() { short b; g = (g + 2) % 3; b = g }
        init { byte i; do :: i < 10 -> i++; if :: run A() :: run B() fi :: else -> break od }";
    // All of them at once are too many states: they wait for a turn that never comes.
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
    // Many choices inside `atomic`, some of which somebody else has to make possible, or answer.
    let choices = "byte a[3]; chan q = [1] of { byte }; chan r = [0] of { byte };
        proctype P(byte i) { byte x; do
            :: atomic { select (x : 0 .. 2); if :: x > 0 -> a[i] = (a[i] + x) % 3 :: x == 0 -> q!i; a[2 - i] = 1 :: x == 2 -> r!i fi; x = 0 }
            :: a[i] == 2 -> a[i] = 0 od }
        active proctype Q() { byte y; do :: q?y :: r?y; y = 0 :: atomic { r?y; if :: y = 1 :: a[y] == 1 -> y = 0 fi } od }
        init { atomic { run P(0); run P(1) } }";
    assert!(stored(choices) > 100);
}

#[test]
fn large_frames_and_channels_in_messages_are_seen_whole() {
    let large = "byte g[60]; active [2] proctype P() { byte a[70]; byte i;
        do :: i < 5 -> a[i * 13] = g[i * 11] + 1; g[(4 - i) * 14] = a[i * 13]; i++ :: i == 5 -> break od }";
    assert!(stored(large) > 30);
    let passed = "chan q = [1] of { chan }; chan r[2] = [1] of { byte };
        active proctype P() { do :: q!r[0] :: q!r[1] od }
        active [2] proctype Q() { chan c; byte x; do :: q?c; c!1; if :: c?x :: skip fi od }";
    assert!(stored(passed) > 20);
}

#[test]
fn elements_that_an_index_selects_are_seen_though_it_changes_on_the_way() {
    // The index comes with the message, changes inside `atomic` or `d_step`, or depends on what another process stores.
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
fn senders_by_rendezvous_see_who_listens_and_what_it_takes() {
    // What is received goes to globals, also where another value says to; what is asked for is a global.
    let stored_where = "byte a[3]; byte at; chan q = [0] of { byte };
        active proctype P() { byte x; do :: q!x :: x = (x + 1) % 3 od }
        active proctype Q() { do :: q?a[at] :: q?eval(at) :: at = (at + a[at]) % 3 :: at == 2 -> q?at od }";
    assert!(stored(stored_where) > 50);
    // Who listens goes on inside `atomic` or `d_step`, and sees more there; or may not run. What it sees is an element of
    // an array, which stands apart from what the sender sees.
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
    // Senders inside `atomic`, some of whom cannot go on.
    let inside = "byte n; chan q = [0] of { byte };
        active [2] proctype P() { byte x; do :: atomic { x = (x + 1) % 3; q!x; n = (n + x) % 4 } od }
        active proctype Q() { byte y; do :: n != 2 -> q?y; y = 0 :: n == 2 -> n = y od }";
    assert!(stored(inside) > 20);
}

#[test]
fn listeners_come_and_go_in_each_other_s_places() {
    // Of equal size: the place of one who listens is taken by one who does not.
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
fn whoever_waits_for_nothing_else_to_move_moves_then() {
    let last = "byte g; chan q = [1] of { byte };
        active [2] proctype P() { byte x; do :: g < 3 -> g++ :: q!x :: q?x; g = 0 :: g == 3 && full(q) -> x = 1; break od }
        active proctype Q() { do :: timeout -> g = 0 :: g == 2 -> g = 4 :: atomic { g == 1; timeout; g = 0 } od }
        init { _nr_pr == 2 -> g = 1 }";
    assert!(stored(last) > 20);
}

#[test]
fn globals_are_cut_between_those_who_use_them() {
    // Somebody looks through an array whose elements others know; fields of an element; values that only some use.
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
    // One of six has been found small and is not yet larger, or none is.
    assert_eq!(stored(&wide), 3u64.pow(6) + 6 * 2 * 3u64.pow(5));
}
