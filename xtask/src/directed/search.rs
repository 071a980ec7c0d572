//! One search: a run of `lurcher hunt` with one engine on one thread, and its effort.

use std::path::{Path, PathBuf};
use std::time::Duration;

use lurcher_lab::peers::child::{Bounds, Ending};
use lurcher_lab::peers::lurcher;
use serde::{Deserialize, Serialize};

/// The program under test and the limits of a search.
pub(super) struct Runner {
    pub lurcher: PathBuf,
    pub time: Duration,
    pub memory: String,
}

/// The effort of a search, as the paper counts it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Effort {
    /// `violated`, `holds` or `inconclusive`.
    pub verdict: String,
    /// Why the search ended.
    pub stop: String,
    pub stored: u64,
    pub expanded: u64,
    pub transitions: u64,
    /// Steps of the trace, if there is one.
    pub length: Option<u64>,
    /// The least and the greatest value of the heuristic.
    pub range: Option<(u64, u64)>,
    /// The trace is known to be a shortest one.
    pub optimal: bool,
    /// Seconds of the search and of building the heuristic.
    pub seconds: f64,
    /// Processor time of the whole run in seconds.
    pub processor: f64,
    /// Bytes of the search.
    pub memory: u64,
}

impl Effort {
    /// No search at all.
    pub const NONE: Effort = Effort {
        verdict: String::new(),
        stop: String::new(),
        stored: 0,
        expanded: 0,
        transitions: 0,
        length: None,
        range: None,
        optimal: false,
        seconds: 0.0,
        processor: 0.0,
        memory: 0,
    };

    /// Whether a violation was found.
    pub fn found(&self) -> bool {
        self.verdict == "violated"
    }
}

impl Runner {
    /// Searches; the error is lurcher's reason not to.
    pub fn search(&self, model: &Path, arguments: &[String]) -> Result<Effort, String> {
        let mut all = vec!["hunt".to_owned(), model.display().to_string()];
        all.extend(["--no-minimise", "--jobs", "1"].map(str::to_owned));
        for (option, value) in [("--time", format!("{}s", self.time.as_secs())), ("--memory", self.memory.clone())] {
            if !arguments.iter().any(|argument| argument == option) {
                all.extend([option.to_owned(), value]);
            }
        }
        all.extend(arguments.iter().cloned());
        let patience = Bounds::time(self.time * 4 + Duration::from_secs(60));
        let run = lurcher::run(&self.lurcher, &all, patience).map_err(|e| e.to_string())?;
        let Ending::Exited(0 | 1 | 3) = run.ending else {
            let words = run.stderr.lines().find(|line| !line.trim().is_empty()).unwrap_or("no words");
            return Err(words.trim().trim_start_matches("error: ").to_owned());
        };
        let json = lurcher::json(&run)?;
        let number = |part: &str| json["states"][part].as_u64().unwrap_or(0);
        let seconds = |part: &str| json["time"][part].as_f64().unwrap_or(0.0);
        Ok(Effort {
            verdict: json["verdict"].as_str().unwrap_or_default().to_owned(),
            stop: json["stop_reason"].as_str().unwrap_or_default().to_owned(),
            stored: number("stored"),
            expanded: number("expanded"),
            transitions: number("transitions"),
            length: json["trace"]["length"].as_u64(),
            range: json["guide_range"][0].as_u64().zip(json["guide_range"][1].as_u64()),
            optimal: json["trace"]["optimal"] == true,
            seconds: seconds("search") + seconds("guide"),
            processor: run.usage.processor,
            memory: json["memory_bytes"].as_u64().unwrap_or(0),
        })
    }
}
