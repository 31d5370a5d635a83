//! Where things are: the repository, the binary under test, what was installed.

use std::path::{Path, PathBuf};

/// This crate's folder.
pub(crate) fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A folder for what is installed, below the build's own.
pub(crate) fn installed(name: &str) -> PathBuf {
    built("..").join("counterparts").join(name)
}

/// The binary under test, built beside this one.
pub(crate) fn artifacts() -> PathBuf {
    built("artifacts")
}

fn built(name: &str) -> PathBuf {
    let this = std::env::current_exe().unwrap_or_default();
    this.with_file_name(name)
}
