use artifacts_core::{Measure, Measured};

fn main() {
    let _ = Measured {
        measure: Measure::of("full"),
        ..Measured::of(b"other")
    };
}
