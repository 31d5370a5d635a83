//! Requests of the client whose answers the proxy has a part in.

use std::borrow::Cow;
use std::sync::Arc;

use crate::json::Members;

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
}

impl Asked {
    pub(crate) fn of(method: &str, params: Option<&Members<'_>>) -> Option<Self> {
        let text = |name: &str| params.and_then(|params| params.text(name));
        Some(match method {
            "initialize" | "server/discover" => Self::Capabilities,
            "tools/list" => Self::Tools {
                is_first: text("cursor").is_none(),
            },
            "tools/call" => Self::Call {
                // What has no name is the server's to refuse, and what it says is bounded all the same.
                tool: text("name").unwrap_or(Cow::Borrowed("tool")).into(),
            },
            "tasks/get" | "tasks/result" => Self::Task {
                id: text("taskId")?.into_owned(),
            },
            "resources/list" => Self::Resources,
            "resources/templates/list" => Self::Templates,
            _ => return None,
        })
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
