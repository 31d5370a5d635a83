//! An MCP client that keeps every line it sent and got.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use serde_json::{Value, json};

/// A client and the server it started.
#[derive(Debug)]
pub(crate) struct Peer {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<Vec<u8>>,
    pub(crate) sent: Vec<String>,
    pub(crate) got: Vec<String>,
    requests: u64,
}

impl Peer {
    /// Starts the server with an environment of its own, so that it says the same everywhere.
    pub(crate) fn start(command: &[String], environment: &[(&str, &str)]) -> Result<Self, String> {
        let (program, args) = command.split_first().ok_or("no command")?;
        let mut child = Command::new(program)
            .args(args)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .envs(environment.iter().copied())
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("{program} can't be started: {error}"))?;
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().ok_or("no output")?;
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            let mut reader = BufReader::new(stdout);
            loop {
                let mut line = Vec::new();
                let is_whole = reader
                    .read_until(b'\n', &mut line)
                    .is_ok_and(|_| line.ends_with(b"\n"));
                // A line without its end is not said: its writer was stopped.
                if !is_whole || sender.send(line).is_err() {
                    return;
                }
            }
        });
        Ok(Self {
            child,
            stdin,
            lines,
            sent: Vec::new(),
            got: Vec::new(),
            requests: 0,
        })
    }

    /// Opens the session, as a client that can do everything.
    pub(crate) fn initialize(&mut self) -> Result<Value, String> {
        let params = json!({
            "protocolVersion": "2025-11-25",
            "clientInfo": {"name": "counterparts", "version": "1"},
            "capabilities": {
                "sampling": {},
                "elicitation": {"form": {}, "url": {}},
                "roots": {"listChanged": true},
                "tasks": {
                    "list": {}, "cancel": {},
                    "requests": {"sampling": {"createMessage": {}}, "elicitation": {"create": {}}},
                },
            },
        });
        let answer = self.request("initialize", &params)?;
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(answer)
    }

    /// The answer to a request, whole. What the server asks meanwhile is answered.
    pub(crate) fn request(&mut self, method: &str, params: &Value) -> Result<Value, String> {
        let id = self.ask(method, params)?;
        loop {
            let message = self
                .next(PATIENCE)
                .and_then(|message| message.ok_or(ENDED.to_owned()));
            let message = message.map_err(|why| format!("{method} {params}: {why}"))?;
            if message.get("method").is_none() && message["id"] == id {
                return Ok(message);
            }
        }
    }

    /// Sends a request and returns its id.
    pub(crate) fn ask(&mut self, method: &str, params: &Value) -> Result<u64, String> {
        self.requests += 1;
        let id = self.requests;
        let mut request = json!({"jsonrpc": "2.0", "id": id, "method": method});
        if !params.is_null() {
            request["params"] = params.clone();
        }
        self.send(&request).map(|()| id)
    }

    /// The next message, after what the server asked was answered; `None` at the end.
    pub(crate) fn next(&mut self, patience: Duration) -> Result<Option<Value>, String> {
        let line = match self.lines.recv_timeout(patience) {
            Ok(line) => line,
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
            Err(RecvTimeoutError::Timeout) => return Err("no answer came".to_owned()),
        };
        let line = String::from_utf8(line).map_err(|error| error.to_string())?;
        let message = serde_json::from_str::<Value>(&line).map_err(|error| error.to_string())?;
        self.got.push(line);
        if let (Some(method), Some(id)) = (message["method"].as_str(), message.get("id")) {
            let result = said(method, &message["params"]);
            self.send(&json!({"jsonrpc": "2.0", "id": id, "result": result}))?;
        }
        Ok(Some(message))
    }

    pub(crate) fn send(&mut self, message: &Value) -> Result<(), String> {
        let line = format!("{message}\n");
        let stdin = self.stdin.as_mut().ok_or("the input is closed")?;
        stdin
            .write_all(line.as_bytes())
            .map_err(|error| error.to_string())?;
        self.sent.push(line);
        Ok(())
    }

    /// Ends the process, and no other, without warning; what it wrote before can still be read.
    pub(crate) fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Closes the input and reads what is still said. Some servers stay; the proxy ends them, and
    /// where there is none, this does.
    pub(crate) fn close(mut self) -> Closed {
        self.stdin = None;
        while self.next(STAYS).is_ok_and(|message| message.is_some()) {}
        Closed {
            sent: std::mem::take(&mut self.sent),
            got: std::mem::take(&mut self.got),
        }
    }
}

/// What was said in a session that is over.
#[derive(Debug)]
pub(crate) struct Closed {
    pub(crate) sent: Vec<String>,
    pub(crate) got: Vec<String>,
}

impl Drop for Peer {
    fn drop(&mut self) {
        // The server and what it was started with: they are one process group.
        let group = format!("-{}", self.child.id());
        let mut command = Command::new("kill");
        command.args(["-KILL", "--", &group]).stderr(Stdio::null());
        let _ = command.status();
        self.kill();
    }
}

/// What this client answers to a server.
fn said(method: &str, params: &Value) -> Value {
    let message = json!({
        "role": "assistant", "model": "none", "stopReason": "endTurn",
        "content": {"type": "text", "text": "Because."},
    });
    let accepted = json!({"action": "accept", "content": {"name": "Ada", "interpretation": "x"}});
    let task = json!({
        "taskId": "of-the-client", "status": "working", "ttl": 60000, "pollInterval": 50,
        "createdAt": "2026-01-01T00:00:00Z", "lastUpdatedAt": "2026-01-01T00:00:00Z",
    });
    match method {
        "sampling/createMessage" | "elicitation/create" if params.get("task").is_some() => {
            json!({"task": task})
        }
        "sampling/createMessage" | "tasks/result" => message,
        "elicitation/create" => accepted,
        "tasks/get" => {
            let mut done = task;
            done["status"] = "completed".into();
            done
        }
        "roots/list" => json!({"roots": [{"uri": "file:///a", "name": "a"}]}),
        _ => json!({}),
    }
}

/// How long an answer may take.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// How long a server that stays may be silent before its session counts as over.
const STAYS: Duration = Duration::from_secs(4);

const ENDED: &str = "the server closed its output";
