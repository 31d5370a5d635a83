//! The marker: the one line inside an excerpt that says what is missing and where it is.

mod line;

use core::fmt;

pub use line::MarkerLine;
use line::Place;

use crate::{ArtifactName, Measured};

/// Proof that an artifact is complete, durable and visible under its final name (I3).
///
/// Implement it only for a value that exists after the write, as `artifacts_fs::DurableArtifact`
/// does: it is what allows a [`Marker`] to name a file.
pub trait DurableReceipt {
    /// The file's name.
    fn name(&self) -> &ArtifactName;

    /// Size and digest of the bytes in the file.
    fn measured(&self) -> &Measured;
}

/// Why a result is not in a file (SPEC 3.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NotStored {
    /// The run has no session, so no directory.
    NoSession,
    /// The write failed.
    Failed,
    /// Any other reason.
    Other,
}

impl NotStored {
    const ALL: [Self; 3] = [Self::NoSession, Self::Failed, Self::Other];

    /// The words inside the marker.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NoSession => "was not stored (this run has nowhere to put it)",
            Self::Failed => "could not be stored",
            Self::Other => "not stored",
        }
    }
}

/// Whether the bytes that were captured are all that the tool returned.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Capture {
    /// They are the whole result.
    #[default]
    Complete,
    /// The tool was stopped, or its output was lost, before its end: its total is unknown.
    Interrupted,
}

/// The marker of an excerpt. It can name a file only with the file's [`DurableReceipt`].
///
/// ```
/// use artifacts_core::{Marker, MarkerLine, Measured, NotStored};
///
/// let marker = Marker::not_stored(NotStored::Failed, &Measured::of(b"0123456789"), 6);
/// assert_eq!(
///     marker.to_string(),
///     "[... elided 6 chars (10 bytes total); full result could not be stored, \
///      sha256 84d89877f0d4041efb6bf91a16f0248f2fd573e6af05c19f96bedb9f882f7882 ...]",
/// );
/// assert_eq!(marker.to_string().parse::<MarkerLine>()?, *marker.line());
/// # Ok::<(), artifacts_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marker(MarkerLine);

impl Marker {
    /// The marker of a result of which `receipt` proves that it (or its first bytes) is in a file.
    ///
    /// `whole` is the full result; `elided` counts the graphemes that the excerpt leaves out.
    #[must_use]
    pub fn stored(receipt: &impl DurableReceipt, whole: &Measured, elided: u64) -> Self {
        let kept = receipt.measured();
        let bytes = whole.measure().bytes();
        let part = kept.measure().bytes();
        Self(MarkerLine {
            elided,
            bytes,
            capture: Capture::Complete,
            replaced: whole.replaced(),
            place: Place::Stored {
                name: receipt.name().clone(),
                part: (part < bytes).then_some(part),
            },
            digest: *kept.digest(),
        })
    }

    /// The marker of a result that is in no file.
    #[must_use]
    pub fn not_stored(why: NotStored, whole: &Measured, elided: u64) -> Self {
        Self(MarkerLine {
            elided,
            bytes: whole.measure().bytes(),
            capture: Capture::Complete,
            replaced: whole.replaced(),
            place: Place::NotStored(why),
            digest: *whole.digest(),
        })
    }

    /// The same marker for a result whose capture was cut short, by a time limit for instance:
    /// what was captured is known, what is missing after it is not (SPEC 3.5).
    ///
    /// ```
    /// use artifacts_core::{Capture, Marker, Measured, NotStored};
    ///
    /// let marker = Marker::not_stored(NotStored::Failed, &Measured::of(b"0123456789"), 6);
    /// let marker = marker.with_capture(Capture::Interrupted);
    /// assert!(marker.to_string().starts_with(
    ///     "[... elided 6 chars (10 bytes captured, total unknown); captured part could not be stored, ",
    /// ));
    /// ```
    #[must_use]
    pub fn with_capture(self, capture: Capture) -> Self {
        Self(MarkerLine { capture, ..self.0 })
    }

    /// What the marker says, field by field.
    #[must_use]
    pub fn line(&self) -> &MarkerLine {
        &self.0
    }
}

impl fmt::Display for Marker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
