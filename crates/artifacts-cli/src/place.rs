//! `--session` or `--dir`: a run's artifacts, or those of a directory that no run of ours has.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use artifacts_core::ArtifactName;
use artifacts_fs::{ArtifactDir, ArtifactRef, Index, Indexed, Plan, Scan, artifact_dir_for};
use artifacts_mcp::{log_path, noted};
use loop_integration::Transcript;
use serde_json::Value;

use crate::failure::Failure;
use crate::input::base_name;
use crate::session::{SessionArg, indexed, transcript_or_dir};

/// The flags that say which artifacts are meant.
#[derive(Debug, clap::Args)]
#[group(id = "place", required = true, multiple = false)]
pub(crate) struct PlaceArg {
    /// The transcript of the run; its artifacts are beside it, in `<name>.artifacts`
    #[arg(long, value_name = "T.jsonl", value_parser = transcript_or_dir())]
    session: Option<PathBuf>,
    /// A directory of artifacts instead, such as that of the proxy or the hook
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

/// A directory of artifacts, and everything that names one of them.
#[derive(Debug)]
pub(crate) struct Place {
    path: PathBuf,
    session: Option<SessionArg>,
    /// That of the run; of a directory those beside it that can be read.
    transcripts: Vec<Transcript>,
    /// What the proxy or a hook stored.
    noted: Vec<Indexed>,
}

impl PlaceArg {
    /// Reads what names artifacts, changing nothing.
    pub(crate) fn open(self) -> Result<Place, Failure> {
        let session = self.session.map(|path| SessionArg { path });
        let (path, transcripts) = match (&session, self.dir) {
            (Some(session), _) => (artifact_dir_for(&session.path), vec![session.load()?]),
            (None, dir) => {
                let path = directory(dir.unwrap_or_default())?;
                let beside = transcripts_beside(&path)?.into_iter();
                // The transcript of a client that has hooks is none of ours.
                let ours = beside.filter_map(|path| Transcript::load(path).ok());
                (path, ours.collect())
            }
        };
        let noted = noted(&path).map_err(|error| refused(&log_path(&path), &error))?;
        Ok(Place {
            path,
            session,
            transcripts,
            noted,
        })
    }

    /// The directory alone, before anything else is read.
    pub(crate) fn dir(&self) -> ArtifactDir {
        let path = match (&self.session, &self.dir) {
            (Some(session), _) => artifact_dir_for(session),
            (None, dir) => dir.clone().unwrap_or_default(),
        };
        ArtifactDir::at(path)
    }
}

impl Place {
    /// The artifacts.
    pub(crate) fn dir(&self) -> ArtifactDir {
        ArtifactDir::at(&self.path)
    }

    /// Whether a run was named, and not a directory.
    pub(crate) fn is_run(&self) -> bool {
        self.session.is_some()
    }

    /// The transcripts that tell of the artifacts.
    pub(crate) fn transcripts(&self) -> &[Transcript] {
        &self.transcripts
    }

    /// What the directory's index, the call log and the records know of the artifacts.
    pub(crate) fn index(&self) -> Result<Index, Failure> {
        Ok(Index::open(&self.dir(), self.known())?)
    }

    /// As [`index`](Self::index), with those that `plan` removes of what the directory's other
    /// transcripts name, so that it is noted for all of them what becomes of their artifacts.
    /// A transcript that can't be read names nothing.
    pub(crate) fn index_for(&self, plan: &Plan) -> Result<Index, Failure> {
        let others = self.other_transcripts().unwrap_or_default().into_iter();
        let others = others.filter_map(|path| Transcript::load(path).ok());
        let others = others.collect::<Vec<_>>();
        let removals = plan.removals().iter();
        let names = removals.map(|removal| removal.name.as_os_str());
        let names = names.collect::<BTreeSet<_>>();
        let is_removed =
            |entry: &Indexed| names.contains(OsStr::new(entry.artifact().name().as_str()));
        let removed = others.iter().flat_map(indexed).filter(is_removed);
        Ok(Index::open(&self.dir(), self.known().chain(removed))?)
    }

    fn known(&self) -> impl Iterator<Item = Indexed> {
        let recorded = self.transcripts.iter().flat_map(indexed);
        self.noted.iter().cloned().chain(recorded)
    }

    /// Every artifact once: as a record has it, or else the index or the call log.
    pub(crate) fn named(&self, index: &Index) -> Vec<ArtifactRef> {
        let recorded = self.transcripts.iter().flat_map(Transcript::artifacts);
        let mut named = recorded.collect::<Vec<_>>();
        let taken = named.iter().map(|artifact| artifact.name().clone());
        let mut taken = taken.collect::<BTreeSet<_>>();
        let entries = index.entries();
        let others = entries.iter().chain(&self.noted);
        let others = others.map(|entry| entry.artifact().clone());
        named.extend(others.filter(|artifact| taken.insert(artifact.name().clone())));
        named
    }

    /// A scan in which what was removed on purpose is not missing, and what a message mentions
    /// is no orphan.
    pub(crate) fn explain(&self, mut scan: Scan, index: &Index) -> Scan {
        for artifact in self.transcripts.iter().flat_map(Transcript::mentioned) {
            if scan.orphans.contains(artifact.name()) {
                scan.orphans.retain(|orphan| orphan != artifact.name());
                scan.intact.push(artifact);
            }
        }
        scan.explained_by(index)
    }

    /// Every transcript whose artifacts are in the directory: that of the run and the others, as
    /// `run.log` is beside `run.jsonl`.
    pub(crate) fn all_transcripts(&self) -> Result<Vec<Transcript>, Failure> {
        let mut all = self.transcripts.clone();
        for path in self.other_transcripts()? {
            all.push(Transcript::load(path)?);
        }
        Ok(all)
    }

    /// Those beside the one of the run.
    fn other_transcripts(&self) -> Result<Vec<PathBuf>, Failure> {
        let Some(session) = &self.session else {
            return Ok(Vec::new());
        };
        let mut beside = transcripts_beside(&self.path)?;
        beside.retain(|path| *path != session.path);
        Ok(beside)
    }

    /// The words in quotes of what the proxy, a hook and the tools of a model wrote down, among
    /// which are the names of all that they stored; nothing where they wrote down nothing.
    ///
    /// What can't be read may name any artifact, and is refused.
    pub(crate) fn written_down(&self) -> Result<Option<Named>, Failure> {
        let log = log_path(&self.path);
        let index = self.path.join("index.jsonl");
        let (logged, indexed) = (text_of(&log)?, text_of(&index)?);
        if logged.is_none() && indexed.is_none() {
            return Ok(None);
        }
        let logged = logged.unwrap_or_default();
        for (number, line) in (1..).zip(logged.lines()) {
            if !line.is_empty() && serde_json::from_str::<Value>(line).is_err() {
                return Err(Failure::input(format!(
                    "line {number} of {} is damaged and may name any artifact: prune by \
                     --older-than or --max-bytes, or repair that line",
                    base_name(&log)
                )));
            }
        }
        let mut names = names_in(&logged);
        names.extend(names_in(&indexed.unwrap_or_default()));
        // A damaged index knows every file.
        let entries = self.index()?.entries();
        names.extend(entries.iter().map(|entry| entry.artifact().name().clone()));
        Ok(Some(names))
    }
}

/// Names of artifacts.
pub(crate) type Named = BTreeSet<ArtifactName>;

/// Every name in quotes, wherever it stands.
fn names_in(text: &str) -> Named {
    let words = text.split('"');
    words
        .filter_map(|word| ArtifactName::parse(word).ok())
        .collect()
}

/// The files of which the artifacts are in `dir`, and whose lines begin like records. The call log
/// has the same stem and is none.
fn transcripts_beside(dir: &Path) -> Result<Vec<PathBuf>, Failure> {
    let refused = |error: io::Error| {
        let advice = "make the transcript's folder readable";
        Failure::io("can't look for other transcripts", &error, advice)
    };
    let folder = match dir.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(refused)? {
        let entry = entry.map_err(refused)?;
        let path = dir.with_file_name(entry.file_name());
        if artifact_dir_for(&path) == dir
            && path != log_path(dir)
            && entry.file_type().map_err(refused)?.is_file()
            && has_records(&path).map_err(refused)?
        {
            found.push(path);
        }
    }
    Ok(found)
}

/// Whether a line near the beginning of a file begins like a record.
fn has_records(path: &Path) -> io::Result<bool> {
    let mut head = Vec::new();
    let file = File::open(path)?;
    file.take(HEAD_BYTES).read_to_end(&mut head)?;
    Ok(head
        .split(|byte| *byte == b'\n')
        .any(|line| line.starts_with(b"{")))
}

/// How much of a file is looked at to see what it is.
const HEAD_BYTES: u64 = 64 << 10;

/// The directory by a path that has its name.
fn directory(path: PathBuf) -> Result<PathBuf, Failure> {
    if !path.is_dir() {
        return Err(Failure::input(format!(
            "there is no directory {}; check the path",
            base_name(&path)
        )));
    }
    match path.file_name() {
        Some(_) => Ok(path),
        None => std::fs::canonicalize(&path).map_err(|error| refused(&path, &error)),
    }
}

fn text_of(path: &Path) -> Result<Option<String>, Failure> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(refused(path, &error)),
    }
}

fn refused(path: &Path, error: &io::Error) -> Failure {
    let what = format!("can't read {}", base_name(path));
    Failure::io(&what, error, "change its permissions")
}
