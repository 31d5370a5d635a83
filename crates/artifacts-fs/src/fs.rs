//! The operations the store performs on a file system, and nothing else.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io;
use std::path::Path;
use std::time::SystemTime;

use crate::Durability;

/// A file system as the write protocol sees it. Sealed: [`RealFs`](crate::RealFs) is the one for
/// use, the test kit has a simulated one that crashes.
///
/// Every name is one component, resolved in a directory that is held open, and no operation but
/// [`open_parent`](Self::open_parent) follows a symbolic link.
pub trait Fs: sealed::Sealed + fmt::Debug + Send + Sync + 'static {
    /// An open directory.
    type Dir: fmt::Debug + Send + Sync;
    /// An open file.
    type File: fmt::Debug + Send + Sync;

    /// Opens the directory that `path` names, following links: it is the caller's.
    ///
    /// # Errors
    ///
    /// Those of the system.
    fn open_parent(&self, path: &Path) -> io::Result<Self::Dir>;

    /// Opens the directory `name` in `parent`; fails if it is anything but a directory.
    ///
    /// # Errors
    ///
    /// Those of the system.
    fn open_dir(&self, parent: &Self::Dir, name: &OsStr) -> io::Result<Self::Dir>;

    /// Creates the directory `name` in `parent` with mode 0700.
    ///
    /// # Errors
    ///
    /// Those of the system.
    fn create_dir(&self, parent: &Self::Dir, name: &OsStr) -> io::Result<()>;

    /// Creates the file `name`, which must not exist, with mode 0600, and locks it exclusively
    /// for as long as the handle lives, so that a sweep can tell it from a leftover.
    ///
    /// # Errors
    ///
    /// Those of the system.
    fn create(&self, dir: &Self::Dir, name: &OsStr) -> io::Result<Self::File>;

    /// Opens the file `name` for reading and for appending at its end, whoever else appends to it,
    /// or creates it with mode 0600; never blocks, whatever it is.
    ///
    /// # Errors
    ///
    /// Those of the system.
    fn open_append(&self, dir: &Self::Dir, name: &OsStr) -> io::Result<Self::File>;

    /// Opens `name` for reading; never blocks, whatever it is.
    ///
    /// # Errors
    ///
    /// Those of the system.
    fn open(&self, dir: &Self::Dir, name: &OsStr) -> io::Result<Self::File>;

    /// Gives the file mode 0600, and a later [`changed`](Stat::changed) also if it has that mode
    /// already. What the file system can't do does not happen.
    fn renew(&self, file: &Self::File);

    /// Appends at the end of what this handle has written, or of the file where it was opened for
    /// that; may write less than given.
    ///
    /// # Errors
    ///
    /// Those of the system.
    fn write(&self, file: &Self::File, bytes: &[u8]) -> io::Result<usize>;

    /// Reads at `offset`; 0 only at the end of the file.
    ///
    /// # Errors
    ///
    /// Those of the system.
    fn read_at(&self, file: &Self::File, buffer: &mut [u8], offset: u64) -> io::Result<usize>;

    /// Makes the file's bytes durable and says what they survive.
    ///
    /// # Errors
    ///
    /// Those of the system. After an error the file must not be synced again.
    fn sync(&self, file: &Self::File) -> io::Result<Durability>;

    /// Makes the bytes of several files durable, at the same time where that is faster; one answer
    /// each, in order. No file is given twice, and none is synced again after an error.
    fn sync_all(&self, files: &[&Self::File]) -> Vec<io::Result<Durability>> {
        files.iter().map(|file| self.sync(file)).collect()
    }

    /// Makes the directory's entries durable and says what they survive.
    ///
    /// # Errors
    ///
    /// Those of the system.
    fn sync_dir(&self, dir: &Self::Dir) -> io::Result<Durability>;

    /// What an open file is.
    ///
    /// # Errors
    ///
    /// Those of the system.
    fn stat(&self, file: &Self::File) -> io::Result<Stat>;

    /// What stands at `name`, itself and not what it links to.
    ///
    /// # Errors
    ///
    /// Those of the system.
    fn stat_at(&self, dir: &Self::Dir, name: &OsStr) -> io::Result<Stat>;

    /// Renames, failing with `AlreadyExists` where `to` exists.
    ///
    /// # Errors
    ///
    /// Those of the system; `Unsupported` or `InvalidInput` where it can't be done in one step.
    fn rename_new(&self, dir: &Self::Dir, from: &OsStr, to: &OsStr) -> io::Result<()>;

    /// Gives the file a second name, failing with `AlreadyExists` where `to` exists.
    ///
    /// # Errors
    ///
    /// Those of the system.
    fn link(&self, dir: &Self::Dir, from: &OsStr, to: &OsStr) -> io::Result<()>;

    /// Renames over `to`.
    ///
    /// # Errors
    ///
    /// Those of the system.
    fn rename(&self, dir: &Self::Dir, from: &OsStr, to: &OsStr) -> io::Result<()>;

    /// Removes the file `name`.
    ///
    /// # Errors
    ///
    /// Those of the system.
    fn remove(&self, dir: &Self::Dir, name: &OsStr) -> io::Result<()>;

    /// The names in a directory, in no order, without `.` and `..`.
    ///
    /// # Errors
    ///
    /// Those of the system.
    fn names(&self, dir: &Self::Dir) -> io::Result<Vec<OsString>>;

    /// Takes the lock that one sweep of a directory holds; it goes with the handle.
    ///
    /// # Errors
    ///
    /// `WouldBlock` if another holds it.
    fn lock_dir(&self, dir: &Self::Dir) -> io::Result<()>;

    /// Takes the lock that keeps sweeps off while present files are taken for results. Several may
    /// hold it at the same time; it goes with the handle.
    ///
    /// # Errors
    ///
    /// `WouldBlock` if a sweep runs.
    fn share_dir(&self, dir: &Self::Dir) -> io::Result<()>;

    /// Takes the lock of [`create`](Self::create) on a file that may be a leftover.
    ///
    /// # Errors
    ///
    /// `WouldBlock` if its writer lives.
    fn lock(&self, file: &Self::File) -> io::Result<()>;

    /// Asks the system to begin writing this range to the device. A hint.
    fn start_writeback(&self, file: &Self::File, offset: u64, bytes: u64);

    /// Makes the empty file `to` share the blocks of `from`.
    ///
    /// # Errors
    ///
    /// Those of the system; most file systems can't.
    fn share_blocks(&self, from: &Self::File, to: &Self::File) -> io::Result<()>;
}

/// What a directory entry or an open file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stat {
    /// The kind of object.
    pub kind: FileKind,
    /// Its size in bytes.
    pub bytes: u64,
    /// How many names it has.
    pub links: u64,
    /// Device and inode.
    pub id: (u64, u64),
    /// When its bytes changed last.
    pub modified: SystemTime,
    /// When anything about it changed last; `modified` where the file system doesn't tell.
    pub changed: SystemTime,
}

/// The kinds of objects in a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileKind {
    /// A regular file.
    Regular,
    /// A directory.
    Dir,
    /// A symbolic link, FIFO, socket or device.
    Other,
}

pub(crate) mod sealed {
    /// Keeps [`Fs`](super::Fs) closed.
    #[allow(unreachable_pub, reason = "exported for the test kit by a feature")]
    pub trait Sealed {}
}
