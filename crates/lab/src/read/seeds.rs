//! Lists of numbers that are written as words.

/// The most numbers that a text may stand for.
const MOST: u64 = 1_000_000;

/// Reads `A to B`, `A to B step S` or `N primes from A`.
pub(super) fn numbers(text: &str) -> Result<Vec<u64>, String> {
    let words: Vec<&str> = text.split_whitespace().filter(|w| *w != "the").collect();
    let number = |word: &str| word.parse::<u64>().map_err(|_| format!("`{word}` is no number"));
    match words.as_slice() {
        [one] => Ok(vec![number(one)?]),
        [from, "to", to] => range(number(from)?, number(to)?, 1),
        [from, "to", to, "step", step] => range(number(from)?, number(to)?, number(step)?),
        [count, "primes", "from", from] => {
            let (count, from) = (number(count)?, number(from)?);
            if count == 0 || count > 10_000 || from > 1 << 40 {
                return Err(format!("`{text}` asks for no primes, or for too many, or for too large ones"));
            }
            Ok((from..).filter(|&n| is_prime(n)).take(count as usize).collect())
        }
        _ => Err(format!(
            "`{text}` is no list of numbers; write [1, 2], `1 to 50`, `10 to 150 step 10` or `50 primes from 23`"
        )),
    }
}

fn range(from: u64, to: u64, step: u64) -> Result<Vec<u64>, String> {
    if from > to || step == 0 {
        return Err(format!("there are no numbers from {from} to {to} in steps of {step}"));
    }
    if (to - from) / step >= MOST {
        return Err(format!("there are more than {MOST} numbers from {from} to {to}"));
    }
    Ok((from..=to).step_by(step as usize).collect())
}

fn is_prime(n: u64) -> bool {
    n >= 2 && (2..).take_while(|d| d * d <= n).all(|d| !n.is_multiple_of(d))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fifty_primes_from_23_end_with_271() {
        let primes = numbers("the 50 primes from 23").unwrap();
        assert_eq!((primes.len(), primes[0], primes[1], primes[49]), (50, 23, 29, 271));
    }

    #[test]
    fn ranges_include_their_end_and_may_have_steps() {
        assert_eq!(numbers("3 to 11 step 2").unwrap(), [3, 5, 7, 9, 11]);
        assert_eq!(numbers("2 to 4").unwrap(), [2, 3, 4]);
        assert_eq!(numbers("7").unwrap(), [7]);
    }

    #[test]
    fn what_is_no_list_says_so() {
        assert_eq!(numbers("5 to 2").unwrap_err(), "there are no numbers from 5 to 2 in steps of 1");
        assert_eq!(numbers("x to 2").unwrap_err(), "`x` is no number");
        assert!(numbers("a few").unwrap_err().contains("is no list of numbers"));
        assert!(numbers("1 to 99999999999").unwrap_err().contains("more than"));
    }
}
