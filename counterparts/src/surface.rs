//! All that two servers offer, asked directly and through the proxy.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use crate::install::Node;
use crate::paths;
use crate::peer::Peer;
use crate::same::{META_KEY, Steady, is_edited, is_ours, without_ours};
use crate::tally::Tally;
use crate::walk::{Answer, Walk, requests, walk};

pub(crate) fn run(tally: &mut Tally, node: &Node) {
    for server in ["everything", "filesystem"] {
        match Sessions::of(node, server) {
            Ok(sessions) => {
                tally.check(&format!("{server}: covered"), sessions.covered());
                tally.check(&format!("{server}: answers"), sessions.answers());
                tally.check(&format!("{server}: unasked"), sessions.unasked());
                tally.check(&format!("{server}: lines up"), sessions.lines_up());
                tally.check(&format!("{server}: lines down"), sessions.lines_down());
            }
            Err(why) => tally.check(server, Err(why)),
        }
    }
}

/// A folder with what the requests for `filesystem` name. It has the same path each time, so that
/// the server says the same.
pub(crate) fn lay_out(folder: &Path) -> Result<(), String> {
    let dot = [0x89, b'P', b'N', b'G', 0x0D, 0x0A, 0x1A, 0x0A];
    let large: String = (0..2_000).map(|line| format!("line {line}\n")).collect();
    let _ = std::fs::remove_dir_all(folder);
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(folder.join("dot.png"), dot))
        .and_then(|()| std::fs::write(folder.join("large.txt"), large))
        .map_err(|error| error.to_string())
}

/// The command with the proxy before it.
pub(crate) fn through_proxy(dir: &Path, server: &[String]) -> Vec<String> {
    let words = ["mcp", "--dir", &dir.to_string_lossy(), "--"].map(str::to_owned);
    let proxy = paths::artifacts().to_string_lossy().into_owned();
    let command = std::iter::once(proxy).chain(words);
    command.chain(server.iter().cloned()).collect()
}

/// The same walk twice. In the second the server's own input and output are kept as well.
struct Sessions {
    direct: Walk,
    proxied: Walk,
    /// What came to the server, and what left it.
    server_got: Vec<String>,
    server_said: Vec<String>,
    folder: tempfile::TempDir,
}

impl Sessions {
    fn of(node: &Node, server: &str) -> Result<Self, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let shared = folder.path().join("shared");
        let requests = requests(server, &shared.to_string_lossy())?;
        let shared = shared.to_string_lossy().into_owned();
        let command = node.server_on(server, Path::new(&shared));
        let filler = "filler ".repeat(2_000);
        let environment = [("HOME", "/nowhere"), ("FILLER", filler.as_str())];

        let noted = |name: &str| folder.path().join(name);
        let go = |name: &str, proxied: bool| {
            lay_out(Path::new(&shared))?;
            let command = noted_command(&noted(name), &command);
            let command = match proxied {
                true => through_proxy(&noted("run.artifacts"), &command),
                false => command,
            };
            walk(Peer::start(&command, &environment)?, &requests)
        };
        let direct = go("direct", false).map_err(|why| format!("directly: {why}"))?;
        let proxied = go("proxied", true).map_err(|why| format!("through the proxy: {why}"))?;
        Ok(Self {
            direct,
            proxied,
            server_got: lines(&noted("proxied.got"))?,
            server_said: lines(&noted("proxied.said"))?,
            folder,
        })
    }

    /// Every tool and prompt that the server lists is among those asked.
    fn covered(&self) -> Result<String, String> {
        let mut listed = 0;
        for (list, items, method) in [
            ("tools/list", "tools", "tools/call"),
            ("prompts/list", "prompts", "prompts/get"),
        ] {
            let answers = || self.direct.answers.iter();
            for page in answers().filter(|answer| answer.method == list) {
                for item in page.message["result"][items]
                    .as_array()
                    .into_iter()
                    .flatten()
                {
                    let name = item["name"].as_str().unwrap_or_default();
                    let is_asked = |answer: &Answer| answer.method == method && answer.name == name;
                    if !answers().any(is_asked) {
                        return Err(format!("requests.json has no {method} of {name}"));
                    }
                    listed += 1;
                }
            }
        }
        Ok(format!("{listed} tools and prompts, each asked"))
    }

    /// Each answer is the same, but for what is over the limit.
    fn answers(&self) -> Result<String, String> {
        let steady = Steady::new()?;
        let (direct, proxied) = (&self.direct.answers, &self.proxied.answers);
        if direct.len() != proxied.len() {
            return Err(format!("{} answers, not {}", proxied.len(), direct.len()));
        }
        let mut settled = 0;
        for (direct, proxied) in direct.iter().zip(proxied) {
            let what = format!("{} {}", direct.method, direct.name);
            if direct.is_over {
                self.settled(direct, proxied)
                    .map_err(|why| format!("{what}: {why}"))?;
                settled += 1;
                continue;
            }
            let [direct, proxied] = [direct, proxied].map(|answer| {
                let mut message = steady.value(&answer.message);
                without_ours(&answer.method, &mut message);
                message
            });
            if direct != proxied {
                return Err(format!(
                    "{what}:\n  directly {direct}\n  proxied  {proxied}"
                ));
            }
        }
        let added = self
            .proxied
            .answers
            .iter()
            .filter(|answer| answer.method == "tools/list");
        let added = added.flat_map(|answer| answer.message["result"]["tools"].as_array());
        let added = added.flatten().filter_map(|tool| tool["name"].as_str());
        match added.filter(|name| is_ours(name)).count() {
            ADDED_TOOLS => Ok(format!(
                "{} the same, {settled} settled",
                direct.len() - settled
            )),
            other => Err(format!("{other} tools were added")),
        }
    }

    /// The text is an excerpt; the artifact is what the server said directly.
    fn settled(&self, direct: &Answer, proxied: &Answer) -> Result<(), String> {
        let (direct, proxied) = (&direct.message["result"], &proxied.message["result"]);
        let whole = direct["content"][0]["text"].as_str().unwrap_or_default();
        let shown = proxied["content"][0]["text"].as_str().unwrap_or_default();
        let file = proxied["_meta"][META_KEY]["file"].as_str();
        let file = file.ok_or("it was not settled")?;
        let stored = std::fs::read(self.folder.path().join("run.artifacts").join(file));
        let stored = stored.map_err(|error| error.to_string())?;
        if stored != whole.as_bytes() {
            return Err(format!("{file} is not what the server said"));
        }
        let is_excerpt = shown.contains(&format!("full result: {file} sha256 "));
        match is_excerpt && shown.len() < STRICTEST_CAP {
            true if proxied.get("structuredContent").is_none() => Ok(()),
            true => Err("structuredContent hides the excerpt".to_owned()),
            false => Err(format!("{} bytes were shown", shown.len())),
        }
    }

    /// Notifications, and what the server asked: the same kinds of each, as often.
    fn unasked(&self) -> Result<String, String> {
        let counted = |walk: &Walk| {
            let mut counts = BTreeMap::<String, u64>::new();
            for message in &walk.unasked {
                let method = message["method"].as_str().unwrap_or_default();
                *counts.entry(method.to_owned()).or_default() += 1;
            }
            // Its level and moment are chance, and whether it comes before the end.
            counts.remove("notifications/message");
            counts
        };
        let (direct, proxied) = (counted(&self.direct), counted(&self.proxied));
        match direct == proxied {
            true => Ok(format!(
                "{} of {} kinds",
                self.proxied.unasked.len(),
                direct.len()
            )),
            false => Err(format!("directly {direct:?}, proxied {proxied:?}")),
        }
    }

    /// What the client said came to the server byte for byte, but for what the proxy answered.
    fn lines_up(&self) -> Result<String, String> {
        let sent = &self.proxied.closed.sent;
        match *sent == self.server_got {
            true => Ok(format!("{} lines, byte for byte", sent.len())),
            false => Err("the server got other lines than the client sent".to_owned()),
        }
    }

    /// What the server said came to the client byte for byte, but for the answers that the proxy
    /// is documented to edit.
    fn lines_down(&self) -> Result<String, String> {
        let mut left = BTreeMap::<&str, i64>::new();
        for line in &self.server_said {
            *left.entry(line).or_default() += 1;
        }
        for line in &self.proxied.closed.got {
            *left.entry(line).or_default() -= 1;
        }
        let may_differ = |id: &Value| {
            let mut answers = self.proxied.answers.iter();
            answers.any(|answer| {
                answer.message["id"] == *id && (is_edited(&answer.method) || answer.is_over)
            })
        };
        let mut edited = 0;
        for (line, _) in left.into_iter().filter(|(_, count)| *count != 0) {
            let message = serde_json::from_str::<Value>(line).unwrap_or(json!({}));
            if message.get("method").is_some() || !may_differ(&message["id"]) {
                return Err(format!(
                    "this line is only on one side: {}",
                    line.trim_end()
                ));
            }
            edited += 1;
        }
        let same = self.server_said.len() - edited / 2;
        Ok(format!("{same} lines byte for byte, {} edited", edited / 2))
    }
}

/// The server's command with its input and its output kept in files.
fn noted_command(name: &Path, command: &[String]) -> Vec<String> {
    let name = name.to_string_lossy();
    let script = format!("tee '{name}.got' | \"$@\" | tee '{name}.said'");
    let words = ["sh", "-c", &script, "sh"].map(str::to_owned);
    words.into_iter().chain(command.iter().cloned()).collect()
}

fn lines(path: &Path) -> Result<Vec<String>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    Ok(text.split_inclusive('\n').map(str::to_owned).collect())
}

/// What the strictest known client cuts a result to, in bytes.
const STRICTEST_CAP: usize = 10_000;

/// Of SPEC 6.1, those that the proxy answers.
const ADDED_TOOLS: usize = 6;
