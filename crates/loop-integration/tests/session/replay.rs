//! I4, P6, T13: the next request follows from the transcript alone.

use std::collections::BTreeMap;

use artifacts_core::Rendering;
use loop_integration::{
    Ending, Format, Message, Session, Settler, ToolCall, ToolResult, Transcript, fork,
};
use serde_json::json;
use serde_json::value::RawValue;

use crate::support::{Run, huge, operation, shape, ticking};

const RENDERINGS: [Rendering; 4] = [
    Rendering::Excerpt,
    Rendering::Pointer,
    Rendering::HeadNote,
    Rendering::Header,
];

const FORMATS: [Format; 4] = [
    Format::Messages,
    Format::OpenAiChat,
    Format::OpenAiResponses,
    Format::Anthropic,
];

fn turn(session: &Session, number: usize) {
    let calls = [0, 1].map(|n| {
        ToolCall::new(
            format!("call_{}", number * 2 + n),
            "bash",
            json!({"z": 1, "a": [number]}),
        )
    });
    session
        .push(Message::assistant(format!("turn {number}")).with_tool_calls(calls))
        .unwrap();
    let image = json!({"type": "image", "data": "aGk=", "mimeType": "image/png"});
    let results = [
        ToolResult::success(format!("{number}\n{}", huge())),
        ToolResult::error("no such file").with_parts([image]),
    ];
    for (n, result) in results.into_iter().enumerate() {
        session.settle(&operation(number * 2 + n), result).unwrap();
    }
}

#[test]
fn a_replay_is_byte_stable_over_20_turns_with_the_configuration_changed() {
    let run = Run::new();
    let mut before = vec![Vec::new(); 4];
    for number in 0..20 {
        let limit = 60 + number as u64 * 13;
        let shape = shape(limit).with_rendering(RENDERINGS[number % 4]);
        let session = run.session_with(shape);
        if number == 0 {
            session.push(Message::system("Be brief.")).unwrap();
            session.push(Message::user("go")).unwrap();
        }
        turn(&session, number);
        for (before, format) in before.iter_mut().zip(FORMATS) {
            let now = sent(&session.transcript(), format);
            // What was sent is how everything sent later begins: a prompt cache holds.
            assert!(now.starts_with(before), "{format:?}, turn {number}");
            *before = now;
        }
    }
    for (before, format) in before.iter().zip(FORMATS) {
        let loaded = Transcript::load(&run.transcript).unwrap();
        assert_eq!(&sent(&loaded, format), before);
    }
}

/// Each message of the request, as its bytes.
fn sent(transcript: &Transcript, format: Format) -> Vec<String> {
    let request: BTreeMap<String, Vec<Box<RawValue>>> =
        serde_json::from_str(&transcript.replay(format).to_string()).unwrap();
    let messages = request.get("messages").or(request.get("input")).unwrap();
    messages
        .iter()
        .map(|message| message.get().to_owned())
        .collect()
}

#[test]
fn each_format_is_as_its_provider_takes_it() {
    let run = Run::new();
    let session = run.session();
    session.push(Message::system("Be brief.")).unwrap();
    session.push(Message::user("go")).unwrap();
    turn(&session, 0);
    let background = ToolResult::success(huge()).in_background("<done task=\"1\">\n", "\n</done>");
    session.settle(&operation(7), background).unwrap();
    session.outcome_unknown(&operation(8)).unwrap();
    for format in FORMATS {
        let replay = session.transcript().replay(format);
        let pretty: serde_json::Value = serde_json::from_str(&replay.to_string()).unwrap();
        insta::assert_snapshot!(
            format!("{format:?}"),
            serde_json::to_string_pretty(&pretty).unwrap()
        );
    }
}

#[test]
fn an_error_without_text_says_something_to_a_provider_that_refuses_empty_errors() {
    let run = Run::new();
    let session = run.session_with(shape(60));
    let call = |number| ToolCall::new(format!("call_{number}"), "bash", json!({}));
    let calls = [call(0), call(1)];
    session
        .push(Message::assistant("").with_tool_calls(calls))
        .unwrap();
    session
        .settle(&operation(0), ToolResult::error(""))
        .unwrap();
    session
        .settle(&operation(1), ToolResult::success(""))
        .unwrap();
    let replay = session.transcript().replay(Format::Anthropic);
    let results = &replay.as_value()["messages"][1]["content"];
    assert_eq!(results[0]["content"], "(no text)");
    assert_eq!(results[1]["content"], "");
    let messages = session.transcript().replay(Format::Messages);
    assert_eq!(messages.as_value()["messages"][1]["content"], "");
}

#[test]
fn a_fork_that_fails_leaves_no_transcript_and_can_be_tried_again() {
    let run = Run::new();
    turn(&run.session(), 0);
    let forked = run.folder.path().join("forked.jsonl");
    let in_the_way = run.folder.path().join("forked.artifacts");
    std::fs::write(&in_the_way, "no directory").unwrap();
    assert!(fork(&run.transcript, &forked).is_err());
    std::fs::remove_file(&in_the_way).unwrap();
    let names = std::fs::read_dir(run.folder.path()).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name());
    assert!(
        names
            .into_iter()
            .all(|name| name == "run.jsonl" || name == "run.artifacts"),
        "something is left"
    );
    assert!(fork(&run.transcript, &forked).unwrap().is_whole());
}

#[test]
fn a_moved_and_a_forked_run_replay_and_audit_as_the_first() {
    let run = Run::new();
    let session = run.session();
    (0..3).for_each(|number| turn(&session, number));
    let expected = session.transcript().replay(Format::OpenAiChat).to_string();
    drop(session);

    let forked = run.folder.path().join("forked.jsonl");
    assert!(fork(&run.transcript, &forked).unwrap().is_whole());
    assert!(
        fork(&run.transcript, &forked).is_err(),
        "a fork replaces nothing"
    );
    let moved = run.folder.path().join("elsewhere");
    std::fs::create_dir(&moved).unwrap();
    for name in ["run.jsonl", "run.artifacts"] {
        std::fs::rename(run.folder.path().join(name), moved.join(name)).unwrap();
    }
    for path in [forked, moved.join("run.jsonl")] {
        let transcript = Transcript::load(&path).unwrap();
        assert_eq!(transcript.replay(Format::OpenAiChat).to_string(), expected);
        let store = artifacts_fs::ArtifactDir::beside(&path);
        let audit = loop_integration::audit(transcript.places(), Some(&store));
        assert_eq!(
            (audit.operations(), audit.artifacts(), audit.is_clean()),
            (6, 3, true)
        );
        let session = Session::open(&path, Settler::new(shape(3)), ticking()).unwrap();
        let mut stream = session.stream(&operation(99)).unwrap();
        stream.write(b"on");
        stream.finish(Ending::Success).unwrap();
    }
}

#[test]
fn an_audit_finds_an_altered_artifact() {
    let run = Run::new();
    turn(&run.session(), 0);
    let path = run.folder.path().join("run.artifacts/op-0.txt");
    let altered = huge().replace("MIDDLE", "ALTER!");
    std::fs::write(&path, format!("0\n{altered}")).unwrap();
    let store = artifacts_fs::ArtifactDir::beside(&run.transcript);
    let transcript = Transcript::load(&run.transcript).unwrap();
    let audit = loop_integration::audit(transcript.places(), Some(&store));
    insta::assert_snapshot!(audit.findings()[0].to_string());
}
