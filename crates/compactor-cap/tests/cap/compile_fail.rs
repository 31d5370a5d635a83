//! Misuse that must not compile.

#[test]
fn a_summary_text_cannot_become_a_message() {
    trybuild::TestCases::new().compile_fail("tests/compile_fail/*.rs");
}
