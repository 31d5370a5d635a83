use artifacts_core::Shape;

fn main() {
    let mut bytes = b"\xFF".repeat(100_000);
    let lossy = Shape::excerpt().shorten_lossy(&bytes).unwrap();
    bytes.push(b'\n');
    let _ = lossy.unmeasured().measure();
}
