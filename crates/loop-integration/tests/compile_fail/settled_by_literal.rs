use loop_integration::SettledResult;

fn main() {
    let text: std::sync::Arc<str> = "mine".into();
    let digest = artifacts_core::SettledDigest::of(b"mine");
    let _ = SettledResult { text, digest };
}
