//! A store without a disk, for runs that keep nothing and for tests.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use artifacts_core::{ArtifactName, ContentDigest, ContentType, OpId, Unmeasured};

use crate::{
    ArtifactRef, ArtifactStore, ArtifactWriter, Durability, DurableArtifact, Error, OpenArtifact,
    StoreItem, TakenNames, read,
};

/// A store in memory (SPEC 4.14).
#[derive(Debug, Clone, Default)]
pub struct MemoryStore {
    artifacts: Arc<Mutex<BTreeMap<ArtifactName, Arc<[u8]>>>>,
}

impl ArtifactStore for MemoryStore {
    fn store(
        &self,
        op_id: &OpId,
        content: ContentType,
        bytes: &[u8],
    ) -> Result<DurableArtifact, Error> {
        Ok(self.keep(op_id, content, bytes.into(), None))
    }

    fn store_item(&self, item: &StoreItem<'_>) -> Result<DurableArtifact, Error> {
        Ok(self.keep(item.op_id, item.content, item.bytes, None))
    }

    fn writer(&self, op_id: &OpId, content: ContentType) -> Result<Box<dyn ArtifactWriter>, Error> {
        Ok(Box::new(MemoryWriter {
            store: self.clone(),
            op_id: op_id.clone(),
            content,
            bytes: Vec::new(),
            taken: None,
        }))
    }

    fn read(&self, artifact: &ArtifactRef) -> Result<Vec<u8>, Error> {
        Ok(self.verified(artifact)?.to_vec())
    }

    fn open(&self, artifact: &ArtifactRef) -> Result<OpenArtifact, Error> {
        let bytes = self.verified(artifact)?;
        Ok(OpenArtifact::new(Box::new(bytes), artifact.clone()))
    }
}

impl MemoryStore {
    /// A writer that leaves the names alone that `taken` says have been others' bytes.
    pub(crate) fn writer_beside(
        &self,
        op_id: &OpId,
        content: ContentType,
        taken: TakenNames,
    ) -> Box<dyn ArtifactWriter> {
        Box::new(MemoryWriter {
            store: self.clone(),
            op_id: op_id.clone(),
            content,
            bytes: Vec::new(),
            taken: Some(taken),
        })
    }

    fn keep(
        &self,
        op_id: &OpId,
        content: ContentType,
        bytes: Unmeasured<'_>,
        taken: Option<&TakenNames>,
    ) -> DurableArtifact {
        let (measured, bytes) = (bytes.measure(), bytes.bytes());
        let first = ArtifactName::for_op(op_id, content);
        let is_taken = taken.is_some_and(|taken| taken.has(&first, measured.digest()));
        let mut artifacts = self
            .artifacts
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let name = match artifacts.get(&first) {
            Some(present) if **present != *bytes => first.with_content(measured.digest()),
            None if is_taken => first.with_content(measured.digest()),
            _ => first,
        };
        let is_new = !artifacts.contains_key(&name);
        artifacts
            .entry(name.clone())
            .or_insert_with(|| bytes.into());
        let stored = DurableArtifact::new(name, measured, Durability::Memory);
        match is_new {
            true => stored,
            false => stored.found(),
        }
    }

    /// Takes an artifact out.
    pub(crate) fn take(&self, name: &ArtifactName) {
        let mut artifacts = self
            .artifacts
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        artifacts.remove(name);
    }

    /// The names of what is in it, sorted.
    #[must_use]
    pub fn names(&self) -> Vec<ArtifactName> {
        let artifacts = self
            .artifacts
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        artifacts.keys().cloned().collect()
    }

    fn verified(&self, artifact: &ArtifactRef) -> Result<Arc<[u8]>, Error> {
        let artifacts = self
            .artifacts
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let Some(bytes) = artifacts.get(artifact.name()) else {
            return Err(Error::not_found(artifact.name()));
        };
        read::check(artifact, bytes.len() as u64, &ContentDigest::of(bytes))?;
        Ok(Arc::clone(bytes))
    }
}

#[derive(Debug)]
struct MemoryWriter {
    store: MemoryStore,
    op_id: OpId,
    content: ContentType,
    bytes: Vec<u8>,
    taken: Option<TakenNames>,
}

impl ArtifactWriter for MemoryWriter {
    fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    fn commit(self: Box<Self>) -> Result<DurableArtifact, Error> {
        let (op_id, taken) = (&self.op_id, self.taken.as_ref());
        Ok(self
            .store
            .keep(op_id, self.content, self.bytes.as_slice().into(), taken))
    }
}
