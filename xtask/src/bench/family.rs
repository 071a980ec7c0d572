//! Models that grow with a number.

/// Values of macros.
pub type Size = &'static [(&'static str, &'static str)];

/// A model and the sizes it is measured in. Its safety properties hold in all of them, so that searches are complete.
#[derive(Debug)]
pub struct Family {
    /// Its name in tables.
    pub name: &'static str,
    /// Its file in the repository.
    pub file: &'static str,
    /// To see that everything works.
    pub small: Size,
    /// Where Spin needs 2 to 30 s without reductions.
    pub full: Size,
    /// Where Spin, its compiler included, needs 2 to 30 s with its reductions; none when no size is large enough.
    pub reduced: Option<Size>,
}

/// Those of bench/speed, written for this purpose, then models of the repository.
pub const FAMILIES: [Family; 11] = [
    Family {
        name: "philosophers",
        file: "bench/speed/philosophers.pml",
        small: &[("N", "5")],
        full: &[("N", "11")],
        reduced: Some(&[("N", "11")]),
    },
    Family {
        name: "peterson",
        file: "bench/speed/peterson.pml",
        small: &[("N", "2"), ("LAPS", "2")],
        full: &[("N", "3"), ("LAPS", "6")],
        reduced: Some(&[("N", "3"), ("LAPS", "10")]),
    },
    Family {
        name: "leader",
        file: "bench/speed/leader.pml",
        small: &[("N", "4")],
        full: &[("N", "6")],
        reduced: Some(&[("N", "6")]),
    },
    Family {
        name: "token ring",
        file: "bench/speed/token-ring.pml",
        small: &[("N", "3"), ("TOKENS", "2"), ("WORK", "1")],
        full: &[("N", "5"), ("TOKENS", "2"), ("WORK", "2")],
        reduced: Some(&[("N", "5"), ("TOKENS", "2"), ("WORK", "4")]),
    },
    Family {
        name: "channels",
        file: "bench/speed/channels.pml",
        small: &[("N", "2"), ("ROOM", "1"), ("LETTERS", "1")],
        full: &[("N", "3"), ("ROOM", "1"), ("LETTERS", "1")],
        reduced: Some(&[("N", "3"), ("ROOM", "2"), ("LETTERS", "1")]),
    },
    Family {
        name: "arrays",
        file: "bench/speed/arrays.pml",
        small: &[("LENGTH", "4"), ("WORKERS", "2")],
        full: &[("LENGTH", "5"), ("WORKERS", "3")],
        reduced: Some(&[("LENGTH", "5"), ("WORKERS", "3")]),
    },
    Family {
        name: "peterson-n",
        file: "models/promela/peterson-n.pml",
        small: &[("N", "3")],
        full: &[("N", "4")],
        reduced: Some(&[("N", "4")]),
    },
    Family {
        name: "leader-ring",
        file: "models/promela/leader-ring.pml",
        small: &[("N", "4")],
        full: &[("N", "8")],
        reduced: None,
    },
    Family {
        name: "philosophers-right",
        file: "models/promela/philosophers-right.pml",
        small: &[("N", "4")],
        full: &[("N", "10")],
        reduced: Some(&[("N", "11")]),
    },
    Family {
        name: "elevator",
        file: "models/promela/elevator.pml",
        small: &[("FLOORS", "3")],
        full: &[("FLOORS", "8")],
        reduced: Some(&[("FLOORS", "8")]),
    },
    Family {
        name: "readers-writers",
        file: "models/promela/readers-writers.pml",
        small: &[("READERS", "4")],
        full: &[("READERS", "13")],
        reduced: Some(&[("READERS", "13")]),
    },
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

/// A size as it is written in rows: `N=3 LAPS=2`.
pub fn written(size: Size) -> String {
    size.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
}
