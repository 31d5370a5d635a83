use super::bin::{Folder, words};

#[test]
fn each_rendering_stored_and_not_stored() {
    let text = (0..1_000)
        .map(|line| format!("line {line}\n"))
        .collect::<String>();
    for render in ["excerpt", "pointer", "head-note", "header"] {
        let folder = Folder::new();
        folder.put("a.txt", &text);
        let line = format!("settle --limit 60 --render {render} --op-id op-1 a.txt --session");
        let settle = words(&line);
        let stored = [&settle[..], &["run.jsonl"]].concat();
        let ran = folder.run(&stored).ok();
        insta::assert_snapshot!(format!("render_{render}_stored"), ran.report());

        // Something else stands where the directory should be: the call doesn't fail (I9).
        folder.put("lost.artifacts", "in the way");
        let lost = [&settle[..], &["lost.jsonl"]].concat();
        let ran = folder.run(&lost).ok();
        insta::assert_snapshot!(format!("render_{render}_not_stored"), ran.report());
        assert_eq!(folder.text("lost.artifacts"), "in the way");
        assert!(!folder.text("lost.jsonl").contains("line 500"));
    }
}

#[test]
fn the_pointer_is_json_with_four_fields_in_order() {
    let folder = Folder::new();
    let args = words("settle --session run.jsonl --op-id op-1 --render pointer");
    let text = "\"quoted\" \\ \u{1}\n".repeat(10_000);
    let ran = folder.run_with(&args, text.as_bytes()).ok();
    let value: serde_json::Value = serde_json::from_str(ran.stdout()).unwrap();
    assert_eq!(value.as_object().unwrap().len(), 4);
    let at = |field: &str| ran.stdout().find(&format!("\"{field}\":")).unwrap();
    let places = ["pointer", "preview", "sizeBytes", "note"].map(at);
    assert!(places.is_sorted(), "{places:?}");
}
