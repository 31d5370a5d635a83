//! `--session`: a run's transcript, and the artifacts beside it.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use artifacts_core::{ArtifactName, ContentType, Shape};
use artifacts_fs::{
    ArtifactDir, ArtifactRef, ErrorKind, Index, Indexed, OpenArtifact, Plan, Scan, artifact_dir_for,
};
use loop_integration::{OperationState, Session, Settler, SystemClock, Transcript, resolve};

use crate::failure::{Exit, Failure};
use crate::input::base_name;

/// The flag that names a run.
#[derive(Debug, clap::Args)]
pub(crate) struct SessionArg {
    /// The transcript of the run; its artifacts are beside it, in `<name>.artifacts`
    #[arg(long = "session", value_name = "T.jsonl")]
    pub(crate) path: PathBuf,
}

impl SessionArg {
    /// Goes on with the run, or begins it.
    pub(crate) fn open(&self, shape: Shape) -> Result<Session, Failure> {
        let settler = Settler::new(shape).with_store(Arc::new(self.dir()));
        Ok(Session::open(&self.path, settler, Arc::new(SystemClock))?)
    }

    /// Reads the transcript, changing nothing.
    pub(crate) fn load(&self) -> Result<Transcript, Failure> {
        Ok(Transcript::load(&self.path)?)
    }

    /// The artifacts beside the transcript.
    pub(crate) fn dir(&self) -> ArtifactDir {
        ArtifactDir::beside(&self.path)
    }

    /// The other transcripts whose artifacts are in the same directory, as those of `run.log` are in
    /// that of `run.jsonl`. A file in which no line begins like a record is none.
    pub(crate) fn siblings(&self) -> Result<Vec<Transcript>, Failure> {
        let siblings = self.sibling_paths()?.into_iter();
        siblings.map(|path| Ok(Transcript::load(&path)?)).collect()
    }

    fn sibling_paths(&self) -> Result<Vec<PathBuf>, Failure> {
        let dir = artifact_dir_for(&self.path);
        let folder = match self.path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let refused = |error: io::Error| {
            let advice = "make the transcript's folder readable";
            Failure::io("can't look for other transcripts", &error, advice)
        };
        let mut siblings = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(refused)? {
            let entry = entry.map_err(refused)?;
            let path = self.path.with_file_name(entry.file_name());
            let is_other = path != self.path && artifact_dir_for(&path) == dir;
            if is_other
                && entry.file_type().map_err(refused)?.is_file()
                && has_records(&path).map_err(refused)?
            {
                siblings.push(path);
            }
        }
        Ok(siblings)
    }

    /// What the directory's index and the records know of the artifacts.
    pub(crate) fn index(&self, transcript: &Transcript) -> Result<Index, Failure> {
        Ok(Index::open(&self.dir(), indexed(transcript))?)
    }

    /// As [`index`](Self::index), with those that `plan` removes of what the directory's other
    /// transcripts name, so that it is noted for all of them what becomes of their artifacts.
    /// A transcript that can't be read names nothing.
    pub(crate) fn index_for(&self, transcript: &Transcript, plan: &Plan) -> Result<Index, Failure> {
        let siblings = self.sibling_paths().unwrap_or_default();
        let siblings = siblings
            .iter()
            .filter_map(|path| Transcript::load(path).ok());
        let siblings = siblings.collect::<Vec<_>>();
        let names = plan
            .removals()
            .iter()
            .map(|removal| removal.name.as_os_str());
        let names = names.collect::<BTreeSet<_>>();
        let of_others = siblings.iter().flat_map(indexed);
        let removed =
            of_others.filter(|entry| names.contains(OsStr::new(entry.artifact().name().as_str())));
        Ok(Index::open(
            &self.dir(),
            indexed(transcript).chain(removed),
        )?)
    }

    /// A scan in which what was removed on purpose is not missing, and what a message mentions
    /// is no orphan.
    pub(crate) fn explain(&self, mut scan: Scan, transcript: &Transcript) -> Result<Scan, Failure> {
        for artifact in transcript.mentioned() {
            if scan.orphans.contains(artifact.name()) {
                scan.orphans.retain(|orphan| orphan != artifact.name());
                scan.intact.push(artifact);
            }
        }
        match scan.missing.is_empty() {
            true => Ok(scan),
            false => Ok(scan.explained_by(&self.index(transcript)?)),
        }
    }

    /// Opens the artifact that `name` means: its file's name, the id of its operation, a name
    /// given to it, or another handle that a model may be shown. One that was removed on purpose
    /// says why.
    pub(crate) fn open_artifact(&self, name: &str) -> Result<OpenArtifact, Failure> {
        let transcript = self.load()?;
        let newest = |is_it: fn(&OperationState, &ArtifactRef, &str) -> bool| {
            let recorded = recorded(&transcript);
            recorded
                .filter(|(state, artifact)| is_it(state, artifact, name))
                .last()
        };
        // An operation may have the name of another's file for its id.
        let of_name = newest(|_, artifact, name| artifact.name().as_str() == name);
        let recorded =
            of_name.or_else(|| newest(|state, _, name| state.operation().op_id().as_str() == name));
        let artifact = match recorded {
            Some((_, artifact)) => artifact,
            None => self.resolve(&transcript, name)?,
        };
        let error = match self.dir().open_artifact(&artifact) {
            Ok(opened) => return Ok(opened),
            Err(error) => error,
        };
        if error.kind() == ErrorKind::NotFound {
            self.index(&transcript)?.check(artifact.name())?;
        }
        Err(error.into())
    }

    fn resolve(&self, transcript: &Transcript, name: &str) -> Result<ArtifactRef, Failure> {
        match resolve(&self.index(transcript)?, name) {
            Ok(found) => Ok(found.artifact().clone()),
            Err(unresolved) => Err(match unresolved.gone() {
                Some(gone) => Failure::new(Exit::Io, format!("{name:?} {gone}")),
                None => Failure::input(format!(
                    "no record of {} names an artifact {name:?}; `artifacts list` shows what there is",
                    base_name(&self.path)
                )),
            }),
        }
    }

    /// The path of an artifact, as the user would write it.
    pub(crate) fn artifact_path(&self, name: &ArtifactName) -> PathBuf {
        artifact_dir_for(&self.path).join(name.as_str())
    }
}

/// Every operation with an artifact, in the order of the records.
pub(crate) fn recorded(
    transcript: &Transcript,
) -> impl Iterator<Item = (&OperationState, ArtifactRef)> {
    transcript.operations().filter_map(|state| {
        let artifact = state.settled()?.artifact()?;
        Some((state, artifact.reference()))
    })
}

/// What the records of a transcript say of its artifacts.
fn indexed(transcript: &Transcript) -> impl Iterator<Item = Indexed> {
    recorded(transcript).map(|(state, artifact)| Indexed::new(artifact, state.operation().tool()))
}

/// Whether a line near the beginning of a file begins like a record.
fn has_records(path: &Path) -> io::Result<bool> {
    let mut head = Vec::new();
    let file = std::fs::File::open(path)?;
    file.take(HEAD_BYTES).read_to_end(&mut head)?;
    Ok(head
        .split(|byte| *byte == b'\n')
        .any(|line| line.starts_with(b"{")))
}

/// How much of a file is looked at to see what it is.
const HEAD_BYTES: u64 = 64 << 10;

/// The stems of the names of files that an operation may be storing at this moment.
pub(crate) fn unanswered_stems(transcript: &Transcript) -> BTreeSet<String> {
    transcript
        .operations()
        .filter(|state| state.settled().is_none() && !state.is_answered())
        .map(|state| {
            let name = ArtifactName::for_op(state.operation().op_id(), ContentType::Text);
            name.stem().to_string()
        })
        .collect()
}
