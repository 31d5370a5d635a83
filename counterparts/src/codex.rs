//! The real Codex, with a model that calls the tools it is told to: `cargo xtask host codex`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::install;
use crate::model::{Model, Script};
use crate::paths;
use crate::surface::{lay_out, through_proxy};
use crate::tally::Tally;

pub(crate) fn run(tally: &mut Tally) {
    let (codex, node) = match (install::codex(), install::node()) {
        (Ok(codex), Ok(node)) => (codex, node),
        (Err(why), _) | (_, Err(why)) => return tally.skip("Codex", &why),
    };
    let session = Session::new(&codex, &node);
    let session = match session {
        Ok(session) => session,
        Err(why) => return tally.check("Codex", Err(why)),
    };
    tally.check("proxy", session.proxied());
    tally.check("hook on MCP", session.hooked());
    tally.check("hook on the shell", session.shell());
    tally.check("artifacts read in the agent's shell", session.read_back());
}

/// What the agent sent to the model in one run.
struct Session {
    folder: tempfile::TempDir,
    requests: Vec<Value>,
}

impl Session {
    fn new(codex: &Path, node: &install::Node) -> Result<Self, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let (home, shared) = (folder.path().join("home"), folder.path().join("shared"));
        lay_out(&shared)?;
        std::fs::create_dir_all(&home).map_err(|error| error.to_string())?;
        let model = Model::start(script(&shared))?;
        let plain = node.server_on("filesystem", &shared);
        let dir = folder.path().join("run.artifacts");
        let mut proxied = through_proxy(&dir, &plain);
        proxied.splice(2..2, ["--host".to_owned(), "codex".to_owned()]);
        let config = config(model.port, &proxied, &plain);
        let hooks = hooks(folder.path());
        std::fs::write(home.join("config.toml"), config)
            .and_then(|()| std::fs::write(home.join("hooks.json"), hooks.to_string()))
            .map_err(|error| error.to_string())?;
        let output = Command::new(codex)
            .args([
                "exec",
                "--skip-git-repo-check",
                "--dangerously-bypass-hook-trust",
            ])
            .args([
                "--dangerously-bypass-approvals-and-sandbox",
                "Read the file.",
            ])
            .current_dir(&shared)
            .env("CODEX_HOME", &home)
            .env("HOME", &home)
            .env("XDG_STATE_HOME", folder.path().join("state"))
            .env("MODEL_KEY", "none")
            .stdin(Stdio::null())
            .output()
            .map_err(|error| error.to_string())?;
        let requests = model.requests();
        if requests.len() < 5 {
            let errors = String::from_utf8_lossy(&output.stderr);
            return Err(format!("{} requests came: {errors}", requests.len()));
        }
        Ok(Self { folder, requests })
    }

    /// The text of the tool's result in the request after it.
    fn shown(&self, call: &str) -> Result<String, String> {
        let last = self.requests.last().ok_or("no request")?;
        output_of(last, call).ok_or_else(|| format!("no output of {call}: {last}"))
    }

    /// The excerpt and its marker are what the proxy said, and the file is whole.
    fn proxied(&self) -> Result<String, String> {
        let shown = self.shown("call_proxied")?;
        self.intact(&shown, &self.folder.path().join("run.artifacts"))
    }

    /// The hook replaced what the model sees by an excerpt.
    fn hooked(&self) -> Result<String, String> {
        self.intact(&self.shown("call_plain")?, &self.beside_transcript()?)
    }

    /// Of a shell's output the client hands the hook a part; the marker says that it is one.
    fn shell(&self) -> Result<String, String> {
        let shown = self.shown("call_shell")?;
        let (file, _) = named(&shown, "captured part: ")?;
        let stored = std::fs::read_to_string(self.beside_transcript()?.join(file));
        let stored = stored.map_err(|error| error.to_string())?;
        match shown.contains(" captured, total unknown)") && stored.contains("line 1999\n") {
            true => Ok(format!(
                "{} bytes shown of {} captured",
                shown.len(),
                stored.len()
            )),
            false => Err(format!("the client shows {shown:?}")),
        }
    }

    /// What the marker names can be read where the agent is, with no more than that name.
    fn read_back(&self) -> Result<String, String> {
        let shown = self.shown("call_read")?;
        match shown.contains("line 1000\nline 1001\n") {
            true => Ok("the lines it asked for".to_owned()),
            false => Err(format!("it answers {shown:?}")),
        }
    }

    /// Where the hook stores: beside the transcript that its input names.
    fn beside_transcript(&self) -> Result<PathBuf, String> {
        let input = std::fs::read_to_string(self.folder.path().join("hook.json"));
        let input = input.map_err(|error| format!("the hook was not called: {error}"))?;
        let input: Value = serde_json::from_str(&input).map_err(|error| error.to_string())?;
        let transcript = input["transcript_path"].as_str().ok_or("no transcript")?;
        Ok(Path::new(transcript).with_extension("artifacts"))
    }

    /// The excerpt is whole, and so is the artifact that it names.
    fn intact(&self, shown: &str, dir: &Path) -> Result<String, String> {
        let whole = std::fs::read_to_string(self.folder.path().join("shared/large.txt"));
        let whole = whole.map_err(|error| error.to_string())?;
        let (file, _) = named(shown, "full result: ")?;
        let stored = std::fs::read_to_string(dir.join(file)).map_err(|error| error.to_string())?;
        match stored == whole && shown.contains("line 0\n") && shown.ends_with("line 1999\n") {
            true => Ok(format!(
                "{} bytes shown of {}, the marker intact",
                shown.len(),
                stored.len()
            )),
            false => Err(format!("the client shows {shown:?}")),
        }
    }
}

/// The file that a marker names after these words, and what follows.
fn named<'a>(shown: &'a str, words: &str) -> Result<(&'a str, &'a str), String> {
    let named = shown
        .split_once(words)
        .and_then(|(_, rest)| rest.split_once(' '));
    named.ok_or_else(|| format!("no marker in {shown:?}"))
}

/// The text of a tool's result in a request.
fn output_of(request: &Value, call: &str) -> Option<String> {
    let mut items = request["input"].as_array()?.iter();
    let output =
        items.find(|item| item["type"] == "function_call_output" && item["call_id"] == call)?;
    let output = &output["output"];
    let parts = output.as_array().into_iter().flatten();
    let parts = parts.filter_map(|part| part["text"].as_str());
    Some(output.as_str().into_iter().chain(parts).collect())
}

/// A call of both servers and of the shell, then of `artifacts read` with the name in a marker.
fn script(shared: &Path) -> impl Script + use<> {
    let large = shared.join("large.txt");
    let read = json!({"path": large}).to_string();
    let shell = |command: &str| json!({"cmd": command}).to_string();
    let cat = shell(&format!("cat '{0}' '{0}'", large.display()));
    let artifacts = paths::artifacts().display().to_string();
    let (mut step, mut waited) = (0, 0);
    move |request| {
        // Servers are started beside the first requests.
        let is_there = |server: &str| {
            let mut tools = request["tools"].as_array().into_iter().flatten();
            tools.any(|tool| tool["name"] == server)
        };
        if !(is_there("mcp__proxied") && is_there("mcp__plain")) && waited < 50 {
            waited += 1;
            let id = format!("call_wait_{waited}");
            return Some(call(&id, None, "exec_command", &shell("sleep 0.2")));
        }
        step += 1;
        match step {
            1 => Some(call(
                "call_proxied",
                Some("mcp__proxied"),
                "read_text_file",
                &read,
            )),
            2 => Some(call(
                "call_plain",
                Some("mcp__plain"),
                "read_text_file",
                &read,
            )),
            3 => Some(call("call_shell", None, "exec_command", &cat)),
            4 => {
                let shown = output_of(request, "call_plain")?;
                let (file, _) = named(&shown, "full result: ").ok()?;
                let command = format!("'{artifacts}' read {file} --lines 1001:1002");
                Some(call("call_read", None, "exec_command", &shell(&command)))
            }
            _ => None,
        }
    }
}

fn call(id: &str, server: Option<&str>, tool: &str, arguments: &str) -> Value {
    let mut call = json!({
        "type": "function_call", "call_id": id, "name": tool, "arguments": arguments,
    });
    if let Some(server) = server {
        call["namespace"] = server.into();
    }
    call
}

/// Two servers that do the same, one of them behind the proxy.
fn config(port: u16, proxied: &[String], plain: &[String]) -> String {
    // A JSON string is a TOML string, and so is an array of them.
    let server = |name: &str, command: &[String]| {
        let (program, args) = command
            .split_first()
            .map_or(("", command), |(first, rest)| (first, rest));
        let (program, args) = (json!(program), json!(args));
        format!("[mcp_servers.{name}]\ncommand = {program}\nargs = {args}\n\n")
    };
    format!(
        "model = \"scripted\"\nmodel_provider = \"scripted\"\n\n\
         [features]\nenable_request_compression = false\n\n\
         [model_providers.scripted]\nname = \"scripted\"\nwire_api = \"responses\"\n\
         base_url = \"http://127.0.0.1:{port}/v1\"\nenv_key = \"MODEL_KEY\"\n\n{}{}",
        server("proxied", proxied),
        server("plain", plain),
    )
}

/// The hook of this repository, for the server without the proxy and for the shell. Its last
/// input is kept.
fn hooks(folder: &Path) -> Value {
    let artifacts = paths::artifacts();
    let command = format!(
        "tee '{}' | '{}' hook codex",
        folder.join("hook.json").display(),
        artifacts.display(),
    );
    let hook = json!({"type": "command", "command": command});
    json!({"hooks": {"PostToolUse": [{"matcher": "mcp__plain.*|Bash", "hooks": [hook]}]}})
}
