//! The records of a session.

mod records;
