//! The file `index.jsonl` in an artifact directory.

use std::ffi::OsStr;
use std::fmt;
use std::io;

use super::contents::{Change, Contents};
use super::line;
use crate::dir::OpenDir;
use crate::fs::{FileKind, Fs, Stat};
use crate::read::read_full;
use crate::stage::{MAX_TRIES, is_interrupt};
use crate::{ArtifactDir, Error, ErrorKind};

/// What keeps the changes of an index.
pub(super) trait Journal: fmt::Debug + Send + Sync {
    /// Adds one line that tells of `changes`, which made the contents what they are.
    fn append(&self, changes: &[Change], contents: &Contents) -> Result<(), Error>;

    /// Puts a new file with `contents` in the place of the old one, which is set aside.
    fn replace(&self, contents: &Contents) -> Result<(), Error>;
}

/// What the file is like.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum File {
    /// Every line is read, or there is no file.
    #[default]
    Whole,
    /// Something is not a line of ours.
    Damaged,
}

/// What a file says.
#[derive(Debug, Default)]
pub(super) struct Said {
    pub(super) contents: Contents,
    pub(super) file: File,
}

/// Reads the file; `None` if there is none. What is torn at its end never was.
pub(super) fn read<F: Fs>(dir: &OpenDir<F>) -> Option<Said> {
    let mut said = Said::default();
    let bytes = match read_file(dir) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
        // It can't be read, so it tells nothing: what there is besides it must do.
        Err(_) => {
            said.file = File::Damaged;
            return Some(said);
        }
    };
    let mut lines = bytes.split(|byte| *byte == b'\n').collect::<Vec<_>>();
    lines.pop();
    for written in lines {
        match line::decode(written) {
            Some(changes) => changes
                .into_iter()
                .for_each(|change| said.contents.apply(change)),
            None => said.file = File::Damaged,
        }
    }
    Some(said)
}

/// The bytes, unless it is something else, or too large to be one of ours.
fn read_file<F: Fs>(dir: &OpenDir<F>) -> io::Result<Vec<u8>> {
    let file = dir.fs.open(&dir.handle, NAME.as_ref())?;
    let stat = dir.fs.stat(&file)?;
    if !is_ours(&stat) || stat.bytes > MAX_BYTES {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut bytes = vec![0; usize::try_from(stat.bytes).unwrap_or(usize::MAX)];
    let read = read_full(&*dir.fs, &file, &mut bytes, 0)?.len();
    bytes.truncate(read);
    Ok(bytes)
}

/// The file in a directory, which is opened anew for each line.
#[derive(Debug)]
pub(super) struct JournalFile<F: Fs>(ArtifactDir<F>);

impl<F: Fs> JournalFile<F> {
    pub(super) fn new(dir: ArtifactDir<F>) -> Self {
        Self(dir)
    }

    /// The directory, which appears with the first artifact and not for the sake of an index.
    fn dir(&self) -> Result<OpenDir<F>, Error> {
        let dir = self.0.open_present()?;
        dir.ok_or_else(|| Error::not_found(self.0.label()))
    }
}

impl<F: Fs> Journal for JournalFile<F> {
    fn append(&self, changes: &[Change], contents: &Contents) -> Result<(), Error> {
        let dir = self.dir()?;
        let refused = |error| Error::io("write", NAME, error);
        match dir.fs.stat_at(&dir.handle, NAME.as_ref()) {
            // Where a file begins it begins with everything.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return replace(&dir, contents);
            }
            Err(error) => return Err(refused(error)),
            Ok(stat) if !is_ours(&stat) => return Err(not_ours()),
            Ok(_) => {}
        }
        let file = dir
            .fs
            .open_append(&dir.handle, NAME.as_ref())
            .map_err(refused)?;
        let stat = dir.fs.stat(&file).map_err(refused)?;
        if !is_ours(&stat) {
            return Err(not_ours());
        }
        let mut line = line::encode(changes);
        // A line that a killed writer began stands alone.
        if is_torn(&dir, &file, stat.bytes).map_err(refused)? {
            line.insert(0, '\n');
        }
        write_all(&dir, &file, line.as_bytes()).map_err(refused)?;
        // What is gone must be known to be before it is removed.
        if changes
            .iter()
            .any(|change| matches!(change, Change::Bury(..)))
        {
            dir.sync_file(&file).map_err(refused)?;
        }
        Ok(())
    }

    fn replace(&self, contents: &Contents) -> Result<(), Error> {
        replace(&self.dir()?, contents)
    }
}

fn replace<F: Fs>(dir: &OpenDir<F>, contents: &Contents) -> Result<(), Error> {
    let refused = |error| Error::io("write", NAME, error);
    let changes = contents.as_changes().collect::<Vec<_>>();
    let text = match changes.as_slice() {
        [] => line::encode(&[]),
        changes => changes
            .chunks(CHANGES_PER_LINE)
            .map(line::encode)
            .collect::<String>(),
    };
    let staging = dir.staging_name();
    let file = dir.fs.create(&dir.handle, &staging).map_err(refused)?;
    let moved = write_all(dir, &file, text.as_bytes())
        .and_then(|()| dir.sync_file(&file).map(drop))
        .and_then(|()| set_aside(dir))
        .and_then(|()| dir.fs.rename(&dir.handle, &staging, NAME.as_ref()));
    if let Err(error) = moved {
        let _ = dir.fs.remove(&dir.handle, &staging);
        return Err(refused(error));
    }
    dir.sync().map(drop)
}

/// Keeps what could not be read, under another name, unless it is not ours to move.
fn set_aside<F: Fs>(dir: &OpenDir<F>) -> io::Result<()> {
    match dir.fs.stat_at(&dir.handle, NAME.as_ref()) {
        Ok(stat) if is_ours(&stat) => dir.fs.rename(&dir.handle, NAME.as_ref(), ASIDE.as_ref()),
        Ok(_) => Err(io::ErrorKind::IsADirectory.into()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

fn is_ours(stat: &Stat) -> bool {
    stat.kind == FileKind::Regular && stat.links == 1
}

fn not_ours() -> Error {
    Error::new(
        ErrorKind::Foreign,
        format!("can't write {NAME}: something else has its name, so move that away"),
    )
}

fn is_torn<F: Fs>(dir: &OpenDir<F>, file: &F::File, bytes: u64) -> io::Result<bool> {
    let mut last = [b'\n'];
    if let Some(offset) = bytes.checked_sub(1) {
        read_full(&*dir.fs, file, &mut last, offset)?;
    }
    Ok(last != [b'\n'])
}

fn write_all<F: Fs>(dir: &OpenDir<F>, file: &F::File, mut bytes: &[u8]) -> io::Result<()> {
    let mut interrupts = 0;
    while !bytes.is_empty() {
        match dir.fs.write(file, bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => bytes = bytes.get(written..).unwrap_or_default(),
            Err(error) if is_interrupt(&error) && interrupts < MAX_TRIES => interrupts += 1,
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Whether a file of this name is the index, or what was set aside of one.
pub(crate) fn is_index(name: &OsStr) -> bool {
    name == NAME || name == ASIDE
}

const NAME: &str = "index.jsonl";
const ASIDE: &str = "index.jsonl.damaged";

/// Nothing of ours is larger, and a planted file shall not fill the memory.
const MAX_BYTES: u64 = 256 << 20;

const CHANGES_PER_LINE: usize = 64;
