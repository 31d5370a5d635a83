//! Objects that someone planted: never followed, never read, never deleted (P8).

use std::os::unix::fs::{FileTypeExt as _, symlink};

use artifacts_core::{ArtifactName, ContentDigest};
use artifacts_fs::{ArtifactRef, ArtifactStore as _, ErrorKind};

use super::{Run, names_in};

fn reference(bytes: &[u8]) -> ArtifactRef {
    let name = ArtifactName::parse("op-1.txt").unwrap();
    ArtifactRef::new(name, ContentDigest::of(bytes), bytes.len() as u64)
}

#[test]
fn a_planted_link_is_neither_written_through_nor_read() {
    let run = Run::new();
    run.make_dir();
    let target = run.tmp.path().join("target");
    std::fs::copy("Cargo.toml", &target).unwrap();
    symlink(&target, run.file("op-1.txt")).unwrap();
    let before = std::fs::read(&target).unwrap();
    let stored = run.save("op-1", b"ours").unwrap();
    assert_ne!(stored.name().as_str(), "op-1.txt");
    assert_eq!(std::fs::read(&target).unwrap(), before);
    let error = run.store.read(&reference(&before)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Foreign);
}

#[test]
fn a_second_name_of_another_file_is_not_taken_for_an_artifact() {
    let run = Run::new();
    let _ = run.save("op-1", b"ours").unwrap();
    std::fs::rename(run.file("op-1.txt"), run.tmp.path().join("elsewhere")).unwrap();
    rustix::fs::link(run.tmp.path().join("elsewhere"), run.file("op-1.txt")).unwrap();
    let error = run.store.read(&reference(b"ours")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Foreign);
    assert_ne!(
        run.save("op-1", b"ours").unwrap().name().as_str(),
        "op-1.txt"
    );
}

#[test]
fn a_planted_fifo_blocks_nothing() {
    let run = Run::new();
    run.make_dir();
    let fifo = run.file("op-1.txt");
    rustix::fs::mkfifoat(rustix::fs::CWD, &fifo, rustix::fs::Mode::RWXU).unwrap();
    let stored = run.save("op-1", b"ours").unwrap();
    assert_eq!(names_in(&run.dir()), [stored.name().as_str(), "op-1.txt"]);
    assert_eq!(
        run.store.read(&reference(b"ours")).unwrap_err().kind(),
        ErrorKind::Foreign
    );
    assert!(
        std::fs::symlink_metadata(&fifo)
            .unwrap()
            .file_type()
            .is_fifo()
    );
}

#[test]
fn something_else_in_the_directorys_place_is_left_alone() {
    for plant in [
        (|path| symlink("/tmp", path).unwrap()) as fn(&std::path::Path),
        |path| symlink("dangling", path).unwrap(),
        |path| drop(std::fs::File::create(path).unwrap()),
    ] {
        let run = Run::new();
        plant(&run.dir());
        assert_eq!(
            run.save("op-1", b"ours").unwrap_err().kind(),
            ErrorKind::Foreign
        );
        assert_eq!(run.store.list().unwrap_err().kind(), ErrorKind::Foreign);
        assert_eq!(names_in(run.tmp.path()), ["run.artifacts"]);
    }
}
