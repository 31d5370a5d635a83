//! `artifacts mcp wrap`: a client's list of servers, through the proxy.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use artifacts_mcp::{Host, Rewritten, ServerChange};

use super::HostName;
use crate::failure::Failure;
use crate::input::{base_name, text_of};
use crate::output;

/// Rewrite a client's list of servers so that each goes through the proxy
///
/// Knows the files of Claude, Cursor, VS Code, Zed, Codex (TOML) and others like them. Prints what
/// would change; --apply changes it, after a copy beside it.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The client's configuration, such as .mcp.json, mcp.json or config.toml
    #[arg(value_name = "CONFIG")]
    config: PathBuf,
    /// The client that shows the results: generic if nothing is said. A server that goes through the
    /// proxy already keeps what it has, or gets what is said here
    #[arg(long, value_enum)]
    host: Option<HostName>,
    /// Take the proxy out again
    #[arg(long)]
    undo: bool,
    /// Change the file
    #[arg(long)]
    apply: bool,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let text = text_of(&args.config)?;
    let host = args.host.map(|host| Host::from(host).name().to_owned());
    let flags = host.map_or(Vec::new(), |host| vec!["--host".to_owned(), host]);
    let rewritten = match args.undo {
        true => artifacts_mcp::unwrap(&text),
        false => artifacts_mcp::wrap(&text, "artifacts", &flags),
    };
    let rewritten = rewritten.map_err(|error| Failure::input(error.to_string()))?;
    output::write(plan(&rewritten).as_bytes())?;
    if !rewritten.is_changed() {
        output::diagnose("nothing to change");
        return Ok(ExitCode::SUCCESS);
    }
    if !args.apply {
        output::diagnose("nothing was changed; --apply changes it");
        return Ok(ExitCode::SUCCESS);
    }
    let name = base_name(&args.config);
    let copy = backup(&args.config, &text).map_err(|error| {
        Failure::io(
            &format!("can't copy {name}"),
            &error,
            "make its folder writable",
        )
    })?;
    overwrite(&args.config, rewritten.text()).map_err(|error| {
        let advice = format!("{} has what it was", base_name(&copy));
        Failure::io(&format!("can't write {name}"), &error, &advice)
    })?;
    output::diagnose(&format!(
        "{name} is changed; {} has what it was",
        base_name(&copy)
    ));
    Ok(ExitCode::SUCCESS)
}

/// One line for each server.
fn plan(rewritten: &Rewritten) -> String {
    let mut plan = String::new();
    for (name, change) in rewritten.servers() {
        let becomes = match change {
            ServerChange::Command(line) => line.join(" "),
            ServerChange::Already => "(as it is)".to_owned(),
            _ => "(as it is: not started by a command)".to_owned(),
        };
        plan.push_str(&format!("{name}: {becomes}\n"));
    }
    plan
}

/// Copies the configuration beside it, under a name nothing has.
fn backup(config: &Path, text: &str) -> io::Result<PathBuf> {
    let mut number = 1;
    loop {
        let mut name = config.file_name().unwrap_or_default().to_os_string();
        name.push(format!(".backup-{number}"));
        let copy = config.with_file_name(name);
        match OpenOptions::new().write(true).create_new(true).open(&copy) {
            Ok(mut file) => {
                if let Ok(metadata) = std::fs::metadata(config) {
                    file.set_permissions(metadata.permissions())?;
                }
                file.write_all(text.as_bytes())?;
                file.sync_all()?;
                return Ok(copy);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(error),
        }
    }
}

/// Puts a whole new file in the place of the old one, so that a full disk leaves the old one: where
/// a link leads, since it may be into a folder of dotfiles.
#[expect(
    clippy::disallowed_methods,
    reason = "the client's own file, of which a copy was made, and no artifact"
)]
fn overwrite(config: &Path, text: &str) -> io::Result<()> {
    let config = config.canonicalize()?;
    let mut name = config.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".new-{}", std::process::id()));
    let new = config.with_file_name(name);
    let mut options = OpenOptions::new();
    let mut file = options.write(true).create_new(true).open(&new)?;
    let replaced = std::fs::metadata(&config)
        .and_then(|metadata| file.set_permissions(metadata.permissions()))
        .and_then(|()| file.write_all(text.as_bytes()))
        .and_then(|()| file.sync_all())
        .and_then(|()| std::fs::rename(&new, &config));
    if replaced.is_err() {
        let _ = std::fs::remove_file(&new);
    }
    replaced
}
