//! Names: one for each op id, on every file system (SPEC 4.3, P9).

use std::collections::BTreeMap;

use artifacts_core::{ArtifactName, ContentType, OpId};
use testkit::corpus::hostile_ids;

use super::strings::HARD;

/// The names given so far, each to the one id it may belong to.
#[derive(Default)]
struct Names(BTreeMap<String, String>);

impl Names {
    #[track_caller]
    fn give(&mut self, id: &str) -> String {
        let name = ArtifactName::for_op(&OpId::new(id), ContentType::Text);
        check_every_file_system_accepts(name.as_str());
        assert_eq!(ArtifactName::parse(name.as_str()), Ok(name.clone()));
        let before = self.0.insert(name.to_string(), id.to_string());
        assert!(before.is_none_or(|before| before == id), "{id:?} {name}");
        name.to_string()
    }
}

/// What ext4, XFS, btrfs, APFS, NTFS and exFAT all accept, and tell apart.
#[track_caller]
fn check_every_file_system_accepts(name: &str) {
    assert!(name.len() <= ArtifactName::MAX_BYTES, "{name:?}");
    let is_plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-_.".contains(&b);
    assert!(name.bytes().all(is_plain), "{name:?}");
    assert!(
        name.starts_with(|c: char| c.is_ascii_alphanumeric()),
        "{name:?}"
    );
    assert!(!name.ends_with('.'), "{name:?}");
    let stem = name.split('.').next().unwrap();
    let device = stem.trim_end_matches(|c: char| c.is_ascii_digit());
    assert!(!["con", "prn", "aux", "nul"].contains(&stem), "{name:?}");
    let is_port = ["com", "lpt"].contains(&device) && stem.len() == 4;
    assert!(!is_port, "{name:?}");
}

#[test]
fn hostile_ids_and_the_names_of_their_files_have_names_no_two_equal() {
    let ids = hostile_ids();
    assert!(ids.len() >= 300, "only {}", ids.len());
    let mut names = Names::default();
    for id in &ids {
        // An id may be what another id's file is called, with and without its extension.
        let name = names.give(id);
        names.give(&name);
        names.give(name.strip_suffix(".txt").unwrap());
    }
}

#[test]
fn a_hundred_thousand_random_ids_have_names_no_two_equal() {
    let mut names = Names::default();
    let mut random = 0x9E37_79B9_7F4A_7C15_u64;
    let plain = ['a', 'A', '1', '-', '_', '.', '/', ' ', 'é', 'x', 'B', 'c'];
    for round in 0..100_000 {
        // xorshift64: the seed above makes the same ids each time.
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        // Few letters make ids that differ in little; the others make scalars that fold or join.
        let alphabet = if round % 4 == 0 { HARD } else { &plain };
        let id = (0..4 + random % 12)
            .map(|place| alphabet[(random >> (place * 4)) as usize % alphabet.len()])
            .collect::<String>();
        names.give(&id);
        names.give(&id.to_lowercase());
    }
    assert!(names.0.len() > 100_000, "only {}", names.0.len());
}

#[test]
fn ids_of_any_two_characters_of_latin_1_have_names_no_two_equal() {
    let mut names = Names::default();
    for first in '\0'..='\u{ff}' {
        for second in '\0'..='\u{ff}' {
            names.give(&String::from_iter([first, second]));
        }
    }
    assert_eq!(names.0.len(), 65_536);
}
