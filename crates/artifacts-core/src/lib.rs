//! Measure, excerpt, name and digest huge tool results: the pure core, without I/O.
//!
//! A tool result that fits its [`Limit`] reaches the model as it is. One that is over the limit is
//! settled once: its full bytes go to an artifact file, and the model sees an *excerpt*, whose one
//! [`Marker`] line says how much is missing, in which file it is and what its SHA-256 is.
//! This crate holds every part of that which needs no disk, clock or thread.
//!
//! # Limits
//!
//! - Nothing here reads or writes files: see `artifacts-fs` for the store.
//! - Counts are extended grapheme clusters of Unicode 17 (UAX #29). Another Unicode version counts
//!   differently, so an observation is computed once and never again.
//!
//! # Example
//!
//! ```
//! use artifacts_core::{ContentDigest, Limit, Marker, Measured, NotStored, Shape};
//!
//! let text = "0123456789";
//! let shape = Shape::new(Limit::graphemes(4)?);
//! let measured = Measured::of(text.as_bytes());
//! let cut = shape.cut(text);
//! let marker = Marker::not_stored(NotStored::NoSession, &measured, cut.elided(&measured));
//! assert_eq!(shape.render(&cut, &marker), format!("012\n{marker}\n9"));
//! assert_eq!(*measured.digest(), ContentDigest::of(text.as_bytes()));
//! # Ok::<(), artifacts_core::Error>(())
//! ```
#![no_std]
#![warn(clippy::arithmetic_side_effects)]

extern crate alloc;

mod content;
mod cut;
mod digest;
mod ends;
mod error;
mod excerpt;
mod excerpter;
mod held;
mod hint;
mod json;
mod kept;
mod limit;
mod lossy_cut;
mod marker;
mod measure;
mod name;
mod observed;
mod op_id;
mod order;
mod prefix;
mod render;
mod segment;
mod shape;
mod text;
mod tokens;
mod unmeasured;

pub use content::ContentType;
pub use cut::Cut;
pub use digest::{ContentDigest, ContentHasher, SettledDigest};
pub use error::{Error, ErrorKind};
pub use excerpt::excerpt;
pub use excerpter::{Excerpted, Excerpter};
pub use hint::Hint;
pub use limit::{Limit, Unit};
pub use lossy_cut::LossyCut;
pub use marker::{Capture, DurableReceipt, Marker, MarkerLine, NotStored};
pub use measure::{Measure, Measured, Meter};
pub use name::ArtifactName;
pub use observed::Observed;
pub use op_id::OpId;
pub use order::{Stage, check_order};
pub use prefix::Prefix;
pub use segment::{UNICODE_VERSION, count_invalid, decode_lossy};
pub use shape::{Growth, Rendering, Shape};
pub use tokens::{TokenEstimator, TokenFeatures, TokenSample, TokenWeights};
pub use unmeasured::Unmeasured;
