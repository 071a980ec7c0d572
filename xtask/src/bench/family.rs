//! Models that grow with macros.

/// A model and the sizes it is measured in, as `NAME=VALUE NAME=VALUE`. Its safety properties hold in all sizes, so that
/// searches are complete.
#[derive(Debug)]
pub struct Family {
    pub name: &'static str,
    /// Its file in the repository.
    pub file: &'static str,
    pub small: &'static str,
    /// Spin needs 2 to 30 s without reductions.
    pub full: &'static str,
    /// Spin and its compiler need 2 to 30 s with reductions; none where no size is large enough.
    pub reduced: Option<&'static str>,
}

const fn family(
    name: &'static str,
    file: &'static str,
    small: &'static str,
    full: &'static str,
    reduced: Option<&'static str>,
) -> Family {
    Family { name, file, small, full, reduced }
}

/// The models of bench/speed, written for this purpose, then models of the repository.
const FAMILIES: [Family; 11] = [
    family("philosophers", "bench/speed/philosophers.pml", "N=5", "N=11", Some("N=11")),
    family("peterson", "bench/speed/peterson.pml", "N=2 LAPS=2", "N=3 LAPS=6", Some("N=3 LAPS=10")),
    family("leader", "bench/speed/leader.pml", "N=4", "N=6", Some("N=6")),
    family(
        "token ring",
        "bench/speed/token-ring.pml",
        "N=3 TOKENS=2 WORK=1",
        "N=5 TOKENS=2 WORK=2",
        Some("N=5 TOKENS=2 WORK=4"),
    ),
    family(
        "channels",
        "bench/speed/channels.pml",
        "N=2 ROOM=1 LETTERS=1",
        "N=3 ROOM=1 LETTERS=1",
        Some("N=3 ROOM=2 LETTERS=1"),
    ),
    family("arrays", "bench/speed/arrays.pml", "LENGTH=4 WORKERS=2", "LENGTH=5 WORKERS=3", Some("LENGTH=5 WORKERS=3")),
    family("peterson-n", "models/promela/peterson-n.pml", "N=3", "N=4", Some("N=4")),
    family("leader-ring", "models/promela/leader-ring.pml", "N=4", "N=8", None),
    family("philosophers-right", "models/promela/philosophers-right.pml", "N=4", "N=10", Some("N=11")),
    family("elevator", "models/promela/elevator.pml", "FLOORS=3", "FLOORS=8", Some("FLOORS=8")),
    family("readers-writers", "models/promela/readers-writers.pml", "READERS=4", "READERS=13", Some("READERS=13")),
];

/// The families with these names, or all.
pub fn chosen(names: &[String]) -> Result<Vec<&'static Family>, String> {
    if names.is_empty() {
        return Ok(FAMILIES.iter().collect());
    }
    let known = || FAMILIES.iter().map(|f| f.name).collect::<Vec<_>>().join(", ");
    let find = |name: &String| {
        let found = FAMILIES.iter().find(|f| f.name == name || f.name.replace(' ', "-") == *name);
        found.ok_or_else(|| format!("there is no family `{name}`; there are {}", known()))
    };
    names.iter().map(find).collect()
}
