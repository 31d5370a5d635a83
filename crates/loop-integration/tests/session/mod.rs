//! The records of a session, and what becomes of them.

mod events;
mod killed;
mod records;
mod replay;
mod transcript;
