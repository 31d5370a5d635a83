//! A client's list of servers, rewritten so that each is reached through the proxy.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::value::RawValue;

use crate::json::{self, Members};
use crate::{Error, ErrorKind};

/// A client's configuration, as it would be rewritten.
///
/// Only the commands and their arguments change; every other byte stays.
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
    /// It goes through the proxy already, or doesn't when that is to be undone.
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
}

/// Puts `program mcp FLAGS --` before the command of every server in `text`.
///
/// # Errors
///
/// [`ErrorKind::Config`] if the text is no JSON object with `mcpServers` or `servers`.
pub fn wrap(text: &str, program: &str, flags: &[String]) -> Result<Rewritten, Error> {
    let mut prefixes = BTreeSet::new();
    rewrite(text, |name, command| {
        if through_proxy(command).is_some() {
            return None;
        }
        let mut line = vec![program.to_owned(), "mcp".to_owned()];
        line.extend(flags.iter().cloned());
        line.push("--tools-prefix".to_owned());
        line.push(prefix_of(name, &mut prefixes));
        line.push("--".to_owned());
        line.extend(command.iter().cloned());
        Some(line)
    })
}

/// Takes the proxy out of every server's command.
///
/// # Errors
///
/// As [`wrap`].
pub fn unwrap(text: &str) -> Result<Rewritten, Error> {
    rewrite(text, |_, command| {
        through_proxy(command).map(<[String]>::to_vec)
    })
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

/// So many characters of a server's name begin the names of its tools.
const MOST_PREFIX: usize = 20;

/// The server's own command, if it is started through the proxy.
fn through_proxy(command: &[String]) -> Option<&[String]> {
    let [program, subcommand, rest @ ..] = command else {
        return None;
    };
    let is_ours = Path::new(program)
        .file_stem()
        .is_some_and(|stem| stem == "artifacts");
    let dashes = rest.iter().position(|word| word == "--")?;
    let inner = rest.get(dashes + 1..).filter(|inner| !inner.is_empty())?;
    (is_ours && subcommand == "mcp").then_some(inner)
}

fn rewrite(
    text: &str,
    mut change: impl FnMut(&str, &[String]) -> Option<Vec<String>>,
) -> Result<Rewritten, Error> {
    let not_one = || {
        let message = "the configuration is no JSON object with mcpServers: name the client's file";
        Error::new(ErrorKind::Config, message)
    };
    let members = Members::parse(text).ok_or_else(not_one)?;
    let listed = ["mcpServers", "servers"];
    let listed = listed.iter().find_map(|name| members.carried(name));
    let listed = listed.and_then(Members::of).ok_or_else(not_one)?;

    let mut servers = Vec::new();
    let mut edits = Vec::new();
    for (name, server) in listed.each() {
        let change = match Members::of(server).as_ref().and_then(Command::of) {
            None => ServerChange::Remote,
            Some(command) => match change(name, &command.line) {
                None => ServerChange::Already,
                Some(line) => {
                    edits.extend(command.edits(text, &line));
                    ServerChange::Command(line)
                }
            },
        };
        servers.push((name.to_owned(), change));
    }
    edits.sort_by_key(|edit| edit.start);
    let mut rewritten = String::new();
    let mut done = 0;
    for edit in edits {
        rewritten.push_str(text.get(done..edit.start).unwrap_or_default());
        rewritten.push_str(&edit.text);
        done = edit.end;
    }
    rewritten.push_str(text.get(done..).unwrap_or_default());
    Ok(Rewritten {
        text: rewritten,
        servers,
    })
}

/// How a server is started, with the places where that is written.
struct Command<'a> {
    command: &'a RawValue,
    args: Option<&'a RawValue>,
    line: Vec<String>,
}

/// A piece of the text to replace.
struct Edit {
    start: usize,
    end: usize,
    text: String,
}

impl<'a> Command<'a> {
    fn of(server: &Members<'a>) -> Option<Self> {
        let command = server.carried("command")?;
        let args = server.carried("args");
        let mut line = vec![json::text_of(command)?.into_owned()];
        for arg in args.map_or(Some(Vec::new()), json::items)? {
            line.push(json::text_of(arg)?.into_owned());
        }
        Some(Self {
            command,
            args,
            line,
        })
    }

    fn edits(&self, text: &str, line: &[String]) -> Vec<Edit> {
        let (program, args) = line
            .split_first()
            .map_or(("", line), |(first, rest)| (first, rest));
        let args = args.iter().map(|arg| json::string(arg).get().to_owned());
        let args = format!("[{}]", args.collect::<Vec<_>>().join(", "));
        let command = json::string(program).get().to_owned();
        match self.args {
            Some(place) => vec![edit(text, self.command, command), edit(text, place, args)],
            None => vec![edit(
                text,
                self.command,
                format!("{command}, \"args\": {args}"),
            )],
        }
    }
}

/// Where in `text` the value stands that was read out of it.
fn edit(text: &str, place: &RawValue, with: String) -> Edit {
    let start = place
        .get()
        .as_ptr()
        .addr()
        .saturating_sub(text.as_ptr().addr());
    Edit {
        start,
        end: start + place.get().len(),
        text: with,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONFIG: &str = r#"{
  "theme" : "dark",
  "mcpServers": {
    "files": {
      "command": "npx",
      "args": ["-y", "server-filesystem", "a \"b\""],
      "env": {"K": "v"}
    },
    "plain": {"command": "/opt/server"},
    "remote": {"type": "http", "url": "https://example.org/mcp"},
    "done": {"command": "/usr/bin/artifacts", "args": ["mcp", "--", "other"]}
  },
  "n": 1.0
}
"#;

    #[test]
    fn only_commands_and_arguments_change() {
        let wrapped = wrap(CONFIG, "artifacts", &[]).unwrap();
        insta::assert_snapshot!("wrapped", wrapped.text());
        let changes = wrapped
            .servers()
            .iter()
            .map(|(name, change)| format!("{name}: {change:?}"));
        insta::assert_snapshot!("wrapped_servers", changes.collect::<Vec<_>>().join("\n"));
    }

    #[test]
    fn wrapping_twice_changes_nothing_more() {
        let once = wrap(CONFIG, "artifacts", &[]).unwrap();
        let twice = wrap(once.text(), "artifacts", &[]).unwrap();
        assert!(once.is_changed() && !twice.is_changed());
        assert_eq!(twice.text(), once.text());
    }

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
    fn unwrapping_starts_the_servers_themselves() {
        let wrapped = wrap(CONFIG, "artifacts", &["--limit".into(), "5000".into()]).unwrap();
        let unwrapped = unwrap(wrapped.text()).unwrap();
        let expected = CONFIG
            .replace(
                "\"command\": \"/opt/server\"",
                "\"command\": \"/opt/server\", \"args\": []",
            )
            .replace(
                "\"/usr/bin/artifacts\", \"args\": [\"mcp\", \"--\", \"other\"]",
                "\"other\", \"args\": []",
            );
        assert_eq!(unwrapped.text(), expected);
    }

    #[test]
    fn anything_else_is_refused() {
        for text in ["", "[]", "{}", r#"{"mcpServers": []}"#, "// {}"] {
            let error = wrap(text, "artifacts", &[]).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Config, "{text}");
        }
    }
}
