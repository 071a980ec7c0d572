//! Roles: which processes of a type a row matches.
//!
//! The *rank* of a process is the number of processes of its type with smaller numbers. A rank is counted from the start
//! (`0`, `1`, …) or from the end (`last`, `last-1`, …), so that it has a meaning in instances of any size. The text form is
//! that of the thesis: `proc==1`, `proc>1`, `*`.

use std::fmt;

/// The rank of a process, counted from either end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rank {
    /// The number of processes of the type before it.
    First(u16),
    /// The number of processes of the type after it.
    Last(u16),
}

impl Rank {
    /// The rank as a number among `count` processes; `None` if there is no such process.
    pub fn resolve(self, count: u16) -> Option<u16> {
        match self {
            Rank::First(n) => Some(n),
            Rank::Last(n) => count.checked_sub(n + 1),
        }
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rank::First(n) => write!(f, "{n}"),
            Rank::Last(0) => write!(f, "last"),
            Rank::Last(n) => write!(f, "last-{n}"),
        }
    }
}

impl std::str::FromStr for Rank {
    type Err = String;

    fn from_str(text: &str) -> Result<Rank, String> {
        let wrong = || format!("`{}` is no rank: use `2` or `last-2`", text.trim());
        let number = |t: &str| t.trim().parse::<u16>().map_err(|_| wrong());
        match text.trim().strip_prefix("last") {
            Some("") => Ok(Rank::Last(0)),
            Some(rest) => {
                let back = rest.trim_start().strip_prefix('-').ok_or_else(wrong)?;
                number(back).map(Rank::Last)
            }
            None => number(text).map(Rank::First),
        }
    }
}

/// A set of processes of one type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// All of them.
    Any,
    /// The one of this rank.
    Is(Rank),
    /// All but those of these ranks.
    Not(Vec<Rank>),
    /// Those of a greater rank.
    After(Rank),
    /// Those of a smaller rank.
    Before(Rank),
}

impl Role {
    /// Whether the process of this rank, one of `count`, has the role.
    pub fn covers(&self, rank: u16, count: u16) -> bool {
        let at = |r: &Rank| r.resolve(count);
        match self {
            Role::Any => true,
            Role::Is(r) => at(r) == Some(rank),
            Role::Not(ranks) => ranks.iter().all(|r| at(r) != Some(rank)),
            Role::After(r) => at(r).is_some_and(|n| rank > n),
            Role::Before(r) => at(r).is_some_and(|n| rank < n),
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Role::Any => write!(f, "*"),
            Role::Is(r) => write!(f, "=={r}"),
            Role::Not(ranks) => {
                let names: Vec<String> = ranks.iter().map(Rank::to_string).collect();
                write!(f, "!={}", names.join(","))
            }
            Role::After(r) => write!(f, ">{r}"),
            Role::Before(r) => write!(f, "<{r}"),
        }
    }
}

impl std::str::FromStr for Role {
    type Err = String;

    fn from_str(text: &str) -> Result<Role, String> {
        let text = text.trim();
        let ranks = |prefix: &str| text.strip_prefix(prefix).map(|rest| rest.split(',').map(str::parse));
        let rank = |prefix: &str| text.strip_prefix(prefix).map(str::parse);
        match (rank("=="), ranks("!="), rank(">"), rank("<")) {
            _ if text == "*" => Ok(Role::Any),
            (Some(rank), ..) => rank.map(Role::Is),
            (_, Some(ranks), ..) => ranks.collect::<Result<_, _>>().map(Role::Not),
            (_, _, Some(rank), _) => rank.map(Role::After),
            (.., Some(rank)) => rank.map(Role::Before),
            _ => Err(format!("`{text}` is no role: use `*`, `==1`, `!=0,last`, `>1` or `<last`")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_role_covers_the_same_ranks_in_every_size() {
        let covered = |text: &str, count: u16| -> Vec<u16> {
            let role: Role = text.parse().expect("a role");
            assert_eq!(role.to_string(), text);
            (0..count).filter(|&r| role.covers(r, count)).collect()
        };
        assert_eq!(covered("*", 3), [0, 1, 2]);
        assert_eq!(covered("==1", 5), [1]);
        assert_eq!(covered("==last-1", 5), [3]);
        assert_eq!(covered("!=0,last", 4), [1, 2]);
        assert_eq!(covered(">1", 4), [2, 3]);
        assert_eq!(covered("<last", 3), [0, 1]);
        assert_eq!(covered("==last-7", 3), Vec::<u16>::new());
    }

    #[test]
    fn malformed_roles_are_refused() {
        for text in ["", "=1", "==", "==x", "!=1,,2", "==last-", "==last+1", "==70000"] {
            assert!(text.parse::<Role>().is_err(), "{text}");
        }
    }
}
