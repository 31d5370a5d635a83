//! Inputs: seeds with changes, and bytes of all kinds.

use crate::random::Random;

/// The next input, of at most some 10 KB.
pub(super) fn input(random: &mut Random) -> Vec<u8> {
    let mut input = match random.below(4) {
        0 => Vec::new(),
        _ => pick(SEEDS, random).as_bytes().to_vec(),
    };
    for _ in 0..random.below(24) {
        change(&mut input, random);
        input.truncate(MOST_BYTES);
    }
    input
}

fn change(input: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(input.len() as u64 + 1) as usize;
    let end = at + random.below((input.len() - at) as u64 + 1) as usize;
    match random.below(8) {
        0 => drop(input.drain(at..end.min(at + 16))),
        1 => input.insert(at, random.below(256) as u8),
        2 => {
            if let Some(byte) = input.get_mut(at) {
                *byte ^= 1 << random.below(8);
            }
        }
        // A part of it again, somewhere.
        3 => {
            let part = input.get(at..end).unwrap_or_default().to_vec();
            let to = random.below(input.len() as u64 + 1) as usize;
            input.splice(to..to, part);
        }
        // A run of one piece.
        4 => {
            let times = random.below(40) as usize;
            let run = pick(PIECES, random).repeat(times);
            input.splice(at..at, run.into_bytes());
        }
        // A part of another seed.
        5 => {
            let seed = pick(SEEDS, random).as_bytes();
            let from = random.below(seed.len() as u64 + 1) as usize;
            let part = seed.get(from..).unwrap_or_default().to_vec();
            input.splice(at..at, part);
        }
        6 => {
            let scalar = char::from_u32(random.below(0x11_0000) as u32);
            let mut bytes = [0; 4];
            let scalar = scalar.unwrap_or('\u{fffd}').encode_utf8(&mut bytes);
            input.splice(at..at, scalar.bytes());
        }
        _ => drop(input.splice(at..at, pick(PIECES, random).bytes())),
    }
}

fn pick<'a>(from: &[&'a str], random: &mut Random) -> &'a str {
    from.get(random.below(from.len() as u64) as usize)
        .copied()
        .unwrap_or_default()
}

/// One for every shape of input that a target reads.
pub(super) const SEEDS: &[&str] = &[
    "plain text, long enough to be cut somewhere in its middle, and a second line\nlike this one\n",
    "\u{64}\0\u{3}\0\0\0\u{7}\u{3}naïve 👩‍💻🇩🇪🇫🇷 क्षि e\u{301}\r\n日本語 한국어 \u{1112}\u{1161}\u{11ab}\u{600}1",
    "[... elided 391,204 chars (401,122 bytes total); full result: op-1.txt sha256 \
     e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 ...]",
    "[... elided 5 chars (9 bytes total); full result was not stored (this run has nowhere to put \
     it), sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 ...]",
    "[... elided 5 chars (9 bytes total); first 4 bytes of the result: op-1.txt sha256 \
     e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 ...]",
    "{\"id\":\"m-1\",\"payload\":{\"content\":\"hi\",\"role\":\"user\"},\
     \"ts\":\"2026-01-01T00:00:00.000000Z\",\"type\":\"message\",\"v\":1}\n",
    include_str!("../../data/transcript.jsonl"),
];

/// What joins, breaks, or means something to a parser.
const PIECES: &[&str] = &[
    "\n",
    "\r\n",
    "\r",
    "\0",
    "\u{1b}",
    "\u{2028}",
    "\u{feff}",
    "a",
    " ",
    "0",
    ",",
    "\"",
    "\\u0000",
    "{}",
    "[",
    "]}",
    "null",
    "\"v\":2",
    "\"type\":\"note\"",
    "sha256 ",
    "; first ",
    " ...]",
    "é",
    "日",
    "가",
    "\u{301}",
    "\u{200d}",
    "\u{fe0f}",
    "👩",
    "🏽",
    "\u{1f1e9}",
    "\u{915}",
    "\u{94d}",
    "\u{937}",
    "\u{93f}",
    "\u{1100}",
    "\u{1161}",
    "\u{11a8}",
    "\u{600}",
    "\u{e33}",
    "\u{e0020}",
    "\u{110bd}",
];

const MOST_BYTES: usize = 10_000;
