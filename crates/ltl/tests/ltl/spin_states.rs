//! The number of states of Spin's automata and of ours.
//!
//! Spin's numbers are those of Debian's Spin 6.5.2. A state is a label of the never claim; adjacent labels name the same
//! state. Each number is printed by
//!
//! ```text
//! spin -f 'FORMULA' | awk '/^[A-Za-z0-9_]+:/ { n += !label; label = 1; next } { label = 0 } END { print n }'
//! ```
//!
//! and checked by the test `the_table_is_what_spin_says` if Spin is installed. Debian's Spin is built without `X`, and its
//! `-f` does not accept `W`, which is expanded.

use Spin::{NoNext, States, TooSlow};

/// The result of Spin for a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spin {
    States(usize),
    /// No result within a minute.
    TooSlow,
    /// The formula has an `X`.
    NoNext,
}

/// Every formula of the table and its negation, with Spin's and our number of states.
pub(crate) fn sizes() -> impl Iterator<Item = (String, Spin, usize)> {
    SIZES.iter().flat_map(|&(formula, (spin, ours), (spin_negated, ours_negated))| {
        [(formula.to_owned(), spin, ours), (format!("!({formula})"), spin_negated, ours_negated)]
    })
}

/// A formula with Spin's and our number of states, for the formula and for its negation.
type Sizes = (&'static str, (Spin, usize), (Spin, usize));

#[rustfmt::skip]
const SIZES: &[Sizes] = &[
    // The operators and common combinations.
    ("p", (States(2), 2), (States(2), 2)),
    ("!p", (States(2), 2), (States(2), 2)),
    ("p && q", (States(2), 2), (States(2), 2)),
    ("p || q", (States(2), 2), (States(2), 2)),
    ("[]p", (States(1), 1), (States(2), 2)),
    ("<>p", (States(2), 2), (States(1), 1)),
    ("p U q", (States(2), 2), (States(2), 2)),
    ("p V q", (States(2), 2), (States(2), 2)),
    ("[]<>p", (States(2), 2), (States(2), 2)),
    ("<>[]p", (States(2), 2), (States(2), 2)),
    ("[]p || <>q", (States(4), 4), (States(2), 2)),
    ("[]p && <>q", (States(2), 2), (States(4), 4)),
    ("<>p && <>q", (States(4), 4), (States(3), 3)),
    ("<>p || []q", (States(4), 4), (States(2), 2)),
    ("[](p && q)", (States(1), 1), (States(2), 2)),
    ("<>(p || q)", (States(2), 2), (States(1), 1)),
    ("[](p -> q)", (States(1), 1), (States(2), 2)),
    ("[](p -> <>q)", (States(4), 2), (States(2), 2)),
    ("[](p -> []q)", (States(2), 2), (States(3), 3)),
    ("[](p -> (q U r))", (States(4), 2), (States(3), 3)),
    ("[]<>p -> []<>q", (States(5), 4), (States(3), 3)),
    ("[]<>p && []<>q", (States(3), 3), (States(3), 3)),
    ("[]<>p || []<>q", (States(5), 2), (States(4), 2)),
    ("<>[]p && <>[]q", (States(4), 2), (States(5), 2)),
    ("<>[]p || <>[]q", (States(3), 3), (States(3), 3)),
    ("<>[]p -> []<>q", (States(5), 2), (States(4), 2)),
    ("[]<>p -> <>[]q", (States(3), 3), (States(3), 3)),
    ("([]<>p && []<>q) -> []<>r", (States(6), 5), (States(4), 4)),
    ("([]<>p && []<>q) -> [](r -> <>s)", (States(8), 6), (States(4), 4)),
    ("([]<>p -> []<>q) && ([]<>r -> []<>s)", (States(15), 9), (States(7), 5)),
    ("[](p -> <>q) && [](r -> <>s)", (States(10), 7), (States(3), 3)),
    ("[]<>p -> [](q -> <>r)", (States(7), 5), (States(3), 3)),
    ("<>(p && <>(q && <>r))", (States(4), 4), (States(3), 3)),
    ("<>(p && []q)", (States(2), 2), (States(4), 2)),
    ("[](p || []q)", (States(2), 2), (States(3), 3)),
    ("[](p -> <>(q && <>r))", (States(10), 6), (States(4), 3)),
    ("(p U q) U r", (States(4), 4), (States(3), 3)),
    ("p U (q U r)", (States(3), 3), (States(3), 3)),
    ("(p V q) V r", (States(3), 3), (States(4), 4)),
    ("p V (q V r)", (States(3), 3), (States(3), 3)),
    ("(p U q) && (r U s)", (States(4), 4), (States(4), 4)),
    ("(p U q) || (r U s)", (States(4), 4), (States(4), 4)),
    ("<>p U []q", (States(4), 3), (States(6), 3)),
    ("[]p U <>q", (States(2), 2), (States(1), 1)),
    ("[](p U q)", (States(2), 2), (States(3), 3)),
    ("<>(p V q)", (States(3), 3), (States(2), 2)),
    ("p <-> <>q", (States(4), 4), (States(5), 4)),
    ("[]p <-> <>q", (States(5), 3), (States(8), 6)),
    // Etessami and Holzmann, CONCUR 2000 (those without next).
    ("p U (q && []r)", (States(2), 2), (States(7), 4)),
    ("<>[]q || []<>p", (States(5), 4), (States(3), 3)),
    ("[]<>p && []<>q && []<>r && []<>s && []<>t", (TooSlow, 6), (States(6), 6)),
    ("(p U (q U r)) || (q U (r U p)) || (r U (p U q))", (States(8), 2), (States(27), 2)),
    ("[](p -> (q U ([]r || []s)))", (States(8), 4), (States(15), 8)),
    // Somenzi and Bloem, CAV 2000 (those without next).
    ("[]p U q", (States(4), 4), (States(4), 3)),
    ("<><>p <-> <>p", (States(2), 1), (States(2), 1)),
    ("[]<>p <-> []<>q", (States(8), 5), (States(9), 5)),
    ("p V (p || q)", (States(2), 2), (States(2), 2)),
    ("[]<>p || <>[]q", (States(5), 4), (States(3), 3)),
    ("[](<>p && <>q)", (States(3), 3), (States(3), 3)),
    ("<>p && <>!p", (States(4), 4), (States(3), 3)),
    ("([](q || []<>p) && [](r || []<>!p)) || []q || []r", (States(13), 11), (States(23), 6)),
    ("([](q || <>[]p) && [](r || <>[]!p)) || []q || []r", (States(17), 8), (States(18), 8)),
    ("(p U p) || (q U p)", (States(2), 2), (States(2), 2)),
    // Dwyer, Avrunin and Corbett, ICSE 1999: absence.
    ("[]!p", (States(1), 1), (States(2), 2)),
    ("<>r -> (!p U r)", (States(4), 4), (States(3), 3)),
    ("[](q -> []!p)", (States(2), 2), (States(3), 3)),
    ("[]((q && !r && <>r) -> (!p U r))", (States(7), 3), (States(4), 4)),
    ("[]((q && !r) -> ([]!p || (!p U r)))", (States(8), 2), (States(6), 3)),
    // ... existence
    ("[]!r || (!r U (p && !r))", (States(4), 2), (States(5), 2)),
    ("[]!q || <>(q && <>p)", (States(5), 5), (States(3), 2)),
    ("[]((q && !r) -> ([]!r || (!r U (p && !r))))", (States(8), 2), (States(6), 3)),
    ("[]((q && !r) -> (!r U (p && !r)))", (States(4), 2), (States(3), 3)),
    // ... bounded existence
    ("[]!p || (!p U ([]p || (p U ([]!p || (!p U ([]p || (p U []!p)))))))", (States(6), 5), (TooSlow, 7)),
    ("<>r -> ((!p && !r) U (r || ((p && !r) U (r || ((!p && !r) U (r || ((p && !r) U (r || (!p U r)))))))))", (States(8), 8), (TooSlow, 7)),
    ("<>q -> (!q U (q && ([]!p || (!p U ([]p || (p U ([]!p || (!p U ([]p || (p U []!p))))))))))", (States(9), 6), (TooSlow, 8)),
    ("[]((q && <>r) -> ((!p && !r) U (r || ((p && !r) U (r || ((!p && !r) U (r || ((p && !r) U (r || (!p U r))))))))))", (TooSlow, 11), (TooSlow, 8)),
    ("[](q -> ((!p && !r) U (r || ((p && !r) U (r || ((!p && !r) U (r || ((p && !r) U (r || (([]!p || (!p U r)) || []p))))))))))", (TooSlow, 10), (TooSlow, 7)),
    // ... universality
    ("<>r -> (p U r)", (States(4), 4), (States(3), 3)),
    ("[](q -> []p)", (States(2), 2), (States(3), 3)),
    ("[]((q && !r && <>r) -> (p U r))", (States(7), 3), (States(4), 4)),
    ("[]((q && !r) -> ([]p || (p U r)))", (States(8), 2), (States(6), 3)),
    // ... precedence
    ("[]!p || (!p U s)", (States(4), 2), (States(5), 2)),
    ("<>r -> (!p U (s || r))", (States(4), 4), (States(4), 3)),
    ("[]!q || <>(q && ([]!p || (!p U s)))", (States(6), 5), (States(14), 3)),
    ("[]((q && !r && <>r) -> (!p U (s || r)))", (States(8), 3), (States(5), 4)),
    ("[]((q && !r) -> ([]!p || (!p U (s || r))))", (States(8), 2), (States(6), 3)),
    // ... response
    ("[](p -> <>s)", (States(4), 2), (States(2), 2)),
    ("<>r -> ((p -> (!r U (s && !r))) U r)", (States(5), 5), (States(6), 3)),
    ("[](q -> [](p -> <>s))", (States(6), 3), (States(3), 3)),
    ("[]((q && !r && <>r) -> ((p -> (!r U (s && !r))) U r))", (States(10), 4), (States(7), 4)),
    ("[]((q && !r) -> ([](p -> (!r U (s && !r))) || ((p -> (!r U (s && !r))) U r)))", (States(15), 3), (States(9), 4)),
    // Etessami and Holzmann, with next.
    ("p U (q && X (r U s))", (NoNext, 3), (NoNext, 4)),
    ("p U (q && X (r && <>(s && X <>(t && X <>(u && X <>v)))))", (NoNext, 7), (NoNext, 8)),
    ("<>(p && X []q)", (NoNext, 2), (NoNext, 3)),
    ("<>(p && X (q && X <>r))", (NoNext, 4), (NoNext, 3)),
    ("<>(q && X (p U r))", (NoNext, 3), (NoNext, 2)),
    ("<>(p && X <>(q && X <>(r && X <>s)))", (NoNext, 5), (NoNext, 4)),
    // Somenzi and Bloem, with next.
    ("(X p U X q) || !X (p U q)", (NoNext, 1), (NoNext, 1)),
    ("(X p U q) || !X (p U (p && q))", (NoNext, 4), (NoNext, 1)),
    ("[](p -> <>q) && ((X p U q) || !X (p U (p && q)))", (NoNext, 6), (NoNext, 2)),
    ("[](p -> <>q) && ((X p U X q) || !X (p U q))", (NoNext, 2), (NoNext, 2)),
    ("[](p -> X (q V r))", (NoNext, 2), (NoNext, 3)),
    ("(X q && r) V X (((s U p) V r) U (s V r))", (NoNext, 5), (NoNext, 4)),
    ("[](q || X []p) && [](r || X []!p)", (NoNext, 3), (NoNext, 4)),
    ("[](q || (X p && X !p))", (NoNext, 1), (NoNext, 2)),
    // Dwyer, Avrunin and Corbett: chains.
    ("<>p -> (!p U (s && !p && X (!p U t)))", (NoNext, 3), (NoNext, 3)),
    ("<>(s && X <>t) -> (!s U p)", (NoNext, 5), (NoNext, 3)),
    ("[]((s && X <>t) -> X <>(t && <>p))", (NoNext, 9), (NoNext, 3)),
    ("[](p -> <>(s && X <>t))", (NoNext, 6), (NoNext, 3)),
    ("[](p -> <>(s && !z && X (!z U t)))", (NoNext, 6), (NoNext, 3)),
];
