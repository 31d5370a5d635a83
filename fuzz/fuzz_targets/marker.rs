//! See `sweeps::targets::marker`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    if let Err(why) = sweeps::targets::marker(input) {
        panic!("{why}");
    }
});
