//! What is in the directory.

use std::ffi::{OsStr, OsString};
use std::io;
use std::time::SystemTime;

use artifacts_core::ArtifactName;

use crate::dir::{OpenDir, STAGING_PREFIX};
use crate::fs::{FileKind, Fs, Stat};
use crate::{ArtifactDir, Error, cache, index};

/// One entry of an artifact directory.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Entry {
    /// A regular file with the name of an artifact and no other name. Its bytes were not looked at.
    Artifact(ListedArtifact),
    /// What a writer is writing, or left behind when it was killed.
    Staging(Listed),
    /// The index, or what was set aside of a damaged one.
    Index(Listed),
    /// What was computed from an artifact and is kept beside it.
    Cache(ListedCache),
    /// Anything else: never read, never deleted.
    Foreign(Listed),
}

/// An artifact as the directory shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ListedArtifact {
    /// Its name.
    pub name: ArtifactName,
    /// Its size in bytes.
    pub bytes: u64,
    /// When it was written.
    pub modified: SystemTime,
    /// When it was stored last: later than `modified` if the same bytes were stored again, and
    /// the same where the file system doesn't tell.
    pub changed: SystemTime,
}

/// A cache as the directory shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ListedCache {
    /// The artifact that it was computed from, which may be gone.
    pub artifact: ArtifactName,
    /// The file.
    pub file: Listed,
}

/// Any other file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Listed {
    /// Its name in the directory.
    pub name: OsString,
    /// Its size in bytes.
    pub bytes: u64,
    /// When its bytes were changed last.
    pub modified: SystemTime,
    /// When anything about it was changed last.
    pub changed: SystemTime,
}

impl<F: Fs> ArtifactDir<F> {
    /// Everything in the directory, by name; nothing if there is no directory.
    ///
    /// # Errors
    ///
    /// If the directory can't be read, or something else stands in its place.
    pub fn entries(&self) -> Result<Vec<Entry>, Error> {
        match self.open_present()? {
            Some(dir) => entries(&dir).map_err(|error| Error::io("list", self.label(), error)),
            None => Ok(Vec::new()),
        }
    }

    /// The artifacts in the directory, by name; none if there is no directory.
    ///
    /// # Errors
    ///
    /// As [`entries`](Self::entries).
    pub fn list(&self) -> Result<Vec<ListedArtifact>, Error> {
        let artifacts = self.entries()?.into_iter().filter_map(|entry| match entry {
            Entry::Artifact(artifact) => Some(artifact),
            _ => None,
        });
        Ok(artifacts.collect())
    }
}

pub(crate) fn entries<F: Fs>(dir: &OpenDir<F>) -> io::Result<Vec<Entry>> {
    let mut names = dir.fs.names(&dir.handle)?;
    names.sort_unstable();
    let mut entries = Vec::with_capacity(names.len());
    for name in names {
        match dir.fs.stat_at(&dir.handle, &name) {
            Ok(stat) => entries.push(entry_of(name, &stat)),
            // Published or removed while we looked.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(entries)
}

fn entry_of(name: OsString, stat: &Stat) -> Entry {
    let Stat {
        kind,
        bytes,
        modified,
        changed,
        ..
    } = *stat;
    let artifact = artifact_name(&name).filter(|_| kind == FileKind::Regular && stat.links == 1);
    if let Some(name) = artifact {
        return Entry::Artifact(ListedArtifact {
            name,
            bytes,
            modified,
            changed,
        });
    }
    let staging = name
        .as_encoded_bytes()
        .starts_with(STAGING_PREFIX.as_bytes());
    let listed = Listed {
        name,
        bytes,
        modified,
        changed,
    };
    if kind != FileKind::Regular {
        return Entry::Foreign(listed);
    }
    match cache::cache_of(&listed.name) {
        _ if staging => Entry::Staging(listed),
        _ if index::is_index(&listed.name) => Entry::Index(listed),
        Some(artifact) => Entry::Cache(ListedCache {
            artifact,
            file: listed,
        }),
        None => Entry::Foreign(listed),
    }
}

fn artifact_name(name: &OsStr) -> Option<ArtifactName> {
    ArtifactName::parse(name.to_str()?).ok()
}
