//! The one place that touches the disk.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

use std::fs::File;
use std::io;

use crate::{Durability, together};

#[cfg(unix)]
pub use unix::RealFs;
#[cfg(windows)]
pub use windows::RealFs;

/// Syncs files at the same time. A sync that panicked failed.
fn sync_all(
    files: &[&File],
    sync: impl Fn(&File) -> io::Result<Durability> + Sync,
) -> Vec<io::Result<Durability>> {
    let synced = together::each(files, SYNC_THREADS, |file| sync(file)).into_iter();
    synced
        .map(|synced| synced.unwrap_or_else(|| Err(io::ErrorKind::Other.into())))
        .collect()
}

/// They wait for the device, so there may be more of them than cores; more than this gain nothing.
const SYNC_THREADS: usize = 8;
