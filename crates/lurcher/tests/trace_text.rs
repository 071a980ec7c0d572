//! Traces as people read them.

use lurcher::Model;
use lurcher::formats::{Atomic, Document, Page, StepView};

/// Checks the violation that a complete search of a model finds.
fn with_trace<T>(name: &str, text: &str, see: impl FnOnce(&Document<'_>) -> T) -> T {
    let mut model = Model::from_text(name, text, &Default::default()).expect("a model");
    let mut check = model.verify();
    if name.ends_with(".pml") {
        check = check.engine("bfs").option("reduction", "none");
    }
    let outcome = check.run().expect("an outcome");
    let document = outcome.reports.iter().find_map(|report| Document::of(&model, name, report)).expect("a trace");
    see(&document)
}

fn text(name: &str, model: &str, page: Page) -> String {
    with_trace(name, model, |document| document.text(&page))
}

fn steps(model: &str) -> Vec<StepView> {
    with_trace("x.pml", model, |document| document.steps(None))
}

const CHANNELS: &str = "mtype = { request, answer };
chan q[2] = [2] of { mtype, byte };
chan names = [1] of { chan };
proctype Worker(chan in; chan out) {
  byte v;
  chan mine = [1] of { byte };
  in?request,v;
  atomic { out!answer,v; v = v + 1; names!mine }
}
init {
  chan got;
  atomic { run Worker(q[0], q[1]); run Worker(q[1], q[0]) }
  q[0]!request,3;
  names?got;
  got!5;
  q[1]?answer,_;
  assert(false)
}";

#[test]
fn a_channel_has_the_name_of_its_declaration_everywhere() {
    let text = text("x.pml", CHANNELS, Page::default());
    let lines = |part: &str| text.lines().filter(|l| l.contains(part)).count();
    assert!(text.contains("→ Worker[1] started, Worker[1]:in = q[0], Worker[1]:out = q[1]\n"), "{text}");
    assert!(text.contains("in?request,v (channel q[0])"), "{text}");
    assert!(text.contains("→ q[0] = [], Worker[1]:v = 3\n"), "{text}");
    assert!(text.contains("→ names = [Worker[1]:mine]\n"), "{text}");
    assert!(text.contains("→ names = [], :init:[0]:got = Worker[1]:mine\n"), "{text}");
    assert!(text.contains("got!5 (channel Worker[1]:mine)"), "{text}");
    assert!(text.contains("→ Worker[1]:mine = [5]\n"), "{text}");
    let alike = "chan q = [1] of { byte }; proctype P(chan q1) { q1!1; assert(false) } init { run P(q) }";
    assert!(steps(alike).iter().any(|s| s.action == "q1!1 (channel q)"), "{:?}", steps(alike));
    // Statements that name the channel themselves say it once.
    assert_eq!(lines("q[0]!request,3\n") + lines("(channel q[0])"), 1, "{text}");
}

#[test]
fn an_atomic_sequence_is_bracketed() {
    use Atomic::{First, Inner, Last, Outside};
    let atomic: Vec<Atomic> = steps(CHANNELS).iter().map(|s| s.atomic).collect();
    assert_eq!(atomic[..3], [First, Last, Outside], "{atomic:?}");
    assert!(atomic.windows(3).any(|w| w == [First, Inner, Last]), "{atomic:?}");
    let text = text("x.pml", CHANNELS, Page::default());
    assert!(text.contains("  1 ┌ :init:[0]"), "{text}");
    assert!(text.contains("\n    │ "), "{text}");
    assert!(text.contains("  2 └ :init:[0]"), "{text}");
    assert!(text.contains("(┌│└ is one atomic sequence"), "{text}");
    // A sequence that blocks is interrupted there.
    let blocked = "byte x; active proctype P() { atomic { x = 1; x == 2; x = 3 } assert(false) }
        active proctype Q() { x == 1; x = 2 }";
    let marks: Vec<(String, Atomic)> = steps(blocked).into_iter().map(|s| (s.action, s.atomic)).collect();
    let mark = |action: &str| marks.iter().find(|m| m.0 == action).map(|m| m.1);
    assert_eq!(
        [mark("x = 1"), mark("x = 2"), mark("x == 2")],
        [Some(Outside), Some(Outside), Some(First)],
        "{marks:?}"
    );
    assert_eq!(mark("x = 3"), Some(Last), "{marks:?}");
}

#[test]
fn a_d_step_shows_its_source() {
    let short = steps("byte x; active proctype P() { d_step { x = 1;\n  x = 2 } assert(false) }");
    assert_eq!(short[0].action, "d_step { x = 1; x = 2 }");
    let long = format!("byte x; active proctype P() {{ d_step {{ {} }} assert(false) }}", "x = 1; ".repeat(20));
    let action = &steps(&long)[0].action;
    assert!(action.starts_with("d_step { x = 1;") && action.ends_with('…') && action.chars().count() == 61, "{action}");
}

#[test]
fn a_process_that_has_ended_does_not_wait() {
    let model = "byte x; active proctype A() { x = 1 } active proctype B() { x == 5 }";
    let text = text("x.pml", model, Page::default());
    let line = text.lines().find(|l| l.starts_with("  A[0]")).unwrap_or_default();
    assert!(line.ends_with("x.pml:1                  ended"), "{text}");
    assert!(text.contains("waits at x == 5"), "{text}");
}

#[test]
fn a_model_cannot_control_the_terminal() {
    let model = "active proctype P() { printf(\"a\\tb\u{1b}[2J\u{9b}1A\\n\u{202e}c%c\", 27); assert(false) }";
    let text = text("evil\u{1b}[0m.pml", model, Page::default());
    assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text:?}");
    assert!(text.contains("│ a       b\\x1b[2J\\u{9b}1A\n"), "{text}");
    assert!(text.contains("│ \\u{202e}c\\x1b\n"), "{text}");
    assert!(text.contains("evil\\x1b[0m.pml:1"), "{text}");
}

#[test]
fn lines_fit_their_page() {
    let wide = "chan channel_with_a_long_name = [8] of { byte, byte };
active proctype Process_with_a_long_name() { byte i;
  do :: i < 8 -> channel_with_a_long_name!i,i+1; i++ :: else -> break od;
  printf(\"a rather long line that is printed by this process at its end\\n\"); assert(i == 7 && false || false || i < 3) }";
    let smv = "MODULE main VAR a_long_name : 0..9; another_long_name : boolean; third_long_name : {red, green, blue};
ASSIGN init(a_long_name) := 0; next(a_long_name) := a_long_name < 9 ? a_long_name + 1 : 0;
INVARSPEC a_long_name < 7";
    for (name, model) in [("a_model_with_a_name.pml", wide), ("chans.pml", CHANNELS), ("x.smv", smv)] {
        for width in [1, 20, 40, 60, 80, 200] {
            let text = text(name, model, Page { width: Some(width), steps: None });
            let longest = text.lines().map(|l| l.chars().count()).max().unwrap_or(0);
            assert!(longest <= width.max(40), "{width}: {longest}\n{text}");
        }
    }
    // Narrow pages leave out the name of the file, and say so.
    let narrow = text("a_model_with_a_name.pml", wide, Page { width: Some(60), steps: None });
    assert!(narrow.starts_with("(:N is line N of a_model_with_a_name.pml)\n"), "{narrow}");
}

#[test]
fn the_middle_of_a_long_trace_is_left_out_before_it_is_rendered() {
    let counter = "int x; active proctype P() { do :: x < 3000 -> x++ :: else -> break od; assert(false) }";
    let page = Page { width: None, steps: Some(10) };
    let text = text("x.pml", counter, page);
    assert!(text.lines().count() < 25, "{text}");
    let numbers: Vec<&str> = text.lines().filter_map(|l| l.split_whitespace().next()).collect();
    assert!(["1", "5", "5998", "6002"].iter().all(|n| numbers.contains(n)), "{text}");
    assert!(text.contains("… 5992 steps left out …"), "{text}");
    let shown = with_trace("x.pml", counter, |document| document.steps(Some(10)));
    assert_eq!(shown.iter().map(|s| s.number).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 5998, 5999, 6000, 6001, 6002]);
    let smv = "MODULE main VAR x : 0..99; ASSIGN init(x) := 0; next(x) := (x + 1) mod 100; INVARSPEC x < 90";
    let text = self::text("x.smv", smv, page);
    assert!(text.contains("  4  → x = 4\n     … 81 steps left out …\n 86  → x = 86\n"), "{text}");
}

#[test]
fn a_cycle_whose_start_is_left_out_is_announced() {
    let model = "byte x; active proctype P() { do :: x < 9 -> x++ :: x >= 9 -> x = (x == 19 -> 9 : x + 1) od }
        ltl p { <> (x == 200) }";
    let all = text("x.pml", model, Page::default());
    assert!(all.contains("┌── the cycle starts here\n"), "{all}");
    assert!(all.contains("└── back to the start of the cycle, which repeats for ever\n"), "{all}");
    let some = text("x.pml", model, Page { width: None, steps: Some(4) });
    assert!(some.contains("steps left out, the start of the cycle among them …"), "{some}");
    assert!(!some.contains("the cycle starts here"), "{some}");
}

#[test]
fn a_simulation_brackets_atomic_sequences_too() {
    let source = "byte x; active proctype P() { atomic { x = 1; x = 2; x = 3 } x = 4 }";
    let model = Model::from_text("x.pml", source, &Default::default()).expect("a model");
    let mut run = model.simulate(&Default::default()).expect("a run");
    let mut text = run.legend();
    while let Some(taken) = run.take_random().expect("a step") {
        text.push_str(&taken.text);
    }
    for start in ["(┌│└ is one atomic", "   1 ┌ P[0]", "     │ ", "   2 │ P[0]", "   3 └ P[0]", "   4   P[0]"]
    {
        assert!(text.lines().any(|line| line.starts_with(start)), "{start:?}: {text}");
    }
}

#[test]
fn a_page_has_room_for_some_processes_only() {
    let model = "byte x; active [30] proctype P() { x == 1 }";
    let text = text("x.pml", model, Page { width: None, steps: Some(10) });
    assert_eq!(text.matches("waits at x == 1").count(), 10, "{text}");
    assert!(text.ends_with("  … and 20 more processes\n"), "{text}");
}
