//! Linux, macOS and the other Unixes, relative to directory handles.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::time::{Duration, SystemTime};

use rustix::fs::{self, AtFlags, FileType, FlockOperation, Mode, OFlags};
use rustix::io::{Errno, retry_on_intr};

use crate::Durability;
use crate::fs::{FileKind, Fs, Stat, sealed};

/// The file system of the machine.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct RealFs;

impl sealed::Sealed for RealFs {}

impl Fs for RealFs {
    type Dir = OwnedFd;
    type File = File;

    fn open_parent(&self, path: &Path) -> io::Result<OwnedFd> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(retry_on_intr(|| fs::open(path, flags, Mode::empty()))?)
    }

    fn open_dir(&self, parent: &OwnedFd, name: &OsStr) -> io::Result<OwnedFd> {
        // One component and NOFOLLOW: what openat2's BENEATH and NO_SYMLINKS would add is nothing.
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(retry_on_intr(|| {
            fs::openat(parent, name, flags, Mode::empty())
        })?)
    }

    fn create_dir(&self, parent: &OwnedFd, name: &OsStr) -> io::Result<()> {
        fs::mkdirat(parent, name, Mode::RWXU)?;
        // The umask may have taken bits away. File systems without modes refuse: nothing is lost.
        let _ = fs::chmodat(parent, name, Mode::RWXU, AtFlags::empty());
        Ok(())
    }

    fn create(&self, dir: &OwnedFd, name: &OsStr) -> io::Result<File> {
        let flags =
            OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mode = Mode::RUSR | Mode::WUSR;
        let file = retry_on_intr(|| fs::openat(dir, name, flags, mode))?;
        let _ = fs::fchmod(&file, mode);
        // Without locks (some network mounts) the age of a leftover still protects it.
        let _ = fs::flock(&file, FlockOperation::NonBlockingLockExclusive);
        Ok(file.into())
    }

    fn open_append(&self, dir: &OwnedFd, name: &OsStr) -> io::Result<File> {
        let flags = OFlags::RDWR
            | OFlags::APPEND
            | OFlags::CREATE
            | OFlags::NOFOLLOW
            | OFlags::NONBLOCK
            | OFlags::NOCTTY
            | OFlags::CLOEXEC;
        let mode = Mode::RUSR | Mode::WUSR;
        Ok(retry_on_intr(|| fs::openat(dir, name, flags, mode))?.into())
    }

    fn open(&self, dir: &OwnedFd, name: &OsStr) -> io::Result<File> {
        let flags =
            OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        Ok(retry_on_intr(|| fs::openat(dir, name, flags, Mode::empty()))?.into())
    }

    fn renew(&self, file: &File) {
        let changed = || fs::fstat(file).map(|stat| (stat.st_ctime, stat.st_ctime_nsec));
        let before = changed();
        // Setting the mode sets that time, but older kernels count it in ticks of some milliseconds.
        for _ in 0..MOST_TICKS {
            let is_set = fs::fchmod(file, Mode::RUSR | Mode::WUSR).is_ok();
            if !is_set || changed() != before {
                return;
            }
            std::thread::sleep(TICK);
        }
    }

    fn write(&self, mut file: &File, bytes: &[u8]) -> io::Result<usize> {
        file.write(bytes)
    }

    fn read_at(&self, file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        file.read_at(buffer, offset)
    }

    fn sync(&self, file: &File) -> io::Result<Durability> {
        // `sync_all` is F_FULLFSYNC on Apple's systems, and repeats when interrupted.
        match file.sync_all() {
            Ok(()) => Ok(Durability::PowerLoss),
            Err(error) if refuses_to_sync(&error) => {
                #[cfg(target_vendor = "apple")]
                let _ = fs::fsync(file);
                Ok(Durability::Process)
            }
            Err(error) => Err(error),
        }
    }

    fn sync_all(&self, files: &[&File]) -> Vec<io::Result<Durability>> {
        super::sync_all(files, |file| self.sync(file))
    }

    fn sync_dir(&self, dir: &OwnedFd) -> io::Result<Durability> {
        #[cfg(target_vendor = "apple")]
        let synced = fs::fcntl_fullfsync(dir).or_else(|_| fs::fsync(dir));
        #[cfg(not(target_vendor = "apple"))]
        let synced = retry_on_intr(|| fs::fsync(dir));
        match synced.map_err(io::Error::from) {
            Ok(()) => Ok(Durability::PowerLoss),
            Err(error) if refuses_to_sync(&error) => Ok(Durability::Process),
            Err(error) => Err(error),
        }
    }

    fn stat(&self, file: &File) -> io::Result<Stat> {
        Ok(stat_of(&fs::fstat(file)?))
    }

    fn stat_at(&self, dir: &OwnedFd, name: &OsStr) -> io::Result<Stat> {
        Ok(stat_of(&fs::statat(dir, name, AtFlags::SYMLINK_NOFOLLOW)?))
    }

    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    fn rename_new(&self, dir: &OwnedFd, from: &OsStr, to: &OsStr) -> io::Result<()> {
        Ok(fs::renameat_with(
            dir,
            from,
            dir,
            to,
            fs::RenameFlags::NOREPLACE,
        )?)
    }

    #[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
    fn rename_new(&self, _: &OwnedFd, _: &OsStr, _: &OsStr) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn link(&self, dir: &OwnedFd, from: &OsStr, to: &OsStr) -> io::Result<()> {
        Ok(fs::linkat(dir, from, dir, to, AtFlags::empty())?)
    }

    fn rename(&self, dir: &OwnedFd, from: &OsStr, to: &OsStr) -> io::Result<()> {
        Ok(fs::renameat(dir, from, dir, to)?)
    }

    fn remove(&self, dir: &OwnedFd, name: &OsStr) -> io::Result<()> {
        Ok(fs::unlinkat(dir, name, AtFlags::empty())?)
    }

    fn names(&self, dir: &OwnedFd) -> io::Result<Vec<OsString>> {
        let mut names = Vec::new();
        for entry in fs::Dir::read_from(dir)? {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            if !matches!(name, b"." | b"..") {
                names.push(OsStr::from_bytes(name).to_os_string());
            }
        }
        Ok(names)
    }

    fn lock_dir(&self, dir: &OwnedFd) -> io::Result<()> {
        Ok(fs::flock(dir, FlockOperation::NonBlockingLockExclusive)?)
    }

    fn share_dir(&self, dir: &OwnedFd) -> io::Result<()> {
        Ok(fs::flock(dir, FlockOperation::NonBlockingLockShared)?)
    }

    fn lock(&self, file: &File) -> io::Result<()> {
        Ok(fs::flock(file, FlockOperation::NonBlockingLockExclusive)?)
    }

    #[cfg(any(target_os = "linux", target_os = "android"))]
    fn start_writeback(&self, file: &File, offset: u64, bytes: u64) {
        // DONTNEED starts the write-back of dirty pages without waiting for it, as
        // sync_file_range(WRITE) does, and is reachable without `unsafe`.
        let bytes = std::num::NonZeroU64::new(bytes);
        if bytes.is_some() {
            let _ = fs::fadvise(file, offset, bytes, fs::Advice::DontNeed);
        }
    }

    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    fn start_writeback(&self, _: &File, _: u64, _: u64) {}

    #[cfg(any(target_os = "linux", target_os = "android"))]
    fn share_blocks(&self, from: &File, to: &File) -> io::Result<()> {
        Ok(fs::ioctl_ficlone(to, from)?)
    }

    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    fn share_blocks(&self, _: &File, _: &File) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// Whether the file system has no such thing as a sync, as opposed to a sync that failed.
fn refuses_to_sync(error: &io::Error) -> bool {
    let refusals = [
        Errno::INVAL,
        Errno::NOTSUP,
        Errno::OPNOTSUPP,
        Errno::NOSYS,
        Errno::NOTTY,
    ];
    Errno::from_io_error(error).is_some_and(|errno| refusals.contains(&errno))
}

#[allow(
    clippy::unnecessary_cast,
    clippy::useless_conversion,
    reason = "the widths of these fields differ between systems"
)]
fn stat_of(stat: &fs::Stat) -> Stat {
    let kind = match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => FileKind::Regular,
        FileType::Directory => FileKind::Dir,
        _ => FileKind::Other,
    };
    Stat {
        kind,
        bytes: u64::try_from(stat.st_size).unwrap_or(0),
        links: stat.st_nlink as u64,
        id: (stat.st_dev as u64, stat.st_ino as u64),
        modified: time_of(stat.st_mtime as i64, stat.st_mtime_nsec as u64),
        changed: time_of(stat.st_ctime as i64, stat.st_ctime_nsec as u64),
    }
}

fn time_of(seconds: i64, nanos: u64) -> SystemTime {
    let since = Duration::from_secs(seconds.unsigned_abs());
    let whole = if seconds < 0 {
        SystemTime::UNIX_EPOCH.checked_sub(since)
    } else {
        SystemTime::UNIX_EPOCH.checked_add(since)
    };
    whole
        .and_then(|whole| whole.checked_add(Duration::from_nanos(nanos)))
        .unwrap_or(SystemTime::UNIX_EPOCH)
}

/// How finely the coarsest kernels count the times of files, with some to spare.
const TICK: Duration = Duration::from_millis(1);
const MOST_TICKS: u32 = 20;
