use super::bin::{Folder, words};

const OPENAI: &str = r#"[
  {"role":"user","content":"List the files."},
  {"role":"assistant","tool_calls":[{"id":"c1","function":{"name":"ls","arguments":"{\"path\":\".\"}"}}]},
  {"role":"tool","tool_call_id":"c1","content":"a.txt b.txt c.txt"}
]"#;

#[test]
fn tool_text_is_capped_and_totals_go_to_standard_error() {
    let folder = Folder::new();
    folder.put("messages.json", OPENAI);
    let ran = folder.run(&["cap", "--cap", "5", "messages.json"]).ok();
    insta::assert_snapshot!("cap", ran.report());
    assert_eq!(folder.text("messages.json"), OPENAI);
}

#[test]
fn one_message_a_line_reads_as_an_array_does() {
    let folder = Folder::new();
    folder.put("messages.json", OPENAI);
    let values: Vec<serde_json::Value> = serde_json::from_str(OPENAI).unwrap();
    let lines: String = values.iter().map(|value| format!("{value}\n")).collect();
    let array = folder.run(&["cap", "messages.json"]).ok();
    let stream = folder.run_with(&["cap", "-"], lines.as_bytes()).ok();
    assert_eq!(array.stdout(), stream.stdout());
}

#[test]
fn a_transcript_gives_its_messages() {
    let folder = Folder::new();
    let line = r#"{"id":"1","payload":{"content":"0123456789","role":"tool","tool-call-id":"c1"},"ts":"2026-01-01T00:00:00.000000Z","type":"message","v":1}"#;
    let other = r#"{"id":"2","payload":{},"ts":"2026-01-01T00:00:00.000000Z","type":"tool-dispatched","v":1}"#;
    folder.put("run.jsonl", format!("{other}\n{line}\n"));
    let ran = folder
        .run(&["cap", "--cap", "4", "--json", "run.jsonl"])
        .ok();
    insta::assert_snapshot!("cap_transcript", ran.report());
}

#[test]
fn what_replay_prints_is_a_conversation() {
    let folder = Folder::new();
    let array = folder.run_with(&["cap"], OPENAI.as_bytes()).ok();
    let messages: serde_json::Value = serde_json::from_str(OPENAI).unwrap();
    for name in ["messages", "input"] {
        let body = serde_json::json!({ name: messages });
        for text in [format!("{body}\n"), format!("{body:#}")] {
            let ran = folder.run_with(&["cap"], text.as_bytes()).ok();
            assert_eq!(ran.stdout(), array.stdout());
        }
    }
    let body =
        serde_json::json!({"messages": messages, "system": [{"type": "text", "text": "Hi"}]});
    let ran = folder.run_with(&["cap"], body.to_string().as_bytes()).ok();
    assert_eq!(ran.stdout(), format!("[system]\nHi\n\n{}", array.stdout()));
    let gemini = r#"{"systemInstruction": {"parts": [{"text": "Hi"}]}, "contents": [
        {"role": "user", "parts": [{"functionResponse": {"name": "ls", "response": {"output": "a"}}}]}]}"#;
    let ran = folder.run_with(&["cap"], gemini.as_bytes()).ok();
    assert_eq!(ran.stdout(), "[system]\nHi\n\n[tool result]\na\n");
}

#[test]
fn arrays_and_messages_on_several_lines_are_read() {
    let folder = Folder::new();
    let array = folder.run_with(&["cap"], OPENAI.as_bytes()).ok();
    let values: Vec<serde_json::Value> = serde_json::from_str(OPENAI).unwrap();
    let pretty: String = values.iter().map(|value| format!("{value:#}\n")).collect();
    let arrays: String = values.iter().map(|value| format!("[{value}]\n")).collect();
    for text in [pretty, arrays] {
        let ran = folder.run_with(&["cap"], text.as_bytes()).ok();
        assert_eq!(ran.stdout(), array.stdout());
    }
}

#[test]
fn an_item_with_a_payload_is_a_message() {
    let item = r#"{"type":"function_call_output","call_id":"c","output":"a.txt","payload":{}}"#;
    let ran = Folder::new().run_with(&["cap"], item.as_bytes()).ok();
    assert_eq!(ran.stdout(), "[tool result c]\na.txt\n");
}

#[test]
fn a_torn_last_line_of_a_transcript_is_left_out_with_a_word() {
    let line = r#"{"id":"1","payload":{"content":"Hi","role":"user"},"ts":"2026-01-01T00:00:00.000000Z","type":"message","v":1}"#;
    let torn = format!("{line}\n{}", line.split_at(40).0);
    let ran = Folder::new().run_with(&["cap"], torn.as_bytes()).ok();
    insta::assert_snapshot!("cap_torn", ran.report());
}

#[test]
fn what_is_no_conversation_is_refused_with_its_place() {
    let folder = Folder::new();
    let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
    let cases = [
        "42".into(),
        "null".into(),
        "{}".into(),
        "\n\n{\"messages\": 7}".into(),
        "{\"role\": \"user\"}\n\"words\"\n".into(),
        "[{\"role\": \"user\"},\n [7]]".into(),
        "[\n{\"role\": \"user\"},\n{\"role\": oops}\n]".into(),
        "{\"role\": \"user\", \"content\": ".into(),
        format!("{{\"role\": \"user\", \"content\": {deep}}}"),
        r#"{"role": "user", "content": "\ud83d"}"#.into(),
    ];
    let reports = cases.map(|input: String| {
        let ran = folder.run_with(&["cap"], input.as_bytes()).fails_with(2);
        ran.report().to_string()
    });
    insta::assert_snapshot!("cap_refused", reports.join("\n"));
}

#[test]
fn bad_usage_and_input_say_what_to_do() {
    let folder = Folder::new();
    insta::assert_snapshot!(
        "cap_0",
        folder.run(&["cap", "--cap", "0"]).fails_with(2).report()
    );
    let ran = folder.run_with(&["cap"], b"{\"role\": \"user\"}\n{\"role\": oops}\n");
    insta::assert_snapshot!("cap_not_json", ran.fails_with(2).report());
}

#[test]
fn the_line_that_names_the_artifact_is_kept_on_request() {
    let folder = Folder::new();
    let settle = words("settle --session run.jsonl --op-id op-1 --limit 400");
    let text = (0..1_000).map(|line| format!("line {line}\n"));
    folder
        .run_with(&settle, text.collect::<String>().as_bytes())
        .ok();
    let cap = |args: &str| folder.run(&words(&format!("cap --cap 40 {args}")));
    assert!(!cap("run.jsonl").ok().stdout().contains("op-1.txt"));
    let kept = cap("--marker-lines run.jsonl").ok();
    insta::assert_snapshot!("cap_marker_lines", kept.report());
    let json = cap("--marker-lines --json run.jsonl").ok();
    assert!(json.stdout().contains("full result: op-1.txt"));
    folder.put("messages.json", OPENAI);
    let refused = cap("--marker-lines messages.json").fails_with(2);
    insta::assert_snapshot!("cap_marker_lines_of_what", refused.report());
    assert_eq!(
        cap("--marker-lines -").fails_with(2).report(),
        refused.report()
    );
    cap("--marker-lines").fails_with(2);
    cap("--marker-lines nowhere.jsonl").fails_with(3);
}

#[test]
fn the_text_ends_with_a_line_end() {
    let folder = Folder::new();
    let user = r#"{"role":"user","content":"no line end"}"#;
    let image = r#"{"role":"user","content":[{"type":"image"}]}"#;
    for (input, cap) in [(OPENAI, "5"), (OPENAI, "100"), (user, "5"), (image, "5")] {
        let ran = folder.run_with(&["cap", "--cap", cap], input.as_bytes());
        let ran = ran.ok();
        assert!(ran.stdout().ends_with('\n'), "{}", ran.report());
        assert!(!ran.stdout().ends_with("\n\n"), "{}", ran.report());
        let json = folder.run_with(&["cap", "--json", "--cap", cap], input.as_bytes());
        let json: serde_json::Value = serde_json::from_str(json.ok().stdout()).unwrap();
        let text = json["text"].as_str().unwrap();
        assert_eq!(
            text.trim_end_matches('\n'),
            ran.stdout().trim_end_matches('\n')
        );
    }
    assert_eq!(folder.run_with(&["cap"], b"[]").ok().stdout(), "");
}
