use artifacts_core::{LossyCut, Shape};

fn main() {
    let bytes = b"\xFF".repeat(100_000);
    let _ = LossyCut {
        bytes: b"other",
        ..Shape::excerpt().shorten_lossy(&bytes).unwrap()
    };
}
