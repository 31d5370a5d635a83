use super::bin::Folder;

#[test]
fn a_fitting_text_passes_byte_for_byte() {
    let folder = Folder::new();
    folder.put("a.txt", "short\r\n\0\u{feff}");
    for args in [
        &["excerpt", "a.txt"][..],
        &["excerpt", "--limit", "12", "a.txt"],
    ] {
        assert_eq!(folder.run(args).ok().stdout(), "short\r\n\0\u{feff}");
    }
    assert_eq!(folder.files(), ["a.txt"]);
}

#[test]
fn standard_input_is_read_for_a_dash_or_nothing() {
    let folder = Folder::new();
    for args in [&["excerpt"][..], &["excerpt", "-"]] {
        assert_eq!(
            folder.run_with(args, b"from a pipe").ok().stdout(),
            "from a pipe"
        );
    }
    assert_eq!(folder.run(&["excerpt"]).ok().stdout(), "");
}

#[test]
fn a_text_over_the_limit_is_cut_in_every_unit() {
    let folder = Folder::new();
    folder.put("a.txt", "0123456789".repeat(1_000));
    let check = |name: &str, args: &[&str]| {
        let args = [&["excerpt", "a.txt"], args].concat();
        insta::assert_snapshot!(name, folder.run(&args).ok().report());
    };
    check("excerpt_graphemes", &["--limit", "8"]);
    check("excerpt_bytes", &["--limit", "8", "--unit", "bytes"]);
    check("excerpt_scalars", &["--limit", "8", "--unit", "scalars"]);
    check(
        "excerpt_json",
        &["--limit", "8", "--json", "--op-id", "op-1"],
    );
    let tokens = folder.run(&["excerpt", "a.txt", "--limit", "1000", "--unit", "tokens"]);
    assert!(
        tokens
            .ok()
            .stdout()
            .contains("elided 6,000 chars (10,000 bytes total)")
    );
}

#[test]
fn bytes_that_are_not_utf8_are_counted() {
    let folder = Folder::new();
    let ran = folder.run_with(&["excerpt", "--limit", "4"], b"ab\xFF\xFEcdefgh\xF0\x9F");
    insta::assert_snapshot!("excerpt_not_utf8", ran.ok().report());
}

#[test]
fn bad_usage_and_input_say_what_to_do() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("folder")).unwrap();
    let check = |name: &str, code: i32, args: &[&str]| {
        insta::assert_snapshot!(name, folder.run(args).fails_with(code).report());
    };
    check("excerpt_limit_0", 2, &["excerpt", "--limit", "0"]);
    check("excerpt_limit_negative", 2, &["excerpt", "--limit=-1"]);
    check(
        "excerpt_tokens_999",
        2,
        &["excerpt", "--unit", "tokens", "--limit", "999"],
    );
    check("excerpt_unit_unknown", 2, &["excerpt", "--unit", "words"]);
    check("excerpt_folder", 2, &["excerpt", "folder"]);
    check("excerpt_no_such_file", 3, &["excerpt", "gone/nothing.txt"]);
    check("excerpt_two_files", 2, &["excerpt", "a", "b"]);
    check("no_command", 2, &[]);
    check("unknown_command", 2, &["excrept"]);
    check("unknown_flag", 2, &["excerpt", "--lmit", "4"]);
}
