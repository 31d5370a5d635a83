use loop_integration::Message;

fn main() {
    let _: Result<Message, _> = serde_json::from_str("{\"role\":\"tool\",\"content\":\"mine\"}");
}
