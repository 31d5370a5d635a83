//! What must not compile: I1, I3, I5, and counts that belong to another text.

#[test]
fn misuse_does_not_compile() {
    trybuild::TestCases::new().compile_fail("tests/compile_fail/*.rs");
}
