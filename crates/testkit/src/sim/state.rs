//! What is in the simulated file system, in memory and on its device.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::io;

use super::Ack;

/// Everything in the file system: what programs see, and what of it has reached the device.
#[derive(Debug, Clone, Default)]
pub struct State {
    pub(super) inodes: BTreeMap<u64, Inode>,
    pub(super) locks: BTreeMap<u64, u64>,
    /// The error number that every lock is refused with.
    pub(super) refused_locks: Option<i32>,
    pub(super) acks: Vec<Ack>,
    pub(super) block_bytes: usize,
    next_inode: u64,
    pub(super) next_handle: u64,
    pub(super) clock: u64,
}

#[derive(Debug, Clone)]
pub(super) enum Inode {
    File(FileNode),
    Dir(DirNode),
    /// A link, FIFO, socket or device: nothing here follows or opens one.
    Other,
}

#[derive(Debug, Clone, Default)]
pub(super) struct FileNode {
    /// What programs read.
    pub(super) data: Vec<u8>,
    /// What the device has.
    pub(super) durable: Vec<u8>,
    /// The blocks of `data` that are still to be written.
    pub(super) dirty: BTreeSet<usize>,
    pub(super) modified: u64,
    pub(super) changed: u64,
}

#[derive(Debug, Clone, Default)]
pub(super) struct DirNode {
    pub(super) entries: BTreeMap<OsString, u64>,
    pub(super) durable: BTreeMap<OsString, u64>,
    /// The changes the device does not have, oldest first.
    pub(super) pending: Vec<Change>,
}

/// One change of a directory, which a crash keeps or loses as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Change {
    Add(OsString, u64),
    Remove(OsString, u64),
    Rename(OsString, OsString, u64),
}

pub(super) const ROOT: u64 = 1;

impl State {
    pub(super) fn new(block_bytes: usize) -> Self {
        Self {
            inodes: [(ROOT, Inode::Dir(DirNode::default()))].into(),
            block_bytes: block_bytes.max(1),
            next_inode: ROOT + 1,
            ..Self::default()
        }
    }

    /// Every file that has a name, with its path from the root and its bytes.
    #[must_use]
    pub fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let mut files = BTreeMap::new();
        self.collect(ROOT, "", &mut files);
        files
    }

    fn collect(&self, dir: u64, prefix: &str, files: &mut BTreeMap<String, Vec<u8>>) {
        let Some(Inode::Dir(dir)) = self.inodes.get(&dir) else {
            return;
        };
        for (name, inode) in &dir.entries {
            let path = format!("{prefix}{}", name.to_string_lossy());
            match self.inodes.get(inode) {
                Some(Inode::File(file)) => drop(files.insert(path, file.data.clone())),
                Some(Inode::Dir(_)) => self.collect(*inode, &format!("{path}/"), files),
                _ => {}
            }
        }
    }

    /// Puts a file there, durable, as if it had always been.
    pub fn plant_file(&mut self, dir: &str, name: &str, bytes: &[u8]) {
        let file = FileNode {
            data: bytes.to_vec(),
            durable: bytes.to_vec(),
            ..FileNode::default()
        };
        self.plant(dir, name, Inode::File(file));
    }

    /// Puts something there that is neither a file nor a directory.
    pub fn plant_other(&mut self, dir: &str, name: &str) {
        self.plant(dir, name, Inode::Other);
    }

    /// Makes a directory in the root, durable.
    pub fn plant_dir(&mut self, name: &str) {
        self.plant("", name, Inode::Dir(DirNode::default()));
    }

    fn plant(&mut self, dir: &str, name: &str, inode: Inode) {
        let number = self.add(inode);
        let parent = match dir {
            "" => ROOT,
            dir => self.lookup(ROOT, OsStr::new(dir)).unwrap(),
        };
        let parent = self.dir_mut(parent).unwrap();
        parent.entries.insert(name.into(), number);
        parent.durable.insert(name.into(), number);
    }

    pub(super) fn add(&mut self, inode: Inode) -> u64 {
        let number = self.next_inode;
        self.next_inode += 1;
        self.inodes.insert(number, inode);
        number
    }

    pub(super) fn dir(&self, inode: u64) -> io::Result<&DirNode> {
        match self.inodes.get(&inode) {
            Some(Inode::Dir(dir)) => Ok(dir),
            _ => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    pub(super) fn dir_mut(&mut self, inode: u64) -> io::Result<&mut DirNode> {
        match self.inodes.get_mut(&inode) {
            Some(Inode::Dir(dir)) => Ok(dir),
            _ => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    pub(super) fn file(&self, inode: u64) -> io::Result<&FileNode> {
        match self.inodes.get(&inode) {
            Some(Inode::File(file)) => Ok(file),
            _ => Err(io::ErrorKind::IsADirectory.into()),
        }
    }

    pub(super) fn file_mut(&mut self, inode: u64) -> io::Result<&mut FileNode> {
        match self.inodes.get_mut(&inode) {
            Some(Inode::File(file)) => Ok(file),
            _ => Err(io::ErrorKind::IsADirectory.into()),
        }
    }

    pub(super) fn lookup(&self, dir: u64, name: &OsStr) -> io::Result<u64> {
        let inode = self.dir(dir)?.entries.get(name).copied();
        inode.ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    pub(super) fn links(&self, inode: u64) -> u64 {
        let dirs = self.inodes.values().filter_map(|node| match node {
            Inode::Dir(dir) => Some(dir.entries.values().filter(|entry| **entry == inode)),
            _ => None,
        });
        dirs.flatten().count() as u64
    }

    /// Makes a change visible; the device learns of it with the next sync of the directory.
    pub(super) fn change(&mut self, dir: u64, change: Change) -> io::Result<()> {
        let dir = self.dir_mut(dir)?;
        change.apply(&mut dir.entries);
        dir.pending.push(change);
        Ok(())
    }
}

impl FileNode {
    /// Appends, and marks the blocks touched.
    pub(super) fn append(&mut self, bytes: &[u8], block_bytes: usize) {
        let first = self.data.len() / block_bytes;
        self.data.extend_from_slice(bytes);
        let end = self.data.len().div_ceil(block_bytes);
        self.dirty.extend(first..end);
    }

    pub(super) fn sync(&mut self) {
        // What an earlier failed sync dropped stays lost: only dirty blocks are written.
        self.dirty.clear();
    }
}

impl Change {
    pub(super) fn apply(&self, entries: &mut BTreeMap<OsString, u64>) {
        match self {
            Self::Add(name, inode) => drop(entries.insert(name.clone(), *inode)),
            Self::Remove(name, inode) => remove_if(entries, name, *inode),
            Self::Rename(from, to, inode) => {
                remove_if(entries, from, *inode);
                entries.insert(to.clone(), *inode);
            }
        }
    }
}

fn remove_if(entries: &mut BTreeMap<OsString, u64>, name: &OsStr, inode: u64) {
    if entries.get(name) == Some(&inode) {
        entries.remove(name);
    }
}
