//! `--embeddings`, with a model of a few words: where it helps the answer is another one.

#[path = "../../../artifacts-search/tests/support/model.rs"]
mod model;

use serde_json::{Value, json};

use super::bin::{Folder, words};
use model::Model;

const FACT: &str = "The physician prescribed a remedy.\n";

const QUESTION: &str = "Which medicine did the doctor give?";

fn report() -> String {
    let filler = "The committee met again and nothing was decided.\n".repeat(400);
    [&filler, FACT, &filler, &filler].concat()
}

fn caches(folder: &Folder) -> usize {
    let files = folder.files();
    files.iter().filter(|file| file.ends_with(".cache")).count()
}

#[test]
fn a_question_in_other_words_has_another_answer_with_embeddings() {
    let folder = Folder::new();
    Model::new().write(&folder.path("model"));
    let args = words("settle --session run.jsonl --op-id op-1 --limit 10");
    folder.run_with(&args, report().as_bytes()).ok();
    let ask = |question: &str, more: &[&str]| {
        let args = [
            "expand",
            "op-1",
            question,
            "--session",
            "run.jsonl",
            "-k",
            "1",
        ];
        folder.run(&[&args, more].concat()).ok().stdout().to_owned()
    };
    let with = ["--embeddings", "model"];
    assert!(!ask(QUESTION, &[]).contains(FACT));
    assert_eq!(caches(&folder), 0);
    for _ in 0..2 {
        assert!(ask(QUESTION, &with).contains(FACT));
        assert_eq!(caches(&folder), 1, "kept, and read the second time");
    }
    // Where the words are found, the two are the same.
    let words = "Who prescribed a remedy?";
    assert_eq!(ask(words, &with), ask(words, &[]));

    // Another model has vectors of its own: to this one a physician means nothing.
    let mut other = Model::new();
    let last = other.tensors[0].3.len() / 7;
    other.tensors[0].3[2 * last..3 * last].fill(0);
    other.tensors[0].3[4 * last..5 * last].fill(0);
    other.write(&folder.path("other"));
    assert!(!ask(QUESTION, &["--embeddings", "other"]).contains(FACT));
    assert_eq!(caches(&folder), 2);
    assert!(ask(QUESTION, &with).contains(FACT));
}

#[cfg(unix)]
#[test]
fn the_proxys_tool_answers_in_other_words_with_embeddings() {
    let server = {
        let result = json!({"content": [{"type": "text", "text": report()}]});
        format!(
            "while read -r line; do id=${{line#*:}}; id=${{id%%,*}}; \
             printf '{{\"id\":%s,\"result\":%s}}\\n' \"$id\" '{result}'; done"
        )
    };
    let request = |id: u64, tool: &str, arguments: Value| {
        let params = json!({"name": tool, "arguments": arguments});
        format!("{{\"id\":{id},\"method\":\"tools/call\",\"params\":{params}}}\n")
    };
    let folder = Folder::new();
    Model::new().write(&folder.path("model"));
    let run = |more: &[&str], request: String| -> Value {
        let args = ["mcp", "--dir", "kept"];
        let args = [&args, more, &["--", "sh", "-c", &server]].concat();
        let ran = folder.run_with(&args, request.as_bytes()).ok();
        serde_json::from_str(ran.stdout().lines().next().unwrap()).unwrap()
    };
    let stored = run(&[], request(1, "report", json!({})));
    let file = &stored["result"]["_meta"]["dev.tool-artifacts/artifact"]["file"];
    let ask = |more: &[&str]| {
        let arguments = json!({"name": file, "question": QUESTION, "passages": 1});
        run(more, request(2, "expand_artifact", arguments))
    };
    let text = |answer: &Value| answer["result"]["content"][0]["text"].to_string();
    let fact = FACT.trim_end();
    assert!(!text(&ask(&[])).contains(fact));
    let answer = ask(&["--embeddings", "model"]);
    assert!(text(&answer).contains(fact), "{answer}");
    let place = &answer["result"]["_meta"]["dev.tool-artifacts/passages"][0]["bytes"];
    let (start, end) = (place[0].as_u64().unwrap(), place[1].as_u64().unwrap());
    let report = report();
    let shown = report.get(start as usize..end as usize).unwrap();
    assert!(shown.contains(FACT));
}
