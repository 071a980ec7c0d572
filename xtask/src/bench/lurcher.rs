//! lurcher's side: its command line and its JSON.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use super::process;
use super::run::{Measure, Run, Tool};

/// A command that is run again and again.
pub struct Lurcher {
    /// What it belongs to.
    pub measure: Measure,
    /// The family or model.
    pub subject: String,
    /// Its size.
    pub size: Vec<(String, String)>,
    /// The file.
    pub model: PathBuf,
    /// How its runs are told from others.
    pub setting: String,
    /// `verify` or `hunt`, and options.
    pub arguments: Vec<String>,
}

impl Lurcher {
    /// Runs it once.
    pub fn run(&self, repetition: u32, program: &Path) -> Result<Run, String> {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let mut command = Command::new(program);
        let (verb, options) = self.arguments.split_first().expect("a command");
        command.arg(verb).arg(&self.model).args(options).arg("--json");
        for (name, value) in &self.size {
            command.args(["--define", &format!("{name}={value}")]);
        }
        let used = process::run(&mut command, folder.path())?;
        let said = self.read(&used.output, used.status, &folder)?;
        let states = &said["states"];
        Ok(Run {
            measure: self.measure,
            subject: self.subject.clone(),
            size: self.size.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" "),
            tool: Tool::Lurcher,
            setting: self.setting.clone(),
            repetition,
            wall: used.wall,
            processor: used.processor,
            resident: used.resident,
            data: used.data,
            stored: states["stored"].as_u64(),
            transitions: states["transitions"].as_u64(),
            steps: said["steps"].as_u64(),
            verdict: said["verdict"].as_str().unwrap_or_default().to_owned(),
        })
    }

    fn read(&self, output: &str, status: Option<i32>, folder: &TempDir) -> Result<Value, String> {
        let told = || {
            let command = format!("lurcher {} {}", self.arguments.join(" "), self.model.display());
            format!("{command} ended with {status:?}: {}", process::complaints(folder.path()))
        };
        match status {
            Some(0 | 1) => serde_json::from_str(output).map_err(|_| told()),
            _ => Err(told()),
        }
    }
}
