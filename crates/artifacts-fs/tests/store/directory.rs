//! When the directory appears, and what happens when it goes (SPEC 4.2, 4.6, 4.13).

use std::os::unix::fs::PermissionsExt as _;

use artifacts_fs::{ArtifactDir, ArtifactRef, ArtifactStore as _, ErrorKind, Gone, Index};

use super::{Run, names_in};

#[test]
fn the_directory_appears_with_the_first_artifact() {
    let run = Run::new();
    assert!(run.store.list().unwrap().is_empty());
    assert!(names_in(run.tmp.path()).is_empty());
    let _ = run.save("op-1", b"x").unwrap();
    assert_eq!(names_in(run.tmp.path()), ["run.artifacts"]);
}

#[test]
fn only_the_owner_can_read_it() {
    let run = Run::new();
    let _ = run.save("op-1", b"x").unwrap();
    let mode = |path| std::fs::metadata(path).unwrap().permissions().mode() & 0o7777;
    assert_eq!(mode(run.dir()), 0o700);
    assert_eq!(mode(run.file("op-1.txt")), 0o600);
}

#[test]
fn an_orphan_that_is_adopted_gets_the_mode_of_the_others() {
    let run = Run::new();
    let _ = run.save("op-1", b"x").unwrap();
    let file = run.file("op-1.txt");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
    assert_eq!(run.save("op-1", b"x").unwrap().name().as_str(), "op-1.txt");
    let mode = std::fs::metadata(&file).unwrap().permissions().mode();
    assert_eq!(mode & 0o7777, 0o600);
}

#[test]
fn a_directory_deleted_between_two_saves_is_made_again() {
    let run = Run::new();
    let first = ArtifactRef::from(&run.save("op-1", b"one").unwrap());
    std::fs::rename(run.dir(), run.tmp.path().join("away")).unwrap();
    let _ = run.save("op-2", b"two").unwrap();
    assert_eq!(names_in(&run.dir()), ["op-2.txt"]);
    assert_eq!(
        run.store.read(&first).unwrap_err().kind(),
        ErrorKind::NotFound
    );
}

#[test]
fn moved_with_its_transcript_it_keeps_working() {
    let run = Run::new();
    let stored = ArtifactRef::from(&run.save("op-1", b"one").unwrap());
    let elsewhere = tempfile::tempdir().unwrap();
    std::fs::rename(run.dir(), elsewhere.path().join("renamed.artifacts")).unwrap();
    let moved = ArtifactDir::beside(elsewhere.path().join("renamed.jsonl"));
    assert_eq!(moved.read(&stored).unwrap(), b"one");
    assert!(moved.verify(&[stored]).unwrap().is_sound());
}

#[test]
fn without_a_place_for_it_the_save_fails_and_leaves_nothing() {
    let run = Run::new();
    let store = ArtifactDir::beside(run.tmp.path().join("missing/run.jsonl"));
    let op_id = artifacts_core::OpId::new("op-1");
    let error = store
        .store(&op_id, artifacts_core::ContentType::Text, b"x")
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert!(names_in(run.tmp.path()).is_empty());
}

#[test]
fn a_fork_has_exactly_what_was_named() {
    let run = Run::new();
    let one = ArtifactRef::from(&run.save("op-1", b"one").unwrap());
    let two = ArtifactRef::from(&run.save("op-2", b"two").unwrap());
    let three = ArtifactRef::from(&run.save("op-3", b"three").unwrap());
    let four = ArtifactRef::from(&run.save("op-4", b"four").unwrap());
    std::fs::rename(run.file("op-2.txt"), run.file("op-3.txt")).unwrap();
    let other = Run::new();
    let _ = other.save("op-4", b"taken").unwrap();

    let named = [one.clone(), two.clone(), three.clone(), four.clone()];
    let fork = run.store.fork(&other.store, &named).unwrap();
    assert!(!fork.is_whole());
    assert_eq!(fork.copied, std::slice::from_ref(&one));
    assert_eq!(fork.missing, [two]);
    assert_eq!(fork.altered, [three]);
    assert_eq!(fork.clashing, [four]);
    assert_eq!(other.store.read(&one).unwrap(), b"one");
    assert_eq!(names_in(&other.dir()), ["op-1.txt", "op-4.txt"]);
    assert!(run.store.fork(&other.store, &[one]).unwrap().is_whole());
}

#[test]
fn a_fork_knows_what_was_named_and_what_was_removed() {
    let run = Run::new();
    let one = ArtifactRef::from(&run.save("op-1", b"one").unwrap());
    let two = ArtifactRef::from(&run.save("op-2", b"two").unwrap());
    let index = Index::rebuild(&run.store, []).unwrap();
    index.name("report", one.name());
    index.bury(two.name(), Gone::Expired);
    std::fs::remove_file(run.file("op-2.txt")).unwrap();

    let other = Run::new();
    let named = [one.clone(), two.clone()];
    let fork = run.store.fork(&other.store, &named).unwrap();
    assert!(fork.is_whole());
    assert_eq!(fork.removed, [(two, Gone::Expired)]);
    let forked = Index::open(&other.store, []).unwrap();
    assert_eq!(forked.find_alias("report").unwrap().artifact(), &one);
    assert_eq!(forked.gone("op-2.txt"), Some(Gone::Expired));
}
