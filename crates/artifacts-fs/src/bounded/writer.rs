//! An artifact that arrives piece by piece in a bounded store.

use std::mem;
use std::sync::Arc;

use artifacts_core::ContentHasher;

use super::Shared;
use super::bounds::{clipped_len, edge};
use crate::index::Whole;
use crate::{ArtifactWriter, DurableArtifact, Error, RemovableStore};

#[derive(Debug)]
pub(super) struct BoundedWriter<S> {
    shared: Arc<Shared<S>>,
    inner: Box<dyn ArtifactWriter>,
    hasher: ContentHasher,
    bytes: u64,
    /// What is near the bound: where to cut it is known at the end.
    held: Vec<u8>,
}

impl<S: RemovableStore> BoundedWriter<S> {
    pub(super) fn new(shared: Arc<Shared<S>>, inner: Box<dyn ArtifactWriter>) -> Self {
        Self {
            shared,
            inner,
            hasher: ContentHasher::default(),
            bytes: 0,
            held: Vec::new(),
        }
    }
}

impl<S: RemovableStore> ArtifactWriter for BoundedWriter<S> {
    fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.hasher.update(bytes);
        let rest = |bound: u64| {
            let rest = usize::try_from(bound.saturating_sub(self.bytes));
            rest.unwrap_or(usize::MAX).min(bytes.len())
        };
        let edge = edge(self.shared.bounds.max_result_bytes);
        let (near, ahead) = (rest(edge.start), rest(edge.end));
        self.bytes += bytes.len() as u64;
        self.held
            .extend_from_slice(bytes.get(near..ahead).unwrap_or_default());
        match bytes.get(..near) {
            None | Some([]) => Ok(()),
            Some(kept) => self.inner.write(kept),
        }
    }

    fn commit(mut self: Box<Self>) -> Result<DurableArtifact, Error> {
        let most = self.shared.bounds.max_result_bytes;
        let edge = edge(most);
        let is_clipped = self.bytes > most;
        if is_clipped {
            let most = usize::try_from(most - edge.start).unwrap_or(usize::MAX);
            let kept = clipped_len(&self.held, most, edge.end < self.bytes);
            self.held.truncate(kept);
        }
        if !self.held.is_empty() {
            self.inner.write(&self.held)?;
        }
        let whole = is_clipped.then(|| Whole {
            bytes: self.bytes,
            digest: mem::take(&mut self.hasher).finish(),
        });
        let mut state = self.shared.lock();
        let artifact = self.inner.commit()?;
        self.shared.admit(&mut state, &artifact, whole);
        Ok(artifact.indexed())
    }
}
