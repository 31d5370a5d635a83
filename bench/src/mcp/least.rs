//! The least that a program in between does: takes the line, decodes the text once, saves it.

use std::error::Error;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use serde::Deserialize;

use super::session;

/// Stands between standard input and the server as the proxy does, saves every large text under
/// `dir`, and answers with its beginning.
pub(crate) fn serve(dir: &Path) -> Result<(), Box<dyn Error>> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("mcp-server");
    let mut server = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut stdin = server.stdin.take().ok_or("no input")?;
    let mut stdout = BufReader::with_capacity(1 << 16, server.stdout.take().ok_or("no output")?);
    let mut out = io::stdout().lock();
    for (call, asked) in io::stdin().lock().lines().enumerate() {
        writeln!(stdin, "{}", asked?)?;
        let mut line = Vec::new();
        stdout.read_until(b'\n', &mut line)?;
        if line.len() > LARGE_BYTES {
            let message = serde_json::from_slice::<Message>(&line)?;
            let text = message.result.content.first().ok_or("no text")?;
            session::save(dir, &format!("least-{call}"), text.text.as_bytes())?;
            line.truncate(SHOWN_BYTES);
            line.push(b'\n');
        }
        out.write_all(&line)?;
        out.flush()?;
    }
    Ok(())
}

#[derive(Deserialize)]
struct Message {
    result: Content,
}

#[derive(Deserialize)]
struct Content {
    content: Vec<Text>,
}

#[derive(Deserialize)]
struct Text {
    text: String,
}

const LARGE_BYTES: usize = 1 << 20;

/// As much as an answer of the proxy has.
const SHOWN_BYTES: usize = 8_600;
