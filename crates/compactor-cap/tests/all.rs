//! The behaviour of the summarizer's cap, one module for each topic.

mod cap {
    mod compile_fail;
    mod properties;
    mod texts;
}
