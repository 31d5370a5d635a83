//! Only `cap` makes a summarizer's text.

use compactor_cap::{SummaryText, Totals};

fn main() {
    let _ = SummaryText {
        pieces: vec!["anything".into()],
        totals: Totals::default(),
    };
}
