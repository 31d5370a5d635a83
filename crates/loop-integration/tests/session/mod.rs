//! The records of a session, and what becomes of them.

mod audited;
mod cancelled;
mod completing;
mod events;
#[cfg(target_os = "linux")]
mod forked;
mod killed;
#[cfg(target_os = "linux")]
mod memory;
mod midway;
mod nested;
mod processes;
mod records;
#[cfg(unix)]
mod replaced;
mod replay;
mod spans;
mod transcript;
