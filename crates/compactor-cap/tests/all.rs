//! The behaviour of the summarizer's cap, one module for each topic.
#![expect(clippy::unwrap_used, reason = "a test that fails here fails loudly")]

mod cap {
    mod ageing;
    mod compile_fail;
    mod conversation;
    mod hostile;
    mod large;
    mod outputs;
    mod properties;
    mod records;
    mod texts;
    mod views;
}
