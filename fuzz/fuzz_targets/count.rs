//! See `sweeps::targets::count`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    if let Err(why) = sweeps::targets::count(input) {
        panic!("{why}");
    }
});
