use loop_integration::SettledResult;

fn main() {
    let _: Result<SettledResult, _> = serde_json::from_str("\"mine\"");
}
