//! Reading an artifact back, verified.

use std::io;

use artifacts_core::{ArtifactName, ContentDigest, ContentHasher};

use crate::dir::OpenDir;
use crate::fs::{FileKind, Fs};
use crate::stage::{MAX_TRIES, is_interrupt};
use crate::{ArtifactRef, Error, ErrorKind};

/// Reads the whole artifact and hands it out only if size and digest are right.
pub(crate) fn read_whole<F: Fs>(
    dir: &OpenDir<F>,
    artifact: &ArtifactRef,
) -> Result<Vec<u8>, Error> {
    let file = open_regular(dir, artifact)?;
    let mut bytes = vec![0; usize::try_from(artifact.bytes()).unwrap_or(usize::MAX)];
    let read = read_full(&*dir.fs, &file, &mut bytes, 0)
        .map_err(|error| Error::io("read", artifact.name(), error))?
        .len();
    let mut hasher = ContentHasher::default();
    hasher.update(&bytes);
    check(artifact, read as u64, &hasher.finish())?;
    Ok(bytes)
}

/// Opens the artifact after a pass over all of it found size and digest right.
pub(crate) fn open_verified<F: Fs>(
    dir: &OpenDir<F>,
    artifact: &ArtifactRef,
) -> Result<F::File, Error> {
    let file = open_regular(dir, artifact)?;
    verify(dir, &file, artifact)?;
    Ok(file)
}

/// Reads all of an open file and checks size and digest.
pub(crate) fn verify<F: Fs>(
    dir: &OpenDir<F>,
    file: &F::File,
    artifact: &ArtifactRef,
) -> Result<(), Error> {
    let (bytes, digest) = content(dir, file, artifact.name())?;
    check(artifact, bytes, &digest)
}

/// Reads all of an open file: its size and digest.
pub(crate) fn content<F: Fs>(
    dir: &OpenDir<F>,
    file: &F::File,
    name: &ArtifactName,
) -> Result<(u64, ContentDigest), Error> {
    let mut hasher = ContentHasher::default();
    let mut buffer = vec![0; READ_BYTES];
    let mut offset = 0;
    loop {
        let piece = read_full(&*dir.fs, file, &mut buffer, offset)
            .map_err(|error| Error::io("read", name, error))?;
        if piece.is_empty() {
            break;
        }
        hasher.update(piece);
        offset += piece.len() as u64;
    }
    Ok((offset, hasher.finish()))
}

/// Opens the file if it can be an artifact of ours: regular, of that size, with no second name.
pub(crate) fn open_regular<F: Fs>(
    dir: &OpenDir<F>,
    artifact: &ArtifactRef,
) -> Result<F::File, Error> {
    let name = artifact.name();
    let refused = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => Error::not_found(name),
        _ => Error::io("read", name, error),
    };
    let file = dir
        .fs
        .open(&dir.handle, name.as_str().as_ref())
        .map_err(refused)?;
    let stat = dir.fs.stat(&file).map_err(refused)?;
    if stat.kind != FileKind::Regular {
        return Err(refused(io::ErrorKind::IsADirectory.into()));
    }
    if stat.links != 1 {
        return Err(Error::new(
            ErrorKind::Foreign,
            format!("can't read {name}: the file has other names too, so put a copy in its place"),
        ));
    }
    if stat.bytes != artifact.bytes() {
        return Err(Error::altered(
            artifact,
            format!("it has {} bytes", stat.bytes),
        ));
    }
    Ok(file)
}

/// Compares what was found with what the record says.
pub(crate) fn check(
    artifact: &ArtifactRef,
    bytes: u64,
    digest: &ContentDigest,
) -> Result<(), Error> {
    if bytes != artifact.bytes() {
        return Err(Error::altered(artifact, format!("it has {bytes} bytes")));
    }
    if digest != artifact.digest() {
        return Err(Error::altered(artifact, format!("its sha256 is {digest}")));
    }
    Ok(())
}

/// Fills `buffer` from `offset`; shorter only at the end of the file.
pub(crate) fn read_full<'b, F: Fs>(
    fs: &F,
    file: &F::File,
    buffer: &'b mut [u8],
    offset: u64,
) -> io::Result<&'b [u8]> {
    let (mut filled, mut interrupts) = (0, 0);
    while let Some(rest) = buffer.get_mut(filled..)
        && !rest.is_empty()
    {
        match fs.read_at(file, rest, offset + filled as u64) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if is_interrupt(&error) && interrupts < MAX_TRIES => interrupts += 1,
            Err(error) => return Err(error),
        }
    }
    Ok(buffer.get(..filled).unwrap_or_default())
}

/// Read at a time while verifying.
pub(crate) const READ_BYTES: usize = 128 << 10;
