//! What the client asked and the server has not answered.

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use crate::json::Members;
use crate::message::Id;

/// What was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Asked {
    /// What the server can do: `initialize`, or `server/discover`.
    Capabilities,
    Tools {
        is_first: bool,
    },
    Call {
        tool: Arc<str>,
    },
    /// The state or the result of a task.
    Task {
        id: String,
    },
    Resources,
    Templates,
    /// What a URI leads to.
    Resource {
        uri: String,
    },
    /// What the proxy has no part in: the answer passes as it is.
    Other,
}

impl Asked {
    pub(crate) fn of(method: &str, params: Option<&Members<'_>>) -> Self {
        let text = |name: &str| params.and_then(|params| params.text(name));
        match method {
            "initialize" | "server/discover" => Self::Capabilities,
            "tools/list" => Self::Tools {
                is_first: text("cursor").is_none(),
            },
            "tools/call" => Self::Call {
                // What has no name is the server's to refuse, and what it says is bounded all the same.
                tool: text("name").unwrap_or(Cow::Borrowed("tool")).into(),
            },
            "tasks/get" | "tasks/result" => match text("taskId") {
                Some(id) => Self::Task {
                    id: id.into_owned(),
                },
                None => Self::Other,
            },
            "resources/list" => Self::Resources,
            "resources/templates/list" => Self::Templates,
            "resources/read" => match text("uri") {
                Some(uri) => Self::Resource {
                    uri: uri.into_owned(),
                },
                None => Self::Other,
            },
            _ => Self::Other,
        }
    }

    /// Whether a result with these members can be its answer, so far as its kind tells.
    fn can_have(&self, result: &Members<'_>) -> bool {
        let has = |name: &str| result.get(name).is_some();
        match self {
            Self::Capabilities => has("capabilities"),
            Self::Tools { .. } => has("tools"),
            Self::Call { .. } => {
                let is_task = || result.text("resultType").as_deref() == Some("task");
                has("content") || has("structuredContent") || has("task") || is_task()
            }
            Self::Task { .. } => has("content") || has("result") || has("status"),
            Self::Resources => has("resources"),
            Self::Templates => has("resourceTemplates"),
            Self::Resource { .. } => has("contents"),
            Self::Other => !has("content"),
        }
    }

    /// Whether the answer is a tool's result.
    pub(crate) fn is_call(&self) -> bool {
        matches!(self, Self::Call { .. } | Self::Task { .. })
    }

    /// The answer of a server that has none of it.
    pub(crate) fn empty_result(&self) -> &'static str {
        match self {
            Self::Tools { .. } => r#"{"tools":[]}"#,
            Self::Resources => r#"{"resources":[]}"#,
            Self::Templates => r#"{"resourceTemplates":[]}"#,
            _ => "{}",
        }
    }
}

/// The requests that have no answer yet, by their id.
#[derive(Debug, Default)]
pub(crate) struct Unanswered {
    asked: BTreeMap<Id, VecDeque<Asked>>,
    /// What the client gave up on, which may never be answered, oldest first.
    cancelled: VecDeque<Id>,
}

impl Unanswered {
    /// An id that is used again before its answer came stands for several requests.
    pub(crate) fn add(&mut self, id: Id, asked: Asked) {
        self.cancelled.retain(|cancelled| *cancelled != id);
        self.asked.entry(id).or_default().push_back(asked);
    }

    /// What a response answers. Its `result` is looked at where the id leaves that open.
    pub(crate) fn take<'m>(
        &mut self,
        id: &Id,
        result: impl FnOnce() -> Option<Members<'m>>,
    ) -> Option<Asked> {
        let asked = self.asked.get_mut(id)?;
        let place = match asked.len() {
            1 => 0,
            _ => {
                let result = result().unwrap_or_default();
                let is_it = |asked: &Asked| asked.can_have(&result);
                asked.iter().position(is_it).unwrap_or(0)
            }
        };
        let taken = asked.remove(place);
        if asked.is_empty() {
            self.asked.remove(id);
        }
        taken
    }

    pub(crate) fn cancel(&mut self, id: Id) {
        self.cancelled.push_back(id);
        if self.cancelled.len() > MOST_CANCELLED
            && let Some(oldest) = self.cancelled.pop_front()
        {
            self.asked.remove(&oldest);
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.asked.values().map(VecDeque::len).sum()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.asked.is_empty()
    }

    /// Whether the client waits for an answer. It doesn't to what it cancelled.
    pub(crate) fn is_awaited(&self) -> bool {
        self.asked.keys().any(|id| !self.cancelled.contains(id))
    }
}

/// So many requests that the client gave up on may still be answered.
const MOST_CANCELLED: usize = 1_024;
