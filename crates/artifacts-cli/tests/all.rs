//! The real binary, as a user and a shell see it.
#![expect(
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "tests lay out files, damage them and stop at the first surprise"
)]

mod cli;
