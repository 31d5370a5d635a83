//! Why a command failed: one line that says what to do, and the exit status.

use std::error::Error as _;
use std::fmt;
use std::io;
use std::process::ExitCode;

/// The exit statuses other than 0 (SPEC 9).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// A check found something.
    Found = 1,
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

    /// The same, as what a check found; refused reading stays what it is.
    pub(crate) fn into_finding(self) -> Self {
        match self.exit {
            Exit::Input => Self {
                exit: Exit::Found,
                ..self
            },
            Exit::Found | Exit::Io => self,
        }
    }

    /// The exit status.
    pub(crate) fn exit(&self) -> Exit {
        self.exit
    }
}

impl From<loop_integration::Error> for Failure {
    fn from(error: loop_integration::Error) -> Self {
        use loop_integration::ErrorKind;
        let cause = error
            .source()
            .and_then(|cause| cause.downcast_ref::<io::Error>());
        match (error.kind(), cause) {
            // Something else than a transcript was named.
            (ErrorKind::Transcript, Some(cause)) if cause.kind() == io::ErrorKind::InvalidInput => {
                Self::input(error.to_string())
            }
            (ErrorKind::Transcript, Some(cause)) => {
                let message = error.to_string();
                let exit = match cause.kind() {
                    io::ErrorKind::IsADirectory | io::ErrorKind::AlreadyExists => Exit::Input,
                    _ => Exit::Io,
                };
                let advice = session_advice(&message, cause);
                Self::new(exit, format!("{message}: {}; {advice}", reason(cause)))
            }
            (ErrorKind::Transcript, None) => Self::new(Exit::Io, error.to_string()),
            _ => Self::input(error.to_string()),
        }
    }
}

impl From<artifacts_fs::Error> for Failure {
    fn from(error: artifacts_fs::Error) -> Self {
        use artifacts_fs::ErrorKind;
        let exit = match error.kind() {
            ErrorKind::Altered => Exit::Found,
            ErrorKind::Pattern => Exit::Input,
            _ => Exit::Io,
        };
        Self::new(exit, error.to_string())
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

/// What to do about a transcript that the system refuses.
fn session_advice(message: &str, cause: &io::Error) -> &'static str {
    match cause.kind() {
        io::ErrorKind::NotFound if message.starts_with("cannot read") => "check the path",
        io::ErrorKind::NotFound => "check the path, and make its folder first",
        io::ErrorKind::IsADirectory => "name a file in it",
        io::ErrorKind::AlreadyExists => "name a file that is not there yet",
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "choose a place that can be written to, or change its permissions"
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "free some space",
        _ => "check the file and its folder",
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
