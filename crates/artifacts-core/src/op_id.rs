//! The identity of one operation, as its caller names it.

use alloc::sync::Arc;
use core::fmt;

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
