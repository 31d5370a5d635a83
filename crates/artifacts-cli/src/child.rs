//! A command whose two output streams arrive as one, in bounded memory.

use std::ffi::OsString;
use std::io::{self, PipeReader, Read as _};
use std::process::{Child, Command, ExitStatus};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

/// A running command, and what is heard of it.
pub(crate) struct Running {
    news: Receiver<News>,
    id: u32,
}

/// What is heard of a running command.
enum News {
    /// Standard output and standard error, in the order of the writes.
    Output(Vec<u8>),
    /// Everyone who could write has closed the pipe.
    End,
    /// The command itself has ended.
    Exited(io::Result<ExitStatus>),
    /// This process was asked to end.
    #[cfg_attr(not(unix), expect(dead_code, reason = "signals are of Unix"))]
    Signal(i32),
}

/// How a command ended.
pub(crate) struct Finished {
    /// Its status.
    pub(crate) status: ExitStatus,
    /// Whether something it started still holds its output open.
    pub(crate) is_held_open: bool,
}

impl Running {
    /// Starts `command`, its first word, with the other words. It reads this process's standard
    /// input.
    pub(crate) fn start(words: &[OsString]) -> io::Result<Self> {
        let (program, args) = words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let (reader, writer) = io::pipe()?;
        let (sender, news) = sync_channel(QUEUED);
        // Before the command starts: a signal in between must not leave it alone.
        signals::listen(sender.clone())?;
        let child = Command::new(program)
            .args(args)
            .stdout(writer.try_clone()?)
            .stderr(writer)
            .spawn()?;
        let id = child.id();
        let exits = sender.clone();
        thread::spawn(move || read(reader, &sender));
        thread::spawn(move || wait(child, &exits));
        Ok(Self { news, id })
    }

    /// Hands the output to `take` until the command has ended and its output with it.
    ///
    /// Something that the command started in the background may hold the output open. Then it
    /// ends when nothing more arrives for a moment, or when more has arrived than the pipe holds.
    pub(crate) fn finish(self, mut take: impl FnMut(&[u8])) -> io::Result<Finished> {
        let (mut ended, mut exited, mut late) = (false, None, 0);
        loop {
            let news = match &exited {
                Some(_) if ended || late > MOST_LATE_BYTES => None,
                Some(_) => self.news.recv_timeout(GRACE).ok(),
                None => self.news.recv().ok(),
            };
            match (news, exited) {
                (Some(News::Output(bytes)), _) => {
                    if exited.is_some() {
                        late += bytes.len();
                    }
                    take(&bytes);
                }
                (Some(News::End), _) => ended = true,
                (Some(News::Exited(status)), _) => exited = Some(status?),
                (Some(News::Signal(signal)), None) => signals::forward(self.id, signal),
                (Some(News::Signal(_)), Some(_)) => {}
                (None, Some(status)) => {
                    return Ok(Finished {
                        status,
                        is_held_open: !ended,
                    });
                }
                (None, None) => return Err(io::ErrorKind::BrokenPipe.into()),
            }
        }
    }
}

fn read(mut reader: PipeReader, sender: &SyncSender<News>) {
    loop {
        let mut buffer = vec![0; PIECE_BYTES];
        let news = match reader.read(&mut buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Ok(0) | Err(_) => News::End,
            Ok(read) => {
                buffer.truncate(read);
                News::Output(buffer)
            }
        };
        let is_end = matches!(news, News::End);
        if sender.send(news).is_err() || is_end {
            return;
        }
    }
}

fn wait(mut child: Child, sender: &SyncSender<News>) {
    // Nobody listens any more if the receiver is gone.
    let _ = sender.send(News::Exited(child.wait()));
}

#[cfg(unix)]
mod signals {
    //! An interrupt ends the command; what it printed is settled all the same.

    use std::io;
    use std::sync::mpsc::SyncSender;
    use std::thread;

    use rustix::process::{Pid, Signal, getpgrp, kill_process};
    use rustix::termios::tcgetpgrp;
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    use signal_hook::iterator::Signals;

    use super::News;

    pub(super) fn listen(sender: SyncSender<News>) -> io::Result<()> {
        let mut signals = Signals::new([SIGHUP, SIGINT, SIGQUIT, SIGTERM])?;
        thread::spawn(move || {
            for signal in signals.forever() {
                if sender.send(News::Signal(signal)).is_err() {
                    return;
                }
            }
        });
        Ok(())
    }

    /// Passes the signal on. One that a terminal sends has reached the command already.
    pub(super) fn forward(id: u32, signal: i32) {
        let is_from_keyboard = matches!(signal, SIGINT | SIGQUIT);
        if is_from_keyboard && is_in_foreground() {
            return;
        }
        let pid = i32::try_from(id).ok().and_then(Pid::from_raw);
        if let (Some(pid), Some(signal)) = (pid, Signal::from_named_raw(signal)) {
            // It may have ended by itself.
            let _ = kill_process(pid, signal);
        }
    }

    fn is_in_foreground() -> bool {
        tcgetpgrp(rustix::stdio::stdin()).is_ok_and(|group| group == getpgrp())
            || tcgetpgrp(rustix::stdio::stderr()).is_ok_and(|group| group == getpgrp())
    }
}

#[cfg(not(unix))]
mod signals {
    use std::io;
    use std::sync::mpsc::SyncSender;

    use super::News;

    pub(super) fn listen(_sender: SyncSender<News>) -> io::Result<()> {
        Ok(())
    }

    pub(super) fn forward(_id: u32, _signal: i32) {}
}

/// Read at a time.
const PIECE_BYTES: usize = 128 << 10;

/// Pieces that wait to be settled.
const QUEUED: usize = 4;

/// How long nothing must arrive after the command has ended.
const GRACE: Duration = Duration::from_millis(200);

/// More than a pipe and the queue hold: what arrives after that is not the command's.
const MOST_LATE_BYTES: usize = 4 << 20;
