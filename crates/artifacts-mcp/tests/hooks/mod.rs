//! The inputs are what Claude Code 2.1.332 and Codex 0.171.0 hand their hooks, with the folder and
//! the long texts taken out.

mod claude_code;
mod codex;

use artifacts_core::Hint;
use artifacts_mcp::{Hook, HookAnswer};
use serde_json::Value;
use tempfile::TempDir;

/// A folder with a session's transcript.
struct Session {
    folder: TempDir,
    hook: Hook,
}

impl Session {
    fn new() -> Self {
        let hint = Hint::commands(["artifacts read", "artifacts search"]).unwrap();
        Self {
            folder: tempfile::tempdir().unwrap(),
            hook: Hook::default().with_hint(hint),
        }
    }

    /// A recorded input with its folder and texts filled in.
    fn answer(&self, recorded: &str, texts: &[(&str, &str)]) -> HookAnswer {
        let mut input = serde_json::from_str::<Value>(recorded).unwrap();
        let folder = self.folder.path().to_str().unwrap();
        fill(&mut input, &|text| {
            let mut text = text.replace("FOLDER", folder);
            for (name, filled) in texts {
                text = text.replace(name, filled);
            }
            text
        });
        self.hook.answer(&input.to_string()).unwrap()
    }

    fn output(&self, recorded: &str, texts: &[(&str, &str)]) -> Value {
        let answer = self.answer(recorded, texts);
        assert_eq!(answer.notice(), None);
        serde_json::from_str(answer.output()).unwrap()
    }

    /// The artifacts' names and bytes.
    fn artifacts(&self) -> Vec<(String, Vec<u8>)> {
        let Ok(entries) = std::fs::read_dir(self.folder.path().join("session.artifacts")) else {
            return Vec::new();
        };
        let entries = entries.map(|entry| {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            (name, std::fs::read(entry.path()).unwrap())
        });
        entries.collect()
    }
}

fn fill(value: &mut Value, with: &dyn Fn(&str) -> String) {
    match value {
        Value::String(text) => *text = with(text),
        Value::Array(items) => items.iter_mut().for_each(|item| fill(item, with)),
        Value::Object(members) => members.values_mut().for_each(|member| fill(member, with)),
        _ => {}
    }
}

/// Larger than any host's limit.
fn log() -> String {
    (1..=4_000)
        .map(|line| format!("line {line} of the log\n"))
        .collect()
}

/// A text without the lines between the first and the last three.
fn ends(text: &str) -> String {
    let lines = text.lines().collect::<Vec<_>>();
    let marker = lines
        .iter()
        .position(|line| line.starts_with("[... elided"))
        .unwrap();
    let mut shown = lines[..2].join("\n");
    shown.push_str("\n(more lines)\n");
    shown.push_str(&lines[marker..marker + 2].join("\n"));
    shown.push_str("\n(more lines)\n");
    shown.push_str(lines[lines.len() - 1]);
    shown
}

#[test]
fn a_byte_order_mark_before_the_input_is_no_part_of_it() {
    let answer = Hook::default().answer("\u{FEFF}{}").unwrap();
    assert_eq!(answer.output(), "{}");
}

/// The JSON examples of a section of the manual.
fn examples(heading: &str) -> Vec<Value> {
    let manual = include_str!("../../../../docs/agents.md");
    let (_, section) = manual.split_once(heading).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let section = section.split("\n### ").next().unwrap();
    let blocks = section.split("```json\n").skip(1);
    let blocks = blocks.map(|block| block.split_once("```").unwrap().0);
    blocks
        .map(|block| serde_json::from_str(block).unwrap())
        .collect()
}

/// The value with every text and number alike.
fn shape(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(shape).collect(),
        Value::Object(members) => {
            let members = members.iter();
            let members = members.map(|(name, value)| (name.clone(), shape(value)));
            Value::Object(members.collect())
        }
        Value::String(_) => "text".into(),
        Value::Number(_) => 0.into(),
        other => other.clone(),
    }
}

#[test]
fn the_manual_shows_what_was_recorded_and_what_is_answered() {
    let claude_code = include_str!("inputs/claude_code_bash_persisted.json");
    let codex = include_str!("inputs/codex_mcp.json");
    for (heading, recorded, text) in [
        (
            "### Claude Code (recorded with 2.1.332)",
            claude_code,
            "STDOUT",
        ),
        ("### Codex (recorded with 0.171.0)", codex, "TEXT"),
    ] {
        let examples = examples(heading);
        let input = serde_json::from_str::<Value>(recorded).unwrap();
        assert_eq!(shape(&examples[0]), shape(&input), "{heading}");
        let output = Session::new().output(recorded, &[(text, &log())]);
        assert_eq!(shape(&examples[1]), shape(&output), "{heading}");
    }
}
