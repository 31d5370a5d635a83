//! A command as a tool.
#![cfg(unix)]

use super::bin::{Folder, words};

fn run(folder: &Folder, script: &str) -> super::bin::Ran {
    let args = [
        "run",
        "--session",
        "run.jsonl",
        "--limit",
        "20",
        "--",
        "sh",
        "-c",
        script,
    ];
    folder.run(&args)
}

#[test]
fn a_fitting_output_is_printed_and_recorded() {
    let folder = Folder::new();
    insta::assert_snapshot!(
        "run_fitting",
        run(&folder, "echo out; echo err >&2").ok().report()
    );
    assert_eq!(folder.files(), ["run.jsonl"]);
}

#[test]
fn a_large_output_is_stored_and_the_way_to_it_told() {
    let folder = Folder::new();
    let ran = run(&folder, "seq 1 10000").ok();
    insta::assert_snapshot!("run_large", ran.report());
    let file = folder
        .files()
        .into_iter()
        .find(|file| file.ends_with(".txt"))
        .unwrap();
    let numbers = (1..=10_000).map(|n| format!("{n}\n")).collect::<String>();
    assert_eq!(folder.text(&file), numbers);
    let read = ran
        .stderr()
        .lines()
        .find_map(|line| line.strip_prefix("read more: "));
    let args = read.unwrap().split(' ').skip(1).collect::<Vec<_>>();
    let page = folder.run(&args).ok();
    assert_eq!(page.stdout().len(), 7_500);
    assert!(numbers.starts_with(page.stdout()));
}

#[test]
fn the_exit_status_is_the_commands() {
    let folder = Folder::new();
    for (script, code) in [
        ("exit 0", 0),
        ("exit 7", 7),
        ("kill -TERM $$", 143),
        ("kill -9 $$", 137),
    ] {
        assert_eq!(run(&folder, script).code(), Some(code), "{script}");
    }
    let transcript = folder.text("run.jsonl");
    let outcomes = transcript
        .lines()
        .filter(|line| line.contains("\"type\":\"tool-settled\""))
        .collect::<String>();
    assert_eq!(outcomes.matches("\"outcome\":\"completed\"").count(), 1);
    assert_eq!(outcomes.matches("\"outcome\":\"failed\"").count(), 3);
}

#[test]
fn how_a_command_failed_is_in_its_record_and_not_in_what_is_shown() {
    for (script, error) in [
        ("exit 0", None),
        ("exit 4", Some("exit status 4")),
        ("seq 1 10000; exit 4", Some("exit status 4")),
        ("kill -9 $$", Some("signal 9")),
    ] {
        let folder = Folder::new();
        let ran = run(&folder, script);
        assert_eq!(settled_error(&folder).as_deref(), error, "{script}");
        assert!(!ran.stdout().contains("exit status"), "{script}");
    }
    for (command, error) in [
        ("no-such-command", "exit status 127"),
        ("/", "exit status 126"),
    ] {
        let folder = Folder::new();
        folder.run(&["run", "--session", "run.jsonl", "--", command]);
        assert_eq!(settled_error(&folder).as_deref(), Some(error), "{command}");
    }
}

fn settled_error(folder: &Folder) -> Option<String> {
    let transcript = folder.text("run.jsonl");
    let record = transcript.lines().last().unwrap();
    let record: serde_json::Value = serde_json::from_str(record).unwrap();
    assert_eq!(record["type"], "tool-settled");
    record["payload"]["error"].as_str().map(str::to_owned)
}

#[test]
fn a_command_that_cannot_be_run_is_an_error_result() {
    let folder = Folder::new();
    folder.put("plain", "not a program");
    let check = |name: &str, command: &str, code: i32| {
        let ran = folder.run(&["run", "--session", "run.jsonl", "--", command]);
        assert_eq!(ran.code(), Some(code));
        insta::assert_snapshot!(name, ran.report());
    };
    check("run_no_such_command", "no-such-command", 127);
    check("run_not_executable", "./plain", 126);
}

#[test]
fn the_command_reads_standard_input() {
    let folder = Folder::new();
    let args = ["run", "--session", "run.jsonl", "--", "cat"];
    let ran = folder.run_with(&args, b"from the caller\n").ok();
    assert_eq!(ran.stdout(), "from the caller\n");
}

#[test]
fn a_process_left_in_the_background_does_not_hold_the_run_up() {
    let folder = Folder::new();
    // It would print for ever, to a pipe that nobody reads once the run has ended.
    let ran = run(
        &folder,
        "(trap '' HUP; exec yes) & echo $! > pid; echo started",
    )
    .ok();
    assert!(
        ran.stderr().contains("still holds its output open"),
        "{}",
        ran.report()
    );
    assert!(
        ran.stdout()
            .contains(" bytes captured, total unknown); captured part: "),
        "the capture is partial: {}",
        ran.report()
    );
    folder.run(&["verify", "--session", "run.jsonl"]).ok();
}

#[test]
fn what_comes_shortly_after_the_command_is_captured() {
    let folder = Folder::new();
    let script = "(read line < fifo; echo late) & echo early; : > fifo";
    let made = std::process::Command::new("mkfifo")
        .arg(folder.path("fifo"))
        .status();
    assert!(made.unwrap().success());
    let args = ["run", "--session", "run.jsonl", "--", "sh", "-c", script];
    let ran = folder.run(&args).ok();
    assert_eq!(ran.stdout(), "early\nlate\n", "{}", ran.report());
    assert!(!ran.stderr().contains("not captured"), "{}", ran.report());
}

#[test]
fn an_interrupt_ends_the_command_and_its_output_is_settled() {
    let folder = Folder::new();
    let args = ["run", "--session", "run.jsonl", "--", "sh", "-c"];
    let script = "echo begun; kill -INT $PPID; exec tail -f /dev/null";
    let ran = folder.run(&[&args[..], &[script]].concat());
    assert_eq!(ran.code(), Some(130), "{}", ran.report());
    assert_eq!(ran.stdout(), "begun\n");
    assert!(folder.text("run.jsonl").contains("\"outcome\":\"failed\""));
}

#[test]
fn closed_standard_output_does_not_keep_the_result_from_its_record() {
    let folder = Folder::new();
    let command = folder.command(&["run", "--session", "run.jsonl", "--", "seq", "1", "100000"]);
    let mut shell = std::process::Command::new("sh");
    let artifacts = command.get_program().to_str().unwrap().to_string();
    let args = command
        .get_args()
        .map(|arg| arg.to_str().unwrap())
        .collect::<Vec<_>>()
        .join(" ");
    shell
        .current_dir(&folder)
        .args(["-c", &format!("{artifacts} {args} 2>&- | true")]);
    assert!(shell.status().unwrap().success());
    let ran = folder.run(&["verify", "--session", "run.jsonl"]).ok();
    assert!(
        ran.stdout()
            .starts_with("1 operation, 0 pending; 1 artifact intact"),
        "{}",
        ran.report()
    );
}

#[test]
fn a_limit_on_the_size_of_files_costs_the_artifact_and_not_the_record() {
    let folder = Folder::new();
    let artifacts = env!("CARGO_BIN_EXE_artifacts");
    let limited = format!("ulimit -f 16; exec '{artifacts}' \"$@\"");
    let mut command = std::process::Command::new("sh");
    command
        .args(["-c", &limited, "sh", "run", "--session", "run.jsonl"])
        .args(["--limit", "20", "--", "seq", "1", "10000"])
        .current_dir(folder.path(""));
    let output = command.output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{told}");
    assert!(told.contains("the full result was not stored"), "{told}");
    assert_eq!(folder.files(), ["run.jsonl"]);
    assert!(folder.text("run.jsonl").contains("tool-settled"));
}

#[test]
fn a_limit_on_the_size_of_files_ends_the_command_as_it_does_without_us() {
    let folder = Folder::new();
    let script = "ulimit -f 1; exec head -c 100000 /dev/zero > large";
    assert_eq!(run(&folder, script).code(), Some(128 + 25));
}

#[test]
fn bad_usage_says_what_to_do() {
    let folder = Folder::new();
    let check = |name: &str, args: &[&str]| {
        insta::assert_snapshot!(name, folder.run(args).fails_with(2).report());
    };
    check("run_no_command", &["run", "--session", "run.jsonl"]);
    check("run_no_session", &["run", "--", "true"]);
    check(
        "run_limit_0",
        &words("run --session run.jsonl --limit 0 -- true"),
    );
    assert_eq!(folder.files(), Vec::<String>::new());
}
