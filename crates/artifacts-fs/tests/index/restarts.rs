//! What an index told it tells again after a restart.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use artifacts_core::{ContentDigest, ContentType, OpId};
use artifacts_fs::{
    ArtifactDir, ArtifactRef, ArtifactStore as _, BoundedStore, Bounds, DurableArtifact, ErrorKind,
    Gone, Index, Indexed, Whole,
};

use super::{Run, file_of, files, name, names};

/// Stores ten times the id itself, which is all that a [`Run::bounded`] store takes of one.
fn save(store: &BoundedStore<ArtifactDir>, op_id: &str) -> DurableArtifact {
    save_bytes(store, op_id, op_id)
}

fn save_bytes(store: &BoundedStore<ArtifactDir>, op_id: &str, byte: &str) -> DurableArtifact {
    let bytes = byte.repeat(10);
    let stored = store.store(&OpId::new(op_id), ContentType::Text, bytes.as_bytes());
    stored.unwrap()
}

#[test]
fn names_sources_order_and_totals_survive_a_restart() {
    let run = Run::new();
    let [b, a] = run.with_two_names();
    let before = run.open();
    assert_eq!(names(&before), ["b.txt", "a.txt"]);
    before.name("the b", a.name());
    assert!(before.is_saved());
    let after = run.open();
    assert_eq!(after.entries(), before.entries());
    assert_eq!(after.entries()[0].source(), Some("ls"));
    assert_eq!(after.total_bytes(), 20);
    assert_eq!(after.find_alias("the b").unwrap().artifact(), &a);
    assert_eq!(after.aliases(a.name()), ["the a", "the b"]);
    assert_eq!(after.find(b.name()).unwrap().artifact(), &b);
}

#[test]
fn a_name_that_another_process_gave_is_taken_over_when_asked_for() {
    let run = Run::new();
    let [b, a] = run.with_two_names();
    let (one, other) = (run.open(), run.open());
    other.name("newest", b.name());
    other.name("newest", a.name());
    assert_eq!(one.find_alias("newest"), None);
    let written = fs::read(run.path().join("index.jsonl")).unwrap();
    one.read_names();
    assert_eq!(one.find_alias("newest").unwrap().artifact(), &a);
    assert_eq!(one.aliases(a.name()), other.aliases(a.name()));
    one.name("newest", a.name());
    assert!(one.is_saved());
    let now = fs::read(run.path().join("index.jsonl")).unwrap();
    assert_eq!(now, written, "what is read is not written again");
    Index::default().read_names();
}

#[test]
fn evicted_covered_expired_and_unknown_read_differently_after_a_restart() {
    let run = Run::new();
    let clock = Arc::new(AtomicU64::new(1_000));
    let open = |clock: &Arc<AtomicU64>| {
        let clock = Arc::clone(clock);
        let now =
            move || SystemTime::UNIX_EPOCH + Duration::from_secs(clock.load(Ordering::Relaxed));
        let bounds = Bounds::new(10, 20).unwrap();
        let (dir, index) = (run.store(), run.open());
        BoundedStore::with_time_to_live(dir, bounds, index, Duration::from_secs(60), now)
    };
    let store = open(&clock);
    let [evicted, covered, expired] = ["a", "b", "c"].map(|op_id| save(&store, op_id));
    store.remove_covered([covered.name()]);
    drop(store);

    clock.fetch_add(61, Ordering::Relaxed);
    let store = open(&clock);
    let unknown = run.save("d");
    fs::remove_file(run.path().join("d.txt")).unwrap();
    store.index().add(unknown.clone(), None);
    drop(store);
    let store = open(&clock);
    let kind = |artifact| store.read(&artifact).unwrap_err().kind();
    assert_eq!(kind((&evicted).into()), ErrorKind::Evicted);
    assert_eq!(kind((&covered).into()), ErrorKind::Covered);
    assert_eq!(kind((&expired).into()), ErrorKind::Expired);
    assert_eq!(kind(unknown), ErrorKind::NotFound);
    assert_eq!(store.index().gone("c.txt"), Some(Gone::Expired));
    assert_eq!(names(store.index()), [""; 0]);
    assert_eq!(
        files(&run.path()).into_keys().collect::<Vec<_>>(),
        ["index.jsonl"]
    );
}

#[test]
fn a_clipped_result_says_how_large_it_was_after_a_restart() {
    let run = Run::new();
    let store = run.bounded();
    let stored = store
        .store(&OpId::new("op-1"), ContentType::Text, b"0123456789abc")
        .unwrap();
    let whole = run.open().find(stored.name()).unwrap().whole().unwrap();
    let Whole { bytes, digest, .. } = whole;
    assert_eq!((bytes, digest), (13, ContentDigest::of(b"0123456789abc")));
}

#[test]
fn the_bound_and_the_order_go_on_where_they_were() {
    let run = Run::new();
    for op_id in ["a", "b"] {
        let store = run.bounded();
        let _ = store
            .store(&OpId::new(op_id), ContentType::Text, &[b'x'; 10])
            .unwrap();
    }
    // Stored again in another process, a is the newest and b goes.
    for op_id in ["a", "c"] {
        let store = run.bounded();
        let _ = store
            .store(&OpId::new(op_id), ContentType::Text, &[b'x'; 10])
            .unwrap();
        assert!(store.index().total_bytes() <= 20);
    }
    assert_eq!(names(&run.open()), ["a.txt", "c.txt"]);
    assert_eq!(run.open().gone("b.txt"), Some(Gone::Evicted));
}

#[test]
fn what_a_process_did_not_live_to_remove_is_removed_with_the_next_store() {
    let run = Run::new();
    let store = run.bounded();
    let _ = store
        .store(&OpId::new("a"), ContentType::Text, &[b'x'; 10])
        .unwrap();
    // The line is written, the file still there.
    let _ = store.index().bury(&name("a.txt"), Gone::Evicted);
    drop(store);
    let store = run.bounded();
    assert!(run.path().join("a.txt").exists(), "opening removes nothing");
    let _ = store
        .store(&OpId::new("b"), ContentType::Text, &[b'x'; 10])
        .unwrap();
    assert!(!run.path().join("a.txt").exists());
}

#[test]
fn opening_and_reading_touch_nothing() {
    let run = Run::new();
    let _ = Index::open(&run.store(), []).unwrap();
    assert!(!run.path().exists());
    let index = run.open();
    index.name("early", &name("a.txt"));
    assert!(!run.path().exists() && !index.is_saved());
    let a = run.save("a");
    let recorded = Indexed::new(a, Some("ls"));
    let index = Index::open(&run.store(), [recorded.clone()]).unwrap();
    assert_eq!(index.entries(), [recorded]);
    assert_eq!(
        files(&run.path()).into_keys().collect::<Vec<_>>(),
        ["a.txt"]
    );
}

#[test]
fn what_is_recorded_comes_after_what_the_file_tells_and_is_never_taken_back() {
    let run = Run::new();
    let [b, _] = run.with_two_names();
    let c = run.save("c");
    run.open().bury(b.name(), Gone::Evicted);
    let recorded = [&c, &b].map(|artifact| Indexed::new(artifact.clone(), Some("cat")));
    let index = Index::open(&run.store(), recorded).unwrap();
    assert_eq!(names(&index), ["a.txt", "c.txt"]);
    assert_eq!(index.gone("b.txt"), Some(Gone::Evicted));
}

#[test]
fn two_processes_write_to_one_file() {
    let run = Run::new();
    let [a, b] = ["a", "b"].map(|op_id| run.save(op_id));
    let [one, other] = [run.open(), run.open()];
    one.add(a.clone(), None);
    other.add(b.clone(), None);
    one.name("one", a.name());
    other.name("other", b.name());
    one.add(b.clone(), None);
    one.name("three", b.name());
    let index = run.open();
    let found = ["one", "other", "three"].map(|alias| file_of(&index.find_alias(alias).unwrap()));
    assert_eq!(found, ["a.txt", "b.txt", "b.txt"]);
}

#[test]
fn the_file_reads_as_lines_of_json() {
    let run = Run::new();
    run.with_two_names();
    let written = fs::read_to_string(run.file()).unwrap();
    for line in written.lines() {
        serde_json::from_str::<serde_json::Value>(line).unwrap();
    }
    insta::assert_snapshot!("index", written);
}

#[test]
fn a_name_that_was_gone_before_the_restart_never_stands_for_other_bytes() {
    let run = Run::new();
    let store = run.bounded();
    let first = save(&store, "a");
    store.remove_covered([first.name()]);
    drop(store);
    let store = run.bounded();
    let other = save_bytes(&store, "a", "c");
    assert_eq!(*other.name(), first.name().with_content(other.digest()));
    let error = store.read(&(&first).into()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Covered);
}

#[test]
fn nothing_is_removed_before_it_is_written_down_why() {
    let run = Run::new();
    let store = run.bounded();
    let _ = save(&store, "a");
    let _ = save(&store, "b");
    // With a second name the file is not ours to write.
    let second = run.path().join("other");
    fs::hard_link(run.file(), &second).unwrap();
    let _ = save(&store, "c");
    assert!(!store.index().is_saved());
    assert!(run.path().join("a.txt").exists());
    store.begin_turn().unwrap().block();
    assert!(!store.index().is_saved(), "a blocked turn forgets nothing");

    fs::remove_file(second).unwrap();
    store.expire();
    assert!(store.index().is_saved());
    assert!(!run.path().join("a.txt").exists());
    assert_eq!(run.open().gone("a.txt"), Some(Gone::Evicted));
}

/// Whoever knows nothing of the index may give a name again (I6).
#[test]
fn what_has_the_name_of_what_is_gone_is_read_and_never_removed() {
    let run = Run::new();
    let gone = run.save("a");
    let index = run.open();
    index.add(gone.clone(), None);
    index.bury(gone.name(), Gone::Expired);
    fs::remove_file(run.path().join("a.txt")).unwrap();
    let bytes = b"other bytes";
    fs::write(run.path().join("a.txt"), bytes).unwrap();
    let digest = ContentDigest::of(bytes);
    let there = ArtifactRef::new(gone.name().clone(), digest, bytes.len() as u64);
    let recorded = [&gone, &there].map(|artifact| Indexed::new(artifact.clone(), None));
    for recorded in [&[][..], &recorded] {
        let index = Index::open(&run.store(), recorded.iter().cloned()).unwrap();
        assert_eq!(index.find(there.name()).is_some(), !recorded.is_empty());
        let bounds = Bounds::new(1_000, 1_000).unwrap();
        let store = BoundedStore::new(run.store(), bounds, index);
        store.expire();
        assert_eq!(store.read(&there).unwrap(), b"other bytes");
        assert!(store.read(&gone).is_err());
    }
}

#[test]
fn what_a_blocked_turn_stored_again_is_gone_after_a_restart_too() {
    let run = Run::new();
    let store = run.bounded();
    let first = save(&store, "a");
    let (_, _) = (save(&store, "b"), save(&store, "c"));
    let turn = store.begin_turn().unwrap();
    assert_eq!(save(&store, "a"), first);
    assert_eq!(store.index().gone("a.txt"), None);
    turn.block();
    for index in [store.index().clone(), run.open()] {
        assert_eq!(index.gone("a.txt"), Some(Gone::Evicted));
        assert_eq!(names(&index), ["b.txt", "c.txt"]);
    }
}

#[test]
fn what_was_evicted_since_it_was_stored_is_not_there_again() {
    let run = Run::new();
    let store = run.bounded();
    let first = save(&store, "a");
    let (_, _) = (save(&store, "b"), save(&store, "c"));
    store.index().add_stored(&first, None);
    assert_eq!(store.index().gone("a.txt"), Some(Gone::Evicted));
    assert_eq!(names(store.index()), ["b.txt", "c.txt"]);
}
