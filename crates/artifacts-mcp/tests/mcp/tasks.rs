use artifacts_mcp::{Host, PolicyFile};
use serde_json::json;

use super::bench::{Bench, log, policy, text};

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

#[test]
fn a_result_that_is_a_task_keeps_the_policy_of_its_tool() {
    let policies = r#"{"limit": 1000, "tools": {"view": "exempt"}}"#;
    let shape = *policy(1_000).shape().unwrap();
    let policies = PolicyFile::parse(policies, Host::Generic, shape).unwrap();
    let bench = Bench::with(Host::Generic, policies);
    let fetch = |tool: &str| {
        let task = json!({"resultType": "task", "taskId": tool, "status": "working"});
        assert_eq!(bench.call(tool, &task), task);
        let result = json!({"content": [text(&log(500))]});
        let state = json!({"taskId": tool, "status": "completed", "result": result});
        bench.ask(
            "tasks/get",
            &json!({"taskId": tool}),
            &format!("\"result\":{state}"),
        )
    };
    assert!(fetch("view").contains(&json!(log(500)).to_string()));
    assert!(fetch("slow").contains("full result: slow-task-slow.txt sha256 "));
}

#[test]
fn the_error_of_a_task_is_bounded_as_that_of_a_call() {
    let bench = Bench::new();
    let task = json!({"task": {"taskId": "t-1", "status": "working"}});
    bench.call("slow", &task);
    let error = json!({"code": 1, "message": log(500)});
    let params = json!({"taskId": "t-1"});
    let ask = |method: &str, answer: String| bench.ask(method, &params, &answer);
    let direct = ask("tasks/result", format!("\"error\":{error}"));
    let state = json!({"taskId": "t-1", "status": "failed", "error": error});
    let inner = ask("tasks/get", format!("\"result\":{state}"));
    for line in [&direct, &inner] {
        assert!(
            line.contains("full result: slow-task-t-1.txt sha256 "),
            "{line}"
        );
    }
    assert!(inner.contains("\"status\":\"failed\""));
    assert_eq!(bench.artifact(), log(500).as_bytes());
}

#[test]
fn that_there_is_no_such_task_is_no_call() {
    let bench = Bench::new();
    let none = "\"error\":{\"code\":-32602,\"message\":\"no such task\"}";
    let line = bench.ask("tasks/get", &json!({"taskId": "t-1"}), none);
    assert!(line.contains(none) && !bench.path("run.calls").exists());
}

#[test]
fn a_task_that_tells_its_result_of_itself_is_settled() {
    let bench = Bench::new();
    let task = json!({"resultType": "task", "taskId": "t-1", "status": "working"});
    bench.call("slow", &task);
    let result = json!({"content": [text(&log(500))]});
    for method in ["notifications/tasks", "notifications/tasks/status"] {
        let params = json!({"taskId": "t-1", "status": "completed", "result": result});
        let notice = json!({"jsonrpc": "2.0", "method": method, "params": params});
        let line = bench.answered(&format!("{notice}\n"));
        assert!(
            line.contains("full result: slow-task-t-1.txt sha256 "),
            "{line}"
        );
        assert!(line.len() < 3_000, "{}", line.len());
    }
    assert_eq!(bench.artifact(), log(500).as_bytes());
    let state =
        "{\"method\":\"notifications/tasks\", \"params\":{\"taskId\":\"t-1\", \"n\":1.0}}\n";
    assert_eq!(bench.answered(state), state);
}
