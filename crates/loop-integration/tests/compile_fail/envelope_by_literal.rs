use loop_integration::ToolSettled;

fn forged(envelope: ToolSettled, other: ToolSettled) -> ToolSettled {
    ToolSettled {
        result_digest: other.result_digest,
        ..envelope
    }
}

fn main() {}
