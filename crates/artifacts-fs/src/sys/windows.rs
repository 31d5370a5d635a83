//! Windows, with the standard library alone.
//!
//! Without `unsafe` there is no MoveFileExW and no handle-relative open, so names are joined to
//! the directory's path and publishing is a hard link, or a reservation on file systems without
//! links. A directory can't be flushed, so a receipt says [`Durability::Process`].

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write as _};
use std::os::windows::fs::{FileExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use crate::Durability;
use crate::fs::{FileKind, Fs, Stat, sealed};

/// The file system of the machine.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct RealFs;

/// A directory, held open so that it is not renamed or deleted meanwhile.
#[derive(Debug)]
pub struct Dir {
    path: PathBuf,
    _held: File,
}

impl sealed::Sealed for RealFs {}

impl Fs for RealFs {
    type Dir = Dir;
    type File = File;

    fn open_parent(&self, path: &Path) -> io::Result<Dir> {
        open_dir(path.to_path_buf(), FILE_FLAG_BACKUP_SEMANTICS)
    }

    fn open_dir(&self, parent: &Dir, name: &OsStr) -> io::Result<Dir> {
        let flags = FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT;
        open_dir(parent.path.join(name), flags)
    }

    fn create_dir(&self, parent: &Dir, name: &OsStr) -> io::Result<()> {
        fs::create_dir(parent.path.join(name))
    }

    fn create(&self, dir: &Dir, name: &OsStr) -> io::Result<File> {
        OpenOptions::new()
            .read(true)
            .write(true)
            .create_new(true)
            .share_mode(FILE_SHARE_READ | FILE_SHARE_DELETE)
            .open(dir.path.join(name))
    }

    fn open_append(&self, dir: &Dir, name: &OsStr) -> io::Result<File> {
        OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .share_mode(FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE)
            .custom_flags(FILE_FLAG_OPEN_REPARSE_POINT)
            .open(dir.path.join(name))
    }

    fn open(&self, dir: &Dir, name: &OsStr) -> io::Result<File> {
        OpenOptions::new()
            .read(true)
            .share_mode(FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE)
            .custom_flags(FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT)
            .open(dir.path.join(name))
    }

    fn renew(&self, _: &File) {}

    fn write(&self, mut file: &File, bytes: &[u8]) -> io::Result<usize> {
        file.write(bytes)
    }

    fn read_at(&self, file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        file.seek_read(buffer, offset)
    }

    fn sync(&self, file: &File) -> io::Result<Durability> {
        file.sync_all().map(|()| Durability::PowerLoss)
    }

    fn sync_all(&self, files: &[&File]) -> Vec<io::Result<Durability>> {
        super::sync_all(files, |file| self.sync(file))
    }

    fn sync_dir(&self, _: &Dir) -> io::Result<Durability> {
        Ok(Durability::Process)
    }

    fn stat(&self, file: &File) -> io::Result<Stat> {
        file.metadata().map(|metadata| stat_of(&metadata))
    }

    fn stat_at(&self, dir: &Dir, name: &OsStr) -> io::Result<Stat> {
        fs::symlink_metadata(dir.path.join(name)).map(|metadata| stat_of(&metadata))
    }

    fn rename_new(&self, _: &Dir, _: &OsStr, _: &OsStr) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    #[expect(clippy::disallowed_methods, reason = "the one place that publishes")]
    fn link(&self, dir: &Dir, from: &OsStr, to: &OsStr) -> io::Result<()> {
        match fs::hard_link(dir.path.join(from), dir.path.join(to)) {
            Err(error) if error.raw_os_error() == Some(ERROR_INVALID_FUNCTION) => {
                Err(io::ErrorKind::Unsupported.into())
            }
            other => other,
        }
    }

    #[expect(clippy::disallowed_methods, reason = "the one place that publishes")]
    fn rename(&self, dir: &Dir, from: &OsStr, to: &OsStr) -> io::Result<()> {
        fs::rename(dir.path.join(from), dir.path.join(to))
    }

    #[expect(clippy::disallowed_methods, reason = "the one place that removes")]
    fn remove(&self, dir: &Dir, name: &OsStr) -> io::Result<()> {
        fs::remove_file(dir.path.join(name))
    }

    fn names(&self, dir: &Dir) -> io::Result<Vec<OsString>> {
        fs::read_dir(&dir.path)?
            .map(|entry| entry.map(|entry| entry.file_name()))
            .collect()
    }

    fn lock_dir(&self, dir: &Dir) -> io::Result<()> {
        // Nobody else can open it while no sharing is allowed; it goes with the handle.
        let _ = dir;
        Ok(())
    }

    fn share_dir(&self, _: &Dir) -> io::Result<()> {
        Ok(())
    }

    fn lock(&self, _: &File) -> io::Result<()> {
        Ok(())
    }

    fn start_writeback(&self, _: &File, _: u64, _: u64) {}

    fn share_blocks(&self, _: &File, _: &File) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

fn open_dir(path: PathBuf, flags: u32) -> io::Result<Dir> {
    let held = OpenOptions::new()
        .read(true)
        .share_mode(FILE_SHARE_READ | FILE_SHARE_WRITE)
        .custom_flags(flags)
        .open(&path)?;
    if stat_of(&held.metadata()?).kind != FileKind::Dir {
        return Err(io::ErrorKind::NotADirectory.into());
    }
    Ok(Dir { path, _held: held })
}

fn stat_of(metadata: &Metadata) -> Stat {
    let reparse_point = metadata.file_attributes() & FILE_ATTRIBUTE_REPARSE_POINT != 0;
    let kind = match () {
        () if reparse_point => FileKind::Other,
        () if metadata.is_dir() => FileKind::Dir,
        () => FileKind::Regular,
    };
    let modified = metadata.modified().unwrap_or(std::time::UNIX_EPOCH);
    Stat {
        kind,
        bytes: metadata.len(),
        // The stable standard library tells neither links nor file ids.
        links: 1,
        id: (0, metadata.creation_time()),
        modified,
        changed: modified,
    }
}

const FILE_SHARE_READ: u32 = 1;
const FILE_SHARE_WRITE: u32 = 2;
const FILE_SHARE_DELETE: u32 = 4;
const FILE_FLAG_OPEN_REPARSE_POINT: u32 = 0x0020_0000;
const FILE_FLAG_BACKUP_SEMANTICS: u32 = 0x0200_0000;
const FILE_ATTRIBUTE_REPARSE_POINT: u32 = 0x400;
const ERROR_INVALID_FUNCTION: i32 = 1;
