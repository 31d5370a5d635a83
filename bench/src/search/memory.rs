//! The memory of one question, measured in a process that does nothing else.

use std::hint::black_box;
use std::process::Command;

use artifacts_search::Expand;

use super::CASES;
use crate::core::memory_bytes;
use crate::data::Kind;

/// What a process holds at most while it asks, as a multiple of the artifact.
pub(super) fn of_question(kind: Kind, bytes: usize) -> String {
    let ask = || {
        let output = Command::new(std::env::current_exe().ok()?)
            .args(["search-peak", kind.name(), &bytes.to_string()])
            .output()
            .ok()?;
        String::from_utf8(output.stdout).ok()
    };
    ask().unwrap_or_default().trim().to_owned()
}

/// What that process runs: prints the multiple.
pub(crate) fn print_peak(mut args: impl Iterator<Item = String>) {
    let name = args.next();
    let bytes = args.next().and_then(|bytes| bytes.parse::<usize>().ok());
    let mut cases = CASES.into_iter();
    let case = cases.find(|(kind, _)| name.as_deref() == Some(kind.name()));
    if let (Some((kind, question)), Some(bytes)) = (case, bytes) {
        let text = kind.text(bytes);
        let peak = peak_bytes(|| Expand::default().answer(black_box(&text), question));
        match peak {
            Some(peak) => println!("{:.2}", 1.0 + peak / text.len() as f64),
            None => println!("unknown"),
        }
    }
}

/// How much more than before the process holds at most while `work` runs; where the kernel tells.
fn peak_bytes<T>(work: impl FnOnce() -> T) -> Option<f64> {
    // Resets the peak, which is else that of making the text.
    #[expect(
        clippy::disallowed_methods,
        reason = "a file of the kernel, not an artifact"
    )]
    std::fs::write("/proc/self/clear_refs", "5").ok()?;
    let before = memory_bytes("VmRSS")?;
    black_box(work());
    Some(memory_bytes("VmHWM")?.saturating_sub(before) as f64)
}
