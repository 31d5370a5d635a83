//! Header lines: the names in them, and what in a text looks like one.

use alloc::borrow::Cow;
use alloc::borrow::ToOwned as _;
use alloc::collections::BTreeSet;
use alloc::format;
use core::fmt::{self, Write as _};

use artifacts_core::Limit;

/// Adds to `used` with how many brackets the lines of `text` begin that look like a header.
///
/// A marker line, which begins with `[... `, is no header.
pub(super) fn note_brackets(text: &str, used: &mut BTreeSet<usize>) {
    for (at, _) in text.match_indices('[') {
        let (before, from) = text.split_at(at);
        // Most brackets follow a letter or a space.
        if before.ends_with(|c: char| c.is_ascii() && !c.is_ascii_control()) {
            continue;
        }
        if !before.is_empty() && !before.ends_with(is_break) {
            continue;
        }
        let name = from.trim_start_matches('[');
        let count = from.len().saturating_sub(name.len());
        if !name.starts_with("... ") && !used.contains(&count) {
            let line = name.split(is_break).next().unwrap_or_default();
            if line.trim_end().ends_with(']') {
                used.insert(count);
            }
        }
    }
}

/// The smallest number of brackets that is not `used`. Texts of n characters use at most about
/// sqrt(2 n) of them in a row, so that headers stay short.
pub(super) fn unused(used: &BTreeSet<usize>) -> usize {
    let counts = (1..).zip(used).take_while(|(count, used)| count == *used);
    counts.count().saturating_add(1)
}

/// A name from outside, short and on one line (SPEC 3.3).
pub(super) fn named(name: Cow<'_, str>) -> Cow<'_, str> {
    // Nearly every name is a short word.
    let is_plain = name.bytes().all(|byte| byte.is_ascii_graphic());
    if is_plain && name.len() as u64 <= NAME_GRAPHEMES && !name.starts_with('.') {
        return name;
    }
    let name = match name.contains(breaks_line) {
        true => name.chars().filter(|c| !breaks_line(*c)).collect(),
        false => name,
    };
    let name = match name.starts_with('.') {
        true => name.trim_start_matches('.').to_owned().into(),
        false => name,
    };
    // A name of so few bytes has no more characters.
    if name.len() as u64 <= NAME_GRAPHEMES {
        return name;
    }
    let cut = Limit::graphemes(NAME_GRAPHEMES).map(|limit| limit.prefix(&name));
    match cut {
        Ok(cut) if !cut.rest().is_empty() => format!("{}…", cut.head()).into(),
        _ => name,
    }
}

/// A character so many times.
pub(super) struct Repeated(pub(super) char, pub(super) usize);

impl fmt::Display for Repeated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (0..self.1).try_for_each(|_| f.write_char(self.0))
    }
}

fn breaks_line(c: char) -> bool {
    c.is_control() || is_break(c)
}

fn is_break(c: char) -> bool {
    matches!(
        c,
        '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}'
    )
}

const NAME_GRAPHEMES: u64 = 100;
