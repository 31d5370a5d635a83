//! Logs, JSON and configuration, generated: the same in every run.

use super::{Asked, Document, Half};
use crate::data::Numbers;

/// One document of each kind.
pub(crate) fn documents() -> Vec<Document> {
    vec![log(), json(), constants()]
}

fn log() -> Document {
    let mut numbers = Numbers::new(1);
    let mut text = String::new();
    let mut questions = Vec::new();
    for line in 0..4_000_u64 {
        let (id, ms) = (numbers.next() % 0xFFFF_FFFF, numbers.next() % 9_000);
        let service = pick(SERVICES, numbers.next());
        let (what, ask) = pick_pair(EVENTS, numbers.next());
        let worker = numbers.next() % 64;
        let entry = format!("{what} request={id:08x} worker={worker} took={ms}ms");
        let (minute, second) = (line / 60 % 60, line % 60);
        text.push_str(&format!(
            "2026-03-01T07:{minute:02}:{second:02}Z {service} {entry}\n"
        ));
        if line % 97 == 50 {
            questions.push(Asked {
                question: ask
                    .replace("{id}", &format!("{id:08x}"))
                    .replace("{service}", service),
                answer: entry,
                plainly: true,
            });
        }
    }
    Document {
        half: Half::Development,
        kind: "log",
        text,
        questions,
    }
}

fn json() -> Document {
    let mut numbers = Numbers::new(2);
    let mut entries = Vec::new();
    let mut questions = Vec::new();
    for number in 0..1_200_u64 {
        let (name, item) = (pick(NAMES, numbers.next()), pick(ITEMS, numbers.next()));
        let (city, status) = (pick(CITIES, numbers.next()), pick(STATES, numbers.next()));
        let order = 100_000 + number * 7 + numbers.next() % 7;
        let total = numbers.next() % 90_000;
        let entry = format!(
            "{{\"orderId\":\"A-{order}\",\"customer\":\"{name} {}\",\"shippingCity\":\"{city}\",\"lineItem\":\"{item}\",\"status\":\"{status}\",\"totalCents\":{total}}}",
            number % 40
        );
        if number % 29 == 11 {
            let question = match number % 3 {
                0 => format!("What is the status of order A-{order}?"),
                1 => format!("How many total cents is order id A-{order}?"),
                _ => format!(
                    "Which line item was shipped to {city} for customer {name} {} in order A-{order}?",
                    number % 40
                ),
            };
            questions.push(Asked {
                question,
                answer: entry.clone(),
                plainly: true,
            });
        }
        entries.push(entry);
    }
    Document {
        half: Half::Development,
        kind: "JSON",
        text: format!("[{}]", entries.join(",")),
        questions,
    }
}

fn constants() -> Document {
    let mut numbers = Numbers::new(3);
    let mut text = String::new();
    let mut questions = Vec::new();
    let mut index = 0;
    for subject in SUBJECTS {
        for (property, unit) in PROPERTIES {
            let value = numbers.next() % 5_000;
            let constant = format!("{}_{}", subject.to_uppercase(), property.to_uppercase());
            let declared = format!("pub const {constant}: u32 = {value};");
            let function: String = format!("{subject}_{property}")
                .split('_')
                .map(capital)
                .collect();
            text.push_str(&format!(
                "/// Used by the scheduler of the pool, in {unit}.\n{declared}\n\nfn load{function}(config: &Config) -> u32 {{\n    config.read(\"{subject}.{property}\").unwrap_or(DEFAULT)\n}}\n\n"
            ));
            if index % 5 == 2 {
                let words = format!("{subject} {property}").replace('_', " ");
                questions.push(Asked {
                    question: format!("What is the {words}?"),
                    answer: declared,
                    plainly: true,
                });
            }
            index += 1;
        }
    }
    Document {
        half: Half::Development,
        kind: "source",
        text,
        questions,
    }
}

fn capital(word: &str) -> String {
    let mut rest = word.chars();
    let first: String = rest
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .collect();
    first + rest.as_str()
}

fn pick<'a>(from: &[&'a str], number: u64) -> &'a str {
    from.get(number as usize % from.len())
        .copied()
        .unwrap_or_default()
}

fn pick_pair(from: &[(&'static str, &'static str)], number: u64) -> (&'static str, &'static str) {
    from.get(number as usize % from.len())
        .copied()
        .unwrap_or_default()
}

const SERVICES: &[&str] = &[
    "billing",
    "search-api",
    "mailer",
    "auth",
    "thumbnailer",
    "ledger",
];

const EVENTS: &[(&str, &str)] = &[
    ("INFO completed", "Which worker completed request {id}?"),
    (
        "WARN retried",
        "How long did the retried request {id} of {service} take?",
    ),
    ("ERROR upstream timeout", "What happened to request {id}?"),
    (
        "INFO cache miss",
        "Was there a cache miss for request={id}?",
    ),
];

const NAMES: &[&str] = &[
    "Okafor",
    "Lindqvist",
    "Moreau",
    "Tanaka",
    "Silva",
    "Novak",
    "Haddad",
];

const ITEMS: &[&str] = &[
    "desk lamp",
    "bicycle pump",
    "rice cooker",
    "wool scarf",
    "tent peg",
];

const CITIES: &[&str] = &["Porto", "Lyon", "Osaka", "Accra", "Tartu", "Quito", "Leeds"];

const STATES: &[&str] = &["shipped", "returned", "cancelled", "awaiting payment"];

const SUBJECTS: &[&str] = &[
    "connection",
    "session",
    "upload",
    "download",
    "retry_queue",
    "http_server",
    "disk_cache",
    "token_bucket",
    "write_ahead_log",
    "thumbnail",
    "search_index",
    "mail_sender",
];

const PROPERTIES: &[(&str, &str)] = &[
    ("max_idle", "connections"),
    ("read_timeout", "milliseconds"),
    ("write_timeout", "milliseconds"),
    ("buffer_size", "bytes"),
    ("retry_limit", "attempts"),
    ("backoff_base", "milliseconds"),
    ("flush_interval", "seconds"),
    ("queue_depth", "entries"),
    ("keep_alive", "seconds"),
    ("shutdown_grace", "seconds"),
    ("worker_count", "threads"),
    ("batch_size", "records"),
    ("sample_rate", "per mille"),
];
