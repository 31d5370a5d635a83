//! Writing: observations to standard output byte for byte, diagnostics to standard error.

use std::io::{self, Write};
use std::process::ExitCode;

use artifacts_core::Measure;
use serde_json::{Value, json};

use crate::failure::Failure;

/// Writes `bytes` to standard output as they are.
pub(crate) fn write(bytes: &[u8]) -> Result<Reader, Failure> {
    let mut stdout = io::stdout().lock();
    reader(stdout.write_all(bytes).and_then(|()| stdout.flush()))
}

/// Writes the pieces of a text to standard output, one after the other.
pub(crate) fn write_pieces(mut pieces: impl Iterator<Item: AsRef<str>>) -> Result<Reader, Failure> {
    let mut stdout = io::BufWriter::new(io::stdout().lock());
    let outcome = pieces.try_for_each(|piece| stdout.write_all(piece.as_ref().as_bytes()));
    reader(outcome.and_then(|()| stdout.flush()))
}

fn reader(outcome: io::Result<()>) -> Result<Reader, Failure> {
    match outcome {
        Ok(()) => Ok(Reader::There),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Reader::Gone),
        Err(error) => Err(Failure::io(
            "can't write to standard output",
            &error,
            "send it to a file or a program that reads it",
        )),
    }
}

/// Whether somebody still reads standard output. One that went away has read enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reader {
    /// As far as is known.
    There,
    /// The pipe is broken.
    Gone,
}

/// Writes one JSON object and a line end to standard output.
pub(crate) fn write_json(value: &Value) -> Result<ExitCode, Failure> {
    let mut line = value.to_string();
    line.push('\n');
    write(line.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// `1 line`, `2 lines`: the number, and the word in the form for it.
pub(crate) fn counted(number: impl TryInto<u64> + ToString, one: &str) -> String {
    let words = number.to_string();
    match number.try_into() {
        Ok(1) => format!("{words} {one}"),
        _ if one.ends_with("ch") => format!("{words} {one}es"),
        _ => format!("{words} {one}s"),
    }
}

/// How much of a text to print where so much of it took more than a page.
pub(crate) fn less_room(room: usize, page: usize, printed: usize) -> usize {
    room.saturating_mul(page) / printed.max(1) * 7 / 8
}

/// The sizes of a result, as every command prints them.
pub(crate) fn measure(measure: &Measure) -> Value {
    json!({
        "bytes": measure.bytes(),
        "chars": measure.graphemes(),
        "lines": measure.lines(),
    })
}

/// Writes one line to standard error; there is nowhere to report that this failed.
pub(crate) fn diagnose(line: &str) {
    let _ = writeln!(io::stderr().lock(), "artifacts: {line}");
}

/// Writes lines to standard error as they are.
pub(crate) fn note(lines: &str) {
    let _ = io::stderr().lock().write_all(lines.as_bytes());
}
