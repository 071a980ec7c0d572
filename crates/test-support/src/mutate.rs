//! Deterministic mutations of texts.

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
