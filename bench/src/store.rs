//! The store against what it can't do without: a temporary file, its sync, a rename, a sync.

use std::cell::Cell;
use std::error::Error;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use artifacts_core::{ContentDigest, ContentType, OpId};
use artifacts_fs::{ArtifactDir, ArtifactStore as _, Durability, StoreItem};

use crate::data::Kind;
use crate::table::{bounded_row as row, interleaved, print};

/// Prints the table. The bounds are those that the store is built for.
pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir_in(".")?;
    let mut rows = vec![
        single(folder.path())?,
        crowded(folder.path())?,
        batch(folder.path())?,
        large(folder.path())?,
    ];
    rows.extend(listing(folder.path())?);
    #[cfg(feature = "agent-sdk-tools")]
    rows.push(peer::save(folder.path())?);
    println!("\nThe store beside what it can't do without; ratios of one run:\n");
    let head = [
        "", "store us", "beside", "us", "ratio", "at most", "", "median", "spread",
    ];
    print(&head, &rows);
    #[cfg(not(feature = "agent-sdk-tools"))]
    println!("\nskipped: agent-sdk-tools, for which say `--features agent-sdk-tools`");
    Ok(())
}

/// One result of 64 KiB, against the bare steps.
fn single(folder: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let (store, bare) = (
        Stores::new(folder, "single")?,
        Bare::new(folder, "single-bare")?,
    );
    let body = Kind::Log.text(KIB_64);
    let times = interleaved(ROUNDS, || store.save(&body), || bare.save(&body));
    Ok(row("64 KiB", "write, sync, rename, sync", 1.15, times))
}

/// The same in a directory of 5,000 files, against an empty one.
fn crowded(folder: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let (full, empty) = (Stores::new(folder, "full")?, Stores::new(folder, "empty")?);
    fill(&full.dir, 5_000)?;
    let body = Kind::Log.text(KIB_64);
    let times = interleaved(ROUNDS, || full.save(&body), || empty.save(&body));
    Ok(row(
        "64 KiB among 5,000 files",
        "in an empty directory",
        1.1,
        times,
    ))
}

/// 16 results of 64 KiB as one batch, against one.
fn batch(folder: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let (many, one) = (Stores::new(folder, "batch")?, Stores::new(folder, "one")?);
    let body = Kind::Log.text(KIB_64);
    let times = interleaved(ROUNDS, || many.save_batch(&body, 16), || one.save(&body));
    Ok(row("batch of 16 times 64 KiB", "one of 64 KiB", 2.0, times))
}

/// 64 MB, against hashing it, then writing, then syncing.
fn large(folder: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let (store, bare) = (
        Stores::new(folder, "large")?,
        Bare::new(folder, "large-bare")?,
    );
    let body = Kind::Log.text(64_000_000);
    let one_by_one = || (ContentDigest::of(body.as_bytes()), bare.save(&body));
    let times = interleaved(7, || store.save(&body), one_by_one);
    Ok(row("64 MB", "hash, then write, then sync", 0.5, times))
}

/// Listing and counting 100,000 artifacts, against reading the directory.
fn listing(folder: &Path) -> Result<[Vec<String>; 2], Box<dyn Error>> {
    let store = Stores::new(folder, "listing")?;
    fill(&store.dir, 100_000)?;
    let read = || {
        let entries = fs::read_dir(&store.dir).into_iter().flatten().flatten();
        let sizes = entries.filter_map(|entry| Some(entry.metadata().ok()?.len()));
        sizes.sum::<u64>()
    };
    let list = interleaved(7, || store.store.list().map(|list| list.len()), read);
    let usage = interleaved(7, || store.store.usage().ok(), read);
    Ok([
        row("list of 100,000", "read_dir with metadata", 2.0, list),
        row("usage of 100,000", "read_dir with metadata", 2.0, usage),
    ])
}

/// A store that saves each result under a name of its own.
struct Stores {
    store: ArtifactDir,
    dir: PathBuf,
    saved: Cell<usize>,
}

impl Stores {
    fn new(folder: &Path, name: &str) -> Result<Self, Box<dyn Error>> {
        let dir = folder.join(format!("{name}.artifacts"));
        let store = ArtifactDir::at(&dir);
        let _ = store.store(&OpId::new("first"), ContentType::Text, b"first")?;
        Ok(Self {
            store,
            dir,
            saved: Cell::new(0),
        })
    }

    fn next(&self) -> OpId {
        self.saved.set(self.saved.get() + 1);
        OpId::new(format!("op-{}", self.saved.get()))
    }

    fn save(&self, body: &str) -> bool {
        let stored = self
            .store
            .store(&self.next(), ContentType::Text, body.as_bytes());
        stored.is_ok_and(|stored| stored.durability() == Durability::PowerLoss)
    }

    fn save_batch(&self, body: &str, count: usize) -> bool {
        let ids: Vec<OpId> = (0..count).map(|_| self.next()).collect();
        let items: Vec<StoreItem<'_>> = ids
            .iter()
            .map(|op_id| StoreItem {
                op_id,
                content: ContentType::Text,
                bytes: body.as_bytes(),
            })
            .collect();
        self.store.store_batch(&items).iter().all(Result::is_ok)
    }
}

/// The steps of a durable save and nothing else.
struct Bare {
    dir: PathBuf,
    saved: Cell<usize>,
}

impl Bare {
    fn new(folder: &Path, name: &str) -> Result<Self, Box<dyn Error>> {
        let dir = folder.join(name);
        fs::create_dir(&dir)?;
        Ok(Self {
            dir,
            saved: Cell::new(0),
        })
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "what the store is measured against"
    )]
    fn save(&self, body: &str) -> std::io::Result<()> {
        self.saved.set(self.saved.get() + 1);
        let (from, to) = (
            self.dir.join("tmp"),
            self.dir.join(self.saved.get().to_string()),
        );
        let mut file = File::create_new(&from)?;
        file.write_all(body.as_bytes())?;
        file.sync_all()?;
        fs::rename(from, to)?;
        File::open(&self.dir)?.sync_all()
    }
}

/// A published store of tool results.
#[cfg(feature = "agent-sdk-tools")]
mod peer {
    use super::{Error, KIB_64, Kind, Path, ROUNDS, Stores, fill, fs, interleaved, row};

    /// One result of 64 KiB among 5,000 files, against the peer's save in such a directory.
    pub(super) fn save(folder: &Path) -> Result<Vec<String>, Box<dyn Error>> {
        let store = Stores::new(folder, "beside-peer")?;
        fill(&store.dir, 5_000)?;
        let dir = folder.join("peer");
        fs::create_dir(&dir)?;
        fill(&dir, 5_000)?;
        let peer = agent_sdk_tools::artifacts::ArtifactStore::new(&dir);
        let body = Kind::Log.text(KIB_64);
        peer.save("read", &body)?;
        let save = || peer.save("read", &body).is_ok();
        let times = interleaved(ROUNDS, || store.save(&body), save);
        Ok(row(
            "64 KiB among 5,000 files",
            "agent-sdk-tools 0.18",
            0.5,
            times,
        ))
    }
}

fn fill(dir: &Path, count: usize) -> Result<(), Box<dyn Error>> {
    for number in 0..count {
        File::create(dir.join(format!("filler-{number}.txt")))?;
    }
    File::open(dir)?.sync_all()?;
    Ok(())
}

const KIB_64: usize = 64 << 10;
const ROUNDS: usize = 101;
