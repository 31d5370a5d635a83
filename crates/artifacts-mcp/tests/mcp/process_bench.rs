//! The ends of a proxy in front of a real process.

use std::io::{Read, Write};
use std::process::Command;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

use artifacts_mcp::{Ended, Host, PolicyFile, Proxy, serve};
use tempfile::TempDir;

use super::bench::policy;

/// A pipe between threads: what the client sends.
pub(super) struct Pipe {
    pub(super) pieces: Receiver<Vec<u8>>,
    pub(super) rest: Vec<u8>,
}

impl Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.rest.is_empty() {
            self.rest = self.pieces.recv().unwrap_or_default();
        }
        let size = self.rest.len().min(buffer.len());
        buffer[..size].copy_from_slice(&self.rest[..size]);
        self.rest.drain(..size);
        Ok(size)
    }
}

/// What the client gets.
#[derive(Clone, Default)]
pub(super) struct Got(pub(super) Arc<Mutex<Vec<u8>>>);

impl Write for Got {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A client that went away.
pub(super) struct Gone;

impl Write for Gone {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        Err(std::io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A client that takes nothing more: it is told of the first line, which it never takes.
pub(super) struct Stuck(pub(super) Sender<()>, pub(super) Receiver<()>);

impl Write for Stuck {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        self.0.send(()).unwrap();
        let _ = self.1.recv();
        Err(std::io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

pub(super) struct Run {
    pub(super) folder: TempDir,
    terminate: Option<Sender<()>>,
}

impl Run {
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self {
            folder,
            terminate: None,
        }
    }

    pub(super) fn proxy(&self) -> Proxy {
        let policies = PolicyFile::uniform(policy(1_000));
        Proxy::new(
            Host::Generic,
            policies,
            &self.folder.path().join("run.artifacts"),
        )
    }

    pub(super) fn shell(
        &mut self,
        script: &str,
        input: Receiver<Vec<u8>>,
        out: impl Write + Send + 'static,
    ) -> Ended {
        let mut command = Command::new("sh");
        command.args(["-c", script]).current_dir(self.folder.path());
        let (terminate, terminated) = channel();
        match self.terminate.take() {
            Some(now) => drop(now),
            None => self.terminate = Some(terminate.clone()),
        }
        let pipe = Pipe {
            pieces: input,
            rest: Vec::new(),
        };
        serve(self.proxy(), command, pipe, out, terminated).unwrap()
    }
}

/// The pieces of an input that ends.
pub(super) fn input(pieces: &[&[u8]]) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    for piece in pieces {
        sender.send(piece.to_vec()).unwrap();
    }
    receiver
}
