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
