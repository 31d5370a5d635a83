//! A question as runs of characters: words with their joints, and scripts without spaces.

use crate::script::Class;

/// A stretch of a question.
pub(super) enum Run<'a> {
    /// A word with its joints.
    Word(&'a str),
    /// Characters of a script without spaces.
    Unspaced(&'a str),
}

/// Maximal runs of word characters with single joints between them, and of unspaced characters.
pub(super) fn runs(text: &str) -> Vec<Run<'_>> {
    let mut runs = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let unspaced = Class::of(first) == Class::Unspaced;
        let length = match Class::of(first) {
            Class::End | Class::Mark => {
                rest = rest.split_at(first.len_utf8()).1;
                continue;
            }
            Class::Unspaced => length_while(rest, |class| class == Class::Unspaced),
            _ => word_length(rest),
        };
        let (run, after) = rest.split_at(length.max(first.len_utf8()));
        runs.push(match unspaced {
            true => Run::Unspaced(run),
            false => Run::Word(run),
        });
        rest = after;
    }
    runs
}

fn length_while(text: &str, wanted: impl Fn(Class) -> bool) -> usize {
    let end = text.char_indices().find(|(_, c)| {
        let class = Class::of(*c);
        class != Class::Mark && !wanted(class)
    });
    end.map_or(text.len(), |(index, _)| index)
}

fn is_word(class: Class) -> bool {
    matches!(class, Class::Lower | Class::Upper | Class::Digit)
}

/// The length of a word with its joints: `foo_bar`, `a.b.c`, `10:30`, `x-y`.
fn word_length(text: &str) -> usize {
    let mut length = length_while(text, is_word);
    loop {
        let (_, after) = text.split_at(length);
        let joint = after.chars().take_while(|c| JOINTS.contains(*c)).count();
        let (_, next) = after.split_at(if joint <= 2 { joint } else { 0 });
        let more = length_while(next, is_word);
        if joint == 0 || joint > 2 || more == 0 {
            return length;
        }
        length += joint + more;
    }
}

/// The parts of a compound, split at joints, at case and between letters and digits.
pub(super) fn parts(word: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let classes: Vec<(usize, Class)> = word
        .char_indices()
        .map(|(index, c)| (index, Class::of(c)))
        .collect();
    // A mark is what it belongs to.
    let mut last = classes.first().map_or(Class::End, |(_, class)| *class);
    for (at, (index, next)) in classes.iter().enumerate().skip(1) {
        let after = classes.get(at + 1).map_or(Class::End, |(_, class)| *class);
        if last.splits(*next, after) {
            parts.extend(word.get(start..*index));
            start = *index;
        }
        if *next != Class::Mark {
            last = *next;
        }
    }
    parts.extend(word.get(start..));
    parts.retain(|part| part.chars().any(|c| is_word(Class::of(c))));
    parts
}

/// What may stand inside a compound.
pub(super) const JOINTS: &str = "_-./:'’+@#";
