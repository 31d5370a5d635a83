//! The proxy without its streams: lines in, lines out.

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use loop_integration::{Kept, Operation, Settler, SystemClock};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::asked::Asked;
use crate::calls::{CallLog, TextSize};
use crate::catalog::Catalog;
use crate::json::{self, Members};
use crate::message::{Id, Kind, Line, Message, refusal, response};
use crate::payload::{self, Settlement};
use crate::question::{Asks, Question};
use crate::resources::{self, Resources};
use crate::retrieval::{self, Retrieval};
use crate::{Host, PolicyFile, capabilities};

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
    /// Set apart the op ids of this process.
    process: u32,
    numbered: AtomicU64,
}

#[derive(Debug)]
struct State {
    catalog: Catalog,
    asked: BTreeMap<Id, Asked>,
    /// Requests the client gave up on, which may never be answered.
    cancelled: VecDeque<Id>,
    /// The tool of each task that was started, oldest first.
    tasks: VecDeque<(String, Arc<str>)>,
}

/// What to do with a line of the client.
#[derive(Debug)]
#[non_exhaustive]
pub enum FromClient {
    /// Pass it to the server as it is.
    Pass,
    /// Pass this line to the server instead, and answer the questions.
    Split(Option<Vec<u8>>, Vec<Question>),
}

/// What to do with a line of the server.
#[derive(Debug)]
#[non_exhaustive]
pub enum FromServer {
    /// Pass it to the client as it is.
    Pass,
    /// Pass this line instead.
    Replace(Vec<u8>),
    /// Hand the line to [`Proxy::settle`], which may take a while.
    Settle(Answered),
}

/// A tool call whose result came.
#[derive(Debug, Clone)]
pub struct Answered(Asked);

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
        let retrieval = Retrieval::new(kept.clone(), limit, "");
        Self {
            state: Mutex::new(State {
                catalog: Catalog::new(host, policies, base, retrieval),
                asked: BTreeMap::new(),
                cancelled: VecDeque::new(),
                tasks: VecDeque::new(),
            }),
            resources: Resources::new(kept, limit),
            calls: CallLog::beside(dir, Arc::new(SystemClock)),
            process: random(),
            numbered: AtomicU64::new(0),
        }
    }

    /// How many requests of the client have no answer yet, of those the proxy has a part in.
    #[must_use]
    pub fn outstanding(&self) -> usize {
        self.state().asked.len()
    }

    /// Whether the client waits for an answer. It doesn't to what it cancelled, which the server
    /// may leave without one.
    pub(crate) fn is_awaited(&self) -> bool {
        let state = self.state();
        let mut ids = state.asked.keys();
        ids.any(|id| !state.cancelled.contains(id))
    }

    /// Takes a line of the client, with or without its line end.
    pub fn from_client(&self, line: &[u8]) -> FromClient {
        let Ok(text) = std::str::from_utf8(line) else {
            return FromClient::Pass;
        };
        match Line::parse(text) {
            Line::Foreign => FromClient::Pass,
            Line::Single(message) => match self.note(&message) {
                Some(question) => FromClient::Split(None, vec![question]),
                None => FromClient::Pass,
            },
            Line::Batch(batch) => self.split(&batch),
        }
    }

    /// Takes what is answered here out of a batch.
    fn split(&self, batch: &[&RawValue]) -> FromClient {
        let (mut questions, mut rest) = (Vec::new(), Vec::new());
        for raw in batch {
            match Message::parse(raw.get()).and_then(|message| self.note(&message)) {
                Some(question) => questions.push(question),
                None => rest.push(*raw),
            }
        }
        if questions.is_empty() {
            return FromClient::Pass;
        }
        let rest = (!rest.is_empty()).then(|| ended(&json::array(rest), b"\n"));
        FromClient::Split(rest, questions)
    }

    /// Remembers a request whose answer is looked at; returns one that is answered here.
    fn note(&self, message: &Message<'_>) -> Option<Question> {
        let (id, method) = match message.kind() {
            Kind::Request { id, method } => (id, method),
            Kind::Notification { method } if method == "notifications/cancelled" => {
                self.cancel(message);
                return None;
            }
            _ => return None,
        };
        let params = message.params();
        let mut state = self.state();
        let retrieval = state.catalog.retrieval();
        if let Some(question) = Question::of(&id, &method, params.as_ref(), retrieval) {
            return Some(question);
        }
        if let Some(asked) = Asked::of(&method, params.as_ref()) {
            state.asked.insert(id, asked);
        }
        None
    }

    fn cancel(&self, message: &Message<'_>) {
        let params = message.params();
        let Some(id) = params.as_ref().and_then(|params| params.get("requestId")) else {
            return;
        };
        let mut state = self.state();
        state.cancelled.push_back(crate::message::id_of(id));
        if state.cancelled.len() > MOST_CANCELLED
            && let Some(oldest) = state.cancelled.pop_front()
        {
            state.asked.remove(&oldest);
        }
    }

    /// Answers a question of the client with a line.
    #[must_use]
    pub fn answer(&self, question: &Question) -> Vec<u8> {
        let answer = match question.asks() {
            Asks::Tool {
                retrieval,
                name,
                arguments,
            } => self.answer_call(question.id(), retrieval, name, arguments),
            Asks::Resource { uri } => match self.resources.read(uri) {
                Ok(result) => response(question.id(), &result),
                Err(why) => refusal(question.id(), RESOURCE_NOT_FOUND, &why),
            },
        };
        ended(&answer, b"\n")
    }

    fn answer_call(
        &self,
        id: &Id,
        retrieval: &Retrieval,
        name: &str,
        arguments: &Value,
    ) -> Box<RawValue> {
        let Some(answer) = retrieval.call(name, arguments) else {
            return refusal(id, RESOURCE_NOT_FOUND, "no such tool: list the tools again");
        };
        let artifact = arguments.get("name").and_then(Value::as_str);
        let artifact = artifact.and_then(|handle| retrieval.file(handle));
        let shown = TextSize::of(answer.text());
        self.calls.read(name, artifact.as_deref(), shown);
        response(id, &retrieval::result(&answer))
    }

    /// Takes a line of the server, with or without its line end.
    pub fn from_server(&self, line: &[u8]) -> FromServer {
        if self.outstanding() == 0 {
            return FromServer::Pass;
        }
        let text = String::from_utf8_lossy(line);
        match Line::parse(&text) {
            Line::Foreign => FromServer::Pass,
            Line::Single(message) => match self.take(&message) {
                None => FromServer::Pass,
                Some(asked) if asked.is_call() && !self.fits(&asked, line.len()) => {
                    FromServer::Settle(Answered(asked))
                }
                Some(asked) => match self.edit(&message, &asked) {
                    Some(edited) => FromServer::Replace(ended(&edited, end_of(line))),
                    None => FromServer::Pass,
                },
            },
            Line::Batch(batch) => self.edit_batch(&batch, line),
        }
    }

    /// Whether a result in a line of so many bytes is within the limit whatever it says.
    fn fits(&self, asked: &Asked, bytes: usize) -> bool {
        let tool = match asked {
            Asked::Call { tool } => Arc::clone(tool),
            _ => "task".into(),
        };
        let operation = Operation::new("").of_tool(tool);
        let policy = self.state().catalog.settler().policy(&operation);
        policy
            .shape()
            .is_none_or(|shape| bytes as u64 <= shape.limit().amount())
    }

    fn edit_batch(&self, batch: &[&RawValue], line: &[u8]) -> FromServer {
        let mut changed = false;
        let edited = batch.iter().map(|raw| {
            let edited = Message::parse(raw.get())
                .and_then(|message| self.edit(&message, &self.take(&message)?));
            changed |= edited.is_some();
            edited.map_or(Cow::Borrowed(*raw), Cow::Owned)
        });
        let edited = edited.collect::<Vec<_>>();
        match changed {
            true => {
                let line_end = end_of(line);
                FromServer::Replace(ended(
                    &json::array(edited.iter().map(AsRef::as_ref)),
                    line_end,
                ))
            }
            false => FromServer::Pass,
        }
    }

    /// Settles a result; `None` if its line passes as it is.
    #[must_use]
    pub fn settle(&self, answered: &Answered, line: &[u8]) -> Option<Vec<u8>> {
        let text = String::from_utf8_lossy(line);
        let message = Message::parse(&text)?;
        let edited = self.edit(&message, &answered.0)?;
        Some(ended(&edited, end_of(line)))
    }

    /// What the client asked with the request that this message answers.
    fn take(&self, message: &Message<'_>) -> Option<Asked> {
        match message.kind() {
            Kind::Response { id } => self.state().asked.remove(&id),
            _ => None,
        }
    }

    /// The message as the client gets it, if it is another.
    fn edit(&self, message: &Message<'_>, asked: &Asked) -> Option<Box<RawValue>> {
        let Some(result) = message.result() else {
            return self.edit_error(message, asked);
        };
        let edited = match asked {
            Asked::Capabilities => capabilities::added(&result),
            Asked::Tools { is_first } => self.state().catalog.page(&result, *is_first),
            Asked::Resources => self.resources.listed(&result),
            Asked::Templates => resources::with_template(&result),
            Asked::Call { tool } => self.edit_call(&result, tool),
            Asked::Task { id } => self.edit_task(&result, id),
        }?;
        let mut message = message.clone();
        message.0.set("result", edited);
        Some(message.0.to_raw())
    }

    fn edit_call(&self, result: &Members<'_>, tool: &Arc<str>) -> Option<Box<RawValue>> {
        let task = result.get("task").and_then(Members::of);
        if let Some(id) = task.as_ref().and_then(|task| task.text("taskId")) {
            let mut state = self.state();
            state.tasks.push_back((id.into_owned(), Arc::clone(tool)));
            if state.tasks.len() > MOST_TASKS {
                state.tasks.pop_front();
            }
            return None;
        }
        self.shorten(result, tool, &self.op_id(tool))
    }

    /// The result of a task is what was asked for, or in a member of it.
    fn edit_task(&self, result: &Members<'_>, id: &str) -> Option<Box<RawValue>> {
        let known = |(task, _): &&(String, Arc<str>)| task == id;
        let tool = self
            .state()
            .tasks
            .iter()
            .find(known)
            .map(|(_, tool)| Arc::clone(tool));
        let tool = tool.unwrap_or_else(|| "task".into());
        // A result that is fetched twice is one artifact.
        let op_id = format!("{}-task-{id}", slug(&tool));
        let Some(inner) = result.get("result").and_then(Members::of) else {
            return self.shorten(result, &tool, &op_id);
        };
        let inner = self.shorten(&inner, &tool, &op_id)?;
        let mut result = result.clone();
        result.set("result", inner);
        Some(result.to_raw())
    }

    fn shorten(&self, result: &Members<'_>, tool: &Arc<str>, op_id: &str) -> Option<Box<RawValue>> {
        let settler = Arc::clone(self.state().catalog.settler());
        let operation = Operation::new(op_id).of_tool(Arc::clone(tool));
        let settlement = payload::settle(result, &settler, &operation)?;
        self.log(tool, &settlement);
        settlement.result
    }

    fn edit_error(&self, message: &Message<'_>, asked: &Asked) -> Option<Box<RawValue>> {
        let error = message.error()?;
        match asked {
            Asked::Call { tool } => {
                let settler = Arc::clone(self.state().catalog.settler());
                let operation = Operation::new(self.op_id(tool)).of_tool(Arc::clone(tool));
                let settlement = payload::settle_error(&error, &settler, &operation)?;
                self.log(tool, &settlement);
                let mut message = message.clone();
                message.0.set("error", settlement.result?);
                Some(message.0.to_raw())
            }
            // A server without tools or resources of its own still has those added here.
            Asked::Tools { .. } | Asked::Resources | Asked::Templates
                if error.get("code").map(RawValue::get) == Some(METHOD_NOT_FOUND) =>
            {
                let empty = Members::parse(asked.empty_result())?;
                let result = match asked {
                    Asked::Tools { .. } => self.state().catalog.page(&empty, true)?,
                    Asked::Resources => self
                        .resources
                        .listed(&empty)
                        .unwrap_or_else(|| empty.to_raw()),
                    _ => resources::with_template(&empty)?,
                };
                let mut message = message.clone();
                message.0.remove("error");
                message.0.set("result", result);
                Some(message.0.to_raw())
            }
            _ => None,
        }
    }

    fn log(&self, tool: &str, settlement: &Settlement) {
        let artifact = match &settlement.kept {
            Kept::Stored(artifact) => Some(artifact),
            _ => None,
        };
        self.calls
            .call(tool, settlement.returned, settlement.shown, artifact);
    }

    /// An op id that no other call has: also not one of another process with the same directory.
    fn op_id(&self, tool: &str) -> String {
        let number = self.numbered.fetch_add(1, Ordering::Relaxed) + 1;
        format!("{}-{:08x}-{number}", slug(tool), self.process)
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

/// The tool's name as an op id can begin, for whoever reads the file names.
fn slug(tool: &str) -> String {
    let plain = |c: char| match c.to_ascii_lowercase() {
        c @ ('a'..='z' | '0'..='9' | '_') => c,
        _ => '-',
    };
    let name = tool.chars().take(MOST_SLUG).map(plain).collect::<String>();
    match name.trim_start_matches(['-', '_']) {
        "" => "tool".to_owned(),
        name if name.starts_with("x-") => format!("tool-{name}"),
        name => name.to_owned(),
    }
}

pub(crate) fn random() -> u32 {
    use std::hash::{BuildHasher as _, Hasher as _};
    let seeded = std::hash::RandomState::new().build_hasher().finish();
    u32::try_from(seeded >> 32).unwrap_or_default()
}

const MOST_CANCELLED: usize = 1_024;
const MOST_TASKS: usize = 4_096;
const MOST_SLUG: usize = 32;

/// The JSON-RPC error of MCP for a resource that isn't there.
const RESOURCE_NOT_FOUND: i64 = -32002;

/// The JSON-RPC error of a server that doesn't know a method.
const METHOD_NOT_FOUND: &str = "-32601";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_begin_op_ids_that_name_their_tool() {
        assert_eq!(slug("read_text_file"), "read_text_file");
        assert_eq!(slug("Get.Env!"), "get-env-");
        assert_eq!(slug("--"), "tool");
        assert_eq!(slug("x-ray"), "tool-x-ray");
        let long = slug(&"long".repeat(30));
        let name = artifacts_core::ArtifactName::for_op(
            &artifacts_core::OpId::new(format!("{long}-0123abcd-18446744073709551615")),
            artifacts_core::ContentType::Text,
        );
        assert!(name.as_str().starts_with(&long));
    }
}
