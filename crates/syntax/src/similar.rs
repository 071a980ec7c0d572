//! Misspelt names, and patterns of names.

/// The candidate closest to a misspelt name, if one is close. Upper and lower case make little difference, and names of one
/// letter are not close to any other.
pub fn closest<'n>(name: &str, candidates: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let letters = |text: &str| text.chars().count();
    if letters(name) < 2 {
        return None;
    }
    let lower = name.to_lowercase();
    candidates
        .filter(|c| letters(c) > 1 && *c != name)
        .map(|c| (strsim::osa_distance(&lower, &c.to_lowercase()), strsim::osa_distance(name, c), c))
        .filter(|(distance, _, c)| *distance <= most_edits(letters(name).max(letters(c))))
        .min()
        .map(|(_, _, c)| c)
}

/// The most edits between a misspelt name and a close one of so many letters: a third of them, but less than half.
fn most_edits(letters: usize) -> usize {
    letters.div_ceil(3).min((letters - 1) / 2).max(1)
}

/// `; did you mean …?` for a misspelt name, or nothing.
pub fn did_you_mean<'n>(name: &str, candidates: impl Iterator<Item = &'n str>) -> String {
    closest(name, candidates).map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}

/// Whether at most one inserted, deleted, changed or transposed letter turns one name into the other.
pub fn one_edit_apart(a: &str, b: &str) -> bool {
    strsim::osa_distance(a, b) <= 1
}

/// Matches a text with a pattern in which `*` stands for anything.
pub fn glob(pattern: &str, text: &str) -> bool {
    let Some((start, pieces)) = pattern.split_once('*') else { return pattern == text };
    let Some(mut rest) = text.strip_prefix(start) else { return false };
    // Every piece but the last may stand where it first occurs.
    let (between, end) = pieces.rsplit_once('*').unwrap_or(("", pieces));
    for piece in between.split('*') {
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    rest.ends_with(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closest_candidate_is_suggested_unless_it_is_far_or_the_name_itself() {
        let closest = |name| closest(name, ["counter", "count", "turn"].into_iter());
        assert_eq!(closest("cuonter"), Some("counter"));
        assert_eq!(closest("coun"), Some("count"));
        assert_eq!(closest("flag"), None);
        assert_eq!(closest("turn"), None);
        assert_eq!(closest("trun"), Some("turn"));
    }

    #[test]
    fn names_of_one_letter_are_not_close_to_others() {
        assert_eq!(closest("x", ["y", "xy"].into_iter()), None);
        assert_eq!(closest("xy", ["x", "y"].into_iter()), None);
        assert_eq!(closest("é", ["e"].into_iter()), None);
    }

    #[test]
    fn one_edit_inserts_deletes_changes_or_transposes_a_letter() {
        for other in ["esac", "esc", "esaac", "esax", "esca"] {
            assert!(one_edit_apart("esac", other), "{other}");
        }
        for other in ["es", "case", "sace", "esacxx"] {
            assert!(!one_edit_apart("esac", other), "{other}");
        }
    }
}
