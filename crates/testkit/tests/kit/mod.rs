//! One module a topic.

mod conforming;
mod crashing;
mod indexing;
mod locking;
mod names;
#[cfg(unix)]
mod planting;
mod pruning;
mod tampering;
mod verifying;
