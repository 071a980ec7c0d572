//! Recognising the language of a text.

use super::LANGUAGES;

/// What the texts of a language are recognised by: words that no model of another language has much use for.
#[derive(Debug)]
pub struct Marks {
    /// Its comments: how they start and end.
    pub comments: &'static [(&'static str, &'static str)],
    /// Words, each with the character that follows it, if that matters.
    pub words: &'static [(&'static str, Option<char>)],
}

impl Marks {
    /// How many different words of the list stand in a text, outside of what is a comment in any language.
    pub(super) fn count(&self, text: &str) -> usize {
        let comments: Vec<_> = LANGUAGES.iter().flat_map(|l| l.marks().comments).collect();
        let mut found = vec![false; self.words.len()];
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            if let Some((open, close)) = comments.iter().find(|(open, _)| rest.starts_with(open)) {
                let inside = &rest[open.len()..];
                rest = inside.find(close).map_or("", |end| &inside[end + close.len()..]);
                continue;
            }
            let in_word = |c: char| c.is_alphanumeric() || c == '_';
            let length = rest.find(|c| !in_word(c)).unwrap_or(rest.len()).max(first.len_utf8());
            let (word, behind) = rest.split_at(length);
            let next = behind.trim_start().chars().next();
            for ((mark, follows), found) in self.words.iter().zip(&mut found) {
                *found |= *mark == word && (follows.is_none() || *follows == next);
            }
            rest = behind;
        }
        found.into_iter().filter(|f| *f).count()
    }
}

#[cfg(test)]
mod tests {
    use crate::languages::language_of_text;

    fn recognised(text: &str) -> Option<&'static str> {
        language_of_text(text).map(|l| l.name())
    }

    #[test]
    fn a_text_is_recognised_by_the_words_of_its_language() {
        assert_eq!(recognised("init { skip }"), Some("promela"));
        assert_eq!(recognised("#include \"a.pml\"\n"), Some("promela"));
        assert_eq!(recognised("#include \"x\"\nactive proctype P() { skip }"), Some("promela"));
        assert_eq!(recognised("MODULE main\nVAR init : boolean;\nASSIGN init(init) := TRUE;"), Some("smv"));
        assert_eq!(recognised("-- init {\nMODULE main VAR x : {byte, chan};"), None);
    }

    #[test]
    fn words_in_comments_do_not_count() {
        assert_eq!(recognised("/* MODULE main VAR ASSIGN */ init { skip }"), Some("promela"));
        assert_eq!(recognised("-- a proctype of byte and chan\nMODULE main"), Some("smv"));
        assert_eq!(recognised("/-- do od\n proctype --/ MODULE main"), Some("smv"));
        assert_eq!(recognised("// MODULE"), None);
    }

    #[test]
    fn a_text_without_marks_has_no_language() {
        for text in ["", "hello", "int main() { return 0; }", "\u{feff}\u{0}é", "/* proctype"] {
            assert_eq!(recognised(text), None, "{text}");
        }
    }
}
