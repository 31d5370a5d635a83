//! Removing one artifact, because whoever owns the store said so, and storing beside what is gone.

use std::ffi::OsStr;
use std::fmt;
use std::sync::Arc;

use artifacts_core::{ArtifactName, ContentDigest, ContentType, OpId};

use crate::fs::{FileKind, Fs};
use crate::writer::DirWriter;
use crate::{ArtifactDir, ArtifactStore, ArtifactWriter, Error, ErrorKind, MemoryStore, cache};

/// A store from which single artifacts can be removed: what a [`BoundedStore`](crate::BoundedStore)
/// needs beneath it.
pub trait RemovableStore: ArtifactStore {
    /// Removes the artifact `name`. Nothing happens if there is none.
    ///
    /// # Errors
    ///
    /// If something else stands at that name, or the system refuses.
    fn remove(&self, name: &ArtifactName) -> Result<(), Error>;

    /// As [`writer`](ArtifactStore::writer), for an operation whose name may have been that of
    /// bytes that are gone: where `taken` says so when it is committed, the artifact gets the name
    /// that tells its content, so that no name ever stands for two contents (SPEC 4.4).
    ///
    /// # Errors
    ///
    /// As [`writer`](ArtifactStore::writer).
    fn writer_beside(
        &self,
        op_id: &OpId,
        content: ContentType,
        taken: TakenNames,
    ) -> Result<Box<dyn ArtifactWriter>, Error>;
}

/// Which names stood for which bytes, though nothing has them now.
#[derive(Clone)]
pub struct TakenNames(Arc<IsTaken>);

type IsTaken = dyn Fn(&ArtifactName, &ContentDigest) -> bool + Send + Sync;

impl TakenNames {
    /// The names for which `is_taken` holds, asked with the digest of the bytes to be stored.
    #[must_use]
    pub fn new(
        is_taken: impl Fn(&ArtifactName, &ContentDigest) -> bool + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(is_taken))
    }

    /// Whether `name` stood for other bytes than those with this digest.
    #[must_use]
    pub fn has(&self, name: &ArtifactName, digest: &ContentDigest) -> bool {
        (self.0)(name, digest)
    }
}

impl fmt::Debug for TakenNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TakenNames").finish_non_exhaustive()
    }
}

impl<F: Fs> RemovableStore for ArtifactDir<F> {
    fn remove(&self, name: &ArtifactName) -> Result<(), Error> {
        let Some(dir) = self.open_present()? else {
            return Ok(());
        };
        let file: &OsStr = name.as_str().as_ref();
        let removed = dir.fs.stat_at(&dir.handle, file).and_then(|stat| {
            match stat.kind == FileKind::Regular && stat.links == 1 {
                true => dir.fs.remove(&dir.handle, file).map(|()| true),
                false => Ok(false),
            }
        });
        match removed {
            Ok(true) => {
                cache::forget(&dir, &[file.to_owned()].into());
                dir.sync().map(drop)
            }
            Ok(false) => Err(Error::new(
                ErrorKind::Foreign,
                format!("can't remove {name}: it is not a file of this store, so move it away"),
            )),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(Error::io("remove", name, error)),
        }
    }

    fn writer_beside(
        &self,
        op_id: &OpId,
        content: ContentType,
        taken: TakenNames,
    ) -> Result<Box<dyn ArtifactWriter>, Error> {
        let name = ArtifactName::for_op(op_id, content);
        Ok(Box::new(DirWriter::create(self, name)?.beside(taken)))
    }
}

impl RemovableStore for MemoryStore {
    fn remove(&self, name: &ArtifactName) -> Result<(), Error> {
        self.take(name);
        Ok(())
    }

    fn writer_beside(
        &self,
        op_id: &OpId,
        content: ContentType,
        taken: TakenNames,
    ) -> Result<Box<dyn ArtifactWriter>, Error> {
        Ok(Self::writer_beside(self, op_id, content, taken))
    }
}
