//! Only `cap` makes a summarizer's text.

use compactor_cap::{SummaryText, Totals};

fn main() {
    let _ = SummaryText {
        sections: Vec::new(),
        totals: Totals::default(),
    };
}
