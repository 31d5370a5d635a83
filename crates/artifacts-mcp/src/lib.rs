//! Keep huge tool results out of any agent's conversation, without a line of code in it.
//!
//! [`Proxy`] stands between an MCP client and its server: results over the limit are stored and
//! the client gets an excerpt, tools that read the stored results are added to the server's own,
//! and every other line passes byte for byte. [`serve()`] runs it in front of a server's process,
//! and [`wrap()`] puts it before every server in a client's configuration.
//!
//! [`Hook`] settles the result that a client hands to its post-tool hook, and [`Stats`] reports
//! what was kept out of the conversation. Where results are kept, and the policy file, is in
//! `docs/agents.md`; the commands `artifacts mcp`, `hook` and `stats` are made of these.
//!
//! ```
//! use artifacts_mcp::{FromServer, Host, META_KEY, PolicyFile, Proxy};
//! use loop_integration::Policy;
//! use serde_json::{Value, json};
//!
//! # let tmp = tempfile::tempdir()?;
//! let policies = PolicyFile::uniform(Policy::limited(Host::Codex.shape()));
//! let proxy = Proxy::new(Host::Codex, policies, &tmp.path().join("run.artifacts"));
//! proxy.from_client(br#"{"id": 1, "method": "tools/call", "params": {"name": "dump"}}"#);
//!
//! let text = "0123456789\n".repeat(10_000);
//! let line = json!({"id": 1, "result": {"content": [{"type": "text", "text": text}]}}).to_string();
//! let FromServer::Settle(answered) = proxy.from_server(line.as_bytes()) else {
//!     panic!("it is over the limit");
//! };
//! let settled = proxy.settle(&answered, line.as_bytes()).expect("it is another line");
//! assert!(settled.len() < 10_000);
//! let settled: Value = serde_json::from_slice(&settled)?;
//! assert_eq!(settled["result"]["_meta"][META_KEY]["bytes"], text.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Limits
//!
//! - Servers are reached over standard input and output; the other transports are not spoken.
//! - One message is held in memory whole, and some 32 MB of results that are being stored.
//! - The server's own tools may have any name; one that is called before the tools were listed, and
//!   has the name of an added tool, is taken for that.

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
pub use kept::{noted, stored};
pub use payload::META_KEY;
pub use policy::PolicyFile;
pub use proxy::{Answered, FromClient, FromServer, Proxy};
pub use question::Question;
pub use serve::{Ended, serve};
pub use stats::{Stats, ToolStats};
pub use wrap::{Rewritten, ServerChange, unwrap, wrap};
