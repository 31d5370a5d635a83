//! Stored results as arguments of other tools (SPEC 6.5).

use artifacts_core::Limit;
use loop_integration::{References, ToolResult};
use serde_json::{Value, json};

use super::Agent;

fn agent() -> Agent {
    let agent = Agent::new(Limit::graphemes(600).unwrap());
    let lines: String = (1..=500).map(|line| format!("línea {line}\n")).collect();
    let _ = agent.settle("op-1", ToolResult::success(lines));
    let _ = agent.settle("op-2", ToolResult::success(b"\xFF\0".repeat(1_000)));
    agent
}

#[test]
fn every_range_is_put_in_wherever_it_stands() {
    let agent = agent();
    let references = agent.tools.references();
    let fill_in = |reference: Value| {
        let filled = references.fill_in(json!({"a": [1, {"b": reference}], "c": null}));
        let filled = filled.unwrap();
        assert_eq!(filled["c"], Value::Null);
        filled["a"][1]["b"].as_str().unwrap().to_owned()
    };
    assert_eq!(
        fill_in(json!({"$artifact": "op-1.txt", "lines": "2-3"})),
        "línea 2\nlínea 3\n"
    );
    assert_eq!(
        fill_in(json!({"$artifact": "op-1", "lines": "1", "from_end": true})),
        "línea 500\n"
    );
    assert_eq!(
        fill_in(json!({"$artifact": "op-1", "chars": "0-4"})),
        "línea"
    );
    assert_eq!(fill_in(json!({"$artifact": "op-1", "bytes": "3-5"})), "nea");
    assert_eq!(
        fill_in(json!({"$artifact": "op-2", "bytes": "0-2", "encoding": "base64"})),
        "/wD/"
    );
    assert_eq!(fill_in(json!({"$artifact": "op-1"})).lines().count(), 500);
}

#[test]
fn arguments_without_a_reference_stay_as_they_are() {
    let arguments = json!({"path": "a", "deep": [[{"artifact": "op-1.txt"}]], "n": 1.5});
    let references = agent().tools.references();
    assert_eq!(references.fill_in(arguments.clone()), Ok(arguments));
    assert_eq!(references.fill_in(Value::Null), Ok(Value::Null));
}

#[test]
fn what_is_put_in_is_not_looked_at_again() {
    let agent = agent();
    let text = json!({"$artifact": "op-1.txt"}).to_string();
    agent.call("store_artifact", &json!({"content": text, "name": "quine"}));
    let filled = agent
        .tools
        .references()
        .fill_in(json!({"$artifact": "quine"}));
    assert_eq!(filled, Ok(json!("{\"$artifact\":\"op-1.txt\"}")));
}

#[test]
fn a_bad_reference_is_an_error_before_the_call() {
    let agent = agent();
    let references = agent.tools.references().with_max_total_bytes(5_000);
    let mut shown = String::new();
    for arguments in [
        json!({"$artifact": "op-9.txt"}),
        json!({"$artifact": "../../etc/passwd"}),
        json!({"$artifact": 1}),
        json!({"$artifact": "op-1.txt", "line": "1"}),
        json!({"$artifact": "op-1.txt", "lines": "one"}),
        json!({"$artifact": "op-1.txt", "lines": "1", "bytes": "1"}),
        json!([{"$artifact": "op-1.txt"}, {"$artifact": "op-1.txt"}]),
        json!({"$artifact": "op-2"}),
    ] {
        let refused = references.fill_in(arguments.clone()).unwrap_err();
        assert!(ToolResult::from(refused.clone()).ending().is_error());
        shown.push_str(&format!("{arguments}\n{refused}\n\n"));
    }
    let dir = agent.run.transcript.with_extension("artifacts");
    std::fs::write(dir.join("op-1.txt"), "x".repeat(10)).unwrap();
    let altered = references
        .fill_in(json!({"$artifact": "op-1.txt"}))
        .unwrap_err();
    let (altered, _) = altered
        .to_string()
        .split_once("sha256")
        .map(|(a, b)| (a.to_owned(), b.to_owned()))
        .unwrap();
    shown.push_str(&format!("altered\n{altered}\n\n"));
    std::fs::remove_file(dir.join("op-1.txt")).unwrap();
    let gone = references
        .fill_in(json!({"$artifact": "op-1.txt"}))
        .unwrap_err();
    shown.push_str(&format!("removed\n{gone}\n"));
    insta::assert_snapshot!(shown);
}

#[test]
fn the_bound_counts_all_references_of_a_call_together() {
    let agent = agent();
    let references = |bytes| -> References { agent.tools.references().with_max_total_bytes(bytes) };
    let arguments =
        json!([{"$artifact": "op-1", "bytes": "0-9"}, {"$artifact": "op-1", "bytes": "0-9"}]);
    assert!(references(20).fill_in(arguments.clone()).is_ok());
    assert!(references(19).fill_in(arguments).is_err());
}

#[test]
fn a_range_without_anything_in_it_is_an_error_before_the_call() {
    let agent = agent();
    let references = agent.tools.references();
    for range in [
        json!({"lines": "0"}),
        json!({"lines": "3-2"}),
        json!({"bytes": "999999-"}),
        json!({"chars": "9-1"}),
    ] {
        let mut reference = json!({"$artifact": "op-1.txt"});
        let fields = reference.as_object_mut().unwrap();
        fields.extend(range.as_object().unwrap().clone());
        let refused = references.fill_in(json!({"body": reference})).unwrap_err();
        let message = refused.to_string();
        assert!(
            message.starts_with("[the range of op-1.txt is empty"),
            "{message}"
        );
    }
}
