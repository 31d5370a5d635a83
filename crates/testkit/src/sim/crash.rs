//! What a power cut can leave.

use std::collections::{BTreeMap, BTreeSet};

use artifacts_fs::ArtifactRef;

use super::state::{DirNode, FileNode, Inode, ROOT, State};

/// Something that was acknowledged and must be there after any crash.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ack {
    /// An artifact, by its receipt.
    Artifact(ArtifactRef),
    /// A line of the transcript, without its line end.
    Line(String),
    /// An artifact was removed on purpose, so it need not be there.
    Removed(String),
}

impl State {
    /// What was acknowledged until this state.
    #[must_use]
    pub fn acks(&self) -> &[Ack] {
        &self.acks
    }

    /// Every distinct state that a power cut now can leave: each unsynced directory change is
    /// there or not, each unsynced block of a file that has a name is there, zero or absent.
    #[must_use]
    pub fn crashes(&self) -> Vec<Self> {
        let pending: Vec<(u64, usize)> = self
            .inodes
            .iter()
            .filter_map(|(inode, node)| match node {
                Inode::Dir(dir) => Some((0..dir.pending.len()).map(|index| (*inode, index))),
                _ => None,
            })
            .flatten()
            .collect();
        let mut seen = BTreeSet::new();
        let mut crashes = Vec::new();
        for kept in 0..(1_u64 << pending.len().min(MAX_PENDING)) {
            let is_kept = |bit: usize| kept >> bit & 1 == 1;
            let kept: BTreeSet<(u64, usize)> = pending
                .iter()
                .enumerate()
                .filter(|(bit, _)| is_kept(*bit))
                .map(|(_, change)| *change)
                .collect();
            for state in self.with_changes(&kept).with_blocks(self.block_bytes) {
                if seen.insert(state.files()) {
                    crashes.push(state);
                }
            }
        }
        crashes
    }

    /// The device's directories after those changes, with the files still as programs saw them.
    fn with_changes(&self, kept: &BTreeSet<(u64, usize)>) -> Self {
        let mut state = self.clone();
        state.locks.clear();
        for (inode, node) in &mut state.inodes {
            if let Inode::Dir(dir) = node {
                let mut entries = std::mem::take(&mut dir.durable);
                for (index, change) in dir.pending.iter().enumerate() {
                    if kept.contains(&(*inode, index)) {
                        change.apply(&mut entries);
                    }
                }
                *dir = DirNode {
                    durable: entries.clone(),
                    entries,
                    pending: Vec::new(),
                };
            }
        }
        let mut named = BTreeSet::new();
        state.reach(ROOT, &mut named);
        state.inodes.retain(|inode, _| named.contains(inode));
        state
    }

    fn reach(&self, inode: u64, named: &mut BTreeSet<u64>) {
        if named.insert(inode)
            && let Some(Inode::Dir(dir)) = self.inodes.get(&inode)
        {
            for entry in dir.entries.values() {
                self.reach(*entry, named);
            }
        }
    }

    /// Every combination of what the files can hold.
    fn with_blocks(self, block_bytes: usize) -> Vec<Self> {
        let files: BTreeMap<u64, Vec<Vec<u8>>> = self
            .inodes
            .iter()
            .filter_map(|(inode, node)| match node {
                Inode::File(file) => Some((*inode, file.crashes(block_bytes))),
                _ => None,
            })
            .collect();
        let mut states = vec![self];
        for (inode, contents) in files {
            let combined = states.iter().flat_map(|state| {
                contents.iter().map(move |bytes| {
                    let mut state = state.clone();
                    let file = FileNode {
                        data: bytes.clone(),
                        durable: bytes.clone(),
                        ..FileNode::default()
                    };
                    state.inodes.insert(inode, Inode::File(file));
                    state
                })
            });
            states = combined.collect();
        }
        states
    }
}

impl FileNode {
    /// What the device can hold of this file: up to some dirty block, which is there or zero,
    /// with each dirty block before it there or as the device had it.
    fn crashes(&self, block_bytes: usize) -> Vec<Vec<u8>> {
        let dirty: Vec<usize> = self.dirty.iter().copied().collect();
        let mut contents = BTreeSet::from([self.durable.clone()]);
        for last in 1..=dirty.len() {
            let blocks = dirty.get(..last).unwrap_or_default();
            let end = blocks.last().map_or(0, |block| (block + 1) * block_bytes);
            for there in 0..(1_u64 << last.min(MAX_PENDING)) {
                let mut bytes = self.durable.clone();
                bytes.resize(bytes.len().max(end.min(self.data.len())), 0);
                for (bit, block) in blocks.iter().enumerate() {
                    if there >> bit & 1 == 1 {
                        self.copy_block(*block, block_bytes, &mut bytes);
                    }
                }
                contents.insert(bytes);
            }
        }
        contents.into_iter().collect()
    }

    /// The device takes what is dirty.
    pub(super) fn write_back(&mut self, block_bytes: usize) {
        if !self.dirty.is_empty() {
            let mut durable = std::mem::take(&mut self.durable);
            let end = self
                .dirty
                .last()
                .map_or(0, |block| (block + 1) * block_bytes);
            durable.resize(durable.len().max(end.min(self.data.len())), 0);
            for block in &self.dirty {
                self.copy_block(*block, block_bytes, &mut durable);
            }
            self.durable = durable;
        }
        self.sync();
    }

    fn copy_block(&self, block: usize, block_bytes: usize, to: &mut [u8]) {
        let start = block * block_bytes;
        let from = self.data.iter().skip(start).take(block_bytes);
        for (to, from) in to.iter_mut().skip(start).zip(from) {
            *to = *from;
        }
    }
}

/// Bounds the exponent, so that a wrong set-up ends.
const MAX_PENDING: usize = 16;
