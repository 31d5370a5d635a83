//! A bounded store under the settle path and the tools (SPEC 4.10).

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use artifacts_core::{Limit, Shape};
use artifacts_fs::{ArtifactDir, BoundedStore, Bounds, Index, LetterCase, MemoryStore, Pattern};
use loop_integration::{
    ArtifactMount, ArtifactTools, FileTools as _, Operation, References, Settler, ToolResult,
};
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

#[test]
fn what_has_expired_is_shown_nowhere_though_it_was_open() {
    let clock = Arc::new(AtomicU64::new(1_000));
    let time = Arc::clone(&clock);
    let now = move || SystemTime::UNIX_EPOCH + Duration::from_secs(time.load(Ordering::Relaxed));
    let store = Arc::new(BoundedStore::with_time_to_live(
        MemoryStore::default(),
        Bounds::new(9_000, 9_000).unwrap(),
        Index::default(),
        Duration::from_secs(100),
        now,
    ));
    let index = store.index().clone();
    let limit = Limit::graphemes(600).unwrap();
    let tools = ArtifactTools::new(store.clone(), index.clone(), limit).unwrap();
    let _ = tools.call(
        "store_artifact",
        &json!({"content": "expiring", "name": "note"}),
    );
    let mount = ArtifactMount::new(store.clone(), index.clone(), 100);
    let get = || tools.call("get_artifact", &json!({"name": "note"}));
    clock.fetch_add(100, Ordering::Relaxed);
    assert!(get().text().ends_with("expiring"));

    clock.fetch_add(1, Ordering::Relaxed);
    for _ in 0..2 {
        assert!(get().text().contains("has expired"), "{}", get().text());
        assert!(!get().is_error(), "that it is gone is the answer");
    }
    let search = json!({"name": "note", "pattern": "ex"});
    let found = tools.call("search_artifact", &search);
    assert!(found.text().contains("has expired"));
    let listed = tools.call("list_artifacts", &json!({}));
    assert!(listed.text().starts_with("[no artifacts"));
    assert_eq!(tools.digests(), []);
    assert_eq!(mount.ls(ArtifactMount::PATH).unwrap(), []);
    let pattern = Pattern::new("ex", LetterCase::Exact).unwrap();
    assert_eq!(mount.grep(&pattern, ArtifactMount::PATH, 9).unwrap(), []);
    let references = References::new(store, index);
    assert!(references.fill_in(json!({"$artifact": "note"})).is_err());
}
