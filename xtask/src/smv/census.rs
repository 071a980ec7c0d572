//! What the generated programs are made of.

use std::collections::BTreeMap;

/// Constructs, and a piece of text that shows one is used.
const SIGNS: [(&str, &[&str]); 30] = [
    ("IVAR", &["IVAR"]),
    ("FROZENVAR", &["FROZENVAR"]),
    ("DEFINE", &["DEFINE"]),
    ("modules", &["MODULE part"]),
    ("processes", &["process part"]),
    ("arrays", &["array "]),
    ("words", &["word["]),
    ("signed words", &[" signed word["]),
    ("enumerations", &[": {red", ": {green", ": {blue", ": {off"]),
    ("x :=", &["0 := case", "0 := {", "1 := case", "1 := {"]),
    ("case", &["case "]),
    ("sets", &["union", ", FALSE}", "} :"]),
    ("in", &[" in "]),
    ("next in next", &[":= case next(", "next(x0) "]),
    ("INIT", &["\nINIT"]),
    ("INVAR", &["\nINVAR\n"]),
    ("TRANS", &["\nTRANS"]),
    ("FAIRNESS", &["\nFAIRNESS", "\nJUSTICE"]),
    ("COMPASSION", &["\nCOMPASSION"]),
    ("running", &[".running"]),
    ("shifts", &[" << ", " >> "]),
    ("conversions", &["toint(", "bool(", "word1(", "signed("]),
    ("resize, extend", &["resize(", "extend("]),
    ("concatenation", &[" :: "]),
    ("selection", &["[0:0]", "[1:0]", "[1:1]", "[2:1]", "[2:2]"]),
    ("count", &["count("]),
    ("bounded CTL", &["BF ", "BG ", " BU "]),
    ("past", &["(Y ", "(Z ", "(O ", "(H ", " S ", " T "]),
    ("bounded LTL", &["F [", "G [", "O [", "H ["]),
    ("division", &[" / ", " mod "]),
];

/// How many programs use each construct.
#[derive(Debug, Default)]
pub struct Census {
    uses: BTreeMap<usize, usize>,
}

impl Census {
    /// Counts a program in.
    pub fn count(&mut self, text: &str) {
        for (position, (_, signs)) in SIGNS.iter().enumerate() {
            if signs.iter().any(|sign| text.contains(sign)) {
                *self.uses.entry(position).or_default() += 1;
            }
        }
    }

    /// `construct n` for every construct, in a fixed order.
    pub fn lines(&self) -> String {
        let used = |position: usize| self.uses.get(&position).copied().unwrap_or(0);
        let words = SIGNS.iter().enumerate().map(|(position, (name, _))| format!("{name} {}", used(position)));
        words.collect::<Vec<_>>().join(", ")
    }
}
