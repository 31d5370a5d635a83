use super::*;

#[test]
fn untouched_members_keep_their_bytes() {
    let text = r#"{ "a" : 1.0e0 , "b":{"x" : [1, 2]},"text":"A","n":12345678901234567890123 }"#;
    let mut members = Members::parse(text).unwrap();
    members.set("b", string("new"));
    members.set("c", value(&serde_json::json!({"k": 1})));
    assert_eq!(
        members.to_raw().get(),
        r#"{"a":1.0e0,"b":"new","text":"A","n":12345678901234567890123,"c":{"k":1}}"#
    );
    assert!(members.remove("a"));
    assert!(!members.remove("a"));
}

#[test]
fn names_keep_their_spelling() {
    let text = r#"{"\ud800":1,"\u0061":2,"b\/":3}"#;
    let members = Members::parse(text).unwrap();
    assert_eq!(members.get("a").unwrap().get(), "2");
    assert_eq!(members.to_raw().get(), text);
}

#[test]
fn of_a_repeated_name_the_last_counts() {
    let members = Members::parse(r#"{"id":1,"id":2}"#).unwrap();
    assert_eq!(members.get("id").unwrap().get(), "2");
}

#[test]
fn anything_but_an_object_has_no_members() {
    for text in ["", "[]", "1", "{", "{} {}", "\"a\"", r#"{"a":}"#] {
        assert!(Members::parse(text).is_none(), "{text}");
    }
}

#[test]
fn elements_are_found_with_the_members_or_later() {
    let text = r#"{"list":[1],"list":[ {"a":1} , 2,{}],"b":[3]}"#;
    let parsed = [Members::parse(text), Members::parse_into(text, &["list"])];
    for mut members in parsed.map(Option::unwrap) {
        let elements = members.list("list").unwrap();
        let raw = elements.iter().map(|element| element.raw.get());
        assert_eq!(raw.collect::<Vec<_>>(), [r#"{"a":1}"#, "2", "{}"]);
        let objects = elements.iter().map(|element| element.members.is_some());
        assert_eq!(objects.collect::<Vec<_>>(), [true, false, true]);
        assert_eq!(members.list("b").unwrap().len(), 1);
        assert_eq!(members.to_raw().get(), text);
        members.set("list", value(&serde_json::json!([])));
        assert_eq!(members.list("list").unwrap().len(), 0);
        members.remove("list");
        assert!(members.list("list").is_none());
    }
    let last = Members::parse_into(r#"{"list":[1],"list":2}"#, &["list"]).unwrap();
    assert!(last.list("list").is_none());
}

#[test]
fn very_many_elements_are_found_when_they_are_asked_for() {
    for count in [MOST_ELEMENTS, MOST_ELEMENTS + 1] {
        let text = format!("{{\"list\":[{}{{}}]}}", "{},".repeat(count - 1));
        let members = Members::parse_into(&text, &["list"]).unwrap();
        assert_eq!(members.inside.is_some(), count == MOST_ELEMENTS);
        assert_eq!(members.list("list").unwrap().len(), count);
    }
}

#[test]
fn what_is_inside_is_found_along_the_path() {
    let path: &[&str] = &["result", "content"];
    let inside = |text| {
        let message = Members::parse_into(text, path).unwrap();
        let result = message.inside("result")?;
        Some(result.list("content").map(|elements| elements.len()))
    };
    assert_eq!(
        inside(r#"{"content":[],"result":{"content":[1,2]}}"#),
        Some(Some(2))
    );
    assert_eq!(inside(r#"{"result":{"content":"x"}}"#), Some(None));
    assert_eq!(inside(r#"{"result":{"content":[1]},"result":[]}"#), None);
    assert_eq!(inside(r#"{"result":[{"content":[1]}]}"#), None);
    for broken in [
        r#"{"result":{"content":[1,]}}"#,
        r#"{"result":{"content":[}}"#,
    ] {
        assert!(Members::parse_into(broken, path).is_none());
    }
}

#[test]
fn deep_nesting_is_carried_not_descended() {
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(200_000), "]".repeat(200_000));
    assert_eq!(Members::parse(&deep).unwrap().to_raw().get(), deep);
}
