//! The identity of one operation, as its caller names it.

use alloc::string::ToString as _;
use alloc::sync::Arc;
use core::fmt;

use crate::ContentHasher;

/// The identity of one operation: any text, however long or hostile.
///
/// It is not a file name ([`ArtifactName::for_op`](crate::ArtifactName::for_op) makes one) and not
/// a provider's tool-call id, which may repeat within a run.
///
/// ```
/// use artifacts_core::OpId;
///
/// assert_eq!(OpId::new("op-1").as_str(), "op-1");
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OpId(Arc<str>);

impl OpId {
    /// Takes any text.
    #[must_use]
    pub fn new(id: impl Into<Arc<str>>) -> Self {
        Self(id.into())
    }

    /// The idempotency key of a call: SHA-256 in hex over `parts`, each after its length as four
    /// bytes, the highest first. Equal only for equal parts, so a call that is made again has the
    /// same id and stores its result once.
    ///
    /// ```
    /// use artifacts_core::OpId;
    ///
    /// let key = OpId::of_parts(["llm4s-tool-call-v1", "thread-1", "cp-1", "call_1"]);
    /// assert_eq!(
    ///     key.as_str(),
    ///     "8b133a80cfee2c92bd2bd55a417f3927a8c62660bbc6bfb67b5dc40a6cc54b13",
    /// );
    /// assert_ne!(OpId::of_parts(["ab", "c"]), OpId::of_parts(["a", "bc"]));
    /// ```
    ///
    /// A part of 4 GiB or more counts with the length `u32::MAX`.
    #[must_use]
    pub fn of_parts<'a>(parts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut hasher = ContentHasher::default();
        for part in parts {
            let length = u32::try_from(part.len()).unwrap_or(u32::MAX);
            hasher.update(&length.to_be_bytes());
            hasher.update(part.as_bytes());
        }
        Self(hasher.finish().to_string().into())
    }

    /// The text as given.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for OpId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for OpId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OpId({:?})", self.0)
    }
}
