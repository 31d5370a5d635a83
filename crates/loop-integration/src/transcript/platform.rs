//! What a transcript's file asks of the system beside std: flags, identity, locks, renames.

#[cfg(not(unix))]
pub(crate) use other::*;
#[cfg(unix)]
pub(crate) use unix::*;

#[cfg(unix)]
mod unix {
    use std::fs::{File, Metadata, OpenOptions, Permissions};
    use std::io;
    use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
    use std::path::Path;

    use rustix::fs::{FlockOperation, OFlags};
    use rustix::io::Errno;

    /// No link is followed, nothing blocks on a FIFO, a new file is for its owner alone.
    pub(crate) fn harden(options: &mut OpenOptions) {
        let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits();
        options.mode(0o600).custom_flags(flags.cast_signed());
    }

    pub(crate) fn names(metadata: &Metadata) -> u64 {
        metadata.nlink()
    }

    pub(crate) fn give_to_owner(file: &File, metadata: &Metadata) {
        let mode = metadata.mode();
        if mode & 0o600 != 0o600 {
            let _ = file.set_permissions(Permissions::from_mode(mode & 0o777 | 0o600));
        }
    }

    /// Device and inode.
    pub(crate) fn identity(metadata: &Metadata) -> Option<(u64, u64)> {
        Some((metadata.dev(), metadata.ino()))
    }

    pub(crate) fn lock(file: &File) -> io::Result<()> {
        loop {
            match rustix::fs::flock(file, FlockOperation::LockExclusive) {
                Err(Errno::INTR) => {}
                // Without locks, as on some network mounts, one process at a time is the caller's
                // to arrange.
                Err(Errno::NOSYS | Errno::NOTSUP | Errno::NOLCK) => return Ok(()),
                locked => return Ok(locked?),
            }
        }
    }

    pub(crate) fn unlock(file: &File) -> io::Result<()> {
        Ok(rustix::fs::flock(file, FlockOperation::Unlock)?)
    }

    pub(crate) fn sync_dir(path: &Path) -> io::Result<()> {
        File::open(path)?.sync_all()
    }

    /// The error of making what is there.
    pub(crate) fn taken() -> io::Error {
        Errno::EXIST.into()
    }

    /// A file in the directory of `path` that has no name, so that nothing is left of it whenever
    /// the process ends; where the system can make such a file and name it later.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    pub(crate) fn unnamed_beside(path: &Path) -> Option<File> {
        let parent = match path.parent()? {
            parent if parent.as_os_str().is_empty() => Path::new("."),
            parent => parent,
        };
        let mut options = OpenOptions::new();
        options.read(true).append(true).mode(0o600);
        options.custom_flags(OFlags::TMPFILE.bits().cast_signed());
        let file = options.open(parent).ok()?;
        give_to_owner(&file, &file.metadata().ok()?);
        std::fs::metadata(descriptor(&file)).ok()?;
        Some(file)
    }

    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    pub(crate) fn unnamed_beside(_: &Path) -> Option<File> {
        None
    }

    /// Names a file of [`unnamed_beside`], where nothing has the name.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    pub(crate) fn give_name(file: &File, path: &Path) -> io::Result<()> {
        use rustix::fs::{AtFlags, CWD};

        let from = descriptor(file);
        Ok(rustix::fs::linkat(
            CWD,
            from,
            CWD,
            path,
            AtFlags::SYMLINK_FOLLOW,
        )?)
    }

    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    pub(crate) fn give_name(_: &File, _: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// The way of open(2) to a file that has no name.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    fn descriptor(file: &File) -> String {
        use std::os::fd::AsRawFd as _;

        format!("/proc/self/fd/{}", file.as_raw_fd())
    }

    /// Renames in one step, if the system can, where nothing has the new name.
    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    pub(crate) fn rename_new(from: &Path, to: &Path) -> Option<io::Result<()>> {
        use rustix::fs::{CWD, RenameFlags, renameat_with};

        match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => None,
            renamed => Some(renamed.map_err(io::Error::from)),
        }
    }

    #[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
    pub(crate) fn rename_new(_: &Path, _: &Path) -> Option<io::Result<()>> {
        None
    }
}

#[cfg(not(unix))]
mod other {
    use std::fs::{File, Metadata, OpenOptions};
    use std::io;
    use std::path::Path;

    pub(crate) fn harden(_: &mut OpenOptions) {}

    pub(crate) fn names(_: &Metadata) -> u64 {
        1
    }

    pub(crate) fn give_to_owner(_: &File, _: &Metadata) {}

    pub(crate) fn identity(_: &Metadata) -> Option<(u64, u64)> {
        None
    }

    /// One process at a time must be arranged by the caller: std locks files from 1.89 on only.
    pub(crate) fn lock(_: &File) -> io::Result<()> {
        Ok(())
    }

    pub(crate) fn unlock(_: &File) -> io::Result<()> {
        Ok(())
    }

    pub(crate) fn sync_dir(_: &Path) -> io::Result<()> {
        Ok(())
    }

    pub(crate) fn taken() -> io::Error {
        io::ErrorKind::AlreadyExists.into()
    }

    pub(crate) fn rename_new(_: &Path, _: &Path) -> Option<io::Result<()>> {
        None
    }

    pub(crate) fn unnamed_beside(_: &Path) -> Option<File> {
        None
    }

    pub(crate) fn give_name(_: &File, _: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
