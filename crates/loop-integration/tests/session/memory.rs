//! Peak memory of processes of their own: a streamed settle, and a resume (SPEC 1.8, 5.7).

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::process::Command;

use loop_integration::{Ending, Session, ToolResult, Transcript};

use crate::support::{Run, huge, operation, shape};

const MEBIBYTE: u64 = 1 << 20;

#[test]
fn a_stream_of_any_size_settles_in_memory_bounded_by_the_limit() {
    let run = Run::in_memory();
    let kibibytes = peak_of("session::memory::streaming_process", &run);
    let transcript = Transcript::load(&run.transcript).unwrap();
    let state = transcript.operation(operation(1).op_id()).unwrap();
    let artifact = state.settled().unwrap().artifact().unwrap();
    assert_eq!(artifact.bytes(), STREAMED);
    let limit = 8 * MEBIBYTE / 1_024;
    assert!(kibibytes <= limit, "{kibibytes} KiB for {STREAMED} bytes");
}

#[test]
fn a_resume_takes_memory_for_the_conversation_and_not_for_the_file() {
    let run = Run::in_memory();
    run.session()
        .settle(&operation(1), ToolResult::success(huge()))
        .unwrap();
    let file = File::options().append(true).open(&run.transcript).unwrap();
    let mut file = BufWriter::new(file);
    let filler = "a line of another release ".repeat(400);
    for number in 0..10_000 {
        let ts = "2026-08-10T12:34:56.000001Z";
        writeln!(
            file,
            r#"{{"id":"n-{number}","payload":{{"text":"{filler}"}},"ts":"{ts}","type":"note","v":1}}"#
        )
        .unwrap();
    }
    file.into_inner().unwrap();
    let bytes = std::fs::metadata(&run.transcript).unwrap().len();
    assert!(bytes > 100 * MEBIBYTE);
    let kibibytes = peak_of("session::memory::resuming_process", &run);
    let limit = 8 * MEBIBYTE / 1_024;
    assert!(
        kibibytes <= limit,
        "{kibibytes} KiB for a file of {bytes} bytes"
    );
}

/// By how many KiB the peak of a child that runs `test` grows while it works.
fn peak_of(test: &str, run: &Run) -> u64 {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .env("MEASURED", &run.transcript)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let grown = text.lines().find_map(|line| line.strip_prefix(GROWN));
    grown.unwrap().trim().parse().unwrap()
}

/// Does nothing unless a test above starts it.
#[test]
fn streaming_process() {
    measured(
        |path| {
            let session = Run::session_at_with(path.as_ref(), shape(16_384));
            // The program's own pages, which any stream takes from its file, are not the stream's.
            stream(&session, 2, MEBIBYTE);
            session
        },
        |session| stream(&session, 1, STREAMED),
    );
}

fn stream(session: &Session, number: usize, bytes: u64) {
    let mut stream = session.stream(&operation(number)).unwrap();
    let piece = "a line of output that goes on and on and on\n".repeat(1_500);
    let piece = &piece.as_bytes()[..64 << 10];
    for _ in 0..bytes / piece.len() as u64 {
        stream.write(piece);
    }
    let settled = stream.finish(Ending::Success).unwrap();
    assert!(settled.artifact().is_some());
}

/// Does nothing unless a test above starts it.
#[test]
fn resuming_process() {
    measured(str::to_owned, |path| {
        let session = Run::session_at(path.as_ref());
        assert_eq!(session.transcript().unknown_lines(), 10_000);
    });
}

fn measured<T>(prepare: impl FnOnce(&str) -> T, work: impl FnOnce(T)) {
    let Ok(path) = std::env::var("MEASURED") else {
        return;
    };
    let prepared = prepare(&path);
    let before = peak_kibibytes();
    work(prepared);
    let grown = peak_kibibytes() - before;
    let mut stdout = std::io::stdout();
    writeln!(stdout, "\n{GROWN} {grown}").unwrap();
}

fn peak_kibibytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.unwrap().trim().trim_end_matches(" kB");
    peak.parse().unwrap()
}

const STREAMED: u64 = 64 * MEBIBYTE;
const GROWN: &str = "grown by KiB";
