//! What was computed from an artifact, kept beside it: never needed, never trusted, never in the way.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io;
use std::sync::Arc;

use artifacts_core::{ArtifactName, ContentDigest};
use twox_hash::XxHash3_128;

use crate::dir::OpenDir;
use crate::fs::{FileKind, Fs};
use crate::read::read_full;
use crate::stage::Staged;
use crate::{ArtifactDir, ArtifactRef, Error, ErrorKind};

impl<F: Fs> ArtifactDir<F> {
    /// Keeps `bytes`, which `by` computed from `artifact`, in a file beside it, in place of what was
    /// kept of `by` before (SPEC 7.4). They go with the artifact when that is removed. The file is
    /// `<artifact>.<16 hex digits of the SHA-256 of by>.cache`.
    ///
    /// Nothing is synced: what a power cut leaves is told by its checksum.
    ///
    /// # Errors
    ///
    /// If there is no such artifact, something else stands at that name, the bytes are more than
    /// [`cached`](Self::cached) takes, or the system refuses.
    /// None of these is a reason to fail anything.
    ///
    /// ```
    /// use artifacts_core::{ContentType, OpId};
    /// use artifacts_fs::{ArtifactDir, ArtifactRef, ArtifactStore as _};
    ///
    /// # let tmp = tempfile::tempdir()?;
    /// let store = ArtifactDir::beside(tmp.path().join("run.jsonl"));
    /// let artifact: ArtifactRef = (&store.store(&OpId::new("op-1"), ContentType::Text, b"x")?).into();
    /// assert_eq!(store.cached(&artifact, "model 1"), None);
    /// store.cache(&artifact, "model 1", b"computed")?;
    /// assert_eq!(store.cached(&artifact, "model 1").as_deref(), Some(&b"computed"[..]));
    /// assert_eq!(store.cached(&artifact, "model 2"), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cache(&self, artifact: &ArtifactRef, by: &str, bytes: &[u8]) -> Result<(), Error> {
        let name = artifact.name();
        if bytes.len() as u64 > most_bytes(artifact) {
            let message = format!("can't cache so much for {name}: compute it again instead");
            return Err(Error::new(ErrorKind::Bounds, message));
        }
        let dir = self.open_present()?.ok_or_else(|| Error::not_found(name))?;
        let dir = Arc::new(dir);
        let refused = |error| Error::io("cache", name, error);
        dir.fs
            .stat_at(&dir.handle, name.as_str().as_ref())
            .map_err(refused)?;
        let target = cache_name(name, by);
        match dir.fs.stat_at(&dir.handle, &target) {
            Ok(stat) if stat.kind == FileKind::Regular => {}
            Ok(_) => {
                let message = format!("can't cache for {name}: move away what stands at its name");
                return Err(Error::new(ErrorKind::Foreign, message));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(refused(error)),
        }
        let mut staged = Staged::create(&dir, name)?;
        staged.append(head(artifact, bytes).as_bytes())?;
        staged.append(bytes)?;
        staged.replace(&target)
    }

    /// What `by` computed from `artifact` and was kept, if it is whole and was computed from these
    /// very bytes.
    ///
    /// At most a mebibyte and 64 bytes for each of the artifact's are read: a file of more is none
    /// that was kept, however large it says it is.
    #[must_use]
    pub fn cached(&self, artifact: &ArtifactRef, by: &str) -> Option<Vec<u8>> {
        let dir = self.open_present().ok()??;
        let file = dir
            .fs
            .open(&dir.handle, &cache_name(artifact.name(), by))
            .ok()?;
        let stat = dir.fs.stat(&file).ok()?;
        // All heads are of one length.
        let mut first = head(artifact, &[]).into_bytes();
        let length = stat.bytes.checked_sub(first.len() as u64)?;
        if stat.kind != FileKind::Regular || stat.links != 1 || length > most_bytes(artifact) {
            return None;
        }
        let length = usize::try_from(length).ok()?;
        read_full(&*dir.fs, &file, &mut first, 0).ok()?;
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(length).ok()?;
        bytes.resize(length, 0);
        let filled = read_full(&*dir.fs, &file, &mut bytes, first.len() as u64);
        let is_whole = filled.ok()?.len() == length && first == head(artifact, &bytes).as_bytes();
        is_whole.then_some(bytes)
    }
}

/// Whether `name` is that of a cache, and of which artifact's; of one of an earlier version, too.
pub(crate) fn cache_of(name: &OsStr) -> Option<ArtifactName> {
    let name = name.to_str()?.strip_suffix(SUFFIX)?;
    let is_key = |key: &str| key.len() == KEY_DIGITS && key.bytes().all(|b| b.is_ascii_hexdigit());
    let artifact = match name.rsplit_once('.') {
        Some((artifact, key)) if is_key(key) => artifact,
        _ => name,
    };
    ArtifactName::parse(artifact).ok()
}

/// Removes what was kept for artifacts that were removed, as far as that can be done.
pub(crate) fn forget<F: Fs>(dir: &OpenDir<F>, artifacts: &BTreeSet<OsString>) {
    if artifacts.is_empty() {
        return;
    }
    for name in dir.fs.names(&dir.handle).unwrap_or_default() {
        let of = cache_of(&name);
        if of.is_some_and(|of| artifacts.contains(OsStr::new(of.as_str()))) {
            let stat = dir.fs.stat_at(&dir.handle, &name);
            if stat.is_ok_and(|stat| stat.kind == FileKind::Regular && stat.links == 1) {
                // A cache that stays is listed as a leftover.
                let _left = dir.fs.remove(&dir.handle, &name);
            }
        }
    }
}

fn cache_name(artifact: &ArtifactName, by: &str) -> OsString {
    let key = ContentDigest::of(by.as_bytes()).to_string();
    let key = key.get(..KEY_DIGITS).unwrap_or_default();
    format!("{artifact}.{key}{SUFFIX}").into()
}

/// The first line: the version of this form, of what the bytes were computed, and a checksum of
/// them. It tells damage, at many times the speed of a digest; whoever can write here can write
/// artifacts, too.
fn head(artifact: &ArtifactRef, computed: &[u8]) -> String {
    let checksum = XxHash3_128::oneshot(computed);
    format!(
        "artifact cache 2 of {} {checksum:032x}\n",
        artifact.digest()
    )
}

/// The most that is computed of an artifact.
fn most_bytes(artifact: &ArtifactRef) -> u64 {
    artifact.bytes().saturating_mul(64).saturating_add(1 << 20)
}

const KEY_DIGITS: usize = 16;

const SUFFIX: &str = ".cache";
