//! `--embeddings`: a model of meanings from a local folder, in a build that has one.

use std::path::Path;
use std::sync::Arc;

use artifacts_search::Embedder;

use crate::failure::Failure;

/// The embeddings in `folder`.
#[cfg(feature = "static-embeddings")]
pub(crate) fn load(folder: &Path) -> Result<Arc<dyn Embedder>, Failure> {
    match artifacts_search::StaticEmbeddings::load(folder) {
        Ok(embedder) => Ok(Arc::new(embedder)),
        Err(error) => Err(Failure::input(error.to_string())),
    }
}

/// Refuses, and says which build would not.
#[cfg(not(feature = "static-embeddings"))]
pub(crate) fn load(_folder: &Path) -> Result<Arc<dyn Embedder>, Failure> {
    Err(Failure::input(
        "this build has no --embeddings: build it with --features static-embeddings",
    ))
}
