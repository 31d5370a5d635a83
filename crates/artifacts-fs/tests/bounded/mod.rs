//! The bounded store against a model of it, and turns that are undone (SPEC 4.10, 4.11; P12).

mod model;
mod turns;

use artifacts_core::{ContentDigest, ContentType, OpId};
use artifacts_fs::{
    ArtifactDir, ArtifactRef, ArtifactStore as _, BoundedStore, Bounds, DurableArtifact, Error,
    ErrorKind, Index, MemoryStore,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

fn bounded(max_result_bytes: u64, max_total_bytes: u64) -> BoundedStore<MemoryStore> {
    let bounds = Bounds::new(max_result_bytes, max_total_bytes).unwrap();
    BoundedStore::new(MemoryStore::default(), bounds, Index::default())
}

fn save(store: &BoundedStore<MemoryStore>, op_id: &str, bytes: &[u8]) -> DurableArtifact {
    store
        .store(&OpId::new(op_id), ContentType::Text, bytes)
        .unwrap()
}

fn read(store: &BoundedStore<MemoryStore>, artifact: &DurableArtifact) -> Result<Vec<u8>, Error> {
    store.read(&artifact.into())
}

#[test]
fn bounds_that_contradict_each_other_are_refused() {
    for (result, total) in [(0, 0), (0, 5), (6, 5)] {
        let error = Bounds::new(result, total).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Bounds);
        let message = error.to_string();
        assert!(
            message.starts_with("max_result_bytes must be from 1 "),
            "{message}"
        );
    }
    assert!(Bounds::new(5, 5).is_ok());
}

#[test]
fn the_oldest_goes_first_and_the_newest_never() {
    let store = bounded(10, 20);
    let [a, b, c] = ["a", "b", "c"].map(|id| save(&store, id, &[id.as_bytes()[0]; 8]));
    assert_eq!(read(&store, &a).unwrap_err().kind(), ErrorKind::Evicted);
    assert!(read(&store, &b).is_ok() && read(&store, &c).is_ok());
    assert_eq!(store.inner().names(), [b.name().clone(), c.name().clone()]);
    // Stored again, b is the newest and c goes.
    let _ = save(&store, "b", &[b'b'; 8]);
    let _ = save(&store, "d", &[b'd'; 10]);
    assert!(read(&store, &b).is_ok());
    assert_eq!(read(&store, &c).unwrap_err().kind(), ErrorKind::Evicted);
    // Stored again, a is there again.
    let again = save(&store, "a", &[b'a'; 8]);
    assert_eq!(again.name(), a.name());
    assert_eq!(read(&store, &a).unwrap(), [b'a'; 8]);
}

#[test]
fn other_bytes_of_one_operation_are_another_and_newer_artifact() {
    let store = bounded(10, 20);
    let first = save(&store, "a", b"12345678");
    let second = save(&store, "a", b"abcdefgh");
    assert_ne!(first.name(), second.name());
    let _third = save(&store, "b", b"b2345678");
    assert_eq!(read(&store, &first).unwrap_err().kind(), ErrorKind::Evicted);
    assert!(read(&store, &second).is_ok());
}

#[test]
fn evicted_expired_covered_and_unknown_read_differently() {
    let now = Arc::new(AtomicU64::new(1_000));
    let clock = Arc::clone(&now);
    let store = BoundedStore::with_time_to_live(
        MemoryStore::default(),
        Bounds::new(10, 25).unwrap(),
        Index::default(),
        Duration::from_secs(100),
        move || SystemTime::UNIX_EPOCH + Duration::from_secs(clock.load(Ordering::Relaxed)),
    );
    let [evicted, expired, covered] = ["1", "2", "3"].map(|id| save(&store, id, b"0123456789"));
    store.remove_covered([covered.name()]);
    now.store(1_100, Ordering::Relaxed);
    assert!(
        read(&store, &expired).is_ok(),
        "exactly at the limit it is kept"
    );
    now.store(1_101, Ordering::Relaxed);
    let unknown = ArtifactRef::new("4.txt".parse().unwrap(), ContentDigest::of(b""), 0);
    let mut shown = String::new();
    for (artifact, kind) in [
        ((&evicted).into(), ErrorKind::Evicted),
        ((&expired).into(), ErrorKind::Expired),
        ((&covered).into(), ErrorKind::Covered),
        (unknown, ErrorKind::NotFound),
    ] {
        let error = store.read(&artifact).unwrap_err();
        assert_eq!(error.kind(), kind);
        assert_eq!(store.open(&artifact).unwrap_err().kind(), kind);
        shown.push_str(&format!("{error}\n"));
    }
    insta::assert_snapshot!(shown);
    assert_eq!(store.inner().names(), []);
}

#[test]
fn a_clipped_result_keeps_full_size_and_full_digest() {
    let text = "é🇩🇪".repeat(100);
    for max in [1, 9, 10, 11, 500, 999] {
        let (whole, streamed) = (bounded(max, 1_000), bounded(max, 1_000));
        let stored = save(&whole, "a", text.as_bytes());
        let kept = read(&whole, &stored).unwrap();
        assert!(kept.len() as u64 <= max && text.as_bytes().starts_with(&kept));
        assert!(max < 10 || std::str::from_utf8(&kept).is_ok());
        let entry = whole.index().find(stored.name()).unwrap();
        let full = entry.whole().unwrap();
        assert_eq!(full.bytes, 1_000);
        assert_eq!(full.digest, ContentDigest::of(text.as_bytes()));
        assert_eq!(entry.artifact().bytes(), kept.len() as u64);

        let mut writer = streamed.writer(&OpId::new("a"), ContentType::Text).unwrap();
        for piece in text.as_bytes().chunks(7) {
            writer.write(piece).unwrap();
        }
        assert_eq!(writer.commit().unwrap(), stored);
        assert_eq!(streamed.index().find(stored.name()), Some(entry));
    }
    let whole = bounded(1_000, 1_000);
    let stored = save(&whole, "a", text.as_bytes());
    assert_eq!(whole.index().find(stored.name()).unwrap().whole(), None);
}

#[test]
fn files_are_removed_from_the_directory_and_nothing_else_is() {
    let tmp = tempfile::tempdir().unwrap();
    let dir = ArtifactDir::beside(tmp.path().join("run.jsonl"));
    let store = BoundedStore::new(dir.clone(), Bounds::new(10, 15).unwrap(), Index::default());
    let save = |id: &str| store.store(&OpId::new(id), ContentType::Text, id.repeat(10).as_bytes());
    let first = save("a").unwrap();
    std::fs::write(tmp.path().join("run.artifacts/z.txt"), "of nobody").unwrap();
    let _second = save("b").unwrap();
    let names: Vec<_> = dir
        .list()
        .unwrap()
        .iter()
        .map(|file| file.name.to_string())
        .collect();
    assert_eq!(names, ["b.txt", "z.txt"]);
    assert_eq!(
        store.read(&(&first).into()).unwrap_err().kind(),
        ErrorKind::Evicted
    );
}

#[test]
fn a_name_that_is_gone_never_stands_for_other_bytes() {
    let store = bounded(10, 10);
    let first = save(&store, "a", b"aaaaaaaaaa");
    let _ = save(&store, "b", b"bbbbbbbbbb");
    let other = save(&store, "a", b"cccccccccc");
    assert_eq!(*other.name(), first.name().with_content(other.digest()));
    assert_eq!(read(&store, &first).unwrap_err().kind(), ErrorKind::Evicted);
    assert_eq!(read(&store, &other).unwrap(), b"cccccccccc");

    // Also where it goes while the other bytes are being written.
    let mut writer = store.writer(&OpId::new("d"), ContentType::Text).unwrap();
    writer.write(b"eeeeeeeeee").unwrap();
    let first = save(&store, "d", b"dddddddddd");
    let _ = save(&store, "b", b"bbbbbbbbbb");
    let other = writer.commit().unwrap();
    assert_eq!(*other.name(), first.name().with_content(other.digest()));
    // The same bytes have their name again.
    assert_eq!(save(&store, "d", b"dddddddddd").name(), first.name());
}
