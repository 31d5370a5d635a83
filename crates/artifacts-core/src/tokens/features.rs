//! What in a text costs tokens: byte-pair vocabularies differ in size, but cut at the same places.

/// How often each thing that costs tokens occurs in a text.
///
/// ```
/// use artifacts_core::TokenFeatures;
///
/// let features = TokenFeatures::of("readFile 1234");
/// let count = |name| {
///     let place = TokenFeatures::NAMES.iter().position(|known| *known == name);
///     features.counts()[place.expect("a name of the list")]
/// };
/// assert_eq!(count("words"), 1);
/// assert_eq!(count("letters 5 to 12 of a word"), 4);
/// assert_eq!(count("capitals after a small letter"), 1);
/// assert_eq!(count("groups of three digits"), 2);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TokenFeatures {
    counts: [u64; NAMES.len()],
}

impl TokenFeatures {
    /// What is counted, in the order of [`counts`](Self::counts).
    pub const NAMES: [&str; NAMES.len()] = NAMES;

    /// Counts in one pass.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let mut scan = Scan::default();
        for c in text.chars() {
            scan.step(c);
        }
        scan.features
    }

    /// A number for each of [`NAMES`](Self::NAMES).
    #[must_use]
    pub fn counts(&self) -> &[u64; NAMES.len()] {
        &self.counts
    }

    /// Adds a sign that is the one before it, the `same`th in a row.
    fn add_repeated(&mut self, same: u64) {
        if same <= 4 {
            self.add(Feature::RepeatedMarks);
        }
    }

    fn add(&mut self, feature: Feature) {
        if let Some(count) = self.counts.get_mut(feature as usize) {
            *count = count.saturating_add(1);
        }
    }
}

/// Where the pass is: the class of the character before, and the run that it ends.
#[derive(Default)]
struct Scan {
    features: TokenFeatures,
    before: Class,
    last: char,
    run: u64,
    /// How many of the same character end here.
    same: u64,
}

impl Scan {
    fn step(&mut self, c: char) {
        let class = Class::of(c);
        let (features, before) = (&mut self.features, self.before);
        let goes_on = class.joins(before);
        self.run = if goes_on {
            self.run.saturating_add(1)
        } else {
            1
        };
        self.same = match c == self.last {
            true => self.same.saturating_add(1),
            false => 1,
        };
        if long_run(c, class).is_some_and(|length| self.same.is_multiple_of(length)) {
            features.add(Feature::LongRuns);
        }
        let same = self.same;
        match class {
            Class::Small | Class::Capital | Class::Accented => {
                match self.run {
                    1 => features.add(Feature::Words),
                    2..=4 => {}
                    5..=12 => features.add(Feature::Letters),
                    _ => features.add(Feature::LettersOfLongWords),
                }
                match (before, class) {
                    (Class::Digit, _) => features.add(Feature::Glued),
                    (Class::Small, Class::Capital) => features.add(Feature::CaseSwitches),
                    (Class::Capital, Class::Capital) => features.add(Feature::Capitals),
                    _ => {}
                }
                if class == Class::Accented {
                    features.add(Feature::Accented);
                }
            }
            Class::Digit => {
                if self.run % 3 == 1 {
                    features.add(Feature::DigitGroups);
                }
                match before {
                    _ if goes_on => {}
                    Class::Small | Class::Capital | Class::Accented => {
                        features.add(Feature::Glued);
                    }
                    Class::Space => features.add(Feature::SpacesBeforeDigits),
                    _ => {}
                }
            }
            Class::Space if self.run == 2 => features.add(Feature::SpaceRuns),
            Class::Break if self.run == 1 => features.add(Feature::LineBreaks),
            Class::Space | Class::Break => {}
            Class::Mark if !goes_on => features.add(Feature::Marks),
            Class::Mark if same > 1 => features.add_repeated(same),
            Class::Mark => features.add(Feature::FurtherMarks),
            // Two of the same are one token.
            Class::Control if same.is_multiple_of(2) => {}
            Class::Control => features.add(Feature::Controls),
            Class::Script(feature) => {
                if !goes_on && feature.has_words() {
                    features.add(Feature::OtherWords);
                }
                match feature == Feature::Symbols && same > 1 {
                    true => features.add_repeated(same),
                    false => features.add(feature),
                }
            }
        }
        self.before = class;
        self.last = c;
    }
}

/// What a character is to the pass.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Class {
    #[default]
    Break,
    Space,
    Small,
    Capital,
    Accented,
    Digit,
    Mark,
    Control,
    Script(Feature),
}

impl Class {
    fn of(c: char) -> Self {
        match c {
            'a'..='z' => Self::Small,
            ' ' | '\t' => Self::Space,
            'A'..='Z' => Self::Capital,
            '0'..='9' => Self::Digit,
            '\n' | '\r' => Self::Break,
            '!'..='~' => Self::Mark,
            '\0'..='\x7f' => Self::Control,
            _ => match script(c) {
                Feature::Accented => Self::Accented,
                feature => Self::Script(feature),
            },
        }
    }

    fn is_letter(self) -> bool {
        matches!(self, Self::Small | Self::Capital | Self::Accented)
    }

    /// Whether the run of the character before goes on with this one.
    fn joins(self, before: Self) -> bool {
        self == before || self.is_letter() && before.is_letter()
    }
}

/// How many of the same character are a token of their own, where vocabularies have long runs.
fn long_run(c: char, class: Class) -> Option<u64> {
    match class {
        Class::Space if c == ' ' => Some(128),
        Class::Mark => Some(64),
        Class::Space | Class::Break | Class::Script(Feature::Symbols) => Some(16),
        _ => None,
    }
}

/// The scripts whose characters cost about the same. Blocks are those of the Unicode character
/// database; what is in none of them is rare, and costs a token for most of its bytes.
fn script(c: char) -> Feature {
    match u32::from(c) {
        0xC0..=0x24F | 0x1E00..=0x1EFF => Feature::Accented,
        0x200D | 0xFE00..=0xFE0F | 0x1_F000..=0x1_FAFF => Feature::Emoji,
        0x80..=0xBF | 0x2000..=0x20CF | 0x2100..=0x2BFF => Feature::Symbols,
        0x3000..=0x303F | 0xFF00..=0xFF65 => Feature::Symbols,
        0x300..=0x36F | 0x1DC0..=0x1DFF | 0x20D0..=0x20FF | 0xFE20..=0xFE2F => Feature::Combining,
        0x400..=0x52F => Feature::Cyrillic,
        0x370..=0x58F | 0x10A0..=0x10FF => Feature::Alphabets,
        0x590..=0x8FF | 0xFB1D..=0xFDFF | 0xFE70..=0xFEFE => Feature::Consonants,
        0x900..=0xDFF => Feature::Indic,
        0xE00..=0xE7F | 0x1000..=0x109F | 0x1780..=0x17FF => Feature::Thai,
        0x3040..=0x30FF | 0x31F0..=0x31FF | 0xFF66..=0xFF9F => Feature::Kana,
        0x2E80..=0x2FFF | 0x3400..=0x9FFF | 0xF900..=0xFAFF => Feature::Han,
        0xAC00..=0xD7A3 => Feature::Hangul,
        0x1100..=0x11FF | 0x3130..=0x318F | 0xA960..=0xA97F | 0xD7B0..=0xD7FF => Feature::Jamo,
        _ => Feature::Others,
    }
}

/// The places of [`NAMES`].
#[derive(Clone, Copy, PartialEq, Eq)]
enum Feature {
    Words,
    Letters,
    LettersOfLongWords,
    CaseSwitches,
    Capitals,
    Glued,
    DigitGroups,
    SpacesBeforeDigits,
    SpaceRuns,
    LineBreaks,
    Marks,
    FurtherMarks,
    RepeatedMarks,
    LongRuns,
    Controls,
    Accented,
    OtherWords,
    Cyrillic,
    Alphabets,
    Consonants,
    Indic,
    Thai,
    Kana,
    Han,
    Hangul,
    Jamo,
    Combining,
    Symbols,
    Emoji,
    Others,
}

impl Feature {
    /// Whether words of the script stand between spaces.
    fn has_words(self) -> bool {
        matches!(
            self,
            Self::Cyrillic | Self::Alphabets | Self::Consonants | Self::Indic | Self::Hangul
        )
    }
}

const NAMES: [&str; Feature::Others as usize + 1] = [
    "words",
    "letters 5 to 12 of a word",
    "letters after the 12th of a word",
    "capitals after a small letter",
    "capitals after a capital",
    "letters beside digits",
    "groups of three digits",
    "spaces before digits",
    "runs of spaces",
    "runs of line breaks",
    "runs of punctuation",
    "further punctuation",
    "signs 2 to 4 of the same",
    "long runs of one sign or blank",
    "control characters",
    "accented Latin letters",
    "words of other scripts",
    "Cyrillic",
    "Greek, Armenian, Georgian",
    "Hebrew, Arabic",
    "Indic scripts",
    "Thai, Burmese, Khmer",
    "kana",
    "Han",
    "Hangul syllables",
    "Hangul jamo",
    "combining marks",
    "symbols",
    "emoji",
    "anything else",
];
