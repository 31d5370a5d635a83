//! The proxy in front of real processes.

use std::io::{Read, Write};
use std::process::Command;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;

use artifacts_mcp::{Ended, Host, PolicyFile, Proxy, serve};
use tempfile::TempDir;

use super::bench::{log, policy};

/// A pipe between threads: what the client sends.
struct Pipe {
    pieces: Receiver<Vec<u8>>,
    rest: Vec<u8>,
}

impl Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.rest.is_empty() {
            self.rest = self.pieces.recv().unwrap_or_default();
        }
        let size = self.rest.len().min(buffer.len());
        buffer[..size].copy_from_slice(&self.rest[..size]);
        self.rest.drain(..size);
        Ok(size)
    }
}

/// What the client gets.
#[derive(Clone, Default)]
struct Got(Arc<Mutex<Vec<u8>>>);

impl Write for Got {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A client that went away.
struct Gone;

impl Write for Gone {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        Err(std::io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A client that takes nothing more: it is told of the first line, which it never takes.
struct Stuck(Sender<()>, Receiver<()>);

impl Write for Stuck {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        self.0.send(()).unwrap();
        let _ = self.1.recv();
        Err(std::io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

struct Run {
    folder: TempDir,
    terminate: Option<Sender<()>>,
}

impl Run {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self {
            folder,
            terminate: None,
        }
    }

    fn proxy(&self) -> Proxy {
        let policies = PolicyFile::uniform(policy(1_000));
        Proxy::new(
            Host::Generic,
            policies,
            &self.folder.path().join("run.artifacts"),
        )
    }

    fn shell(
        &mut self,
        script: &str,
        input: Receiver<Vec<u8>>,
        out: impl Write + Send + 'static,
    ) -> Ended {
        let mut command = Command::new("sh");
        command.args(["-c", script]).current_dir(self.folder.path());
        let (terminate, terminated) = channel();
        match self.terminate.take() {
            Some(now) => drop(now),
            None => self.terminate = Some(terminate.clone()),
        }
        let pipe = Pipe {
            pieces: input,
            rest: Vec::new(),
        };
        serve(self.proxy(), command, pipe, out, terminated).unwrap()
    }
}

/// The pieces of an input that ends.
fn input(pieces: &[&[u8]]) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    for piece in pieces {
        sender.send(piece.to_vec()).unwrap();
    }
    receiver
}

#[test]
fn bytes_pass_both_ways_however_they_are_split_and_merged() {
    let (got, mut run) = (Got::default(), Run::new());
    let mut bytes = b"{\"id\":1,\"me".to_vec();
    bytes.extend(b"thod\":\"a\"}\n\n\xFF\xFE\0\r\n{}\n{}\n");
    bytes.extend("é😀\n".repeat(50_000).bytes());
    bytes.extend(b"no line end");
    let pieces = bytes.chunks(7_919).collect::<Vec<_>>();
    let ended = run.shell("cat", input(&pieces), got.clone());
    assert_eq!(ended, Ended::Code(0));
    assert_eq!(*got.0.lock().unwrap(), bytes);
}

#[test]
fn a_line_of_100_megabytes_passes() {
    let (got, mut run) = (Got::default(), Run::new());
    let mut line = vec![b'"'; 100 << 20];
    line.push(b'\n');
    let pieces = line.chunks(1 << 16).collect::<Vec<_>>();
    run.shell("cat", input(&pieces), got.clone());
    assert!(*got.0.lock().unwrap() == line);
}

#[test]
fn a_result_of_100_megabytes_is_stored() {
    let (got, mut run) = (Got::default(), Run::new());
    let script = "read -r line; printf '{\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"'; \
                  head -c 100000000 /dev/zero | tr '\\0' 'x'; printf '\"}]}}\\n'";
    let call = b"{\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"t\"}}\n";
    run.shell(script, input(&[call]), got.clone());
    let answer = serde_json::from_slice::<serde_json::Value>(&got.0.lock().unwrap()).unwrap();
    let artifact = &answer["result"]["_meta"][artifacts_mcp::META_KEY];
    assert_eq!(artifact["bytes"], 100_000_000);
    let file = run
        .folder
        .path()
        .join("run.artifacts")
        .join(artifact["file"].as_str().unwrap());
    assert_eq!(std::fs::metadata(file).unwrap().len(), 100_000_000);
}

#[test]
fn a_server_that_dies_in_the_middle_of_a_line_is_told_and_what_it_said_passes() {
    let (got, mut run) = (Got::default(), Run::new());
    let call = b"{\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"t\"}}\n";
    let (open, receiver) = channel();
    open.send(call.to_vec()).unwrap();
    let script = "read -r line; printf '{\"id\":1,\"result\":{\"con'; exit 5";
    assert_eq!(run.shell(script, receiver, got.clone()), Ended::Code(5));
    assert_eq!(*got.0.lock().unwrap(), b"{\"id\":1,\"result\":{\"con");
}

#[test]
fn the_servers_exit_status_is_told() {
    let check = |script: &str, ended: Ended, code: u8| {
        let (_open, receiver) = channel();
        assert_eq!(Run::new().shell(script, receiver, Got::default()), ended);
        assert_eq!(ended.code(), code);
    };
    check("exit 0", Ended::Code(0), 0);
    check("echo out; exit 7", Ended::Code(7), 7);
    check("kill -9 $$", Ended::Signal(9), 137);
}

#[test]
fn a_server_that_hangs_is_ended_when_the_client_closes() {
    // It holds its output open and ignores the request to end; so does its child.
    let script = "trap '' TERM; sh -c 'trap \"\" TERM; while :; do read x || sleep 1; done' & while :; do sleep 1; done";
    let ended = Run::new().shell(script, input(&[]), Got::default());
    assert_eq!(ended, Ended::Signal(9));
}

#[test]
fn every_request_is_answered_after_the_client_closed_whatever_it_asks() {
    // The server takes longer for its answers than a server that has none to give may take to end.
    let answer = serde_json::json!({"content": [{"type": "text", "text": log(500)}]});
    let script = format!(
        "while read -r line; do :; done; sleep 3; echo '{{\"id\":1,\"result\":{{}}}}'; \
         printf '{{\"id\":2,\"result\":%s}}\\n' '{answer}'"
    );
    for method in ["prompts/get", "tools/call"] {
        let (got, mut run) = (Got::default(), Run::new());
        let asked = format!(
            "{{\"id\":1,\"method\":\"prompts/get\"}}\n{{\"id\":2,\"method\":\"{method}\",\"params\":{{\"name\":\"t\"}}}}\n"
        );
        let ended = run.shell(&script, input(&[asked.as_bytes()]), got.clone());
        assert_eq!(ended, Ended::Code(0));
        let got = got.0.lock().unwrap();
        assert_eq!(got.iter().filter(|byte| **byte == b'\n').count(), 2);
    }
}

#[test]
fn a_server_that_has_answered_and_stays_is_ended_soon_after_the_client_closed() {
    let script = "trap 'exit 7' TERM; while read -r line; do :; done; sleep 3; \
                  echo '{\"id\":1,\"result\":{}}'; while :; do sleep 0.1; done";
    let start = std::time::Instant::now();
    let asked = b"{\"id\":1,\"method\":\"prompts/get\"}\n";
    let ended = Run::new().shell(script, input(&[asked]), Got::default());
    assert_eq!(ended, Ended::Code(7));
    assert!(start.elapsed().as_secs() < 40);
}

#[test]
fn a_cancelled_call_is_not_waited_for_when_the_client_closes() {
    // It gives the call no answer, and would stay for half a minute.
    let script = "trap 'exit 7' TERM; cat >/dev/null; n=0; \
                  while [ $n -lt 300 ]; do sleep 0.1; n=$((n+1)); done";
    let call = br#"{"id":1,"method":"tools/call","params":{"name":"slow"}}"#;
    let cancel = br#"{"method":"notifications/cancelled","params":{"requestId":1}}"#;
    let sent = [&call[..], b"\n", cancel, b"\n"].concat();
    let ended = Run::new().shell(script, input(&[&sent]), Got::default());
    assert_eq!(ended, Ended::Code(7));
}

#[test]
fn a_server_is_ended_when_the_client_takes_no_output() {
    let (_open, receiver) = channel();
    let ended = Run::new().shell("while echo '{}'; do :; done", receiver, Gone);
    assert_ne!(ended, Ended::Unknown);
}

#[test]
fn a_command_that_is_not_there_is_named_without_its_folder() {
    let (_open, receiver) = channel();
    let pipe = Pipe {
        pieces: receiver,
        rest: Vec::new(),
    };
    let (_terminate, terminated) = channel();
    let command = Command::new("/nowhere/at/all/server");
    let error = serve(
        Run::new().proxy(),
        command,
        pipe,
        Got::default(),
        terminated,
    )
    .unwrap_err();
    assert_eq!(
        error.to_string(),
        "can't start the server \"server\": check the command after --"
    );
}

#[test]
fn a_thousand_calls_at_once_are_answered_and_stored() {
    let (got, mut run) = (Got::default(), Run::new());
    let text = serde_json::Value::from(log(100));
    // The server answers last come first, after it has read every call.
    let script = format!(
        "n=0; while read -r line; do n=$((n+1)); done; while [ $n -gt 0 ]; do \
         printf '{{\"id\":%d,\"result\":{{\"content\":[{{\"type\":\"text\",\"text\":%s}}]}}}}\\n' $n '{}'; \
         n=$((n-1)); done",
        text.to_string().replace("of the", "of $ the")
    );
    let calls = (1..=1_000).map(|id| {
        format!("{{\"id\":{id},\"method\":\"tools/call\",\"params\":{{\"name\":\"t\"}}}}\n")
    });
    let calls = calls.collect::<String>();
    run.shell(&script, input(&[calls.as_bytes()]), got.clone());
    let got = String::from_utf8(got.0.lock().unwrap().clone()).unwrap();
    assert_eq!(got.lines().count(), 1_000);
    let mut ids = Vec::new();
    for line in got.lines() {
        let answer = serde_json::from_str::<serde_json::Value>(line).unwrap();
        ids.push(answer["id"].as_u64().unwrap());
        let file = answer["result"]["_meta"][artifacts_mcp::META_KEY]["file"]
            .as_str()
            .unwrap();
        assert!(run.folder.path().join("run.artifacts").join(file).is_file());
    }
    ids.sort_unstable();
    assert_eq!(ids, (1..=1_000).collect::<Vec<_>>());
}

#[test]
fn asked_to_end_the_server_ends_and_what_it_said_is_handed_on() {
    let (got, run) = (Got::default(), Run::new());
    let (_open, receiver) = channel();
    let (terminate, terminated) = channel();
    let mut command = Command::new("sh");
    command.args([
        "-c",
        "trap 'echo bye; exit 3' TERM; echo ready; while :; do sleep 0.05; done",
    ]);
    let pipe = Pipe {
        pieces: receiver,
        rest: Vec::new(),
    };
    let (proxy, out) = (run.proxy(), got.clone());
    let serving = thread::spawn(move || serve(proxy, command, pipe, out, terminated).unwrap());
    while got.0.lock().unwrap().is_empty() {
        thread::yield_now();
    }
    terminate.send(()).unwrap();
    assert_eq!(serving.join().unwrap(), Ended::Code(3));
    assert_eq!(*got.0.lock().unwrap(), b"ready\nbye\n");
}

#[test]
fn asked_to_end_it_waits_for_no_client_that_takes_nothing_and_keeps_what_is_stored() {
    let run = Run::new();
    let (to_proxy, receiver) = channel();
    let (terminate, terminated) = channel();
    let (stuck, is_stuck) = channel();
    let (_open, never) = channel();
    // The server tells its process id, answers a call, and goes on and on.
    let answer = serde_json::json!({"content": [{"type": "text", "text": log(500)}]});
    let script = format!(
        "echo $$ > pid; read -r line; printf '{{\"id\":1,\"result\":%s}}\\n' '{answer}'; \
         while :; do echo '{{}}'; done"
    );
    let mut command = Command::new("sh");
    command.args(["-c", &script]).current_dir(run.folder.path());
    let pipe = Pipe {
        pieces: receiver,
        rest: Vec::new(),
    };
    let call = br#"{"id":1,"method":"tools/call","params":{"name":"t"}}"#;
    to_proxy.send([&call[..], b"\n"].concat()).unwrap();
    let (proxy, ended) = (run.proxy(), channel());
    thread::spawn(move || {
        let served = serve(proxy, command, pipe, Stuck(stuck, never), terminated);
        ended.0.send(served.unwrap()).unwrap();
    });
    is_stuck.recv().unwrap();
    terminate.send(()).unwrap();
    let limit = std::time::Duration::from_secs(60);
    assert_ne!(ended.1.recv_timeout(limit).unwrap(), Ended::Unknown);
    let kept = std::fs::read_dir(run.folder.path().join("run.artifacts"));
    assert_eq!(kept.unwrap().count(), 1);
    let pid = std::fs::read_to_string(run.folder.path().join("pid")).unwrap();
    let alive = Command::new("kill").args(["-0", pid.trim()]).output();
    assert!(!alive.unwrap().status.success());
}
