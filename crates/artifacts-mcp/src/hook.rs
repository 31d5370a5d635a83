//! Post-tool hooks: one JSON object in, one out, in the schema of the client that calls.

mod claude_code;
mod codex;
mod text;

use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use artifacts_core::{Capture, ContentType, Hint, decode_lossy};
use artifacts_fs::{ArtifactDir, artifact_dir_for};
use loop_integration::{Ending, Operation, Policy, Settler, SystemClock, ToolResult};
use serde_json::json;
use serde_json::value::RawValue;

use crate::calls::{CallLog, TextSize};
use crate::json::Members;
use crate::payload::Settlement;
use crate::{Error, ErrorKind, Host, PolicyFile};

/// What a post-tool hook does: settles the result that the client hands it, and says what the
/// model is to see instead.
///
/// Results are stored beside the transcript that the client names. Without one, nothing is stored
/// or changed.
///
/// ```
/// use artifacts_mcp::Hook;
///
/// # let tmp = tempfile::tempdir()?;
/// let input = serde_json::json!({
///     "hook_event_name": "PostToolUse",
///     "transcript_path": tmp.path().join("run.jsonl"),
///     "tool_name": "Bash",
///     "tool_use_id": "toolu_1",
///     "tool_response": {"stdout": "ok", "stderr": ""},
/// });
/// let answer = Hook::default().answer(&input.to_string())?;
/// assert_eq!(answer.output(), "{}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Hook {
    host: Option<Host>,
    policies: Option<PolicyFile>,
    hint: Option<Hint>,
}

/// What the hook answers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[must_use = "the output is what the client reads"]
pub struct HookAnswer {
    output: String,
    notice: Option<String>,
    dir: Option<PathBuf>,
}

impl Hook {
    /// Speaks the schema of `host`. By default the input tells.
    #[must_use]
    pub fn with_host(self, host: Host) -> Self {
        Self {
            host: Some(host),
            ..self
        }
    }

    /// Treats the results of every tool by `policy` instead of the host's own limit.
    #[must_use]
    pub fn with_policy(self, policy: Policy) -> Self {
        self.with_policies(PolicyFile::uniform(policy))
    }

    /// Treats the results of each tool by its policy, under the name that the client gives it.
    #[must_use]
    pub fn with_policies(self, policies: PolicyFile) -> Self {
        Self {
            policies: Some(policies),
            ..self
        }
    }

    /// Names what reads more, under every marker that names a file.
    #[must_use]
    pub fn with_hint(self, hint: Hint) -> Self {
        Self {
            hint: Some(hint),
            ..self
        }
    }

    /// Whose schema the answer to `input` has. An input that [`answer`](Self::answer) refuses is
    /// taken for Claude Code's.
    #[must_use]
    pub fn host_of(&self, input: &str) -> Host {
        self.host
            .unwrap_or_else(|| recognised(&members(input).unwrap_or_default()))
    }

    /// Answers the input of one hook.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Hook`] if the input is no JSON object.
    pub fn answer(&self, input: &str) -> Result<HookAnswer, Error> {
        let members = members(input).ok_or_else(|| {
            let message = "the hook's input is no JSON object: let the client call this command";
            Error::new(ErrorKind::Hook, message)
        })?;
        let unchanged = HookAnswer {
            output: "{}".to_owned(),
            ..HookAnswer::default()
        };
        let is_after_a_tool = members.text("hook_event_name").as_deref() == Some("PostToolUse");
        let transcript = members
            .text("transcript_path")
            .filter(|path| !path.is_empty());
        let (true, Some(response), Some(transcript)) =
            (is_after_a_tool, members.get("tool_response"), transcript)
        else {
            return Ok(unchanged);
        };
        let host = self.host.unwrap_or_else(|| recognised(&members));
        let dir = artifact_dir_for(Path::new(transcript.as_ref()));
        let call = Call {
            tool: members.text("tool_name").unwrap_or_default().into_owned(),
            settler: self.settler(host, &dir),
            operation: operation(&members),
            calls: CallLog::beside(&dir, Arc::new(SystemClock)),
            is_stored: Cell::default(),
            store_error: RefCell::default(),
        };
        let replaced = match host {
            Host::Codex => codex::replaced(&call, response),
            _ => claude_code::replaced(&call, response),
        };
        let not_stored = call.store_error.take();
        let not_stored =
            not_stored.map(|why| format!("the result of {} could not be stored: {why}", call.tool));
        Ok(match replaced {
            // A policy may have it stored and passed whole.
            Replaced::Unchanged => HookAnswer {
                notice: not_stored,
                dir: call.is_stored.get().then_some(dir),
                ..unchanged
            },
            Replaced::By(output) => HookAnswer {
                output: output.get().to_owned(),
                notice: not_stored,
                dir: Some(dir),
            },
            Replaced::Impossible(why) => HookAnswer {
                notice: Some(format!(
                    "the result of {} is left as it is: {why}",
                    call.tool
                )),
                ..unchanged
            },
        })
    }

    fn settler(&self, host: Host, dir: &Path) -> Settler {
        let policies = match &self.policies {
            Some(policies) => policies,
            None => &PolicyFile::uniform(Policy::limited(host.shape())),
        };
        let settler = Settler::with_policy(policies.default_policy());
        let mut settler = settler.with_store(Arc::new(ArtifactDir::at(dir)));
        for (tool, policy) in policies.tools() {
            settler = settler.with_tool(Arc::clone(tool), *policy);
        }
        match &self.hint {
            Some(hint) => settler.with_hint(hint.clone()),
            None => settler,
        }
    }
}

impl HookAnswer {
    /// The JSON object for standard output; `{}` changes nothing.
    #[must_use]
    pub fn output(&self) -> &str {
        &self.output
    }

    /// One line for standard error where a large result had to be left as it is, or could not be
    /// stored.
    #[must_use]
    pub fn notice(&self) -> Option<&str> {
        self.notice.as_deref()
    }

    /// The directory of the artifact, if there is one or the output was replaced.
    #[must_use]
    pub fn dir(&self) -> Option<&Path> {
        self.dir.as_deref()
    }
}

fn members(input: &str) -> Option<Members<'_>> {
    Members::parse(input.trim_start_matches('\u{FEFF}'))
}

/// Codex names the turn; Claude Code doesn't know the word.
fn recognised(input: &Members<'_>) -> Host {
    match input.get("turn_id") {
        Some(_) => Host::Codex,
        None => Host::ClaudeCode,
    }
}

fn operation(input: &Members<'_>) -> Operation {
    let id = input.text("tool_use_id").filter(|id| !id.is_empty());
    let tool = input.text("tool_name").unwrap_or_default();
    let id = id.unwrap_or_else(|| format!("hook-{:08x}", crate::proxy::random()).into());
    Operation::new(id.as_ref()).of_tool(tool.as_ref())
}

/// One tool call, with what it takes to settle its result.
struct Call {
    tool: String,
    settler: Settler,
    operation: Operation,
    calls: CallLog,
    is_stored: Cell<bool>,
    store_error: RefCell<Option<String>>,
}

/// What becomes of the client's output.
enum Replaced {
    Unchanged,
    /// The hook's whole output.
    By(Box<RawValue>),
    /// It is over the limit, and the client offers no way.
    Impossible(&'static str),
}

impl Call {
    /// The observation, if the text is over the limit.
    fn shorten(&self, text: String, ending: Ending, capture: Capture) -> Option<String> {
        let returned = TextSize::of(&text);
        self.settle(ToolResult::ended(ending, text), capture, returned)
    }

    fn shorten_bytes(&self, bytes: Vec<u8>, ending: Ending, capture: Capture) -> Option<String> {
        match String::from_utf8(bytes) {
            Ok(text) => self.shorten(text, ending, capture),
            Err(error) => {
                let returned = TextSize::of(&decode_lossy(error.as_bytes()));
                let result = ToolResult::ended(ending, error.into_bytes());
                self.settle(result, capture, returned)
            }
        }
    }

    fn settle(&self, result: ToolResult, capture: Capture, returned: TextSize) -> Option<String> {
        let result = result
            .with_content_type(ContentType::Text)
            .with_capture(capture);
        let settled = self.settler.settle(&self.operation, result);
        let settlement = Settlement::of(&settled, returned);
        self.note(&settlement);
        settlement.observation
    }

    fn note(&self, settlement: &Settlement) {
        settlement.log(&self.calls, &self.tool);
        self.is_stored.set(settlement.is_stored());
        self.store_error.replace(settlement.store_error.clone());
    }

    /// Whether a result of so many bytes could be over the limit.
    fn may_be_over(&self, bytes: usize) -> bool {
        let policy = self.settler.policy(&self.operation);
        policy
            .shape()
            .is_some_and(|shape| bytes as u64 > shape.limit().amount())
    }
}

/// The output that replaces what the model sees, in Claude Code's schema.
fn updated(output: &RawValue) -> Box<RawValue> {
    let mut inner = Members::default();
    inner.set("hookEventName", crate::json::string("PostToolUse"));
    inner.set("updatedToolOutput", output.to_owned());
    let mut outer = Members::default();
    outer.set("hookSpecificOutput", inner.to_raw());
    outer.to_raw()
}

/// The output that replaces what the model sees, in Codex's schema.
fn blocked(observation: &str) -> Box<RawValue> {
    crate::json::value(&json!({"decision": "block", "reason": observation}))
}
