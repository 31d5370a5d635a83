//! Write-once, durable artifact files beside an agent's transcript.
//!
//! [`ArtifactDir`] keeps the full bytes of each tool result in a file of its own, and hands out a
//! [`DurableArtifact`] only when the file is complete, synced and visible under its final name.
//! [`MemoryStore`] does the same without a disk, and [`BoundedStore`] keeps either within quotas.
//! An [`OpenArtifact`] is read page by page and searched; a [`Scan`] lists what is there, missing,
//! altered or named by nobody; a [`Plan`] says what would be removed before anything is.
//!
//! # Limits
//!
//! - Nothing is deleted but by an explicit call (I6), and a published file never changes.
//! - What a crash, a full disk or a planted file can and can't do, and where Windows and network
//!   file systems promise less, is in `DURABILITY.md`; a receipt says what its artifact survives.
//! - Calls block until the disk has answered. What the model is shown is not decided here: see
//!   `loop-integration`.
//!
//! # Example
//!
//! ```
//! use artifacts_core::{ContentType, OpId};
//! use artifacts_fs::{ArtifactDir, ArtifactStore as _, Durability};
//!
//! # let tmp = tempfile::tempdir()?;
//! # let transcript = tmp.path().join("run.jsonl");
//! let dir = ArtifactDir::beside(&transcript);
//! let artifact = dir.store(&OpId::new("op-1"), ContentType::Text, b"the full bytes")?;
//! assert_eq!(artifact.name().as_str(), "op-1.txt");
//! assert!(artifact.durability() >= Durability::Process);
//!
//! // Another process reads it back by what a settle record says of it; the digest is checked.
//! let found = ArtifactDir::beside(&transcript).read(&(&artifact).into())?;
//! assert_eq!(found, b"the full bytes");
//! # Ok::<(), Box<dyn std::error::Error>>(())
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
