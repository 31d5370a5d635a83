//! Codex's configuration, in TOML.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use super::command::Command;

#[derive(Debug, Deserialize)]
struct Config {
    mcp_servers: BTreeMap<Spanned<String>, Server>,
}

#[derive(Debug, Deserialize)]
struct Server {
    command: Option<Spanned<String>>,
    args: Option<Spanned<Vec<Spanned<String>>>>,
}

/// Every server with its command, if it is started by one, in the order of the file; `None` if no
/// list of servers is there.
pub(super) fn servers(text: &str) -> Option<Vec<(String, Option<Command>)>> {
    let config = toml::from_str::<Config>(text).ok()?;
    let mut servers = config.mcp_servers.into_iter().collect::<Vec<_>>();
    servers.sort_by_key(|(name, _)| name.span().start);
    let servers = servers.into_iter().map(|(name, server)| {
        let command = server.command.map(|program| {
            let list = server.args.as_ref().map(Spanned::span);
            let arguments = server.args.map(Spanned::into_inner).unwrap_or_default();
            let arguments = arguments.into_iter().map(placed).collect();
            let between = between(text, program.span().start);
            Command::with_arguments(placed(program), list, arguments, between)
        });
        (name.into_inner(), command)
    });
    Some(servers.collect())
}

/// What introduces a list of arguments after the program: in a table of one line, or of several.
fn between(text: &str, program: usize) -> &'static str {
    let line = text.get(..program).unwrap_or_default();
    let line = line.rsplit('\n').next().unwrap_or_default();
    match line.contains('{') {
        true => ", args = ",
        false => "\nargs = ",
    }
}

fn placed(word: Spanned<String>) -> (String, std::ops::Range<usize>) {
    let span = word.span();
    (word.into_inner(), span)
}
