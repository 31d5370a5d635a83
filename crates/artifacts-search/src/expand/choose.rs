//! Which passages are shown, so that they don't say the same.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap};

use crate::rank::Ranked;

/// The best `passages`, best first, where one that says what better ones say counts the less the
/// more of these there are. Takes time by the number of candidates, however many are chosen.
pub(super) fn choose(ranked: Vec<Ranked>, passages: usize) -> Vec<Ranked> {
    let candidate = |ranked: Ranked| Candidate {
        worth: ranked.score,
        ranked,
    };
    let mut candidates: BinaryHeap<Candidate> = ranked.into_iter().map(candidate).collect();
    let mut shown = Shown::default();
    let mut chosen = Vec::new();
    while chosen.len() < passages
        && let Some(best) = candidates.pop()
    {
        // What was chosen since it was looked at may say the same.
        let worth = shown.worth(&best.ranked);
        if worth < best.worth {
            candidates.push(Candidate { worth, ..best });
            continue;
        }
        shown.add(&best.ranked);
        chosen.push(best.ranked);
    }
    chosen
}

/// A passage that may be shown.
#[derive(Debug)]
struct Candidate {
    worth: f64,
    ranked: Ranked,
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_worth = self.worth.total_cmp(&other.worth);
        by_worth.then(other.ranked.chunk.cmp(&self.ranked.chunk))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Candidate {}

/// What the chosen passages say.
#[derive(Debug, Default)]
struct Shown {
    /// How many have a line of this shape.
    shapes: BTreeMap<u64, u32>,
    /// Where their evidence is, by where it starts: its end.
    places: BTreeMap<usize, usize>,
}

impl Shown {
    fn add(&mut self, ranked: &Ranked) {
        let evidence = ranked.evidence.bytes();
        if !evidence.is_empty() {
            *self.shapes.entry(ranked.evidence.shape()).or_default() += 1;
            let end = self.places.entry(evidence.start).or_default();
            *end = evidence.end.max(*end);
        }
    }

    /// The score, less what better passages say.
    fn worth(&self, ranked: &Ranked) -> f64 {
        let evidence = ranked.evidence.bytes();
        if evidence.is_empty() {
            return ranked.score;
        }
        let alike = self.shapes.get(&ranked.evidence.shape());
        let mut before = self.places.range(..evidence.end).rev();
        let same_place = before.next().is_some_and(|(_, end)| *end > evidence.start);
        let times = alike
            .copied()
            .unwrap_or_default()
            .max(u32::from(same_place));
        let kept = match times {
            0 => 1.0,
            1 => REPEATED,
            _ => REPEATED_AGAIN,
        };
        ranked.score - ranked.score.abs() * (1.0 - kept)
    }
}

/// What repeats a better passage counts so much of itself.
const REPEATED: f64 = 0.6;

/// What repeats several.
const REPEATED_AGAIN: f64 = 0.2;
