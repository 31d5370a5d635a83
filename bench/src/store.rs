//! The store against what it can't do without: a temporary file, its sync, a rename, a sync.

use std::cell::Cell;
use std::error::Error;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use artifacts_core::{ContentDigest, ContentType, OpId};
use artifacts_fs::{ArtifactDir, ArtifactStore as _, Durability, StoreItem};

use crate::data::Kind;
use crate::table::{interleaved, print, row};

/// Prints the table. The bounds are those that the store is built for; a floor is what the bare
/// steps take for the same bytes, so no store can be below it.
pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir_in(".")?;
    spread(folder.path());
    let mut rows = vec![single(folder.path())?, crowded(folder.path())?];
    rows.extend(batch(folder.path())?);
    rows.extend(large(folder.path())?);
    rows.extend(listing(folder.path())?);
    #[cfg(feature = "agent-sdk-tools")]
    rows.push(peer::save(folder.path())?);
    println!(
        "\nThe store beside what it can't do without: microseconds of the fastest tenth in this \
         run, their ratio, and that of the medians:\n"
    );
    let head = [
        "", "us", "beside", "us", "ratio", "at most", "", "medians", "spread",
    ];
    print(&head, &rows);
    #[cfg(not(feature = "agent-sdk-tools"))]
    println!("\nskipped: agent-sdk-tools, for which say `cargo xtask bench store --peer`");
    Ok(())
}

/// One result of 64 KiB, against the bare steps.
fn single(folder: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let store = Stores::new(folder, "single")?;
    let bare = Bare::new(&store.dir);
    let body = Kind::Log.text(KIB_64);
    let times = interleaved(ROUNDS, || store.save(&body), || bare.save(body.as_bytes()));
    Ok(row(
        "64 KiB",
        "write, sync, rename, sync",
        Some(1.15),
        times,
    ))
}

/// The same in a directory of 5,000 files, against an empty one.
fn crowded(folder: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let full = Stores::new(folder, "full")?;
    let empty = Stores::new(folder, "empty")?;
    fill(&full.dir, 5_000)?;
    let body = Kind::Log.text(KIB_64);
    let times = interleaved(ROUNDS, || full.save(&body), || empty.save(&body));
    let name = "64 KiB among 5,000 files";
    Ok(row(name, "in an empty directory", Some(1.1), times))
}

/// 16 results of 64 KiB as one batch, against one; then what the same bytes take bare.
fn batch(folder: &Path) -> Result<[Vec<String>; 4], Box<dyn Error>> {
    let many = Stores::new(folder, "batch")?;
    let bare = Bare::new(&many.dir);
    let (small, large) = (Kind::Log.text(KIB_64), Kind::Log.text(16 * KIB_64));
    let save_one = || bare.save(small.as_bytes());
    let save_all = || bare.save_together(small.as_bytes(), 16);
    let save_whole = || bare.save(large.as_bytes());
    let save_batch = || many.save_batch(&small, 16);
    let ours = interleaved(ROUNDS, save_batch, || many.save(&small));
    let beside = interleaved(ROUNDS, save_batch, save_all);
    let files = interleaved(ROUNDS, save_all, save_one);
    let bytes = interleaved(ROUNDS, save_whole, save_one);
    let floor = "floor: one bare file of 64 KiB";
    Ok([
        row("batch of 16 times 64 KiB", "one of 64 KiB", Some(2.0), ours),
        row(
            "batch of 16 times 64 KiB",
            "16 bare files, synced by 8 threads",
            None,
            beside,
        ),
        row("16 bare files, synced by 8 threads", floor, None, files),
        row("one bare file of 1 MiB", floor, None, bytes),
    ])
}

/// 64 MB, against hashing it, then writing, then syncing; then what each half takes of that. The
/// halves can overlap and not be shortened, so the longer one is the floor.
fn large(folder: &Path) -> Result<[Vec<String>; 3], Box<dyn Error>> {
    let store = Stores::new(folder, "large")?;
    let bare = Bare::new(&store.dir);
    let body = Kind::Log.text(64_000_000);
    let hash = || ContentDigest::of(body.as_bytes());
    let one_by_one = || (hash(), bare.save(body.as_bytes()));
    let ours = interleaved(LARGE_ROUNDS, || store.save(&body), one_by_one);
    let hashed = interleaved(LARGE_ROUNDS, hash, one_by_one);
    let write = || bare.save(body.as_bytes());
    let written = interleaved(LARGE_ROUNDS, write, one_by_one);
    let beside = "hash, then write, then sync";
    let floor = format!("floor: {beside}");
    Ok([
        row("64 MB", beside, Some(0.5), ours),
        row("64 MB, only hashed", &floor, None, hashed),
        row("64 MB, only written and synced", &floor, None, written),
    ])
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
    let count = || store.store.list().map(|list| list.len());
    let list = interleaved(LARGE_ROUNDS, count, read);
    let usage = interleaved(LARGE_ROUNDS, || store.store.usage().ok(), read);
    let beside = "read_dir with metadata";
    Ok([
        row("list of 100,000", beside, Some(2.0), list),
        row("usage of 100,000", beside, Some(2.0), usage),
    ])
}

/// Lets the directories made in `folder` be far from each other and from what earlier runs left.
///
/// Before it gives out an inode, ext4 looks at every one beside it that was freed in the last
/// minutes, which takes longer than the rest of a save. Where this can't be had, nothing is lost
/// but the steadiness of the figures.
pub(crate) fn spread(folder: &Path) {
    let _ = Command::new("chattr").arg("+T").arg(folder).output();
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
                bytes: body.as_bytes().into(),
            })
            .collect();
        self.store.store_batch(&items).iter().all(Result::is_ok)
    }
}

/// The steps of a durable save and nothing else.
pub(crate) struct Bare {
    dir: PathBuf,
    saved: Cell<usize>,
}

impl Bare {
    /// In the directory of what it is measured beside: the place of a directory on the disk
    /// matters more than who writes there.
    pub(crate) fn new(dir: &Path) -> Self {
        Self {
            dir: dir.to_path_buf(),
            saved: Cell::new(0),
        }
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "what the store is measured against"
    )]
    pub(crate) fn save(&self, body: &[u8]) -> io::Result<()> {
        let (file, from, to) = self.write(body)?;
        file.sync_all()?;
        fs::rename(from, to)?;
        File::open(&self.dir)?.sync_all()
    }

    /// The same for several files: written, synced at the same time, renamed, one sync for all.
    #[expect(
        clippy::disallowed_methods,
        reason = "what the store is measured against"
    )]
    pub(crate) fn save_together(&self, body: &[u8], count: usize) -> io::Result<()> {
        let files = (0..count).map(|_| self.write(body));
        let files = files.collect::<io::Result<Vec<_>>>()?;
        thread::scope(|scope| {
            let shares = files.chunks(count.div_ceil(8));
            let sync = |share: &[(File, PathBuf, PathBuf)]| {
                share.iter().try_for_each(|(file, ..)| file.sync_all())
            };
            let threads: Vec<_> = shares
                .map(|share| scope.spawn(move || sync(share)))
                .collect();
            let mut synced = threads.into_iter().filter_map(|thread| thread.join().ok());
            synced.try_for_each(|synced| synced)
        })?;
        for (_, from, to) in files {
            fs::rename(from, to)?;
        }
        File::open(&self.dir)?.sync_all()
    }

    /// A file under a first name, with the one it is to have.
    fn write(&self, body: &[u8]) -> io::Result<(File, PathBuf, PathBuf)> {
        self.saved.set(self.saved.get() + 1);
        let from = self.dir.join(format!("tmp-{}", self.saved.get()));
        let to = self.dir.join(format!("bare-{}", self.saved.get()));
        let mut file = File::create_new(&from)?;
        file.write_all(body)?;
        Ok((file, from, to))
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
        let name = "64 KiB among 5,000 files";
        Ok(row(name, "agent-sdk-tools 0.18", Some(0.5), times))
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
const LARGE_ROUNDS: usize = 11;
