//! The tools with which a model reads results back.

mod answers;
mod background;
mod bounds;
mod definitions;
#[cfg(feature = "artifacts-search")]
mod expanding;
mod handles;
mod reader;
mod references;

use std::sync::Arc;

use artifacts_core::{Limit, Shape};
use artifacts_fs::{ArtifactDir, Index};
use loop_integration::{ArtifactTools, Operation, Settled, Settler, ToolResult};
use serde_json::Value;

use crate::support::Run;

/// A run whose agent has the tools.
struct Agent {
    run: Run,
    settler: Settler,
    tools: ArtifactTools,
}

impl Agent {
    fn new(limit: Limit) -> Self {
        let run = Run::new();
        let store = Arc::new(ArtifactDir::beside(&run.transcript));
        let tools = ArtifactTools::new(store.clone(), Index::default(), limit).unwrap();
        let settler = Settler::new(Shape::new(limit))
            .with_store(store)
            .with_hint(tools.hint());
        Self {
            run,
            settler,
            tools,
        }
    }

    fn settle(&self, op_id: &str, result: ToolResult) -> Settled {
        let operation = Operation::new(op_id).of_tool("bash");
        let settled = self.settler.settle(&operation, result);
        self.tools.admit(&settled);
        settled
    }

    /// The answer to a call, whose text must pass the seam whole even where it is not told that it is
    /// an answer.
    #[track_caller]
    fn call(&self, tool: &str, arguments: &Value) -> String {
        let answer = self.tools.call(tool, arguments);
        let operation = Operation::new("op-of-the-call").of_tool(tool);
        let settled = self
            .settler
            .settle(&operation, ToolResult::success(answer.text()));
        assert_eq!(settled.observation(), answer.text());
        assert!(settled.artifact().is_none());
        answer.text().to_owned()
    }

    /// The names of the files beside the transcript.
    fn files(&self) -> Vec<String> {
        let dir = ArtifactDir::beside(&self.run.transcript);
        let listed = dir.list().unwrap();
        listed.iter().map(|file| file.name.to_string()).collect()
    }
}
