//! The lines of matches, as grep prints them.

use std::collections::BTreeMap;

/// The part of an artifact in which a match is.
#[derive(Debug)]
pub(super) struct Block<'a> {
    /// The line in which the match begins, counted from 1.
    pub(super) line: u64,
    /// Where it begins and how long it is, in bytes.
    pub(super) offset: u64,
    pub(super) bytes: u64,
    /// Where `text` begins.
    pub(super) start: u64,
    pub(super) text: &'a [u8],
}

/// A line, or a part of a long one.
#[derive(Debug)]
struct Row<'a> {
    /// Where the match begins, or else the text.
    at: u64,
    text: &'a [u8],
    is_found: bool,
}

/// Each match with its line, which begins with `line:byte: `.
pub(super) fn of_matches<'a>(blocks: impl IntoIterator<Item = Block<'a>>) -> Vec<u8> {
    let mut text = Vec::new();
    for block in blocks {
        push(&mut text, (block.line, ':', block.offset), block.text);
    }
    text
}

/// Every line once: `line:byte: ` begins one with a match, `line-byte- ` one around it, and `--`
/// stands where lines are left out.
pub(super) fn with_context<'a>(blocks: impl IntoIterator<Item = Block<'a>>) -> Vec<u8> {
    let mut rows = BTreeMap::<(u64, u64), Row<'a>>::new();
    for block in blocks {
        block.add_to(&mut rows);
    }
    let mut text = Vec::new();
    let mut last = None::<u64>;
    for ((line, _), row) in rows {
        if last.is_some_and(|last| line > last.saturating_add(1)) {
            text.extend_from_slice(b"--\n");
        }
        last = Some(line);
        let mark = if row.is_found { ':' } else { '-' };
        push(&mut text, (line, mark, row.at), row.text);
    }
    text
}

fn push(text: &mut Vec<u8>, (line, mark, at): (u64, char, u64), shown: &[u8]) {
    text.extend_from_slice(format!("{line}{mark}{at}{mark} ").as_bytes());
    text.extend_from_slice(shown);
    if !shown.ends_with(b"\n") {
        text.push(b'\n');
    }
}

impl<'a> Block<'a> {
    fn add_to(&self, rows: &mut BTreeMap<(u64, u64), Row<'a>>) {
        let before = usize::try_from(self.offset.saturating_sub(self.start)).unwrap_or(usize::MAX);
        let before = self.text.iter().take(before);
        let before = before.filter(|byte| **byte == b'\n').count() as u64;
        let (mut line, mut start) = (self.line.saturating_sub(before), self.start);
        let match_end = self.offset.saturating_add(self.bytes.max(1));
        let mut is_shown = false;
        for text in self.text.split_inclusive(|byte| *byte == b'\n') {
            let end = start.saturating_add(text.len() as u64);
            let is_at_end = self.offset == end && !text.ends_with(b"\n");
            let is_found = start < match_end && self.offset < end || is_at_end;
            is_shown |= is_found;
            let at = if is_found {
                start.max(self.offset)
            } else {
                start
            };
            add(rows, (line, start), Row { at, text, is_found });
            (line, start) = (line.saturating_add(1), end);
        }
        if !is_shown {
            let (at, text) = (self.offset, &b""[..]);
            let is_found = true;
            add(rows, (self.line, at), Row { at, text, is_found });
        }
    }
}

/// Adds a row unless its line is there. Of a long line there may be several parts: a match stands in
/// the one that shows it.
fn add<'a>(rows: &mut BTreeMap<(u64, u64), Row<'a>>, (line, start): (u64, u64), row: Row<'a>) {
    let shows = |start: u64, known: &Row<'_>| {
        let end = start.saturating_add(known.text.len() as u64);
        !row.is_found || (start..=end).contains(&row.at)
    };
    let mut of_line = rows.range_mut((line, 0)..=(line, u64::MAX));
    match of_line.find(|((_, start), known)| shows(*start, known)) {
        Some((_, known)) if row.is_found && !known.is_found => {
            (known.at, known.is_found) = (row.at, true);
        }
        Some(_) => {}
        None => drop(rows.insert((line, start), row)),
    }
}
