//! The client's side of a session, and what is measured beside it.

use std::error::Error;
use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A started server, or proxy, that is called and waited for.
pub(crate) struct Session {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    line: Vec<u8>,
    calls: u64,
    is_over: bool,
}

impl Session {
    pub(crate) fn start(mut command: Command) -> Result<Self, Box<dyn Error>> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn()?;
        let stdout = child.stdout.take().ok_or("no output")?;
        Ok(Self {
            stdin: child.stdin.take(),
            child,
            stdout: BufReader::with_capacity(1 << 16, stdout),
            line: Vec::new(),
            calls: 0,
            is_over: false,
        })
    }

    /// Calls a tool and reads the whole line of its answer.
    pub(crate) fn call(&mut self, tool: &str) {
        self.calls += 1;
        let call = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"tools/call\",\"params\":{{\"name\":\"{tool}\"}}}}\n",
            self.calls
        );
        self.line.clear();
        let sent = self
            .stdin
            .as_mut()
            .map(|stdin| stdin.write_all(call.as_bytes()));
        let answered = self.stdout.read_until(b'\n', &mut self.line);
        self.is_over |= !matches!((sent, answered), (Some(Ok(())), Ok(1..)));
    }

    /// An error if a call got no answer.
    pub(crate) fn check(&self) -> Result<(), Box<dyn Error>> {
        match self.is_over {
            true => Err("the server ended".into()),
            false => Ok(()),
        }
    }

    /// The memory that the process holds now.
    pub(crate) fn resident_bytes(&self) -> Result<u64, Box<dyn Error>> {
        let status = File::open(format!("/proc/{}/status", self.child.id()))?;
        for line in BufReader::new(status).lines() {
            let line = line?;
            if let Some(rest) = line.strip_prefix("VmRSS:") {
                let kib = rest.trim().trim_end_matches(" kB").parse::<u64>()?;
                return Ok(kib * 1024);
            }
        }
        Err("no VmRSS".into())
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.stdin = None;
        let _ = self.child.wait();
    }
}

/// One durable save: a temporary file, its sync, its name, a sync of the directory. The name is a
/// new one, as the proxy's are: to take the place of a file may take time to free that.
#[expect(
    clippy::disallowed_methods,
    reason = "what the proxy is measured against"
)]
pub(crate) fn save(dir: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    fs::create_dir_all(dir)?;
    let mut file = File::create(dir.join("tmp"))?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(dir.join("tmp"), dir.join(name))?;
    File::open(dir)?.sync_all()
}
