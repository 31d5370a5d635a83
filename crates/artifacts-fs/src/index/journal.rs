//! The file `index.jsonl` in an artifact directory.

use std::ffi::OsStr;
use std::fmt;
use std::io;
use std::ops::Range;

use super::contents::{Change, Contents};
use super::line;
use crate::dir::OpenDir;
use crate::fs::{FileKind, Fs, Stat};
use crate::read::read_full;
use crate::stage::{MAX_TRIES, is_interrupt};
use crate::{ArtifactDir, Error, ErrorKind};

/// What keeps the changes of an index.
pub(super) trait Journal: fmt::Debug + Send + Sync {
    /// What the file says; `None` if there is none.
    fn read(&self) -> Option<Said>;

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
    let whole = memchr::memrchr(b'\n', &bytes).and_then(|end| bytes.get(..end));
    // How long the last line is, if it is not one of ours.
    let mut unread = None;
    for written in whole.into_iter().flat_map(|whole| whole.split(is_line_end)) {
        if unread.is_some() && unread == line::torn_before(written) {
            unread = None;
            continue;
        }
        let changes = line::decode(written);
        let next = changes.is_none().then_some(written.len());
        if std::mem::replace(&mut unread, next).is_some() {
            said.file = File::Damaged;
        }
        let changes = changes.into_iter().flatten();
        changes.for_each(|change| said.contents.apply(change));
    }
    if unread.is_some() {
        said.file = File::Damaged;
    }
    Some(said)
}

fn is_line_end(byte: &u8) -> bool {
    *byte == b'\n'
}

fn read_file<F: Fs>(dir: &OpenDir<F>) -> io::Result<Vec<u8>> {
    let (file, stat) = open(dir)?;
    read_from(dir, &file, 0..stat.bytes)
}

/// The file, unless it is something else, or too large to be one of ours.
pub(super) fn open<F: Fs>(dir: &OpenDir<F>) -> io::Result<(F::File, Stat)> {
    let file = dir.fs.open(&dir.handle, NAME.as_ref())?;
    let stat = dir.fs.stat(&file)?;
    match is_ours(&stat) && stat.bytes <= MAX_BYTES {
        true => Ok((file, stat)),
        false => Err(io::ErrorKind::InvalidData.into()),
    }
}

/// What there is of the bytes in `range`.
pub(super) fn read_from<F: Fs>(
    dir: &OpenDir<F>,
    file: &F::File,
    range: Range<u64>,
) -> io::Result<Vec<u8>> {
    let length = range.end.saturating_sub(range.start);
    let mut bytes = vec![0; usize::try_from(length).unwrap_or(usize::MAX)];
    let read = read_full(&*dir.fs, file, &mut bytes, range.start)?.len();
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
    fn read(&self) -> Option<Said> {
        read(&self.dir().ok()?)
    }

    fn append(&self, changes: &[Change], contents: &Contents) -> Result<(), Error> {
        let dir = self.dir()?;
        let file = match append(&dir, changes) {
            // Where a file begins it begins with everything.
            Err(error) if error.kind() == ErrorKind::NotFound => return replace(&dir, contents),
            file => file?,
        };
        // What is gone must be known to be before it is removed.
        if changes
            .iter()
            .any(|change| matches!(change, Change::Bury(..)))
        {
            dir.sync_file(&file)
                .map_err(|error| Error::io("write", NAME, error))?;
        }
        Ok(())
    }

    fn replace(&self, contents: &Contents) -> Result<(), Error> {
        replace(&self.dir()?, contents)
    }
}

/// Adds a line to the file, which must be there.
pub(super) fn append<F: Fs>(dir: &OpenDir<F>, changes: &[Change]) -> Result<F::File, Error> {
    let refused = |error| Error::io("write", NAME, error);
    let there = dir.fs.stat_at(&dir.handle, NAME.as_ref());
    if !is_ours(&there.map_err(refused)?) {
        return Err(not_ours());
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
    // A line that a killed writer began stands alone, and the next one says what it is.
    let torn = torn_bytes(dir, &file, stat.bytes).map_err(refused)?;
    if torn > 0 {
        line.insert_str(0, &format!("\n{}", line::torn(torn)));
    }
    write_all(dir, &file, line.as_bytes()).map_err(refused)?;
    Ok(file)
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
        Ok(stat) if is_ours(&stat) => {
            let aside = free_aside(dir)?;
            dir.fs.rename(&dir.handle, NAME.as_ref(), aside.as_ref())
        }
        Ok(_) => Err(io::ErrorKind::IsADirectory.into()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

/// A name for what is set aside, so that what was before stays: `….damaged`, `….damaged.2`, ….
fn free_aside<F: Fs>(dir: &OpenDir<F>) -> io::Result<String> {
    let mut aside = ASIDE.to_owned();
    for number in 2_u64.. {
        match dir.fs.stat_at(&dir.handle, aside.as_ref()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => break,
            Err(error) => return Err(error),
            Ok(_) => aside = format!("{ASIDE}.{number}"),
        }
    }
    Ok(aside)
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

/// How many bytes there are after the last line end.
fn torn_bytes<F: Fs>(dir: &OpenDir<F>, file: &F::File, bytes: u64) -> io::Result<usize> {
    let mut end = bytes;
    let mut buffer = vec![0; PIECE_BYTES];
    let mut torn = 0;
    while end > 0 {
        // A last byte that is a line end is all that needs to be read as a rule.
        let most = match torn {
            0 => 1,
            _ => PIECE_BYTES as u64,
        };
        let start = end.saturating_sub(most);
        let piece = usize::try_from(end - start).unwrap_or(PIECE_BYTES);
        let piece = buffer.get_mut(..piece).unwrap_or_default();
        let piece = read_full(&*dir.fs, file, piece, start)?;
        if let Some(newline) = memchr::memrchr(b'\n', piece) {
            return Ok(torn + piece.len() - newline - 1);
        }
        torn += piece.len();
        end = start;
    }
    Ok(torn)
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
    let aside = name.to_str().and_then(|name| name.strip_prefix(ASIDE));
    let is_numbered = |rest: &str| {
        let number = rest.strip_prefix('.');
        number.is_some_and(|number| number.parse::<u64>().is_ok())
    };
    name == NAME || aside.is_some_and(|rest| rest.is_empty() || is_numbered(rest))
}

const NAME: &str = "index.jsonl";
const ASIDE: &str = "index.jsonl.damaged";

/// Nothing of ours is larger, and a planted file shall not fill the memory.
const MAX_BYTES: u64 = 256 << 20;

/// Read at a time to find where a torn line begins.
const PIECE_BYTES: usize = 64 << 10;

const CHANGES_PER_LINE: usize = 64;
