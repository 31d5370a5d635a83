//! The store's protocol on a file system, right or deliberately wrong in one way.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;
use std::sync::Mutex;

use artifacts_fs::internals::Sealed;
use artifacts_fs::{Durability, Fs, Stat};

use crate::sim::{SimDir, SimFile, SimFs};

/// In which way a protocol is wrong. Every one of them has to be caught.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Wrong {
    /// It is right.
    Nothing,
    /// The file is not synced.
    NoFileSync,
    /// The artifact directory is not synced.
    NoDirSync,
    /// The transcript's directory is not synced when the artifact directory was made.
    NoParentSync,
    /// No directory is synced.
    NoSyncOfAnyDir,
    /// The file is synced after it has its name.
    NameBeforeSync,
    /// The directory is synced before the name is given, not after.
    DirSyncBeforeName,
    /// Of a batch, only the first file is synced.
    FirstOfBatchSynced,
    /// The files of a batch are synced after they have their names.
    NameBeforeBatchSync,
    /// A batch takes every sync for a success.
    BatchErrorDropped,
    /// A present file is replaced.
    Replace,
    /// A present file is removed, then the name given.
    RemoveThenName,
    /// A present file is taken for ours without a look.
    AdoptBlindly,
    /// The bytes are written under the final name.
    InPlace,
    /// The final name is reserved with an empty file.
    ReserveFirst,
    /// A failed sync is repeated on the same file.
    SyncAgain,
    /// What a write says it wrote is believed.
    NoSizeCheck,
    /// The staging file stays after an error.
    NoCleanUp,
    /// The transcript's line is not synced.
    NoLineSync,
    /// The directory of a transcript just made is not synced.
    NoTranscriptParentSync,
    /// The line is written before the artifact.
    LineFirst,
}

impl Wrong {
    /// Every wrong way.
    pub const ALL: [Self; 20] = [
        Self::NoFileSync,
        Self::NoDirSync,
        Self::NoParentSync,
        Self::NoSyncOfAnyDir,
        Self::NameBeforeSync,
        Self::DirSyncBeforeName,
        Self::FirstOfBatchSynced,
        Self::NameBeforeBatchSync,
        Self::BatchErrorDropped,
        Self::Replace,
        Self::RemoveThenName,
        Self::AdoptBlindly,
        Self::InPlace,
        Self::ReserveFirst,
        Self::SyncAgain,
        Self::NoSizeCheck,
        Self::NoCleanUp,
        Self::NoLineSync,
        Self::NoTranscriptParentSync,
        Self::LineFirst,
    ];
}

/// The simulated file system, misused in one way.
#[derive(Debug)]
pub struct Protocol {
    sim: SimFs,
    wrong: Wrong,
    /// The file whose sync was put off, and what was said to be written.
    put_off: Mutex<Option<(SimDir, OsString)>>,
    claimed: Mutex<u64>,
    made: Mutex<Option<(SimDir, OsString)>>,
}

impl Protocol {
    /// The store's operations, wrong in this way.
    #[must_use]
    pub fn new(sim: SimFs, wrong: Wrong) -> Self {
        Self {
            sim,
            wrong,
            put_off: Mutex::new(None),
            claimed: Mutex::new(0),
            made: Mutex::new(None),
        }
    }

    fn is(&self, wrong: Wrong) -> bool {
        self.wrong == wrong
    }

    /// Syncs the file that was put off, under the name it has now.
    fn catch_up(&self, dir: &SimDir, name: &OsStr) -> io::Result<()> {
        if self.put_off.lock().unwrap().take().is_some() {
            self.sim.sync(&self.sim.open(dir, name)?)?;
        }
        Ok(())
    }
}

impl Sealed for Protocol {}

impl Fs for Protocol {
    type Dir = SimDir;
    type File = SimFile;

    fn open_parent(&self, path: &Path) -> io::Result<SimDir> {
        self.sim.open_parent(path)
    }

    fn open_dir(&self, parent: &SimDir, name: &OsStr) -> io::Result<SimDir> {
        self.sim.open_dir(parent, name)
    }

    fn create_dir(&self, parent: &SimDir, name: &OsStr) -> io::Result<()> {
        self.sim.create_dir(parent, name)
    }

    fn create(&self, dir: &SimDir, name: &OsStr) -> io::Result<SimFile> {
        *self.claimed.lock().unwrap() = 0;
        *self.made.lock().unwrap() = Some((*dir, name.into()));
        self.sim.create(dir, name)
    }

    fn open_append(&self, dir: &SimDir, name: &OsStr) -> io::Result<SimFile> {
        self.sim.open_append(dir, name)
    }

    fn open(&self, dir: &SimDir, name: &OsStr) -> io::Result<SimFile> {
        self.sim.open(dir, name)
    }

    fn renew(&self, file: &SimFile) {
        self.sim.renew(file);
    }

    fn write(&self, file: &SimFile, bytes: &[u8]) -> io::Result<usize> {
        let written = self.sim.write(file, bytes)?;
        *self.claimed.lock().unwrap() += written as u64;
        Ok(written)
    }

    fn read_at(&self, file: &SimFile, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.sim.read_at(file, buffer, offset)
    }

    fn sync(&self, file: &SimFile) -> io::Result<Durability> {
        match self.wrong {
            Wrong::NoFileSync => Ok(Durability::PowerLoss),
            Wrong::NameBeforeSync => {
                *self.put_off.lock().unwrap() = self.made.lock().unwrap().clone();
                Ok(Durability::PowerLoss)
            }
            Wrong::SyncAgain => self.sim.sync(file).or_else(|_| self.sim.sync(file)),
            _ => self.sim.sync(file),
        }
    }

    fn sync_all(&self, files: &[&SimFile]) -> Vec<io::Result<Durability>> {
        let done = |_: &&SimFile| Ok(Durability::PowerLoss);
        let sync = |file: &&SimFile| self.sync(file);
        match self.wrong {
            Wrong::FirstOfBatchSynced => {
                let (first, rest) = files.split_at(files.len().min(1));
                first
                    .iter()
                    .map(sync)
                    .chain(rest.iter().map(done))
                    .collect()
            }
            Wrong::NameBeforeBatchSync => files.iter().map(done).collect(),
            Wrong::BatchErrorDropped => {
                let synced = files.iter().map(|file| sync(file).or_else(|_| done(file)));
                synced.collect()
            }
            _ => files.iter().map(sync).collect(),
        }
    }

    fn sync_dir(&self, dir: &SimDir) -> io::Result<Durability> {
        let is_root = *dir == self.sim.open_parent(Path::new("/"))?;
        if self.is(Wrong::NameBeforeBatchSync) && !is_root {
            for name in self.sim.names(dir)? {
                self.sim.sync(&self.sim.open(dir, &name)?)?;
            }
        }
        let left_out = match self.wrong {
            Wrong::NoDirSync | Wrong::DirSyncBeforeName => !is_root,
            Wrong::NoParentSync => is_root,
            Wrong::NoSyncOfAnyDir => true,
            _ => false,
        };
        match left_out {
            true => Ok(Durability::PowerLoss),
            false => self.sim.sync_dir(dir),
        }
    }

    fn stat(&self, file: &SimFile) -> io::Result<Stat> {
        let mut stat = self.sim.stat(file)?;
        if self.is(Wrong::NoSizeCheck) {
            stat.bytes = *self.claimed.lock().unwrap();
        }
        Ok(stat)
    }

    fn stat_at(&self, dir: &SimDir, name: &OsStr) -> io::Result<Stat> {
        self.sim.stat_at(dir, name)
    }

    fn rename_new(&self, dir: &SimDir, from: &OsStr, to: &OsStr) -> io::Result<()> {
        match self.wrong {
            Wrong::Replace => self.sim.rename(dir, from, to),
            Wrong::RemoveThenName => {
                let _ = self.sim.remove(dir, to);
                self.sim.rename_new(dir, from, to)
            }
            Wrong::AdoptBlindly => match self.sim.rename_new(dir, from, to) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    self.sim.remove(dir, from)
                }
                other => other,
            },
            Wrong::ReserveFirst => Err(io::ErrorKind::Unsupported.into()),
            Wrong::DirSyncBeforeName => {
                self.sim.sync_dir(dir)?;
                self.sim.rename_new(dir, from, to)
            }
            _ => {
                self.sim.rename_new(dir, from, to)?;
                self.catch_up(dir, to)
            }
        }
    }

    fn link(&self, dir: &SimDir, from: &OsStr, to: &OsStr) -> io::Result<()> {
        match self.wrong {
            Wrong::ReserveFirst => Err(io::ErrorKind::Unsupported.into()),
            _ => self.sim.link(dir, from, to),
        }
    }

    fn rename(&self, dir: &SimDir, from: &OsStr, to: &OsStr) -> io::Result<()> {
        self.sim.rename(dir, from, to)
    }

    fn remove(&self, dir: &SimDir, name: &OsStr) -> io::Result<()> {
        match self.wrong {
            Wrong::NoCleanUp => Ok(()),
            _ => self.sim.remove(dir, name),
        }
    }

    fn names(&self, dir: &SimDir) -> io::Result<Vec<OsString>> {
        self.sim.names(dir)
    }

    fn lock_dir(&self, dir: &SimDir) -> io::Result<()> {
        self.sim.lock_dir(dir)
    }

    fn share_dir(&self, dir: &SimDir) -> io::Result<()> {
        self.sim.share_dir(dir)
    }

    fn lock(&self, file: &SimFile) -> io::Result<()> {
        self.sim.lock(file)
    }

    fn start_writeback(&self, file: &SimFile, offset: u64, bytes: u64) {
        self.sim.start_writeback(file, offset, bytes);
    }

    fn share_blocks(&self, from: &SimFile, to: &SimFile) -> io::Result<()> {
        self.sim.share_blocks(from, to)
    }
}
