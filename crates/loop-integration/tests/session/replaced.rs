//! A transcript whose file is not the one of its name any more: nothing is appended to it.

use std::path::Path;

use loop_integration::{ErrorKind, Message, Session, ToolResult, Transcript};

use crate::support::{Run, huge, operation, read};

/// What happens to the transcript of an open session.
type Change = fn(&Path, &Path);

#[test]
fn what_is_appended_to_another_file_than_the_transcript_is_an_error() {
    let changes: [(&str, Change, &str); 5] = [
        ("renamed", rename, "deleted or renamed"),
        (
            "deleted",
            |path, _| std::fs::remove_file(path).unwrap(),
            "deleted or renamed",
        ),
        (
            "replaced by a copy",
            |path, other| {
                std::fs::copy(path, other).unwrap();
                std::fs::rename(other, path).unwrap();
            },
            "replaced",
        ),
        (
            "replaced by a link to itself",
            |path, other| {
                std::fs::rename(path, other).unwrap();
                std::os::unix::fs::symlink(other, path).unwrap();
            },
            "replaced",
        ),
        (
            "replaced by a directory",
            |path, other| {
                std::fs::rename(path, other).unwrap();
                std::fs::create_dir(path).unwrap();
            },
            "replaced",
        ),
    ];
    for (name, change, told) in changes {
        let run = Run::new();
        let session = run.session();
        session.push(Message::user("go")).unwrap();
        let files = || {
            let mut files = std::fs::read_dir(run.folder.path())
                .unwrap()
                .map(|entry| entry.unwrap().path())
                .filter(|path| path.is_file())
                .map(|path| read(&path))
                .collect::<Vec<_>>();
            files.sort();
            files
        };
        change(&run.transcript, &run.folder.path().join("other.jsonl"));
        let before = files();
        let check = |error: loop_integration::Error| {
            assert_eq!(error.kind(), ErrorKind::Transcript, "{name}");
            assert_eq!(
                error.to_string(),
                format!("run.jsonl was {told} while it was open: open it again"),
                "{name}"
            );
        };
        check(session.push(Message::user("lost?")).unwrap_err());
        check(session.dispatch(&operation(1)).unwrap_err());
        let result = ToolResult::success(huge());
        check(session.settle(&operation(1), result).unwrap_err());
        assert_eq!(files(), before, "{name}");
        assert!(!run.folder.path().join("run.artifacts").is_dir(), "{name}");
    }
}

fn rename(path: &Path, other: &Path) {
    std::fs::rename(path, other).unwrap();
}

#[test]
fn a_session_goes_on_when_the_file_has_its_name_again() {
    let run = Run::new();
    let session = run.session();
    session.push(Message::user("go")).unwrap();
    let other = run.folder.path().join("other.jsonl");
    std::fs::rename(&run.transcript, &other).unwrap();
    assert!(session.push(Message::user("lost?")).is_err());
    std::fs::rename(&other, &run.transcript).unwrap();
    session.push(Message::user("on")).unwrap();
    let loaded = Transcript::load(&run.transcript).unwrap();
    assert_eq!(loaded.messages().len(), 2);
}

/// Two sessions that follow each other under one name never write to each other's file.
#[test]
fn a_new_transcript_of_the_same_name_is_another_transcript() {
    let run = Run::new();
    let old = run.session();
    old.push(Message::user("old")).unwrap();
    rename(&run.transcript, &run.folder.path().join("kept.jsonl"));
    let new: Session = run.session();
    new.push(Message::user("new")).unwrap();
    assert!(old.push(Message::user("old again")).is_err());
    new.push(Message::user("new again")).unwrap();
    assert_eq!(new.transcript().messages().len(), 2);
    assert_eq!(Transcript::load(&run.transcript).unwrap().lines(), 2);
}
