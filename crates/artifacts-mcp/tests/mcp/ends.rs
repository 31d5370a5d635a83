//! How the proxy and its server end.

use std::process::Command;
use std::sync::mpsc::channel;
use std::thread;

use artifacts_mcp::{Ended, serve};

use super::bench::log;
use super::process_bench::{Gone, Got, Pipe, Run, Stuck, input};

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
    // It would stay for 35 seconds more, less than is waited for one that owes an answer.
    let script = "trap 'exit 7' TERM; while read -r line; do :; done; sleep 3; \
                  echo '{\"id\":1,\"result\":{}}'; n=0; \
                  while [ $n -lt 350 ]; do sleep 0.1; n=$((n+1)); done";
    let asked = b"{\"id\":1,\"method\":\"prompts/get\"}\n";
    let ended = Run::new().shell(script, input(&[asked]), Got::default());
    assert_eq!(ended, Ended::Code(7));
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
