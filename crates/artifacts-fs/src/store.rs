//! What every store does: keep a result's full bytes under a name that is written once.

use std::fmt;

use artifacts_core::{ContentType, OpId, Unmeasured};

use crate::{ArtifactRef, Claim, DurableArtifact, Error, OpenArtifact, claim};

/// A place for the full bytes of tool results. Write-once: a stored artifact never changes.
pub trait ArtifactStore: fmt::Debug + Send + Sync {
    /// Stores `bytes` as the artifact of `op_id`, durable and visible when it returns.
    ///
    /// The same op id with the same bytes rewrites nothing; with other bytes it gets a new name.
    ///
    /// # Errors
    ///
    /// Nothing is left behind, and the [`kind`](Error::kind) says why.
    fn store(
        &self,
        op_id: &OpId,
        content: ContentType,
        bytes: &[u8],
    ) -> Result<DurableArtifact, Error>;

    /// As [`store`](Self::store). A store that measures what it is given need not count what is
    /// counted already.
    ///
    /// # Errors
    ///
    /// As [`store`](Self::store).
    fn store_item(&self, item: &StoreItem<'_>) -> Result<DurableArtifact, Error> {
        self.store(item.op_id, item.content, item.bytes.bytes())
    }

    /// Stores several results at once, sharing what can be shared; one outcome each, in order.
    fn store_batch(&self, items: &[StoreItem<'_>]) -> Vec<Result<DurableArtifact, Error>> {
        items.iter().map(|item| self.store_item(item)).collect()
    }

    /// Starts an artifact whose bytes arrive piece by piece.
    ///
    /// # Errors
    ///
    /// As [`store`](Self::store).
    fn writer(&self, op_id: &OpId, content: ContentType) -> Result<Box<dyn ArtifactWriter>, Error>;

    /// Claims the operation that `key` names, so that nobody else stores for it until the claim is
    /// dropped. Whoever needs to store at most once claims first.
    ///
    /// A store that no other process reaches gives every claim, and so does one that can't tell.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Busy`](crate::ErrorKind::Busy) while another has it.
    fn claim(&self, key: &str) -> Result<Claim, Error> {
        let _ = key;
        Ok(Claim::alone())
    }

    /// Claims several operations in the order of `keys`; one outcome each, up to the first that is
    /// refused.
    fn claim_batch(&self, keys: &[String]) -> Vec<Result<Claim, Error>> {
        claim::until_refused(keys, |key| self.claim(key))
    }

    /// Whether anybody has the claim of the operation that `key` names, this caller included.
    fn is_claimed(&self, key: &str) -> bool {
        let _ = key;
        false
    }

    /// Lets go of what is older than it is kept. Nothing happens in a store that keeps all.
    fn expire(&self) {}

    /// Whether the artifact may still be read, for those who have it open: whether its bytes are
    /// right is not looked at.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Evicted`](crate::ErrorKind::Evicted),
    /// [`ErrorKind::Expired`](crate::ErrorKind::Expired) or
    /// [`ErrorKind::Covered`](crate::ErrorKind::Covered) if it was let go of.
    fn check(&self, artifact: &ArtifactRef) -> Result<(), Error> {
        let _ = artifact;
        Ok(())
    }

    /// Reads an artifact whole, handing it out only if its size and digest are right.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`](crate::ErrorKind::NotFound) if there is none of that name,
    /// [`ErrorKind::Altered`](crate::ErrorKind::Altered) if its bytes are not those.
    fn read(&self, artifact: &ArtifactRef) -> Result<Vec<u8>, Error>;

    /// Opens an artifact for reading in parts, after a pass over all of it.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read).
    fn open(&self, artifact: &ArtifactRef) -> Result<OpenArtifact, Error>;
}

/// One result to be stored.
#[derive(Debug, Clone, Copy)]
pub struct StoreItem<'a> {
    /// The operation that produced the result.
    pub op_id: &'a OpId,
    /// What the bytes are.
    pub content: ContentType,
    /// The full bytes.
    pub bytes: Unmeasured<'a>,
}

/// An artifact being written. Dropping it stores nothing.
pub trait ArtifactWriter: fmt::Debug + Send {
    /// Takes the next bytes.
    ///
    /// # Errors
    ///
    /// After an error the artifact can't be committed.
    fn write(&mut self, bytes: &[u8]) -> Result<(), Error>;

    /// Makes what was written durable and visible under its name.
    ///
    /// # Errors
    ///
    /// As [`ArtifactStore::store`].
    fn commit(self: Box<Self>) -> Result<DurableArtifact, Error>;
}
