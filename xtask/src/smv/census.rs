//! The constructs of SMV, for a census of generated programs.

use crate::campaign::Signs;

/// The constructs and their signs.
pub const SIGNS: Signs = &[
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
