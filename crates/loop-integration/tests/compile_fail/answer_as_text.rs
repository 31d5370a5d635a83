use loop_integration::{ToolAnswer, ToolResult};

fn settled_as_text(answer: ToolAnswer) -> ToolResult {
    ToolResult::success(answer)
}

fn taken_apart(answer: ToolAnswer) -> String {
    answer.into()
}

fn main() {}
