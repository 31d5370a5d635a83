//! Results of several parts (SPEC 5.4).

use loop_integration::{Ending, Settler, ToolResult};
use serde_json::{Value, json};

use crate::support::{operation, shape};

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

#[test]
fn many_small_texts_are_one_result() {
    let parts = (0..65_536).map(|_| text("a"));
    let settled = Settler::new(shape(16_384))
        .settle(&operation(1), ToolResult::of_parts(Ending::Success, parts));
    assert_eq!(settled.elided(), 65_536 - 16_384);
    assert_eq!(settled.measured().unwrap().measure().bytes(), 65_536);
}

#[test]
fn parts_that_are_no_text_pass_unchanged_in_order_after_it() {
    let image = json!({"type": "image", "data": "aGk=", "mimeType": "image/png", "_meta": {"z": 1, "a": [2]}});
    let unknown = json!({"type": "hologram", "frames": [1, 2.5, null]});
    let link = json!({"type": "resource_link", "uri": "file:///x"});
    let parts = [
        image.clone(),
        text("one "),
        unknown.clone(),
        text("two"),
        link.clone(),
    ];
    let settled = Settler::new(shape(2_000))
        .settle(&operation(1), ToolResult::of_parts(Ending::Success, parts));
    assert_eq!(settled.observation(), "one two");
    assert_eq!(settled.parts(), [image, unknown, link]);
}

#[test]
fn unknown_parts_count_by_their_size_and_media_does_not() {
    let settle = |part: Value| {
        let result = ToolResult::of_parts(Ending::Success, [text(&"a".repeat(3_000)), part]);
        Settler::new(shape(4_000))
            .settle(&operation(1), result)
            .elided()
    };
    assert_eq!(
        settle(json!({"type": "image", "data": "A".repeat(3_000), "mimeType": "image/png"})),
        0
    );
    // {"frames":"…","type":"hologram"} of 3,031 bytes leaves 969.
    assert_eq!(
        settle(json!({"type": "hologram", "frames": "A".repeat(3_000)})),
        3_000 - 969
    );
}

#[test]
fn structured_content_counts_once_where_the_text_says_it() {
    let mcp = |structured: Value| {
        let result =
            json!({"content": [text("{\"b\": 1, \"a\": [2]}")], "structuredContent": structured});
        ToolResult::of_mcp(result).unwrap()
    };
    assert_eq!(
        mcp(json!({"a": [2], "b": 1})).bytes(),
        b"{\"b\": 1, \"a\": [2]}"
    );
    assert_eq!(
        mcp(json!({"c": 3})).bytes(),
        b"{\"b\": 1, \"a\": [2]}\n{\"c\":3}"
    );
    let alone = ToolResult::of_mcp(json!({"structuredContent": {"b": 1, "a": 2}})).unwrap();
    assert_eq!(alone.bytes(), b"{\"a\":2,\"b\":1}");
}

#[test]
fn embedded_texts_that_are_over_the_limit_together_are_cut_with_the_text() {
    let resource = |size| json!({"type": "resource", "resource": {"uri": "file:///x", "text": "r".repeat(size)}});
    let settle = |size| {
        let result = ToolResult::of_parts(Ending::Success, [text("see:"), resource(size)]);
        Settler::new(shape(2_000)).settle(&operation(1), result)
    };
    assert_eq!(settle(100).parts(), [resource(100)]);
    let large = settle(50_000);
    assert_eq!(large.parts(), [] as [Value; 0]);
    assert!(
        large
            .observation()
            .starts_with("see:\n{\"resource\":{\"text\":\"rrr")
    );
    assert!(large.elided() > 48_000);

    let result = ToolResult::success(b"\xFF".to_vec()).with_parts([resource(50_000)]);
    let beside_bytes = Settler::new(shape(2_000)).settle(&operation(1), result);
    assert_eq!(beside_bytes.parts(), [] as [Value; 0]);
    let shown = beside_bytes.observation();
    assert!(shown.starts_with("\u{FFFD}\n{\"resource\":"), "{shown}");
    assert!(beside_bytes.elided() > 48_000);

    let many = (0..100).map(|_| resource(1_000));
    let result = ToolResult::of_parts(Ending::Success, many);
    let many = Settler::new(shape(2_000)).settle(&operation(1), result);
    assert_eq!(many.parts(), [] as [Value; 0]);
    assert!(many.elided() > 100_000);
}

#[test]
fn what_is_no_mcp_result_is_refused() {
    for value in [json!(null), json!("text"), json!({"content": "text"})] {
        let error = ToolResult::of_mcp(value).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("not the result of an MCP tools/call: ")
        );
    }
}
