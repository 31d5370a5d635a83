use std::sync::Arc;

use artifacts_mcp::{Host, PolicyFile};
use artifacts_search::{Embedder, Error};
use serde_json::{Value, json};

use super::bench::{Bench, log, observation, plain, policy, text};

fn listed(bench: &Bench, params: &Value, result: &Value) -> Value {
    let line = bench.ask("tools/list", params, &format!("\"result\":{result}"));
    serde_json::from_str::<Value>(&line).unwrap()["result"].clone()
}

fn names(result: &Value) -> Vec<&str> {
    let tools = result["tools"].as_array().unwrap().iter();
    tools.map(|tool| tool["name"].as_str().unwrap()).collect()
}

#[test]
fn output_schemas_leave_the_list_and_everything_else_stays() {
    let bench = Bench::new();
    let tool =
        json!({"name": "a", "inputSchema": {"type": "object"}, "title": "A", "x": {"y": 1.5}});
    let mut with_schema = tool.clone();
    with_schema["outputSchema"] = json!({"type": "object"});
    let result = json!({"tools": [with_schema, tool], "_meta": {"k": 1}, "ttlMs": 5});
    let result = listed(&bench, &json!({}), &result);
    assert_eq!(result["tools"][0], tool);
    assert_eq!(result["tools"][1], tool);
    assert_eq!(
        (&result["_meta"], &result["ttlMs"]),
        (&json!({"k": 1}), &json!(5))
    );
    insta::assert_snapshot!("tools_added", plain(&json!(names(&result))));
}

fn policies(text: &str) -> PolicyFile {
    PolicyFile::parse(text, Host::Generic, Host::Generic.shape()).unwrap()
}

#[test]
fn a_tool_whose_results_pass_whole_keeps_its_output_schema_and_they_follow_it() {
    let said =
        r#"{"limit": 1000, "tools": {"code": "raw", "view": "exempt", "few": {"limit": 9}}}"#;
    let bench = Bench::with(Host::Generic, policies(said));
    let tool =
        |name: &str| json!({"name": name, "inputSchema": {}, "outputSchema": {"type": "object"}});
    let result = json!({"tools": [tool("code"), tool("view"), tool("few"), tool("other")]});
    let result = listed(&bench, &json!({}), &result);
    let tools = result["tools"].as_array().unwrap().iter();
    let with_schema = tools.filter(|tool| tool.get("outputSchema").is_some());
    let with_schema = with_schema.map(|tool| &tool["name"]).collect::<Vec<_>>();
    assert_eq!(with_schema, ["code", "view"]);
    // Also where the JSON takes more room than its text, which fits.
    for said in [log(500), "\u{1}".repeat(900)] {
        let result = json!({"content": [text(&said)], "structuredContent": {"result": said}});
        for tool in ["code", "view"] {
            let passed = bench.call(tool, &result);
            assert_eq!(passed["structuredContent"], result["structuredContent"]);
        }
        assert_eq!(bench.call("other", &result).get("structuredContent"), None);
    }
}

#[test]
fn policies_for_tools_that_the_server_lacks_are_told_once_when_all_are_listed() {
    let (tell, told) = std::sync::mpsc::channel();
    let said = r#"{"tools": {"tail": "raw", "tial": "raw", "read_artifact": "exempt", "dump": {"limit": 9}}}"#;
    let bench = Bench::with(Host::Generic, policies(said));
    let bench = bench.with_notices(move |notice| tell.send(notice.to_owned()).unwrap());
    for _ in 0..2 {
        let first = json!({"tools": [{"name": "tail"}], "nextCursor": "2"});
        listed(&bench, &json!({}), &first);
        listed(
            &bench,
            &json!({"cursor": "2"}),
            &json!({"tools": [{"name": "dump"}]}),
        );
    }
    let told = told.try_iter().collect::<Vec<_>>();
    insta::assert_snapshot!("tools_unknown", told.join("\n"));
}

#[test]
fn policies_for_tools_that_the_server_has_are_not_spoken_of() {
    let (tell, told) = std::sync::mpsc::channel();
    let bench = Bench::with(Host::Generic, policies(r#"{"tools": {"tail": "raw"}}"#));
    let bench = bench.with_notices(move |notice| tell.send(notice.to_owned()).unwrap());
    listed(&bench, &json!({}), &json!({"tools": [{"name": "tail"}]}));
    listed(&bench, &json!({}), &json!({"tools": []}));
    assert!(told.try_recv().is_err());
}

#[test]
fn the_added_tools_come_on_the_last_page_with_names_of_their_own() {
    let bench = Bench::new();
    let tool = |name: &str| json!({"name": name, "inputSchema": {}});
    let first = json!({"tools": [tool("read_artifact")], "nextCursor": "2"});
    assert_eq!(
        names(&listed(&bench, &json!({}), &first)),
        ["read_artifact"]
    );
    let second = json!({"tools": [tool("artifacts_list_artifacts")]});
    let second = listed(&bench, &json!({"cursor": "2"}), &second);
    let second = names(&second);
    assert_eq!(second[0], "artifacts_list_artifacts");
    assert!(
        second[1..]
            .iter()
            .all(|name| name.starts_with("artifacts3_")),
        "{second:?}"
    );
    assert!(observation(&bench).contains("call artifacts3_read_artifact or "));
    let answer = bench.own("tools/call", &json!({"name": "artifacts3_list_artifacts"}));
    assert!(
        answer["content"][0]["text"]
            .as_str()
            .unwrap()
            .contains("read_log-")
    );
    // The server's own tool is the server's to answer.
    let page = bench.call("read_artifact", &json!({"content": []}));
    assert_eq!(page, json!({"content": []}));
}

#[test]
fn the_tools_are_named_in_the_excerpt_once_they_are_listed() {
    let bench = Bench::new();
    assert!(!observation(&bench).contains("[to see more of it"));
    listed(&bench, &json!({}), &json!({"tools": []}));
    assert!(observation(&bench).contains(
        "\n[to see more of it, call read_artifact or search_artifact with that file name]\n"
    ));
}

#[test]
fn the_middle_of_a_result_is_found_with_the_tools_alone() {
    let bench = Bench::new();
    listed(&bench, &json!({}), &json!({"tools": []}));
    let shown = observation(&bench);
    assert!(!shown.contains("line 250 "));
    let name = bench.files().remove(0);
    let text = |name: &str, arguments: &Value| {
        let answer = bench.own("tools/call", &json!({"name": name, "arguments": arguments}));
        assert_eq!(answer.get("isError"), None);
        let text = answer["content"][0]["text"].as_str().unwrap().to_owned();
        assert!(text.len() <= 1_000, "{}", text.len());
        text
    };
    let found = text(
        "search_artifact",
        &json!({"name": name, "pattern": "line 250 "}),
    );
    assert!(found.contains("line 250 of the log"), "{found}");
    let read = text("read_artifact", &json!({"name": name, "lines": "249-251"}));
    assert!(read.ends_with("line 249 of the log\nline 250 of the log\nline 251 of the log\n"));
    let asked = json!({"name": name, "question": "Which line is 250 of the log?"});
    assert!(text("expand_artifact", &asked).contains("of the log"));
    // Of an answer nothing is stored, behind another proxy either.
    let page = json!({"name": name, "lines": "100-400"});
    let page = json!({"content": [{"type": "text", "text": text("read_artifact", &page)}]});
    let outer = Bench::new();
    assert_eq!(outer.call("inner_read_artifact", &page), page);
    let stored = bench.files().into_iter();
    assert_eq!(stored.filter(|file| file.ends_with(".txt")).count(), 1);
    assert_eq!(outer.files().len(), 0);
}

/// Knows the middle of the log.
#[derive(Debug)]
struct Middle;

impl Embedder for Middle {
    fn name(&self) -> &str {
        "middle 1"
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, Error> {
        let is_middle = |text: &&str| text.contains("250 of") || text.contains("halfway");
        let vector = |text| vec![f32::from(u8::from(is_middle(text))), 0.5];
        Ok(texts.iter().map(vector).collect())
    }
}

#[test]
fn a_question_in_other_words_is_answered_with_an_embedder() {
    let ask = |bench: &Bench| {
        listed(bench, &json!({}), &json!({"tools": []}));
        observation(bench);
        let name = bench.files().remove(0);
        let asked = json!({"name": name, "question": "Who stopped halfway?", "passages": 1});
        let call = json!({"name": "expand_artifact", "arguments": asked});
        let answer = bench.own("tools/call", &call);
        answer["content"][0]["text"].as_str().unwrap().to_owned()
    };
    let words = Bench::new();
    assert!(ask(&words).contains("line 1 of the log"), "nothing fits");
    let cached = |bench: &Bench| bench.files().iter().any(|file| file.ends_with(".cache"));
    assert!(!cached(&words));
    let meaning = Bench::new().with_embedder(Arc::new(Middle));
    let answer = ask(&meaning);
    // The chunk that line 250 is in; what of it is shown starts at its start.
    assert!(!answer.contains("line 1 of the log"), "{answer}");
    assert!(cached(&meaning));
}

#[test]
fn what_an_earlier_process_stored_is_read_with_and_without_its_log() {
    let bench = Bench::new();
    observation(&bench);
    let name = bench.files().remove(0);
    let check = || {
        let again = Bench::at(&bench, Host::Generic);
        let arguments = json!({"name": name, "lines": "250"});
        let answer = again.own(
            "tools/call",
            &json!({"name": "read_artifact", "arguments": arguments}),
        );
        let text = answer["content"][0]["text"].as_str().unwrap().to_owned();
        assert!(text.contains("line 250 of the log"), "{text}");
    };
    check();
    std::fs::remove_file(bench.path("run.calls")).unwrap();
    check();
}

#[test]
fn a_name_given_to_a_text_survives_a_restart() {
    let bench = Bench::new();
    let call = |bench: &Bench, tool: &str, arguments: Value| {
        let params = json!({"name": tool, "arguments": arguments});
        let answer = bench.own("tools/call", &params);
        answer["content"][0]["text"].as_str().unwrap().to_owned()
    };
    for content in ["the first plan", "the second plan"] {
        call(
            &bench,
            "store_artifact",
            json!({"content": content, "name": "plan"}),
        );
    }
    let again = Bench::at(&bench, Host::Generic);
    let read = call(&again, "read_artifact", json!({"name": "plan"}));
    assert!(read.ends_with("the second plan"), "{read}");
    let list = call(&again, "list_artifacts", json!({}));
    assert!(
        list.starts_with("[artifacts 1-2 of 2, 29 bytes in all]"),
        "{list}"
    );
    let dir = bench.path("run.artifacts");
    let found = artifacts_mcp::stored(&dir, "plan").unwrap();
    assert_eq!(found.bytes(), 15);
}

#[test]
fn a_name_means_what_another_process_gave_it_last() {
    let one = Bench::new();
    let two = Bench::at(&one, Host::Generic);
    let call = |bench: &Bench, tool: &str, arguments: Value| {
        let params = json!({"name": tool, "arguments": arguments});
        let answer = bench.own("tools/call", &params);
        answer["content"][0]["text"].as_str().unwrap().to_owned()
    };
    // Both know the directory before anything is named.
    for bench in [&one, &two] {
        call(bench, "list_artifacts", json!({}));
    }
    for (writer, content) in [
        (&one, "the first plan"),
        (&two, "the second plan"),
        (&one, "a third"),
    ] {
        let arguments = json!({"content": content, "name": "plan"});
        call(writer, "store_artifact", arguments);
        for reader in [&one, &two] {
            let read = call(reader, "read_artifact", json!({"name": "plan"}));
            assert!(read.ends_with(content), "{read}");
        }
    }
    let lists = [&one, &two].map(|bench| call(bench, "list_artifacts", json!({})));
    assert!(
        lists
            .iter()
            .all(|list| list.matches("named \"plan\"").count() == 1)
    );
}

#[test]
fn only_what_shows_an_artifact_counts_as_a_read() {
    let bench = Bench::new();
    let call = |tool: &str, arguments: Value| {
        bench.own("tools/call", &json!({"name": tool, "arguments": arguments}));
    };
    call("list_artifacts", json!({}));
    call(
        "store_artifact",
        json!({"content": "a plan", "name": "plan"}),
    );
    call("read_artifact", json!({"name": "another"}));
    assert!(!bench.path("run.calls").exists());
    call("read_artifact", json!({"name": "plan"}));
    let calls = std::fs::read_to_string(bench.path("run.calls")).unwrap();
    assert_eq!(calls.lines().count(), 1, "{calls}");
}

#[test]
fn a_server_without_tools_or_resources_has_those_added_here() {
    let bench = Bench::new();
    let answer = "\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}}";
    let line = bench.ask("initialize", &json!({}), answer);
    assert!(
        line.contains("\"capabilities\":{\"tools\":{},\"resources\":{}}"),
        "{line}"
    );
    let none = "\"error\":{\"code\":-32601,\"message\":\"Method not found\"}";
    let line = bench.ask("tools/list", &json!({}), none);
    let line = serde_json::from_str::<Value>(&line).unwrap();
    assert_eq!(line.get("error"), None);
    assert!(names(&line["result"]).contains(&"read_artifact"));
    let line = bench.ask("resources/list", &json!({}), none);
    assert!(line.contains("\"result\":{\"resources\":[]}"), "{line}");
    let line = bench.ask("resources/templates/list", &json!({}), none);
    assert!(line.contains("artifact://{name}"), "{line}");
}

#[test]
fn a_batch_is_split_between_the_server_and_us() {
    let bench = Bench::new();
    let line = br#"[{"id":1,"method":"tools/call","params":{"name":"list_artifacts"}},{"id":2,"method":"x"}]"#;
    let artifacts_mcp::FromClient::Split(Some(rest), questions) = bench.proxy.from_client(line)
    else {
        panic!("the batch is not split");
    };
    assert_eq!(rest, b"[{\"id\":2,\"method\":\"x\"}]\n");
    assert_eq!(questions.len(), 1);
}

#[test]
fn a_limit_too_small_for_answers_adds_no_tools() {
    let bench = Bench::with(Host::Generic, PolicyFile::uniform(policy(100)));
    let result = listed(&bench, &json!({}), &json!({"tools": []}));
    assert_eq!(names(&result), Vec::<&str>::new());
    assert!(!observation(&bench).contains("[to see more of it"));
}

#[test]
fn the_added_tools_may_begin_with_a_name_of_the_servers() {
    let bench = Bench::new().prefixed("files_");
    let tool = json!({"name": "files_read_artifact", "inputSchema": {}});
    let result = listed(&bench, &json!({}), &json!({"tools": []}));
    assert!(names(&result).iter().all(|name| name.starts_with("files_")));
    assert!(observation(&bench).contains("call files_read_artifact or files_search_artifact"));
    let result = listed(&bench, &json!({}), &json!({"tools": [tool]}));
    let own = &names(&result)[1..];
    assert!(
        own.iter().all(|name| name.starts_with("files_artifacts_")),
        "{own:?}"
    );
}
