//! Questions to an artifact, answered by their words (SPEC 7.2, 7.3).

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use artifacts_core::Limit;
use artifacts_fs::ArtifactDir;
use artifacts_search::{Embedder, Error, ErrorKind};
use loop_integration::{EmbeddingExpander, FoundPassage, LexicalExpander, ToolResult};
use serde_json::json;

use super::Agent;

fn agent() -> Agent {
    let mut agent = Agent::new(Limit::graphemes(16_384).unwrap());
    agent.tools = agent
        .tools
        .with_expander(Arc::new(LexicalExpander::default()));
    agent
}

/// A log with one line about a disk, not in the excerpt.
fn log() -> String {
    let mut log = String::new();
    for line in 1..=3_000 {
        match line {
            2_000 => writeln!(log, "{line:04} ERROR disk /dev/sdb1 is full").unwrap(),
            _ => writeln!(log, "{line:04} INFO request {line} was served").unwrap(),
        }
    }
    log
}

#[test]
fn where_nothing_fits_the_question_the_answer_says_so() {
    let agent = agent();
    agent.settle("op-1", ToolResult::success(log()));
    for question in ["Is there a xylophone?", ""] {
        let question = json!({"name": "op-1.txt", "question": question});
        let answer = agent.call("expand_artifact", &question);
        let line = answer.lines().next().unwrap();
        assert!(line.contains("; nothing fits the question: "), "{line}");
    }
}

#[test]
fn a_question_is_answered_with_the_passage_that_holds_the_answer() {
    let agent = agent();
    let settled = agent.settle("op-1", ToolResult::success(log()));
    assert!(!settled.observation().contains("/dev/sdb1"));
    let question = json!({"name": "op-1.txt", "question": "Which disk is full?"});
    let answer = agent.call("expand_artifact", &question);
    assert!(
        answer.starts_with("[op-1.txt: 3 passages, bytes "),
        "{answer}"
    );
    assert!(answer.contains("2000 ERROR disk /dev/sdb1 is full"));
    assert_eq!(answer.matches("\n\n---\n\n").count(), 2);
}

#[test]
fn as_many_passages_as_an_answer_has_room_for_are_within_the_budget() {
    let agent = agent();
    let _ = agent.settle("op-1", ToolResult::success(log()));
    let question = json!({"name": "op-1.txt", "question": "full disk", "passages": 20});
    let answer = agent.call("expand_artifact", &question);
    assert!(
        answer.starts_with("[op-1.txt: 20 passages, bytes "),
        "{answer}"
    );
    assert!(answer.contains("/dev/sdb1"));
    assert!(answer.len() < 13_000);
}

#[test]
fn the_best_passage_is_shown_where_there_is_room_for_one_and_read_at_its_place() {
    for limit in [512, 700, 2_000] {
        let mut agent = Agent::new(Limit::graphemes(limit).unwrap());
        agent.tools = agent
            .tools
            .with_expander(Arc::new(LexicalExpander::default()));
        let noise = b"\xFF\xE2\x82 noise\n".repeat(5_000);
        let fact = b"disk /dev/sdb1 is full\n";
        let _ = agent.settle(
            "op-1",
            ToolResult::success([&noise, &fact[..], &noise].concat()),
        );
        let question = json!({"name": "op-1", "question": "full disk", "passages": 20});
        let answer = agent.tools.call("expand_artifact", &question);
        assert!(answer.text().contains("/dev/sdb1"), "{}", answer.text());
        assert!(answer.text().len() <= limit as usize);
        let best = |passage: &&FoundPassage| passage.text.contains("/dev/sdb1");
        let best = answer.passages().iter().find(best).unwrap();
        let place = format!("{}-{}", best.bytes.start, best.bytes.end - 1);
        assert!(answer.text().contains(&place));
        let read = json!({"name": "op-1", "bytes": place, "encoding": "text"});
        let read = agent.call("read_artifact", &read);
        let (_, read) = read.split_once('\n').unwrap();
        // A page's first line is longer, so it may end before the passage does.
        assert!(!read.is_empty() && best.text.starts_with(read), "{read}");
    }
}

#[test]
fn bytes_that_are_no_text_and_an_unknown_name_have_an_answer() {
    let agent = agent();
    let bytes = [b"\xFF\xFE ", log().as_bytes()].concat();
    let settled = agent.settle("op-1", ToolResult::success(bytes));
    let name = settled.artifact().unwrap().name().to_string();
    let ask = |name: &str| json!({"name": name, "question": "disk"});
    assert!(
        agent
            .call("expand_artifact", &ask(&name))
            .contains("/dev/sdb1")
    );
    let unknown = agent.call("expand_artifact", &ask("op-9.txt"));
    assert!(unknown.contains("op-9.txt"), "{unknown}");
}

/// Knows what a volume is, and counts the texts that it was given.
#[derive(Debug, Default)]
struct Volumes {
    texts: AtomicUsize,
    fails: bool,
}

impl Embedder for Volumes {
    fn name(&self) -> &str {
        "volumes 1"
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, Error> {
        self.texts.fetch_add(texts.len(), Ordering::Relaxed);
        if self.fails {
            return Err(Error::new(ErrorKind::Embedder, "no model"));
        }
        let is_one = |text: &&str| text.contains("disk") || text.contains("volume");
        let vector = |text| vec![f32::from(u8::from(is_one(text))), 0.5];
        Ok(texts.iter().map(vector).collect())
    }
}

const IN_OTHER_WORDS: &str = "Which volume has no space?";

fn ask(agent: &Agent) -> String {
    let question = json!({"name": "op-1.txt", "question": IN_OTHER_WORDS, "passages": 1});
    agent.call("expand_artifact", &question)
}

#[test]
fn a_question_in_other_words_is_answered_and_the_vectors_are_kept_beside_the_artifact() {
    let mut agent = Agent::new(Limit::graphemes(16_384).unwrap());
    let dir = ArtifactDir::beside(&agent.run.transcript);
    let embedded = |embedder: &Arc<Volumes>| embedder.texts.swap(0, Ordering::Relaxed);
    let first = Arc::new(Volumes::default());
    let expander = EmbeddingExpander::new(first.clone()).with_cache(dir.clone());
    agent.tools = agent.tools.with_expander(Arc::new(expander));
    let _ = agent.settle("op-1", ToolResult::success(log()));
    assert!(ask(&agent).contains("/dev/sdb1"));
    assert!(embedded(&first) > 100, "every piece and the question");
    assert!(ask(&agent).contains("/dev/sdb1"));
    assert_eq!(embedded(&first), 1, "the question alone");
    assert_eq!(dir.usage().unwrap().caches.files, 1);

    // A restart has an embedder of the same name.
    let second = Arc::new(Volumes::default());
    let expander = EmbeddingExpander::new(second.clone()).with_cache(dir);
    agent.tools = agent.tools.with_expander(Arc::new(expander));
    assert!(ask(&agent).contains("/dev/sdb1"));
    assert_eq!(embedded(&second), 1);

    // A damaged cache is made again.
    let cache = agent
        .run
        .transcript
        .with_extension("artifacts")
        .join("op-1.txt.17bdd5a960f4d75a.cache");
    let cache = std::fs::File::options().write(true).open(cache).unwrap();
    cache.set_len(100).unwrap();
    assert!(ask(&agent).contains("/dev/sdb1"));
    assert!(embedded(&second) > 100);
    assert!(ask(&agent).contains("/dev/sdb1"));
    assert_eq!(embedded(&second), 1);
}

#[test]
fn without_a_cache_or_a_working_embedder_there_is_an_answer() {
    let mut agent = Agent::new(Limit::graphemes(16_384).unwrap());
    let _ = agent.settle("op-1", ToolResult::success(log()));
    let embedder = Arc::new(Volumes::default());
    agent.tools = agent
        .tools
        .with_expander(Arc::new(EmbeddingExpander::new(embedder)));
    assert!(ask(&agent).contains("/dev/sdb1"));
    let fails = Arc::new(Volumes {
        fails: true,
        ..Volumes::default()
    });
    let dir = ArtifactDir::beside(&agent.run.transcript);
    let expander = EmbeddingExpander::new(fails).with_cache(dir.clone());
    agent.tools = agent.tools.with_expander(Arc::new(expander));
    assert!(ask(&agent).starts_with("[op-1.txt: 1 passage, bytes "));
    assert_eq!(dir.usage().unwrap().caches.files, 0);
}

#[test]
fn a_cluster_larger_than_an_answer_is_shown_in_part() {
    let agent = agent();
    let _ = agent.settle(
        "op-1",
        ToolResult::success(format!("a{}", "\u{301}".repeat(100_000))),
    );
    let question = json!({"name": "op-1", "question": "a", "passages": 1});
    let answer = agent.call("expand_artifact", &question);
    let (line, text) = answer.split_once('\n').unwrap();
    let shown = format!(
        "[op-1.txt: 1 passage, bytes 0-{} of 200001;",
        text.len() - 1
    );
    assert!(line.starts_with(&shown), "{line}");
    assert!(text.len() > 8_000, "{}", text.len());
}
