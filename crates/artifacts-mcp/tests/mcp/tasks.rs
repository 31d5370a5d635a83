use artifacts_mcp::Host;
use serde_json::json;

use super::bench::{Bench, log, text};

#[test]
fn a_call_that_became_a_task_is_settled_when_its_result_comes() {
    let bench = Bench::new();
    let task = json!({"task": {"taskId": "t-1", "status": "working"}});
    assert_eq!(bench.call("slow", &task), task);
    let whole = json!({"content": [text(&log(500))]});
    let fetch = || {
        let answer = format!("\"result\":{whole}");
        bench.ask("tasks/result", &json!({"taskId": "t-1"}), &answer)
    };
    let first = fetch();
    assert!(
        first.contains("full result: slow-task-t-1.txt sha256 "),
        "{first}"
    );
    assert_eq!(fetch(), first);
    assert_eq!(bench.artifact(), log(500).as_bytes());
    let nested = json!({"taskId": "t-1", "status": "completed", "result": whole}).to_string();
    let nested = bench.ask(
        "tasks/get",
        &json!({"taskId": "t-1"}),
        &format!("\"result\":{nested}"),
    );
    assert!(nested.contains("\"status\":\"completed\"") && nested.contains("slow-task-t-1.txt"));
    let state = "\"result\":{\"taskId\":\"t-1\",\"status\":\"working\"}";
    let line = bench.ask("tasks/get", &json!({"taskId": "t-1"}), state);
    assert!(line.ends_with(&format!("{state}}}\n")));
}

#[test]
fn the_state_of_a_task_is_no_call() {
    let bench = Bench::new();
    let state = "\"result\":{\"taskId\":\"t-1\",\"status\":\"working\"}";
    for _ in 0..3 {
        bench.ask("tasks/get", &json!({"taskId": "t-1"}), state);
    }
    assert!(!bench.path("run.calls").exists());
}

#[test]
fn a_task_of_another_process_with_the_same_id_is_another_artifact() {
    let bench = Bench::new();
    let result = |lines: usize| json!({"content": [text(&log(lines))]}).to_string();
    let fetch = |bench: &Bench, lines: usize| {
        let answer = format!("\"result\":{}", result(lines));
        bench.ask("tasks/result", &json!({"taskId": "1"}), &answer)
    };
    let first = fetch(&bench, 500);
    let second = fetch(&Bench::at(&bench, Host::Generic), 600);
    assert!(first.contains("full result: ") && second.contains("full result: "));
    assert_eq!(bench.files().len(), 2);
}
