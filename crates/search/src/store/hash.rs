//! Hashes of byte strings and of pairs of numbers.
//!
//! A hash depends on the bytes alone, not on ids, so it is the same in every run. Each word costs one multiplication to 128
//! bits, folded (the step of wyhash).

use super::stable_array::load;
use super::sync::AtomicU64;

const LEFT: u64 = 0x9e37_79b9_7f4a_7c15;
const RIGHT: u64 = 0xd1b5_4a32_d192_ed03;

/// The hash of a pair.
#[inline]
pub(crate) fn of_pair(left: u64, right: u64) -> u64 {
    let product = u128::from(left ^ LEFT) * u128::from(right ^ RIGHT);
    product as u64 ^ (product >> 64) as u64
}

/// The hash of a byte string.
#[inline]
pub(crate) fn of_bytes(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks();
    let sum = words.iter().fold(bytes.len() as u64, |hash, &word| of_pair(hash, u64::from_le_bytes(word)));
    of_pair(sum.rotate_left(32), tail(bytes, rest.len()))
}

/// The same for `len` bytes that are kept as words, the last one padded with zeros.
pub(crate) fn of_words(len: usize, mut words: impl Iterator<Item = u64>) -> u64 {
    let sum = words.by_ref().take(len / 8).fold(len as u64, of_pair);
    of_pair(sum.rotate_left(32), words.next().unwrap_or(0))
}

/// Bytes as words, the last one padded with zeros.
pub(crate) fn words(bytes: &[u8]) -> impl Iterator<Item = u64> {
    let (words, rest) = bytes.as_chunks();
    let last = (!rest.is_empty()).then(|| tail(bytes, rest.len()));
    words.iter().map(|&word| u64::from_le_bytes(word)).chain(last)
}

/// Whether these are the words of some bytes.
#[inline]
pub(crate) fn is_words(words: &[AtomicU64], bytes: &[u8]) -> bool {
    let (whole, rest) = bytes.as_chunks();
    let same = |(word, &bytes): (&AtomicU64, &[u8; 8])| load(word) == u64::from_le_bytes(bytes);
    let last = || rest.is_empty() || load(&words[whole.len()]) == tail(bytes, rest.len());
    words.iter().zip(whole).all(same) && last()
}

/// The bytes behind the last whole word, as a word.
pub(crate) fn last_word(bytes: &[u8]) -> u64 {
    tail(bytes, bytes.len() % 8)
}

/// The last `rest` bytes, fewer than eight, as a word. Overlapping reads are cheaper than a copy of variable length.
#[inline]
fn tail(bytes: &[u8], rest: usize) -> u64 {
    if rest == 0 {
        return 0;
    }
    if let Some(last) = bytes.last_chunk::<8>() {
        return u64::from_le_bytes(*last) >> (8 * (8 - rest));
    }
    match (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        (Some(&first), Some(&last)) => {
            u64::from(u32::from_le_bytes(first)) | u64::from(u32::from_le_bytes(last)) << (8 * (rest - 4))
        }
        _ => {
            let at = |i: usize| u64::from(bytes[i]) << (8 * i);
            at(0) | at(rest / 2) | at(rest - 1)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_the_bytes_and_both_ways_to_hash_them_agree() {
        let bytes: Vec<u8> = (1..=40).collect();
        for len in 0..=bytes.len() {
            let part = &bytes[..len];
            let mut padded = part.to_vec();
            padded.resize(len.next_multiple_of(8), 0);
            let (expected, _) = padded.as_chunks();
            let expected: Vec<u64> = expected.iter().map(|&w| u64::from_le_bytes(w)).collect();
            assert_eq!(words(part).collect::<Vec<u64>>(), expected);
            assert_eq!(of_words(len, words(part)), of_bytes(part), "{len} bytes");
        }
    }

    #[test]
    fn hashes_of_strings_that_differ_only_in_their_length_differ() {
        let zeros = [0; 32];
        let mut hashes: Vec<u64> = (0..=32).map(|len| of_bytes(&zeros[..len])).collect();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), 33);
    }
}
