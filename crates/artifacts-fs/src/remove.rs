//! Removing one artifact, because whoever owns the store said so.

use artifacts_core::ArtifactName;

use crate::fs::{FileKind, Fs};
use crate::{ArtifactDir, ArtifactStore, Error, ErrorKind, MemoryStore, cache};

/// A store from which single artifacts can be removed: what a [`BoundedStore`](crate::BoundedStore)
/// needs beneath it.
pub trait RemovableStore: ArtifactStore {
    /// Removes the artifact `name`. Nothing happens if there is none.
    ///
    /// # Errors
    ///
    /// If something else stands at that name, or the system refuses.
    fn remove(&self, name: &ArtifactName) -> Result<(), Error>;
}

impl<F: Fs> RemovableStore for ArtifactDir<F> {
    fn remove(&self, name: &ArtifactName) -> Result<(), Error> {
        let Some(dir) = self.open_present()? else {
            return Ok(());
        };
        let file = name.as_str().as_ref();
        let removed = dir.fs.stat_at(&dir.handle, file).and_then(|stat| {
            match stat.kind == FileKind::Regular && stat.links == 1 {
                true => dir.fs.remove(&dir.handle, file).map(|()| true),
                false => Ok(false),
            }
        });
        match removed {
            Ok(true) => {
                cache::forget(&dir, file);
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
}

impl RemovableStore for MemoryStore {
    fn remove(&self, name: &ArtifactName) -> Result<(), Error> {
        self.take(name);
        Ok(())
    }
}
