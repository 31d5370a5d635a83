//! A blocked turn leaves the store as it was, also when the process is killed in it.

use std::collections::BTreeMap;
use std::path::Path;

use artifacts_core::{ContentType, OpId};
use artifacts_fs::{ArtifactDir, ArtifactStore as _, BoundedStore, Bounds, Index};

/// The files of a folder and its sub-folders, with their bytes.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| {
            let name = entry.file_name().into_string().unwrap();
            (name, std::fs::read(entry.path()).unwrap())
        })
        .collect()
}

fn open(folder: &Path, index: Index) -> BoundedStore<ArtifactDir> {
    let dir = ArtifactDir::beside(folder.join("run.jsonl"));
    BoundedStore::new(dir, Bounds::new(10, 20).unwrap(), index)
}

fn save(store: &BoundedStore<ArtifactDir>, op_id: &str) {
    let bytes = op_id.repeat(10);
    let stored = store.store(&OpId::new(op_id), ContentType::Text, bytes.as_bytes());
    let _ = stored.unwrap();
}

#[test]
fn a_blocked_turn_leaves_the_store_as_it_was() {
    let tmp = tempfile::tempdir().unwrap();
    let store = open(tmp.path(), Index::default());
    save(&store, "a");
    save(&store, "b");
    store.index().name("first", &"a.txt".parse().unwrap());
    let dir = tmp.path().join("run.artifacts");
    let (before, entries) = (files(&dir), store.index().entries());

    let turn = store.begin_turn().unwrap();
    for op_id in ["c", "a", "d", "e"] {
        save(&store, op_id);
    }
    store.index().name("first", &"e.txt".parse().unwrap());
    store.remove_covered([&"e.txt".parse().unwrap()]);
    turn.block();

    assert_eq!(files(&dir), before);
    assert_eq!(store.index().entries(), entries);
    let first = store.index().find_alias("first").unwrap();
    assert_eq!(first.artifact().name().as_str(), "a.txt");
}

#[test]
fn a_committed_turn_is_final() {
    let tmp = tempfile::tempdir().unwrap();
    let store = open(tmp.path(), Index::default());
    save(&store, "a");
    let turn = store.begin_turn().unwrap();
    save(&store, "b");
    save(&store, "c");
    let dir = tmp.path().join("run.artifacts");
    assert_eq!(
        files(&dir).len(),
        3,
        "what a turn evicts stays until it is final"
    );
    turn.commit();
    assert_eq!(
        files(&dir).into_keys().collect::<Vec<_>>(),
        ["b.txt", "c.txt"]
    );
}

#[test]
fn a_process_killed_in_a_turn_leaves_everything_from_before_it() {
    let tmp = tempfile::tempdir().unwrap();
    let store = open(tmp.path(), Index::default());
    save(&store, "a");
    save(&store, "b");
    let recorded = store.index().entries();
    let dir = tmp.path().join("run.artifacts");
    let before = files(&dir);

    let turn = store.begin_turn().unwrap();
    save(&store, "c");
    save(&store, "d");
    // As a kill does: nothing of the turn runs any more.
    std::mem::forget(turn);
    drop(store);

    let index = Index::default();
    for entry in &recorded {
        index.add(entry.artifact().clone(), None);
    }
    let store = open(tmp.path(), index);
    for entry in &recorded {
        assert!(store.read(entry.artifact()).is_ok());
    }
    let named: Vec<_> = recorded
        .iter()
        .map(|entry| entry.artifact().clone())
        .collect();
    let scan = store.inner().verify(&named).unwrap();
    assert!(scan.is_sound());
    let orphans: Vec<_> = scan.orphans.iter().map(ToString::to_string).collect();
    assert_eq!(orphans, ["c.txt", "d.txt"]);
    let mut after = files(&dir);
    after.retain(|name, _| before.contains_key(name));
    assert_eq!(after, before);
}

#[test]
fn a_blocked_turn_leaves_what_it_found_there() {
    let tmp = tempfile::tempdir().unwrap();
    let dir = ArtifactDir::beside(tmp.path().join("run.jsonl"));
    let bytes = "a".repeat(10);
    let before = dir.store(&OpId::new("a"), ContentType::Text, bytes.as_bytes());
    let before = before.unwrap();
    // The index knows nothing of it, as after it was lost.
    let store = open(tmp.path(), Index::default());
    let turn = store.begin_turn().unwrap();
    save(&store, "a");
    save(&store, "a");
    save(&store, "b");
    save(&store, "b");
    store.index().add((&before).into(), Some("cat"));
    turn.block();
    let files = files(&tmp.path().join("run.artifacts"));
    assert_eq!(files.into_keys().collect::<Vec<_>>(), ["a.txt"]);
    assert_eq!(dir.read(&(&before).into()).unwrap(), bytes.as_bytes());
}
