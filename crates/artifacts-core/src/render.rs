//! Putting the shown parts and the marker together: the four renderings.

use alloc::format;
use alloc::string::String;
use core::fmt::Write as _;

use crate::text::Thousands;
use crate::{Cut, Marker, Rendering, Shape};

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
        match self.rendering() {
            Rendering::Excerpt => format!("{}\n{marker}\n{}", cut.head(), cut.tail()),
            Rendering::HeadNote => format!("{}\n{marker}", cut.head()),
            Rendering::Pointer => pointer(cut.head(), marker),
            Rendering::Header => header(cut.head(), marker),
        }
    }
}

fn pointer(head: &str, marker: &Marker) -> String {
    let line = marker.line();
    let mut json = String::from("{\"pointer\":");
    match line.file() {
        Some(name) => push_json_string(&mut json, name.as_str()),
        None => json.push_str("null"),
    }
    json.push_str(",\"preview\":");
    push_json_string(
        &mut json,
        &format!("{head}... ({} more chars)", Thousands(line.elided())),
    );
    json.push_str(&format!(",\"sizeBytes\":{},\"note\":", line.bytes()));
    push_json_string(&mut json, &format!("{marker}"));
    json.push('}');
    json
}

fn header(head: &str, marker: &Marker) -> String {
    let line = marker.line();
    let place = match line.file() {
        Some(name) => format!("is in /large_tool_results/{}", name),
        None => line
            .not_stored()
            .map_or("not stored", |why| why.as_str())
            .into(),
    };
    let lines = head
        .split_inclusive('\n')
        .take(HEADER_LINES)
        .map(str::len)
        .sum::<usize>();
    let (head, _) = head.split_at(lines);
    format!(
        "[Tool result of {} bytes {place}, sha256 {}; its first lines:]\n{head}",
        Thousands(line.bytes()),
        line.digest(),
    )
}

/// Appends `text` as a JSON string (RFC 8259 section 7, escaping only what must be).
fn push_json_string(json: &mut String, text: &str) {
    json.push('"');
    for c in text.chars() {
        match c {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            '\n' => json.push_str("\\n"),
            '\r' => json.push_str("\\r"),
            '\t' => json.push_str("\\t"),
            c if u32::from(c) < 0x20 => {
                // Writing into a String cannot fail.
                let _ = write!(json, "\\u{:04x}", u32::from(c));
            }
            c => json.push(c),
        }
    }
    json.push('"');
}

/// Most lines under a header line.
const HEADER_LINES: usize = 10;
