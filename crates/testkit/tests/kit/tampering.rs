//! Damage to a stored artifact (P7).

use testkit::tampering::Stored;

#[test]
fn every_flipped_bit_is_seen() {
    let tmp = tempfile::tempdir().unwrap();
    assert_eq!(Stored::new(tmp.path()).flip_every_bit(), 8_192);
}

#[test]
fn every_truncation_and_any_appended_byte_is_seen() {
    let tmp = tempfile::tempdir().unwrap();
    assert_eq!(Stored::new(tmp.path()).cut_and_append(), 1_024 + 256);
}

#[test]
fn a_swap_with_a_sibling_of_the_same_size_is_seen() {
    let tmp = tempfile::tempdir().unwrap();
    Stored::new(tmp.path()).swap_with_sibling();
}
