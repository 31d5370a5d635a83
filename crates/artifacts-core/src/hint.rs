//! The hint: the line after the marker that names the tools which read more.

use alloc::format;
use alloc::string::String;
use core::fmt;

use crate::{Error, ErrorKind};

/// The line that tells a model which of its tools read the artifact (SPEC 3.6).
///
/// Make one only where retrieval tools are registered for this very agent, with the names they
/// have there. An observation shows it only under a marker that names a file.
///
/// ```
/// use artifacts_core::Hint;
///
/// let hint = Hint::new(["read_artifact", "search_artifact"])?;
/// assert_eq!(
///     hint.to_string(),
///     "[to see more of it, call read_artifact or search_artifact with that file name]",
/// );
/// assert!(Hint::new([]).is_err());
/// # Ok::<(), artifacts_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Hint {
    tools: String,
    verb: &'static str,
}

impl Hint {
    /// The longest hint line in bytes.
    pub const MAX_BYTES: usize = 200;

    /// A hint at the retrieval tools of these names, in this order.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Hint`] without a name, for a name that is empty or holds anything but visible
    /// ASCII other than `"` and `\`, and for more names than fit in [`MAX_BYTES`](Self::MAX_BYTES).
    pub fn new<'a>(tools: impl IntoIterator<Item = &'a str>) -> Result<Self, Error> {
        let plain = |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\\');
        Self::join(tools, CALL, plain)
    }

    /// A hint at these commands, for an agent that has a shell in which they run.
    ///
    /// ```
    /// use artifacts_core::Hint;
    ///
    /// let hint = Hint::commands(["artifacts read", "artifacts search"])?;
    /// assert_eq!(
    ///     hint.to_string(),
    ///     "[to see more of it, run artifacts read or artifacts search with that file name]",
    /// );
    /// # Ok::<(), artifacts_core::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new); a command may hold spaces.
    pub fn commands<'a>(commands: impl IntoIterator<Item = &'a str>) -> Result<Self, Error> {
        let plain = |byte: u8| (b' '..=b'~').contains(&byte) && !matches!(byte, b'"' | b'\\');
        Self::join(commands, RUN, plain)
    }

    fn join<'a>(
        names: impl IntoIterator<Item = &'a str>,
        verb: &'static str,
        plain: impl Fn(u8) -> bool,
    ) -> Result<Self, Error> {
        let mut joined = String::new();
        let mut names = names.into_iter().peekable();
        while let Some(name) = names.next() {
            if name.is_empty() || !name.bytes().all(&plain) {
                return Err(Error::new(
                    ErrorKind::Hint,
                    format!(
                        "hint names a tool {name:?}: give names of visible ASCII characters without quotes"
                    ),
                ));
            }
            if !joined.is_empty() {
                joined.push_str(if names.peek().is_some() { ", " } else { " or " });
            }
            joined.push_str(name);
        }
        let around = BEFORE
            .len()
            .saturating_add(verb.len())
            .saturating_add(AFTER.len());
        let room = Self::MAX_BYTES.saturating_sub(around);
        if joined.is_empty() || joined.len() > room {
            return Err(Error::new(
                ErrorKind::Hint,
                format!(
                    "hint names tools of {} bytes: give from 1 to {room} bytes of names",
                    joined.len()
                ),
            ));
        }
        Ok(Self {
            tools: joined,
            verb,
        })
    }
}

impl fmt::Display for Hint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{BEFORE}{}{}{AFTER}", self.verb, self.tools)
    }
}

const BEFORE: &str = "[to see more of it, ";
const CALL: &str = "call ";
const RUN: &str = "run ";
const AFTER: &str = " with that file name]";
