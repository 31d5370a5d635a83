//! A large result from the command line to the replay (I1, I3, I4, I5, I10).

use sha2::{Digest as _, Sha256};

use super::bin::{Folder, steady, words};

/// About 400 KB; the token stands once, in the middle.
fn large() -> String {
    let mut text = String::new();
    for line in 0..8_000 {
        let token = if line == 4_000 { TOKEN } else { "" };
        text.push_str(&format!(
            "{line:05} the quick brown fox jumps over the dog {token}\n"
        ));
    }
    text
}

const TOKEN: &str = "c4f1e-only-in-the-middle";

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

fn settled() -> Folder {
    let folder = Folder::new();
    folder.put("large.txt", large());
    let args = words("settle --session run.jsonl --op-id op-1 --tool cat");
    let ran = folder.run(&[&args[..], &["large.txt"]].concat()).ok();
    folder.put("stdout", ran.0.stdout);
    folder
}

fn records(folder: &Folder) -> Vec<serde_json::Value> {
    let lines = folder.text("run.jsonl");
    lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn one_string_in_every_place() {
    let folder = settled();
    let observation = folder.text("stdout");
    let records = records(&folder);
    let types = records
        .iter()
        .map(|record| record["type"].as_str().unwrap());
    assert_eq!(
        types.collect::<Vec<_>>(),
        ["tool-dispatched", "message", "tool-settled"]
    );
    assert_eq!(records[1]["payload"]["content"], observation.as_str());
    let digest = &records[2]["payload"]["result-digest"];
    assert_eq!(*digest, sha256(observation.as_bytes()));
}

#[test]
fn the_artifact_is_the_result_and_the_marker_names_it() {
    let folder = settled();
    let artifact = folder.bytes("run.artifacts/op-1.txt");
    assert_eq!(artifact, large().as_bytes());
    let digest = sha256(&artifact);
    let observation = folder.text("stdout");
    let marker = format!("full result: op-1.txt sha256 {digest} ...]\n");
    assert!(observation.contains(&marker), "{observation}");
    assert_eq!(records(&folder)[2]["payload"]["artifact"]["digest"], digest);
    let chars = observation.chars().count();
    assert!(
        (16_384..17_000).contains(&chars),
        "{chars} characters are shown"
    );
}

#[test]
fn what_is_elided_is_nowhere_else() {
    let folder = settled();
    let holders = folder
        .files()
        .into_iter()
        .filter(|file| folder.text(file).contains(TOKEN))
        .collect::<Vec<_>>();
    assert_eq!(holders, ["large.txt", "run.artifacts/op-1.txt"]);
    let path = folder.as_ref().to_str().unwrap();
    for file in folder.files() {
        assert!(!folder.text(&file).contains(path), "{file} names a folder");
    }
}

#[test]
fn replay_needs_no_artifact() {
    let folder = settled();
    let replay = || {
        ["messages", "openai", "openai-responses", "anthropic"].map(|format| {
            let args = ["replay", "--session", "run.jsonl", "--format", format];
            folder.run(&args).ok().0.stdout
        })
    };
    let before = replay();
    assert_eq!(before, replay());
    folder.remove("run.artifacts");
    assert_eq!(before, replay());
}

#[test]
fn a_fitting_result_leaves_no_directory() {
    let folder = Folder::new();
    let args = ["settle", "--session", "run.jsonl", "--op-id", "op-1"];
    let ran = folder.run_with(&args, b"short").ok();
    assert_eq!(ran.stdout(), "short");
    assert_eq!(folder.files(), ["run.jsonl"]);
    insta::assert_snapshot!("transcript_fitting", steady(&folder.text("run.jsonl")));
}

#[test]
fn every_outcome_is_recorded() {
    let folder = Folder::new();
    let settle = ["settle", "--session", "run.jsonl", "--limit", "20"];
    let check = |id: &str, more: &[&str], stdin: &[u8]| {
        let args = [&settle[..], &["--op-id", id], more].concat();
        let ran = folder.run_with(&args, stdin).ok();
        insta::assert_snapshot!(format!("settle_{id}"), ran.report());
    };
    let long = "0123456789".repeat(100);
    check("stored", &["--tool", "cat", "--json"], long.as_bytes());
    check("failed", &["--error", "--json"], long.as_bytes());
    check("fitting", &["--json"], b"short");
    check("empty", &["--json"], b"");
    check("binary", &["--json"], &[0xFF; 1_000]);
    check("../../x", &["--json"], long.as_bytes());
    insta::assert_snapshot!(
        "transcript_of_every_outcome",
        steady(&folder.text("run.jsonl"))
    );
    let files = folder.files();
    assert!(files.iter().all(|file| !file.contains("..")), "{files:?}");
    let verified = folder.run(&["verify", "--session", "run.jsonl"]).ok();
    insta::assert_snapshot!("verify_sound", verified.report());
}

/// SPEC 5.1: answered but unsettled. The recorded observation stands, whatever is given then (I2).
#[test]
fn an_operation_stopped_before_its_settle_record_is_completed() {
    let folder = Folder::new();
    folder.put("a.txt", "what the tool printed");
    folder.put("b.txt", "something else");
    let settle = |file| ["settle", "--session", "run.jsonl", "--op-id", "op-1", file];
    folder.run(&settle("a.txt")).ok();
    let lines = folder.text("run.jsonl");
    let stopped = lines.split_inclusive('\n').take(2).collect::<String>();
    folder.put("run.jsonl", &stopped);

    let completed = folder.run(&settle("b.txt")).ok();
    assert_eq!(completed.stdout(), "what the tool printed");
    insta::assert_snapshot!("completed", completed.report());
    let settled = folder.run(&["verify", "--session", "run.jsonl"]).ok();
    assert!(settled.stdout().contains("1 operation, 0 pending"));
    folder.run(&settle("b.txt")).fails_with(2);
}

/// The digits of a double tell which one it is; a reader that takes its neighbour changes digests
/// and requests with every restart.
#[test]
fn numbers_are_replayed_as_they_were_written() {
    // A fixed sequence of all kinds of bits (Knuth's MMIX generator).
    let bits = std::iter::successors(Some(1_u64), |bits| {
        Some(
            bits.wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407),
        )
    });
    let doubles = bits.map(f64::from_bits).filter(|double| double.is_finite());
    let lines = doubles.take(2_000).enumerate().map(|(index, double)| {
        format!(
            r#"{{"id":"m-{index}","payload":{{"content":"","role":"user","x":{}}},"ts":"2026-08-10T12:34:56.000001Z","type":"message","v":1}}"#,
            serde_json::Value::from(double)
        )
    });
    let lines = lines.collect::<Vec<_>>();
    let folder = Folder::new();
    folder.put("run.jsonl", format!("{}\n", lines.join("\n")));
    let replay = folder.run(&words("replay --session run.jsonl")).ok();
    let payload = |line: &String| {
        let (_, rest) = line.split_once(r#""payload":"#).unwrap();
        rest.split_once(r#","ts""#).unwrap().0.to_owned()
    };
    let payloads = lines.iter().map(payload).collect::<Vec<_>>();
    let expected = format!("{{\"messages\":[{}]}}", payloads.join(","));
    assert_eq!(replay.stdout().trim_end(), expected);
}
