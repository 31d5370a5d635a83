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
//! assert_eq!(store.read(&(&artifact).into())?, b"the full bytes");
//! # Ok::<(), artifacts_fs::Error>(())
//! ```

mod around;
mod batch;
mod bounded;
mod cache;
mod claim;
mod clusters;
mod dir;
mod error;
mod fork;
mod fs;
mod index;
mod list;
mod marks;
mod memory;
mod open;
mod pattern;
mod place;
mod publish;
mod read;
mod receipt;
mod reference;
mod remove;
mod retention;
mod save;
mod scan;
mod search;
mod select;
mod stage;
mod store;
mod sweep;
mod sys;
mod together;
mod usage;
mod writer;

pub use bounded::{BoundedStore, Bounds, Turn};
pub use claim::Claim;
pub use dir::ArtifactDir;
pub use error::{Error, ErrorKind};
pub use fork::Fork;
pub use fs::{FileKind, Fs, Stat};
pub use index::{Gone, Index, Indexed, Whole};
pub use list::{Entry, Listed, ListedArtifact, ListedCache};
pub use memory::MemoryStore;
pub use open::{OpenArtifact, Page};
pub use pattern::{LetterCase, Pattern};
pub use place::artifact_dir_for;
pub use receipt::{Durability, DurableArtifact};
pub use reference::ArtifactRef;
pub use remove::{RemovableStore, TakenNames};
pub use retention::{Plan, Policy, Reason, Removal};
pub use scan::Scan;
pub use search::{Match, Matches};
pub use select::Selection;
pub use store::{ArtifactStore, ArtifactWriter, StoreItem};
pub use sweep::{Applied, Left};
pub use sys::RealFs;
pub use usage::{Tally, Usage};

/// What the test kit needs and nobody else: no part of this is stable.
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod internals {
    pub use crate::fs::sealed::Sealed;
}
