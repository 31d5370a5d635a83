use serde_json::{Value, json};

use super::bench::{Bench, log, text};

#[test]
fn structured_content_is_payload_and_leaves_with_the_excerpt() {
    let check = |result: &Value, stored: &str, extension: &str| {
        let bench = Bench::new();
        let settled = bench.call("query", result);
        assert_eq!(settled.get("structuredContent"), None);
        assert_eq!(String::from_utf8(bench.artifact()).unwrap(), stored);
        assert!(bench.files()[0].ends_with(extension), "{:?}", bench.files());
        assert_eq!(settled["content"].as_array().unwrap().len(), 1);
    };
    let rows = json!({"rows": (0..900).collect::<Vec<_>>(), "unit": "ms"});
    // The text is the JSON: stored once.
    let pretty = serde_json::to_string_pretty(&rows).unwrap();
    check(
        &json!({"content": [text(&pretty)], "structuredContent": rows}),
        &pretty,
        ".txt",
    );
    // What only the names of members say is stored with the text.
    let texts = [log(30), log(40)];
    let named = json!({"secret/one.txt": texts[0], "secret/two.txt": texts[1]});
    check(
        &json!({"content": [text(&texts[0]), text(&texts[1])], "structuredContent": named}),
        &format!("{}\n{}\n{named}", texts[0], texts[1]),
        ".txt",
    );
    // Each row is a text of its own, as the Python SDK's servers send lists.
    let lists = json!({"result": (0..200).map(|n| json!({"n": n})).collect::<Vec<_>>()});
    let texts = (0..200).map(|n| format!("{{\n  \"n\": {n}\n}}"));
    let texts = texts.collect::<Vec<_>>();
    let blocks = texts.iter().map(|row| text(row)).collect::<Vec<_>>();
    check(
        &json!({"content": blocks, "structuredContent": lists}),
        &texts.join("\n"),
        ".txt",
    );
    // A text in a wrapper: the text is all there is.
    let wrapped = json!({"content": [text(&log(100))], "structuredContent": {"content": log(100)}});
    check(&wrapped, &log(100), ".txt");
    // The JSON holds more than the text.
    let more = json!({"content": log(100), "lines": 100});
    let result = json!({"content": [text(&log(100))], "structuredContent": more});
    check(&result, &more.to_string(), ".json");
    check(
        &json!({"content": [], "structuredContent": rows}),
        &rows.to_string(),
        ".json",
    );
    check(
        &json!({"structuredContent": rows}),
        &rows.to_string(),
        ".json",
    );
    // Each says something of its own: nothing is lost.
    let result = json!({"content": [text("900 rows")], "structuredContent": rows});
    check(&result, &format!("900 rows\n{rows}"), ".txt");
}

#[test]
fn structured_content_that_fits_is_kept() {
    let bench = Bench::new();
    let result = json!({"content": [text("{\"a\":1}")], "structuredContent": {"a": 1}});
    assert_eq!(bench.call("query", &result), result);
}

#[test]
fn structured_content_counts_with_its_names_and_whatever_is_in_it() {
    let names = (0..300).map(|n| (format!("file{n:05}"), json!("ok")));
    let named = Value::Object(names.collect());
    let nulls = (0..300).map(|n| (format!("f{n}"), Value::Null));
    let mut nulls = nulls.collect::<serde_json::Map<_, _>>();
    nulls.insert("s".into(), json!("ok"));
    for structured in [named, Value::Object(nulls), json!(vec!["ok"; 900])] {
        for content in [json!([text("ok")]), json!(null), json!([])] {
            let bench = Bench::new();
            let whole = json!({"content": content, "structuredContent": structured});
            let result = bench.call("list", &whole);
            assert_eq!(result.get("structuredContent"), None);
            assert!(result.to_string().len() < 2_000, "{result}");
            let stored = String::from_utf8(bench.artifact()).unwrap();
            assert!(stored.ends_with(&structured.to_string()), "{stored}");
        }
    }
}

#[test]
fn structured_content_leaves_where_it_takes_more_room_than_its_text_that_fits() {
    let bench = Bench::new();
    let said = "\u{1}".repeat(900);
    let whole = json!({"content": [text(&said)], "structuredContent": {"result": said}});
    let result = bench.call("list", &whole);
    assert_eq!(result, json!({"content": [text(&said)]}));
    assert_eq!(bench.files(), Vec::<String>::new());
}
