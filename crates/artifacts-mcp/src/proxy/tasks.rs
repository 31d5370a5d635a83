//! Calls that become tasks, whose results come later.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::value::RawValue;

use super::Proxy;
use super::op_id::OpIds;
use crate::json::Members;

impl Proxy {
    /// Remembers the tool that a task is of.
    pub(super) fn remember_task(&self, id: String, tool: &Arc<str>) {
        let mut state = self.state();
        state.tasks.push_back((id, Arc::clone(tool)));
        if state.tasks.len() > MOST_TASKS {
            state.tasks.pop_front();
        }
    }

    /// The tool of a task, and the op id of its result: the same each time, so that a result that
    /// is fetched twice is one artifact.
    pub(super) fn task(&self, id: &str) -> (Arc<str>, String) {
        let known = |(task, _): &&(String, Arc<str>)| task == id;
        let tool = self
            .state()
            .tasks
            .iter()
            .find(known)
            .map(|(_, tool)| Arc::clone(tool));
        let tool = tool.unwrap_or_else(|| "task".into());
        let op_id = OpIds::of_task(&tool, id);
        (tool, op_id)
    }

    /// The result of a task, or its error, is what was asked for, or in a member of it.
    pub(super) fn edit_task(&self, result: &Members<'_>, id: &str) -> Option<Box<RawValue>> {
        let (tool, op_id) = self.task(id);
        let inner = |name: &str| result.get(name).and_then(Members::of);
        let (name, inner) = if let Some(inner) = inner("result") {
            ("result", self.shorten(&inner, &tool, &op_id)?)
        } else if let Some(inner) = inner("error") {
            let settlement = self.settled_error(&inner, &tool, op_id)?;
            self.log(&tool, &settlement);
            ("error", settlement.result?)
        } else if ["content", "structuredContent"]
            .iter()
            .any(|name| result.get(name).is_some())
        {
            return self.shorten(result, &tool, &op_id);
        } else {
            // How far the task is: no result, and no call.
            return None;
        };
        let mut result = result.clone();
        result.set(name, inner);
        Some(result.to_raw())
    }
}

/// The id of the task that a call became: in a member of the result, or the result is the task
/// (SEP-2663).
pub(super) fn started_task(result: &Members<'_>) -> Option<String> {
    let task = result.get("task").and_then(Members::of);
    let is_task = || result.text("resultType").as_deref() == Some("task");
    let id = match &task {
        Some(task) => task.text("taskId"),
        None => result.text("taskId").filter(|_| is_task()),
    };
    id.map(Cow::into_owned)
}

/// The notifications in which a server tells the state of a task, its result included.
pub(super) const TASK_NOTICES: [&str; 2] = ["notifications/tasks", "notifications/tasks/status"];

/// So many tasks keep the name of their tool.
const MOST_TASKS: usize = 4_096;
