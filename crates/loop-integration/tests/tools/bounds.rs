//! A bounded store under the settle path and the tools (SPEC 4.10).

use std::sync::Arc;

use artifacts_core::{Limit, Shape};
use artifacts_fs::{ArtifactDir, BoundedStore, Bounds, Index};
use loop_integration::{ArtifactTools, Operation, Settler, ToolResult};
use serde_json::json;

use crate::support::Run;

#[test]
fn what_is_clipped_or_gone_says_so_to_the_model() {
    let run = Run::new();
    let limit = Limit::graphemes(600).unwrap();
    let bounds = Bounds::new(2_000, 5_000).unwrap();
    let dir = ArtifactDir::beside(&run.transcript);
    let store = Arc::new(BoundedStore::new(dir, bounds, Index::default()));
    let tools = ArtifactTools::new(store.clone(), store.index().clone(), limit).unwrap();
    let settler = Settler::new(Shape::new(limit))
        .with_store(store)
        .with_hint(tools.hint());
    let mut shown = String::new();
    for op_id in ["op-1", "op-2", "op-3"] {
        let text = format!("{op_id} line\n").repeat(500);
        let settled = settler.settle(&Operation::new(op_id), ToolResult::success(text));
        tools.admit(&settled);
        let marker = settled
            .observation()
            .lines()
            .find(|line| line.starts_with("[..."));
        shown.push_str(&format!("{}\n", marker.unwrap()));
    }
    for (tool, arguments) in [
        ("list_artifacts", json!({})),
        ("read_artifact", json!({"name": "op-1.txt"})),
        ("read_artifact", json!({"name": "art:op-1"})),
        (
            "read_artifact",
            json!({"name": "op-3.txt", "lines": "1-2", "from_end": true}),
        ),
    ] {
        let answer = tools.call(tool, &arguments);
        shown.push_str(&format!("\n>>> {tool} {arguments}\n{}\n", answer.text()));
    }
    insta::assert_snapshot!(shown);
}
