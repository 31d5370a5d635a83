//! What both drivers of the fuzz targets run: `cargo xtask fuzz` on any toolchain, and `fuzz/` under
//! cargo-fuzz, which is guided by coverage and needs a nightly one.
#![expect(
    clippy::disallowed_methods,
    reason = "a development tool: it makes and removes files with std"
)]

pub mod targets;
