//! Why a command failed: one line that says what to do, and the exit status.

use std::fmt;
use std::io;
use std::process::ExitCode;

/// The exit statuses other than 0 (SPEC 9).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// The usage or the input is bad.
    Input = 2,
    /// The system refused to read or write.
    Io = 3,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// A command's failure.
#[derive(Debug)]
pub(crate) struct Failure {
    exit: Exit,
    message: String,
}

impl Failure {
    /// Bad usage or input.
    pub(crate) fn input(message: impl Into<String>) -> Self {
        Self::new(Exit::Input, message)
    }

    /// The system refused; `what` names the operation, `advice` says what to do.
    pub(crate) fn io(what: &str, error: &io::Error, advice: &str) -> Self {
        Self::new(Exit::Io, format!("{what}: {}; {advice}", reason(error)))
    }

    /// Any of the three.
    pub(crate) fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self {
            exit,
            message: message.into(),
        }
    }

    /// The exit status.
    pub(crate) fn exit(&self) -> Exit {
        self.exit
    }
}

/// One line, whatever was put into it.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.message.chars() {
            match c {
                c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') => {
                    write!(f, "{}", c.escape_default())?;
                }
                c => write!(f, "{c}")?,
            }
        }
        Ok(())
    }
}

/// The system's words, without the number that std adds.
fn reason(error: &io::Error) -> String {
    let words = error.to_string();
    match words.split_once(" (os error") {
        Some((words, _)) => words.to_lowercase(),
        None => words,
    }
}
