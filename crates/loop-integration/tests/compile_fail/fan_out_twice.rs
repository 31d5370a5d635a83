use loop_integration::{Settled, Sinks};

fn twice<S: Sinks>(settled: Settled, sinks: &mut S) {
    let _ = settled.fan_out(0, sinks);
    let _ = settled.fan_out(0, sinks);
}

fn main() {}
