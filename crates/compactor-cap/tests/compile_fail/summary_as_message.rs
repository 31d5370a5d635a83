//! The summarizer's text is no message: it can't be capped again or join a conversation.

use compactor_cap::{Message, Part, SummaryText, ToolResultCap, cap};

struct Said(String);

impl Message for Said {
    fn role(&self) -> &str {
        "user"
    }

    fn parts(&self) -> Vec<Part<'_>> {
        vec![Part::Text(self.0.as_str().into())]
    }
}

fn capped_again(summary: SummaryText<'_>) -> usize {
    cap(&[summary], &ToolResultCap::default()).pieces().count()
}

fn joins_the_conversation(conversation: &mut Vec<Said>, summary: SummaryText<'_>) {
    conversation.push(summary);
}

fn becomes_a_message(summary: SummaryText<'_>) -> Said {
    Said(summary.into())
}

fn main() {}
