//! The records of a session, and what becomes of them.

mod cancelled;
mod events;
mod killed;
mod processes;
mod records;
mod replay;
mod spans;
mod transcript;
