//! Keep huge tool results out of any agent's conversation, without a line of code in it.
//!
//! [`Proxy`] stands between an MCP client and its server: results over the limit are stored and
//! the client gets an excerpt, tools that read the stored results are added to the server's own,
//! and every other line passes byte for byte. [`serve()`] runs it in front of a server's process.
//!
//! # Limits
//!
//! - Servers are reached over standard input and output; the other transports are not spoken.
//! - One message is held in memory whole.

mod asked;
mod calls;
mod capabilities;
mod catalog;
mod error;
mod hook;
mod host;
mod json;
mod kept;
mod lines;
mod message;
mod payload;
mod policy;
mod proxy;
mod question;
mod resources;
mod retrieval;
mod serve;
mod stats;
mod structured;
mod wrap;

pub use calls::{CallLog, TextSize, log_path};
pub use error::{Error, ErrorKind};
pub use hook::{Hook, HookAnswer};
pub use host::Host;
pub use kept::stored;
pub use payload::META_KEY;
pub use policy::PolicyFile;
pub use proxy::{Answered, FromClient, FromServer, Proxy};
pub use question::Question;
pub use serve::{Ended, serve};
pub use stats::{Stats, ToolStats};
pub use wrap::{Rewritten, ServerChange, unwrap, wrap};
