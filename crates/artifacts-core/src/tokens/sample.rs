//! Windows spread evenly over a text.

use crate::segment::floor;

/// How many windows a large text is read through.
pub(super) const WINDOWS: usize = 64;

/// How large each is.
pub(super) const WINDOW_BYTES: usize = 4_096;

/// The text itself, or windows of a large one: the first at its start, the last at its end.
pub(super) fn windows(text: &str) -> impl Iterator<Item = &str> {
    let is_small = text.len() <= WINDOWS.saturating_mul(WINDOW_BYTES);
    let whole = is_small.then_some(text);
    let count = if is_small { 0 } else { WINDOWS };
    // Starts from 0 to the last at which a whole window fits.
    let room = text.len().saturating_sub(WINDOW_BYTES) as u128;
    let last = (WINDOWS as u128).saturating_sub(1);
    let sampled = (0..count).filter_map(move |index| {
        let start = room.saturating_mul(index as u128).checked_div(last)?;
        let start = usize::try_from(start).ok()?;
        let end = start.saturating_add(WINDOW_BYTES);
        text.get(floor(text, start)..floor(text, end))
    });
    whole.into_iter().chain(sampled)
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn a_small_text_is_one_window() {
        assert_eq!(windows("text").collect::<Vec<_>>(), ["text"]);
        let text = "x".repeat(WINDOWS * WINDOW_BYTES);
        assert_eq!(windows(&text).count(), 1);
    }

    #[test]
    fn a_large_text_is_read_from_its_start_to_its_end() {
        for sign in ["x", "é", "漢", "🎉"] {
            let text = sign.repeat(1_000_000);
            let windows = windows(&text).collect::<Vec<_>>();
            assert_eq!(windows.len(), WINDOWS);
            let lengths = windows.iter().map(|window| window.len());
            assert!(
                lengths
                    .into_iter()
                    .all(|length| { length.abs_diff(WINDOW_BYTES) < sign.len() })
            );
            assert_eq!(windows[0].as_ptr(), text.as_ptr());
            let last = windows[WINDOWS - 1].as_bytes().as_ptr_range();
            assert_eq!(last.end, text.as_bytes().as_ptr_range().end);
        }
    }
}
