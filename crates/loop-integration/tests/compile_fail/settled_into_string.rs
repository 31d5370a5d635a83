use artifacts_core::Shape;
use loop_integration::{Operation, Settler, ToolResult};

fn main() {
    let settled = Settler::new(Shape::excerpt()).settle(&Operation::new("op"), ToolResult::success("ok"));
    let _: String = settled.result().clone().into();
}
