use artifacts_mcp::{FromClient, FromServer};
use proptest::prelude::*;

use super::bench::{Bench, log};

const LINES: &[&[u8]] = &[
    b"",
    b"\n",
    b"no json\n",
    b"{\"id\":1\n",
    b"\xFF\xFE{\"id\":1,\"result\":{}}\n",
    br#"{"jsonrpc":"2.0","id":9,"method":"unknown/method","params":{"a":[1,2,3.0]}}"#,
    br#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}"#,
    br#"{"jsonrpc":"2.0","id":9,"result":{"content":[{"type":"text","text":"unasked"}]}}"#,
    br#"{"jsonrpc":"2.0","id":9,"method":"sampling/createMessage","params":{}}"#,
    br#"[{"jsonrpc":"2.0","method":"a"},{"jsonrpc":"2.0","id":8,"method":"b"}]"#,
    b"[]",
    b"[1, {\"id\":1}]\r\n",
];

#[test]
fn every_line_that_is_none_of_ours_passes() {
    let bench = Bench::new();
    bench
        .proxy
        .from_client(br#"{"id":1,"method":"tools/call","params":{"name":"a"}}"#);
    for line in LINES {
        assert!(matches!(bench.proxy.from_client(line), FromClient::Pass));
        assert!(matches!(bench.proxy.from_server(line), FromServer::Pass));
    }
}

#[test]
fn answers_find_their_calls_in_any_order_and_once() {
    let bench = Bench::new();
    for id in ["1", "\"1\"", "2"] {
        let call = format!(r#"{{"id":{id},"method":"tools/call","params":{{"name":"t"}}}}"#);
        bench.proxy.from_client(call.as_bytes());
    }
    let answer = |id: &str| {
        let text = serde_json::Value::from(log(500));
        let line =
            format!(r#"{{"id":{id},"result":{{"content":[{{"type":"text","text":{text}}}]}}}}"#);
        bench.answered(&line).len() < line.len()
    };
    assert!(answer("2"));
    assert!(!answer("2"));
    assert!(answer("1"));
    assert!(answer("\"1\""));
    assert!(!answer("1"));
    assert_eq!(bench.proxy.outstanding(), 0);
}

#[test]
fn the_answer_to_a_cancelled_call_is_still_settled_and_unanswered_ones_are_forgotten() {
    let bench = Bench::new();
    for id in 0..3_000 {
        let call = format!(r#"{{"id":{id},"method":"tools/call","params":{{"name":"t"}}}}"#);
        bench.proxy.from_client(call.as_bytes());
        let cancel =
            format!(r#"{{"method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#);
        assert!(matches!(
            bench.proxy.from_client(cancel.as_bytes()),
            FromClient::Pass
        ));
    }
    assert_eq!(bench.proxy.outstanding(), 1_024);
    let text = serde_json::Value::from(log(500));
    let line = format!(r#"{{"id":2999,"result":{{"content":[{{"type":"text","text":{text}}}]}}}}"#);
    assert!(bench.answered(&line).len() < line.len());
}

#[test]
fn an_id_that_is_used_again_stands_for_both_requests() {
    let text = serde_json::Value::from(log(500));
    let result = format!(r#"{{"id":1,"result":{{"content":[{{"type":"text","text":{text}}}]}}}}"#);
    let call = r#"{"id":1,"method":"tools/call","params":{"name":"t"}}"#;
    let list = r#"{"id":1,"method":"tools/list"}"#;
    let cancel = r#"{"method":"notifications/cancelled","params":{"requestId":1}}"#;
    let asked = |requests: [&str; 3]| {
        let bench = Bench::new();
        for request in requests {
            bench.proxy.from_client(request.as_bytes());
        }
        bench
    };
    let is_settled = |bench: &Bench| bench.answered(&result).len() < result.len();
    let bench = asked([call, cancel, call]);
    assert!(is_settled(&bench) && is_settled(&bench) && !is_settled(&bench));
    let bench = asked([list, cancel, call]);
    assert!(is_settled(&bench));
    let tools = bench.answered(r#"{"id":1,"result":{"tools":[]}}"#);
    assert!(tools.contains("read_artifact"), "{tools}");
}

#[test]
fn a_batch_is_settled_message_by_message() {
    let bench = Bench::new();
    let calls = r#"[{"id":1,"method":"tools/call","params":{"name":"t"}},{"id":2,"method":"x"}]"#;
    bench.proxy.from_client(calls.as_bytes());
    let text = serde_json::Value::from(log(500));
    let other = r#"{"id":2,"result" : {"n":1.0}}"#;
    let line =
        format!(r#"[{other},{{"id":1,"result":{{"content":[{{"type":"text","text":{text}}}]}}}}]"#);
    let answered = bench.answered(&line);
    assert!(answered.len() < line.len());
    assert!(answered.contains(other));
    serde_json::from_str::<serde_json::Value>(&answered).unwrap();
}

proptest! {
    #[test]
    fn any_bytes_pass_both_ways(line in proptest::collection::vec(any::<u8>(), 0..300)) {
        let bench = Bench::new();
        bench.proxy.from_client(br#"{"id":1,"method":"tools/call","params":{"name":"a"}}"#);
        prop_assert!(matches!(bench.proxy.from_client(&line), FromClient::Pass));
        prop_assert!(matches!(bench.proxy.from_server(&line), FromServer::Pass));
    }
}
