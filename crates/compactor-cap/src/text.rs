//! A text in pieces, which are put together as far as they are needed and no further.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

/// The text that its pieces make together.
#[derive(Debug, Clone, Default)]
pub(crate) struct Text<'a> {
    first: Cow<'a, str>,
    others: Vec<Cow<'a, str>>,
}

impl<'a> Text<'a> {
    /// Adds a piece at the end.
    #[cfg(any(test, feature = "serde_json"))]
    pub(crate) fn push(&mut self, piece: Cow<'a, str>) {
        match self.first.is_empty() {
            true => self.first = piece,
            false => self.others.push(piece),
        }
    }

    /// In bytes.
    pub(crate) fn len(&self) -> usize {
        self.pieces().map(str::len).fold(0, usize::saturating_add)
    }

    pub(crate) fn pieces(&self) -> impl DoubleEndedIterator<Item = &str> + Clone {
        let others = self.others.iter().map(|piece| piece.as_ref());
        [self.first.as_ref()].into_iter().chain(others)
    }

    /// All of it; borrowed where it is one piece.
    pub(crate) fn whole(&self) -> Cow<'_, str> {
        self.start(usize::MAX)
    }

    /// All of it if it has no more than `least` bytes, else a start of it with more than `least`.
    pub(crate) fn start(&self, least: usize) -> Cow<'_, str> {
        if self.others.is_empty() || self.first.len() > least {
            return Cow::Borrowed(&self.first);
        }
        // No scalar is longer than the spare bytes.
        let most = least.saturating_add(4).min(self.len());
        let mut start = String::with_capacity(most);
        for piece in self.pieces() {
            let (piece, behind) = piece.split_at(floor(piece, most.saturating_sub(start.len())));
            start.push_str(piece);
            if !behind.is_empty() {
                break;
            }
        }
        Cow::Owned(start)
    }

    /// What follows the first `length` bytes, in pieces.
    pub(crate) fn after(&self, length: usize) -> impl Iterator<Item = &str> + Clone {
        let mut left = length;
        self.pieces().map(move |piece| {
            let (before, behind) = piece.split_at(left.min(piece.len()));
            left = left.saturating_sub(before.len());
            behind
        })
    }

    /// The first `length` bytes, a scalar boundary; borrowed where the first piece has them.
    pub(crate) fn first(&self, length: usize) -> Cow<'_, str> {
        if length <= self.first.len() {
            return self.first.split_at(length).0.into();
        }
        let mut start = self.start(length).into_owned();
        start.truncate(length);
        start.into()
    }

    /// As [`first`](Self::first); a first piece that is owned is not copied.
    pub(crate) fn into_start(self, length: usize) -> Cow<'a, str> {
        match self.first {
            Cow::Borrowed(text) if length <= text.len() => text.split_at(length).0.into(),
            Cow::Owned(mut text) if length <= text.len() => {
                text.truncate(length);
                text.shrink_to_fit();
                text.into()
            }
            _ => self.first(length).into_owned().into(),
        }
    }
}

impl<'a> From<Cow<'a, str>> for Text<'a> {
    fn from(text: Cow<'a, str>) -> Self {
        let others = Vec::new();
        Self {
            first: text,
            others,
        }
    }
}

/// The same text in other pieces is the same.
impl PartialEq for Text<'_> {
    fn eq(&self, other: &Self) -> bool {
        let bytes = self.pieces().flat_map(str::bytes);
        self.len() == other.len() && bytes.eq(other.pieces().flat_map(str::bytes))
    }
}

impl Eq for Text<'_> {}

/// The last scalar boundary at or before `at`.
fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at = at.saturating_sub(1);
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text<'a>(pieces: &[&'a str]) -> Text<'a> {
        let mut text = Text::default();
        for piece in pieces {
            text.push((*piece).into());
        }
        text
    }

    #[test]
    fn no_more_is_put_together_than_is_asked_for() {
        let long = "é".repeat(1_000);
        let text = text(&["", "0123", &long, &long]);
        assert_eq!(text.len(), 4_004);
        for least in 0..4_100 {
            let start = text.start(least);
            assert!(text.whole().starts_with(&*start));
            let (shortest, longest) = ((least + 1).min(4_004), least.max(4) + 4);
            assert!((shortest..=longest).contains(&start.len()), "{least}");
        }
        assert_eq!(text.start(3), Cow::Borrowed("0123"));
    }

    #[test]
    fn pieces_are_one_text_wherever_they_are_parted() {
        let whole = "aé日🎉\u{301}\r\n";
        for (one, _) in whole.char_indices() {
            let (first, rest) = whole.split_at(one);
            for (two, _) in rest.char_indices() {
                let (second, third) = rest.split_at(two);
                let parted = text(&[first, second, third]);
                assert_eq!(parted, text(&[whole]));
                assert_ne!(parted, text(&["aé日🎉\u{301}\r", "\r"]));
                for (at, _) in whole.char_indices().chain([(whole.len(), ' ')]) {
                    let (start, behind) = whole.split_at(at);
                    assert_eq!(parted.after(at).collect::<String>(), behind);
                    assert_eq!(parted.first(at), start);
                    assert_eq!(parted.clone().into_start(at), start);
                }
            }
        }
    }
}
