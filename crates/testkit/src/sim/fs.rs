//! The operations of the store on the simulated file system.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Component, Path};
use std::sync::Mutex;
use std::time::{Duration, SystemTime};

use artifacts_fs::internals::Sealed;
use artifacts_fs::{Durability, FileKind, Fs, Stat};

use super::state::{Change, DirNode, FileNode, Inode, ROOT, State};
use super::{Fault, SimFs};

/// An open directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SimDir(pub(super) u64);

/// An open file; its lock goes with it.
#[derive(Debug)]
pub struct SimFile {
    fs: SimFs,
    inode: u64,
    handle: u64,
    /// Serializes the appends through this handle.
    appends: Mutex<()>,
}

impl Drop for SimFile {
    fn drop(&mut self) {
        let (inode, handle) = (self.inode, self.handle);
        self.fs
            .inner()
            .state
            .locks
            .retain(|locked, holder| (*locked, *holder) != (inode, handle));
    }
}

impl SimFs {
    fn opened(&self, state: &mut State, inode: u64) -> SimFile {
        state.next_handle += 1;
        SimFile {
            fs: self.clone(),
            inode,
            handle: state.next_handle,
            appends: Mutex::new(()),
        }
    }

    /// Opens a file for appending, creating it if there is none, and tells whether it did: the
    /// transcript's way.
    pub fn open_transcript(&self, dir: SimDir, name: &OsStr) -> io::Result<(SimFile, bool)> {
        let present = self.look("open", |state| match state.lookup(dir.0, name) {
            Ok(inode) if matches!(state.inodes.get(&inode), Some(Inode::Other)) => {
                Err(io::Error::from_raw_os_error(ELOOP))
            }
            Ok(inode) => Ok(Some(inode)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        })?;
        match present {
            Some(inode) => Ok((self.opened(&mut self.inner().state, inode), false)),
            None => Ok((self.create(&dir, name)?, true)),
        }
    }
}

impl Sealed for SimFs {}

impl Fs for SimFs {
    type Dir = SimDir;
    type File = SimFile;

    fn open_parent(&self, path: &Path) -> io::Result<SimDir> {
        self.look("open_parent", |state| {
            let mut dir = ROOT;
            for component in path.components() {
                if let Component::Normal(name) = component {
                    dir = state.lookup(dir, name)?;
                }
            }
            state.dir(dir).map(|_| SimDir(dir))
        })
    }

    fn open_dir(&self, parent: &SimDir, name: &OsStr) -> io::Result<SimDir> {
        self.look("open_dir", |state| {
            let inode = state.lookup(parent.0, name)?;
            state.dir(inode).map(|_| SimDir(inode))
        })
    }

    fn create_dir(&self, parent: &SimDir, name: &OsStr) -> io::Result<()> {
        self.change("create_dir", |state, _| {
            if state.dir(parent.0)?.entries.contains_key(name) {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            let inode = state.add(Inode::Dir(DirNode::default()));
            state.change(parent.0, Change::Add(name.into(), inode))
        })
    }

    fn create(&self, dir: &SimDir, name: &OsStr) -> io::Result<SimFile> {
        self.change("create", |state, _| {
            if state.dir(dir.0)?.entries.contains_key(name) {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            state.clock += 1;
            let file = FileNode {
                modified: state.clock,
                changed: state.clock,
                ..FileNode::default()
            };
            let inode = state.add(Inode::File(file));
            state.change(dir.0, Change::Add(name.into(), inode))?;
            let file = self.opened(state, inode);
            if state.refused_locks.is_none() {
                state.locks.insert(inode, file.handle);
            }
            Ok(file)
        })
    }

    fn open_append(&self, dir: &SimDir, name: &OsStr) -> io::Result<SimFile> {
        self.open_transcript(*dir, name).map(|(file, _)| file)
    }

    fn open(&self, dir: &SimDir, name: &OsStr) -> io::Result<SimFile> {
        let inode = self.look("open", |state| {
            let inode = state.lookup(dir.0, name)?;
            match state.inodes.get(&inode) {
                Some(Inode::Other) => Err(io::Error::from_raw_os_error(ELOOP)),
                _ => Ok(inode),
            }
        })?;
        Ok(self.opened(&mut self.inner().state, inode))
    }

    fn renew(&self, file: &SimFile) {
        let state = &mut self.inner().state;
        let clock = state.clock + 1;
        if let Ok(node) = state.file_mut(file.inode) {
            node.changed = clock;
            state.clock = clock;
        }
    }

    fn write(&self, file: &SimFile, bytes: &[u8]) -> io::Result<usize> {
        let _in_order = file.appends.lock();
        self.change("write", |state, fault| {
            let block_bytes = state.block_bytes;
            let clock = state.clock + 1;
            let node = state.file_mut(file.inode)?;
            // To the next block boundary, so that every block is a moment to crash at.
            let room = block_bytes - node.data.len() % block_bytes;
            let taken = bytes.len().min(room);
            let kept = match fault {
                Some(Fault::Short) => taken.min(1),
                Some(Fault::Lie) => taken.saturating_sub(1),
                _ => taken,
            };
            node.append(bytes.get(..kept).unwrap_or_default(), block_bytes);
            node.modified = clock;
            node.changed = clock;
            state.clock = clock;
            Ok(if fault == Some(Fault::Lie) {
                taken
            } else {
                kept
            })
        })
    }

    fn read_at(&self, file: &SimFile, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.look("read_at", |state| {
            let offset = usize::try_from(offset).unwrap_or(usize::MAX);
            let data = &state.file(file.inode)?.data;
            let rest = data.get(offset..).unwrap_or_default();
            let read = rest.len().min(buffer.len());
            for (to, from) in buffer.iter_mut().zip(rest) {
                *to = *from;
            }
            Ok(read)
        })
    }

    fn sync(&self, file: &SimFile) -> io::Result<Durability> {
        self.change("sync", |state, fault| {
            let block_bytes = state.block_bytes;
            let node = state.file_mut(file.inode)?;
            if let Some(Fault::Error(errno)) = fault {
                node.sync();
                return Err(io::Error::from_raw_os_error(errno));
            }
            node.write_back(block_bytes);
            Ok(Durability::PowerLoss)
        })
    }

    fn sync_dir(&self, dir: &SimDir) -> io::Result<Durability> {
        self.change("sync_dir", |state, fault| {
            let node = state.dir_mut(dir.0)?;
            let pending = std::mem::take(&mut node.pending);
            if let Some(Fault::Error(errno)) = fault {
                return Err(io::Error::from_raw_os_error(errno));
            }
            for change in pending {
                change.apply(&mut node.durable);
            }
            Ok(Durability::PowerLoss)
        })
    }

    fn stat(&self, file: &SimFile) -> io::Result<Stat> {
        self.look("stat", |state| stat(state, file.inode))
    }

    fn stat_at(&self, dir: &SimDir, name: &OsStr) -> io::Result<Stat> {
        self.look("stat_at", |state| stat(state, state.lookup(dir.0, name)?))
    }

    fn rename_new(&self, dir: &SimDir, from: &OsStr, to: &OsStr) -> io::Result<()> {
        self.change("rename_new", |state, _| {
            if state.dir(dir.0)?.entries.contains_key(to) {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            let inode = state.lookup(dir.0, from)?;
            state.change(dir.0, Change::Rename(from.into(), to.into(), inode))
        })
    }

    fn link(&self, dir: &SimDir, from: &OsStr, to: &OsStr) -> io::Result<()> {
        self.change("link", |state, _| {
            if state.dir(dir.0)?.entries.contains_key(to) {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            let inode = state.lookup(dir.0, from)?;
            state.change(dir.0, Change::Add(to.into(), inode))
        })
    }

    fn rename(&self, dir: &SimDir, from: &OsStr, to: &OsStr) -> io::Result<()> {
        self.change("rename", |state, _| {
            let inode = state.lookup(dir.0, from)?;
            state.change(dir.0, Change::Rename(from.into(), to.into(), inode))
        })
    }

    fn remove(&self, dir: &SimDir, name: &OsStr) -> io::Result<()> {
        self.change("remove", |state, _| {
            let inode = state.lookup(dir.0, name)?;
            state.change(dir.0, Change::Remove(name.into(), inode))
        })
    }

    fn names(&self, dir: &SimDir) -> io::Result<Vec<OsString>> {
        self.look("names", |state| {
            Ok(state.dir(dir.0)?.entries.keys().cloned().collect())
        })
    }

    fn lock_dir(&self, _: &SimDir) -> io::Result<()> {
        locks(&self.inner().state)
    }

    fn share_dir(&self, _: &SimDir) -> io::Result<()> {
        locks(&self.inner().state)
    }

    fn lock(&self, file: &SimFile) -> io::Result<()> {
        let mut inner = self.inner();
        locks(&inner.state)?;
        let holder = *inner.state.locks.entry(file.inode).or_insert(file.handle);
        match holder == file.handle {
            true => Ok(()),
            false => Err(io::ErrorKind::WouldBlock.into()),
        }
    }

    fn start_writeback(&self, _: &SimFile, _: u64, _: u64) {}

    fn share_blocks(&self, _: &SimFile, _: &SimFile) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// Whether the file system has locks at all.
fn locks(state: &State) -> io::Result<()> {
    match state.refused_locks {
        Some(errno) => Err(io::Error::from_raw_os_error(errno)),
        None => Ok(()),
    }
}

fn stat(state: &State, inode: u64) -> io::Result<Stat> {
    let (kind, bytes, modified, changed) = match state.inodes.get(&inode) {
        Some(Inode::File(file)) => {
            let bytes = file.data.len() as u64;
            (FileKind::Regular, bytes, file.modified, file.changed)
        }
        Some(Inode::Dir(_)) => (FileKind::Dir, 0, 0, 0),
        Some(Inode::Other) => (FileKind::Other, 0, 0, 0),
        None => return Err(io::ErrorKind::NotFound.into()),
    };
    Ok(Stat {
        kind,
        bytes,
        links: state.links(inode),
        id: (0, inode),
        modified: SystemTime::UNIX_EPOCH + Duration::from_secs(modified),
        changed: SystemTime::UNIX_EPOCH + Duration::from_secs(changed),
    })
}

/// Too many levels of symbolic links, on Linux.
const ELOOP: i32 = 40;
