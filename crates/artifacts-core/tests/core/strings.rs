//! Strings that are hard to cut: every kind of scalar that joins its neighbours, in any order.

use proptest::prelude::*;

/// Scalars that join, break or look like something else, and a few that do nothing.
pub(crate) const HARD: &[char] = &[
    'a',
    'z',
    '0',
    ' ',
    '.',
    '"',
    '\\',
    '\n',
    '\n',
    '\r',
    '\t',
    '\0',
    '\u{1b}',
    '\u{7f}',
    '\u{85}',
    '\u{2028}',
    '\u{feff}',
    '\u{ad}',
    'é',
    'ß',
    'Ж',
    'ω',
    '日',
    '本',
    'ー',
    '가',
    '각',
    '\u{1100}',
    '\u{1160}',
    '\u{11a8}',
    '\u{a960}',
    '\u{d7b0}',
    '\u{301}',
    '\u{308}',
    '\u{200c}',
    '\u{200d}',
    '\u{200d}',
    '\u{fe0f}',
    '\u{20e3}',
    '\u{1f1e6}',
    '\u{1f1e7}',
    '\u{1f1ff}',
    '👩',
    '🎉',
    '❤',
    '©',
    '🏽',
    '\u{915}',
    '\u{937}',
    '\u{93c}',
    '\u{94d}',
    '\u{93f}',
    '\u{903}',
    '\u{0e33}',
    '\u{0e31}',
    '\u{0600}',
    '\u{0d4e}',
    '\u{110bd}',
    '\u{e0020}',
    '\u{e0001}',
    '\u{fffd}',
    '\u{10ffff}',
];

/// Strings of hard scalars, with runs of one scalar among them.
pub(crate) fn hard_string(pieces: std::ops::Range<usize>) -> impl Strategy<Value = String> {
    let piece = (
        prop::sample::select(HARD),
        prop_oneof![9 => 1..3_usize, 1 => 1..40_usize],
    )
        .prop_map(|(c, times)| String::from(c).repeat(times));
    let any = any::<char>().prop_map(String::from);
    let words = "[a-z ]{1,40}\n?";
    prop::collection::vec(prop_oneof![6 => piece, 1 => any, 1 => words], pieces)
        .prop_map(|pieces| pieces.concat())
}
