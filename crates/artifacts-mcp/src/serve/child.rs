//! The server's process: started, asked to end, ended.

use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::{Error, ErrorKind};

/// How the server's process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ended {
    /// With this exit code.
    Code(i32),
    /// By this signal.
    Signal(i32),
    /// Nobody can tell.
    Unknown,
}

impl Ended {
    /// The exit code that tells the same, as shells do it: 128 and the signal's number.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Self::Code(code) => u8::try_from(code).unwrap_or(1),
            Self::Signal(signal) => u8::try_from(signal.saturating_add(128)).unwrap_or(1),
            Self::Unknown => 1,
        }
    }
}

#[derive(Debug)]
pub(super) struct Server {
    child: Child,
    status: Option<ExitStatus>,
}

impl Server {
    /// Starts the command; what it writes to standard error goes where ours does, unread.
    pub(super) fn start(mut command: Command) -> Result<(Self, ChildStdin, ChildStdout), Error> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        lead_group(&mut command);
        let mut child = command.spawn().map_err(|error| {
            let program = std::path::Path::new(command.get_program());
            let name = program.file_name().unwrap_or_default().to_string_lossy();
            let message = format!("can't start the server {name:?}: check the command after --");
            Error::io(ErrorKind::Server, message, error)
        })?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (stdin, stdout) = pipes.expect("both were asked for as pipes");
        widen(&stdout);
        Ok((
            Self {
                child,
                status: None,
            },
            stdin,
            stdout,
        ))
    }

    /// Waits for the process, whose output is at its end; one that lingers is ended.
    pub(super) fn reap(&mut self) {
        if !self.exits_within(REAP_PATIENCE) {
            self.end();
        }
    }

    /// Asks the process and its children to end, then ends them.
    pub(super) fn end(&mut self) {
        self.terminate();
        if !self.exits_within(END_PATIENCE) {
            self.kill();
            self.status = self.child.wait().ok();
        }
    }

    pub(super) fn ended(&self) -> Ended {
        let Some(status) = self.status else {
            return Ended::Unknown;
        };
        match (status.code(), signal(status)) {
            (Some(code), _) => Ended::Code(code),
            (None, Some(signal)) => Ended::Signal(signal),
            (None, None) => Ended::Unknown,
        }
    }

    fn exits_within(&mut self, patience: Duration) -> bool {
        let start = Instant::now();
        loop {
            match self.child.try_wait() {
                Ok(None) if start.elapsed() < patience => thread::sleep(LOOK_AGAIN),
                Ok(status) => {
                    self.status = status;
                    return status.is_some();
                }
                Err(_) => return false,
            }
        }
    }

    #[cfg(unix)]
    fn terminate(&self) {
        self.signal(rustix::process::Signal::TERM);
    }

    #[cfg(unix)]
    fn kill(&mut self) {
        self.signal(rustix::process::Signal::KILL);
    }

    /// Signals the whole group, so that what the server started ends with it.
    #[cfg(unix)]
    fn signal(&self, signal: rustix::process::Signal) {
        let pid = rustix::process::Pid::from_child(&self.child);
        let _ = rustix::process::kill_process_group(pid, signal);
    }

    #[cfg(not(unix))]
    fn terminate(&self) {}

    #[cfg(not(unix))]
    fn kill(&mut self) {
        let _ = self.child.kill();
    }
}

/// A group of its own: a signal for us is no signal for the server before we pass it on.
#[cfg(unix)]
fn lead_group(command: &mut Command) {
    use std::os::unix::process::CommandExt as _;
    command.process_group(0);
}

#[cfg(not(unix))]
fn lead_group(_: &mut Command) {}

#[cfg(unix)]
fn signal(status: ExitStatus) -> Option<i32> {
    use std::os::unix::process::ExitStatusExt as _;
    status.signal()
}

/// A large result comes in a few pieces, not in one for each 64 KiB. Where the system allows no
/// wider pipe, more pieces do.
#[cfg(target_os = "linux")]
fn widen(pipe: &ChildStdout) {
    let _ = rustix::pipe::fcntl_setpipe_size(pipe, PIPE_BYTES);
}

#[cfg(not(target_os = "linux"))]
fn widen(_: &ChildStdout) {}

#[cfg(not(unix))]
fn signal(_: ExitStatus) -> Option<i32> {
    None
}

/// How long a process may take to end after its output did.
const REAP_PATIENCE: Duration = Duration::from_secs(2);

/// How long a process may take to end when asked. Clients wait two seconds before they end us.
const END_PATIENCE: Duration = Duration::from_secs(1);

/// The most that Linux allows every user.
#[cfg(target_os = "linux")]
const PIPE_BYTES: usize = 1 << 20;

const LOOK_AGAIN: Duration = Duration::from_millis(5);
