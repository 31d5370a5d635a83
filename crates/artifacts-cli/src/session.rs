//! `--session`: a run's transcript, and the artifacts beside it.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::sync::Arc;

use artifacts_core::{ArtifactName, ContentType, Shape};
use artifacts_fs::{
    ArtifactDir, ArtifactRef, ErrorKind, Index, Indexed, OpenArtifact, artifact_dir_for,
};
use clap::builder::{PathBufValueParser, TypedValueParser};
use loop_integration::{OperationState, Session, Settler, SystemClock, Transcript, resolve};
use serde_json::Value;

use crate::failure::{Exit, Failure};
use crate::input::base_name;

/// The flag that names a run.
#[derive(Debug, clap::Args)]
pub(crate) struct SessionArg {
    /// The transcript of the run; its artifacts are beside it, in `<name>.artifacts`
    #[arg(long = "session", value_name = "T.jsonl")]
    pub(crate) path: PathBuf,
}

/// A transcript of a command that takes a directory as well: one that is given for the other is told.
pub(crate) fn transcript_or_dir() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| match path.is_dir() {
        true => Err(format!(
            "it is a directory; give it as --dir {}",
            base_name(&path)
        )),
        false => Ok(path),
    })
}

impl SessionArg {
    /// Goes on with the run, or begins it.
    pub(crate) fn open(&self, shape: Shape) -> Result<Session, Failure> {
        let settler = Settler::new(shape).with_store(Arc::new(self.dir()));
        Session::open(&self.path, settler, Arc::new(SystemClock)).map_err(|error| self.told(error))
    }

    /// Reads the transcript, changing nothing.
    pub(crate) fn load(&self) -> Result<Transcript, Failure> {
        Transcript::load(&self.path).map_err(|error| self.told(error))
    }

    /// Why the transcript can't be used. One of a client is not to be repaired: it is none of ours.
    pub(crate) fn told(&self, error: loop_integration::Error) -> Failure {
        use loop_integration::ErrorKind::{Damaged, Version};
        if !matches!(error.kind(), Damaged | Version) || self.has_record() {
            return error.into();
        }
        let file = base_name(&self.path);
        let dir = artifact_dir_for(&self.path);
        let dir = base_name(&dir);
        Failure::input(format!(
            "{file} is no transcript of artifacts; for what the proxy or a hook stored, give \
             --dir {dir}"
        ))
    }

    /// Whether a line of the file looks like a record, whatever is wrong with another.
    pub(crate) fn has_record(&self) -> bool {
        let Ok(file) = File::open(&self.path) else {
            return false;
        };
        let mut lines = BufReader::new(file).split(b'\n').map_while(Result::ok);
        lines.any(|line| {
            let line = serde_json::from_slice::<Value>(&line).unwrap_or_default();
            ["id", "payload", "ts", "type", "v"]
                .iter()
                .all(|field| line.get(field).is_some())
        })
    }

    /// The artifacts beside the transcript.
    pub(crate) fn dir(&self) -> ArtifactDir {
        ArtifactDir::beside(&self.path)
    }

    /// What the directory's index and the records know of the artifacts.
    pub(crate) fn index(&self, transcript: &Transcript) -> Result<Index, Failure> {
        Ok(Index::open(&self.dir(), indexed(transcript))?)
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
pub(crate) fn indexed(transcript: &Transcript) -> impl Iterator<Item = Indexed> {
    recorded(transcript).map(|(state, artifact)| Indexed::new(artifact, state.operation().tool()))
}

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
