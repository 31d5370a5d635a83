//! What a character is to a word: a letter, a sign that belongs to one, or an end.

/// The part a character takes in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// A letter that has a smaller form, or none.
    Lower,
    /// A capital letter.
    Upper,
    /// A digit.
    Digit,
    /// A character of a script that puts no spaces between words.
    Unspaced,
    /// A vowel sign, an accent, a joiner: belongs to the character before it.
    Mark,
    /// Anything else: ends a word.
    End,
}

impl Class {
    pub(crate) fn of(c: char) -> Self {
        match c {
            'a'..='z' => Self::Lower,
            'A'..='Z' => Self::Upper,
            '0'..='9' => Self::Digit,
            _ if c.is_ascii() => Self::End,
            _ if is_mark(c) => Self::Mark,
            // Known without looking up: half of the characters of a text in Hindi.
            '\u{0900}'..='\u{0DFF}' if is_digit_of_india(c) => Self::Digit,
            '\u{0900}'..='\u{0DFF}' if is_plain_letter_of_india(c) => Self::Lower,
            _ if is_unspaced(c) => Self::Unspaced,
            _ if c.is_uppercase() => Self::Upper,
            _ if c.is_alphabetic() => Self::Lower,
            _ if c.is_numeric() => Self::Digit,
            _ => Self::End,
        }
    }

    /// Whether one part of a word ends before `self` and another begins with `next`; `after`
    /// comes behind `next`.
    pub(crate) fn splits(self, next: Self, after: Self) -> bool {
        match (self, next) {
            (_, Self::Mark) => false,
            (Self::End | Self::Unspaced, _) | (_, Self::End | Self::Unspaced) => true,
            (Self::Lower | Self::Mark, Self::Upper) => true,
            (Self::Upper, Self::Upper) => after == Self::Lower,
            (Self::Digit, Self::Digit) => false,
            (Self::Digit, _) | (_, Self::Digit) => true,
            _ => false,
        }
    }
}

/// Han, kana, Hangul, Thai, Lao, Khmer, Myanmar: pairs of characters are looked for, not words.
/// Korean has spaces, but joins particles to its words.
fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{0E00}'..='\u{0EFF}'
        | '\u{1000}'..='\u{109F}'
        | '\u{1100}'..='\u{11FF}'
        | '\u{1780}'..='\u{17FF}'
        | '\u{3005}'..='\u{3007}'
        | '\u{3040}'..='\u{30FF}'
        | '\u{3130}'..='\u{318F}'
        | '\u{3400}'..='\u{4DBF}'
        | '\u{4E00}'..='\u{9FFF}'
        | '\u{AC00}'..='\u{D7AF}'
        | '\u{F900}'..='\u{FAFF}'
        | '\u{FF66}'..='\u{FF9D}'
        | '\u{20000}'..='\u{3FFFF}')
        && c.is_alphanumeric()
}

/// Accents, vowel signs, viramas, tone marks, joiners and variation selectors.
fn is_mark(c: char) -> bool {
    match c {
        '\u{0300}'..='\u{036F}'
        | '\u{0483}'..='\u{0489}'
        | '\u{0591}'..='\u{05BD}'
        | '\u{05BF}'..='\u{05C7}'
        | '\u{0610}'..='\u{061A}'
        | '\u{064B}'..='\u{065F}'
        | '\u{0670}'
        | '\u{06D6}'..='\u{06DC}'
        | '\u{06DF}'..='\u{06E8}'
        | '\u{06EA}'..='\u{06ED}'
        | '\u{0E31}'
        | '\u{0E34}'..='\u{0E3A}'
        | '\u{0E47}'..='\u{0E4E}'
        | '\u{0EB1}'
        | '\u{0EB4}'..='\u{0EBC}'
        | '\u{0EC8}'..='\u{0ECD}'
        | '\u{102B}'..='\u{103E}'
        | '\u{17B4}'..='\u{17D3}'
        | '\u{1AB0}'..='\u{1AFF}'
        | '\u{1DC0}'..='\u{1DFF}'
        | '\u{200C}'..='\u{200D}'
        | '\u{20D0}'..='\u{20FF}'
        | '\u{3099}'..='\u{309A}'
        | '\u{FE00}'..='\u{FE0F}'
        | '\u{FE20}'..='\u{FE2F}' => true,
        // The signs of the scripts of India, between their letters.
        '\u{0900}'..='\u{0DFF}' => !is_letter_of_india(c),
        _ => false,
    }
}

fn is_letter_of_india(c: char) -> bool {
    let within = u32::from(c) & 0x7F;
    let is_letter = matches!(within, 0x05..=0x39 | 0x3D | 0x50 | 0x58..=0x61 | 0x66..=0x7F);
    is_letter || matches!(c, '\u{0964}' | '\u{0965}')
}

/// The blocks of these scripts have their digits and letters in the same places.
fn is_digit_of_india(c: char) -> bool {
    matches!(u32::from(c) & 0x7F, 0x66..=0x6F)
}

fn is_plain_letter_of_india(c: char) -> bool {
    matches!(u32::from(c) & 0x7F, 0x05..=0x39 | 0x3D)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_belong_to_their_word() {
        for word in ["हिन्दी", "क्षेत्र", "e\u{301}te\u{301}", "தமிழ்", "బెంగాలీ"]
        {
            for c in word.chars() {
                assert_ne!(Class::of(c), Class::End, "{c:?} of {word}");
            }
        }
        assert_eq!(Class::of('।'), Class::End);
    }

    #[test]
    fn scripts_without_spaces_are_known() {
        for c in "界あア한ไ".chars() {
            assert_eq!(Class::of(c), Class::Unspaced, "{c:?}");
        }
        assert_eq!(Class::of('้'), Class::Mark);
        assert_eq!(Class::of('。'), Class::End);
    }
}
