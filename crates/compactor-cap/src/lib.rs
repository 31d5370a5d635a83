//! Cap the tool output that a summarizer is sent, without touching the conversation.
//!
//! When a conversation grows too long, an agent asks a model for a summary of its older messages.
//! [`cap`] writes the text for that request: each tool result and each call's arguments are cut to
//! a [`ToolResultCap`], and a line says exactly how much is left out. The messages are borrowed
//! through the [`Message`] trait and never change; the [`SummaryText`] that comes out is no
//! message and cannot become one.
//!
//! # Limits
//!
//! - The output serves a summarizer alone. Nothing here settles, stores or deletes anything.
//! - Which artifact a result is in is told by [`ArtifactRecord`]s, never read out of text.
//! - With the feature `serde_json`, messages are read in the shapes of OpenAI, Anthropic and Gemini;
//!   the implementation of [`Message`] for `serde_json::Value` lists what counts as a result and as
//!   a call. Arguments that are an object and no text are written as JSON, with their keys in the
//!   order that the map has them: sorted, or the model's own with the feature `preserve_order` of
//!   `serde_json`, which is for the program to choose, as it changes every map in it.
//! - A [`request_view`] keeps the shape of an output where it knows it. The output of a tool that a
//!   provider runs itself and signs, a fetched page for instance, becomes a text where it is over
//!   the limit, which that provider may refuse.
//!
//! # Example
//!
//! ```
//! use compactor_cap::{Message, Part, ToolResult, ToolResultCap, cap};
//!
//! struct Output(String);
//!
//! impl Message for Output {
//!     fn role(&self) -> &str {
//!         "tool"
//!     }
//!
//!     fn parts(&self) -> Vec<Part<'_>> {
//!         vec![Part::Result(ToolResult::new(&self.0).with_call_id("call-1"))]
//!     }
//! }
//!
//! let conversation = [Output("0123456789".into())];
//! let text = cap(&conversation, &ToolResultCap::new(4)?);
//! assert_eq!(
//!     text.to_string(),
//!     "[tool result call-1]\n\
//!      0123\n... [6 more characters of tool output, truncated for summarization]\n",
//! );
//! # Ok::<(), compactor_cap::Error>(())
//! ```
#![no_std]

extern crate alloc;

mod ageing;
mod capped;
mod covered;
mod error;
#[cfg(feature = "serde_json")]
mod json;
mod message;
mod record;
mod records;
mod summary;
mod text;
mod view;

pub use ageing::Ageing;
pub use capped::{Capped, ToolResultCap};
pub use covered::covered;
pub use error::{Error, ErrorKind};
#[cfg(feature = "serde_json")]
pub use json::{JsonMessage, output_with_text, with_result_texts};
pub use message::{Message, Outcome, Part, ToolCall, ToolResult};
pub use record::ArtifactRecord;
pub use records::{Recorded, Records};
pub use summary::{SummaryText, Totals, cap};
pub use view::{RequestView, ViewedMessage, request_view, request_view_ageing};
