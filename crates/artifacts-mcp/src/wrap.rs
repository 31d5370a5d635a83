//! A client's list of servers, rewritten so that each is reached through the proxy.

mod command;
mod flags;
mod json_config;
mod toml_config;

use std::collections::BTreeSet;
use std::path::Path;

use self::command::Command;
use crate::{Error, ErrorKind};

/// A client's configuration, as it would be rewritten.
///
/// Only the commands and their arguments change; every other byte stays, comments included.
///
/// ```
/// use artifacts_mcp::{ServerChange, wrap};
///
/// let text = r#"{"mcpServers": {"files": {"command": "npx", "args": ["server", "."]}}}"#;
/// let wrapped = wrap(text, "artifacts", &["--host".into(), "codex".into()])?;
/// assert_eq!(
///     wrapped.text(),
///     r#"{"mcpServers": {"files": {"command": "artifacts", "args": ["mcp", "--host", "codex", "--tools-prefix", "files_", "--", "npx", "server", "."]}}}"#,
/// );
/// assert_eq!(artifacts_mcp::unwrap(wrapped.text())?.text(), text);
/// # Ok::<(), artifacts_mcp::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rewritten {
    text: String,
    servers: Vec<(String, ServerChange)>,
}

/// What becomes of one server.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ServerChange {
    /// Its command line becomes this one.
    Command(Vec<String>),
    /// It goes through the proxy already, with these flags, or doesn't when that is to be undone.
    Already,
    /// It is no command: it is reached over the network.
    Remote,
}

impl Rewritten {
    /// The configuration's text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Each server with what becomes of it, in the order of the file.
    #[must_use]
    pub fn servers(&self) -> &[(String, ServerChange)] {
        &self.servers
    }

    /// Whether the text differs from what it was.
    #[must_use]
    pub fn is_changed(&self) -> bool {
        let is_change =
            |(_, change): &(String, ServerChange)| matches!(change, ServerChange::Command(_));
        self.servers.iter().any(is_change)
    }

    /// The first server whose command the text doesn't say as it should.
    fn unsaid(&self) -> Option<&str> {
        let said = commands(&self.text).unwrap_or_default();
        let mut said = said
            .iter()
            .map(|(name, command)| (name, command.as_ref().map(Command::line)));
        let is_unsaid = |(name, change): &&(String, ServerChange)| match (said.next(), change) {
            (Some((said, Some(line))), ServerChange::Command(promised)) => {
                said != name || line != promised
            }
            (Some((said, _)), _) => said != name,
            (None, _) => true,
        };
        let unsaid = self.servers.iter().find(is_unsaid);
        unsaid.map(|(name, _)| name.as_str())
    }
}

/// Puts `program mcp FLAGS --` before the command of every server in `text`. One that goes through
/// the proxy already gets those of the `flags` that it has not, in the place of what they were.
///
/// Read are JSON, with comments or without, and TOML: `mcpServers` (Claude, Cursor, Gemini and
/// others, also by project), `servers` (VS Code, also below `mcp`), `context_servers` (Zed), `mcp`
/// (`OpenCode`) and `mcp_servers` (Codex).
///
/// # Errors
///
/// [`ErrorKind::Config`] if the text is none of these, with the line where it stops being one.
pub fn wrap(text: &str, program: &str, flags: &[String]) -> Result<Rewritten, Error> {
    let mut prefixes = BTreeSet::new();
    rewrite(text, |_, command| {
        prefixes.extend(prefix_in(command).cloned());
        None
    })?;
    rewrite(text, |name, command| {
        if own_command(command).is_some() {
            return flags::given(command, flags);
        }
        let mut before = vec![program.to_owned(), "mcp".to_owned()];
        before.extend(flags.iter().cloned());
        before.push(PREFIX_FLAG.to_owned());
        before.push(prefix_of(name, &mut prefixes));
        before.push("--".to_owned());
        Some(Change::Before(before))
    })
}

/// Takes the proxy out of every server's command.
///
/// # Errors
///
/// As [`wrap`].
pub fn unwrap(text: &str) -> Result<Rewritten, Error> {
    rewrite(text, |_, command| own_command(command).map(Change::From))
}

/// What happens to a command line.
enum Change {
    /// These words come before it.
    Before(Vec<String>),
    /// It begins with its word of this number.
    From(usize),
    /// Its words of these numbers become these, and the others come before its third.
    Words(Vec<(usize, String)>, Vec<String>),
}

/// What the names of a server's added tools begin with: clients that keep the tools of all servers
/// in one list refuse a name that is there twice.
fn prefix_of(server: &str, taken: &mut BTreeSet<String>) -> String {
    let plain = |c: char| match c.is_ascii_alphanumeric() {
        true => c,
        false => '_',
    };
    let name = server.chars().take(MOST_PREFIX).map(plain);
    let name = name.collect::<String>();
    let mut prefix = format!("{name}_");
    for number in 2.. {
        if taken.insert(prefix.clone()) {
            break;
        }
        prefix = format!("{name}{number}_");
    }
    prefix
}

/// The prefix in a command line that goes through the proxy.
fn prefix_in(line: &[String]) -> Option<&String> {
    let flags = line.get(..own_command(line)?)?;
    let flag = flags.iter().position(|word| word == PREFIX_FLAG)?;
    flags.get(flag + 1)
}

const PREFIX_FLAG: &str = "--tools-prefix";

/// So many characters of a server's name begin the names of its tools.
const MOST_PREFIX: usize = 20;

/// Where in a command line that goes through the proxy, however often, the server's own begins.
fn own_command(line: &[String]) -> Option<usize> {
    let mut own = None;
    let mut rest = line;
    while let [program, subcommand, flags @ ..] = rest {
        let is_ours = Path::new(program)
            .file_stem()
            .is_some_and(|stem| stem == "artifacts");
        let dashes = flags.iter().position(|word| word == "--");
        let inner = dashes.and_then(|dashes| flags.get(dashes + 1..));
        match inner {
            Some(inner @ [_, ..]) if is_ours && subcommand == "mcp" => rest = inner,
            _ => break,
        }
        own = line.len().checked_sub(rest.len());
    }
    own
}

fn rewrite(
    text: &str,
    mut change: impl FnMut(&str, &[String]) -> Option<Change>,
) -> Result<Rewritten, Error> {
    let found = commands(text).ok_or_else(|| refused(text))?;
    let mut servers = Vec::new();
    let mut edits = Vec::new();
    for (name, command) in found {
        let became = match &command {
            None => ServerChange::Remote,
            Some(command) => match change(&name, command.line()) {
                None => ServerChange::Already,
                Some(Change::Before(before)) => {
                    edits.extend(command.putting_before(text, &before));
                    ServerChange::Command([&before, command.line()].concat())
                }
                Some(Change::From(start)) => {
                    edits.extend(command.beginning_at(text, start));
                    let line = command.line().get(start..).unwrap_or_default();
                    ServerChange::Command(line.to_vec())
                }
                Some(Change::Words(words, before)) => {
                    edits.extend(command.with_words(&words, &before));
                    let mut line = command.line().to_vec();
                    for (number, word) in words {
                        line.get_mut(number)
                            .into_iter()
                            .for_each(|place| *place = word.clone());
                    }
                    line.splice(flags::FIRST..flags::FIRST, before);
                    ServerChange::Command(line)
                }
            },
        };
        servers.push((name, became));
    }
    let rewritten = Rewritten {
        text: command::edited(text, edits),
        servers,
    };
    match rewritten.unsaid() {
        None => Ok(rewritten),
        Some(server) => Err(Error::new(
            ErrorKind::Config,
            format!(
                "the command of {server:?} is written in a way that can't be changed: rewrite it by hand"
            ),
        )),
    }
}

/// Every server with its command, if it is started by one.
fn commands(text: &str) -> Option<Vec<(String, Option<Command>)>> {
    match is_json(text) {
        true => json_config::servers(text),
        false => toml_config::servers(text),
    }
}

/// Whether it begins as only JSON does, or with a comment of its kind.
fn is_json(text: &str) -> bool {
    let start = text.trim_start_matches('\u{FEFF}').trim_start();
    start.starts_with(['{', '/'])
}

/// Why there are no servers in the text.
fn refused(text: &str) -> Error {
    let mistake = match is_json(text) {
        true => json_config::mistake(text),
        // A list is JSON as well, but none that could be meant.
        false if json_config::mistake(text).is_none() => None,
        false => toml_config::mistake(text),
    };
    let message = mistake.unwrap_or_else(|| {
        "no list of MCP servers is in the configuration: name the client's file, \
         JSON with mcpServers, servers or context_servers, or TOML with mcp_servers"
            .to_owned()
    });
    Error::new(ErrorKind::Config, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_servers_have_tools_of_one_name() {
        let mut taken = BTreeSet::new();
        let mut prefix = |name: &str| prefix_of(name, &mut taken);
        assert_eq!(prefix("files"), "files_");
        assert_eq!(
            (prefix("my files"), prefix("my.files")),
            ("my_files_".into(), "my_files2_".into())
        );
        assert_eq!(prefix(""), "_");
        assert!(prefix(&"long".repeat(30)).len() <= 21);
    }

    #[test]
    fn the_servers_own_command_is_found_however_often_it_is_wrapped() {
        let own = |line: &str| {
            let line = line.split(' ').map(str::to_owned).collect::<Vec<_>>();
            own_command(&line)
        };
        assert_eq!(own("npx -y server"), None);
        assert_eq!(own("artifacts mcp wrap x"), None);
        assert_eq!(own("artifacts mcp --"), None);
        assert_eq!(own("/usr/bin/artifacts mcp --limit 5 -- npx -- x"), Some(5));
        assert_eq!(own("artifacts mcp -- artifacts mcp -- npx x"), Some(6));
        assert_eq!(own("artifacts mcp -- artifacts serve"), Some(3));
    }
}
