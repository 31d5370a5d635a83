//! The report as a table, and how it writes numbers.

use std::fmt;

use super::{Stats, ToolStats};

/// The table for a terminal.
impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let total = self.total();
        let mut rows = vec![HEADINGS.map(str::to_owned)];
        rows.extend(self.tools().iter().map(|(name, tool)| row(name, tool)));
        rows.push(row("total", &total));
        let mut widths = [0; HEADINGS.len()];
        for row in &rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.chars().count());
            }
        }
        for row in &rows {
            for (index, (cell, width)) in row.iter().zip(widths).enumerate() {
                match index {
                    0 => write!(f, "{cell:width$}")?,
                    _ => write!(f, "  {cell:>width$}")?,
                }
            }
            writeln!(f)?;
        }
        writeln!(
            f,
            "\n{} of {} artifacts were read back, {} times, {} tokens. Tokens are estimates.",
            thousands(total.artifacts_read),
            thousands(total.artifacts()),
            thousands(total.reads),
            thousands(self.read_shown.tokens),
        )?;
        match self.unread_lines {
            0 => Ok(()),
            lines => writeln!(f, "{} lines could not be read.", thousands(lines)),
        }
    }
}

pub(super) const HEADINGS: [&str; 9] = [
    "tool",
    "calls",
    "over",
    "bytes in",
    "bytes out",
    "tokens in",
    "tokens out",
    "saved",
    "reads",
];

pub(super) fn row(name: &str, tool: &ToolStats) -> [String; HEADINGS.len()] {
    let name = name.chars().map(|c| {
        if c.is_control() || is_direction(c) {
            '\u{FFFD}'
        } else {
            c
        }
    });
    [
        name.take(LONGEST_NAME).collect(),
        thousands(tool.calls),
        thousands(tool.over),
        thousands(tool.returned.bytes),
        thousands(tool.shown.bytes),
        thousands(tool.returned.tokens),
        thousands(tool.shown.tokens),
        percent(tool),
        thousands(tool.reads),
    ]
}

/// Whether the character turns around the direction of what follows it.
fn is_direction(c: char) -> bool {
    matches!(c, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// How much of the tokens the model was not shown.
pub(super) fn percent(tool: &ToolStats) -> String {
    match tool.returned.tokens {
        0 => "0 %".to_owned(),
        tokens => format!("{} %", tool.tokens_saved().saturating_mul(100) / tokens),
    }
}

pub(super) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A short text of a size for people, in units of 1,000.
pub(super) fn short(number: u64) -> String {
    let scaled =
        |unit: u64, name: &str| format!("{}.{} {name}", number / unit, number % unit / (unit / 10));
    match number {
        0..1_000 => number.to_string(),
        1_000..1_000_000 => scaled(1_000, "k"),
        1_000_000..1_000_000_000 => scaled(1_000_000, "M"),
        _ => scaled(1_000_000_000, "G"),
    }
}

const LONGEST_NAME: usize = 40;
