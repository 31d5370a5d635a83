//! Grapheme clusters of bytes that arrive piece by piece and need not be UTF-8.

use std::borrow::Cow;
use std::ops::ControlFlow;

use unicode_segmentation::UnicodeSegmentation as _;

/// Finds the ends of clusters. Each piece is joined to the last cluster before it, which is the
/// only one that can go on: a boundary depends on nothing before the boundary before it.
#[derive(Debug, Default)]
pub(crate) struct Clusters {
    carry: Vec<u8>,
    taken: u64,
}

impl Clusters {
    /// Finds the ends of the clusters after `offset`, which must be the end of one or 0.
    pub(crate) fn starting_at(offset: u64) -> Self {
        Self {
            carry: Vec::new(),
            taken: offset,
        }
    }

    /// Up to which offset bytes were taken.
    pub(crate) fn taken(&self) -> u64 {
        self.taken
    }

    /// How many of them belong to the cluster that may go on.
    pub(crate) fn carried(&self) -> usize {
        self.carry.len()
    }

    /// Takes the next bytes and calls `found` with the offset of the end of every cluster that is
    /// complete; the last one is when `is_end`.
    pub(crate) fn take(
        &mut self,
        piece: &[u8],
        is_end: bool,
        mut found: impl FnMut(u64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let base = self.taken - self.carry.len() as u64;
        self.carry.extend_from_slice(piece);
        self.taken += piece.len() as u64;
        let mut last = 0;
        for end in ends(&self.carry, is_end) {
            found(base + end as u64)?;
            last = end;
        }
        self.carry.drain(..last);
        ControlFlow::Continue(())
    }
}

/// Where a page of at most `max_bytes` ends in `bytes`, which go on if `goes_on`; never at 0.
pub(crate) fn page_end(bytes: &[u8], max_bytes: usize, goes_on: bool) -> usize {
    let start = certain_start(bytes, max_bytes);
    let near = bytes.get(start..).unwrap_or_default();
    let mut best = (start > 0).then_some(start);
    for end in ends(near, !goes_on).into_iter().map(|end| start + end) {
        if end > max_bytes && best.is_some() {
            break;
        }
        best = Some(end);
        if end > max_bytes {
            break;
        }
    }
    best.unwrap_or_else(|| scalar_end(bytes, max_bytes))
}

/// The last place up to `most` where a cluster begins whatever is before it: between two ASCII
/// characters that are no pair of carriage return and line feed; 0 if there is none.
fn certain_start(bytes: &[u8], most: usize) -> usize {
    let parts = |at: &usize| match bytes.get(at.saturating_sub(1)..at.saturating_add(1)) {
        Some([before, after]) => {
            before.is_ascii() && after.is_ascii() && (*before, *after) != (b'\r', b'\n')
        }
        _ => false,
    };
    (1..=most.min(bytes.len())).rev().find(parts).unwrap_or(0)
}

/// Where the first cluster starts of which `bytes`, cut out anywhere, surely hold the start; their
/// end if there is none.
pub(crate) fn first_start(bytes: &[u8]) -> usize {
    let skipped = scalar_end(bytes, 0);
    let rest = bytes.get(skipped..).unwrap_or_default();
    // The first cluster may go on from before.
    let first = ends(rest, false).first().copied();
    skipped + first.unwrap_or(rest.len())
}

/// The end of the last cluster that `bytes`, which go on, hold to its end; 0 if there is none.
pub(crate) fn last_end(bytes: &[u8]) -> usize {
    ends(bytes, false).last().copied().unwrap_or_default()
}

/// The end of the last scalar that begins before `max_bytes`.
fn scalar_end(bytes: &[u8], max_bytes: usize) -> usize {
    let is_continuation = |index: &usize| bytes.get(*index).is_some_and(|byte| byte & 0xC0 == 0x80);
    // Not more than a scalar can have: what is no UTF-8 may be cut anywhere.
    (max_bytes..max_bytes.saturating_add(4))
        .find(|index| !is_continuation(index))
        .unwrap_or(max_bytes)
        .min(bytes.len())
}

/// The ends of the complete clusters in `bytes`.
fn ends(bytes: &[u8], is_end: bool) -> Vec<usize> {
    let usable = incomplete_from(bytes, is_end);
    let bytes = bytes.get(..usable).unwrap_or_default();
    let (text, widths) = decode(bytes);
    let mut ends: Vec<usize> = text
        .grapheme_indices(true)
        .map(|(start, cluster)| raw_offset(&widths, start + cluster.len()))
        .collect();
    if !is_end {
        ends.pop();
    }
    ends
}

/// How many bytes can be decoded for good: a sequence cut off by the end may still go on.
fn incomplete_from(bytes: &[u8], is_end: bool) -> usize {
    if is_end {
        return bytes.len();
    }
    let tail = bytes.len().saturating_sub(3);
    (tail..bytes.len())
        .find(|start| {
            let rest = bytes.get(*start..).unwrap_or_default();
            std::str::from_utf8(rest)
                .is_err_and(|error| error.valid_up_to() == 0 && error.error_len().is_none())
        })
        .unwrap_or(bytes.len())
}

/// The lossy text, and for each replacement where it ends in the text and in the bytes.
fn decode(bytes: &[u8]) -> (Cow<'_, str>, Vec<(usize, usize)>) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return (Cow::Borrowed(text), Vec::new());
    }
    let mut text = String::with_capacity(bytes.len());
    let mut widths = Vec::new();
    let mut raw = 0;
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        raw += chunk.valid().len();
        if !chunk.invalid().is_empty() {
            text.push(char::REPLACEMENT_CHARACTER);
            raw += chunk.invalid().len();
            widths.push((text.len(), raw));
        }
    }
    (Cow::Owned(text), widths)
}

fn raw_offset(widths: &[(usize, usize)], offset: usize) -> usize {
    let before = widths.partition_point(|(text, _)| *text <= offset);
    match before.checked_sub(1).and_then(|index| widths.get(index)) {
        Some((text, raw)) => raw + (offset - text),
        None => offset,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The ends as `unicode-segmentation` finds them in the whole lossy text.
    fn whole(bytes: &[u8]) -> Vec<u64> {
        ends(bytes, true).iter().map(|end| *end as u64).collect()
    }

    fn in_pieces(bytes: &[u8], size: usize) -> Vec<u64> {
        let mut clusters = Clusters::default();
        let mut found = Vec::new();
        let pieces = bytes.chunks(size.max(1)).chain([[].as_slice()]);
        for piece in pieces {
            let _ = clusters.take(piece, piece.is_empty(), |end| {
                found.push(end);
                ControlFlow::Continue(())
            });
        }
        found
    }

    #[test]
    fn the_text_of_a_broken_sequence_is_one_replacement_for_each_maximal_subpart() {
        assert_eq!(whole(b"a\xF0\x9F\x8Eb"), [1, 4, 5]);
        assert_eq!(whole(b"\xFF\xFE"), [1, 2]);
        assert_eq!(whole("\u{301}e\u{301}".as_bytes()), [2, 5]);
    }

    /// The end of a page, looked for among all ends.
    fn page_end_of_all(bytes: &[u8], max_bytes: usize, goes_on: bool) -> usize {
        let ends = ends(bytes, !goes_on);
        let within = ends.iter().rfind(|end| **end <= max_bytes);
        let end = within.or_else(|| ends.first()).copied();
        end.unwrap_or_else(|| scalar_end(bytes, max_bytes))
    }

    proptest! {
        #[test]
        fn a_page_ends_where_the_last_cluster_ends_that_fits(
            text in "(?s)[a\r\n 日é\u{301}\u{200d}👩🇩\u{600}]{0,40}",
            broken in prop::collection::vec(any::<u8>(), 0..4),
            max_bytes in 1_usize..60,
            goes_on in any::<bool>(),
        ) {
            let bytes = [text.as_bytes(), &broken].concat();
            prop_assert_eq!(
                page_end(&bytes, max_bytes, goes_on),
                page_end_of_all(&bytes, max_bytes, goes_on)
            );
        }
    }

    proptest! {
        #[test]
        fn pieces_find_what_the_whole_has(
            parts in prop::collection::vec(prop::sample::select(PARTS.to_vec()), 0..40),
            size in 1_usize..9,
        ) {
            let bytes = parts.concat();
            prop_assert_eq!(in_pieces(&bytes, size), whole(&bytes));
        }
    }

    const PARTS: &[&[u8]] = &[
        b"a",
        b"\r",
        b"\n",
        b"\r\n",
        "e\u{301}".as_bytes(),
        "\u{1F1E9}".as_bytes(),
        "\u{1F468}\u{200D}\u{1F469}".as_bytes(),
        "\u{0915}\u{094D}\u{0937}".as_bytes(),
        "\u{1100}\u{1161}".as_bytes(),
        b"\xF0\x9F",
        b"\xFF",
        b"\x80",
    ];
}
