//! Bytes in pieces give what the whole gives, for every chunking (SPEC 1.7, 1.8).

use artifacts_core::{
    ContentDigest, Excerpter, Growth, Limit, LossyCut, Measure, Measured, Meter, Shape,
    count_invalid, decode_lossy,
};
use proptest::prelude::*;

use super::never_grow::any_shape;
use super::strings::hard_string;

/// The pieces of `bytes`: of one size, or of the sizes that `seed` gives.
fn pieces(bytes: &[u8], size: Option<usize>, seed: u64) -> Vec<&[u8]> {
    let mut numbers = seed | 1;
    let mut rest = bytes;
    let mut pieces = Vec::new();
    while !rest.is_empty() {
        numbers ^= numbers << 13;
        numbers ^= numbers >> 7;
        numbers ^= numbers << 17;
        let size = size.unwrap_or((numbers % 300) as usize).min(rest.len());
        let (piece, behind) = rest.split_at(size);
        pieces.push(piece);
        rest = behind;
    }
    pieces
}

const SIZES: [Option<usize>; 7] = [
    Some(1),
    Some(2),
    Some(3),
    Some(5),
    Some(7),
    Some(4096),
    None,
];

fn check(shape: Shape, bytes: &[u8], seed: u64) -> Result<(), TestCaseError> {
    let text = String::from_utf8_lossy(bytes);
    prop_assert_eq!(decode_lossy(bytes), text.as_ref());
    let in_memory = shape.shorten_lossy(bytes);
    prop_assert_eq!(in_memory.as_ref().map(LossyCut::cut), shape.shorten(&text));
    if let Some(in_memory) = &in_memory {
        prop_assert_eq!(in_memory.unmeasured().bytes(), bytes);
        prop_assert_eq!(in_memory.unmeasured().measure(), Measured::of(bytes));
    }
    let measure = Measure::of(&text);
    let replaced = bytes
        .utf8_chunks()
        .filter(|chunk| !chunk.invalid().is_empty())
        .count();
    prop_assert_eq!(count_invalid(bytes), replaced as u64);
    for size in SIZES {
        let mut meter = Meter::default();
        let mut excerpter = Excerpter::new(shape);
        for piece in pieces(bytes, size, seed) {
            meter.update(piece);
            excerpter.update(piece);
        }
        let measured = meter.finish();
        prop_assert_eq!(measured.measure().graphemes(), measure.graphemes());
        prop_assert_eq!(measured.measure().scalars(), measure.scalars());
        prop_assert_eq!(measured.measure().lines(), measure.lines());
        prop_assert_eq!(measured.measure().bytes(), bytes.len() as u64);
        prop_assert_eq!(measured.replaced(), replaced as u64);
        prop_assert_eq!(measured.digest(), &ContentDigest::of(bytes));
        prop_assert_eq!(&measured, &Measured::of(bytes));
        let excerpted = excerpter.finish();
        prop_assert_eq!(excerpted.measured(), &measured);
        prop_assert_eq!(excerpted.cut(), shape.shorten(&text));
        if excerpted.cut().is_none() {
            prop_assert_eq!(excerpted.whole(), Some(text.as_ref()));
        }
    }
    Ok(())
}

/// Text with bytes taken out of it and put into it.
fn damaged(pieces: std::ops::Range<usize>) -> impl Strategy<Value = Vec<u8>> {
    let wound = (any::<prop::sample::Index>(), any::<u8>(), any::<bool>());
    (hard_string(pieces), prop::collection::vec(wound, 0..20)).prop_map(|(text, wounds)| {
        let mut bytes = text.into_bytes();
        for (at, byte, remove) in wounds {
            if bytes.is_empty() {
                break;
            }
            let at = at.index(bytes.len());
            match remove {
                true => drop(bytes.remove(at)),
                false => bytes.insert(at, byte),
            }
        }
        bytes
    })
}

/// Bytes of marks, joiners and prefixes, of overlong and too large sequences, and of none.
const BROKEN: &[u8] = &[
    b'a', b'\r', b'\n', 0x80, 0x81, 0x84, 0x87, 0x8D, 0x8F, 0x90, 0x95, 0x9F, 0xA0, 0xA4, 0xA5,
    0xA6, 0xB8, 0xBF, 0xC0, 0xC2, 0xCC, 0xCC, 0xD8, 0xDC, 0xE0, 0xE0, 0xE1, 0xE2, 0xED, 0xEF, 0xF0,
    0xF0, 0xF3, 0xF4, 0xF5, 0xFF,
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn every_chunking_gives_what_the_whole_gives(
        shape in any_shape(),
        bytes in damaged(1..900),
        seed in any::<u64>(),
    ) {
        check(shape, &bytes, seed)?;
    }

    #[test]
    fn broken_sequences_of_what_joins_are_decoded_as_the_whole_is(
        shape in any_shape(),
        bytes in prop::collection::vec(prop::sample::select(BROKEN), 0..2_000),
        seed in any::<u64>(),
    ) {
        check(shape, &bytes, seed)?;
    }

    #[test]
    fn random_bytes_are_decoded_as_the_whole_is(
        shape in any_shape(),
        bytes in prop::collection::vec(any::<u8>(), 0..6_000),
        seed in any::<u64>(),
    ) {
        check(shape, &bytes, seed)?;
    }
}

proptest! {
    #[test]
    fn pieces_of_a_text_are_counted_as_the_whole_is(
        texts in prop::collection::vec(hard_string(0..60), 0..9),
    ) {
        let pieces = texts.iter().map(String::as_str);
        prop_assert_eq!(Measure::of_pieces(pieces), Measure::of(&texts.concat()));
    }
}

#[test]
fn a_result_far_over_the_limit_is_cut_as_the_whole_is() {
    let line = "क्षि 👩‍💻🇩🇪 naïve\r\n";
    let text = line.repeat(400_000 / line.len());
    let run = "🇩".repeat(100_000);
    for text in [text.as_str(), run.as_str(), &"0123456789".repeat(60_000)] {
        check_large(text.as_bytes());
    }
}

/// Only the ends of such bytes are decoded, and no more of them than is needed.
#[test]
fn invalid_bytes_over_the_limit_are_cut_as_their_whole_decoding_is() {
    let line = "क्षि 👩‍💻🇩🇪 naïve\r\n";
    let mut numbers = 7_u64;
    let random = std::iter::repeat_with(|| {
        numbers = numbers
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (numbers >> 56) as u8
    });
    let random: Vec<u8> = random.take(300_000).collect();
    let bodies = [
        random.clone(),
        line.repeat(3_000).into_bytes(),
        "🇩".repeat(40_000).into_bytes(),
        "\u{301}".repeat(90_000).into_bytes(),
        b"\xE2\x82".repeat(60_000),
        // Much shorter clusters at one end than at the other.
        ["日本語".repeat(9_000).as_bytes(), &b"0\xFF".repeat(60_000)].concat(),
        [&b"0\xFF".repeat(60_000), "日本語".repeat(9_000).as_bytes()].concat(),
    ];
    for body in &bodies {
        for length in [70_000, body.len()] {
            let part = &body[..length.min(body.len())];
            check_large(&[b"\xF0\x9F".as_slice(), part].concat());
            check_large(&[part, b"\xF0\x9F"].concat());
        }
    }
}

/// The last cluster is longer than what is first decoded of the end, so that all before it is
/// counted; the first units are continuation bytes, and nearly all of the text is shown.
#[test]
fn bytes_that_begin_in_a_sequence_are_cut_as_their_decoding_is() {
    let marks = "\u{301}".repeat(50_000);
    let dense = "a".repeat(2_040);
    let bytes = [b"\x80\x80\x80", marks.as_bytes(), dense.as_bytes()].concat();
    let bytes = [bytes.as_slice(), "\u{301}".repeat(1_024).as_bytes()].concat();
    let text = String::from_utf8_lossy(&bytes);
    let graphemes = Measure::of(&text).graphemes();
    for (less, (head, tail)) in (1..5).flat_map(|less| [(0, 1), (1, 1)].map(|split| (less, split)))
    {
        let limit = Limit::graphemes(graphemes - less).unwrap();
        let limit = limit.with_byte_ceiling(1 << 20).unwrap();
        let shape = Shape::new(limit).with_split(head, tail).unwrap();
        for growth in [Growth::Never, Growth::Allowed] {
            for trailer in [0, 1] {
                let shape = shape.with_growth(growth).with_trailer(trailer);
                let lossy = shape.shorten_lossy(&bytes);
                let cut = lossy.as_ref().map(LossyCut::cut);
                assert!(cut == shape.shorten(&text), "{less} less, {shape:?}");
            }
        }
    }
}

fn check_large(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    assert!(decode_lossy(bytes) == text);
    for shape in [
        Shape::excerpt(),
        Shape::excerpt().with_trailer(3),
        Shape::excerpt().with_line_snap(500),
        Shape::pointer(),
        Shape::head_note(),
        Shape::offload(1_000).unwrap(),
    ] {
        let cut = shape.shorten(&text);
        let in_memory = shape.shorten_lossy(bytes);
        assert!(in_memory.as_ref().map(LossyCut::cut) == cut, "{shape:?}");
        if let Some(in_memory) = in_memory {
            assert_eq!(in_memory.unmeasured().measure(), Measured::of(bytes));
        }
        for size in [1_000, 65_536, usize::MAX] {
            let mut excerpter = Excerpter::new(shape);
            for piece in bytes.chunks(size) {
                excerpter.update(piece);
            }
            let excerpted = excerpter.finish();
            assert!(excerpted.cut() == cut, "{shape:?} {size}");
            if cut.is_none() {
                assert!(excerpted.whole() == Some(&*text), "{shape:?} {size}");
            }
        }
    }
}
