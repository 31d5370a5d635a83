//! Only `cap` makes a summarizer's text.

use compactor_cap::SummaryText;

fn main() {
    let _: SummaryText<'_> = String::from("anything").into();
}
