//! The clocks that work is timed with.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// What time is taken of.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Clock {
    /// What passes.
    Wall,
    /// What the processor spends on all threads of this process; what passes where the system does
    /// not tell.
    Processor,
}

impl Clock {
    /// The time since some moment, the same for every call.
    pub(crate) fn now(self) -> Duration {
        match self {
            Self::Wall => since_start(),
            Self::Processor => processor(),
        }
    }
}

fn since_start() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

#[cfg(unix)]
fn processor() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

#[cfg(not(unix))]
fn processor() -> Duration {
    since_start()
}
