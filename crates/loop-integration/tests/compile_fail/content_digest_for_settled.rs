use artifacts_core::ContentDigest;
use loop_integration::Places;

fn places<'a>(op_id: &'a artifacts_core::OpId, text: &'a str) -> Places<'a> {
    Places {
        op_id,
        conversation: text,
        transcript: text,
        event: None,
        digest: Some(ContentDigest::of(text.as_bytes())),
        artifact: None,
        elided_chars: 0,
    }
}

fn main() {}
