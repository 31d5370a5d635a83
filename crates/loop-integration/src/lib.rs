//! Settle every tool result of an agent loop into one string.
//!
//! Every tool result passes one seam, [`Settler::settle`]. What fits its limit passes whole. What
//! is over it goes to an artifact file first, complete and durable, and the model sees an excerpt
//! whose marker names that file. The observation is one string, computed once: the conversation,
//! the transcript and the event hold the same allocation, and the settle record its digest.
//!
//! [`Session`] adds a transcript (JSONL, described in `docs/transcript.md`), events and resuming.
//! An agent with a session format of its own takes the [`Settler`] and implements [`Sinks`].
//!
//! # Limits
//!
//! - Tools are not run here and models are not called: the loop is the caller's.
//! - Everything blocks. In an async loop, call it inside `spawn_blocking`, or take the feature `rt`,
//!   which does.
//!
//! # Example
//!
//! ```
//! use std::sync::Arc;
//!
//! use artifacts_core::{Limit, Shape};
//! use artifacts_fs::MemoryStore;
//! use loop_integration::{Format, Message, Operation, Session, Settler, SystemClock, ToolCall, ToolResult};
//!
//! # let tmp = tempfile::tempdir()?;
//! # let path = tmp.path().join("run.jsonl");
//! let settler = Settler::new(Shape::new(Limit::graphemes(200)?))
//!     .with_store(Arc::new(MemoryStore::default()));
//! let session = Session::open(&path, settler, Arc::new(SystemClock))?;
//!
//! session.push(Message::user("Which crates are in the lock file?"))?;
//! let call = ToolCall::new("call_1", "read", serde_json::json!({"path": "Cargo.lock"}));
//! session.push(Message::assistant("").with_tool_calls([call]))?;
//!
//! let operation = Operation::new("op-1").of_tool("read").answering("call_1");
//! session.dispatch(&operation)?;
//! let huge = "name = \"serde\"\n".repeat(1_000);
//! let settled = session.settle(&operation, ToolResult::success(huge))?;
//! assert!(settled.observation().len() < 600);
//!
//! let next_request = session.transcript().replay(Format::Anthropic).to_string();
//! assert!(next_request.contains("op-1.txt"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! With the feature `compactor-cap`, a transcript's messages are what a summarizer is sent, with the
//! marker lines of their records, and the conversation stays as it is:
//!
#![cfg_attr(feature = "compactor-cap", doc = "```")]
#![cfg_attr(not(feature = "compactor-cap"), doc = "```ignore")]
//! use compactor_cap::{ToolResultCap, cap, covered};
//! use loop_integration::Transcript;
//!
//! let transcript = Transcript::default();
//! let messages = transcript.recorded_messages();
//! let text = cap(&messages, &ToolResultCap::default().keeping_marker_lines());
//! // Send the text to the summarizer. What its answer stands for, a retention plan may let go:
//! assert!(covered(&messages).is_empty());
//! assert_eq!(text.totals().messages, 0);
//! ```

#[cfg(feature = "rt")]
mod asynch;
mod audit;
mod background;
mod batch;
mod clean;
mod clock;
#[cfg(feature = "compactor-cap")]
mod compaction;
mod describe;
mod digests;
mod error;
mod event;
mod files;
mod fork;
mod hooks;
mod json;
mod json_shape;
mod message;
mod operation;
mod parts;
mod policy;
mod prepared;
mod record;
mod references;
mod replay;
mod resolve;
mod session;
mod settle;
mod settled;
mod sinks;
mod span;
mod spans;
mod stream;
mod tool_result;
mod tools;
mod transcript;
mod wire;

pub use artifacts_core::{Capture, OpId};
pub use audit::{Audit, Difference, Finding, Places, audit};
pub use background::Background;
pub use clock::{Clock, SystemClock, Timestamp};
#[cfg(feature = "compactor-cap")]
pub use compaction::RecordedMessage;
pub use describe::Description;
pub use digests::ArtifactDigest;
pub use error::{Error, ErrorKind};
pub use event::{Delivery, Event, Events};
pub use files::{
    ArtifactMount, FileEntry, FileError, FileErrorKind, FileMatch, FilePage, FileTools,
    MountedFiles,
};
pub use fork::fork;
pub use hooks::{Redacted, Redactor};
pub use message::{Message, MessageDigest, ToolCall};
pub use operation::Operation;
pub use policy::Policy;
pub use record::{RecordedArtifact, ToolSettled};
pub use references::{BadReference, References};
pub use replay::{Format, Replay};
pub use resolve::{Unresolved, resolve};
pub use session::{Session, SessionStream};
pub use settle::Settler;
pub use settled::{Kept, Settled, SettledResult};
pub use sinks::Sinks;
pub use stream::ResultStream;
pub use tool_result::{Ending, Outcome, ResultBody, ToolResult};
pub use tools::{ArtifactTools, Expander, FoundPassage, Naming, ToolAnswer, ToolDefinition};
#[cfg(feature = "artifacts-search")]
pub use tools::{EmbeddingExpander, LexicalExpander};
pub use transcript::{OperationState, Pending, Transcript};

/// The README's example compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
