//! Write-once, durable artifact files beside an agent's transcript.
//!
//! # Example
//!
//! ```
//! use artifacts_core::{ContentType, OpId};
//! use artifacts_fs::{ArtifactStore, MemoryStore};
//!
//! let store = MemoryStore::default();
//! let artifact = store.store(&OpId::new("op-1"), ContentType::Text, b"the full bytes")?;
//! assert_eq!(artifact.name().as_str(), "op-1.txt");
//! assert_eq!(store.read(artifact.name())?, b"the full bytes");
//! # Ok::<(), artifacts_fs::Error>(())
//! ```

mod error;
mod memory;
mod receipt;
mod store;

pub use error::{Error, ErrorKind};
pub use memory::MemoryStore;
pub use receipt::{Durability, DurableArtifact};
pub use store::{ArtifactStore, ArtifactWriter, StoreItem};
