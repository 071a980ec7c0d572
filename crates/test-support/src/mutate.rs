//! Deterministic mutations of texts.

use std::ops::Range;

/// A random number generator (xorshift64*).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `n`, which is not zero.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        ((self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % n as u64) as usize
    }
}

/// A mutant of one of `seeds`, with some of `words` inserted; neither may be empty.
pub fn mutant(seeds: &[String], words: &[&str], random: &mut Random) -> String {
    let mut bytes = seeds[random.below(seeds.len())].clone().into_bytes();
    for _ in 0..=random.below(6) {
        mutate(&mut bytes, seeds, words, random);
        bytes.truncate(1 << 16);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn mutate(bytes: &mut Vec<u8>, seeds: &[String], words: &[&str], random: &mut Random) {
    let from = random.below(bytes.len() + 1);
    let length = if random.below(4) == 0 { random.below(400) } else { random.below(12) };
    let to = (from + length).min(bytes.len());
    match random.below(9) {
        0 => drop(bytes.drain(from..to)),
        1 => bytes.truncate(from),
        2 | 3 => insert(bytes, from, words[random.below(words.len())].as_bytes()),
        4 => {
            let word = words[random.below(words.len())].as_bytes();
            bytes.splice(from..to, word.iter().copied());
        }
        5 => {
            let piece = bytes[from..to].to_vec();
            insert(bytes, from, &piece);
        }
        6 => {
            let times = 1 << random.below(11);
            let piece = bytes[from..to.min(from + 16)].repeat(times);
            insert(bytes, from, &piece);
        }
        7 => {
            let other = seeds[random.below(seeds.len())].as_bytes();
            let start = random.below(other.len() + 1);
            let piece = &other[start..(start + length).min(other.len())];
            insert(bytes, from, piece);
        }
        _ => {
            if let Some(byte) = bytes.get_mut(from) {
                *byte = random.below(256) as u8;
            }
        }
    }
}

fn insert(bytes: &mut Vec<u8>, at: usize, piece: &[u8]) {
    bytes.splice(at..at, piece.iter().copied());
}

/// A mutant of one of `seeds` that is likely to be accepted: some of its words and numbers are replaced by others of the same
/// text, and some lines removed or repeated.
pub fn gentle_mutant(seeds: &[String], random: &mut Random) -> String {
    const NUMBERS: [&str; 10] = ["0", "1", "2", "3", "7", "8", "31", "32", "255", "256"];
    let mut text = seeds[random.below(seeds.len())].clone();
    for _ in 0..=random.below(3) {
        let words = words(&text);
        let lines: Vec<_> = text.split_inclusive('\n').map(str::to_owned).collect();
        if words.is_empty() || random.below(4) == 0 {
            let mut lines = lines;
            let at = random.below(lines.len().max(1)).min(lines.len());
            match (lines.get(at).cloned(), random.below(2)) {
                (Some(_), 0) => drop(lines.remove(at)),
                (Some(line), _) => lines.insert(random.below(lines.len() + 1), line),
                (None, _) => {}
            }
            text = lines.concat();
            continue;
        }
        let old = words[random.below(words.len())].clone();
        let is_number = |range: &Range<usize>| text.as_bytes()[range.start].is_ascii_digit();
        let new = match is_number(&old) {
            true if random.below(2) == 0 => NUMBERS[random.below(NUMBERS.len())].to_owned(),
            number => {
                let same: Vec<_> = words.iter().filter(|w| is_number(w) == number).collect();
                text[same[random.below(same.len())].clone()].to_owned()
            }
        };
        text.replace_range(old, &new);
    }
    text
}

/// Where the words and numbers of a text are.
fn words(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for (at, byte) in text.bytes().enumerate().filter(|(_, b)| b.is_ascii_alphanumeric() || *b == b'_') {
        match found.last_mut() {
            Some(last)
                if last.end == at && (byte.is_ascii_digit() || !text.as_bytes()[last.start].is_ascii_digit()) =>
            {
                last.end = at + 1;
            }
            _ => found.push(at..at + 1),
        }
    }
    found
}
