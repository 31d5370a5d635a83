//! The proxy without its streams: lines in, lines out.

mod notices;
mod op_id;
mod requests;
mod responses;
mod tasks;

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use artifacts_search::Embedder;
use loop_integration::{Settler, SystemClock};
use serde_json::value::RawValue;

use crate::asked::Unanswered;
use crate::calls::CallLog;
use crate::catalog::Catalog;
use crate::resources::Resources;
use crate::retrieval::Retrieval;
use crate::{Host, PolicyFile};

use self::notices::Notices;
use self::op_id::OpIds;

pub(crate) use self::op_id::random;
pub use self::requests::FromClient;
pub use self::responses::{Answered, FromServer};

/// What stands between an MCP client and its server: it edits the lines it must and passes every
/// other line byte for byte, whatever the protocol version.
///
/// Any number of threads may hand it lines.
///
/// ```
/// use artifacts_mcp::{FromClient, FromServer, Host, PolicyFile, Proxy};
/// use loop_integration::Policy;
///
/// # let tmp = tempfile::tempdir()?;
/// let policies = PolicyFile::uniform(Policy::limited(Host::Generic.shape()));
/// let proxy = Proxy::new(Host::Generic, policies, &tmp.path().join("run.artifacts"));
///
/// let call = br#"{"id":7,"method":"tools/call","params":{"name":"echo"}}"#;
/// assert!(matches!(proxy.from_client(call), FromClient::Pass));
/// let small = br#"{"id":7,"result":{"content":[{"type":"text","text":"hello"}]}}"#;
/// assert!(matches!(proxy.from_server(small), FromServer::Pass));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Proxy {
    state: Mutex<State>,
    resources: Resources,
    calls: CallLog,
    op_ids: OpIds,
    notices: Notices,
}

#[derive(Debug)]
struct State {
    catalog: Catalog,
    unanswered: Unanswered,
    /// The tool of each task that was started, oldest first.
    tasks: VecDeque<(String, Arc<str>)>,
}

impl Proxy {
    /// A proxy that keeps results over their limit in the directory `dir`. Nothing is touched
    /// until there is one.
    #[must_use]
    pub fn new(host: Host, policies: PolicyFile, dir: &Path) -> Self {
        let kept = crate::kept::Kept::at(dir);
        let base = Settler::with_policy(policies.default_policy())
            .with_store(Arc::new(kept.store().clone()));
        let shape = policies.default_policy().shape().copied();
        let limit = shape.unwrap_or_else(|| host.shape()).limit();
        let retrieval = Retrieval::new(kept.clone(), limit, "", None);
        Self {
            state: Mutex::new(State {
                catalog: Catalog::new(host, policies, base, retrieval),
                unanswered: Unanswered::default(),
                tasks: VecDeque::new(),
            }),
            resources: Resources::new(kept, limit),
            calls: CallLog::beside(dir, Arc::new(SystemClock)),
            op_ids: OpIds::default(),
            notices: Notices::default(),
        }
    }

    /// Answers questions to an artifact in other words than its own, too, with `embedder`. What it
    /// computes is kept beside the artifact (SPEC 7.4); where it fails, the words of the question
    /// find what they find without it.
    #[must_use]
    pub fn with_embedder(self, embedder: Arc<dyn Embedder>) -> Self {
        self.state().catalog.embed_with(embedder);
        self
    }

    /// Begins the names of the tools that read artifacts with `prefix`, so that several servers
    /// behind proxies can be in one list.
    #[must_use]
    pub fn with_tools_prefix(self, prefix: &str) -> Self {
        self.state().catalog.set_prefix(prefix);
        self
    }

    /// Tells the user by `tell`, in one line and once, if results can't be stored, of which their
    /// markers say so as well; and in another, when all tools are listed, if there are policies
    /// for tools that the server does not have.
    #[must_use]
    pub fn with_notices(self, tell: impl Fn(&str) + Send + Sync + 'static) -> Self {
        let notices = Notices::told_by(tell);
        Self { notices, ..self }
    }

    /// How many requests of the client have no answer yet.
    #[must_use]
    pub fn outstanding(&self) -> usize {
        self.state().unanswered.len()
    }

    /// Whether the client waits for an answer.
    pub(crate) fn is_awaited(&self) -> bool {
        self.state().unanswered.is_awaited()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Every change is made whole before anything that could panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The message as a line.
fn ended(message: &RawValue, line_end: &[u8]) -> Vec<u8> {
    [message.get().as_bytes(), line_end].concat()
}

fn end_of(line: &[u8]) -> &'static [u8] {
    match line {
        [.., b'\r', b'\n'] => b"\r\n",
        [.., b'\n'] => b"\n",
        _ => b"",
    }
}
