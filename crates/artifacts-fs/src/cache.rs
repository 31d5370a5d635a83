//! What was computed from an artifact, kept beside it: never needed, never trusted, never in the way.

use std::ffi::{OsStr, OsString};
use std::io;
use std::sync::Arc;

use artifacts_core::{ArtifactName, ContentDigest};

use crate::dir::OpenDir;
use crate::fs::{FileKind, Fs};
use crate::read::read_full;
use crate::stage::Staged;
use crate::{ArtifactDir, ArtifactRef, Error, ErrorKind};

impl<F: Fs> ArtifactDir<F> {
    /// Keeps `bytes`, computed from `artifact`, in the file `<artifact>.cache` beside it, in place of
    /// what was kept before (SPEC 7.4). They go with the artifact when that is removed.
    ///
    /// Nothing is synced: what a power cut leaves is told by its digest.
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
    /// assert_eq!(store.cached(&artifact), None);
    /// store.cache(&artifact, b"computed")?;
    /// assert_eq!(store.cached(&artifact).as_deref(), Some(&b"computed"[..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cache(&self, artifact: &ArtifactRef, bytes: &[u8]) -> Result<(), Error> {
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
        let target = cache_name(name);
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
        staged.append(head(artifact, &ContentDigest::of(bytes)).as_bytes())?;
        staged.append(bytes)?;
        staged.replace(&target)
    }

    /// What was kept for `artifact`, if it is whole and was computed from these very bytes.
    ///
    /// At most a mebibyte and 64 bytes for each of the artifact's are read: a file of more is none
    /// that was kept, however large it says it is.
    #[must_use]
    pub fn cached(&self, artifact: &ArtifactRef) -> Option<Vec<u8>> {
        let dir = self.open_present().ok()??;
        let file = dir
            .fs
            .open(&dir.handle, &cache_name(artifact.name()))
            .ok()?;
        let stat = dir.fs.stat(&file).ok()?;
        if stat.kind != FileKind::Regular
            || stat.links != 1
            || stat.bytes > most_bytes(artifact).saturating_add(HEAD_BYTES)
        {
            return None;
        }
        let length = usize::try_from(stat.bytes).ok()?;
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(length).ok()?;
        bytes.resize(length, 0);
        let filled = read_full(&*dir.fs, &file, &mut bytes, 0).ok()?.len();
        bytes.truncate(filled);
        let end = bytes
            .iter()
            .position(|byte| *byte == b'\n')?
            .checked_add(1)?;
        let computed = bytes.split_off(end);
        let expected = head(artifact, &ContentDigest::of(&computed));
        (bytes == expected.as_bytes()).then_some(computed)
    }
}

/// Whether `name` is that of a cache, and of which artifact's.
pub(crate) fn cache_of(name: &OsStr) -> Option<ArtifactName> {
    ArtifactName::parse(name.to_str()?.strip_suffix(SUFFIX)?).ok()
}

/// Removes what was kept for an artifact that is being removed, if that can be done.
pub(crate) fn forget<F: Fs>(dir: &OpenDir<F>, artifact: &OsStr) {
    let mut name = artifact.to_os_string();
    name.push(SUFFIX);
    let stat = dir.fs.stat_at(&dir.handle, &name);
    if stat.is_ok_and(|stat| stat.kind == FileKind::Regular && stat.links == 1) {
        // A cache that stays is listed as a leftover.
        let _left = dir.fs.remove(&dir.handle, &name);
    }
}

fn cache_name(artifact: &ArtifactName) -> OsString {
    format!("{artifact}{SUFFIX}").into()
}

/// The first line: the version of this form, of what the bytes were computed, and their own digest.
fn head(artifact: &ArtifactRef, computed: &ContentDigest) -> String {
    format!("artifact cache 1 of {} {computed}\n", artifact.digest())
}

/// The most that is computed of an artifact.
fn most_bytes(artifact: &ArtifactRef) -> u64 {
    artifact.bytes().saturating_mul(64).saturating_add(1 << 20)
}

/// More than the first line has.
const HEAD_BYTES: u64 = 1_000;

const SUFFIX: &str = ".cache";
