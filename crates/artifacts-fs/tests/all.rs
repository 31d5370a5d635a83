//! Integration tests of the store, one module a topic.

#![cfg(unix)]
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "tests plant, move and damage files"
)]

#[path = "bounded/mod.rs"]
mod bounded;
#[path = "index/mod.rs"]
mod index;
#[path = "store/mod.rs"]
mod store;
