use artifacts_core::{ContentDigest, SettledDigest};

fn main() {
    let _ = ContentDigest::of(b"full") == SettledDigest::of(b"full");
}
