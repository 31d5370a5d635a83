//! The excerpt as one call, for texts that are in memory and markers that are made before.

use alloc::borrow::Cow;

use crate::{Limit, Marker, Shape};

/// The text itself if it fits `limit`, else its excerpt: `head + "\n" + marker + "\n" + tail`
/// (SPEC 2.1).
///
/// Cuts whatever is over, also where the excerpt is longer than the text:
/// [`Shape::shorten`] is the decision that never grows a result.
///
/// ```
/// use artifacts_core::{Limit, Marker, Measured, NotStored, excerpt};
///
/// let whole = Measured::of(b"0123456789");
/// let marker = Marker::not_stored(NotStored::Other, &whole, 6);
/// let short = excerpt("0123456789", Limit::graphemes(4)?, &marker);
/// assert_eq!(short, format!("012\n{marker}\n9"));
/// # Ok::<(), artifacts_core::Error>(())
/// ```
#[must_use]
pub fn excerpt<'a>(text: &'a str, limit: Limit, marker: &Marker) -> Cow<'a, str> {
    if limit.fits(text) {
        return Cow::Borrowed(text);
    }
    let shape = Shape::new(limit);
    Cow::Owned(shape.render(&shape.cut(text), marker))
}
