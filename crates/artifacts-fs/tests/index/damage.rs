//! An index that is torn, altered or lost: nothing but names is lost with it.

use std::fs;

use artifacts_fs::{ArtifactRef, ArtifactStore as _, Gone, Index, Indexed};

use super::{Run, files, names};

/// Both artifacts are listed and read, and another name can be given and is kept.
#[track_caller]
fn check(run: &Run, artifacts: &[ArtifactRef; 2], what: &str) {
    let index = run.open();
    let mut listed = names(&index);
    listed.sort();
    assert_eq!(listed, ["a.txt", "b.txt"], "{what}");
    assert_eq!(index.total_bytes(), 20, "{what}");
    for artifact in artifacts {
        assert_eq!(index.find(artifact.name()).unwrap().artifact(), artifact);
        assert!(run.store().read(artifact).is_ok());
    }
    index.name("new", artifacts[0].name());
    assert!(index.is_saved(), "{what}");
    let again = run.open();
    assert_eq!(
        again.find_alias("new").unwrap().artifact(),
        &artifacts[0],
        "{what}"
    );
    assert_eq!(again.entries(), index.entries(), "{what}");
}

#[test]
fn a_file_torn_at_any_byte_loses_no_more_than_the_torn_line() {
    let run = Run::new();
    let artifacts = run.with_two_names();
    let written = fs::read(run.file()).unwrap();
    for length in 0..written.len() {
        fs::write(run.file(), &written[..length]).unwrap();
        let lines = written[..length]
            .iter()
            .filter(|byte| **byte == b'\n')
            .count();
        let index = Index::open(&run.store(), recorded(&artifacts)).unwrap();
        assert_eq!(index.entries().len(), 2);
        let aliases = artifacts
            .iter()
            .flat_map(|artifact| index.aliases(artifact.name()));
        // The lines: b, its name, a, its name.
        assert_eq!(aliases.count(), lines / 2, "{length} bytes");
        index.name("new", artifacts[0].name());
        let again = run.open();
        assert_eq!(again.find_alias("new").unwrap().artifact(), &artifacts[0]);
        assert_eq!(again.entries().len(), 2);
    }
}

fn recorded(artifacts: &[ArtifactRef; 2]) -> Vec<Indexed> {
    let entries = artifacts.iter();
    entries
        .map(|artifact| Indexed::new(artifact.clone(), None))
        .collect()
}

#[test]
fn a_byte_changed_anywhere_loses_names_at_most() {
    let run = Run::new();
    let artifacts = run.with_two_names();
    let written = fs::read(run.file()).unwrap();
    for at in 0..written.len() - 1 {
        let mut changed = written.clone();
        changed[at] ^= 2;
        fs::write(run.file(), &changed).unwrap();
        check(&run, &artifacts, &format!("byte {at}"));
    }
}

#[test]
fn a_damaged_file_is_set_aside_when_the_next_is_written() {
    let run = Run::new();
    let artifacts = run.with_two_names();
    let damaged = [b"{}\n".as_slice(), &fs::read(run.file()).unwrap()].concat();
    fs::write(run.file(), &damaged).unwrap();
    check(&run, &artifacts, "a line of something else");
    let aside = run.path().join("index.jsonl.damaged");
    assert_eq!(fs::read(aside).unwrap(), damaged);
    let index = run.open();
    assert!(
        index.find_alias("the a").is_some(),
        "the good lines still count"
    );
    let scan = run.store().scan(&[]).unwrap();
    assert!(scan.foreign.is_empty());
}

#[test]
fn what_was_set_aside_stays_when_there_is_more() {
    let run = Run::new();
    let artifacts = run.with_two_names();
    let damaged = ["{}\n", "[]\n", "damaged\n"];
    for damage in damaged {
        fs::write(run.file(), damage).unwrap();
        let index = run.open();
        index.name("new", artifacts[0].name());
        assert!(index.is_saved());
    }
    for (name, damage) in ["", ".2", ".3"].iter().zip(damaged) {
        let aside = run.path().join(format!("index.jsonl.damaged{name}"));
        assert_eq!(fs::read_to_string(aside).unwrap(), damage);
    }
    assert!(run.store().scan(&[]).unwrap().foreign.is_empty());
}

#[test]
fn a_line_torn_by_a_kill_is_no_damage_after_the_next_line() {
    let run = Run::new();
    let [_, a] = run.with_two_names();
    let written = fs::read(run.file()).unwrap();
    // Of a turn that was killed.
    let _ = run.save("turn");
    for torn in [
        "{",
        "{\"changes\":[{\"kind\":\"ke",
        "{\"torn\":1}",
        &"x".repeat(200_000),
    ] {
        fs::write(run.file(), [&written, torn.as_bytes()].concat()).unwrap();
        run.open().name("next", a.name());
        let index = run.open();
        assert_eq!(names(&index), ["b.txt", "a.txt"], "{torn:.20}");
        assert!(index.find_alias("next").is_some());
        assert!(!run.path().join("index.jsonl.damaged").exists());
    }
    // What only claims to have been torn is damage.
    fs::write(
        run.file(),
        [&written, b"{\n{\"torn\":2}\n".as_slice()].concat(),
    )
    .unwrap();
    assert_eq!(names(&run.open()), ["b.txt", "a.txt", "turn.txt"]);
}

#[test]
fn without_a_file_the_records_and_the_directory_tell() {
    let run = Run::new();
    let artifacts = run.with_two_names();
    fs::remove_file(run.file()).unwrap();
    let recorded = Indexed::new(artifacts[1].clone(), Some("cat"));
    let index = Index::open(&run.store(), [recorded.clone()]).unwrap();
    assert_eq!(index.entries(), std::slice::from_ref(&recorded));
    let index = Index::rebuild(&run.store(), [recorded.clone()]).unwrap();
    assert_eq!(names(&index), ["a.txt", "b.txt"]);
    assert_eq!(index.entries()[0], recorded);
    index.name("new", artifacts[0].name());
    check(&run, &artifacts, "no file");
}

#[test]
fn a_file_that_is_gone_is_not_listed_and_one_that_was_altered_is_not_read() {
    let run = Run::new();
    let [b, a] = run.with_two_names();
    fs::remove_file(run.path().join("b.txt")).unwrap();
    fs::write(run.path().join("a.txt"), "A".repeat(10)).unwrap();
    let index = run.open();
    assert_eq!(names(&index), ["a.txt"]);
    assert_eq!(index.find_alias("the b"), None);
    assert_eq!(index.gone("b.txt"), None);
    assert!(run.store().read(&a).is_err());
    assert!(run.store().read(&b).is_err());
}

#[test]
fn what_is_no_file_of_ours_is_neither_read_nor_written_nor_moved() {
    let outside = tempfile::tempdir().unwrap();
    let target = outside.path().join("target");
    type Plant<'a> = Box<dyn Fn(&Run) + 'a>;
    let plants: [(&str, Plant<'_>); 4] = [
        (
            "link",
            Box::new(|run| {
                std::os::unix::fs::symlink(&target, run.file()).unwrap();
            }),
        ),
        (
            "hard link",
            Box::new(|run| fs::hard_link(&target, run.file()).unwrap()),
        ),
        (
            "directory",
            Box::new(|run| fs::create_dir(run.file()).unwrap()),
        ),
        (
            "fifo",
            Box::new(|run| {
                let made = std::process::Command::new("mkfifo")
                    .arg(run.file())
                    .status();
                assert!(made.unwrap().success());
            }),
        ),
    ];
    for (what, plant) in plants {
        let run = Run::new();
        let artifacts = run.with_two_names();
        let written = fs::read(run.file()).unwrap();
        fs::write(&target, &written).unwrap();
        fs::remove_file(run.file()).unwrap();
        plant(&run);
        let index = run.open();
        assert_eq!(names(&index).len(), 2, "{what}");
        assert_eq!(index.find_alias("the a"), None, "{what}");
        index.name("new", artifacts[0].name());
        assert!(index.find_alias("new").is_some(), "{what}");
        assert!(!index.is_saved(), "{what}");
        assert_eq!(fs::read(&target).unwrap(), written, "{what}");
        assert!(fs::symlink_metadata(run.file()).is_ok(), "{what}");
    }
}

#[test]
fn what_can_not_be_written_is_written_with_the_next_change() {
    let run = Run::new();
    let [b, a] = run.with_two_names();
    let index = run.open();
    let written = fs::read(run.file()).unwrap();
    fs::remove_file(run.file()).unwrap();
    fs::create_dir(run.file()).unwrap();
    index.name("lost", b.name());
    let _ = index.bury(a.name(), Gone::Covered);
    assert!(!index.is_saved());
    fs::remove_dir(run.file()).unwrap();
    fs::write(run.file(), &written).unwrap();
    index.name("next", b.name());
    assert!(index.is_saved());
    let again = run.open();
    assert!(again.find_alias("lost").is_some());
    assert_eq!(again.gone("a.txt"), Some(Gone::Covered));
    assert_eq!(files(&run.path()).len(), 3);
}
