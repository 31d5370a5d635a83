//! Block logs (T6): every write and flush of a settle to the device is logged, and the device is
//! then made again as it was after each of them, with the writes since the last flush whole, lost
//! or in part.

use std::fs::{self, File};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::kill::{WORKLOADS, Workload};
use crate::mount::{command, display};
use crate::random::Random;
use crate::run::{Run, output};
use crate::tally::Tally;
use crate::wrong::{VARIABLE, Wrong};

/// Replays the first settle on ext4, or every workload on ext4, XFS and btrfs with three random
/// tails at each moment.
pub(crate) fn run(tally: &mut Tally, short: bool) {
    if command("qemu-storage-daemon", &["--version"]).is_err() {
        return tally.skip("block logs", "qemu-storage-daemon is not installed");
    }
    let kinds: &[(&str, u64)] = match short {
        true => &[("ext4", 16)],
        false => &[("ext4", 16), ("xfs", 320), ("btrfs", 128)],
    };
    let (workloads, tails) = if short { (1, 0) } else { (WORKLOADS.len(), 3) };
    let seed = u64::from(std::process::id());
    println!("block logs: seed {seed}");
    let mut random = Random::new(seed);
    for (kind, mebibytes) in kinds {
        let mut images = 0;
        for workload in WORKLOADS.iter().take(workloads) {
            if tally.is_over() {
                return;
            }
            let device = Device {
                kind,
                mebibytes: *mebibytes,
                wrong: None,
            };
            let replayed = device.replay(workload, tails, &mut random);
            match replayed {
                Ok(seen) => {
                    images += seen.len();
                    for (name, outcome) in seen {
                        tally.case(name, outcome);
                    }
                }
                Err(why) => tally.case(format!("block log on {kind}, {}", workload.name), Err(why)),
            }
        }
        println!("block logs on {kind}: {images} images");
        wrong_protocols(tally, kind, *mebibytes, short, &mut random);
    }
}

/// What the log shows of protocols that are wrong: without a sync of the file every file system
/// must show a damaged image. The other two may be hidden by the journal (DURABILITY.md), and are
/// left out in short.
fn wrong_protocols(
    tally: &mut Tally,
    kind: &str,
    mebibytes: u64,
    short: bool,
    random: &mut Random,
) {
    let (count, tails) = if short { (1, 0) } else { (Wrong::ALL.len(), 3) };
    for wrong in Wrong::ALL.into_iter().take(count) {
        if tally.is_over() {
            return;
        }
        let device = Device {
            kind,
            mebibytes,
            wrong: Some(wrong),
        };
        let [first, ..] = &WORKLOADS;
        let outcome = device.replay(first, tails, random).and_then(|seen| {
            let (images, bad) = (
                seen.len(),
                seen.iter().filter(|(_, is)| is.is_err()).count(),
            );
            println!("block logs on {kind}, {wrong:?}: {bad} of {images} images are damaged");
            match wrong == Wrong::UnsyncedFile && bad == 0 {
                true => Err("the log does not show it".into()),
                false => Ok(()),
            }
        });
        tally.case(format!("wrong protocol {wrong:?} on {kind}"), outcome);
    }
}

/// What one image was, and what it had.
type Image = (String, Result<(), String>);

/// A file system in a file, and the protocol whose writes to it are logged.
struct Device<'a> {
    kind: &'a str,
    mebibytes: u64,
    wrong: Option<Wrong>,
}

impl Device<'_> {
    fn replay(
        &self,
        workload: &Workload,
        tails: u64,
        random: &mut Random,
    ) -> Result<Vec<Image>, String> {
        let Self {
            kind,
            mebibytes,
            wrong,
        } = *self;
        let tmp = tempfile::tempdir().map_err(told)?;
        let path = |name: &str| tmp.path().join(name);
        for (name, size) in [("disk", mebibytes), ("log", 256)] {
            let file = File::create(path(name)).map_err(told)?;
            file.set_len(size << 20).map_err(told)?;
        }
        command(&format!("mkfs.{kind}"), &["-q", &display(&path("disk"))])?;
        mounted(&path("disk"), &path("mount"), |mount| {
            workload.prepared(&mount.join("run")).map(drop)
        })?;
        fs::copy(path("disk"), path("before")).map_err(told)?;
        logged(tmp.path(), |mount| {
            let run = Run::new(mount.join("run"))?;
            let mut child = crate::run::this(&workload.child(&run));
            if let Some(wrong) = wrong {
                child.env(VARIABLE, wrong.name());
            }
            output(&mut child).map(drop)
        })?;
        let log = File::open(path("log")).map_err(told)?;
        let entries = entries(&log)?;
        let mut images = Vec::new();
        for end in 0..=entries.len() {
            let (kept, _) = entries.split_at(end);
            for tail in 0..=tails {
                fs::copy(path("before"), path("image")).map_err(told)?;
                let image = File::options()
                    .write(true)
                    .open(path("image"))
                    .map_err(told)?;
                let flushed = kept.iter().rposition(|entry| entry.is_flush).unwrap_or(0);
                for (index, entry) in kept.iter().enumerate() {
                    let is_lost = tail > 0 && index > flushed && random.below(2) == 0;
                    if !is_lost {
                        entry.copy(&log, &image).map_err(told)?;
                    }
                }
                drop(image);
                let is_done = end == entries.len() && tail == 0;
                let outcome = mounted(&path("image"), &path("mount"), |mount| {
                    let run = Run::new(mount.join("run"))?;
                    if is_done {
                        run.check_settled("op-1")?;
                    }
                    workload.check(&run)
                });
                let name = format!(
                    "block log on {kind}, {}, {end} entries, tail {tail}",
                    workload.name
                );
                images.push((name, outcome));
            }
        }
        Ok(images)
    }
}

/// Mounts an image for as long as `work` takes.
fn mounted<T>(
    image: &Path,
    at: &Path,
    work: impl FnOnce(&Path) -> Result<T, String>,
) -> Result<T, String> {
    let _ = fs::create_dir(at);
    command("mount", &["-o", "loop", &display(image), &display(at)])?;
    let done = work(at);
    command("umount", &[&display(at)])?;
    done
}

/// Works on the disk in `dir` through a device that logs what it writes.
fn logged(dir: &Path, work: impl FnOnce(&Path) -> Result<(), String>) -> Result<(), String> {
    let export = dir.join("export");
    File::create(&export).map_err(told)?;
    let file = |node: &str, name: &str| {
        format!(
            "driver=file,node-name={node},filename={}",
            display(&dir.join(name))
        )
    };
    let daemon = Command::new("qemu-storage-daemon")
        .args([
            "--blockdev",
            &file("disk", "disk"),
            "--blockdev",
            &file("log", "log"),
        ])
        .args([
            "--blockdev",
            "driver=blklogwrites,node-name=both,file=disk,log=log",
        ])
        .arg("--export")
        .arg(format!(
            "type=fuse,id=export,node-name=both,writable=on,mountpoint={}",
            display(&export)
        ))
        .stdin(Stdio::null())
        .spawn()
        .map_err(told)?;
    let mut daemon = Daemon(daemon);
    daemon.wait_for(&export)?;
    mounted(&export, &dir.join("mount"), work)
}

/// Ends with its value.
struct Daemon(Child);

impl Daemon {
    fn wait_for(&mut self, export: &PathBuf) -> Result<(), String> {
        let start = Instant::now();
        while fs::metadata(export).map_err(told)?.len() == 0 {
            let ended = self.0.try_wait().map_err(told)?;
            if ended.is_some() || start.elapsed() > Duration::from_secs(10) {
                return Err("qemu-storage-daemon exports nothing".into());
            }
            thread::sleep(Duration::from_millis(10));
        }
        Ok(())
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        // By a signal it can take, so that it writes the log's head and unmounts its export.
        let _ = command("kill", &[&self.0.id().to_string()]);
        let _ = self.0.wait();
    }
}

/// One write of the log, in the format of the kernel's dm-log-writes.
struct Entry {
    /// Where it goes, and where its bytes are in the log.
    to: u64,
    from: u64,
    bytes: u64,
    is_flush: bool,
}

impl Entry {
    fn copy(&self, log: &File, image: &File) -> std::io::Result<()> {
        let mut bytes = vec![0; usize::try_from(self.bytes).unwrap_or(0)];
        log.read_exact_at(&mut bytes, self.from)?;
        image.write_all_at(&bytes, self.to)
    }
}

fn entries(log: &File) -> Result<Vec<Entry>, String> {
    let number = |at: u64| {
        let mut bytes = [0; 8];
        log.read_exact_at(&mut bytes, at).map_err(told)?;
        Ok::<u64, String>(u64::from_le_bytes(bytes))
    };
    if number(0)? != MAGIC {
        return Err("it is no log of writes".into());
    }
    let (count, sector) = (number(16)?, number(24)? & u64::from(u32::MAX));
    let mut at = sector;
    let mut entries = Vec::new();
    for _ in 0..count {
        let (to, sectors, flags) = (number(at)?, number(at + 8)?, number(at + 16)?);
        let is_discard = flags & DISCARD != 0;
        let bytes = if is_discard { 0 } else { sectors * sector };
        entries.push(Entry {
            to: to * sector,
            from: at + sector,
            bytes,
            is_flush: flags & (FLUSH | FUA) != 0,
        });
        at += sector + bytes;
    }
    Ok(entries)
}

fn told(error: impl std::fmt::Display) -> String {
    error.to_string()
}

const MAGIC: u64 = 0x006a_7366_7773_6872;
const FLUSH: u64 = 1;
const FUA: u64 = 2;
const DISCARD: u64 = 4;
