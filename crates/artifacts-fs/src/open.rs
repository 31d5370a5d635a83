//! An artifact opened for reading in parts, after its bytes were found right.

use std::fmt;
use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use crate::clusters;
use crate::dir::OpenDir;
use crate::fs::Fs;
use crate::marks::Marks;
use crate::read;
use crate::select::{self, Selection};
use crate::{ArtifactDir, ArtifactRef, Error};

/// An artifact whose size and digest were found right when it was opened.
///
/// It stays readable when the file is removed meanwhile, and refuses to read on when the file is
/// changed.
///
/// ```
/// use artifacts_core::{ContentType, OpId};
/// use artifacts_fs::{ArtifactStore as _, MemoryStore, Selection};
///
/// let store = MemoryStore::default();
/// let stored = store.store(&OpId::new("op-1"), ContentType::Text, b"one\ntwo\nthree\n")?;
/// let artifact = store.open(&(&stored).into())?;
/// let range = artifact.locate(&Selection::lines(1..2))?;
/// let page = artifact.page(range, 1_000)?;
/// assert_eq!(page.bytes(), b"two\n");
/// assert_eq!(page.next(), None);
/// # Ok::<(), artifacts_fs::Error>(())
/// ```
#[derive(Debug)]
pub struct OpenArtifact {
    source: Box<dyn Source>,
    artifact: ArtifactRef,
    marks: Marks,
}

/// A part of an artifact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    bytes: Vec<u8>,
    range: Range<u64>,
    next: Option<u64>,
}

impl OpenArtifact {
    pub(crate) fn new(source: Box<dyn Source>, artifact: ArtifactRef) -> Self {
        Self {
            source,
            artifact,
            marks: Marks::default(),
        }
    }

    /// Where its lines and clusters begin, as far as that is known.
    pub(crate) fn marks(&self) -> &Marks {
        &self.marks
    }

    /// Its size in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.artifact.bytes()
    }

    /// Which artifact it is.
    #[must_use]
    pub fn artifact(&self) -> &ArtifactRef {
        &self.artifact
    }

    /// The range in bytes that `selection` covers; what lies beyond the end is left out.
    ///
    /// # Errors
    ///
    /// If the file can't be read or was changed.
    pub fn locate(&self, selection: &Selection) -> Result<Range<u64>, Error> {
        select::locate(self, selection)
    }

    /// The first part of `range`, of at most `max_bytes`, ending between two grapheme clusters.
    ///
    /// A page always moves forward: where a single cluster is larger than `max_bytes` it passes
    /// whole up to 1 KiB more, and a still larger one is divided between two scalars. To read on,
    /// ask for the range that starts at [`next`](Page::next).
    ///
    /// # Errors
    ///
    /// If the file can't be read or was changed.
    pub fn page(&self, range: Range<u64>, max_bytes: usize) -> Result<Page, Error> {
        let end = range.end.min(self.bytes());
        let start = range.start.min(end);
        let max_bytes = max_bytes.max(1);
        let rest = usize::try_from(end - start).unwrap_or(usize::MAX);
        let mut bytes = vec![0; rest.min(max_bytes.saturating_add(LOOKAHEAD_BYTES))];
        let filled = self.read_at(&mut bytes, start)?;
        bytes.truncate(filled);
        if filled > max_bytes || filled < rest {
            bytes.truncate(clusters::page_end(&bytes, max_bytes, filled < rest));
        }
        let stop = start + bytes.len() as u64;
        Ok(Page {
            bytes,
            range: start..stop,
            next: (stop < end).then_some(stop),
        })
    }

    /// Fills `buffer` with the bytes from `offset` on and tells how many they are: fewer only at
    /// the end.
    ///
    /// # Errors
    ///
    /// If the file can't be read or was changed.
    pub fn read_at(&self, buffer: &mut [u8], offset: u64) -> Result<usize, Error> {
        match self.source.read_unchanged(buffer, offset) {
            Ok(Some(filled)) => Ok(filled),
            Ok(None) => Err(Error::altered(
                &self.artifact,
                "it changed while it was read",
            )),
            Err(error) => Err(Error::io("read", self.artifact.name(), error)),
        }
    }
}

impl Page {
    /// The bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes, owned.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Where they are in the artifact, in bytes.
    #[must_use]
    pub fn range(&self) -> Range<u64> {
        self.range.clone()
    }

    /// Where what was asked for goes on, in bytes; `None` at its end.
    #[must_use]
    pub fn next(&self) -> Option<u64> {
        self.next
    }
}

impl<F: Fs> ArtifactDir<F> {
    /// Opens an artifact for reading in parts, after a pass over all of it.
    ///
    /// # Errors
    ///
    /// As [`ArtifactStore::read`](crate::ArtifactStore::read).
    pub fn open_artifact(&self, artifact: &ArtifactRef) -> Result<OpenArtifact, Error> {
        let Some(dir) = self.open_present()? else {
            return Err(Error::not_found(artifact.name()));
        };
        let file = read::open_verified(&dir, artifact)?;
        let changed = dir
            .fs
            .stat(&file)
            .map_err(|error| Error::io("read", artifact.name(), error))?
            .changed;
        let source = FileSource {
            dir,
            file,
            artifact: artifact.clone(),
            changed: Mutex::new(changed),
        };
        Ok(OpenArtifact::new(Box::new(source), artifact.clone()))
    }
}

/// Where an open artifact's bytes are.
pub(crate) trait Source: fmt::Debug + Send + Sync {
    /// Fills `buffer` from `offset`; `None` if the bytes were changed since they were verified.
    fn read_unchanged(&self, buffer: &mut [u8], offset: u64) -> io::Result<Option<usize>>;
}

#[derive(Debug)]
struct FileSource<F: Fs> {
    dir: OpenDir<F>,
    file: F::File,
    artifact: ArtifactRef,
    /// When anything about the file had changed last, when its bytes were found right.
    changed: Mutex<SystemTime>,
}

impl<F: Fs> Source for FileSource<F> {
    fn read_unchanged(&self, buffer: &mut [u8], offset: u64) -> io::Result<Option<usize>> {
        for _ in 0..MOST_CHANGES {
            let filled = read::read_full(&*self.dir.fs, &self.file, buffer, offset)?.len();
            let stat = self.dir.fs.stat(&self.file)?;
            let mut changed = self.changed.lock().unwrap_or_else(PoisonError::into_inner);
            // A removed name changes the time as well, and the number of names with it.
            if stat.changed == *changed || stat.links == 0 {
                return Ok(Some(filled));
            }
            // Storing the same bytes again changes the time too, so the bytes are looked at.
            if read::verify(&self.dir, &self.file, &self.artifact).is_err() {
                return Ok(None);
            }
            *changed = stat.changed;
        }
        Ok(None)
    }
}

impl Source for Arc<[u8]> {
    fn read_unchanged(&self, buffer: &mut [u8], offset: u64) -> io::Result<Option<usize>> {
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        let rest = self.get(start..).unwrap_or_default();
        let filled = rest.len().min(buffer.len());
        for (to, from) in buffer.iter_mut().zip(rest) {
            *to = *from;
        }
        Ok(Some(filled))
    }
}

/// How often a file may be stored again while one page of it is read.
const MOST_CHANGES: u32 = 8;

/// Read past a page, to see where a cluster ends.
const LOOKAHEAD_BYTES: usize = 1 << 10;
