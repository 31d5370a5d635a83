//! The settle path: every producer, every rendering, every size.

mod batch;
mod failing;
mod lossy;
mod parts;
mod policy;
mod producers;
mod properties;
mod redacting;
mod stream;
