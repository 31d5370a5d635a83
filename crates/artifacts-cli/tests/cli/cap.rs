use super::bin::Folder;

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
fn bad_usage_and_input_say_what_to_do() {
    let folder = Folder::new();
    insta::assert_snapshot!(
        "cap_0",
        folder.run(&["cap", "--cap", "0"]).fails_with(2).report()
    );
    let ran = folder.run_with(&["cap"], b"{}\n{\"role\": oops}\n");
    insta::assert_snapshot!("cap_not_json", ran.fails_with(2).report());
}
