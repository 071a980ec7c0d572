//! Local distances as text that can be edited and read back.
//!
//! One line for each location of each process type, and of each process with distances of its own. Under a claim,
//! `claim N` opens the part for the claim's location N. Reading starts from the computed distances, so missing lines keep
//! their values.
//!
//! ```text
//! guide local-distance
//! target assertion
//! User    | 2 | 4  # mutex.pml:26 raised++
//! User[3] | 2 | 9  # mutex.pml:26 raised++
//! ```

use lurcher_ir::{LocationId, Model, ProcessRole, ProcessTypeId};
use lurcher_syntax::SourceMap;

use super::LocalDistance;
use crate::text::{TextError, lines};

impl LocalDistance<'_> {
    /// The distances as text.
    pub fn to_text(&self, sources: &SourceMap) -> String {
        let model = self.interpreter.model();
        let mut out = format!("guide local-distance\ntarget {}\n\n", self.target.name());
        out.push_str("# process | location | distance\n");
        for stage in 0..self.tables.stage_count() {
            let claim = LocationId(stage as u16);
            if self.tables.stage_count() > 1 {
                out.push_str(&format!("claim {stage}\n"));
            }
            let systems = model.process_types.iter().enumerate().filter(|(_, p)| p.role == ProcessRole::System);
            for (number, p) in systems {
                let ty = ProcessTypeId(number as u16);
                self.write_table(&mut out, sources, &p.name, ty, self.tables.of_type(claim, ty));
            }
            for (pid, ty, table) in self.tables.own(claim) {
                let name = format!("{}[{pid}]", model.process_type(ty).name);
                self.write_table(&mut out, sources, &name, ty, table);
            }
        }
        out
    }

    fn write_table(&self, out: &mut String, sources: &SourceMap, name: &str, ty: ProcessTypeId, table: &super::Table) {
        let process_type = self.interpreter.model().process_type(ty);
        for (number, location) in process_type.locations.iter().enumerate() {
            let Some(branch) = location.branches.first() else { continue };
            let text: Vec<&str> = process_type.action(branch.action).text.split_whitespace().collect();
            let place = sources.short_place(location.span);
            let distance = table.at(LocationId(number as u16));
            out.push_str(&format!("{name} | {number} | {distance}  # {place} {}\n", text.join(" ")));
        }
    }

    /// Sets the distances that a text gives.
    ///
    /// # Errors
    /// The first error in the text; then nothing is changed.
    pub fn set_from_text(&mut self, text: &str) -> Result<(), TextError> {
        let mut claim = LocationId(0);
        let mut entries = Vec::new();
        let mut named = false;
        for (number, line) in lines(text) {
            let at = |message: String| TextError::new(number, message);
            match line.split_whitespace().collect::<Vec<_>>().as_slice() {
                ["guide", "local-distance"] => named = true,
                _ if !named => return Err(at("expected `guide local-distance`".to_owned())),
                ["target", name] if *name == self.target.name() => {}
                ["target", name] => {
                    return Err(at(format!("it leads to {name}, but {} is wanted", self.target.name())));
                }
                ["claim", number] => {
                    let known = number.parse().ok().filter(|&n: &u16| usize::from(n) < self.tables.stage_count());
                    claim = LocationId(known.ok_or_else(|| at(format!("the claim has no location {number}")))?);
                }
                _ => entries.push((claim, entry(self.interpreter.model(), line).map_err(at)?)),
            }
        }
        if !named {
            return Err(TextError::new(1, "expected `guide local-distance`".to_owned()));
        }
        for (claim, (owner, location, distance)) in entries {
            self.tables.set(self.interpreter.model(), claim, owner, location, distance);
        }
        self.edited = true;
        self.measure();
        Ok(())
    }
}

/// A process type with the number of one process, a location, and its distance.
type Entry = ((ProcessTypeId, Option<u16>), LocationId, u32);

fn entry(model: &Model, line: &str) -> Result<Entry, String> {
    let cells: Vec<&str> = line.split('|').map(str::trim).collect();
    let [process, location, distance] = cells.as_slice() else {
        return Err("expected `process | location | distance`".to_owned());
    };
    let (name, pid) = match process.strip_suffix(']').and_then(|p| p.split_once('[')) {
        Some((name, pid)) => (name, Some(pid.parse().map_err(|_| format!("`{pid}` is no number of a process"))?)),
        None => (*process, None),
    };
    let process_type = model.find_process_type(name).ok_or_else(|| format!("there is no process type `{name}`"))?;
    let count = model.process_type(process_type).locations.len();
    let known = location.parse().ok().filter(|&l: &u16| usize::from(l) < count);
    let location = LocationId(known.ok_or_else(|| format!("{name} has no location {location}"))?);
    let distance = distance.parse().map_err(|_| format!("`{distance}` is no distance"))?;
    Ok(((process_type, pid), location, distance))
}
