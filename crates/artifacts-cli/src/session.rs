//! `--session`: a run's transcript, and the artifacts beside it.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use artifacts_core::{ArtifactName, ContentType, Shape};
use artifacts_fs::{
    ArtifactDir, ArtifactRef, ErrorKind, Index, Indexed, OpenArtifact, Scan, artifact_dir_for,
};
use loop_integration::{OperationState, Session, Settler, SystemClock, Transcript};

use crate::failure::Failure;
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

    /// What the directory's index and the records know of the artifacts.
    pub(crate) fn index(&self, transcript: &Transcript) -> Result<Index, Failure> {
        let recorded = transcript.artifacts().into_iter();
        let recorded = recorded.map(|artifact| Indexed::new(artifact, None));
        Ok(Index::open(&self.dir(), recorded)?)
    }

    /// A scan in which what was removed on purpose is not missing.
    pub(crate) fn explain(&self, scan: Scan, transcript: &Transcript) -> Result<Scan, Failure> {
        match scan.missing.is_empty() {
            true => Ok(scan),
            false => Ok(scan.explained_by(&self.index(transcript)?)),
        }
    }

    /// Opens an artifact that the records name; one that was removed on purpose says why.
    pub(crate) fn open_artifact(&self, artifact: &ArtifactRef) -> Result<OpenArtifact, Failure> {
        let error = match self.dir().open_artifact(artifact) {
            Ok(opened) => return Ok(opened),
            Err(error) => error,
        };
        if error.kind() == ErrorKind::NotFound {
            self.index(&self.load()?)?.check(artifact.name())?;
        }
        Err(error.into())
    }

    /// The path of an artifact, as the user would write it.
    pub(crate) fn artifact_path(&self, name: &ArtifactName) -> PathBuf {
        artifact_dir_for(&self.path).join(name.as_str())
    }

    /// The artifact that the records call `name`: its file's name, or the id of its operation.
    pub(crate) fn find(&self, name: &str) -> Result<ArtifactRef, Failure> {
        let transcript = self.load()?;
        let named = recorded(&transcript)
            .filter(|(state, artifact)| {
                artifact.name().as_str() == name || state.operation().op_id().as_str() == name
            })
            .last();
        match named {
            Some((_, artifact)) => Ok(artifact),
            None => Err(Failure::input(format!(
                "no record of {} names an artifact {name:?}; `artifacts list` shows what there is",
                base_name(&self.path)
            ))),
        }
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
