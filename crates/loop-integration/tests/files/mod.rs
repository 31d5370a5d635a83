//! The read-only mount, alone and among an agent's own files (SPEC 6.4).

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use artifacts_core::{ContentType, OpId};
use artifacts_fs::{ArtifactStore as _, Index, LetterCase, MemoryStore, Pattern, Selection};
use loop_integration::{
    ArtifactMount, FileEntry, FileError, FileErrorKind, FileMatch, FilePage, FileTools,
    MountedFiles,
};

fn mount() -> ArtifactMount {
    let store = Arc::new(MemoryStore::default());
    let index = Index::default();
    for (op_id, text) in [
        ("op-2", "alpha\nbeta\ngamma\n".repeat(10)),
        ("op-1", "é".repeat(1_000)),
        ("op-3", format!("a{}", "\u{301}".repeat(2_000))),
    ] {
        let stored = store.store(&OpId::new(op_id), ContentType::Text, text.as_bytes());
        index.add((&stored.unwrap()).into(), Some("bash"));
    }
    ArtifactMount::new(store, index, 100)
}

fn pattern(text: &str) -> Pattern {
    Pattern::new(text, LetterCase::Exact).unwrap()
}

/// An agent's own files, in memory.
#[derive(Debug, Default)]
struct OwnFiles(Mutex<BTreeMap<String, String>>);

impl FileTools for OwnFiles {
    fn ls(&self, dir: &str) -> Result<Vec<FileEntry>, FileError> {
        let files = self.0.lock().unwrap();
        let inside = files.iter().filter(|(path, _)| path.starts_with(dir));
        if dir.len() > 1 && inside.clone().next().is_none() {
            return Err(FileError::new(FileErrorKind::NotFound, "no such directory"));
        }
        Ok(inside
            .map(|(path, text)| FileEntry {
                path: path.clone(),
                bytes: Some(text.len() as u64),
            })
            .collect())
    }

    fn read(&self, path: &str, _: &Selection) -> Result<FilePage, FileError> {
        let files = self.0.lock().unwrap();
        let text = files
            .get(path)
            .ok_or_else(|| FileError::new(FileErrorKind::NotFound, "no such file"))?;
        Ok(FilePage {
            bytes: text.clone().into_bytes(),
            range: 0..text.len() as u64,
            next: None,
        })
    }

    fn grep(&self, _: &Pattern, path: &str, most: usize) -> Result<Vec<FileMatch>, FileError> {
        let files = self.0.lock().unwrap();
        let inside = files.keys().filter(|file| file.starts_with(path));
        Ok(inside
            .take(most)
            .map(|path| FileMatch {
                path: path.clone(),
                line: 1,
                range: 0..1,
                text: String::new(),
            })
            .collect())
    }

    fn glob(&self, _: &str) -> Result<Vec<String>, FileError> {
        Ok(self.0.lock().unwrap().keys().cloned().collect())
    }

    fn write(&self, path: &str, content: &str) -> Result<(), FileError> {
        self.0.lock().unwrap().insert(path.into(), content.into());
        Ok(())
    }

    fn edit(&self, path: &str, old: &str, new: &str) -> Result<(), FileError> {
        let mut files = self.0.lock().unwrap();
        let text = files.entry(path.into()).or_default();
        *text = text.replace(old, new);
        Ok(())
    }

    fn delete(&self, path: &str) -> Result<(), FileError> {
        self.0.lock().unwrap().remove(path);
        Ok(())
    }
}

#[test]
fn artifacts_are_listed_and_found_by_pattern() {
    let mount = mount();
    let listed = mount.ls("/large_tool_results/").unwrap();
    let listed: Vec<_> = listed
        .iter()
        .map(|entry| (entry.path.as_str(), entry.bytes))
        .collect();
    assert_eq!(
        listed,
        [
            ("/large_tool_results/op-1.txt", Some(2_000)),
            ("/large_tool_results/op-2.txt", Some(170)),
            ("/large_tool_results/op-3.txt", Some(4_001)),
        ]
    );
    assert_eq!(
        mount.glob("/large_tool_results/*-[12].txt").unwrap(),
        Vec::<String>::new()
    );
    assert_eq!(mount.glob("/large_tool_results/op-?.txt").unwrap().len(), 3);
    assert_eq!(mount.glob("/*").unwrap(), Vec::<String>::new());
}

#[test]
fn every_file_is_read_to_its_end_page_by_page() {
    let mount = mount();
    for (path, expected) in [
        ("/large_tool_results/op-1.txt", "é".repeat(1_000)),
        (
            "/large_tool_results/op-2",
            "alpha\nbeta\ngamma\n".repeat(10),
        ),
        (
            "/large_tool_results/op-3.txt",
            format!("a{}", "\u{301}".repeat(2_000)),
        ),
    ] {
        let mut read = Vec::new();
        let mut next = Some(0);
        while let Some(start) = next {
            let page = mount
                .read(path, &Selection::bytes(start..u64::MAX))
                .unwrap();
            assert!((1..=100).contains(&page.bytes.len()));
            assert_eq!(page.range.start, start);
            read.extend(page.bytes);
            next = page.next;
        }
        assert_eq!(read, expected.as_bytes());
    }
}

#[test]
fn a_search_names_file_line_and_bytes() {
    let mount = mount();
    let found = mount
        .grep(&pattern("eta"), "/large_tool_results", 2)
        .unwrap();
    let found: Vec<_> = found
        .iter()
        .map(|found| {
            (
                found.path.as_str(),
                found.line,
                found.range.clone(),
                found.text.as_str(),
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            ("/large_tool_results/op-2.txt", 2, 7..10, "beta"),
            ("/large_tool_results/op-2.txt", 5, 24..27, "beta"),
        ]
    );
    let in_one = mount
        .grep(&pattern("é"), "/large_tool_results/op-1.txt", 3)
        .unwrap();
    assert_eq!(in_one.len(), 3);
}

#[test]
fn nothing_can_be_changed_and_nothing_outside_is_there() {
    let mount = mount();
    let path = "/large_tool_results/op-1.txt";
    let mut shown = String::new();
    for refused in [
        mount.write(path, "x"),
        mount.edit(path, "a", "b"),
        mount.delete(path),
        mount.write("/large_tool_results/new\n.txt", "x"),
    ] {
        let refused = refused.unwrap_err();
        assert_eq!(refused.kind(), FileErrorKind::ReadOnly);
        shown.push_str(&format!("{refused}\n"));
    }
    for path in [
        "/large_tool_results/../etc/passwd",
        "/large_tool_results/",
        "/large_tool_resultsop-1.txt",
        "/etc/passwd",
        "op-1.txt",
        "art:op-1",
        "",
    ] {
        let refused = mount.read(path, &Selection::all()).unwrap_err();
        assert_eq!(refused.kind(), FileErrorKind::NotFound);
        shown.push_str(&format!("{refused}\n"));
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn the_longest_prefix_wins_on_boundaries_only() {
    let own = Arc::new(OwnFiles::default());
    let inner = Arc::new(OwnFiles::default());
    let files = MountedFiles::new(own.clone())
        .with_mount(ArtifactMount::PATH, Arc::new(mount()))
        .with_mount("/large_tool_results/mine", inner.clone());
    files.write("/large_tool_results_old/x", "own").unwrap();
    files.write("/notes/x", "own").unwrap();
    files.write("/large_tool_results/mine/x", "inner").unwrap();
    files
        .write("/large_tool_results/minestrone", "soup")
        .unwrap_err();
    // The agent's own file of this name is hidden by the mount.
    own.write("/large_tool_results/op-1.txt", "hidden").unwrap();

    let read = |path: &str| files.read(path, &Selection::all()).unwrap().bytes;
    assert_eq!(read("/large_tool_results_old/x"), b"own");
    assert_eq!(read("/large_tool_results/mine/x"), b"inner");
    assert_eq!(
        read("/large_tool_results/op-1.txt"),
        "é".repeat(50).as_bytes()
    );

    let paths = |entries: Vec<FileEntry>| -> Vec<String> {
        entries.into_iter().map(|entry| entry.path).collect()
    };
    let listed = paths(files.ls("/large_tool_results").unwrap());
    assert_eq!(listed[0], "/large_tool_results/mine/");
    assert_eq!(listed.len(), 4);
    assert!(paths(files.ls("/").unwrap()).contains(&"/large_tool_results/".to_owned()));

    let globbed = files.glob("/**").unwrap();
    assert_eq!(globbed.len(), 3 + 1 + 2);
    let found = files.grep(&pattern("alpha"), "/", 100).unwrap();
    let hidden = |found: &FileMatch| found.path == "/large_tool_results/op-1.txt";
    assert!(!found.iter().any(hidden));
    assert_eq!(
        found
            .iter()
            .filter(|found| found.path.ends_with("op-2.txt"))
            .count(),
        10
    );
    assert_eq!(
        files
            .delete("/large_tool_results/op-1.txt")
            .unwrap_err()
            .kind(),
        FileErrorKind::ReadOnly
    );
}

#[test]
fn matches_that_a_mount_hides_take_no_place_of_others() {
    let own = Arc::new(OwnFiles::default());
    let outer = Arc::new(OwnFiles::default());
    for number in 0..50 {
        own.write(&format!("/a/mounted/{number}"), "hidden")
            .unwrap();
        outer
            .write(&format!("/a/mounted/b/{number}"), "hidden")
            .unwrap();
    }
    own.write("/z", "own").unwrap();
    outer.write("/a/mounted/x", "outer").unwrap();
    let inner = Arc::new(OwnFiles::default());
    inner.write("/a/mounted/b/y", "inner").unwrap();
    // With and without a slash at either end; the same files in two places.
    let files = MountedFiles::new(own)
        .with_mount("a/mounted/", outer.clone())
        .with_mount("/a/mounted/b", inner)
        .with_mount("/twice", outer);
    let found = |path: &str, most: usize| -> Vec<String> {
        let found = files.grep(&pattern("."), path, most).unwrap();
        found.into_iter().map(|found| found.path).collect()
    };
    assert_eq!(found("/", 1), ["/z"]);
    assert_eq!(found("/", 9), ["/z", "/a/mounted/b/y", "/a/mounted/x"]);
    assert_eq!(found("/", 2).len(), 2);
    assert_eq!(found("/", 0), Vec::<String>::new());
    assert_eq!(found("/a/mounted", 5), ["/a/mounted/x", "/a/mounted/b/y"]);
    assert_eq!(
        files.glob("/**").unwrap(),
        ["/a/mounted/b/y", "/a/mounted/x", "/z"]
    );
}

#[test]
fn a_directory_is_there_for_the_sake_of_a_mount_inside_it() {
    let own = Arc::new(OwnFiles::default());
    own.write("/z", "own").unwrap();
    let inner = Arc::new(OwnFiles::default());
    inner.write("/only/here/x", "inner").unwrap();
    let files = MountedFiles::new(own).with_mount("/only/here", inner);
    let listed = files.ls("/only").unwrap();
    assert_eq!(listed[0].path, "/only/here/");
    assert_eq!(
        files.ls("/nowhere").unwrap_err().kind(),
        FileErrorKind::NotFound
    );
    assert_eq!(files.grep(&pattern("."), "/only", 9).unwrap().len(), 1);
}
