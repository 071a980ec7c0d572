//! What the generated programs are made of.

use std::collections::BTreeMap;

use super::ast::Program;

/// Constructs, and a piece of text that shows one is used.
const SIGNS: [(&str, &[&str]); 47] = [
    ("active [n]", &["active ["]),
    ("run", &["run "]),
    ("init", &["\ninit"]),
    ("provided", &["provided ("]),
    ("priority", &[" priority "]),
    ("D_proctype", &["D_proctype "]),
    ("parameters", &["proctype P0(b", "proctype P0(i", "proctype P0(c", "proctype P1(b", "proctype P1(c"]),
    ("typedef", &["typedef "]),
    ("mtype", &["mtype"]),
    ("unsigned", &["unsigned "]),
    ("arrays", &["[1];", "[2];", "[3];", "[1] =", "[2] =", "[3] ="]),
    ("buffered channels", &["[1] of", "[2] of", "[3] of"]),
    ("rendezvous", &["[0] of"]),
    ("channel arrays", &["chan q0[", "chan q1[", "chan q2["]),
    ("channel parameters", &["chan c)"]),
    ("channels in messages", &["of { chan"]),
    ("send", &["!"]),
    ("sorted send", &["!!"]),
    ("receive", &["?"]),
    ("random receive", &["??"]),
    ("receive copy", &["?<"]),
    ("poll", &["?["]),
    ("eval", &["eval("]),
    ("len", &["len("]),
    ("full, empty, …", &["full(", "empty("]),
    ("if", &["\tif\n"]),
    ("do", &["\tdo\n"]),
    ("else", &["else"]),
    ("goto", &["goto L"]),
    ("atomic", &["atomic {"]),
    ("d_step", &["d_step {"]),
    ("unless", &["unless {"]),
    ("timeout", &["timeout"]),
    ("for, select", &["for (", "select ("]),
    ("inline", &["inline "]),
    ("assert", &["assert("]),
    ("_pid", &["_pid"]),
    ("_nr_pr", &["_nr_pr"]),
    ("_last", &["_last"]),
    ("end labels", &["\nend"]),
    ("progress labels", &["\nprogress"]),
    ("accept labels", &["\naccept0"]),
    ("remote labels", &["]@"]),
    ("remote variables", &["]:l"]),
    ("enabled, np_", &["enabled(", "np_"]),
    ("ltl", &["\nltl "]),
    ("never", &["\nnever "]),
];

/// How many programs use each construct.
#[derive(Debug, Default)]
pub struct Census {
    uses: BTreeMap<usize, usize>,
}

impl Census {
    /// Counts a program in.
    pub fn count(&mut self, program: &Program) {
        let text = program.to_string();
        for (position, (_, signs)) in SIGNS.iter().enumerate() {
            if signs.iter().any(|sign| text.contains(sign)) {
                *self.uses.entry(position).or_default() += 1;
            }
        }
    }

    /// `construct n` for every construct, in a fixed order.
    pub fn lines(&self) -> String {
        let word = |(position, (name, _)): (usize, &(&str, &[&str]))| {
            format!("{name} {}", self.uses.get(&position).copied().unwrap_or(0))
        };
        SIGNS.iter().enumerate().map(word).collect::<Vec<_>>().join(", ")
    }
}
