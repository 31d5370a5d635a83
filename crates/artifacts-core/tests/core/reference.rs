//! The plainest way to cut a text, to compare with.

use artifacts_core::{Limit, Unit};
use unicode_segmentation::UnicodeSegmentation as _;

/// Head and tail of SPEC 1.4 and 2.1, and how many clusters both have.
pub(crate) fn cut(limit: Limit, text: &str) -> (&str, &str, u64) {
    let (amount, ceiling) = (limit.amount(), limit.byte_ceiling());
    let (head_share, head_bytes) = (amount - amount / 4, ceiling - ceiling / 4);
    let (head, in_head) = span(text.graphemes(true), limit.unit(), head_share, head_bytes);
    let (head, rest) = text.split_at(head);
    let (tail, in_tail) = span(
        rest.graphemes(true).rev(),
        limit.unit(),
        amount - head_share,
        ceiling - head_bytes,
    );
    (head, &rest[rest.len() - tail..], in_head + in_tail)
}

fn span<'a>(
    clusters: impl Iterator<Item = &'a str>,
    unit: Unit,
    units: u64,
    bytes: u64,
) -> (usize, u64) {
    let (mut length, mut used, mut count) = (0, 0, 0);
    for cluster in clusters {
        used += match unit {
            Unit::Graphemes => 1,
            Unit::Bytes => cluster.len() as u64,
            _ => cluster.chars().count() as u64,
        };
        if used > units || (length + cluster.len()) as u64 > bytes {
            break;
        }
        length += cluster.len();
        count += 1;
    }
    (length, count)
}
