//! Codex's configuration, in TOML.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;

use super::command::Command;

#[derive(Debug, Deserialize)]
struct Config {
    mcp_servers: Spanned<BTreeMap<Spanned<String>, Spanned<Server>>>,
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
    let all = config.mcp_servers.span();
    let mut servers = config
        .mcp_servers
        .into_inner()
        .into_iter()
        .collect::<Vec<_>>();
    servers.sort_by_key(|(name, _)| name.span().start);
    let servers = servers.into_iter().map(|(name, server)| {
        let tables = [all.clone(), server.span()];
        let server = server.into_inner();
        let command = server.command.map(|program| {
            let list = server.args.as_ref().map(Spanned::span);
            let arguments = server.args.map(Spanned::into_inner).unwrap_or_default();
            let arguments = arguments.into_iter().map(placed).collect();
            let place = program.span().start;
            let is_in = |table: &Range<usize>| {
                table.contains(&place) && text.get(table.clone()).is_some_and(is_inline)
            };
            let between = between(text, place, tables.iter().any(is_in));
            Command::with_arguments(
                placed(program),
                list,
                arguments,
                between.unwrap_or_default(),
            )
        });
        (name.into_inner(), command)
    });
    Some(servers.collect())
}

/// Where the text stops being TOML, and why, if it does.
pub(super) fn mistake(text: &str) -> Option<String> {
    let error = toml::from_str::<toml::Table>(text).err()?;
    let before = text.get(..error.span()?.start)?;
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next()?.chars().count() + 1;
    let why = error.message().lines().collect::<Vec<_>>().join(" ");
    Some(format!(
        "the configuration is no TOML, nor JSON, which begins with a brace: {why} at line {line} \
         column {column}; correct it there"
    ))
}

fn is_inline(table: &str) -> bool {
    table.starts_with('{')
}

/// What introduces a list of arguments after the program: a key beside the program's own, which may
/// begin with those of the tables around it.
fn between(text: &str, program: usize, is_inline: bool) -> Option<String> {
    let before = text.get(..program)?.trim_end();
    let before = before.strip_suffix('=')?.trim_end();
    let spellings = ["command", "\"command\"", "'command'"];
    let before = spellings.iter().find_map(|key| before.strip_suffix(key))?;
    if is_inline {
        let tables = before.rsplit(['{', ',', '\n']).next()?;
        return Some(format!(", {}args = ", tables.trim_start()));
    }
    let tables = before.rsplit('\n').next()?;
    let line_end = match text.contains("\r\n") {
        true => "\r\n",
        false => "\n",
    };
    Some(format!("{line_end}{tables}args = "))
}

fn placed(word: Spanned<String>) -> (String, Range<usize>) {
    let span = word.span();
    (word.into_inner(), span)
}
