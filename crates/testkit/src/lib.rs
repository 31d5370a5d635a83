//! A file system that crashes and fails on demand, and the tests that every store passes.
//!
//! [`SimFs`] runs the store's own protocol code in memory. It records the state after every
//! operation, and [`State::crashes`] enumerates what a power cut at that moment can leave: every
//! unsynced block there, zero or absent, every unsynced directory change there or not.
#![expect(
    clippy::missing_errors_doc,
    clippy::unwrap_used,
    reason = "a test kit: a lock that is poisoned or a wrong set-up ends the test"
)]

pub mod conformance;
pub mod corpus;
pub mod model;
pub mod mutants;
#[cfg(unix)]
pub mod planting;
pub mod promises;
pub mod pruned;
mod sim;
pub mod sweep;
pub mod tampering;
pub mod workloads;

pub use sim::{Ack, Fault, Persistence, Plan, SimDir, SimFile, SimFs, State};
