//! The conversation is borrowed while the text of a part is.

use compactor_cap::{Message as _, Part, ToolResultCap};
use serde_json::{Value, json};

fn main() {
    let mut message: Value = json!({"role": "tool", "content": "text"});
    let parts = message.parts();
    message["content"] = json!("other text");
    if let Some(Part::Result(result)) = parts.first() {
        let _ = ToolResultCap::default().result(result);
    }
}
