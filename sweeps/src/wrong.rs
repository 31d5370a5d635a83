//! The machine's file system, used wrongly in one way: what the block logs must be able to show.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use artifacts_fs::internals::Sealed;
use artifacts_fs::{Durability, Fs, RealFs, Stat};

/// In which way a protocol is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wrong {
    /// The file is not synced.
    UnsyncedFile,
    /// The artifact directory is not synced, nor the one above it.
    UnsyncedDirs,
    /// The file gets its name before it is synced.
    NamedFirst,
}

impl Wrong {
    pub(crate) const ALL: [Self; 3] = [Self::UnsyncedFile, Self::UnsyncedDirs, Self::NamedFirst];

    /// The way that a child was told.
    pub(crate) fn of_child() -> Option<Self> {
        let told = std::env::var(VARIABLE).ok()?;
        Self::ALL.into_iter().find(|wrong| wrong.name() == told)
    }

    pub(crate) fn name(self) -> String {
        format!("{self:?}")
    }
}

/// Tells a child to be wrong.
pub(crate) const VARIABLE: &str = "SWEEPS_WRONG";

/// [`RealFs`], wrong in one way.
#[derive(Debug)]
pub(crate) struct WrongFs {
    wrong: Wrong,
    /// The file whose sync was put off.
    put_off: Mutex<Option<File>>,
}

impl WrongFs {
    pub(crate) fn new(wrong: Wrong) -> Self {
        Self {
            wrong,
            put_off: Mutex::new(None),
        }
    }
}

impl Sealed for WrongFs {}

impl Fs for WrongFs {
    type Dir = OwnedFd;
    type File = File;

    fn sync(&self, file: &File) -> io::Result<Durability> {
        match self.wrong {
            Wrong::UnsyncedFile => Ok(Durability::PowerLoss),
            Wrong::NamedFirst => {
                let mut put_off = self.put_off.lock().unwrap_or_else(PoisonError::into_inner);
                *put_off = Some(file.try_clone()?);
                Ok(Durability::PowerLoss)
            }
            Wrong::UnsyncedDirs => RealFs::default().sync(file),
        }
    }

    fn sync_dir(&self, dir: &OwnedFd) -> io::Result<Durability> {
        match self.wrong {
            Wrong::UnsyncedDirs => Ok(Durability::PowerLoss),
            Wrong::UnsyncedFile | Wrong::NamedFirst => RealFs::default().sync_dir(dir),
        }
    }

    fn rename_new(&self, dir: &OwnedFd, from: &OsStr, to: &OsStr) -> io::Result<()> {
        RealFs::default().rename_new(dir, from, to)?;
        let put_off = self
            .put_off
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        match put_off {
            Some(file) => RealFs::default().sync(&file).map(drop),
            None => Ok(()),
        }
    }

    fn open_parent(&self, path: &Path) -> io::Result<OwnedFd> {
        RealFs::default().open_parent(path)
    }

    fn open_dir(&self, parent: &OwnedFd, name: &OsStr) -> io::Result<OwnedFd> {
        RealFs::default().open_dir(parent, name)
    }

    fn create_dir(&self, parent: &OwnedFd, name: &OsStr) -> io::Result<()> {
        RealFs::default().create_dir(parent, name)
    }

    fn create(&self, dir: &OwnedFd, name: &OsStr) -> io::Result<File> {
        RealFs::default().create(dir, name)
    }

    fn open_append(&self, dir: &OwnedFd, name: &OsStr) -> io::Result<File> {
        RealFs::default().open_append(dir, name)
    }

    fn open(&self, dir: &OwnedFd, name: &OsStr) -> io::Result<File> {
        RealFs::default().open(dir, name)
    }

    fn renew(&self, file: &File) {
        RealFs::default().renew(file);
    }

    fn write(&self, file: &File, bytes: &[u8]) -> io::Result<usize> {
        RealFs::default().write(file, bytes)
    }

    fn read_at(&self, file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        RealFs::default().read_at(file, buffer, offset)
    }

    fn stat(&self, file: &File) -> io::Result<Stat> {
        RealFs::default().stat(file)
    }

    fn stat_at(&self, dir: &OwnedFd, name: &OsStr) -> io::Result<Stat> {
        RealFs::default().stat_at(dir, name)
    }

    fn link(&self, dir: &OwnedFd, from: &OsStr, to: &OsStr) -> io::Result<()> {
        RealFs::default().link(dir, from, to)
    }

    fn rename(&self, dir: &OwnedFd, from: &OsStr, to: &OsStr) -> io::Result<()> {
        RealFs::default().rename(dir, from, to)
    }

    fn remove(&self, dir: &OwnedFd, name: &OsStr) -> io::Result<()> {
        RealFs::default().remove(dir, name)
    }

    fn names(&self, dir: &OwnedFd) -> io::Result<Vec<OsString>> {
        RealFs::default().names(dir)
    }

    fn lock_dir(&self, dir: &OwnedFd) -> io::Result<()> {
        RealFs::default().lock_dir(dir)
    }

    fn share_dir(&self, dir: &OwnedFd) -> io::Result<()> {
        RealFs::default().share_dir(dir)
    }

    fn lock(&self, file: &File) -> io::Result<()> {
        RealFs::default().lock(file)
    }

    fn start_writeback(&self, _: &File, _: u64, _: u64) {}

    fn share_blocks(&self, from: &File, to: &File) -> io::Result<()> {
        RealFs::default().share_blocks(from, to)
    }
}
