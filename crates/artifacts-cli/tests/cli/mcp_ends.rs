use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, Stdio};

use serde_json::json;

use super::bin::Folder;
use super::mcp_bench::{answers, call, log, server, text};

#[test]
fn the_servers_end_is_told() {
    let folder = Folder::new();
    let check = |name: &str, code: i32, args: &[&str]| {
        let args = [&["mcp", "--dir", "kept", "--"], args].concat();
        insta::assert_snapshot!(name, folder.run(&args).fails_with(code).report());
    };
    check("mcp_exit_7", 7, &["sh", "-c", "exit 7"]);
    check("mcp_killed", 137, &["sh", "-c", "kill -9 $$"]);
    check("mcp_no_such_server", 3, &["./no-such-server"]);
    insta::assert_snapshot!("mcp_no_server", folder.run(&["mcp"]).fails_with(2).report());
}

#[test]
fn what_the_server_says_to_its_user_passes_however_much() {
    let folder = Folder::new();
    let script = format!(
        "head -c 3000000 /dev/zero | tr '\\0' 'e' >&2; {}",
        server("small")
    );
    let args = ["mcp", "--dir", "kept", "--", "sh", "-c", &script];
    let ran = folder
        .run_with(&args, call(1, "t", &json!({})).as_bytes())
        .ok();
    assert_eq!(text(&answers(ran.stdout())[0]), "small");
    assert_eq!(ran.stderr().len(), 3_000_000);
}

/// A proxy that runs until it is told.
struct Running {
    child: Child,
    lines: std::io::Lines<BufReader<std::process::ChildStdout>>,
}

impl Running {
    fn new(folder: &Folder, script: &str) -> Self {
        let mut child = folder
            .command(&["mcp", "--dir", "kept", "--", "sh", "-c", script])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, lines }
    }

    fn send(&mut self, line: &str) {
        self.child
            .stdin
            .as_mut()
            .unwrap()
            .write_all(line.as_bytes())
            .unwrap();
    }

    fn line(&mut self) -> String {
        self.lines.next().unwrap().unwrap()
    }

    fn signal(&self, signal: &str) {
        let pid = self.child.id().to_string();
        assert!(
            Command::new("kill")
                .args([signal, &pid])
                .status()
                .unwrap()
                .success()
        );
    }
}

#[test]
fn asked_to_end_it_ends_the_server_and_loses_nothing_that_arrived() {
    let folder = Folder::new();
    let script = format!("trap 'echo bye; exit 3' TERM; {}", server(&log()));
    let mut running = Running::new(&folder, &script);
    running.send(&call(1, "t", &json!({})));
    let answer = answers(&running.line()).remove(0);
    running.signal("-TERM");
    assert_eq!(running.line(), "bye");
    assert_eq!(running.child.wait().unwrap().code(), Some(3));
    let file = &answer["result"]["_meta"]["dev.tool-artifacts/artifact"]["file"];
    assert_eq!(
        folder.text(&format!("kept/{}", file.as_str().unwrap())),
        log()
    );
}

#[test]
fn asked_to_end_it_ends_also_where_nobody_reads_what_the_server_says() {
    let folder = Folder::new();
    let script = "echo ready; echo about >ready; (yes >&2) & yes '{}'";
    let mut child = folder
        .command(&["mcp", "--dir", "kept", "--", "sh", "-c", script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while !folder.files().contains(&"ready".to_owned()) {
        std::thread::yield_now();
    }
    let pid = child.id().to_string();
    Command::new("kill").args(["-TERM", &pid]).status().unwrap();
    let start = std::time::Instant::now();
    let status = loop {
        match child.try_wait().unwrap() {
            None if start.elapsed().as_secs() < 60 => std::thread::yield_now(),
            status => break status,
        }
    };
    assert!(status.is_some(), "it goes on");
}

#[test]
fn killed_its_server_sees_the_end_of_its_input() {
    let folder = Folder::new();
    let script = "echo ready; cat >/dev/null; echo gone > gone";
    let mut running = Running::new(&folder, script);
    assert_eq!(running.line(), "ready");
    running.signal("-KILL");
    assert_eq!(running.child.wait().unwrap().code(), None);
    // The server holds the output open until it ends.
    assert!(running.lines.next().is_none());
    while !folder.files().contains(&"gone".to_owned()) {
        std::thread::yield_now();
    }
}

#[test]
fn a_server_that_takes_no_input_is_ended_when_its_client_is_gone() {
    let folder = Folder::new();
    let script = "echo ready; while :; do sleep 0.1; done";
    let mut running = Running::new(&folder, script);
    assert_eq!(running.line(), "ready");
    // More than the server's pipe takes: the proxy can't read on, and sees no end of its input.
    running.send(&format!("{}\n", "x".repeat(300_000)));
    let Running { mut child, lines } = running;
    drop((child.stdin.take(), lines));
    let start = std::time::Instant::now();
    let status = loop {
        match child.try_wait().unwrap() {
            None if start.elapsed().as_secs() < 60 => std::thread::yield_now(),
            status => break status,
        }
    };
    let _ = child.kill();
    assert_eq!(status.and_then(|status| status.code()), Some(143));
}
