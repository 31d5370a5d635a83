//! A server that answers at once, with a small result or a large one.

use std::cell::LazyCell;
use std::io::{self, BufRead as _, Write as _};

use serde_json::{Value, json};

use crate::data::Kind;

/// Answers every request on standard input until it ends.
pub(crate) fn serve() -> io::Result<()> {
    let small = ended(&"ok".repeat(100));
    // Made when it is asked for: it takes longer than a start.
    let large = LazyCell::new(|| ended(&large_text()));
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let request = serde_json::from_str::<Value>(&line?)?;
        let (id, params) = (request.get("id"), request.get("params"));
        let Some(id) = id else { continue };
        let tool = params.and_then(|params| params.get("name"));
        let answer = match tool.and_then(Value::as_str) {
            Some("large") => &large,
            _ => &small,
        };
        write!(out, "{{\"jsonrpc\":\"2.0\",\"id\":{id},")?;
        out.write_all(answer.as_bytes())?;
        out.flush()?;
    }
    Ok(())
}

/// An answer from its `result` on.
fn ended(text: &str) -> String {
    let result = json!({"content": [{"type": "text", "text": text}]});
    format!("\"result\":{result}}}\n")
}

/// What the large result holds.
pub(crate) fn large_text() -> String {
    Kind::Log.text(5_000_000)
}
