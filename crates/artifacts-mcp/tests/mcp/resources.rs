use artifacts_core::{ContentType, OpId};
use artifacts_fs::{ArtifactDir, ArtifactStore as _};
use artifacts_mcp::META_KEY;
use serde_json::{Value, json};

use super::bench::{Bench, log, observation};

#[test]
fn artifacts_are_resources_beside_the_servers_own() {
    let bench = Bench::new();
    observation(&bench);
    let name = bench.files().remove(0);
    let own = json!({"uri": "file:///a", "name": "a", "size": 1.0});
    let listed = |result: &Value| {
        let line = bench.ask(
            "resources/list",
            &json!({}),
            &format!("\"result\":{result}"),
        );
        serde_json::from_str::<Value>(&line).unwrap()["result"]["resources"].clone()
    };
    assert_eq!(
        listed(&json!({"resources": [own], "nextCursor": "2"})),
        json!([own])
    );
    let resources = listed(&json!({"resources": [own]}));
    assert_eq!(resources[0], own);
    assert_eq!(resources[1]["uri"], format!("artifact://{name}"));
    assert_eq!(resources[1]["size"], log(500).len());
    // Page by page, or whole.
    let mut uri = format!("artifact://{name}");
    let mut read = String::new();
    loop {
        let content = bench.own("resources/read", &json!({"uri": uri}))["contents"][0].clone();
        let text = content["text"].as_str().unwrap();
        assert!(text.len() <= 1_000);
        read.push_str(text);
        match content["_meta"][META_KEY]["next"].as_str() {
            Some(next) => uri = next.to_owned(),
            None => break,
        }
    }
    assert_eq!(read, log(500));
    let whole = bench.own(
        "resources/read",
        &json!({"uri": format!("artifact://{name}?whole")}),
    );
    assert_eq!(whole["contents"][0]["text"], log(500));
}

#[test]
fn a_resource_that_is_no_text_is_read_as_base64() {
    let bench = Bench::new();
    let store = ArtifactDir::at(bench.path("run.artifacts"));
    let op_id = OpId::new("op-1");
    let stored = store.store(&op_id, ContentType::Binary, b"foob\xFF");
    let uri = format!("artifact://{}", stored.unwrap().name());
    let read = bench.own("resources/read", &json!({"uri": uri}));
    assert_eq!(read["contents"][0]["blob"], "Zm9vYv8=");
    assert!(read["contents"][0]["text"].is_null());
}

#[test]
fn a_resource_that_is_not_there_is_the_servers_to_answer_or_a_typed_error() {
    let bench = Bench::new();
    for uri in [
        "artifact://gone.txt",
        "artifact://../run.calls",
        "artifact://",
    ] {
        let ask = |answer: &str| bench.ask("resources/read", &json!({"uri": uri}), answer);
        let servers = "\"error\":{\"code\":-32002,\"message\":\"mine\"}";
        assert!(ask(servers).contains("mine"));
        let none = "\"error\":{\"code\":-32601,\"message\":\"Method not found\"}";
        let answer = serde_json::from_str::<Value>(&ask(none)).unwrap();
        assert_eq!(answer["error"]["code"], -32002, "{answer}");
    }
    assert_eq!(
        bench.own("tools/call", &json!({"name": "read_artifact"}))["isError"],
        true
    );
}

#[test]
fn what_the_server_lists_is_the_servers_whatever_its_uri() {
    let bench = Bench::new();
    observation(&bench);
    let name = bench.files().remove(0);
    let ours = format!("artifact://{name}");
    let call = json!({"name": "store_artifact", "arguments": {"content": "a", "name": "plan"}});
    bench.own("tools/call", &call);
    let is_passed = |uri: &str| {
        let answer = "\"result\":{\"contents\":[]}";
        let request = json!({"id": 7, "method": "resources/read", "params": {"uri": uri}});
        let request = request.to_string();
        match bench.proxy.from_client(request.as_bytes()) {
            artifacts_mcp::FromClient::Pass => {
                let line = format!("{{\"id\":7,{answer}}}");
                assert_eq!(bench.answered(&line), line);
                true
            }
            _ => false,
        }
    };
    assert!(is_passed("artifact://servers-own"));
    assert!(!is_passed(&ours) && !is_passed("artifact://plan"));

    // A page that isn't the last counts as well.
    let page = json!({"resources": [{"uri": "artifact://plan", "name": "p"}], "nextCursor": "2"});
    bench.ask("resources/list", &json!({}), &format!("\"result\":{page}"));
    assert!(is_passed("artifact://plan") && !is_passed(&ours));

    // Under a template of the server's only a file's own name is surely ours.
    let template = json!({"resourceTemplates": [{"uriTemplate": "artifact://{id}", "name": "t"}]});
    let answer = format!("\"result\":{template}");
    bench.ask("resources/templates/list", &json!({}), &answer);
    let stem = name.strip_suffix(".txt").unwrap();
    assert!(is_passed(&format!("artifact://{stem}")) && !is_passed(&ours));

    let list = json!({"resources": [{"uri": ours, "name": "o"}]});
    let line = bench.ask("resources/list", &json!({}), &format!("\"result\":{list}"));
    assert_eq!(line.matches(&ours).count(), 1, "{line}");
    assert!(is_passed(&ours));
}
