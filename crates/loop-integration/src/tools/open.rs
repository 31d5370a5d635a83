//! The artifacts that were read last, kept open so that their bytes are checked once.

use std::sync::{Arc, Mutex, PoisonError};

use artifacts_fs::{ArtifactRef, ArtifactStore, Error, OpenArtifact};

/// At most a few open artifacts, the one that was used last at the end.
#[derive(Debug, Default)]
pub(super) struct OpenArtifacts {
    opened: Mutex<Vec<Arc<OpenArtifact>>>,
}

impl OpenArtifacts {
    /// The artifact, opened after its size and digest were found right, now or before.
    pub(super) fn open(
        &self,
        store: &dyn ArtifactStore,
        artifact: &ArtifactRef,
    ) -> Result<Arc<OpenArtifact>, Error> {
        if let Some(opened) = self.take(artifact) {
            store.check(artifact)?;
            self.put(Arc::clone(&opened));
            return Ok(opened);
        }
        let opened = Arc::new(store.open(artifact)?);
        self.put(Arc::clone(&opened));
        Ok(opened)
    }

    /// Forgets the artifact, so that it is checked again.
    pub(super) fn close(&self, artifact: &ArtifactRef) {
        drop(self.take(artifact));
    }

    fn take(&self, artifact: &ArtifactRef) -> Option<Arc<OpenArtifact>> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        let position = opened.iter().position(|open| open.artifact() == artifact)?;
        Some(opened.remove(position))
    }

    fn put(&self, artifact: Arc<OpenArtifact>) {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if opened.len() == MOST {
            opened.remove(0);
        }
        opened.push(artifact);
    }
}

const MOST: usize = 4;
