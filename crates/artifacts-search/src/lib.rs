//! Ask one artifact a question: the passages that answer it, offline and without a model.
//!
//! A text is cut into overlapping [`Chunks`]. [`Expand`] ranks them by the words of the question:
//! words in all their forms, parts of identifiers, numbers, and pairs of characters where a script
//! has no spaces. The [`Answer`] has a passage's byte range beside its text, so that it can be read
//! around.
//!
//! With an [`Embedder`], [`Expand::answer_with`] also finds what a question says in other words. The
//! feature `static-embeddings` has one that loads a model from a local folder.
//!
//! # Limits
//!
//! - Forms of words are those of English; words of other languages are found as they are, or by a
//!   common beginning.
//! - Nothing is read or stored here, and nothing is kept between two questions: one scan of the
//!   text is cheaper than an index that is asked a few times.
//!
//! # Example
//!
//! ```
//! use artifacts_search::Expand;
//!
//! let log = "INFO started\n".repeat(500) + "ERROR disk /dev/sdb1 is full\n";
//! let answer = Expand::of(1).answer(&log, "which disk is full?")?;
//! assert!(answer.to_string().contains("/dev/sdb1"));
//! # Ok::<(), artifacts_search::Error>(())
//! ```
#![forbid(unsafe_code)]

mod chunk;
mod decoded;
mod embed;
mod error;
mod evidence;
mod expand;
mod question;
mod rank;
mod scan;
mod script;
mod similar;
#[cfg(feature = "static-embeddings")]
mod static_embeddings;
mod stem;

pub use chunk::{CHUNK_GRAPHEMES, Chunks, OVERLAP_GRAPHEMES};
pub use decoded::Decoded;
pub use embed::{Embedder, Vectors};
pub use error::{Error, ErrorKind};
pub use expand::{Answer, Expand, Passage};
#[cfg(feature = "static-embeddings")]
pub use static_embeddings::StaticEmbeddings;
