//! One operation of a run: its identity, its tool, the provider's call it answers.

use std::sync::Arc;

use artifacts_core::OpId;

/// One operation: an [`OpId`] that is its own, the tool that runs, the call it answers.
///
/// The op id is the caller's to choose and must not repeat within a run. The tool-call id is the
/// provider's and may repeat.
///
/// ```
/// use loop_integration::Operation;
///
/// let operation = Operation::new("op-1").of_tool("bash").answering("call_7");
/// assert_eq!(operation.op_id().as_str(), "op-1");
/// assert_eq!(operation.tool_call_id(), "call_7");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Operation {
    op_id: OpId,
    tool: Option<Arc<str>>,
    tool_call_id: Option<Arc<str>>,
}

impl Operation {
    /// The operation of this op id. Its tool is unnamed, its tool-call id is the op id.
    #[must_use]
    pub fn new(op_id: impl Into<Arc<str>>) -> Self {
        Self::from(OpId::new(op_id))
    }

    /// Names the tool, which decides the [`Policy`](crate::Policy).
    #[must_use]
    pub fn of_tool(self, tool: impl Into<Arc<str>>) -> Self {
        Self {
            tool: Some(tool.into()),
            ..self
        }
    }

    /// Names the provider's tool call.
    #[must_use]
    pub fn answering(self, tool_call_id: impl Into<Arc<str>>) -> Self {
        Self {
            tool_call_id: Some(tool_call_id.into()),
            ..self
        }
    }

    /// The identity.
    #[must_use]
    pub fn op_id(&self) -> &OpId {
        &self.op_id
    }

    /// The tool, if it is named.
    #[must_use]
    pub fn tool(&self) -> Option<&str> {
        self.tool.as_deref()
    }

    /// The provider's tool call; the op id where none is named.
    #[must_use]
    pub fn tool_call_id(&self) -> &str {
        self.tool_call_id
            .as_deref()
            .unwrap_or_else(|| self.op_id.as_str())
    }
}

impl From<OpId> for Operation {
    fn from(op_id: OpId) -> Self {
        Self {
            op_id,
            tool: None,
            tool_call_id: None,
        }
    }
}
