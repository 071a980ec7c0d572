//! `cargo xtask sizes`: the flawed protocols of the thesis's chapters 5 and 7 as SMV, in every size of
//! `bench/thesis/*-symbolic.toml`.
//!
//! SMV has no macros, so each size is a file. Modules that do not depend on the size come from the family's smallest model in
//! `models/smv`; `main` is generated here.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::repository;

/// Where the models go.
#[derive(clap::Args)]
pub struct Options {
    /// The folder, instead of bench/thesis/models/smv
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

/// A family: name, sizes, and the function that writes a size.
type Family = (&'static str, &'static [usize], fn(&Path, usize) -> Result<String, String>);

const FAMILIES: [Family; 5] = [
    ("philosophers", &[10, 12, 14, 16, 18, 24, 32, 48], philosophers),
    ("leader-flawed", &[3, 4, 5, 6, 8, 10, 12, 16], leader),
    ("send-receive", &[3, 4, 5, 6, 8, 12, 16], send_receive),
    ("mutex-flawed", &[16, 20, 24, 28, 32, 48, 64], mutex),
    ("peterson-flawed", &[3, 4, 5, 6, 7, 8], peterson),
];

/// Writes the models.
pub fn run(options: &Options) -> Result<(), String> {
    let models = repository::root().join("models/smv");
    let out = options.out.clone().unwrap_or_else(|| repository::root().join("bench/thesis/models/smv"));
    repository::create_folder(&out)?;
    for (name, sizes, write) in FAMILIES {
        for &size in sizes {
            let head =
                format!("-- {name}-{size}.smv: written by `cargo xtask sizes`; models/smv tells what it is about.\n\n");
            repository::write(&out.join(format!("{name}-{size}.smv")), &(head + &write(&models, size)?))?;
        }
    }
    Ok(())
}

/// The modules of a model before `main`, without its header.
fn modules(models: &Path, name: &str) -> Result<String, String> {
    let text = repository::read(&models.join(name))?;
    let start = text.find("MODULE ").unwrap_or(0);
    let end = text.find("MODULE main").ok_or_else(|| format!("{name} has no module main"))?;
    Ok(text[start..end].to_owned())
}

/// One text for each index below `n`, joined.
fn each(n: usize, joint: &str, text: impl Fn(usize) -> String) -> String {
    (0..n).map(text).collect::<Vec<_>>().join(joint)
}

fn philosophers(models: &Path, n: usize) -> Result<String, String> {
    let mut out = modules(models, "philosophers-3.smv")?;
    let one = |i| format!("  p{i} : philosopher({i}, turn, p{}, p{});\n", (i + n - 1) % n, (i + 1) % n);
    let waits = each(n, " &\n    ", |i| format!("p{i}.state = one_fork"));
    let _ = write!(
        out,
        "MODULE main\nIVAR\n  turn : 0..{};\nVAR\n{}DEFINE\n  all_wait := {waits};\n\n",
        n - 1,
        each(n, "", one)
    );
    out.push_str("INVARSPEC NAME no_circle := !all_wait;\n");
    Ok(out)
}

fn leader(models: &Path, n: usize) -> Result<String, String> {
    let mut out = modules(models, "leader-flawed-4.smv")?.replace("out : 0..4;", &format!("out : 0..{n};"));
    // The first node and the one opposite share the highest number.
    let number = |i| if i == 0 || i == n / 2 { n } else { i };
    let one = |i| format!("  n{i} : node({i}, turn, {}, n{}, n{});\n", number(i), (i + n - 1) % n, (i + 1) % n);
    let leaders = each(n, ", ", |i| format!("n{i}.leader"));
    let _ = write!(out, "MODULE main\nIVAR\n  turn : 0..{};\nVAR\n{}", n - 1, each(n, "", one));
    let _ = write!(out, "DEFINE\n  leaders := count({leaders});\n\nINVARSPEC NAME one_leader := leaders <= 1;\n");
    Ok(out)
}

fn send_receive(models: &Path, n: usize) -> Result<String, String> {
    let mut out = modules(models, "send-receive-3.smv")?;
    let one = |i| format!("  s{i} : sender({}, turn, r{i});\n  r{i} : receiver({}, turn, s{i});\n", 2 * i, 2 * i + 1);
    let good = each(n, " &\n    ", |i| format!("s{i}.state != error"));
    let _ = write!(out, "MODULE main\nVAR\n  turn : 0..{};\n{}", 2 * n - 1, each(n, "", one));
    let _ = write!(out, "ASSIGN\n  init(turn) := 0;\n\nINVARSPEC NAME no_error := {good};\n");
    Ok(out)
}

fn mutex(models: &Path, n: usize) -> Result<String, String> {
    let mut out = modules(models, "mutex-flawed-4.smv")?;
    let inside = each(n, ", ", |i| format!("(u{i}.state = critical)"));
    let users = each(n, "", |i| format!("  u{i} : process user(lock);\n"));
    let _ = write!(out, "MODULE main\nVAR\n  lock : boolean;\n{users}ASSIGN\n  init(lock) := FALSE;\n");
    let _ = write!(out, "DEFINE\n  inside := count({inside});\n\nINVARSPEC NAME exclusion := inside <= 1;\n");
    out.push_str("INVARSPEC NAME first_two := !(u0.state = critical & u1.state = critical);\n");
    Ok(out)
}

fn peterson(_: &Path, n: usize) -> Result<String, String> {
    // The right algorithm has n - 1 waiting rooms.
    let rooms = n - 2;
    let ahead = each(n, " |\n    ", |i| format!("me != {i} & room[{i}] >= at"));
    let last = each(rooms, "\n    ", |r| format!("at = {0} : last[{0}] = me;", r + 1));
    let takes =
        each(rooms, "\n", |r| format!("  next(last[{0}]) := state = stepping & at = {0} ? me : last[{0}];", r + 1));
    let mut out = format!(
        "MODULE user(me, room, last)
VAR
  state : {{outside, stepping, waiting, critical}};
  at : 0..{rooms};
DEFINE
  somebody_ahead :=
    {ahead};
  last_here := case
    {last}
    TRUE : FALSE;
  esac;
  passes := state = waiting & !(somebody_ahead & last_here);
ASSIGN
  init(state) := outside;
  init(at) := 0;
  next(state) := case
    state = outside : stepping;
    state = stepping : waiting;
    passes & at < {rooms} : stepping;
    passes : critical;
    state = critical : outside;
    TRUE : state;
  esac;
  next(at) := case
    state = outside : 1;
    passes & at < {rooms} : at + 1;
    state = critical : 0;
    TRUE : at;
  esac;
  next(room[me]) := case
    state = stepping : at;
    state = critical : 0;
    TRUE : room[me];
  esac;
{takes}
FAIRNESS
  running

MODULE main
VAR
  room : array 0..{top} of 0..{rooms};
  last : array 1..{rooms} of 0..{top};
",
        top = n - 1
    );
    out.push_str(&each(n, "", |i| format!("  u{i} : process user({i}, room, last);\n")));
    out.push_str("ASSIGN\n");
    out.push_str(&each(n, "", |i| format!("  init(room[{i}]) := 0;\n")));
    out.push_str(&each(rooms, "", |r| format!("  init(last[{}]) := 0;\n", r + 1)));
    let inside = each(n, ", ", |i| format!("(u{i}.state = critical)"));
    let _ = write!(out, "DEFINE\n  inside := count({inside});\n\nINVARSPEC NAME exclusion := inside <= 1;\n");
    // Low process error participation: only the first two processes.
    out.push_str("INVARSPEC NAME first_two := !(u0.state = critical & u1.state = critical);\n");
    Ok(out)
}
