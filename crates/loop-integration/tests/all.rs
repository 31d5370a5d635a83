//! Behaviour of the settle path and the transcript.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests look at files and delete them as a user would, and stop at what they did not expect"
)]

#[cfg(feature = "compactor-cap")]
mod compaction;
mod files;
mod one_string;
mod session;
mod settle;
mod support;
mod tools;
