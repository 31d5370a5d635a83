//! One module a topic.

mod conforming;
mod crashing;
mod indexing;
mod names;
#[cfg(unix)]
mod planting;
mod tampering;
