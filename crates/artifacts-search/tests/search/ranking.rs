//! Which passage comes first, for questions of several kinds and languages.

use artifacts_search::Expand;

/// Whether the one passage shown for `question` holds `fact`, which stands among `noise`.
#[track_caller]
fn finds(question: &str, fact: &str, noise: &str) {
    let text = format!("{}{fact}\n{}", noise.repeat(400), noise.repeat(300));
    let answer = Expand::of(1).answer(&text, question).unwrap();
    assert!(
        answer.to_string().contains(fact),
        "{question} should find {fact}"
    );
}

#[test]
fn identifiers_are_found_by_their_words() {
    let noise = "fn load_file(path: &Path) -> Result<Config> { retry(path) }\n";
    finds("max retries", "const MAX_RETRIES: u32 = 7;", noise);
    finds("maximum backoff", "let maxBackoffMs = 250;", noise);
    finds("parse header", "class HTTPHeaderParser:", noise);
    finds(
        "What is `retry_budget`?",
        "retry_budget = 3",
        "retry = 1; budget = 2\n",
    );
}

#[test]
fn names_are_found_with_capitals_wherever_they_are_written() {
    let noise = "the repository of the database is on a phone and in a git hub\n";
    for (question, fact) in [
        ("github outage", "The GitHub outage took an hour."),
        ("GitHub outage", "the github outage took an hour"),
        ("postgresql", "PostgreSQL listens on 5432."),
        ("PostgreSQL port", "the port of postgresql is 5432"),
        ("iphone", "An iPhone was found."),
        ("What does loadConfigFile do?", "LOADCONFIGFILE reads it."),
    ] {
        finds(question, fact, noise);
    }
}

#[test]
fn forms_of_a_word_are_found() {
    let noise = "The service starts and the worker stops at once.\n";
    finds(
        "When are retries cancelled?",
        "A retry is canceled or cancels by itself.",
        noise,
    );
    finds(
        "configuration of caching",
        "Caches are configured in the file.",
        noise,
    );
    finds(
        "Which policies were denied?",
        "The policy that denies is the third.",
        noise,
    );
}

#[test]
fn numbers_and_paths_are_found_as_they_are() {
    let noise = "2026-01-01T00:00:00 GET /items/42 200 10.0.0.1 v1.2.4\n";
    finds(
        "10.0.0.7",
        "2026-01-01T00:00:00 GET /items/42 200 10.0.0.7 v1.2.4",
        noise,
    );
    finds(
        "error in /etc/app.toml",
        "failed to read /etc/app.toml at start",
        noise,
    );
    finds("version v1.2.3", "installed v1.2.3 over it", noise);
}

#[test]
fn scripts_without_spaces_are_searched_by_pairs() {
    finds(
        "北京大学在哪里",
        "北京大学位于海淀区。",
        "这个城市有很多大学和学校。",
    );
    finds(
        "東京タワーの高さは",
        "東京タワーは333メートルです。",
        "京都の人口は増えています。",
    );
    finds(
        "ท่าอากาศยานดอนเมือง",
        "สนามบินดอนเมืองอยู่ทางเหนือ",
        "อาหารไทยมีรสชาติหลากหลาย ",
    );
    finds(
        "서울의 인구",
        "서울 인구는 940만 명이다.",
        "부산에는 바다가 있다. ",
    );
}

#[test]
fn words_with_vowel_signs_are_whole() {
    finds(
        "हिन्दी भाषा",
        "हिन्दी एक भाषा है।",
        "यह हिन्द महासागर की कहानी है। ",
    );
    finds(
        "Straße",
        "Die STRASSE heißt Straße des Friedens.",
        "Der Strand ist lang.\n",
    );
    finds(
        "Москва население",
        "Население города Москва растёт.",
        "Московское время и погода.\n",
    );
}

#[test]
fn words_close_together_win_over_words_far_apart() {
    let far = format!("timeout {} gateway\n", "and so on ".repeat(120));
    finds("gateway timeout", "the gateway had a timeout", &far);
}

#[test]
fn a_heading_counts_for_what_is_below_it() {
    let section = |title: &str, value: &str| {
        let filler = "Filler text. ".repeat(250);
        format!("## {title}\n\n{filler}The default is {value} seconds.\n{filler}\n\n")
    };
    let text = section("Reader", "ten") + &section("Writer", "thirty") + &section("Cache", "two");
    let answer = Expand::of(1)
        .answer(&text, "default seconds of the writer")
        .unwrap();
    assert!(answer.to_string().contains("The default is thirty"));
}
