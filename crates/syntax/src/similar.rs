//! Misspelt names.

/// The candidate closest to a misspelt name, if one is close.
pub fn closest<'n>(name: &str, candidates: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    candidates
        .map(|c| (strsim::levenshtein(name, c), c))
        .filter(|(distance, c)| *distance <= name.len().max(c.len()).div_ceil(3) && *c != name)
        .min()
        .map(|(_, c)| c)
}

/// Whether at most one inserted, deleted, changed or transposed letter turns one name into the other.
pub fn one_edit_apart(a: &str, b: &str) -> bool {
    strsim::osa_distance(a, b) <= 1
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
