//! An agent with a session format of its own: it takes the seam and its four sinks, and nothing
//! else. Run it with `cargo run -p loop-integration --example own_format`.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::convert::Infallible;
use std::sync::Arc;

use artifacts_core::{Limit, Shape};
use artifacts_fs::{ArtifactStore, MemoryStore};
use loop_integration::{
    Event, Message, Operation, Places, Settler, Sinks, ToolResult, ToolSettled, audit,
};

/// The agent's own session: one tab-separated line for each thing that happens.
#[derive(Debug, Default)]
struct Journal {
    conversation: Vec<Message>,
    lines: Vec<(&'static str, String)>,
    shown: Vec<String>,
    envelopes: Vec<ToolSettled>,
}

impl Sinks for Journal {
    type Error = Infallible;

    fn conversation(&mut self, message: &Message) -> Result<(), Infallible> {
        self.conversation.push(message.clone());
        Ok(())
    }

    fn transcript(&mut self, message: &Message) -> Result<(), Infallible> {
        let text = message.text().unwrap_or_default();
        self.lines.push(("result", text.to_owned()));
        Ok(())
    }

    fn envelope(&mut self, envelope: &ToolSettled) -> Result<(), Infallible> {
        let digest = envelope.result_digest().map(ToString::to_string);
        self.lines.push(("settled", digest.unwrap_or_default()));
        self.envelopes.push(envelope.clone());
        Ok(())
    }

    fn event(&mut self, event: Event) {
        if let Event::Settled { result, .. } = event {
            self.shown.push(result.as_str().to_owned());
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let store: Arc<dyn ArtifactStore> = Arc::new(MemoryStore::default());
    let settler = Settler::new(Shape::new(Limit::graphemes(300)?)).with_store(Arc::clone(&store));
    let mut journal = Journal::default();

    // The loop: whatever a tool returned, and however it ended, goes through the one seam.
    let results = [
        (
            "op-1",
            ToolResult::success("a line of the log\n".repeat(10_000)),
        ),
        ("op-2", ToolResult::error("no such file")),
        ("op-3", ToolResult::denied("not outside the project")),
    ];
    for (op_id, result) in results {
        settler
            .settle(&Operation::new(op_id).of_tool("read"), result)
            .fan_out(0, &mut journal)?;
    }

    // The proof, from the agent's own records.
    let written = journal.lines.iter().filter(|(kind, _)| *kind == "result");
    let places = written
        .zip(&journal.conversation)
        .zip(&journal.shown)
        .zip(&journal.envelopes);
    let audit = audit(
        places.map(|((((_, line), message), shown), envelope)| Places {
            op_id: envelope.op_id(),
            conversation: message.text().unwrap_or_default(),
            transcript: line,
            event: Some(shown),
            digest: envelope.result_digest().copied(),
            artifact: envelope.artifact().map(|artifact| artifact.reference()),
            elided_chars: envelope
                .artifact()
                .map_or(0, |artifact| artifact.elided_chars()),
        }),
        Some(store.as_ref()),
    );
    for (kind, line) in &journal.lines {
        println!("{kind}\t{}", line.escape_debug());
    }
    println!(
        "{} operations, {} artifacts read",
        audit.operations(),
        audit.artifacts()
    );
    match audit.findings() {
        [] => Ok(()),
        [finding, ..] => Err(finding.to_string().into()),
    }
}
