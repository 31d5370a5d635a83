//! An agent with our transcript, which can be stopped at any instruction and started again: it
//! ends with the same conversation. Run it with
//! `cargo run -p loop-integration --example resuming_agent -- run.jsonl`.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::sync::Arc;

use artifacts_core::{Limit, Shape};
use artifacts_fs::ArtifactDir;
use loop_integration::{
    Error, Format, Message, Operation, Pending, Session, Settler, SystemClock, ToolCall, ToolResult,
};
use serde_json::json;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args()
        .nth(1)
        .ok_or("usage: resuming_agent TRANSCRIPT")?;
    let settler = Settler::new(Shape::new(Limit::graphemes(300)?))
        .with_store(Arc::new(ArtifactDir::beside(&path)));
    let session = Session::open(&path, settler, Arc::new(SystemClock))?;
    if session.transcript().messages().is_empty() {
        session.push(Message::user(
            "What is in the log, and which files are there?",
        ))?;
    }
    loop {
        finish_calls(&session)?;
        match ask_model(session.transcript().messages()) {
            Some(message) => session.push(message)?,
            None => break,
        }
    }
    println!("{}", session.transcript().replay(Format::OpenAiChat));
    Ok(())
}

/// Does what the last message asks for, and what an earlier run left undone.
fn finish_calls(session: &Session) -> Result<(), Error> {
    for pending in session.pending() {
        match pending {
            Pending::NeverRan(call) => {
                // The calls of this model have ids of their own; one that repeats them needs
                // other op ids.
                let operation = Operation::new(call.id()).of_tool(call.name());
                session.dispatch(&operation)?;
                session.settle(&operation, run_tool(&operation))?;
            }
            // These tools only read, so running them again is harmless. What is not goes to
            // `outcome_unknown`.
            Pending::Unanswered(operation) => {
                session.settle(&operation, run_tool(&operation))?;
            }
            Pending::Unsettled(operation) => {
                session.complete(operation.op_id())?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// The tools.
fn run_tool(operation: &Operation) -> ToolResult {
    match operation.tool() {
        Some("read_log") => ToolResult::success("12:34 all is well\n".repeat(5_000)),
        Some("list") => ToolResult::success("Cargo.toml\nsrc\n"),
        _ => ToolResult::malformed_arguments("there is no such tool"),
    }
}

/// The model: its answer follows from the conversation.
fn ask_model(messages: &[Message]) -> Option<Message> {
    let answers = messages
        .iter()
        .filter(|message| message.role() == "tool")
        .count();
    match (messages.last()?.role(), answers) {
        ("user", _) => Some(Message::assistant("I look.").with_tool_calls([
            ToolCall::new("call-1", "read_log", json!({"lines": 5_000})),
            ToolCall::new("call-2", "list", json!({})),
        ])),
        ("tool", 2) => Some(
            Message::assistant("Once more.").with_tool_calls([ToolCall::new(
                "call-3",
                "read_log",
                json!({}),
            )]),
        ),
        ("tool", _) => Some(Message::assistant("All is well.")),
        _ => None,
    }
}
