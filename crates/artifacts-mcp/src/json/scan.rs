//! Finding the values of a JSON text in one pass, without making anything of them.

use super::string;

/// Walks over a text, value by value. What is no JSON is `None`, and then there is nothing more to
/// find. Values may be nested to any depth.
#[derive(Debug)]
pub(super) struct Scan<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scan<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// The first byte of what comes after white space.
    pub(super) fn next(&mut self) -> Option<u8> {
        loop {
            match *self.text.as_bytes().get(self.at)? {
                b' ' | b'\t' | b'\n' | b'\r' => self.at += 1,
                byte => return Some(byte),
            }
        }
    }

    /// Hands each member of the object that begins here to `take`, which takes its value: the
    /// name is as it is spelled.
    pub(super) fn object(
        &mut self,
        mut take: impl FnMut(&'a str, &mut Self) -> Option<()>,
    ) -> Option<()> {
        self.list(*b"{}", |scan| {
            let name = scan.name()?;
            take(name, scan)
        })
    }

    /// Lets `take` take each element of the array that begins here.
    pub(super) fn array(&mut self, take: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.list(*b"[]", take)
    }

    /// The value that begins here.
    pub(super) fn value(&mut self) -> Option<&'a str> {
        self.taken(Self::skip)
    }

    /// What `take` takes, as it is written.
    pub(super) fn taken(&mut self, take: impl FnOnce(&mut Self) -> Option<()>) -> Option<&'a str> {
        self.next()?;
        let start = self.at;
        take(self)?;
        self.text.get(start..self.at)
    }

    /// That nothing is left but white space.
    pub(super) fn end(&mut self) -> Option<()> {
        self.next().is_none().then_some(())
    }

    fn list(
        &mut self,
        [open, close]: [u8; 2],
        mut take: impl FnMut(&mut Self) -> Option<()>,
    ) -> Option<()> {
        self.expect(open)?;
        if self.next()? == close {
            return self.expect(close);
        }
        loop {
            take(self)?;
            match self.next()? {
                b',' => self.at += 1,
                _ => return self.expect(close),
            }
        }
    }

    /// The name of a member, and the colon.
    fn name(&mut self) -> Option<&'a str> {
        let name = self.taken(Self::string)?;
        self.expect(b':')?;
        Some(name)
    }

    fn skip(&mut self) -> Option<()> {
        // How the lists end that began, the innermost last. Not by recursion: a server's text
        // decides how many there are.
        let mut ends = Vec::new();
        loop {
            match self.next()? {
                b'"' => self.string()?,
                b'[' => {
                    self.at += 1;
                    if self.next()? != b']' {
                        ends.push(b']');
                        continue;
                    }
                    self.at += 1;
                }
                b'{' => {
                    self.at += 1;
                    if self.next()? != b'}' {
                        self.name()?;
                        ends.push(b'}');
                        continue;
                    }
                    self.at += 1;
                }
                b't' => self.word("true")?,
                b'f' => self.word("false")?,
                b'n' => self.word("null")?,
                _ => self.number()?,
            }
            loop {
                let Some(end) = ends.last() else {
                    return Some(());
                };
                match self.next()? {
                    b',' => {
                        self.at += 1;
                        if *end == b'}' {
                            self.name()?;
                        }
                        break;
                    }
                    _ => {
                        self.expect(*end)?;
                        ends.pop();
                    }
                }
            }
        }
    }

    fn string(&mut self) -> Option<()> {
        self.expect(b'"')?;
        self.at += string::length(self.text.as_bytes().get(self.at..)?)?;
        Some(())
    }

    fn number(&mut self) -> Option<()> {
        self.pass(b"-");
        match self.byte()? {
            b'0' => self.at += 1,
            _ => self.digits()?,
        }
        if self.pass(b".") {
            self.digits()?;
        }
        if self.pass(b"eE") {
            self.pass(b"+-");
            self.digits()?;
        }
        Some(())
    }

    fn digits(&mut self) -> Option<()> {
        self.pass(b"0123456789").then_some(())?;
        while self.pass(b"0123456789") {}
        Some(())
    }

    /// Steps over the next byte if it is one of these; whether it was.
    fn pass(&mut self, bytes: &[u8]) -> bool {
        let is_one = self.byte().is_some_and(|byte| bytes.contains(&byte));
        self.at += usize::from(is_one);
        is_one
    }

    fn word(&mut self, word: &str) -> Option<()> {
        let rest = self.text.as_bytes().get(self.at..)?;
        self.at += word.len();
        rest.starts_with(word.as_bytes()).then_some(())
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        let is_it = self.next()? == byte;
        self.at += 1;
        is_it.then_some(())
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::value::RawValue;

    use super::*;

    fn scanned(text: &str) -> Option<&str> {
        let mut scan = Scan::of(text);
        let value = scan.value()?;
        scan.end()?;
        Some(value)
    }

    #[track_caller]
    fn check(text: &str) {
        let expected = serde_json::from_str::<&RawValue>(text).ok();
        assert_eq!(scanned(text), expected.map(RawValue::get), "{text:?}");
    }

    #[test]
    fn numbers_words_and_strings_are_told_from_what_is_none() {
        let numbers = "0 -0 01 1. .5 1.5 -1.5e+10 1e 1e+ 1E5 - 0x1 00 1.5.5 --1 +1 9e99999";
        let words = "true false null tru truex nul True nullnull";
        let strings = r#""a" "a "a\" "\u12" "\u12g4" "\u12aF" "\ud800" "\x" "\ "\/" 'a'"#;
        for words in [numbers, words, strings] {
            words.split(' ').for_each(check);
        }
        for lengths in 0..40 {
            let plain = "x".repeat(lengths);
            for end in [
                "\"", "\\\"", "\\n\"", "\n\"", "\u{1f}\"", "é\"", "\u{7f}\"", "",
            ] {
                check(&format!("\"{plain}{end}"));
            }
        }
    }

    #[test]
    fn lists_end_as_they_begin() {
        let texts = "[] {} [} {] [1,] [,1] [1 {\"a\"} {\"a\":} {\"a\":1,} {1:2} [[]] [[] {\"a\":{\"b\":[]}} \
             {\"a\":[1,{\"b\":2}],\"c\":3} [1]2 [1],";
        texts.split(' ').for_each(check);
        check("");
        check(" \t\r\n[ 1 , { \"a\" : 2 } ] ");
        check("\u{a0}1");
        check("1 2");
    }

    #[test]
    fn lists_end_as_they_begin_at_any_depth() {
        for depth in [1, 63, 64, 127, 128, 129, 1_000, 100_000] {
            for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[{\"a\":[0,", "]}]")] {
                let [opened, closed] = [open, close].map(|part| part.repeat(depth));
                let shorter = close.repeat(depth - 1);
                check(&format!("{opened}1{closed}"));
                check(&format!("{opened}1{shorter}"));
                check(&format!("{opened}1{closed}]"));
                check(&format!("{opened}1)"));
                check(&format!("{opened}1{shorter}}}]"));
            }
        }
    }

    proptest! {
        #[test]
        fn what_is_json_is_what_the_library_says(text in r#"[\[\]{}:,"\\ un01.e\-\n\x1fatrlsé]{0,24}"#) {
            check(&text);
        }

        #[test]
        fn every_value_is_found_and_none_once_it_is_broken(
            value in value(),
            place in any::<prop::sample::Index>(),
            byte in 0_u8..128,
        ) {
            let text = value.to_string();
            check(&text);
            let mut broken = text.into_bytes();
            let place = place.index(broken.len());
            broken[place] = byte;
            if let Ok(broken) = String::from_utf8(broken) {
                check(&broken);
            }
        }
    }

    fn value() -> impl Strategy<Value = serde_json::Value> {
        use serde_json::Value;
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 32, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                prop::collection::btree_map(any::<String>(), inner, 0..5)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }
}
