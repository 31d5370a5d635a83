//! The file name of an artifact: injective over op ids, valid on every file system.

use alloc::format;
use alloc::string::{String, ToString as _};
use core::fmt;
use core::str::FromStr;

use crate::{ContentDigest, ContentType, Error, ErrorKind, OpId};

/// The file name of an artifact: one lower-case ASCII component of at most 96 bytes (SPEC 4.3).
///
/// Two op ids never share a name, on any file system, also where case or Unicode form is folded.
///
/// ```
/// use artifacts_core::{ArtifactName, ContentType, OpId};
///
/// let name = ArtifactName::for_op(&OpId::new("op-1"), ContentType::Text);
/// assert_eq!(name.as_str(), "op-1.txt");
///
/// let hostile = ArtifactName::for_op(&OpId::new("../../x"), ContentType::Text);
/// assert!(hostile.as_str().starts_with("x-x-"));
/// assert!(ArtifactName::parse("..").is_err());
/// # Ok::<(), artifacts_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArtifactName(String);

impl ArtifactName {
    /// The longest name in bytes.
    pub const MAX_BYTES: usize = 96;

    /// The name of the artifact of `op_id`.
    #[must_use]
    pub fn for_op(op_id: &OpId, content: ContentType) -> Self {
        let id = op_id.as_str();
        let extension = content.extension();
        if is_safe_stem(id) && !id.starts_with("x-") {
            return Self(format!("{id}.{extension}"));
        }
        let hash = ContentDigest::of(id.as_bytes()).to_string();
        let hash = hash.get(..32).unwrap_or_default();
        Self(format!("x-{}-{hash}.{extension}", slug(id)))
    }

    /// The name of an artifact whose first choice of name is taken by other bytes:
    /// `<stem>.<16 hex of the content digest>.<extension>` (SPEC 4.4).
    #[must_use]
    pub fn with_content(&self, digest: &ContentDigest) -> Self {
        let hash = digest.to_string();
        let hash = hash.get(..16).unwrap_or_default();
        Self(format!("{}.{hash}.{}", self.stem(), self.extension()))
    }

    /// Takes the name of a listed file, if it is one an artifact can have.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Name`] for anything else: separators, `..`, upper case, a leading dot, an
    /// unknown extension.
    pub fn parse(name: &str) -> Result<Self, Error> {
        let refused = || {
            Error::new(
                ErrorKind::Name,
                format!(
                    "not an artifact name: {name:?} (expected <op id>.txt, as `list` prints it)"
                ),
            )
        };
        let mut parts = name.rsplit('.');
        let extension = parts.next().unwrap_or_default();
        let (middle, stem) = match (parts.next(), parts.next(), parts.next()) {
            (Some(stem), None, None) => (None, stem),
            (Some(hash), Some(stem), None) => (Some(hash), stem),
            _ => return Err(refused()),
        };
        let known = ContentType::from_extension(extension).is_some();
        let hash_is_hex = middle.is_none_or(|hash| hash.len() == 16 && hash.bytes().all(is_hex));
        if known && hash_is_hex && is_safe_stem(stem) {
            return Ok(Self(name.to_string()));
        }
        Err(refused())
    }

    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The part before the first dot.
    #[must_use]
    pub fn stem(&self) -> &str {
        self.0.split('.').next().unwrap_or_default()
    }

    /// The content type that the extension names.
    #[must_use]
    pub fn content_type(&self) -> ContentType {
        ContentType::from_extension(self.extension()).unwrap_or_default()
    }

    fn extension(&self) -> &str {
        self.0.rsplit('.').next().unwrap_or_default()
    }
}

impl fmt::Display for ArtifactName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for ArtifactName {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        Self::parse(name)
    }
}

/// `[a-z0-9][a-z0-9_-]{0,63}` and no device name of Windows.
fn is_safe_stem(stem: &str) -> bool {
    let mut bytes = stem.bytes();
    let first = bytes
        .next()
        .is_some_and(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    let rest =
        bytes.all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'_' | b'-'));
    first && rest && stem.len() <= 64 && !is_reserved(stem)
}

/// Names that Windows gives to devices, whatever the extension.
fn is_reserved(stem: &str) -> bool {
    let numbered = |prefix: &str| {
        stem.strip_prefix(prefix)
            .is_some_and(|n| n.len() == 1 && n.bytes().all(|b| b.is_ascii_digit()))
    };
    matches!(stem, "con" | "prn" | "aux" | "nul") || numbered("com") || numbered("lpt")
}

fn is_hex(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'a'..=b'f')
}

/// What of an op id can stand in a file name: at most 24 of `[a-z0-9-]`, `op` if nothing can.
fn slug(id: &str) -> String {
    let mut slug = String::new();
    for c in id.chars() {
        match c.to_ascii_lowercase() {
            c @ ('a'..='z' | '0'..='9') => slug.push(c),
            _ if !slug.is_empty() && !slug.ends_with('-') => slug.push('-'),
            _ => {}
        }
        if slug.len() == 24 {
            break;
        }
    }
    match slug.trim_end_matches('-') {
        "" => String::from("op"),
        slug => String::from(slug),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(op_id: &str, name: &str) {
        let made = ArtifactName::for_op(&OpId::new(op_id), ContentType::Text);
        assert_eq!(made.as_str(), name);
        assert!(name.len() <= ArtifactName::MAX_BYTES);
        assert_eq!(ArtifactName::parse(name), Ok(made));
    }

    #[test]
    fn safe_op_ids_name_themselves() {
        check("op-1", "op-1.txt");
        check("0_a", "0_a.txt");
        check(&"a".repeat(64), &format!("{}.txt", "a".repeat(64)));
    }

    #[test]
    fn every_other_op_id_gets_a_slug_and_a_hash() {
        check("", "x-op-e3b0c44298fc1c149afbf4c8996fb924.txt");
        check("../../x", "x-x-9cdf6a50100a862e14286c7a334296da.txt");
        check("con", "x-con-1143da2bc54c495c4be31d3868785d39.txt");
    }

    #[test]
    fn other_content_gets_another_name() {
        let name = ArtifactName::for_op(&OpId::new("op-1"), ContentType::Text);
        let other = name.with_content(&ContentDigest::of(b""));
        assert_eq!(other.as_str(), "op-1.e3b0c44298fc1c14.txt");
        assert_eq!(ArtifactName::parse(other.as_str()), Ok(other));
    }

    #[test]
    fn names_of_other_files_are_refused() {
        for name in [
            "",
            ".",
            "..",
            "a",
            "a.",
            ".txt",
            "a/b.txt",
            "A.txt",
            "a.TXT",
            "a.exe",
            "con.txt",
            ".tmp-1.txt",
            "a.b.txt",
            "a.e3b0c44298fc1c14.b.txt",
            "a\0.txt",
            "a.txt\n",
        ] {
            assert!(ArtifactName::parse(name).is_err(), "{name:?}");
        }
    }
}
