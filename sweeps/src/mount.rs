//! File systems in files, mounted for a sweep and unmounted after it.

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::run::{output, text};

/// A mounted file system. Dropping it unmounts it.
#[derive(Debug)]
pub(crate) struct Mount {
    tmp: TempDir,
    options: Vec<String>,
    mounted: bool,
}

impl Mount {
    /// Makes a file system of this type in a file of that size, and mounts it.
    pub(crate) fn image(kind: &str, mebibytes: u64) -> Result<Self, String> {
        let tmp = tempfile::tempdir().map_err(|error| error.to_string())?;
        let image = tmp.path().join("image");
        let size = format!("{mebibytes}M");
        command("truncate", &["-s", &size, &display(&image)])?;
        let quiet = if kind == "btrfs" || kind == "ext4" || kind == "xfs" {
            "-q"
        } else {
            "-Q"
        };
        command(&format!("mkfs.{kind}"), &[quiet, &display(&image)])?;
        let options = ["-o", "loop", &display(&image)].map(str::to_string);
        Self::mounted(tmp, options.into())
    }

    /// A file system in memory with these limits, as `size=4k,nr_inodes=3`.
    pub(crate) fn memory(limits: &str) -> Result<Self, String> {
        let tmp = tempfile::tempdir().map_err(|error| error.to_string())?;
        let options = ["-t", "tmpfs", "-o", limits, "none"].map(str::to_string);
        Self::mounted(tmp, options.into())
    }

    fn mounted(tmp: TempDir, options: Vec<String>) -> Result<Self, String> {
        std::fs::create_dir(tmp.path().join("mount")).map_err(|error| error.to_string())?;
        let mut mount = Self {
            tmp,
            options,
            mounted: false,
        };
        mount.mount()?;
        Ok(mount)
    }

    /// Where it is mounted.
    pub(crate) fn path(&self) -> PathBuf {
        self.tmp.path().join("mount")
    }

    /// Mounts it again with other options.
    pub(crate) fn remount(&self, options: &str) -> Result<(), String> {
        command(
            "mount",
            &["-o", &format!("remount,{options}"), &display(&self.path())],
        )
    }

    /// Cuts the power: nothing more reaches the image, the log included. Then mounts it again,
    /// which replays the journal.
    pub(crate) fn cut_power(&mut self) -> Result<(), String> {
        command("xfs_io", &["-x", "-c", "shutdown", &display(&self.path())])?;
        self.unmount()?;
        self.mount()
    }

    fn mount(&mut self) -> Result<(), String> {
        let mut args: Vec<&str> = self.options.iter().map(String::as_str).collect();
        let path = display(&self.path());
        args.push(&path);
        command("mount", &args)?;
        self.mounted = true;
        Ok(())
    }

    fn unmount(&mut self) -> Result<(), String> {
        command("umount", &[&display(&self.path())])?;
        self.mounted = false;
        Ok(())
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        if self.mounted {
            let _ = self.unmount();
        }
    }
}

/// Runs a program; its output is the error.
pub(crate) fn command(program: &str, args: &[&str]) -> Result<(), String> {
    let output =
        output(Command::new(program).args(args)).map_err(|error| format!("{program}: {error}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("{program}: {}", text(&output).trim())),
    }
}

pub(crate) fn display(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
