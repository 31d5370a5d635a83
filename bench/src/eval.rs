//! `cargo xtask eval search`: how often the passages of an answer hold the answer.
//!
//! What is tuned is tuned on the development half. The held half has other documents, templates and
//! seeds; its questions are counted, and its misses are not looked at.

mod baselines;
mod generated;
mod held;
#[cfg(feature = "static-embeddings")]
mod hybrid;
mod languages;
mod sources;

use std::collections::BTreeMap;

use artifacts_core::{Measure, TokenEstimator as _, TokenWeights};
use artifacts_search::Expand;

#[cfg(feature = "static-embeddings")]
pub(crate) use hybrid::embedder;
pub(crate) use sources::package_file;

use crate::table::print;

/// A document with questions to it.
pub(crate) struct Document {
    half: Half,
    /// What kind of text it is.
    pub(crate) kind: &'static str,
    pub(crate) text: String,
    pub(crate) questions: Vec<Asked>,
}

/// What a document is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Half {
    Development,
    Held,
}

impl Document {
    /// An empty document of the held half.
    fn new(kind: &'static str) -> Self {
        Self {
            half: Half::Held,
            kind,
            text: String::new(),
            questions: Vec::new(),
        }
    }

    /// Adds a question in the document's own words.
    fn ask(&mut self, question: String, answer: String) {
        self.questions.push(Asked {
            question,
            answer,
            plainly: true,
        });
    }
}

/// A question and the words that answer it, which stand in the document as they are.
pub(crate) struct Asked {
    pub(crate) question: String,
    pub(crate) answer: String,
    /// Asked with the document's words, or with others.
    pub(crate) plainly: bool,
}

/// What a method found: whether the answer is shown with one, three, five passages.
#[derive(Clone, Copy, Default)]
struct Found {
    questions: f64,
    at: [f64; 3],
    reciprocal: f64,
    tokens: f64,
}

/// Prints the table for each half; tells whether every answer is in its document.
pub(crate) fn run() -> bool {
    let documents = match documents() {
        Ok(documents) => documents,
        Err(error) => {
            println!("the corpus can't be read: {error}");
            return false;
        }
    };
    let mut sound = true;
    for half in [Half::Development, Half::Held] {
        let documents = documents.iter().filter(|document| document.half == half);
        let documents = documents.collect::<Vec<_>>();
        let questions: usize = documents
            .iter()
            .map(|document| document.questions.len())
            .sum();
        println!(
            "\n{half:?} half, {questions} questions to {} documents:\n",
            documents.len()
        );
        let mut table: BTreeMap<(String, usize), Found> = BTreeMap::new();
        for document in documents {
            for asked in &document.questions {
                if !document.text.contains(&asked.answer) {
                    println!("not in its document: {}", asked.answer);
                    sound = false;
                    continue;
                }
                let way = match asked.plainly {
                    true => "plainly",
                    false => "other words",
                };
                for (method, (_, passages)) in METHODS.iter().enumerate() {
                    let found = ask(document, asked, *passages);
                    for row in [format!("all, {way}"), format!("{}, {way}", document.kind)] {
                        table.entry((row, method)).or_default().add(found);
                    }
                }
            }
        }
        let name = |method: usize| METHODS.get(method).map_or("", |(name, _)| *name);
        let rows = table
            .iter()
            .map(|((row, method), found)| found.row(row, name(*method)));
        print(&HEAD, &rows.collect::<Vec<_>>());
    }
    sound
}

const HEAD: [&str; 8] = [
    "questions",
    "number",
    "method",
    "recall@1",
    "recall@3",
    "recall@5",
    "MRR",
    "tokens",
];

fn documents() -> Result<Vec<Document>, Box<dyn std::error::Error>> {
    let mut documents = sources::documents()?;
    documents.extend(generated::documents());
    documents.extend(languages::documents());
    documents.extend(held::documents());
    Ok(documents)
}

/// The passages that a method shows of a text, for a question, a number and a budget.
type Passages = fn(&str, &str, usize, usize) -> Vec<String>;

const METHODS: &[(&str, Passages)] = &[
    ("expand", expand),
    #[cfg(feature = "static-embeddings")]
    ("expand, embeddings", hybrid::expand),
    ("whitespace BM25", baselines::whitespace_bm25),
    ("grep, rarest word", baselines::grep),
    ("head and tail", baselines::head_and_tail),
];

fn expand(text: &str, question: &str, passages: usize, budget: usize) -> Vec<String> {
    let expand = Expand::of(passages).with_budget(budget as u64);
    let answer = expand.answer(text, question);
    let passages = answer.iter().flat_map(|answer| answer.passages());
    passages.map(|passage| passage.text().to_owned()).collect()
}

fn ask(document: &Document, asked: &Asked, passages: Passages) -> Found {
    let budget = budget(&document.text);
    let shown = |count: usize| passages(&document.text, &asked.question, count, budget);
    let holds = |count: usize| {
        let holds = |passage: &String| passage.contains(&asked.answer);
        shown(count).iter().any(holds)
    };
    let rank = (1..=5).find(|count| holds(*count));
    let within = |count: usize| f64::from(u8::from(rank.is_some_and(|rank| rank <= count)));
    Found {
        questions: 1.0,
        at: [within(1), f64::from(u8::from(holds(3))), within(5)],
        reciprocal: rank.map_or(0.0, |rank| 1.0 / rank as f64),
        tokens: shown(3).iter().map(|passage| tokens(passage)).sum(),
    }
}

impl Found {
    fn add(&mut self, other: Self) {
        self.questions += other.questions;
        for (sum, one) in self.at.iter_mut().zip(other.at) {
            *sum += one;
        }
        self.reciprocal += other.reciprocal;
        self.tokens += other.tokens;
    }

    fn row(&self, row: &str, method: &str) -> Vec<String> {
        let mean = |sum: f64| format!("{:.2}", sum / self.questions);
        let [one, three, five] = self.at.map(mean);
        let tokens = format!("{:.0}", self.tokens / self.questions);
        let number = self.questions.to_string();
        let method = method.to_owned();
        vec![
            row.to_owned(),
            number,
            method,
            one,
            three,
            five,
            mean(self.reciprocal),
            tokens,
        ]
    }
}

/// As many characters of a text as have about 1,500 tokens, and at most three passages.
fn budget(text: &str) -> usize {
    let per_token = Measure::of(text).graphemes() as f64 / tokens(text).max(1.0);
    ((TOKENS * per_token) as usize).min(6_000)
}

fn tokens(text: &str) -> f64 {
    TokenWeights::default().tokens(text) as f64
}

const TOKENS: f64 = 1_500.0;
