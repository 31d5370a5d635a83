use loop_integration::Message;

fn main() {
    let _ = Message {
        role: "tool".into(),
        ..Message::user("mine")
    };
}
