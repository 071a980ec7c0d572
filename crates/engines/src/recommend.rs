//! Which engine to use, and why.
//!
//! The thesis's classification (figure 7.11) starts from how the model is represented: explicit states suggest guided random
//! walks, symbolic ones guided search where few processes take part (low PEP) and guided random trails where many do. Our own
//! measurements (`cargo xtask engines`, kept in `bench/results`) add: for process models nothing finds violations sooner than a
//! bounded breadth-first search followed by walks of many kinds, and BDDs add proofs. For relations, reachability over the cone
//! of influence is about as fast as anything while the cone is small; beyond that explicit trails need the least luck.

use std::fmt;

use lurcher_ir::analysis::creates_processes;
use lurcher_ir::relation::Dependencies;
use lurcher_search::{Prepared, PreparedRelation, RelationGoal};
use lurcher_symbolic::processes;

/// The command and the engine to try first for a property, and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recommendation {
    /// `hunt` or `verify`.
    pub command: &'static str,
    /// The engine's name.
    pub engine: &'static str,
    /// The reason.
    pub reason: String,
    /// Bits of state that decide the property, where they are known.
    pub bits: Option<u32>,
    /// BDDs may help where walks find nothing.
    pub bdds: bool,
}

impl fmt::Display for Recommendation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.engine {
            "auto" => write!(f, "`lurcher {}`, because {}", self.command, self.reason),
            engine => write!(f, "`lurcher {} --engine {engine}`, because {}", self.command, self.reason),
        }
    }
}

/// The PEP factor up to which few processes take part.
const LOW_PEP: f64 = 0.5;
/// Bits of state of a process model up to which BDDs are worth a try.
const PROCESS_BITS: u32 = 128;
/// Bits of state of a relation up to which BDDs are as fast as anything,
const FEW_BITS: u32 = 36;
/// and up to which they are where not all instances take part.
const SOME_BITS: u32 = 48;

/// The guided symbolic engine that the thesis chooses by the PEP factor.
pub fn guided_symbolic(factor: Option<f64>) -> &'static str {
    if factor.is_some_and(|f| f <= LOW_PEP) { "sgmc" } else { "symbolic-trail --guide abstraction" }
}

impl Recommendation {
    /// The recommendation for a model of which so many states are known to be all.
    pub(crate) fn of_all_states(self, states: usize) -> Recommendation {
        let reason = format!("the model has {states} states, which a complete search visits at once");
        Recommendation { command: "verify", engine: "auto", reason, ..self }
    }

    /// What to try after a hunt that decided nothing: something that it does not do itself.
    pub fn after_hunt(&self) -> String {
        let all = "`lurcher verify` visits all states";
        let proof = match (self.engine, self.bits) {
            ("auto", Some(bits)) if self.bdds => format!("{all}, with --engine bdd as BDDs of {bits} bits"),
            ("auto", None) if self.bdds => format!("{all}, with --engine bdd as BDDs"),
            ("auto", _) => all.to_owned(),
            (_, Some(bits)) if cfg!(feature = "symbolic") => format!("{all}, as BDDs of {bits} bits"),
            _ => all.to_owned(),
        };
        format!("next: {proof}; --save and --resume continue the hunt")
    }

    /// The engine to try first for a property of a process model.
    pub fn for_processes(prepared: &Prepared) -> Recommendation {
        let auto = |reason: String, bits: Option<u32>, bdds: bool| Recommendation {
            command: "hunt",
            engine: "auto",
            reason,
            bits,
            bdds,
        };
        let no_help =
            |why: &str| auto(format!("walks look only at what they meet, and BDDs cannot help: {why}"), None, false);
        if prepared.limits().message_loss {
            return no_help("they know no message loss");
        }
        if prepared.objective.fair {
            return no_help("they know no weak fairness");
        }
        if let Err(why) = processes::check(&prepared.model) {
            return no_help(&why.0);
        }
        // The processes that are created are only known from walks, which take longer than many a hunt.
        if creates_processes(&prepared.model) {
            let reason = "walks look only at what they meet; BDDs join when these find nothing";
            return auto(reason.to_owned(), None, true);
        }
        match processes::bits(&prepared.model) {
            Err(why) => no_help(&why.0),
            Ok(bits) if bits <= PROCESS_BITS => {
                let reason = "walks look only at what they meet; BDDs of";
                auto(format!("{reason} {bits} bits of state join when these find nothing"), Some(bits), true)
            }
            Ok(bits) => {
                let reason = "bits of state are many for BDDs, and walks look only at what they meet";
                auto(format!("{bits} {reason}"), Some(bits), false)
            }
        }
    }

    /// The engine to try first for a property of a relation.
    pub fn for_relation(prepared: &PreparedRelation<'_>) -> Recommendation {
        let relation = prepared.whole;
        let layers = Dependencies::new(relation).layers(prepared.property.kind.reads(relation));
        let participation = layers.participation(relation);
        let bits = prepared.relation.state_variables().map(|(_, v)| v.domain.bits()).sum();
        let partial = participation.factor().is_some_and(|f| f < 1.0);
        let (engine, reason) = match prepared.goal {
            RelationGoal::Ctl(_) => ("bdd", "CTL formulas are about sets of states".to_owned()),
            _ if cfg!(not(feature = "symbolic")) => ("trail", "trails look only at what they meet".to_owned()),
            _ if bits <= FEW_BITS => ("bdd", format!("{bits} bits of state are few enough for BDDs")),
            _ if bits <= SOME_BITS && partial => {
                let (part, all) = (participation.participants, participation.instances);
                ("bdd", format!("{bits} bits of state are not many, and only {part} of {all} instances take part"))
            }
            _ => ("trail", format!("{bits} bits of state are many for BDDs, and trails look only at what they meet")),
        };
        let command = if engine == "bdd" { "verify" } else { "hunt" };
        Recommendation { command, engine, reason, bits: Some(bits), bdds: true }
    }
}
