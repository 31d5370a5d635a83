//! The one place that touches the disk.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub use unix::RealFs;
#[cfg(windows)]
pub use windows::RealFs;
