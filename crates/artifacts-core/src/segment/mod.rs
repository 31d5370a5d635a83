//! Grapheme clusters: counting them, and finding where the nth ends.

mod automaton;
mod blocks;
mod class;
mod count;
mod decode;
#[cfg(feature = "std")]
mod joints;
#[cfg(feature = "std")]
mod leads;
mod lossy;
mod screen;
mod seek;
mod tables;
#[cfg(feature = "std")]
mod units;
mod walk;

pub(crate) use automaton::State;
pub(crate) use count::Counter;
pub(crate) use decode::{Decoded, Decoder};
pub use decode::{count_invalid, decode_lossy};
pub(crate) use lossy::unit_boundary;
pub(crate) use seek::{
    boundary_at_or_after, boundary_at_or_before, certain_after, floor, is_boundary,
};
pub use tables::UNICODE_VERSION;
