//! `artifacts stats`: what was kept out of the conversation.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use artifacts_fs::artifact_dir_for;
use artifacts_mcp::{Stats, log_path};
use clap::ArgGroup;

use crate::failure::Failure;
use crate::input::base_name;
use crate::output;
use crate::session::{SessionArg, transcript_or_dir};

/// Report how much of the tools' results the model was not shown
///
/// Counts the calls of a transcript, and those that the proxy and the hooks noted beside it. What was
/// read back is counted as the model's tools were called; what `artifacts read` and the like printed
/// only where the proxy or a hook keeps a call log: a run alone keeps none.
#[derive(Debug, clap::Args)]
#[command(group(ArgGroup::new("place").required(true)))]
pub(crate) struct Args {
    /// The transcript of a run
    #[arg(long, value_name = "T.jsonl", group = "place", value_parser = transcript_or_dir())]
    session: Option<PathBuf>,
    /// A directory of artifacts
    #[arg(value_name = "DIR", group = "place")]
    named: Option<PathBuf>,
    /// The same, as the other commands take it
    #[arg(long, value_name = "DIR", group = "place")]
    dir: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Write one page with charts to this file
    #[arg(long, value_name = "FILE.html")]
    html: Option<PathBuf>,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let mut stats = Stats::default();
    let mut found = false;
    let mut unread = None;
    if let Some(path) = &args.session {
        let session = SessionArg { path: path.clone() };
        match session.load() {
            Ok(transcript) => {
                stats.add_transcript(&transcript);
                found = true;
            }
            Err(failure) if session.has_record() => return Err(failure),
            // The transcript of a client that has hooks is none of ours, and may be gone.
            Err(failure) => unread = File::open(path).is_err().then_some(failure),
        }
    }
    let dir = match (&args.session, &args.dir) {
        (Some(session), _) => artifact_dir_for(session),
        (None, dir) => dir
            .as_ref()
            .or(args.named.as_ref())
            .cloned()
            .unwrap_or_default(),
    };
    if let Some(log) = log(&log_path(&dir))? {
        stats.add_log(&log);
        found = true;
    }
    if !found {
        if let Some(failure) = unread {
            return Err(failure);
        }
        let log = log_path(&dir);
        return Err(Failure::input(format!(
            "nothing was noted for {}: there is no {} beside it; check the path, or name a \
             transcript with --session",
            base_name(args.session.as_ref().unwrap_or(&dir)),
            base_name(&log),
        )));
    }
    if let Some(path) = &args.html {
        let written = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .open(path)
            .and_then(|mut file| file.write_all(stats.to_html().as_bytes()));
        written.map_err(|error| {
            Failure::io(
                &format!("can't write {}", base_name(path)),
                &error,
                "check the path",
            )
        })?;
    }
    if args.json {
        return output::write_json(&stats.to_json());
    }
    output::write(stats.to_string().as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn log(path: &Path) -> Result<Option<String>, Failure> {
    let mut bytes = Vec::new();
    match File::open(path).and_then(|mut file| file.read_to_end(&mut bytes)) {
        Ok(_) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Failure::io(
            &format!("can't read {}", base_name(path)),
            &error,
            "change its permissions",
        )),
    }
}
