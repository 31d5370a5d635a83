//! `artifacts run`: a command as a tool.

use std::ffi::OsString;
use std::io::{self, IsTerminal as _};
use std::path::Path;
use std::process::{ExitCode, ExitStatus};

use artifacts_core::Unit;
use loop_integration::{Clock as _, Ending, Operation, Settled, SystemClock};

use crate::child::{Finished, Running};
use crate::commands::settle::warn_if_lost;
use crate::failure::Failure;
use crate::input::base_name;
use crate::output::{self, counted};
use crate::progress::Progress;
use crate::session::SessionArg;
use crate::shape::{RenderName, shape};
use crate::source::PAGE_BYTES;

/// Run a command as a tool: settle what it prints, print what the model is shown
///
/// Standard output and standard error are captured together, in bounded memory. What goes to
/// standard error tells where the rest is. Where the command fails, its settle record has the exit
/// status, or the signal, in `error`. Where something that the command left in the background
/// still prints, it is waited for as long as it prints without a pause of 200 ms, up to 4 MiB; what
/// is captured is then marked as a part of the result. The exit status is the command's own, 128
/// and the signal's number if a signal ended it, 127 if there is no such command, 126 if it can't
/// be run.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    session: SessionArg,
    /// The most characters that are shown
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        default_value_t = 16_384
    )]
    limit: u64,
    /// The command and its arguments
    #[arg(last = true, required = true, value_name = "CMD")]
    command: Vec<OsString>,
}

/// Runs the command.
pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    let shape = shape(Some(args.limit), Unit::Graphemes, RenderName::Excerpt)?;
    let program = args.command.first().map(Path::new).unwrap_or(Path::new(""));
    let program = base_name(program);
    let session = args.session.open(shape)?;
    let operation = Operation::new(op_id()).of_tool(program.as_str());
    let mut stream = session.stream(&operation)?;
    let running = match Running::start(&args.command) {
        Ok(running) => running,
        Err(error) => {
            // The observation holds no path of this machine (I5); who typed it is shown it.
            let failure = cannot_run(&program, &error);
            let typed = args.command.first().map(|typed| typed.to_string_lossy());
            let typed = cannot_run(&typed.unwrap_or_default(), &error);
            let code = match error.kind() {
                io::ErrorKind::NotFound => 127,
                _ => 126,
            };
            stream.write(format!("{failure}\n").as_bytes());
            let stream = stream.with_error(&format!("exit status {code}"));
            finish(&args.session, &stream.finish(Ending::Error)?)?;
            output::diagnose(&typed.to_string());
            return Ok(ExitCode::from(code));
        }
    };
    let mut progress = Progress::new("captured");
    let finished = running.finish(|bytes| {
        progress.add(bytes.len());
        stream.write(bytes);
    });
    drop(progress);
    let Finished {
        status,
        is_held_open,
    } = finished.map_err(|error| {
        Failure::io(&format!("can't wait for {program}"), &error, "run it again")
    })?;
    if is_held_open {
        // What the command's own children print later is part of the result, and is not in it.
        stream.interrupted();
    }
    let settled = match status.success() {
        true => stream.finish(Ending::Success)?,
        false => stream
            .with_error(&ended_with(status))
            .finish(Ending::Error)?,
    };
    finish(&args.session, &settled)?;
    if is_held_open {
        output::diagnose(&format!(
            "something that {program} started still holds its output open; what it prints from here on is not captured"
        ));
    }
    Ok(exit_code(status))
}

/// Prints the observation, and where everything is.
fn finish(session: &SessionArg, settled: &Settled) -> Result<(), Failure> {
    output::write(settled.observation().as_bytes())?;
    warn_if_lost(settled);
    let transcript = session.path.display();
    let mut notes = String::new();
    if io::stdout().is_terminal() && !settled.observation().ends_with('\n') {
        notes.push('\n');
    }
    if let Some(artifact) = settled.artifact() {
        let name = artifact.name();
        let path = session.artifact_path(name);
        let bytes = counted(artifact.measured().measure().bytes(), "byte");
        notes.push_str(&format!("artifact: {} ({bytes})\n", path.display()));
        notes.push_str(&format!("transcript: {transcript}\n"));
        notes.push_str(&format!(
            "read more: {} read {name} --session {} --bytes 0:{PAGE_BYTES}\n",
            quoted(&this_program()),
            quoted(&transcript.to_string())
        ));
    } else {
        notes.push_str(&format!("transcript: {transcript}\n"));
    }
    output::note(&notes);
    Ok(())
}

/// This program as it was called, so that the command can be copied.
fn this_program() -> String {
    let called = std::env::args_os().next().unwrap_or_default();
    match called.into_string() {
        Ok(called) if !called.is_empty() => called,
        _ => "artifacts".into(),
    }
}

/// An id that no other run on this machine makes.
fn op_id() -> String {
    let time = SystemClock.now().to_string();
    let digits = time.chars().filter(char::is_ascii_digit);
    format!("run-{}-{}", digits.collect::<String>(), std::process::id())
}

fn cannot_run(program: &str, error: &io::Error) -> Failure {
    let advice = match error.kind() {
        io::ErrorKind::NotFound => "check its name and PATH",
        io::ErrorKind::PermissionDenied => "make it executable",
        _ => "check the command",
    };
    Failure::io(&format!("can't run {program}"), error, advice)
}

/// The signal that ended the command, if one did.
#[cfg(unix)]
fn signal(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[cfg(not(unix))]
fn signal(_status: ExitStatus) -> Option<i32> {
    None
}

/// How a command failed, for its record.
fn ended_with(status: ExitStatus) -> String {
    match (status.code(), signal(status)) {
        (Some(code), _) => format!("exit status {code}"),
        (None, Some(signal)) => format!("signal {signal}"),
        (None, None) => "unknown exit status".to_owned(),
    }
}

fn exit_code(status: ExitStatus) -> ExitCode {
    let code = match (status.code(), signal(status)) {
        (Some(code), _) => code,
        (None, Some(signal)) => signal.saturating_add(128),
        (None, None) => 1,
    };
    ExitCode::from(u8::try_from(code & 0xFF).unwrap_or(1))
}

/// A word as a shell reads it back.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '-' | '_' | '+' | ':');
    match word.chars().all(is_plain) && !word.is_empty() {
        true => word.into(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_read_back_in_a_shell() {
        assert_eq!(quoted("demo/run.jsonl"), "demo/run.jsonl");
        assert_eq!(quoted("my run.jsonl"), "'my run.jsonl'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }
}
