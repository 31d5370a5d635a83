//! One compound of a question followed through a text, so that no character is compared twice.

use std::collections::VecDeque;

use crate::script::Class;

/// A compound in lower case, and how far its beginning was found in a text.
#[derive(Debug, Clone)]
pub(super) struct Compound {
    chars: Vec<char>,
    /// For each length of a beginning: how long the longest shorter beginning is that it ends with.
    borders: Vec<usize>,
}

/// Where in a text a beginning of a compound was found last.
#[derive(Debug, Default)]
pub(super) struct Progress {
    /// Where each of its characters starts, in bytes.
    starts: VecDeque<usize>,
    /// Where it ends.
    end: usize,
}

impl Compound {
    pub(super) fn new(text: &str) -> Self {
        let chars: Vec<char> = text.chars().collect();
        let mut borders = vec![0; 2.min(chars.len() + 1)];
        for next in chars.iter().skip(1) {
            let mut length = borders.last().copied().unwrap_or_default();
            while length > 0 && chars.get(length) != Some(next) {
                length = borders.get(length).copied().unwrap_or_default();
            }
            length += usize::from(chars.get(length) == Some(next));
            borders.push(length);
        }
        Self { chars, borders }
    }

    /// Where the compound ends if it starts at `start` and is whole. Later calls for the same text
    /// have a later `start`.
    ///
    /// This is the search of Knuth, Morris and Pratt, except that it looks only from where it is
    /// asked to: of what is known to be there, the ends that are a beginning again are.
    pub(super) fn end(&self, text: &str, start: usize, progress: &mut Progress) -> Option<usize> {
        if start >= progress.end {
            progress.starts.clear();
            progress.end = start;
        }
        while progress.starts.front().is_some_and(|first| *first < start) {
            let shorter = self.borders.get(progress.starts.len()).copied();
            let dropped = progress.starts.len() - shorter.unwrap_or_default();
            progress.starts.drain(..dropped);
        }
        if progress.starts.front().copied().unwrap_or(progress.end) != start {
            return None;
        }
        let (_, rest) = text.split_at(progress.end);
        let mut rest = rest.chars();
        while let Some(wanted) = self.chars.get(progress.starts.len()) {
            let c = rest.next()?;
            if c != *wanted && !c.to_lowercase().eq([*wanted]) {
                return None;
            }
            progress.starts.push_back(progress.end);
            progress.end += c.len_utf8();
        }
        let in_word = |c: char| !matches!(Class::of(c), Class::End | Class::Unspaced);
        let (before, _) = text.split_at(start);
        let goes_on =
            before.chars().next_back().is_some_and(in_word) || rest.next().is_some_and(in_word);
        (!goes_on).then_some(progress.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_is_told_as_if_it_were_looked_at_alone() {
        let compounds = ["a_a", "a_a_b", "a_b_a_b_a", "ab_ab_abc", "a"];
        let texts = [
            "A_a_a_a_b",
            "a_b_A_b_a_b_a_b_a",
            "ab_ab_ab_abc",
            "_a_a",
            "a_ab",
        ];
        for (compound, text) in compounds.iter().flat_map(|c| texts.map(|t| (c, t))) {
            let chars = Compound::new(compound);
            let mut progress = Progress::default();
            for (start, _) in text.char_indices() {
                let alone = chars.end(text, start, &mut Progress::default());
                let found = chars.end(text, start, &mut progress);
                assert_eq!(found, alone, "{compound} at {start} of {text}");
            }
        }
    }
}
