//! Putting the shown parts and the marker together: the four renderings.

use alloc::format;
use alloc::string::{String, ToString as _};

use crate::json::push_json_string;
use crate::{Cut, Hint, Marker, MarkerLine, Rendering, Shape};

impl Shape {
    /// The one string for a text that is over the limit, cut by [`cut`](Self::cut).
    ///
    /// ```
    /// use artifacts_core::{Limit, Marker, Measured, NotStored, Rendering, Shape};
    ///
    /// let text = "0123456789";
    /// let shape = Shape::new(Limit::graphemes(4)?).with_rendering(Rendering::HeadNote);
    /// let cut = shape.cut(text);
    /// let whole = Measured::of(text.as_bytes());
    /// let marker = Marker::not_stored(NotStored::Other, &whole, cut.elided(&whole));
    /// assert_eq!(shape.render(&cut, &marker), format!("0123\n{marker}"));
    /// # Ok::<(), artifacts_core::Error>(())
    /// ```
    #[must_use]
    pub fn render(&self, cut: &Cut<'_>, marker: &Marker) -> String {
        self.render_with_hint(cut, marker, None)
    }

    /// As [`render`](Self::render), with the hint as a second line under the marker.
    ///
    /// A marker that names no file gets no hint: there is nothing to read.
    #[must_use]
    pub fn render_with_hint(&self, cut: &Cut<'_>, marker: &Marker, hint: Option<&Hint>) -> String {
        self.assemble(cut, marker.line(), hint)
    }

    /// A shorter view of a settled result, for a request: as [`render`](Self::render), with the
    /// line that the settle record allows instead of a proof (SPEC 8.5).
    ///
    /// ```
    /// use artifacts_core::{ArtifactName, ContentDigest, Limit, MarkerLine, Shape};
    ///
    /// let shape = Shape::new(Limit::graphemes(4)?);
    /// let name = ArtifactName::parse("op-1.txt")?;
    /// let line = MarkerLine::recorded(name, ContentDigest::of(b"0123456789"), 10, 6);
    /// let view = shape.render_recorded(&shape.cut("0123456789"), &line);
    /// assert_eq!(view, format!("012\n{line}\n9"));
    /// # Ok::<(), artifacts_core::Error>(())
    /// ```
    #[must_use]
    pub fn render_recorded(&self, cut: &Cut<'_>, line: &MarkerLine) -> String {
        self.assemble(cut, line, None)
    }

    fn assemble(&self, cut: &Cut<'_>, line: &MarkerLine, hint: Option<&Hint>) -> String {
        let (head, tail) = (cut.head(), cut.tail());
        let hint = hint
            .filter(|_| line.file().is_some())
            .map_or_else(String::new, |hint| format!("\n{hint}"));
        match self.rendering() {
            Rendering::Excerpt => format!("{head}\n{line}{hint}\n{tail}"),
            Rendering::HeadNote => format!("{head}\n{line}{hint}"),
            Rendering::Pointer => pointer(cut, line, &format!("{line}{hint}")),
            Rendering::Header => format!("{}{hint}\n{head}", line.under(MOUNT)),
        }
    }
}

/// A JSON object with exactly four keys, in the order of SPEC 3.7.
fn pointer(cut: &Cut<'_>, line: &MarkerLine, note: &str) -> String {
    let mut json = String::from("{\"pointer\":");
    match line.file() {
        Some(name) => push_json_string(&mut json, name.as_str()),
        None => json.push_str("null"),
    }
    json.push_str(",\"preview\":");
    let preview = format!("{}... ({} more chars)", cut.head(), line.elided());
    push_json_string(&mut json, &preview);
    json.push_str(",\"sizeBytes\":");
    json.push_str(&line.bytes().to_string());
    json.push_str(",\"note\":");
    push_json_string(&mut json, note);
    json.push('}');
    json
}

/// Where the artifacts of a run can be read as files.
pub(crate) const MOUNT: &str = "/large_tool_results/";
