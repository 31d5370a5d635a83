//! The two SHA-256 digests of a settled result, which must never be mixed up.

use alloc::format;
use core::fmt;
use core::str::FromStr;

use sha2::{Digest as _, Sha256};

use crate::{Error, ErrorKind};

macro_rules! digest {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name([u8; 32]);

        impl $name {
            /// Hashes `bytes` in one go.
            #[must_use]
            pub fn of(bytes: &[u8]) -> Self {
                Self(Sha256::digest(bytes).into())
            }

            /// The 32 raw bytes.
            #[must_use]
            pub fn as_bytes(&self) -> &[u8; 32] {
                &self.0
            }
        }

        /// 64 lower-case hex digits, as `sha256sum` prints them.
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self)
            }
        }

        /// Reads what `Display` writes; upper case is refused.
        impl FromStr for $name {
            type Err = Error;

            fn from_str(text: &str) -> Result<Self, Error> {
                parse_hex(text).map(Self)
            }
        }
    };
}

digest! {
    /// SHA-256 of an artifact's full bytes: what `sha256sum FILE` prints.
    ///
    /// ```
    /// use artifacts_core::ContentDigest;
    ///
    /// let digest = ContentDigest::of(b"");
    /// assert!(digest.to_string().starts_with("e3b0c44298fc1c14"));
    /// assert_eq!(digest.to_string().parse(), Ok(digest));
    /// ```
    ContentDigest
}

digest! {
    /// SHA-256 of an observation's UTF-8 bytes: the `result-digest` of a settle record.
    ///
    /// A type of its own, so that it can't be compared with the digest of the full bytes.
    ///
    /// ```
    /// use artifacts_core::SettledDigest;
    ///
    /// assert_eq!(SettledDigest::of(b"ok"), SettledDigest::of(b"ok"));
    /// ```
    SettledDigest
}

/// Computes a [`ContentDigest`] piece by piece.
///
/// ```
/// use artifacts_core::{ContentDigest, ContentHasher};
///
/// let mut hasher = ContentHasher::default();
/// hasher.update(b"to");
/// hasher.update(b"ken");
/// assert_eq!(hasher.finish(), ContentDigest::of(b"token"));
/// ```
#[derive(Clone, Default)]
pub struct ContentHasher(Sha256);

impl ContentHasher {
    /// Takes the next bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The digest of all bytes taken.
    #[must_use]
    pub fn finish(self) -> ContentDigest {
        ContentDigest(self.0.finalize().into())
    }
}

impl fmt::Debug for ContentHasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ContentHasher")
    }
}

fn parse_hex(text: &str) -> Result<[u8; 32], Error> {
    let refused = || {
        Error::new(
            ErrorKind::Digest,
            format!(
                "not a SHA-256: expected 64 lower-case hex digits, got {} bytes",
                text.len()
            ),
        )
    };
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if pairs.len() != 32 || !rest.is_empty() {
        return Err(refused());
    }
    let mut bytes = [0; 32];
    for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
        *byte = nibble(*high)
            .zip(nibble(*low))
            .map(|(h, l)| h << 4 | l)
            .ok_or_else(refused)?;
    }
    Ok(bytes)
}

fn nibble(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit.wrapping_sub(b'0')),
        b'a'..=b'f' => Some(digit.wrapping_sub(b'a').wrapping_add(10)),
        _ => None,
    }
}
