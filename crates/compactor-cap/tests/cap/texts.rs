//! Every text a summarizer sees, in every shape of conversation (SPEC 8.1, 8.2).

use compactor_cap::{ErrorKind, ToolCall, ToolResult, ToolResultCap, cap};
use serde_json::{Value, json};

/// The text of `conversation` under a cap of 10.
#[track_caller]
fn check(name: &str, conversation: &[Value]) {
    let cap_of_ten = ToolResultCap::new(10).expect("because it is not 0");
    insta::assert_snapshot!(name, cap(conversation, &cap_of_ten));
}

#[test]
fn a_chat_conversation_is_capped() {
    check(
        "chat",
        &[
            json!({"role": "system", "content": "You are careful, and never cut."}),
            json!({"role": "user", "content": [
                {"type": "text", "text": "What is in this picture, and in a.txt?"},
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
            ]}),
            json!({"role": "assistant", "content": null, "tool_calls": [
                {"id": "call-1", "type": "function",
                 "function": {"name": "read_file", "arguments": "{\"path\":\"a.txt\"}"}},
                {"id": "call-2", "type": "custom", "custom": {"name": "sh", "input": "ls"}},
            ]}),
            json!({"role": "tool", "tool_call_id": "call-1", "content": "0123456789"}),
            json!({"role": "tool", "tool_call_id": "call-2", "content": "0123456789ab"}),
        ],
    );
}

#[test]
fn a_responses_conversation_is_capped() {
    check(
        "responses",
        &[
            json!({"type": "message", "role": "user",
                   "content": [{"type": "input_text", "text": "Read a.txt, please."}]}),
            json!({"type": "reasoning", "summary": []}),
            json!({"type": "function_call", "call_id": "call-1", "name": "read_file",
                   "arguments": "{\"path\":\"a.txt\"}"}),
            json!({"type": "function_call_output", "call_id": "call-1", "output": [
                {"type": "input_text", "text": "one two "},
                {"type": "input_image", "image_url": "data:image/png;base64,AAAA"},
                {"type": "input_text", "text": "three four"},
            ]}),
            json!({"type": "custom_tool_call", "call_id": "call-2", "name": "sh", "input": "ls"}),
            json!({"type": "custom_tool_call_output", "call_id": "call-2", "output": "a.txt"}),
        ],
    );
}

#[test]
fn an_anthropic_conversation_is_capped() {
    check(
        "anthropic",
        &[
            json!({"role": "assistant", "content": [
                {"type": "text", "text": "I read both files."},
                {"type": "tool_use", "id": "tu-1", "name": "read_file",
                 "input": {"path": "a.txt"}},
            ]}),
            json!({"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "tu-1", "content": [
                    {"type": "text", "text": "0123456789abcdef"},
                    {"type": "image", "source": {"type": "base64", "data": "AAAA"}},
                ]},
                {"type": "tool_result", "tool_use_id": "tu-2", "is_error": true,
                 "content": "no such file"},
                {"type": "text", "text": "Go on, this text is mine."},
            ]}),
        ],
    );
}

#[test]
fn the_payloads_of_a_transcript_are_capped() {
    check(
        "transcript",
        &[
            json!({"role": "assistant", "content": "Looking.", "tool-calls": [
                {"id": "call_1", "name": "sh", "arguments": {"command": "ls -l"}},
            ]}),
            json!({"role": "tool", "tool-call-id": "call_1", "is-error": true,
                   "content": "0123456789ab", "parts": [{"type": "image", "data": "AAAA"}]}),
            json!({"role": "user", "op-id": "op-2", "content": "Task done: 0123456789"}),
        ],
    );
}

#[test]
fn a_cap_of_nothing_is_refused() {
    let refused = ToolResultCap::new(0).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Cap);
    insta::assert_snapshot!("zero", refused);
}

#[test]
fn clusters_are_counted_and_never_split() {
    let cap = ToolResultCap::new(2).unwrap();
    for (text, capped) in [
        ("", ""),
        ("🇩🇪🇫🇷", "🇩🇪🇫🇷"),
        ("e\u{301}\r\n", "e\u{301}\r\n"),
        (
            "🇩🇪🇫🇷🇮🇹",
            "🇩🇪🇫🇷\n... [1 more characters of tool output, truncated for summarization]",
        ),
        (
            "a\r\nb",
            "a\r\n\n... [1 more characters of tool output, truncated for summarization]",
        ),
    ] {
        assert_eq!(cap.result(&ToolResult::new(text)).to_string(), capped);
    }
}

#[test]
fn a_cluster_over_the_byte_ceiling_is_left_out_whole() {
    let cap = ToolResultCap::new(2).unwrap();
    let heavy = format!("ae{}b", "\u{301}".repeat(16));
    let result = ToolResult::new(heavy);
    let capped = cap.result(&result);
    assert_eq!((capped.head(), capped.shown(), capped.more()), ("a", 1, 2));
}

#[test]
fn arguments_have_words_of_their_own() {
    let call = ToolCall::new("write_file", "0123456789ab");
    let capped = ToolResultCap::new(10).unwrap();
    insta::assert_snapshot!("arguments", capped.arguments(&call));
}

#[test]
fn the_byte_ceiling_wins_over_a_text_at_the_cap() {
    let cap = ToolResultCap::default();
    let family = "👩‍👩‍👧‍👦";
    let result = ToolResult::new(family.repeat(2_000));
    let capped = cap.result(&result);
    assert_eq!((capped.shown(), capped.more()), (640, 1_360));
    let light = ToolResult::new("é".repeat(2_000));
    assert_eq!(cap.result(&light).more(), 0);
}
