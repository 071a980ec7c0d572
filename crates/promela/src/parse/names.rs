//! Declared names that change the kind of a word.

use std::collections::{HashMap, HashSet};

/// The declarations so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    pub typedefs: HashSet<String>,
    pub proctypes: HashSet<String>,
    mtype_constants: HashMap<String, i32>,
    /// Number of constants of each mtype set.
    mtype_counts: HashMap<Option<String>, i32>,
}

impl Names {
    /// The value of an mtype constant.
    pub(crate) fn mtype_constant(&self, name: &str) -> Option<i32> {
        self.mtype_constants.get(name).copied()
    }

    /// Adds the constants of an `mtype` declaration; returns the new size of the set. As in Spin, the constants of one
    /// declaration are numbered backwards, after those of earlier declarations.
    pub(crate) fn add_mtype_constants<'n>(
        &mut self,
        subtype: Option<&str>,
        names: impl DoubleEndedIterator<Item = &'n str>,
    ) -> usize {
        let count = self.mtype_counts.entry(subtype.map(str::to_owned)).or_default();
        for name in names.rev() {
            *count += 1;
            self.mtype_constants.insert(name.to_owned(), *count);
        }
        *count as usize
    }
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn mtype_constants_are_numbered_backwards_in_each_declaration_of_a_set() {
        let mut names = Names::default();
        names.add_mtype_constants(None, ["a", "b", "c"].into_iter());
        names.add_mtype_constants(Some("fruit"), ["pear"].into_iter());
        assert_eq!(names.add_mtype_constants(None, ["d", "e"].into_iter()), 5);
        let numbers = ["a", "b", "c", "d", "e", "pear", "x"].map(|n| names.mtype_constant(n));
        assert_eq!(numbers, [Some(3), Some(2), Some(1), Some(5), Some(4), Some(1), None]);
    }
}
