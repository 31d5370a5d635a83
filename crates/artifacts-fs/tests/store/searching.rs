//! Searching inside an artifact: lines, offsets, totals, and pieces that do not show.

use artifacts_core::{ContentType, OpId};
use artifacts_fs::{
    ArtifactStore as _, ErrorKind, LetterCase, Matches, MemoryStore, OpenArtifact, Pattern,
};
use proptest::prelude::*;

fn opened(bytes: &[u8]) -> OpenArtifact {
    let store = MemoryStore::default();
    let stored = store
        .store(&OpId::new("op-1"), ContentType::Text, bytes)
        .unwrap();
    store.open(&(&stored).into()).unwrap()
}

fn search(bytes: &[u8], pattern: &str, max_matches: usize) -> Matches {
    let artifact = opened(bytes);
    let pattern = Pattern::new(pattern, LetterCase::Exact).unwrap();
    let found = artifact.search(&pattern, 0..u64::MAX, max_matches).unwrap();
    assert_eq!(found.next.is_some(), found.total > max_matches as u64);
    found
}

/// Checks the (line, start, end) of every match.
#[track_caller]
fn check(bytes: &[u8], pattern: &str, expected: &[(u64, u64, u64)]) {
    let found: Vec<_> = search(bytes, pattern, usize::MAX)
        .first
        .iter()
        .map(|found| (found.line, found.range.start, found.range.end))
        .collect();
    assert_eq!(found, expected, "{pattern:?}");
}

#[test]
fn each_match_has_its_line_and_its_bytes() {
    let text = "één\ntwo two\r\n\nthree".as_bytes();
    check(text, "two", &[(1, 6, 9), (1, 10, 13)]);
    check(text, "é", &[(0, 0, 2), (0, 2, 4)]);
    check(text, "e$", &[(3, 20, 21)]);
    check(text, "o$", &[(1, 12, 13)]);
    check(text, "^t", &[(1, 6, 7), (3, 16, 17)]);
    check(text, r"\bn", &[]);
    check(b"", "^", &[]);
    check(b"", "a*", &[]);
}

#[test]
fn a_match_stays_in_its_line() {
    check(b"a\nb\nab\n", r"a\s*b", &[(2, 4, 6)]);
    check(b"a \nb", r"a\s+", &[(0, 0, 2)]);
    check(b"a\n\nb", r"[^x]+", &[(0, 0, 1), (2, 3, 4)]);
    check(b"aa\n", r"\n", &[]);
}

#[test]
fn a_match_of_nothing_counts_once_for_its_line() {
    check(b"ab\n\ncd", "^", &[(0, 0, 0), (1, 3, 3), (2, 4, 4)]);
    check(b"ab\n\ncd\n", "$", &[(0, 2, 2), (1, 3, 3), (2, 6, 6)]);
    check(b"ab\n\ncd", "^$", &[(1, 3, 3)]);
    check(b"xaa\n", "a*$", &[(0, 1, 3)]);
}

#[test]
fn bytes_that_are_no_text_are_found_and_passed_over() {
    check(b"\xFF\xFEa\0b\n", "a", &[(0, 2, 3)]);
    check(b"\xFF\xFEa\0b\n", r"(?-u)\xFE", &[(0, 1, 2)]);
    check(b"\0\0\n\0", r"\x00+", &[(0, 0, 2), (1, 3, 4)]);
}

#[test]
fn letters_of_the_other_case_keep_the_original_offsets() {
    let text = "ſTRASSE İx straße".as_bytes();
    let artifact = opened(text);
    let pattern = Pattern::new("stra", LetterCase::Ignored).unwrap();
    let found = artifact.search(&pattern, 0..u64::MAX, 9).unwrap();
    let ranges: Vec<_> = found.first.into_iter().map(|found| found.range).collect();
    assert_eq!(ranges, [0..5, 13..17]);
}

#[test]
fn totals_are_true_beyond_the_cap_and_the_search_goes_on_where_it_ended() {
    let text = "x needle\n".repeat(1_000);
    let artifact = opened(text.as_bytes());
    let pattern = Pattern::new("needle", LetterCase::Exact).unwrap();
    let mut starts = Vec::new();
    let mut next = Some(0);
    while let Some(start) = next {
        let found = artifact.search(&pattern, start..u64::MAX, 7).unwrap();
        assert_eq!(found.total as usize, 1_000 - starts.len());
        starts.extend(
            found
                .first
                .iter()
                .map(|found| (found.line, found.range.start)),
        );
        next = found.next;
    }
    let expected: Vec<_> = (0..1_000).map(|line| (line, line * 9 + 2)).collect();
    assert_eq!(starts, expected);
}

#[test]
fn a_search_sees_what_is_before_its_range_but_does_not_match_it() {
    let artifact = opened(b"ab ab\nab");
    let check = |pattern: &str, start: u64, expected: &[(u64, u64)]| {
        let pattern = Pattern::new(pattern, LetterCase::Exact).unwrap();
        let found = artifact.search(&pattern, start..u64::MAX, 9).unwrap();
        let found: Vec<_> = found
            .first
            .iter()
            .map(|found| (found.line, found.range.start))
            .collect();
        assert_eq!(found, expected);
    };
    check("b", 2, &[(0, 4), (1, 7)]);
    check("^.", 1, &[(1, 6)]);
    check(r"\bb", 1, &[]);
}

#[test]
fn lines_longer_than_a_piece_are_searched_to_their_end() {
    let mut text = "é".repeat(3 << 20).into_bytes();
    let mut expected = Vec::new();
    // Around the places where pieces end, and where what is decided ends.
    for (mib, back) in (1..6_u64).zip([0, 2, 6, 64 << 10, (64 << 10) + 4]) {
        let at = (mib << 20) - back;
        text[at as usize..at as usize + 6].copy_from_slice(b"needle");
        expected.push((0, at, at + 6));
    }
    check(&text, "needle", &expected);
    check(&text, r"needle|^é|é$", &{
        let mut all = vec![(0, 0, 2)];
        all.extend(&expected);
        all.push((0, (6 << 20) - 2, 6 << 20));
        all
    });
}

#[test]
fn a_long_match_in_a_longer_line_is_whole() {
    let mut line = vec![b'-'; 3 << 20];
    for (start, end) in [
        (100, 300_000),
        (1 << 20, (1 << 20) + 70_000),
        (2_000_000, 3_000_000),
    ] {
        line[start] = b'<';
        line[start + 1..end].fill(b'a');
        line[end] = b'>';
    }
    let whole: &[(u64, u64, u64)] = &[
        (0, 100, 300_001),
        (0, 1 << 20, (1 << 20) + 70_001),
        (0, 2_000_000, 3_000_001),
    ];
    check(&line, "<[^>]*>", whole);
    check(&line, "<a+>?", whole);
    check(&line, ".+", &[(0, 0, 3 << 20)]);

    let two = [&line[..], b"\n", &line].concat();
    let length = 3 << 20;
    check(
        &two,
        ".+",
        &[(0, 0, length), (1, length + 1, 2 * length + 1)],
    );
}

#[test]
fn anchors_are_true_where_pieces_and_ranges_end() {
    let lines: String = (0..200_000).map(|line| format!("{line}\n")).collect();
    assert_eq!(search(lines.as_bytes(), r"\d+\s*\z", 9).total, 0);
    let end = lines.len() as u64;
    check(lines.as_bytes(), r"\A\d", &[(0, 0, 1)]);
    let bare = lines.trim_end();
    check(bare.as_bytes(), r"\d\z", &[(199_999, end - 2, end - 1)]);

    let line = ["a".repeat(3 << 20), "b".repeat(2 << 20)].concat();
    check(line.as_bytes(), "(a+)+$", &[]);
    check(line.as_bytes(), "b$", &[(0, (5 << 20) - 1, 5 << 20)]);
    check(line.as_bytes(), "^", &[(0, 0, 0)]);
    check(line.as_bytes(), "c*", &[(0, 0, 0)]);

    let artifact = opened(b"abc\n");
    for (pattern, total) in [("b$", 0), (r"b\b", 0), (r"b\z", 0), ("b", 1)] {
        let pattern = Pattern::new(pattern, LetterCase::Exact).unwrap();
        assert_eq!(artifact.search(&pattern, 0..2, 9).unwrap().total, total);
    }
}

#[test]
fn patterns_that_are_none_say_why() {
    for (pattern, part) in [
        ("(", "unclosed group"),
        (r"(?=a)", "look-around"),
        (r"\w{5000}", "too large"),
    ] {
        assert!(Pattern::new(r"\w{50}", LetterCase::Exact).is_ok());
        let error = Pattern::new(pattern, LetterCase::Exact).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Pattern);
        let message = error.to_string();
        assert!(message.contains(part), "{message}");
        assert_eq!(message.lines().count(), 1);
    }
}

#[test]
fn the_surroundings_end_at_lines_or_between_clusters() {
    let text = "one\ntwo\r\nthree\nfour".as_bytes();
    let artifact = opened(text);
    assert_eq!(artifact.around(10..11, 0, 100).unwrap(), 9..15);
    assert_eq!(artifact.around(10..11, 1, 100).unwrap(), 4..19);
    assert_eq!(artifact.around(10..11, 9, 100).unwrap(), 0..19);
    assert_eq!(artifact.around(10..11, 9, 0).unwrap(), 10..11);
    assert_eq!(artifact.around(50..60, 0, 100).unwrap(), 15..19);

    let line = "e\u{301}".repeat(100);
    let artifact = opened(line.as_bytes());
    // A boundary is sure only after a whole cluster.
    assert_eq!(artifact.around(150..153, 0, 7).unwrap(), 147..159);
}

proptest! {
    #[test]
    fn matches_are_those_of_every_line_alone(
        text in "[ab\\n\\r\u{e9} ]{0,80}",
        pattern in prop::sample::select(vec![
            "a", "a+", "ab|b", "^a", "b$", r"\ba", "[^a]+", r"a\s", "(?i)A.", "é+", ".+", ".",
            "(?s).+", "[^b]*a", r"a\s*b", r"(?s-u:.)+", r"\W+",
        ]),
        from in 0_usize..90,
    ) {
        let regex = regex::bytes::RegexBuilder::new(pattern)
            .multi_line(true).crlf(true).build().unwrap();
        let mut expected = Vec::new();
        let mut base = 0;
        for (line, content) in text.split_inclusive('\n').enumerate() {
            let bare = content.strip_suffix('\n').unwrap_or(content);
            for found in regex.find_iter(bare.as_bytes()) {
                expected.push((line as u64, (base + found.start()) as u64, (base + found.end()) as u64));
            }
            base += content.len();
        }
        if from == 0 {
            check(text.as_bytes(), pattern, &expected);
        }
        let pattern = Pattern::new(pattern, LetterCase::Exact).unwrap();
        let artifact = opened(text.as_bytes());
        let found = artifact.search(&pattern, from as u64..u64::MAX, 3).unwrap();
        for one in &found.first {
            prop_assert!(one.range.start >= from as u64);
            let line = text.as_bytes()[..one.range.start as usize].iter().filter(|b| **b == b'\n').count();
            prop_assert_eq!(one.line, line as u64);
        }
    }
}
