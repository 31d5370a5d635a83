//! The vocabularies of OpenAI's models, counted by `tiktoken-rs`.

use std::fmt;

use artifacts_core::TokenEstimator;
use tiktoken_rs::CoreBPE;

/// A byte-pair vocabulary; what looks like a special token is counted as plain text.
///
/// Loading one takes a few hundred milliseconds the first time in a process.
///
/// The count is exact where every 128 KiB of the text have a space after a word, or a line that
/// does not begin with a space or a slash. Elsewhere, in a run of a million spaces for instance, it
/// may be off by a few tokens for each 128 KiB: no longer piece is given to the vocabulary, whose
/// patterns give up on a million spaces.
#[derive(Clone, Copy)]
pub struct Tiktoken {
    name: &'static str,
    vocabulary: &'static CoreBPE,
}

impl Tiktoken {
    /// The vocabulary of GPT-4o and the models after it.
    #[must_use]
    pub fn o200k() -> Self {
        Self {
            name: "o200k",
            vocabulary: tiktoken_rs::o200k_base_singleton(),
        }
    }

    /// The vocabulary of GPT-4.
    #[must_use]
    pub fn cl100k() -> Self {
        Self {
            name: "cl100k",
            vocabulary: tiktoken_rs::cl100k_base_singleton(),
        }
    }
}

impl TokenEstimator for Tiktoken {
    fn tokens(&self, text: &str) -> u64 {
        let counts =
            pieces(text, PIECE_BYTES).map(|piece| self.vocabulary.count_ordinary(piece) as u64);
        counts.fold(0, u64::saturating_add)
    }
}

impl fmt::Debug for Tiktoken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Tiktoken").field(&self.name).finish()
    }
}

/// `text` in pieces of at most `most` bytes (of one character if that is longer), between tokens
/// where there is such a place.
fn pieces(text: &str, most: usize) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (piece, behind) = rest.split_at(piece_end(rest, most));
        rest = behind;
        (!piece.is_empty()).then_some(piece)
    })
}

fn piece_end(text: &str, most: usize) -> usize {
    if text.len() <= most {
        return text.len();
    }
    let first = text.chars().next().map_or(0, char::len_utf8);
    let mut longest = most.max(first);
    while !text.is_char_boundary(longest) {
        longest -= 1;
    }
    let (piece, behind) = text.split_at(longest);
    let Some(mut after) = behind.chars().next() else {
        return longest;
    };
    let mut end = longest;
    for (at, before) in piece.char_indices().rev() {
        if parts(before, after) {
            return end;
        }
        (end, after) = (at, before);
    }
    longest
}

/// Whether no token of either vocabulary holds both characters, whatever is around them.
///
/// Their patterns match a space only at the start of a word or in a run of white space, and a line
/// break only at the end of a run or, with slashes, after punctuation.
fn parts(before: char, after: char) -> bool {
    match (before, after) {
        (_, ' ') => !before.is_whitespace(),
        ('\n', _) => !after.is_whitespace() && after != '/',
        _ => false,
    }
}

/// Far below the million steps after which the patterns give up.
const PIECE_BYTES: usize = 128 * 1024;

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "fn main() {\n    let path = \"/tmp/日本語\"; // it's 12345 \u{a0} wide\r\n\r\n}\n// \
        don't  stop!\n\n/ \t x\u{301} ́ \u{2003}\n \n\nNaïve Ⓐ\nⅣ १२३४ ½ - \n/usr —\n//\n";

    #[test]
    fn pieces_have_as_many_tokens_as_the_whole() {
        let text = TEXT.repeat(3);
        for vocabulary in [Tiktoken::o200k(), Tiktoken::cl100k()] {
            let count = |text: &str| vocabulary.vocabulary.count_ordinary(text);
            for (at, after) in text.char_indices() {
                let (left, right) = text.split_at(at);
                if left.chars().next_back().is_some_and(|c| parts(c, after)) {
                    assert_eq!(count(left) + count(right), count(&text), "{left:?}");
                }
            }
            for most in 40..90 {
                let counts = pieces(&text, most).map(count);
                assert_eq!(counts.sum::<usize>(), count(&text), "{most}");
            }
        }
    }

    #[test]
    fn a_text_without_such_places_is_taken_whole_all_the_same() {
        for text in ["", "a", "   ", "日本語日本語", "🇩🇪🇩🇪", "\n/\n/"] {
            for most in 0..8 {
                let pieces = pieces(text, most).collect::<Vec<_>>();
                assert_eq!(pieces.concat(), text);
                assert!(pieces.iter().all(|piece| piece.len() <= most.max(4)));
            }
        }
    }
}
