//! The proxy in front of real processes.

use std::process::Command;
use std::sync::mpsc::channel;

use artifacts_mcp::{Ended, serve};

use super::bench::log;
use super::process_bench::{Got, Pipe, Run, input};

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
fn a_result_that_is_stored_while_the_server_dies_in_a_line_is_a_line_of_its_own() {
    let (got, mut run) = (Got::default(), Run::new());
    let result = serde_json::json!({"content": [{"type": "text", "text": log(500)}]});
    let calls = (1..=2).map(|id| {
        format!("{{\"id\":{id},\"method\":\"tools/call\",\"params\":{{\"name\":\"t\"}}}}\n")
    });
    let (open, receiver) = channel();
    open.send(calls.collect::<String>().into_bytes()).unwrap();
    let script = format!(
        "read -r line; read -r line; \
         printf '{{\"id\":1,\"result\":%s}}\\n{{\"id\":2,\"resu' '{result}'; exit 5"
    );
    assert_eq!(run.shell(&script, receiver, got.clone()), Ended::Code(5));
    let got = String::from_utf8(got.0.lock().unwrap().clone()).unwrap();
    let (torn, whole) = got
        .lines()
        .partition::<Vec<_>, _>(|line| line.ends_with("resu"));
    assert_eq!((torn.len(), whole.len()), (1, 1), "{got}");
    let answer = serde_json::from_str::<serde_json::Value>(whole[0]).unwrap();
    assert_eq!(answer["id"], 1);
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
