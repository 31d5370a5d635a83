//! The specification of artifacts-core as tests; each names the statements it pins.
#![expect(
    clippy::unwrap_used,
    clippy::string_slice,
    reason = "a test that fails here fails loudly"
)]

mod core;
