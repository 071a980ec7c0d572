use lurcher_search::Budget;

use super::*;
use crate::kernel::{Bdd, Kernel};

fn kernel(bits: u32) -> Kernel {
    Kernel::new(bits, &Budget::default().with_memory(Some(64 << 20))).unwrap()
}

/// The function of four bits with this truth table.
fn function(k: &Kernel, table: u32) -> Bdd {
    let mut f = k.constant(false);
    for row in (0..16).filter(|row| table >> row & 1 != 0) {
        let cube = k.literals((0..4).map(|b| (b, row >> b & 1 != 0))).unwrap();
        f = k.or(&f, &cube).unwrap();
    }
    f
}

/// The probability with which an assignment is drawn.
fn probability(sampler: &Sampler, bit: impl Fn(u32) -> bool) -> f64 {
    let mut probability = 1.0;
    sampler.descend(|b, share| {
        let share = share.unwrap_or(0.5);
        probability *= if bit(b) { share } else { 1.0 - share };
        bit(b)
    });
    probability
}

#[test]
fn every_member_of_every_set_of_four_bits_is_equally_likely() {
    let k = kernel(4);
    // All tables are 65,536; every 37th, and all with few members.
    for table in (1u32..1 << 16).filter(|t| t % 37 == 0 || t.count_ones() <= 2) {
        let sampler = Sampler::new(ArrayBdd::of(&function(&k, table), &[0, 1, 2, 3])).unwrap();
        let share = 1.0 / f64::from(table.count_ones());
        for row in 0..16 {
            let expected = if table >> row & 1 != 0 { share } else { 0.0 };
            let found = probability(&sampler, |b| row >> b & 1 != 0);
            assert!((found - expected).abs() < 1e-14, "table {table:#x}, row {row}: {found}");
        }
    }
}

#[test]
fn draws_have_the_frequencies_of_a_fair_choice() {
    let k = kernel(4);
    let table = 0b1011_0000_1110_0101u32;
    let sampler = Sampler::new(ArrayBdd::of(&function(&k, table), &[0, 1, 2, 3])).unwrap();
    let mut counts = [0u32; 16];
    let total = 90_000;
    for index in 0..total {
        let mut row = 0usize;
        sampler.draw(&mut Draws::of(5, index), |b| row |= 1 << b);
        counts[row] += 1;
    }
    let expected = total as f64 / f64::from(table.count_ones());
    let mut chi_square = 0.0;
    for (row, &count) in counts.iter().enumerate() {
        if table >> row & 1 == 0 {
            assert_eq!(count, 0);
        } else {
            chi_square += (f64::from(count) - expected).powi(2) / expected;
        }
    }
    // Eight degrees of freedom: 26.1 is exceeded once in a thousand.
    assert!(chi_square < 26.1, "{chi_square}: {counts:?}");
}

#[test]
fn sets_of_thousands_of_bits_are_drawn_from_fairly() {
    let bits = 3000;
    let k = kernel(bits);
    let all: Vec<u32> = (0..bits).collect();
    // Three parts of different sizes: the first bits say which, and 10, 11 and 12 other bits are fixed.
    let part = |first: [bool; 2], fixed: std::ops::Range<u32>| {
        let head = [(0, first[0]), (1, first[1])];
        k.literals(head.into_iter().chain(fixed.map(|b| (b, true)))).unwrap()
    };
    let parts = [part([false, false], 2980..2990), part([false, true], 500..511), part([true, false], 2..14)];
    let set = k.any(&parts).unwrap();
    let array = ArrayBdd::of(&set, &all);
    // 2^2998 / 2^10 + half of that + half of that again.
    let whole = crate::sets::Count::from(7).doubled(2998 - 12);
    assert_eq!(array.count(), whole);
    let sampler = Sampler::new(array).unwrap();
    let mut counts = [0u32; 3];
    let mut set_bits = 0u64;
    let total = 7000;
    for index in 0..total {
        let mut head = [false; 2];
        let mut draws = Draws::of(11, index);
        sampler.draw(&mut draws, |b| {
            if b < 2 {
                head[b as usize] = true;
            }
            set_bits += 1;
        });
        counts[usize::from(head[0]) * 2 + usize::from(head[1])] += 1;
    }
    for (count, expected) in counts.iter().zip([4000.0, 2000.0, 1000.0]) {
        assert!((f64::from(*count) - expected).abs() < 4.0 * 45.0, "{counts:?}");
    }
    let share = set_bits as f64 / (total as f64 * f64::from(bits));
    assert!((share - 0.5).abs() < 0.005, "{share}");
}
