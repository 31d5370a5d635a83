//! A second run that begins as another one did.

use std::path::Path;

use artifacts_fs::{ArtifactDir, Fork};

use crate::transcript::{LogFile, NewLog};
use crate::{Error, ErrorKind};

/// Copies the transcript `source` to `target`, which must not be there, and the artifacts it names
/// to the directory beside it (SPEC 4.13). Complete lines are copied byte for byte; a torn last
/// line is left behind.
///
/// The artifacts come first and the transcript appears whole, so that the copy never names one that
/// is not there. After a failure there is no transcript, and what was copied is taken over when the
/// same is tried again. What the source lost is lost in the copy too, and [`Fork`] names it.
///
/// ```
/// use std::sync::Arc;
///
/// use artifacts_core::Shape;
/// use loop_integration::{Format, Message, Session, Settler, SystemClock, Transcript, fork};
///
/// # let tmp = tempfile::tempdir()?;
/// # let (path, copy) = (tmp.path().join("run.jsonl"), tmp.path().join("copy.jsonl"));
/// let session = Session::open(&path, Settler::new(Shape::excerpt()), Arc::new(SystemClock))?;
/// session.push(Message::user("hi"))?;
/// assert!(fork(&path, &copy)?.is_whole());
/// let replay = |path| Ok::<_, loop_integration::Error>(Transcript::load(path)?.replay(Format::Messages));
/// assert_eq!(replay(&copy)?, replay(&path)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Those of [`Transcript::load`](crate::Transcript::load); [`ErrorKind::Transcript`] if the target is there or can't be
/// written; [`ErrorKind::Store`] if the artifacts can't be.
pub fn fork(source: impl AsRef<Path>, target: impl AsRef<Path>) -> Result<Fork, Error> {
    let (source, target) = (source.as_ref(), target.as_ref());
    let log = LogFile::open_to_read(source)?;
    let transcript = log.load()?;
    let copy = NewLog::begin(target)?;
    let named = transcript.artifacts();
    let mentioned = transcript.mentioned();
    let mut forked = ArtifactDir::beside(source)
        .fork(
            &ArtifactDir::beside(target),
            &[named.as_slice(), &mentioned].concat(),
        )
        .map_err(|error| Error::new(ErrorKind::Store, error.to_string()))?;
    // What a text mentions need not be there.
    for lost in [&mut forked.missing, &mut forked.altered] {
        lost.retain(|artifact| named.contains(artifact));
    }
    copy.finish(&log, transcript.bytes())?;
    Ok(forked)
}
