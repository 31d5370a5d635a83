//! Chunks of 2,000 characters that overlap by 250 (SPEC 7.1).

use std::ops::Range;

use artifacts_core::Measure;
use artifacts_search::Chunks;
use proptest::prelude::*;

fn chunks(text: &str) -> Vec<Range<usize>> {
    Chunks::of(text).collect()
}

/// Where each grapheme cluster starts, and the end.
fn boundaries(text: &str) -> Vec<usize> {
    use unicode_segmentation::UnicodeSegmentation as _;
    let starts = text.grapheme_indices(true).map(|(start, _)| start);
    starts.chain([text.len()]).collect()
}

#[test]
fn the_number_of_chunks_follows_the_length() {
    for (length, count) in [
        (0, 0),
        (1, 1),
        (2_000, 1),
        (2_001, 2),
        (3_750, 2),
        (3_751, 3),
        (5_500, 3),
        (5_501, 4),
    ] {
        assert_eq!(
            chunks(&"x".repeat(length)).len(),
            count,
            "{length} characters"
        );
    }
}

#[test]
fn a_cluster_is_never_cut() {
    let text = "👩‍👩‍👧e\u{301}\r\n🇩🇪".repeat(1_500);
    let boundaries = boundaries(&text);
    for chunk in chunks(&text) {
        assert!(boundaries.binary_search(&chunk.start).is_ok());
        assert!(boundaries.binary_search(&chunk.end).is_ok());
    }
}

fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("a"),
        Just("word "),
        Just("\r\n"),
        Just("\u{301}"),
        Just("🇩🇪"),
        Just("🇫"),
        Just("क्षि"),
        Just("👩‍👩‍👧"),
        Just("界"),
    ];
    (proptest::collection::vec(piece, 0..60), 1..120_usize)
        .prop_map(|(pieces, times)| pieces.concat().repeat(times))
}

proptest! {
    #[test]
    fn chunks_are_2000_characters_1750_apart_and_rebuild_the_text(text in text()) {
        let boundaries = boundaries(&text);
        let chunks = chunks(&text);
        let mut rebuilt = String::new();
        for (index, chunk) in chunks.iter().enumerate() {
            let content = &text[chunk.clone()];
            let start = boundaries.binary_search(&chunk.start).unwrap();
            prop_assert_eq!(start, index * 1_750);
            let graphemes = Measure::of(content).graphemes();
            match index + 1 == chunks.len() {
                true => prop_assert!((1..=2_000).contains(&graphemes)),
                false => prop_assert_eq!(graphemes, 2_000),
            }
            rebuilt.push_str(&text[rebuilt.len()..chunk.end]);
        }
        prop_assert_eq!(&rebuilt, &text);
        // Any 251 characters lie whole in one chunk.
        for window in boundaries.windows(252).step_by(97) {
            let (start, end) = (window[0], window[251]);
            let whole = |chunk: &Range<usize>| chunk.start <= start && end <= chunk.end;
            prop_assert!(chunks.iter().any(whole));
        }
    }
}
