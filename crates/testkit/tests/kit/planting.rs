//! Planted objects (P8).

#[test]
fn planted_objects_are_never_followed_read_or_deleted() {
    let tmp = tempfile::tempdir().unwrap();
    assert_eq!(testkit::planting::run(tmp.path()), 112);
}
