//! The proxy, the hooks and the report, through their public face.
#![expect(
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "tests lay out files and stop at the first surprise"
)]

mod hooks;
mod mcp;
mod stats;
mod wrap;
