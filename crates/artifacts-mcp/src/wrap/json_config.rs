//! Configurations in JSON, with comments or without.

use std::ops::Range;

use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::command::Command;
use crate::json::{self, Members};

/// Every server with its command, if it is started by one, in the order of the file; `None` if no
/// list of servers is there.
pub(super) fn servers(text: &str) -> Option<Vec<(String, Option<Command>)>> {
    let plain = without_comments(text);
    let config = Members::parse(&plain)?;
    let mut lists = Vec::new();
    for name in LISTS {
        lists.extend(config.carried(name).and_then(Members::of));
    }
    if let Some(mcp) = config.carried("mcp").and_then(Members::of) {
        match mcp.carried("servers").and_then(Members::of) {
            Some(servers) => lists.push(servers),
            None => lists.push(mcp),
        }
    }
    // Claude Code keeps those of each folder.
    let projects = config.carried("projects").and_then(Members::of);
    for (_, project) in projects.unwrap_or_default().each() {
        let project = Members::of(project).unwrap_or_default();
        lists.extend(project.carried("mcpServers").and_then(Members::of));
    }
    if lists.is_empty() {
        return None;
    }
    let mut servers = Vec::new();
    for list in &lists {
        for (name, server) in list.each() {
            let command = Members::of(server).and_then(|server| command(&plain, &server));
            servers.push((name.to_owned(), command));
        }
    }
    Some(servers)
}

/// Where the text stops being JSON, and why, if it does.
pub(super) fn mistake(text: &str) -> Option<String> {
    let plain = without_comments(text);
    let error = serde_json::from_str::<IgnoredAny>(&plain).err()?;
    Some(format!(
        "the configuration is no JSON: {error}; correct it there"
    ))
}

/// The members in which clients list their servers.
const LISTS: [&str; 3] = ["mcpServers", "servers", "context_servers"];

fn command(plain: &str, server: &Members<'_>) -> Option<Command> {
    let command = server.carried("command")?;
    if let Some(program) = json::text_of(command) {
        let program = (program.into_owned(), place(plain, command)?);
        return with_arguments(plain, program, server);
    }
    if json::items(command).is_some() {
        return Command::of_list(place(plain, command)?, words(plain, command)?);
    }
    // An older form of Zed's.
    let command = Members::of(command)?;
    let path = command.carried("path")?;
    let program = (json::text_of(path)?.into_owned(), place(plain, path)?);
    with_arguments(plain, program, &command)
}

fn with_arguments(
    plain: &str,
    program: (String, Range<usize>),
    members: &Members<'_>,
) -> Option<Command> {
    let (list, arguments) = match members.carried("args") {
        None => (None, Vec::new()),
        Some(args) => (Some(place(plain, args)?), words(plain, args)?),
    };
    Some(Command::with_arguments(
        program,
        list,
        arguments,
        ", \"args\": ".to_owned(),
    ))
}

fn words(plain: &str, list: &RawValue) -> Option<Vec<(String, Range<usize>)>> {
    let word = |item: &RawValue| Some((json::text_of(item)?.into_owned(), place(plain, item)?));
    json::items(list)?.into_iter().map(word).collect()
}

/// Where in the text the value stands that was read out of it.
fn place(text: &str, value: &RawValue) -> Option<Range<usize>> {
    let start = value.get().as_ptr().addr();
    let start = start.checked_sub(text.as_ptr().addr())?;
    Some(start..start + value.get().len())
}

/// The same text as plain JSON, each byte in its place: comments, commas before a closing bracket
/// and a byte order mark become blanks.
fn without_comments(text: &str) -> String {
    let mut plain = text.as_bytes().to_vec();
    let mut blank = |range: Range<usize>| {
        for byte in plain.get_mut(range).unwrap_or_default() {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    };
    let bytes = text.as_bytes();
    let mut at = 0;
    if text.starts_with('\u{FEFF}') {
        at = '\u{FEFF}'.len_utf8();
        blank(0..at);
    }
    let mut comma = None;
    while let Some(rest) = text.as_bytes().get(at..).filter(|rest| !rest.is_empty()) {
        let length = match rest {
            [b'"', ..] => string_length(rest),
            [b'/', b'/', ..] => memchr::memchr(b'\n', rest).unwrap_or(rest.len()),
            [b'/', b'*', ..] => {
                let end = memchr::memmem::find(rest.get(2..).unwrap_or_default(), b"*/");
                end.map_or(rest.len(), |end| end + 4)
            }
            _ => 1,
        };
        match bytes.get(at) {
            Some(b'/') if length > 1 => blank(at..at + length),
            Some(b',') => comma = Some(at),
            Some(b']' | b'}') => {
                if let Some(comma) = comma.take() {
                    blank(comma..comma + 1);
                }
            }
            Some(byte) if byte.is_ascii_whitespace() => {}
            _ => comma = None,
        }
        at += length;
    }
    // Only whole comments were blanked.
    String::from_utf8(plain).unwrap_or_default()
}

/// How long the string is that begins here, with its quotes.
fn string_length(rest: &[u8]) -> usize {
    let mut is_escaped = false;
    for (index, byte) in rest.iter().enumerate().skip(1) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => return index + 1,
            _ => {}
        }
    }
    rest.len()
}
