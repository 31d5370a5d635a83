use artifacts_mcp::{FromServer, Host, META_KEY, PolicyFile};
use serde_json::{Value, json};

use super::bench::{Bench, log, plain, policy, text};

#[test]
fn a_result_over_the_limit_is_stored_and_excerpted() {
    let bench = Bench::new();
    let result = bench.call(
        "read_log",
        &json!({"content": [text(&log(500))], "isError": false}),
    );
    insta::assert_snapshot!("result_over_the_limit", plain(&result));
    assert_eq!(bench.artifact(), log(500).as_bytes());
}

#[test]
fn a_result_at_the_limit_passes_byte_for_byte() {
    let bench = Bench::new();
    let answer = format!(
        "\"result\" : {{\"content\":[{{\"text\":\"{}\", \"type\":\"text\"}}],\"structuredContent\":{{\"n\":1.0e2}}}}",
        "x".repeat(990)
    );
    let line = bench.ask("tools/call", &json!({"name": "a"}), &answer);
    assert_eq!(line, format!("{{\"jsonrpc\":\"2.0\",\"id\":1,{answer}}}\n"));
    assert_eq!(bench.files(), Vec::<String>::new());
}

#[test]
fn parts_are_one_budget_and_what_is_no_text_stays_in_place() {
    let bench = Bench::new();
    let image = json!({"type": "image", "data": "aGk=", "mimeType": "image/png", "x": 1.5});
    let video = json!({"type": "video", "text": "not for us"});
    let link = json!({"type": "resource_link", "uri": "file:///a", "name": "a"});
    let blob = json!({"type": "resource", "resource": {"uri": "file:///b", "blob": "aGk="}});
    let resource = json!({"type": "resource", "resource": {"uri": "file:///c", "text": log(30)}});
    let mut content = vec![image.clone(), text(&log(30)), video.clone(), blob.clone()];
    content.extend([link.clone(), resource]);
    content.extend((0..200).map(|_| text("0123456789")));
    let result = bench.call("mixed", &json!({"content": content}));
    let types = result["content"].as_array().unwrap().clone();
    assert_eq!(types.len(), 5);
    assert_eq!(
        [&types[0], &types[2], &types[3], &types[4]],
        [&image, &video, &blob, &link]
    );
    let mut stored = format!("{}\n[resource file:///c]\n{}", log(30), log(30));
    stored.push_str(&"\n0123456789".repeat(200));
    assert_eq!(String::from_utf8(bench.artifact()).unwrap(), stored);
    let shown = types[1]["text"].as_str().unwrap();
    assert!(shown.starts_with("line 1 of the log\n") && shown.ends_with("\n0123456789"));
}

#[test]
fn many_small_parts_within_the_limit_pass() {
    let bench = Bench::new();
    let content = (0..90).map(|_| text("0123456789")).collect::<Vec<_>>();
    let result = json!({"content": content});
    assert_eq!(bench.call("parts", &result), result);
    let content = (0..150).map(|_| text("0123456789")).collect::<Vec<_>>();
    assert_ne!(
        bench.call("parts", &json!({"content": content}))["_meta"],
        Value::Null
    );
}

#[test]
fn errors_and_meta_and_annotations_are_kept() {
    let bench = Bench::new();
    let block = json!({"type": "text", "text": log(500), "annotations": {"audience": ["user"]}});
    let result = json!({"content": [block], "isError": true, "_meta": {"a.b/c": 1}, "more": [1]});
    let settled = bench.call("failing", &result);
    assert_eq!(settled["isError"], true);
    assert_eq!(settled["more"], json!([1]));
    assert_eq!(settled["_meta"]["a.b/c"], 1);
    assert_eq!(
        settled["content"][0]["annotations"],
        json!({"audience": ["user"]})
    );
    assert_eq!(settled["_meta"][META_KEY]["bytes"], log(500).len());
}

#[test]
fn a_block_of_a_kind_nobody_knows_counts_by_its_size_and_stays() {
    let bench = Bench::new();
    let video = json!({"type": "video", "data": "x".repeat(3_000)});
    let result = bench.call("film", &json!({"content": [text(&log(49)), video]}));
    let content = result["content"].as_array().unwrap();
    assert_eq!(content[1], video);
    let shown = content[0]["text"].as_str().unwrap();
    assert!(shown.len() < 600, "{shown}");
    assert_eq!(bench.artifact(), log(49).as_bytes());
    let beside = json!({"content": [text("ok"), video]});
    assert_eq!(Bench::new().call("film", &beside), beside);
}

#[test]
fn content_that_is_no_list_is_bounded() {
    for content in [json!(log(500)), json!({"rows": log(500)})] {
        let bench = Bench::new();
        let result = bench.call("odd", &json!({"content": content}));
        assert_eq!(result["content"][0]["type"], "text");
        assert!(result.to_string().len() < 2_000, "{result}");
    }
}

#[test]
fn a_member_named_with_a_lone_surrogate_is_passed_as_it_is_spelled() {
    let bench = Bench::new();
    let body = "ab\\n".repeat(900);
    let answer = format!(
        "\"result\":{{\"\\ud800\":1,\"content\":[{{\"type\":\"text\",\"text\":\"{body}\"}}]}}"
    );
    let line = bench.ask("tools/call", &json!({"name": "odd"}), &answer);
    assert!(
        line.len() < 3_000 && line.contains("\"\\ud800\":1"),
        "{line}"
    );
}

#[test]
fn a_result_that_asks_for_input_passes() {
    let bench = Bench::new();
    let result = json!({"resultType": "input_required", "content": [text(&log(500))]});
    assert_eq!(bench.call("asking", &result), result);
}

#[test]
fn a_protocol_error_is_bounded_too() {
    let bench = Bench::new();
    let error = json!({"code": -32000, "message": log(300), "data": {"rows": log(100)}});
    let line = bench.ask(
        "tools/call",
        &json!({"name": "a"}),
        &format!("\"error\":{error}"),
    );
    let error = &serde_json::from_str::<Value>(&line).unwrap()["error"];
    assert_eq!(error["code"], -32000);
    assert!(error["message"].as_str().unwrap().len() < 1_500);
    assert_eq!(
        error["data"][META_KEY]["file"].as_str(),
        bench.files().first().map(String::as_str)
    );
    let small = "\"error\":{\"code\":1,\"message\":\"no\"}";
    let line = bench.ask("tools/call", &json!({"name": "a"}), small);
    assert!(line.contains(small));
}

#[test]
fn policies_and_size_hints_decide_by_tool() {
    let file =
        r#"{"limit": 1000, "tools": {"code": "raw", "view": "exempt", "short": {"limit": 50}}}"#;
    let shape = *policy(1_000).shape().unwrap();
    let bench = Bench::with(
        Host::ClaudeCode,
        PolicyFile::parse(file, Host::ClaudeCode, shape).unwrap(),
    );
    let listed = json!({"tools": [
        {"name": "big", "inputSchema": {}, "_meta": {"anthropic/maxResultSizeChars": 100_000}},
        {"name": "short", "inputSchema": {}, "_meta": {"anthropic/maxResultSizeChars": 100_000}},
    ]});
    bench.ask("tools/list", &json!({}), &format!("\"result\":{listed}"));
    let result = json!({"content": [text(&log(500))]});
    assert_eq!(bench.call("big", &result), result);
    assert_eq!(bench.call("view", &result), result);
    assert_eq!(bench.files().len(), 0);
    let raw = bench.call("code", &result);
    assert_eq!(raw["content"], result["content"]);
    assert_eq!(bench.files().len(), 1);
    assert_eq!(raw["_meta"][META_KEY]["elided-chars"], 0);
    let short = bench.call("short", &result)["content"][0]["text"]
        .as_str()
        .unwrap()
        .len();
    assert!(short < 500, "{short}");
}

#[test]
fn invalid_utf8_does_not_stop_a_result_from_settling_and_the_user_is_told() {
    let (tell, told) = std::sync::mpsc::channel();
    let bench = Bench::new().with_notices(move |notice| tell.send(notice.to_owned()).unwrap());
    bench
        .proxy
        .from_client(br#"{"id":1,"method":"tools/call","params":{"name":"odd"}}"#);
    let mut line = br#"{"id":1,"result":{"content":[{"type":"text","text":""#.to_vec();
    line.extend(b"\xFFab\\n".repeat(600));
    line.extend(b"\"}]}}\n");
    let FromServer::Settle(answered) = bench.proxy.from_server(&line) else {
        panic!("the result is not settled");
    };
    let settled = bench.proxy.settle(&answered, &line).unwrap();
    assert!(settled.len() < 6_000, "{}", settled.len());
    assert_eq!(bench.artifact(), "\u{FFFD}ab\n".repeat(600).as_bytes());
    insta::assert_snapshot!("result_not_utf8_notice", told.recv().unwrap());
}

#[test]
fn lone_surrogates_do_not_stop_a_result_from_settling() {
    let bench = Bench::new();
    let body = "\\ud800ab\\n".repeat(600);
    let answer = format!("\"result\":{{\"content\":[{{\"type\":\"text\",\"text\":\"{body}\"}}]}}");
    let line = bench.ask("tools/call", &json!({"name": "odd"}), &answer);
    assert!(line.len() < 6_000, "{}", line.len());
    assert_eq!(bench.artifact(), "\u{FFFD}ab\n".repeat(600).as_bytes());
}

#[test]
fn a_store_that_fails_never_fails_the_call() {
    let bench = Bench::new();
    std::fs::write(bench.path("run.artifacts"), "in the way").unwrap();
    let result = bench.call("read_log", &json!({"content": [text(&log(500))]}));
    insta::assert_snapshot!("result_not_stored", plain(&result));
}

#[test]
fn what_passes_whole_says_that_it_could_not_be_stored_and_the_user_is_told_once() {
    let shape = *policy(1_000).shape().unwrap();
    let bench = Bench::with(
        Host::Generic,
        PolicyFile::parse(r#"{"tools": {"code": "raw"}}"#, Host::Generic, shape).unwrap(),
    );
    let (tell, told) = std::sync::mpsc::channel();
    let bench = bench.with_notices(move |notice| tell.send(notice.to_owned()).unwrap());
    std::fs::write(bench.path("run.artifacts"), "in the way").unwrap();
    let result = json!({"content": [text(&log(500))]});
    for _ in 0..2 {
        let raw = bench.call("code", &result);
        assert_eq!(raw["content"], result["content"]);
        assert_eq!(raw["_meta"][META_KEY]["stored"], false);
    }
    insta::assert_snapshot!("result_not_stored_notice", told.recv().unwrap());
    assert!(told.try_recv().is_err());
}

#[test]
fn a_size_hint_of_the_result_lowers_its_limit_and_never_raises_it() {
    let hinted = |chars: u64, lines: usize| {
        let meta = json!({"anthropic/maxResultSizeChars": chars});
        json!({"content": [text(&log(lines))], "_meta": meta})
    };
    let bench = Bench::new();
    assert_eq!(bench.call("a", &hinted(100_000, 40)), hinted(100_000, 40));
    let short = bench.call("a", &hinted(200, 45));
    assert!(short["_meta"][META_KEY]["elided-chars"].as_u64() > Some(500));
    let whole = bench.call("a", &hinted(100_000, 500));
    assert_eq!(whole["_meta"][META_KEY]["bytes"], log(500).len());
}

#[test]
fn calls_that_are_spelled_oddly_are_bounded_all_the_same() {
    let odd = [
        (
            &b"{\"id\":1.0,\"method\":\"tools/call\",\"params\":{\"name\":\"t\"}}"[..],
            "1",
        ),
        (
            b"{\"id\":1e2,\"method\":\"tools/call\",\"params\":{\"name\":\"t\"}}",
            "100",
        ),
        (
            b"{\"id\":-0,\"method\":\"tools/call\",\"params\":{\"name\":\"t\"}}",
            "0",
        ),
        (
            b"\xEF\xBB\xBF{\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"t\"}}",
            "1",
        ),
        (
            b"{\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"t\",\"x\":\"\xFF\"}}",
            "1",
        ),
        (
            b"{\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":7}}",
            "1",
        ),
        (b"{\"id\":1,\"method\":\"tools/call\"}", "1"),
    ];
    for (call, id) in odd {
        let bench = Bench::new();
        bench.proxy.from_client(call);
        let line = json!({"content": [text(&log(500))]});
        let answered = bench.answered(&format!("{{\"id\":{id},\"result\":{line}}}\n"));
        assert!(answered.len() < 2_000, "{}", String::from_utf8_lossy(call));
    }
}
