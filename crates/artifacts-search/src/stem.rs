//! Forms of a word that count as the same: plurals, endings of verbs, derived words.

/// How near two forms of a word are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Nearness {
    /// Derived from the same root, or one begins with the other.
    Related,
    /// The same word in another form.
    Form,
    /// The same letters.
    Exact,
}

/// The three forms of a word of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Forms {
    word: String,
    stem: String,
    root: String,
}

impl Forms {
    /// The forms of `word`, which is in lower case.
    pub(crate) fn of(word: &str) -> Self {
        let stem = stem(word);
        let root = root(stem);
        Self {
            word: word.into(),
            stem: stem.into(),
            root: root.into(),
        }
    }

    /// The word itself.
    pub(crate) fn word(&self) -> &str {
        &self.word
    }

    /// What every form begins with: no longer than any of them.
    pub(crate) fn beginning(&self) -> &str {
        // A `y` becomes an `i`: neither is in the beginning.
        match self.root.strip_suffix(['i', 'y']) {
            Some(shorter) if shorter.len() >= 2 => shorter,
            _ => &self.root,
        }
    }

    /// How near `word`, in lower case, is.
    pub(crate) fn nearness(&self, word: &str) -> Option<Nearness> {
        if word == self.word {
            return Some(Nearness::Exact);
        }
        let other = stem(word);
        if same_ending(other, &self.stem) {
            return Some(Nearness::Form);
        }
        let related = same_ending(root(other), &self.root)
            || self.stem.len() >= LONG && other.starts_with(self.stem.as_str());
        (related && self.root.len() >= SHORT).then_some(Nearness::Related)
    }
}

/// Equal, where a last `y` counts as an `i`.
fn same_ending(one: &str, other: &str) -> bool {
    let endings = ['i', 'y'];
    let shorter = one.strip_suffix(endings);
    one == other || shorter.is_some() && shorter == other.strip_suffix(endings)
}

/// English inflection taken off: plurals, `-ed`, `-ing`, a last `e`. Others stay as they are.
fn stem(word: &str) -> &str {
    if !word.bytes().all(|byte| byte.is_ascii_lowercase()) || word.len() <= 3 {
        return word;
    }
    let word = singular(word);
    for ending in ["ing", "ed"] {
        if let Some(rest) = word.strip_suffix(ending)
            && rest.len() >= 3
            && has_vowel(rest)
        {
            return without_final_e(undoubled(rest));
        }
    }
    without_final_e(word)
}

fn singular(word: &str) -> &str {
    if let Some(rest) = word.strip_suffix("ies") {
        // The `i` stays: it is what `y` counts as.
        return match rest.len() >= 2 {
            true => word.strip_suffix("es").unwrap_or(word),
            false => word.strip_suffix('s').unwrap_or(word),
        };
    }
    for ending in ["sses", "xes", "zes", "ches", "shes"] {
        if word.ends_with(ending) {
            return word.strip_suffix("es").unwrap_or(word);
        }
    }
    match word.strip_suffix('s') {
        Some(rest) if !rest.ends_with(['s', 'u', 'i']) => rest,
        _ => word,
    }
}

fn undoubled(word: &str) -> &str {
    let mut last = word.bytes().rev();
    match (last.next(), last.next()) {
        (Some(one), Some(two)) if one == two && !matches!(one, b'l' | b's' | b'z') => {
            word.split_at(word.len() - 1).0
        }
        _ => word,
    }
}

fn without_final_e(word: &str) -> &str {
    match word.strip_suffix('e') {
        Some(rest) if rest.len() >= 3 => rest,
        _ => word,
    }
}

/// A stem without the endings that derive one word from another.
fn root(stem: &str) -> &str {
    if !stem.is_ascii() {
        return stem;
    }
    for ending in DERIVING {
        if let Some(rest) = stem.strip_suffix(ending)
            && rest.len() >= SHORT
        {
            return without_final_e(rest);
        }
    }
    stem
}

fn has_vowel(word: &str) -> bool {
    word.contains(['a', 'e', 'i', 'o', 'u', 'y'])
}

/// Longest first; a last `e` is gone already.
const DERIVING: &[&str] = &[
    "ization", "ation", "ition", "ement", "ment", "ness", "tion", "sion", "ator", "anc", "enc",
    "abl", "ibl", "ity", "ion", "ful", "ous", "iv", "ic", "al", "er", "or", "ly", "at",
];

/// A root of fewer letters says too little.
const SHORT: usize = 4;

/// A beginning of so many letters says enough.
const LONG: usize = 5;

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(word: &str, others: &[(&str, Option<Nearness>)]) {
        let forms = Forms::of(word);
        for (other, nearness) in others {
            assert_eq!(forms.nearness(other), *nearness, "{word} and {other}");
            if nearness.is_some() {
                assert!(other.starts_with(forms.beginning()), "{word} and {other}");
            }
        }
    }

    #[test]
    fn forms_of_a_word_are_found() {
        use Nearness::{Exact, Form, Related};
        check(
            "timeouts",
            &[("timeout", Some(Form)), ("timeouts", Some(Exact))],
        );
        check(
            "retry",
            &[
                ("retries", Some(Form)),
                ("retried", Some(Form)),
                ("retro", None),
            ],
        );
        check(
            "cached",
            &[
                ("cache", Some(Form)),
                ("caching", Some(Form)),
                ("caches", Some(Form)),
            ],
        );
        check(
            "running",
            &[("run", Some(Form)), ("runs", Some(Form)), ("runway", None)],
        );
        check(
            "configuration",
            &[
                ("configure", Some(Related)),
                ("configurable", Some(Related)),
            ],
        );
        check(
            "config",
            &[("configuration", Some(Related)), ("conf", None)],
        );
        check(
            "log",
            &[("logs", Some(Form)), ("login", None), ("log", Some(Exact))],
        );
        check(
            "größe",
            &[("größe", Some(Exact)), ("größer", Some(Related))],
        );
    }
}
