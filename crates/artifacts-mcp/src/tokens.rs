//! An estimate of tokens for the report.

/// Estimates the tokens of `text`: one for four ASCII characters, one for each other character
/// of up to two bytes in pairs, and one for each larger one, as CJK text is counted.
pub(crate) fn estimate(text: &str) -> u64 {
    let (mut quarters, mut ascii) = (0_u64, 0_u64);
    for c in text.chars() {
        match c.len_utf8() {
            1 => ascii += 1,
            2 => quarters += 2,
            _ => quarters += 4,
        }
    }
    (quarters + ascii).div_ceil(4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_characters_count_more_than_ascii() {
        assert_eq!(estimate(""), 0);
        assert_eq!(estimate("word"), 1);
        assert_eq!(estimate("words"), 2);
        assert_eq!(estimate("слово"), 3);
        assert_eq!(estimate("言葉"), 2);
    }
}
