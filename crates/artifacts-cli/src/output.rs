//! Writing: observations to standard output byte for byte, diagnostics to standard error.

use std::io::{self, Write};
use std::process::ExitCode;

use serde_json::Value;

use crate::failure::Failure;

/// Writes `bytes` to standard output as they are.
pub(crate) fn write(bytes: &[u8]) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    quiet(stdout.write_all(bytes).and_then(|()| stdout.flush()))
}

/// Writes the pieces of a text to standard output, one after the other.
pub(crate) fn write_pieces<'a>(pieces: impl Iterator<Item = &'a str>) -> Result<(), Failure> {
    let mut stdout = io::BufWriter::new(io::stdout().lock());
    let mut pieces = pieces;
    let outcome = pieces.try_for_each(|piece| stdout.write_all(piece.as_bytes()));
    quiet(outcome.and_then(|()| stdout.flush()))
}

/// Writes one JSON object and a line end to standard output.
pub(crate) fn write_json(value: &Value) -> Result<ExitCode, Failure> {
    let mut line = value.to_string();
    line.push('\n');
    write(line.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// Writes one line to standard error; there is nowhere to report that this failed.
pub(crate) fn diagnose(line: &str) {
    let _ = writeln!(io::stderr().lock(), "artifacts: {line}");
}

/// A reader that went away has read enough.
fn quiet(outcome: io::Result<()>) -> Result<(), Failure> {
    match outcome {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(Failure::io(
            "can't write to standard output",
            &error,
            "send it to a file or a program that reads it",
        )),
        Ok(()) => Ok(()),
    }
}
