//! The directory of one transcript's artifacts.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use artifacts_core::{ArtifactName, ContentType, OpId};

use crate::fs::{FileKind, Fs};
use crate::index::Buried;
use crate::{
    ArtifactRef, ArtifactStore, ArtifactWriter, Claim, Durability, DurableArtifact, Error,
    ErrorKind, OpenArtifact, RealFs, StoreItem, artifact_dir_for, batch, claim, read, save, writer,
};

/// The artifacts beside a transcript, one file each (SPEC 4).
///
/// Making one touches nothing; the directory appears with the first artifact. Every operation
/// opens the directory anew and holds it open until it is done, so that nothing can be swapped
/// in between; a directory that was deleted meanwhile is made again.
///
/// ```
/// use artifacts_core::{ContentType, OpId};
/// use artifacts_fs::{ArtifactDir, ArtifactStore as _};
///
/// # let tmp = tempfile::tempdir()?;
/// # let transcript = tmp.path().join("run.jsonl");
/// let store = ArtifactDir::beside(&transcript);
/// let artifact = store.store(&OpId::new("op-1"), ContentType::Text, b"the full bytes")?;
/// assert_eq!(store.read(&(&artifact).into())?, b"the full bytes");
/// assert!(tmp.path().join("run.artifacts/op-1.txt").is_file());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ArtifactDir<F: Fs = RealFs> {
    fs: Arc<F>,
    parent: PathBuf,
    name: OsString,
    wanted: Durability,
    shared: Arc<Shared>,
}

impl<F: Fs> Clone for ArtifactDir<F> {
    fn clone(&self) -> Self {
        Self {
            fs: Arc::clone(&self.fs),
            parent: self.parent.clone(),
            name: self.name.clone(),
            wanted: self.wanted,
            shared: Arc::clone(&self.shared),
        }
    }
}

/// What the clones of one [`ArtifactDir`] know together.
#[derive(Debug, Default)]
struct Shared {
    /// Numbers the staging files.
    staged: AtomicU64,
    /// The directory whose entry in its parent is durable, and what that survives.
    rooted: Mutex<Option<((u64, u64), Durability)>>,
    /// A directory sync failed: what it covered may be lost though a later one succeeds.
    doubt: AtomicBool,
    /// The names whose bytes are gone.
    buried: Buried,
}

/// The directory, held open for one operation.
#[derive(Debug)]
pub(crate) struct OpenDir<F: Fs> {
    pub(crate) fs: Arc<F>,
    pub(crate) handle: F::Dir,
    rooted: Durability,
    wanted: Durability,
    shared: Arc<Shared>,
}

impl ArtifactDir {
    /// The artifacts of the run that `transcript` records: see [`artifact_dir_for`].
    #[must_use]
    pub fn beside(transcript: impl AsRef<Path>) -> Self {
        Self::at(artifact_dir_for(transcript))
    }

    /// The artifacts in the directory `path`.
    #[must_use]
    pub fn at(path: impl AsRef<Path>) -> Self {
        Self::on(RealFs::default(), path)
    }
}

impl<F: Fs> ArtifactDir<F> {
    /// The artifacts in the directory `path` of another file system.
    #[must_use]
    pub fn on(fs: F, path: impl AsRef<Path>) -> Self {
        let path = path.as_ref();
        let parent = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        Self {
            fs: Arc::new(fs),
            parent: parent.to_path_buf(),
            name: path.file_name().unwrap_or_default().to_os_string(),
            wanted: Durability::PowerLoss,
            shared: Arc::default(),
        }
    }

    /// Sets what an artifact must survive, [`Durability::PowerLoss`] by default.
    /// [`Durability::Process`] leaves out every sync; the receipts say so.
    #[must_use]
    pub fn with_durability(self, wanted: Durability) -> Self {
        Self { wanted, ..self }
    }

    /// Opens the directory; `None` if there is none.
    pub(crate) fn open_present(&self) -> Result<Option<OpenDir<F>>, Error> {
        let opened = self
            .fs
            .open_parent(&self.parent)
            .and_then(|parent| self.fs.open_dir(&parent, &self.name));
        match opened {
            Ok(handle) => Ok(Some(self.held(handle, self.wanted))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Error::io("open", self.label(), error)),
        }
    }

    /// Opens the directory, makes it if there is none, and sees that its own entry is durable.
    pub(crate) fn open_or_create(&self) -> Result<OpenDir<F>, Error> {
        let refused = |error| Error::io("create", self.label(), error);
        let parent = self.fs.open_parent(&self.parent).map_err(refused)?;
        let handle = match self.fs.open_dir(&parent, &self.name) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                match self.fs.create_dir(&parent, &self.name) {
                    Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
                    _ => self.fs.open_dir(&parent, &self.name),
                }
            }
            opened => opened,
        };
        let handle = handle.map_err(refused)?;
        let rooted = match self.wanted {
            Durability::PowerLoss => self.root(&parent)?,
            wanted => wanted,
        };
        Ok(self.held(handle, rooted))
    }

    /// Syncs the parent once for each directory met: whoever made it may not have lived to do so.
    fn root(&self, parent: &F::Dir) -> Result<Durability, Error> {
        let refused = |error| Error::io("create", self.label(), error);
        let stat = self.fs.stat_at(parent, &self.name).map_err(refused)?;
        if stat.kind != FileKind::Dir {
            return Err(refused(io::ErrorKind::NotADirectory.into()));
        }
        let mut rooted = self
            .shared
            .rooted
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some((id, durability)) = *rooted
            && id == stat.id
        {
            return Ok(durability);
        }
        let synced = self.fs.sync_dir(parent);
        // A failed sync is never repeated: from here on nothing claims to survive a power cut.
        let durability = *synced.as_ref().unwrap_or(&Durability::Process);
        *rooted = Some((stat.id, durability));
        synced.map_err(|error| Error::sync(self.label(), error))
    }

    fn held(&self, handle: F::Dir, rooted: Durability) -> OpenDir<F> {
        OpenDir {
            fs: Arc::clone(&self.fs),
            handle,
            rooted,
            wanted: self.wanted,
            shared: Arc::clone(&self.shared),
        }
    }

    /// The directory's own base name, for messages.
    pub(crate) fn label(&self) -> String {
        self.name.to_string_lossy().escape_debug().to_string()
    }
}

impl<F: Fs> OpenDir<F> {
    /// The names whose bytes are gone.
    pub(crate) fn buried(&self) -> &Buried {
        &self.shared.buried
    }

    /// A staging name no other staging file of this store has had.
    pub(crate) fn staging_name(&self) -> OsString {
        let number = self.shared.staged.fetch_add(1, Ordering::Relaxed);
        format!("{STAGING_PREFIX}{:x}-{number:x}", std::process::id()).into()
    }

    pub(crate) fn sync_file(&self, file: &F::File) -> io::Result<Durability> {
        match self.wanted {
            Durability::PowerLoss => self.fs.sync(file),
            wanted => Ok(wanted),
        }
    }

    /// As [`sync_file`](Self::sync_file), for several files at the same time.
    pub(crate) fn sync_files(&self, files: &[&F::File]) -> Vec<io::Result<Durability>> {
        match self.wanted {
            Durability::PowerLoss => self.fs.sync_all(files),
            wanted => files.iter().map(|_| Ok(wanted)).collect(),
        }
    }

    /// Makes the entries durable; the answer holds for the whole way to the directory's parent.
    pub(crate) fn sync(&self) -> Result<Durability, Error> {
        if self.wanted != Durability::PowerLoss {
            return Ok(self.wanted);
        }
        let synced = self.fs.sync_dir(&self.handle).map_err(|error| {
            self.shared.doubt.store(true, Ordering::Release);
            Error::sync("the artifact directory", error)
        })?;
        if self.shared.doubt.load(Ordering::Acquire) {
            return Ok(Durability::Process);
        }
        Ok(synced.min(self.rooted))
    }
}

/// How the names of staging files begin; no artifact's name does.
pub(crate) const STAGING_PREFIX: &str = ".tmp-";

impl<F: Fs> ArtifactStore for ArtifactDir<F> {
    fn store(
        &self,
        op_id: &OpId,
        content: ContentType,
        bytes: &[u8],
    ) -> Result<DurableArtifact, Error> {
        save::save(self, &ArtifactName::for_op(op_id, content), bytes.into())
    }

    fn store_item(&self, item: &StoreItem<'_>) -> Result<DurableArtifact, Error> {
        save::save(
            self,
            &ArtifactName::for_op(item.op_id, item.content),
            item.bytes,
        )
    }

    fn store_batch(&self, items: &[StoreItem<'_>]) -> Vec<Result<DurableArtifact, Error>> {
        batch::save_all(self, items)
    }

    fn writer(&self, op_id: &OpId, content: ContentType) -> Result<Box<dyn ArtifactWriter>, Error> {
        let name = ArtifactName::for_op(op_id, content);
        Ok(Box::new(writer::DirWriter::create(self, name)?))
    }

    fn claim(&self, key: &str) -> Result<Claim, Error> {
        claim::claim(self, key)
    }

    fn claim_batch(&self, keys: &[String]) -> Vec<Result<Claim, Error>> {
        claim::claim_all(self, keys)
    }

    fn is_claimed(&self, key: &str) -> bool {
        claim::is_claimed(self, key)
    }

    fn read(&self, artifact: &ArtifactRef) -> Result<Vec<u8>, Error> {
        match self.open_present()? {
            Some(dir) => read::read_whole(&dir, artifact),
            None => Err(Error::not_found(artifact.name())),
        }
    }

    fn open(&self, artifact: &ArtifactRef) -> Result<OpenArtifact, Error> {
        self.open_artifact(artifact)
    }
}

/// Whether the directory may have been deleted under the operation, so that a second try helps.
pub(crate) fn has_vanished(error: &Error) -> bool {
    error.kind() == ErrorKind::NotFound
}
