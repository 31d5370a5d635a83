//! Planted objects: {dir, staging, final, transcript} x {link to a file, link to a directory,
//! dangling link, hard link, FIFO, socket, directory} x {settle, read, list, sweep} (P8).

use std::collections::BTreeMap;
use std::os::unix::fs::{MetadataExt as _, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use artifacts_core::{ArtifactName, ContentDigest, ContentType, OpId};
use artifacts_fs::{ArtifactDir, ArtifactRef, ArtifactStore as _, Durability, ErrorKind, Policy};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Dir,
    Staging,
    Final,
    Transcript,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Object {
    LinkToFile,
    LinkToDir,
    Dangling,
    HardLink,
    Fifo,
    Socket,
    Dir,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    Settle,
    Read,
    List,
    Sweep,
}

const PLACES: [Place; 4] = [Place::Dir, Place::Staging, Place::Final, Place::Transcript];
const OBJECTS: [Object; 7] = [
    Object::LinkToFile,
    Object::LinkToDir,
    Object::Dangling,
    Object::HardLink,
    Object::Fifo,
    Object::Socket,
    Object::Dir,
];
const ACTIONS: [Action; 4] = [Action::Settle, Action::Read, Action::List, Action::Sweep];

const SECRET: &[u8] = b"somebody else's";

/// Plants each object at each place in a folder of its own in `folder` and does everything with
/// it; returns how many cases there are.
///
/// # Panics
///
/// With the first case in which something was followed, read or deleted.
pub fn run(folder: &Path) -> usize {
    let mut cases = 0;
    for place in PLACES {
        for object in OBJECTS {
            for action in ACTIONS {
                let own = folder.join(format!("planted-{cases}"));
                check(&own, place, object, action);
                cases += 1;
            }
        }
    }
    cases
}

fn check(folder: &Path, place: Place, object: Object, action: Action) {
    let case = format!("{place:?} {object:?} {action:?}");
    let run = folder.join("run");
    std::fs::create_dir(folder).unwrap();
    std::fs::create_dir(&run).unwrap();
    let outside = folder.join("outside");
    std::fs::create_dir(&outside).unwrap();
    std::io::Write::write_all(
        &mut std::fs::File::create(outside.join("file")).unwrap(),
        SECRET,
    )
    .unwrap();
    let dir = run.join("run.artifacts");
    if place != Place::Dir {
        std::fs::create_dir(&dir).unwrap();
    }
    let planted = match place {
        Place::Dir => dir.clone(),
        Place::Staging => dir.join(format!(".tmp-{:x}-0", std::process::id())),
        Place::Final => dir.join("op-1.txt"),
        Place::Transcript => run.join("run.jsonl"),
    };
    let _held = plant(object, &planted, &outside);
    let (before, kept) = (snapshot(&outside), identity(&planted));
    let store = ArtifactDir::beside(run.join("run.jsonl")).with_durability(Durability::Process);
    match action {
        Action::Settle => settle(&store, place, object, &case),
        Action::Read => read(&store, place, &case),
        Action::List => list(&store, place, object, &case),
        Action::Sweep => sweep(&store),
    }
    assert_eq!(snapshot(&outside), before, "{case}");
    assert_eq!(identity(&planted), kept, "{case}");
}

fn settle(store: &ArtifactDir, place: Place, object: Object, case: &str) {
    let stored = store.store(&OpId::new("op-1"), ContentType::Text, b"ours");
    match (place, object) {
        // A directory where the directory goes is what belongs there.
        (Place::Dir, Object::Dir) | (Place::Staging | Place::Final | Place::Transcript, _) => {
            let stored = stored.unwrap_or_else(|error| panic!("{case}: {error}"));
            let renamed = stored.name().as_str() != "op-1.txt";
            assert_eq!(renamed, place == Place::Final, "{case}");
            assert_eq!(store.read(&(&stored).into()).unwrap(), b"ours", "{case}");
        }
        (Place::Dir, _) => assert_eq!(stored.unwrap_err().kind(), ErrorKind::Foreign, "{case}"),
    }
}

fn read(store: &ArtifactDir, place: Place, case: &str) {
    let name = ArtifactName::parse("op-1.txt").unwrap();
    let artifact = ArtifactRef::new(name, ContentDigest::of(SECRET), SECRET.len() as u64);
    let kind = store.read(&artifact).unwrap_err().kind();
    let expected = match place {
        Place::Dir | Place::Final => [ErrorKind::Foreign, ErrorKind::NotFound],
        Place::Staging | Place::Transcript => [ErrorKind::NotFound; 2],
    };
    assert!(expected.contains(&kind), "{case}: {kind:?}");
}

fn list(store: &ArtifactDir, place: Place, object: Object, case: &str) {
    let listed = store.list();
    match (place, object) {
        // A file with a second name is foreign, too.
        (Place::Dir, Object::Dir) | (Place::Staging | Place::Final | Place::Transcript, _) => {
            assert!(listed.unwrap().is_empty(), "{case}");
        }
        (Place::Dir, _) => assert_eq!(listed.unwrap_err().kind(), ErrorKind::Foreign, "{case}"),
    }
}

fn sweep(store: &ArtifactDir) {
    let Ok(entries) = store.entries() else { return };
    let far = SystemTime::UNIX_EPOCH + Duration::from_secs(100_000_000_000);
    let plan = Policy::forever().max_count(0).plan(&entries, far);
    assert_eq!(store.apply(&plan).unwrap().removed.files, 0);
}

/// Plants the object; what it returns keeps it there.
fn plant(object: Object, at: &Path, outside: &Path) -> Option<UnixListener> {
    match object {
        Object::LinkToFile => symlink(outside.join("file"), at).unwrap(),
        Object::LinkToDir => symlink(outside, at).unwrap(),
        Object::Dangling => symlink(outside.join("missing"), at).unwrap(),
        Object::HardLink => rustix::fs::link(outside.join("file"), at).unwrap(),
        Object::Fifo => {
            rustix::fs::mkfifoat(rustix::fs::CWD, at, rustix::fs::Mode::RWXU).unwrap();
        }
        Object::Socket => return Some(UnixListener::bind(at).unwrap()),
        Object::Dir => std::fs::create_dir(at).unwrap(),
    }
    None
}

/// Which object stands there, and not what it links to.
fn identity(path: &Path) -> (u64, u32) {
    let metadata = std::fs::symlink_metadata(path).unwrap();
    (metadata.ino(), metadata.mode())
}

/// Names and bytes of everything outside the run.
fn snapshot(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    std::fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.clone(), std::fs::read(path).unwrap()))
        .collect()
}
