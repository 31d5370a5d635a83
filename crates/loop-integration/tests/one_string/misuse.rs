//! HOUSE 6.6: a second string can't be put in the place of the one.

#[test]
fn misuse_does_not_compile() {
    trybuild::TestCases::new().compile_fail("tests/compile_fail/*.rs");
}
