//! The parts of a word: where they start and end, and how they read in lower case.

use crate::script::Class;

/// A part of a word in lower case, without an allocation where it is ASCII.
#[derive(Default)]
pub(super) struct Lower {
    ascii: [u8; 32],
    other: String,
}

impl Lower {
    /// The part in lower case.
    pub(super) fn of<'a>(&'a mut self, part: &'a str) -> &'a str {
        // Half of the scripts have no capitals.
        let is_lower = |c: char| c.is_ascii_lowercase() || Class::of(c) == Class::Lower;
        let has_case = |c: char| !is_lower(c) && Class::of(c) != Class::Mark;
        if !part.contains(has_case) {
            return part;
        }
        match self.ascii.get_mut(..part.len()) {
            Some(ascii) if part.is_ascii() => {
                ascii.copy_from_slice(part.as_bytes());
                ascii.make_ascii_lowercase();
                std::str::from_utf8(ascii).unwrap_or_default()
            }
            _ => {
                self.other = part.to_lowercase();
                &self.other
            }
        }
    }
}

/// Whether a part of a word starts at `at`.
pub(super) fn starts_part(text: &str, at: usize) -> bool {
    let (before, after) = text.split_at(at);
    // A mark is what it belongs to, as in `part_end`: where the two say other things, each start of
    // a part looks through parts that others looked through.
    let mut before = before.chars().rev().map(Class::of);
    let Some(last) = before.find(|class| *class != Class::Mark) else {
        return true;
    };
    let mut after = after.chars().map(Class::of);
    let next = after.next().unwrap_or(Class::End);
    last.splits(next, after.next().unwrap_or(Class::End))
}

/// Where the part of a word that starts at `start` ends.
pub(super) fn part_end(text: &str, start: usize) -> usize {
    let (_, part) = text.split_at(start);
    let mut classes = part.char_indices().map(|(at, c)| (at, Class::of(c)));
    let Some((_, mut last)) = classes.next() else {
        return start;
    };
    let mut classes = classes.peekable();
    while let Some((at, class)) = classes.next() {
        let after = classes.peek().map_or(Class::End, |(_, class)| *class);
        if last.splits(class, after) {
            return start + at;
        }
        last = match class {
            Class::Mark => last,
            class => class,
        };
    }
    text.len()
}
