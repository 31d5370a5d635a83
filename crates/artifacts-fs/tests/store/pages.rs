//! Reading parts: by byte, line and grapheme, from either end, page by page (SPEC 4.7).

use artifacts_fs::{ArtifactStore as _, OpenArtifact, Selection};
use proptest::prelude::*;
use unicode_segmentation::UnicodeSegmentation as _;

use super::Run;

fn opened(run: &Run, bytes: &[u8]) -> OpenArtifact {
    let stored = run.save("op-1", bytes).unwrap();
    run.store.open(&(&stored).into()).unwrap()
}

#[track_caller]
fn check(artifact: &OpenArtifact, selection: Selection, expected: &[u8]) {
    let range = artifact.locate(&selection).unwrap();
    let page = artifact.page(range, 1_000_000).unwrap();
    assert_eq!(page.bytes(), expected, "{selection:?}");
    assert_eq!(page.next(), None);
}

#[test]
fn lines_are_counted_from_either_end() {
    let run = Run::new();
    let artifact = opened(&run, b"one\ntwo\r\n\nfour");
    check(&artifact, Selection::all(), b"one\ntwo\r\n\nfour");
    check(&artifact, Selection::lines(0..1), b"one\n");
    check(&artifact, Selection::lines(1..3), b"two\r\n\n");
    check(&artifact, Selection::lines(3..9), b"four");
    check(&artifact, Selection::lines(4..9), b"");
    check(&artifact, Selection::lines(0..1).from_end(), b"four");
    check(&artifact, Selection::lines(1..3).from_end(), b"two\r\n\n");
    check(
        &artifact,
        Selection::lines(0..u64::MAX).from_end(),
        b"one\ntwo\r\n\nfour",
    );
}

#[test]
fn graphemes_are_never_divided() {
    let run = Run::new();
    let artifact = opened(&run, "ae\u{301}\r\n🇩🇪🇫🇷z".as_bytes());
    check(&artifact, Selection::graphemes(1..2), "e\u{301}".as_bytes());
    check(&artifact, Selection::graphemes(2..4), "\r\n🇩🇪".as_bytes());
    check(
        &artifact,
        Selection::graphemes(0..2).from_end(),
        "🇫🇷z".as_bytes(),
    );
    check(&artifact, Selection::graphemes(7..7), b"");
}

#[test]
fn bytes_are_taken_as_asked() {
    let run = Run::new();
    let artifact = opened(&run, b"0123456789");
    check(&artifact, Selection::bytes(2..5), b"234");
    check(&artifact, Selection::bytes(0..3).from_end(), b"789");
    check(&artifact, Selection::bytes(8..50), b"89");
    check(&artifact, Selection::bytes(50..60), b"");
}

#[test]
fn pages_of_one_long_line_move_forward_to_its_end() {
    let run = Run::new();
    let line = "x🇩🇪é".repeat(40_000);
    let artifact = opened(&run, line.as_bytes());
    let mut read = Vec::new();
    let mut next = Some(0);
    while let Some(start) = next {
        let page = artifact.page(start..artifact.bytes(), 4_096).unwrap();
        assert!(page.bytes().len() <= 4_096);
        read.extend_from_slice(page.bytes());
        next = page.next();
    }
    assert_eq!(read, line.as_bytes());
}

#[test]
fn a_cluster_larger_than_a_page_is_passed_in_parts() {
    let run = Run::new();
    let cluster = format!("a{}b", "\u{301}".repeat(10_000));
    let artifact = opened(&run, cluster.as_bytes());
    let mut read = Vec::new();
    let mut next = Some(0);
    while let Some(start) = next {
        let page = artifact.page(start..artifact.bytes(), 100).unwrap();
        assert!((1..=1_124).contains(&page.bytes().len()));
        assert!(std::str::from_utf8(page.bytes()).is_ok());
        read.extend_from_slice(page.bytes());
        next = page.next();
    }
    assert_eq!(read, cluster.as_bytes());
}

#[test]
fn a_file_changed_after_it_was_opened_is_not_read_on() {
    let run = Run::new();
    let artifact = opened(&run, b"0123456789");
    let file = std::fs::OpenOptions::new()
        .write(true)
        .open(run.file("op-1.txt"))
        .unwrap();
    file.set_len(3).unwrap();
    let error = artifact.page(0..10, 10).unwrap_err();
    assert_eq!(error.kind(), artifacts_fs::ErrorKind::Altered);
}

#[test]
fn places_deep_inside_are_found_in_any_order() {
    let run = Run::new();
    let lines: Vec<String> = (0..60_000)
        .map(|line| format!("{line} e\u{301}🇩🇪\r\n"))
        .collect();
    let text = lines.concat();
    let artifact = opened(&run, text.as_bytes());
    let clusters: Vec<&str> = text.graphemes(true).collect();
    for at in [59_999, 3, 30_000, 59_998, 0, 12_345, 60_000, 59_999] {
        let line = lines.get(at).map_or("", String::as_str);
        let range = at as u64..at as u64 + 1;
        check(&artifact, Selection::lines(range), line.as_bytes());
        let at = at * 6;
        let cluster = clusters.get(at).copied().unwrap_or_default();
        let range = at as u64..at as u64 + 1;
        check(&artifact, Selection::graphemes(range), cluster.as_bytes());
        let from_end = clusters.iter().rev().nth(at).copied().unwrap_or_default();
        let range = at as u64..at as u64 + 1;
        check(
            &artifact,
            Selection::graphemes(range).from_end(),
            from_end.as_bytes(),
        );
    }
}

proptest! {
    #[test]
    fn parts_agree_with_the_text(
        text in "[ab\u{301}\r\n🇩é👩\u{200d}]{0,60}",
        start in 0_usize..70,
        count in 0_usize..70,
    ) {
        let store = artifacts_fs::MemoryStore::default();
        let id = artifacts_core::OpId::new("op-1");
        let stored = store
            .store(&id, artifacts_core::ContentType::Text, text.as_bytes())
            .unwrap();
        let artifact = store.open(&(&stored).into()).unwrap();
        let range = start as u64..(start + count) as u64;
        let clusters: Vec<&str> = text.graphemes(true).collect();
        let forward: String = clusters.iter().skip(start).take(count).copied().collect();
        let backward: String = {
            let mut taken: Vec<&str> = clusters.iter().rev().skip(start).take(count).copied().collect();
            taken.reverse();
            taken.concat()
        };
        check(&artifact, Selection::graphemes(range.clone()), forward.as_bytes());
        check(&artifact, Selection::graphemes(range.clone()).from_end(), backward.as_bytes());
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let forward: String = lines.iter().skip(start).take(count).copied().collect();
        check(&artifact, Selection::lines(range), forward.as_bytes());
    }
}
