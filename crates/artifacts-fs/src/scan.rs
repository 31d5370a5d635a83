//! Comparing the directory with what the records name.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};

use artifacts_core::{ArtifactName, ContentDigest};

use crate::fs::Fs;
use crate::list::Entry;
use crate::{ArtifactDir, ArtifactRef, Error, ErrorKind, Gone, Index, read};

/// What a directory holds, against what is named (SPEC 4.8). Nothing in it was changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Scan {
    /// Named, and there as far as was checked.
    pub intact: Vec<ArtifactRef>,
    /// Named, but there is no such file.
    pub missing: Vec<ArtifactRef>,
    /// Named, and removed on purpose: what [`explained_by`](Self::explained_by) found of the missing.
    pub removed: Vec<(ArtifactRef, Gone)>,
    /// Named, but there are fewer bytes than there should be.
    pub short: Vec<ArtifactRef>,
    /// Named, but the bytes are others, or the file is not one of ours.
    pub altered: Vec<ArtifactRef>,
    /// Named, but the bytes stand under another name, which is the second.
    pub misnamed: Vec<(ArtifactRef, ArtifactName)>,
    /// Artifacts that nothing names.
    pub orphans: Vec<ArtifactName>,
    /// Staging files, of a writer at work or left behind, and caches of artifacts that are gone.
    pub leftovers: Vec<OsString>,
    /// Everything else.
    pub foreign: Vec<OsString>,
}

impl Scan {
    /// Takes what the index knows to be removed on purpose for removed, not for missing.
    #[must_use]
    pub fn explained_by(mut self, index: &Index) -> Self {
        for missing in std::mem::take(&mut self.missing) {
            match index.gone(missing.name().as_str()) {
                Some(why) => self.removed.push((missing, why)),
                None => self.missing.push(missing),
            }
        }
        self
    }

    /// Whether every named artifact is there, but for those that were removed on purpose.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.missing.is_empty()
            && self.short.is_empty()
            && self.altered.is_empty()
            && self.misnamed.is_empty()
    }
}

impl<F: Fs> ArtifactDir<F> {
    /// Compares names and sizes with `named`, without reading a file.
    ///
    /// # Errors
    ///
    /// Only if the directory itself can't be read.
    pub fn scan(&self, named: &[ArtifactRef]) -> Result<Scan, Error> {
        self.compare(named, |_| Ok(())).map(|(scan, _)| scan)
    }

    /// Compares with `named` and reads every named file to check its digest.
    ///
    /// # Errors
    ///
    /// Only if the directory itself can't be read.
    pub fn verify(&self, named: &[ArtifactRef]) -> Result<Scan, Error> {
        let check = |artifact: &_| self.open_artifact(artifact).map(drop);
        let (mut scan, sizes) = self.compare(named, check)?;
        if !scan.missing.is_empty() {
            let missing = std::mem::take(&mut scan.missing);
            let strays = self.strays(&missing, &scan.orphans, &sizes)?;
            for missing in missing {
                match strays.get(&(missing.bytes(), *missing.digest())) {
                    Some(found) => scan.misnamed.push((missing, found.clone())),
                    None => scan.missing.push(missing),
                }
            }
        }
        Ok(scan)
    }

    /// The first orphan of each content that may be one of the missing, each orphan read once.
    fn strays(
        &self,
        missing: &[ArtifactRef],
        orphans: &[ArtifactName],
        sizes: &BTreeMap<ArtifactName, u64>,
    ) -> Result<BTreeMap<(u64, ContentDigest), ArtifactName>, Error> {
        let of_size: BTreeMap<_, _> = missing
            .iter()
            .map(|artifact| (artifact.bytes(), artifact))
            .collect();
        let mut strays = BTreeMap::new();
        let Some(dir) = self.open_present()? else {
            return Ok(strays);
        };
        for orphan in orphans {
            let like = sizes.get(orphan).and_then(|bytes| of_size.get(bytes));
            let Some(like) = like else {
                continue;
            };
            let here = ArtifactRef::new(orphan.clone(), *like.digest(), like.bytes());
            let content =
                read::open_regular(&dir, &here).and_then(|file| read::content(&dir, &file, orphan));
            if let Ok(content) = content {
                strays.entry(content).or_insert_with(|| orphan.clone());
            }
        }
        Ok(strays)
    }

    fn compare(
        &self,
        named: &[ArtifactRef],
        check: impl Fn(&ArtifactRef) -> Result<(), Error>,
    ) -> Result<(Scan, BTreeMap<ArtifactName, u64>), Error> {
        let mut scan = Scan::default();
        let (mut sizes, mut caches) = (BTreeMap::new(), Vec::new());
        for entry in self.entries()? {
            match entry {
                Entry::Artifact(artifact) => {
                    sizes.insert(artifact.name, artifact.bytes);
                }
                Entry::Staging(file) => scan.leftovers.push(file.name),
                Entry::Cache(cache) => caches.push(cache),
                Entry::Index(_) => {}
                Entry::Foreign(file) => scan.foreign.push(file.name),
            }
        }
        caches.retain(|cache| !sizes.contains_key(&cache.artifact));
        scan.leftovers
            .extend(caches.into_iter().map(|cache| cache.file.name));
        let names: BTreeSet<_> = named.iter().map(ArtifactRef::name).collect();
        scan.orphans = sizes
            .keys()
            .filter(|name| !names.contains(name))
            .cloned()
            .collect();
        for artifact in named.iter().collect::<BTreeSet<_>>() {
            let list = match sizes.get(artifact.name()) {
                Some(bytes) if *bytes < artifact.bytes() => &mut scan.short,
                Some(bytes) if *bytes > artifact.bytes() => &mut scan.altered,
                Some(_) => match check(artifact) {
                    Ok(()) => &mut scan.intact,
                    Err(error) if error.kind() == ErrorKind::NotFound => &mut scan.missing,
                    Err(_) => &mut scan.altered,
                },
                None if is_there(&scan.foreign, artifact.name()) => &mut scan.altered,
                None => &mut scan.missing,
            };
            list.push(artifact.clone());
        }
        Ok((scan, sizes))
    }
}

/// Whether something that is no regular file has an artifact's name; `foreign` is sorted.
fn is_there(foreign: &[OsString], name: &ArtifactName) -> bool {
    let name: &OsStr = name.as_str().as_ref();
    foreign
        .binary_search_by(|file| file.as_os_str().cmp(name))
        .is_ok()
}
