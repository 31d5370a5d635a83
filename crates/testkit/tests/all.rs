//! The store under the test kit, in short; `cargo xtask crash` and its kin are the long versions.
#![expect(clippy::unwrap_used, reason = "tests")]

#[path = "kit/mod.rs"]
mod kit;
