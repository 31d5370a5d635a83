//! A proxy without a server: lines in, lines out.

use std::path::PathBuf;
use std::sync::Arc;

use artifacts_core::{Limit, Shape};
use artifacts_mcp::{FromClient, FromServer, Host, PolicyFile, Proxy};
use artifacts_search::Embedder;
use loop_integration::Policy;
use serde_json::{Value, json};
use tempfile::TempDir;

pub(super) struct Bench {
    pub(super) proxy: Proxy,
    folder: TempDir,
}

impl Bench {
    /// A limit of 1,000 characters.
    pub(super) fn new() -> Self {
        Self::with(Host::Generic, PolicyFile::uniform(policy(1_000)))
    }

    pub(super) fn with(host: Host, policies: PolicyFile) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let proxy = Proxy::new(host, policies, &folder.path().join("run.artifacts"));
        Self { proxy, folder }
    }

    pub(super) fn with_embedder(self, embedder: Arc<dyn Embedder>) -> Self {
        Self {
            proxy: self.proxy.with_embedder(embedder),
            ..self
        }
    }

    pub(super) fn prefixed(self, prefix: &str) -> Self {
        let proxy = self.proxy.with_tools_prefix(prefix);
        Self { proxy, ..self }
    }

    pub(super) fn with_notices(self, tell: impl Fn(&str) + Send + Sync + 'static) -> Self {
        let proxy = self.proxy.with_notices(tell);
        Self { proxy, ..self }
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The names in the artifact directory.
    pub(super) fn files(&self) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(self.path("run.artifacts")) else {
            return Vec::new();
        };
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names = names.collect::<Vec<_>>();
        names.sort();
        names
    }

    /// The bytes of the only artifact.
    pub(super) fn artifact(&self) -> Vec<u8> {
        let files = self.files();
        assert_eq!(files.len(), 1, "{files:?}");
        std::fs::read(self.path("run.artifacts").join(&files[0])).unwrap()
    }

    /// What the client gets for a request that the server answers with `answer`.
    pub(super) fn ask(&self, method: &str, params: &Value, answer: &str) -> String {
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let request = request.to_string();
        let FromClient::Pass = self.proxy.from_client(request.as_bytes()) else {
            panic!("the request is answered here: {request}");
        };
        self.answered(&format!("{{\"jsonrpc\":\"2.0\",\"id\":1,{answer}}}\n"))
    }

    /// What the client gets for a line of the server.
    pub(super) fn answered(&self, line: &str) -> String {
        let bytes = match self.proxy.from_server(line.as_bytes()) {
            FromServer::Replace(line) => line,
            FromServer::Settle(answered) => self
                .proxy
                .settle(&answered, line.as_bytes())
                .unwrap_or_else(|| line.as_bytes().to_vec()),
            _ => return line.to_owned(),
        };
        String::from_utf8(bytes).unwrap()
    }

    /// The `result` the client gets for a call of `tool`.
    pub(super) fn call(&self, tool: &str, result: &Value) -> Value {
        let answer = format!("\"result\":{result}");
        let line = self.ask("tools/call", &json!({"name": tool}), &answer);
        serde_json::from_str::<Value>(&line).unwrap()["result"].clone()
    }

    /// What is answered without the server.
    pub(super) fn own(&self, method: &str, params: &Value) -> Value {
        self.own_answer(method, params)["result"].clone()
    }

    pub(super) fn own_answer(&self, method: &str, params: &Value) -> Value {
        let request = json!({"jsonrpc": "2.0", "id": "q", "method": method, "params": params});
        let FromClient::Split(None, questions) =
            self.proxy.from_client(request.to_string().as_bytes())
        else {
            panic!("the request is passed on: {request}");
        };
        let answer = self.proxy.answer(&questions[0]);
        let answer = serde_json::from_slice::<Value>(&answer).unwrap();
        assert_eq!(answer["id"], "q");
        answer
    }

    /// Another process on the same directory.
    pub(super) fn at(other: &Self, host: Host) -> Self {
        let dir = other.path("run.artifacts");
        let proxy = Proxy::new(host, PolicyFile::uniform(policy(1_000)), &dir);
        let folder = tempfile::tempdir().unwrap();
        Self { proxy, folder }
    }
}

/// Settles a large result and returns its observation.
pub(super) fn observation(bench: &Bench) -> String {
    let content = json!([{"type": "text", "text": log(500)}]);
    let result = bench.call("read_log", &json!({"content": content}));
    result["content"][0]["text"].as_str().unwrap().to_owned()
}

pub(super) fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

pub(super) fn policy(limit: u64) -> Policy {
    Policy::limited(Shape::new(Limit::graphemes(limit).unwrap()))
}

/// A text of `lines` numbered lines.
pub(super) fn log(lines: usize) -> String {
    (1..=lines)
        .map(|line| format!("line {line} of the log\n"))
        .collect()
}

/// Hides what differs from run to run.
pub(super) fn plain(value: &Value) -> String {
    let pretty = serde_json::to_string_pretty(value).unwrap();
    let mut text = String::new();
    for word in pretty.split_inclusive(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_')
    {
        let parts = word.split('-').collect::<Vec<_>>();
        match parts.as_slice() {
            [tool, process, number]
                if process.len() == 8 && process.chars().all(|c| c.is_ascii_hexdigit()) =>
            {
                text.push_str(&format!("{tool}-PROCESS-{number}"));
            }
            _ => text.push_str(word),
        }
    }
    text
}
