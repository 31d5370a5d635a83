//! `artifacts hook`: a client's post-tool hook.

use std::io::Read as _;
use std::process::ExitCode;

use artifacts_core::Hint;
use artifacts_mcp::{Hook, Host};
use clap::ValueEnum;
use loop_integration::Policy;

use crate::hooked::Hooked;
use crate::output;
use crate::policies::PolicyArgs;
use crate::source::PAGE_BYTES;

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
    #[command(flatten)]
    policies: PolicyArgs,
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
    // All of it is read before anything may fail: the client writes it.
    let mut input = Vec::new();
    if let Err(error) = std::io::stdin().lock().read_to_end(&mut input) {
        output::diagnose(&format!("can't read the hook's input: {error}"));
    }
    let input = String::from_utf8_lossy(&input);
    let client = hook.host_of(&input);
    let policies = args.policies.policies(client)?;
    let above = args.policies.above_cap(&policies, client);
    above.iter().for_each(|finding| output::diagnose(finding));
    let page = page_bytes(policies.policy_of(SHELL));
    hook = hook.with_policies(policies);
    let hooked = Hooked::of_user()
        .ok()
        .filter(|hooked| page >= LEAST_PAGE_BYTES && hooked.is_writable())
        .and_then(|hooked| Some((hooked, Hint::commands(READING).ok()?)));
    if let Some((_, hint)) = &hooked {
        hook = hook.with_hint(hint.clone());
    }
    match hook.answer(&input) {
        Ok(answer) => {
            if let Some(notice) = answer.notice() {
                output::diagnose(notice);
            }
            if let (Some((hooked, _)), Some(dir)) = (&hooked, answer.dir()) {
                let folder = std::env::current_dir().unwrap_or_default();
                if let Err(error) = hooked.add(&folder, dir, page) {
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

/// How much the commands print at a time, so that the hook leaves it as it is.
fn page_bytes(policy: Policy) -> usize {
    let limit = policy.shape().filter(|_| !policy.passes_whole());
    let limit = limit.map_or(u64::MAX, |shape| shape.limit().amount());
    usize::try_from(limit).unwrap_or(usize::MAX).min(PAGE_BYTES)
}

/// What both clients call the tool that runs commands.
const SHELL: &str = "Bash";

/// Pages that are smaller lead nowhere.
const LEAST_PAGE_BYTES: usize = 512;

/// What the agent runs to see more; without `--session` they know what the hook stored.
const READING: [&str; 3] = ["artifacts read", "artifacts search", "artifacts expand"];
