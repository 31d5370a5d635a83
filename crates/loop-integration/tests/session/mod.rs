//! The records of a session, and what becomes of them.

mod cancelled;
mod completing;
mod events;
mod killed;
#[cfg(target_os = "linux")]
mod memory;
mod processes;
mod records;
mod replay;
mod spans;
mod transcript;
