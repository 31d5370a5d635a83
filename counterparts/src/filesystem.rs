//! Large files and many calls, through `server-filesystem`.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::install::Node;
use crate::peer::{PATIENCE, Peer};
use crate::same::META_KEY;
use crate::surface::through_proxy;
use crate::tally::Tally;

pub(crate) fn run(tally: &mut Tally, node: &Node) {
    tally.check("a file of 5 MB", large(node));
    tally.check("1,000 calls at once", many(node));
}

/// A folder with files, and what was settled of them.
pub(crate) struct Files {
    folder: tempfile::TempDir,
    command: Vec<String>,
}

impl Files {
    pub(crate) fn new(node: &Node) -> Result<Self, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let shared = folder.path().join("shared");
        std::fs::create_dir_all(&shared).map_err(|error| error.to_string())?;
        let server = node.server_on("filesystem", &shared);
        let command = through_proxy(&folder.path().join("run.artifacts"), &server);
        Ok(Self { folder, command })
    }

    /// A session through the proxy, opened.
    pub(crate) fn session(&self) -> Result<Peer, String> {
        let mut peer = Peer::start(&self.command, &[])?;
        peer.initialize()?;
        peer.request("tools/list", &Value::Null)?;
        Ok(peer)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("shared").join(name)
    }

    pub(crate) fn put(&self, name: &str, text: &str) -> Result<(), String> {
        std::fs::write(self.path(name), text).map_err(|error| error.to_string())
    }

    /// The parameters of a call that reads a file.
    pub(crate) fn read(&self, name: &str) -> Value {
        call("read_text_file", &json!({"path": self.path(name)}))
    }
}

/// The parameters of a call.
pub(crate) fn call(tool: &str, arguments: &Value) -> Value {
    json!({"name": tool, "arguments": arguments})
}

/// The text of a result.
pub(crate) fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"]
        .as_str()
        .unwrap_or_default()
}

/// The artifact of a result.
pub(crate) fn artifact(answer: &Value) -> Option<&str> {
    answer["result"]["_meta"][META_KEY]["file"].as_str()
}

/// Its middle is found with the retrieval tools alone, as a model would: what it knows is the
/// excerpt, and each answer is within the limit.
fn large(node: &Node) -> Result<String, String> {
    let files = Files::new(node)?;
    let needle = "the valve of pump 17 stuck at 04:12";
    let mut log: String = (0..100_000)
        .map(|line| format!("{line:06} nothing happened, and was written down at length\n"))
        .collect();
    log.insert_str(log.len() / 2, &format!("{needle}\n"));
    files.put("log.txt", &log)?;
    let mut peer = files.session()?;
    let answer = peer.request("tools/call", &files.read("log.txt"))?;
    let name = artifact(&answer)
        .ok_or("the file was not settled")?
        .to_owned();
    if text(&answer).contains(needle) {
        return Err("the middle was shown".to_owned());
    }

    let arguments = json!({"name": name, "pattern": "valve .* stuck"});
    let found = peer.request("tools/call", &call("search_artifact", &arguments))?;
    let arguments = json!({"name": name, "question": "Which valve stuck?"});
    let expanded = peer.request("tools/call", &call("expand_artifact", &arguments))?;
    let line = log.lines().position(|line| line == needle).unwrap_or(0) + 1;
    let lines = format!("{}-{}", line - 1, line + 1);
    let arguments = json!({"name": name, "lines": lines});
    let read = peer.request("tools/call", &call("read_artifact", &arguments))?;
    for (tool, answer) in [("search", &found), ("expand", &expanded), ("read", &read)] {
        let shown = text(answer);
        if !shown.contains(needle) || shown.chars().count() > 8_000 {
            return Err(format!("{tool}_artifact answers {shown:?}"));
        }
    }

    let uri = format!("artifact://{name}?whole");
    let whole = peer.request("resources/read", &json!({"uri": uri}))?;
    drop(peer.close());
    match whole["result"]["contents"][0]["text"] == log.as_str() {
        true => Ok(format!("{} bytes stored, its middle found", log.len())),
        false => Err("the artifact is not the file".to_owned()),
    }
}

/// Every second file is over the limit.
fn many(node: &Node) -> Result<String, String> {
    let files = Files::new(node)?;
    let body = |number: usize| match number % 2 {
        0 => format!("file {number}\n"),
        _ => format!("line of file {number}\n").repeat(700),
    };
    for number in 0..CALLS {
        files.put(&number.to_string(), &body(number))?;
    }
    let mut peer = files.session()?;
    let first = peer.ask("tools/call", &files.read("0"))?;
    for number in 1..CALLS {
        peer.ask("tools/call", &files.read(&number.to_string()))?;
    }
    let mut stored = 0;
    for _ in 0..CALLS {
        let answer = peer.next(PATIENCE)?.ok_or("the server ended")?;
        let id = answer["id"].as_u64().ok_or("an answer without an id")?;
        let number = usize::try_from(id - first).map_err(|error| error.to_string())?;
        let whole = body(number);
        match artifact(&answer) {
            Some(file) if has(&files, file, &whole) => stored += 1,
            None if text(&answer) == whole => {}
            _ => return Err(format!("file {number} was answered by {answer}")),
        }
    }
    drop(peer.close());
    match stored == CALLS / 2 {
        true => Ok(format!("{CALLS} answered, {stored} of them stored")),
        false => Err(format!("{stored} were stored")),
    }
}

/// Whether the artifact is this text.
fn has(files: &Files, file: &str, text: &str) -> bool {
    let dir: &Path = files.folder.path();
    std::fs::read(dir.join("run.artifacts").join(file))
        .is_ok_and(|stored| stored == text.as_bytes())
}

const CALLS: usize = 1_000;
