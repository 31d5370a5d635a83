//! The behaviour of searching in one artifact, one module for each topic.
#![expect(
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test that fails here fails loudly"
)]

#[cfg(feature = "static-embeddings")]
mod support {
    pub(crate) mod model;
}

mod search {
    mod answers;
    mod chunks;
    mod embedding;
    mod hostile;
    mod ranking;
    #[cfg(feature = "static-embeddings")]
    mod static_embeddings;
}
