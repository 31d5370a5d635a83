//! `artifacts hook`: a client's post-tool hook.

use std::io::Read as _;
use std::process::ExitCode;

use artifacts_core::Hint;
use artifacts_mcp::{Hook, Host};
use clap::ValueEnum;

use crate::hooked::Hooked;
use crate::output;

/// Settle the tool result that a client hands to its post-tool hook
///
/// Prints one JSON object for the client. Always exits with 0: a hook that fails must not stand in
/// the way of a tool.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The client; without it, the input tells
    #[arg(value_enum, value_name = "CLIENT")]
    client: Option<HookHost>,
    /// The same, as a flag
    #[arg(
        long,
        value_enum,
        value_name = "CLIENT",
        conflicts_with = "client",
        hide = true
    )]
    host: Option<HookHost>,
}

/// The clients with hooks that can replace a result.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum HookHost {
    /// Claude Code
    ClaudeCode,
    /// Codex
    Codex,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode, crate::failure::Failure> {
    let mut hook = Hook::default();
    match args.client.or(args.host) {
        Some(HookHost::ClaudeCode) => hook = hook.with_host(Host::ClaudeCode),
        Some(HookHost::Codex) => hook = hook.with_host(Host::Codex),
        None => {}
    }
    let hooked = Hooked::of_user()
        .ok()
        .filter(Hooked::is_writable)
        .and_then(|hooked| Some((hooked, Hint::commands(READING).ok()?)));
    if let Some((_, hint)) = &hooked {
        hook = hook.with_hint(hint.clone());
    }
    let mut input = Vec::new();
    if let Err(error) = std::io::stdin().lock().read_to_end(&mut input) {
        output::diagnose(&format!("can't read the hook's input: {error}"));
    }
    match hook.answer(&String::from_utf8_lossy(&input)) {
        Ok(answer) => {
            if let Some(notice) = answer.notice() {
                output::diagnose(notice);
            }
            if let (Some((hooked, _)), Some(dir)) = (&hooked, answer.dir()) {
                let folder = std::env::current_dir().unwrap_or_default();
                if let Err(error) = hooked.add(&folder, dir) {
                    output::diagnose(&format!("artifacts read needs --session: {error}"));
                }
            }
            output::write(format!("{}\n", answer.output()).as_bytes())?;
        }
        Err(error) => {
            output::diagnose(&error.to_string());
            output::write(b"{}\n")?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// What the agent runs to see more; without `--session` they know what the hook stored.
const READING: [&str; 3] = ["artifacts read", "artifacts search", "artifacts expand"];
