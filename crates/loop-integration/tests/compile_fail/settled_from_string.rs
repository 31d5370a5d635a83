use loop_integration::SettledResult;

fn main() {
    let _ = SettledResult::from(String::from("mine"));
}
