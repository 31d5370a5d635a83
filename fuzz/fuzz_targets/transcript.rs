//! See `sweeps::targets::transcript`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    if let Err(why) = sweeps::targets::transcript(input) {
        panic!("{why}");
    }
});
