//! The machine that the figures are of.

use std::process::Command;

/// Processor, memory, system and compiler, as a section.
pub(super) fn section() -> String {
    let unknown = || "not known".to_owned();
    let cores = std::thread::available_parallelism().map_or(0, std::num::NonZero::get);
    let flags = field("/proc/cpuinfo", "flags").unwrap_or_default();
    let has: Vec<&str> = FLAGS
        .into_iter()
        .filter(|flag| flags.split_whitespace().any(|has| has == *flag))
        .collect();
    let compiler = Command::new("rustc").arg("--version").output().ok();
    let compiler = compiler.and_then(|output| String::from_utf8(output.stdout).ok());
    let lines = [
        (
            "processor",
            field("/proc/cpuinfo", "model name").unwrap_or_else(unknown),
        ),
        ("cores", cores.to_string()),
        ("of its extensions", has.join(", ")),
        (
            "memory",
            field("/proc/meminfo", "MemTotal").unwrap_or_else(unknown),
        ),
        (
            "system",
            format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        ),
        (
            "compiler",
            compiler.map_or_else(unknown, |version| version.trim().to_owned()),
        ),
    ];
    let mut section = "## Machine\n\n".to_owned();
    for (name, value) in lines {
        section.push_str(&format!("- {name}: {value}\n"));
    }
    section
}

/// The value after `name` in one of the kernel's tables; `None` on other systems.
#[expect(
    clippy::disallowed_methods,
    reason = "a table of the kernel, not an artifact"
)]
pub(super) fn field(table: &str, name: &str) -> Option<String> {
    let table = std::fs::read_to_string(table).ok()?;
    let mut lines = table.lines().filter_map(|line| line.split_once(':'));
    let (_, value) = lines.find(|(key, _)| key.trim() == name)?;
    Some(value.trim().to_owned())
}

/// What the counter, the validation or the hash use where it is there.
const FLAGS: [&str; 4] = ["sse4_2", "avx2", "avx512bw", "sha_ni"];
