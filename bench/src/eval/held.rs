//! Documents of the held half that are generated: other templates, other places and other seeds
//! than those of the development half.

use super::Document;
use crate::data::Numbers;

/// Logs, JSON, configuration, and invented places in nine languages.
pub(crate) fn documents() -> Vec<Document> {
    let mut documents = vec![access_log(), tickets(), settings()];
    let languages = LANGUAGES.split("# ").filter(|part| !part.is_empty());
    documents.extend(
        languages
            .zip(1..)
            .filter_map(|(part, seed)| places(part, seed)),
    );
    documents
}

/// Requests of a web server, one a line.
fn access_log() -> Document {
    let mut numbers = Numbers::new(9_001);
    let mut document = Document::new("log");
    for line in 0..3_000_u64 {
        let (a, b, c) = (numbers.next(), numbers.next(), numbers.next());
        let session = format!("s-{:05x}{:04x}", a % 0xF_FFFF, b % 0xFFFF);
        let page = pick(PAGES, b);
        let status = pick(&["200", "204", "302", "404", "500", "503"], c);
        let answer = format!(
            "session={session} \"GET {page}\" {status} {} bytes in {} ms",
            a % 90_000,
            c % 4_000
        );
        document.text.push_str(&format!(
            "10.0.{}.{} - [{:02}/Apr/2026:{:02}:{:02}:{:02}] {answer}\n",
            a % 256,
            b % 256,
            1 + line / 200,
            line / 60 % 24,
            line % 60,
            a % 60
        ));
        if line % 83 == 40 {
            let question = match line % 3 {
                0 => format!("Which status did session {session} get?"),
                1 => format!("How many bytes were sent in {session}?"),
                _ => format!("Which page did session={session} ask for?"),
            };
            document.ask(question, answer);
        }
    }
    document
}

/// An issue tracker's export on one line.
fn tickets() -> Document {
    let mut numbers = Numbers::new(9_002);
    let mut document = Document::new("JSON");
    document.text.push('[');
    for number in 0..900_u64 {
        let (a, b, c) = (numbers.next(), numbers.next(), numbers.next());
        let key = format!(
            "{}-{}",
            pick(&["OPS", "WEB", "DATA", "CORE"], a),
            1_000 + number
        );
        let (subject, trouble) = (pick(SUBJECTS, b), pick(TROUBLES, c));
        let answer = format!(
            "{{\"key\":\"{key}\",\"summary\":\"{subject} {trouble}\",\"assignedTo\":\"{}.{}\",\"priorityLevel\":{},\"closed\":{}}}",
            pick(PEOPLE, a),
            b % 90,
            c % 5,
            a.is_multiple_of(3)
        );
        document.text.push_str(&answer);
        document.text.push(',');
        if number % 27 == 13 {
            let question = match number % 3 {
                0 => format!("Who is assigned to {key}?"),
                1 => format!("What is the summary of ticket {key}?"),
                _ => format!("What is the priority level of {key}, {subject} {trouble}?"),
            };
            document.ask(question, answer);
        }
    }
    document.text.push_str("{}]");
    document
}

/// A module of settings in Python.
fn settings() -> Document {
    let mut numbers = Numbers::new(9_003);
    let mut document = Document::new("source");
    for (index, subject) in SUBJECTS.iter().enumerate() {
        let class: String = subject.split(' ').map(capital).collect();
        document.text.push_str(&format!(
            "class {class}Settings:\n    \"\"\"What operators change without a release.\"\"\"\n\n"
        ));
        for (place, property) in PROPERTIES.iter().enumerate() {
            let name = format!("{}_{property}", subject.replace(' ', "_"));
            let answer = format!("{name} = {}", numbers.next() % 10_000);
            document.text.push_str(&format!(
                "    {answer}\n\n    def validate_{name}(self, value):\n        if value < 0:\n            raise ValueError(\"must not be negative\")\n        return value\n\n"
            ));
            if (index + place) % 5 == 1 {
                let words = format!("{subject} {property}").replace('_', " ");
                document.ask(format!("What is the {words}?"), answer);
            }
        }
    }
    document
}

/// Sentences about places, each with filler behind it.
fn places(part: &'static str, seed: u64) -> Option<Document> {
    let (language, lines) = part.split_once('\n')?;
    let values = |name: &str| {
        let line = lines.lines().find_map(|line| line.strip_prefix(name));
        line.map_or_else(Vec::new, |line| line.split(" | ").map(str::trim).collect())
    };
    let (places, filler) = (values("places:"), values("filler:"));
    let facts = lines
        .lines()
        .filter_map(|line| line.strip_prefix("fact:")?.split_once(" | "));
    let facts = facts.collect::<Vec<_>>();
    let mut numbers = Numbers::new(9_100 + seed);
    let mut sentences = Vec::new();
    for place in &places {
        for (said, asked) in &facts {
            let value = (100 + numbers.next() % 9_000).to_string();
            let said = said.trim().replace("{c}", place).replace("{v}", &value);
            sentences.push((numbers.next(), said, asked.trim().replace("{c}", place)));
        }
    }
    sentences.sort();
    let mut document = Document::new(language);
    for (index, (_, said, asked)) in sentences.into_iter().enumerate() {
        document.text.push_str(&said);
        for _ in 0..6 {
            document.text.push(' ');
            document.text.push_str(pick(&filler, numbers.next()));
        }
        document.text.push('\n');
        if index % 4 == 1 {
            document.ask(asked, said);
        }
    }
    Some(document)
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

fn pick<'a>(from: &[&'a str], number: u64) -> &'a str {
    from.get(number as usize % from.len().max(1))
        .copied()
        .unwrap_or_default()
}

const LANGUAGES: &str = include_str!("../../data/search/held-languages.txt");

const PAGES: &[&str] = &[
    "/",
    "/basket",
    "/orders/recent",
    "/static/app.js",
    "/help/returns",
    "/api/stock",
    "/login",
    "/img/hero.webp",
];

const SUBJECTS: &[&str] = &[
    "invoice export",
    "nightly backup",
    "login page",
    "stock sync",
    "mail relay",
    "image resizer",
    "tax report",
    "coupon service",
    "audit trail",
    "map tiles",
];

const TROUBLES: &[&str] = &[
    "times out on Mondays",
    "loses the last row",
    "shows the wrong currency",
    "fails after an update",
    "sends everything twice",
    "ignores the time zone",
];

const PEOPLE: &[&str] = &[
    "amara", "bjorn", "chiara", "dmitri", "elif", "farid", "greta",
];

const PROPERTIES: &[&str] = &[
    "poll_seconds",
    "max_attempts",
    "page_length",
    "warm_up_requests",
    "queue_ceiling",
    "drain_minutes",
    "cache_entries",
    "burst_allowance",
    "lease_duration",
    "log_sampling",
];
