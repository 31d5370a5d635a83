//! A server in a line of shell, what is asked of it, and what comes back.

use serde_json::{Value, json};

/// A server that answers every line with this result; the id is that of the line.
pub(super) fn server(text: &str) -> String {
    let result = json!({"content": [{"type": "text", "text": text}]});
    format!(
        "while read -r line; do id=${{line#*:}}; id=${{id%%,*}}; \
         printf '{{\"id\":%s,\"result\":%s}}\\n' \"$id\" '{result}'; done"
    )
}

pub(super) fn request(id: u64, method: &str, params: &Value) -> String {
    // The id comes first: the server is a shell script.
    format!("{{\"id\":{id},\"method\":\"{method}\",\"params\":{params}}}\n")
}

pub(super) fn call(id: u64, tool: &str, arguments: &Value) -> String {
    request(
        id,
        "tools/call",
        &json!({"name": tool, "arguments": arguments}),
    )
}

pub(super) fn answers(stdout: &str) -> Vec<Value> {
    let lines = stdout
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.collect()
}

pub(super) fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap()
}

pub(super) fn log() -> String {
    (0..2_000)
        .map(|line| format!("line {line} of the log\n"))
        .collect()
}
