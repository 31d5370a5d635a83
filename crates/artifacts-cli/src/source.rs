//! Where `read`, `search` and `expand` look for an artifact.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use artifacts_core::ArtifactName;
use artifacts_fs::{ArtifactDir, OpenArtifact, artifact_dir_for};
use artifacts_mcp::{CallLog, TextSize, log_path, stored};
use loop_integration::SystemClock;

use crate::failure::Failure;
use crate::hooked::Hooked;
use crate::input::base_name;
use crate::session::{SessionArg, transcript_or_dir};

/// The flags that say where. Without either it is what the hook stored, for this folder first.
#[derive(Debug, clap::Args)]
pub(crate) struct SourceArg {
    /// The transcript of the run; its artifacts are beside it, in `<name>.artifacts`
    #[arg(long, value_name = "T.jsonl", value_parser = transcript_or_dir())]
    session: Option<PathBuf>,
    /// A directory of artifacts, such as the proxy's; without either, what the hook stored
    #[arg(long, value_name = "DIR", conflicts_with = "session")]
    dir: Option<PathBuf>,
    /// Print all of it: what the hook stored is else printed in pages that no client cuts
    #[arg(long)]
    all: bool,
}

/// An artifact, and where what is shown of it is noted.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) artifact: OpenArtifact,
    /// Where the artifact is.
    pub(crate) dir: ArtifactDir,
    /// The most bytes that are printed at a time, if that is bounded.
    pub(crate) page_bytes: Option<usize>,
    calls: Option<CallLog>,
    file: String,
}

impl SourceArg {
    /// Whether everything is asked for.
    pub(crate) fn all(&self) -> bool {
        self.all
    }

    /// Opens the artifact with this file name or op id. A path, as `run` prints it, is told to be one.
    pub(crate) fn open(&self, name: &str) -> Result<Source, Failure> {
        self.open_named(name)
            .map_err(|failure| self.by_path(name).unwrap_or(failure))
    }

    /// Where `name` is the path of an artifact of this place, or of some directory if none is said.
    fn by_path(&self, name: &str) -> Option<Failure> {
        let path = Path::new(name);
        let (base, parent) = (path.file_name()?.to_str()?, path.parent()?);
        ArtifactName::parse(base).ok()?;
        let place = match (&self.dir, &self.session) {
            (Some(dir), _) => Some(dir.clone()),
            (None, session) => session.as_deref().map(artifact_dir_for),
        };
        let more = match place {
            Some(dir) if dir.file_name()? == parent.file_name()? => {
                self.open_named(base).ok()?;
                String::new()
            }
            None if path.is_file() && parent.extension()? == "artifacts" => {
                format!(", and --dir {}", parent.display())
            }
            _ => return None,
        };
        Some(Failure::input(format!(
            "{name:?} is a path: give its base name, {base}{more}"
        )))
    }

    fn open_named(&self, name: &str) -> Result<Source, Failure> {
        if let Some(dir) = &self.dir {
            let found = Source::in_directory(dir, name)?;
            return found.ok_or_else(|| unknown(name, &format!("in {}", base_name(dir))));
        }
        let Some(path) = &self.session else {
            let (mut source, page_bytes) = hooked(name)?;
            source.page_bytes = (!self.all).then_some(page_bytes);
            return Ok(source);
        };
        let session = SessionArg { path: path.clone() };
        let opened = session.open_artifact(name);
        let of_run = opened.map(|opened| Source::of(&artifact_dir_for(path), opened));
        let Err(failure) = of_run else {
            return of_run;
        };
        // A client's own transcript has no record of it: the hook's log has.
        let dir = artifact_dir_for(path);
        match log_path(&dir).is_file() {
            true => Source::in_directory(&dir, name)?.ok_or(failure),
            false => Err(failure),
        }
    }
}

impl Source {
    /// The artifact's file name.
    pub(crate) fn file(&self) -> &str {
        &self.file
    }

    /// Notes what was shown, for the report.
    pub(crate) fn note(&self, command: &str, shown: TextSize) {
        if let Some(calls) = &self.calls {
            calls.read(command, Some(&self.file), shown);
        }
    }

    fn in_directory(dir: &Path, name: &str) -> Result<Option<Self>, Failure> {
        let Some(found) = stored(dir, name) else {
            return Ok(None);
        };
        let opened = ArtifactDir::at(dir).open_artifact(&found)?;
        Ok(Some(Self::of(dir, opened)))
    }

    /// What is read is noted in a call log that is there, and makes none: where one is, `prune` takes
    /// it that others than a run store, and `stats` that there are calls to report.
    fn of(dir: &Path, artifact: OpenArtifact) -> Self {
        let is_noted = log_path(dir).is_file();
        Self {
            file: artifact.artifact().name().as_str().to_owned(),
            artifact,
            dir: ArtifactDir::at(dir),
            page_bytes: None,
            calls: is_noted.then(|| CallLog::beside(dir, Arc::new(SystemClock))),
        }
    }
}

/// Looks through the directories of the hook for a file of this name, to be printed in pages of so
/// many bytes.
fn hooked(name: &str) -> Result<(Source, usize), Failure> {
    let folder = std::env::current_dir().unwrap_or_default();
    if let Ok(file) = ArtifactName::parse(name) {
        for (dir, page_bytes) in Hooked::of_user()?.directories(&folder) {
            if dir.join(file.as_str()).is_file()
                && let Some(found) = Source::in_directory(&dir, name)?
            {
                return Ok((found, page_bytes));
            }
        }
    }
    Err(unknown(name, "by the hook"))
}

fn unknown(name: &str, place: &str) -> Failure {
    Failure::input(format!(
        "no artifact {name:?} was stored {place}; --session or --dir says where else to look"
    ))
}

/// An agent reads what its hook stored with a shell, whose output its client cuts, or hands to the
/// hook once more. A page is below the smallest of those limits, with room for a line that says
/// how to go on.
pub(crate) const PAGE_BYTES: usize = 7_500;
