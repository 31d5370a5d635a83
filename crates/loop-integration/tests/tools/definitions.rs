//! What is registered: a fixed number of tools, whose schemas say what they take (SPEC 6.1).

use std::sync::Arc;

use artifacts_core::{ContentType, Limit, OpId};
use artifacts_fs::{ArtifactStore as _, Index, MemoryStore, OpenArtifact};
use loop_integration::{ArtifactTools, ErrorKind, Expander, FoundPassage, Naming};
use serde_json::{Value, json};

fn tools() -> ArtifactTools {
    let limit = Limit::graphemes(2_000).unwrap();
    ArtifactTools::new(Arc::new(MemoryStore::default()), Index::default(), limit)
        .unwrap()
        .with_expander(Arc::new(FirstWords))
}

/// Takes the first words as the passages, of which the longer fit better.
#[derive(Debug)]
struct FirstWords;

impl Expander for FirstWords {
    fn passages(
        &self,
        artifact: &OpenArtifact,
        _question: &str,
        most: usize,
        _max_bytes: usize,
    ) -> Result<Vec<FoundPassage>, artifacts_fs::Error> {
        let page = artifact.page(0..artifact.bytes(), 1_000_000)?;
        let text = String::from_utf8_lossy(page.bytes()).into_owned();
        let mut at = 0;
        let found = text.split(' ').take(most).map(|word| {
            let start = at;
            at += word.len() as u64 + 1;
            FoundPassage {
                text: word.to_owned(),
                bytes: start..start + word.len() as u64,
                score: word.len() as f64,
            }
        });
        Ok(found.collect())
    }
}

#[test]
fn definitions_are_fixed() {
    let definitions: Vec<_> = tools()
        .definitions()
        .iter()
        .map(|tool| {
            json!({
                "name": tool.name(),
                "description": tool.description(),
                "input_schema": tool.input_schema(),
            })
        })
        .collect();
    insta::assert_snapshot!(serde_json::to_string_pretty(&definitions).unwrap());
}

#[test]
fn a_schema_names_exactly_what_its_tool_takes() {
    let tools = tools();
    for tool in tools.definitions() {
        let schema = tool.input_schema();
        assert_eq!(schema["type"], "object");
        assert_eq!(schema["additionalProperties"], false);
        let properties = schema["properties"].as_object().unwrap();
        let example = |property: &Value| match property["type"].as_str().unwrap() {
            "string" => match property.get("enum") {
                Some(values) => values[0].clone(),
                None => json!("1"),
            },
            "integer" => json!(1),
            "boolean" => json!(true),
            other => panic!("no example of {other}"),
        };
        for (name, property) in properties {
            let mut arguments = serde_json::Map::new();
            for required in schema["required"].as_array().unwrap() {
                let required = required.as_str().unwrap();
                arguments.insert(required.into(), example(&properties[required]));
            }
            arguments.insert(name.clone(), example(property));
            let answer = tools.call(tool.name(), &arguments.clone().into());
            assert!(!answer.is_error(), "{}", answer.text());
            arguments.insert("other".into(), json!(1));
            let answer = tools.call(tool.name(), &arguments.into());
            assert!(
                answer.text().contains("unknown field `other`"),
                "{}",
                answer.text()
            );
        }
        for required in schema["required"].as_array().unwrap() {
            let answer = tools.call(tool.name(), &json!({}));
            assert!(answer.is_error(), "{required} is required");
        }
    }
}

/// Calls as models make them; each is let through by the schema and answered.
const GOOD: &[(&str, &str)] = &[
    ("read_artifact", r#"{"name":"plan"}"#),
    ("read_artifact", r#"{"name":"plan","lines":"1-2"}"#),
    (
        "read_artifact",
        r#"{"name":"plan","bytes":"0-","from_end":true}"#,
    ),
    (
        "read_artifact",
        r#"{"name":"plan","chars":"3","encoding":"base64"}"#,
    ),
    ("read_artifact", r#"{"name":"plan","describe":true}"#),
    ("get_artifact", r#"{"name":"plan"}"#),
    ("list_artifacts", "{}"),
    ("list_artifacts", r#"{"from":2}"#),
    ("search_artifact", r#"{"name":"plan","pattern":"^a+$"}"#),
    (
        "search_artifact",
        r#"{"name":"plan","pattern":"A","ignore_case":true,"context":2,"max_matches":500,"bytes":"4-"}"#,
    ),
    (
        "expand_artifact",
        r#"{"name":"plan","question":"why?","passages":100}"#,
    ),
    (
        "store_artifact",
        r#"{"content":"","name":"x","media_type":"application/json"}"#,
    ),
];

/// Calls that the schema stops and that are refused all the same.
const BAD: &[(&str, &str)] = &[
    ("read_artifact", "{}"),
    ("read_artifact", "[]"),
    ("read_artifact", r#"{"name":7}"#),
    ("read_artifact", r#"{"name":"plan","lines":{"from":1}}"#),
    ("read_artifact", r#"{"name":"plan","encoding":"hex"}"#),
    ("read_artifact", r#"{"name":"plan","from_end":"yes"}"#),
    ("read_artifact", r#"{"name":"plan","path":"/etc/passwd"}"#),
    ("get_artifact", r#"{"name":null}"#),
    ("list_artifacts", r#"{"from":"first"}"#),
    ("search_artifact", r#"{"name":"plan"}"#),
    (
        "search_artifact",
        r#"{"name":"plan","pattern":"a","max_matches":"many"}"#,
    ),
    ("expand_artifact", r#"{"name":"plan","question":["why?"]}"#),
    ("store_artifact", r#"{"name":"x"}"#),
];

#[test]
fn a_validator_lets_good_calls_pass_and_stops_bad_ones() {
    let tools = tools();
    let content = "a\nbb\nccc\n".repeat(20);
    let stored = tools.call(
        "store_artifact",
        &json!({"content": content, "name": "plan"}),
    );
    assert!(!stored.is_error());
    let definitions = tools.definitions();
    for (calls, is_good) in [(GOOD, true), (BAD, false)] {
        for (name, arguments) in calls {
            let definition = definitions
                .iter()
                .find(|tool| tool.name() == *name)
                .unwrap();
            let arguments: Value = serde_json::from_str(arguments).unwrap();
            let schema = definition.input_schema();
            assert!(jsonschema::meta::is_valid(schema), "{name}");
            let is_valid = jsonschema::is_valid(schema, &arguments);
            assert_eq!(is_valid, is_good, "{name} {arguments}");
            let answer = tools.call(name, &arguments);
            assert_eq!(
                !answer.is_error(),
                is_good,
                "{name} {arguments}: {}",
                answer.text()
            );
        }
    }
    let called = |name: &str| GOOD.iter().any(|(tool, _)| *tool == name);
    assert!(definitions.iter().all(|tool| called(tool.name())));
}

#[test]
fn the_hint_and_the_answers_use_the_registered_names() {
    let tools = tools()
        .with_naming(Naming::CamelCase)
        .with_prefix("artifacts_");
    assert_eq!(
        tools.hint().to_string(),
        "[to see more of it, call artifacts_readArtifact or artifacts_searchArtifact with that file name]"
    );
    let content = "x".repeat(5_000);
    let stored = tools.call(
        "artifacts_storeArtifact",
        &json!({"content": content, "name": "x"}),
    );
    assert!(!stored.is_error());
    let answer = tools.call("artifacts_getArtifact", &json!({"name": "x"}));
    assert!(
        answer.text().contains("; next: artifacts_readArtifact {"),
        "{}",
        answer.text()
    );
    assert!(tools.call("read_artifact", &json!({})).is_error());
}

#[test]
fn properties_are_spelt_as_the_tools_are_and_taken_in_either_spelling() {
    let tools = tools().with_naming(Naming::CamelCase);
    let names: Vec<String> = tools
        .definitions()
        .iter()
        .flat_map(|tool| {
            tool.input_schema()["properties"]
                .as_object()
                .unwrap()
                .clone()
        })
        .map(|(name, _)| name)
        .filter(|name| name.contains('_') || name.contains(char::is_uppercase))
        .collect();
    assert_eq!(names, ["fromEnd", "ignoreCase", "maxMatches", "mediaType"]);
    let stored = json!({"content": "one\ntwo\n", "name": "x", "mediaType": "text/plain"});
    assert!(!tools.call("storeArtifact", &stored).is_error());
    for spelling in ["fromEnd", "from_end"] {
        let last = json!({"name": "x", "lines": "1", spelling: true});
        let answer = tools.call("readArtifact", &last);
        assert!(answer.text().ends_with("\ntwo\n"), "{}", answer.text());
    }
    for (case, most) in [("ignoreCase", "maxMatches"), ("ignore_case", "max_matches")] {
        let search = json!({"name": "x", "pattern": "O", case: true, most: 1});
        let answer = tools.call("searchArtifact", &search);
        assert!(
            answer.text().contains("1 of 2 matches"),
            "{}",
            answer.text()
        );
    }
}

#[test]
fn without_an_expander_there_is_no_such_tool() {
    let limit = Limit::graphemes(2_000).unwrap();
    let store = Arc::new(MemoryStore::default());
    let tools = ArtifactTools::new(store, Index::default(), limit).unwrap();
    assert_eq!(tools.definitions().len(), 5);
    assert!(!tools.has("expand_artifact"));
}

#[test]
fn the_best_passages_that_fit_are_shown_with_their_places() {
    let store = Arc::new(MemoryStore::default());
    let index = Index::default();
    let text = format!("a three {} {} seven", "x".repeat(900), "y".repeat(800));
    let stored = store
        .store(&OpId::new("op-1"), ContentType::Text, text.as_bytes())
        .unwrap();
    index.add((&stored).into(), None);
    let tools = ArtifactTools::new(store, index, Limit::graphemes(2_000).unwrap())
        .unwrap()
        .with_expander(Arc::new(FirstWords));
    let expand = |passages: u64| {
        let arguments = json!({"name": "op-1.txt", "question": "?", "passages": passages});
        tools.call("expand_artifact", &arguments)
    };
    assert_eq!(
        expand(2).text(),
        "[op-1.txt: 2 passages, bytes 0-0, 2-6 of 1715]\na\n\n---\n\nthree"
    );
    let answer = expand(5);
    let line = "[op-1.txt: 1 of 5 passages, as many as fit, bytes 8-907 of 1715]";
    assert_eq!(answer.text().lines().next(), Some(line));
    let [only] = answer.passages() else {
        panic!("{:?}", answer.passages());
    };
    assert_eq!((only.bytes.clone(), only.score), (8..908, 900.0));
    assert!(
        tools
            .call("list_artifacts", &json!({}))
            .passages()
            .is_empty()
    );
}

#[test]
fn a_limit_too_small_for_an_answer_is_refused() {
    let limit = Limit::graphemes(511).unwrap();
    let error = ArtifactTools::new(Arc::new(MemoryStore::default()), Index::default(), limit);
    let error = error.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
    assert_eq!(
        error.to_string(),
        "limit of the retrieval tools must be at least 512 bytes, got 511: raise it or leave the tools out"
    );
}
