//! How a server is started, with the places in the text where that is written.

use std::ops::Range;

use super::flags;
use crate::json;

/// A command line whose words are where they were found.
#[derive(Debug)]
pub(super) struct Command {
    line: Vec<String>,
    /// The program, where it has a place of its own; else it is the first of `words`.
    program: Option<Range<usize>>,
    /// The list of the words after the program, or of all.
    list: Option<Range<usize>>,
    words: Vec<Range<usize>>,
    /// What is written between the program and a list after it.
    between: String,
}

/// A piece of the text, and what takes its place.
#[derive(Debug)]
pub(super) struct Edit {
    place: Range<usize>,
    text: String,
}

impl Command {
    /// A program with its arguments in a list, which may be missing: `between` would introduce it.
    pub(super) fn with_arguments(
        program: (String, Range<usize>),
        list: Option<Range<usize>>,
        arguments: Vec<(String, Range<usize>)>,
        between: String,
    ) -> Self {
        let (program, place) = program;
        let (rest, words): (Vec<_>, Vec<_>) = arguments.into_iter().unzip();
        Self {
            line: [vec![program], rest].concat(),
            program: Some(place),
            list,
            words,
            between,
        }
    }

    /// All words in one list; `None` if there are none.
    pub(super) fn of_list(list: Range<usize>, words: Vec<(String, Range<usize>)>) -> Option<Self> {
        let (line, words): (Vec<_>, Vec<_>) = words.into_iter().unzip();
        (!line.is_empty()).then_some(Self {
            line,
            program: None,
            list: Some(list),
            words,
            between: String::new(),
        })
    }

    pub(super) fn line(&self) -> &[String] {
        &self.line
    }

    /// The edits that put words before the first. What is in the list stays as it is written.
    pub(super) fn putting_before(&self, text: &str, before: &[String]) -> Vec<Edit> {
        let mut quoted = before.iter().map(|word| quoted(word)).collect::<Vec<_>>();
        let Some(program) = &self.program else {
            let first = self.words.first().map_or(0, |word| word.start);
            return vec![edit(first..first, quoted.join(", ") + ", ")];
        };
        quoted.push(written(text, program));
        let rest = quoted.split_off(1).join(", ");
        let arguments = match (self.words.first(), &self.list) {
            (Some(first), _) => edit(first.start..first.start, rest + ", "),
            (None, Some(list)) => edit(list.start + 1..list.start + 1, rest),
            (None, None) => {
                let list = format!("{}[{rest}]", self.between);
                edit(program.end..program.end, list)
            }
        };
        vec![edit(program.clone(), quoted.concat()), arguments]
    }

    /// The edits that change words of the line, and put others before its third.
    pub(super) fn with_words(&self, words: &[(usize, String)], before: &[String]) -> Vec<Edit> {
        // The program is a word of the line, but none in the list.
        let place = |number: usize| {
            let number = number.checked_sub(usize::from(self.program.is_some()))?;
            self.words.get(number)
        };
        let changed = words
            .iter()
            .filter_map(|(number, word)| Some(edit(place(*number)?.clone(), quoted(word))));
        let mut edits = changed.collect::<Vec<_>>();
        if let (Some(first), false) = (place(flags::FIRST), before.is_empty()) {
            let list = before.iter().map(|word| quoted(word) + ", ");
            edits.push(edit(first.start..first.start, list.collect()));
        }
        edits
    }

    /// The edits that make the line begin with its word of this number, which is above 0.
    pub(super) fn beginning_at(&self, text: &str, start: usize) -> Vec<Edit> {
        // The program is a word, but none in the list.
        let first = start.saturating_sub(usize::from(self.program.is_some()));
        let (Some(program), Some(list), Some(from), Some(begins)) = (
            self.words.get(first),
            &self.list,
            self.words.first(),
            self.words.get(first).map(|word| word.start),
        ) else {
            return Vec::new();
        };
        let Some(place) = &self.program else {
            return vec![edit(from.start..begins, String::new())];
        };
        let end = match self.words.get(first + 1) {
            Some(next) => next.start,
            None => {
                let after = text.get(program.end..list.end).unwrap_or_default();
                let blanks = after.len() - after.trim_start().len();
                let has_comma = after.trim_start().starts_with(',');
                program.end + if has_comma { blanks + 1 } else { 0 }
            }
        };
        vec![
            edit(place.clone(), written(text, program)),
            edit(from.start..end, String::new()),
        ]
    }
}

/// The text with every edit made.
pub(super) fn edited(text: &str, mut edits: Vec<Edit>) -> String {
    // What is put before a word comes before what the word becomes.
    edits.sort_by_key(|edit| (edit.place.start, edit.place.end));
    let mut edited = String::new();
    let mut done = 0;
    for edit in edits {
        edited.push_str(text.get(done..edit.place.start).unwrap_or_default());
        edited.push_str(&edit.text);
        done = edit.place.end;
    }
    edited.push_str(text.get(done..).unwrap_or_default());
    edited
}

fn quoted(word: &str) -> String {
    json::string(word).get().to_owned()
}

fn written(text: &str, place: &Range<usize>) -> String {
    text.get(place.clone()).unwrap_or_default().to_owned()
}

fn edit(place: Range<usize>, text: String) -> Edit {
    Edit { place, text }
}
