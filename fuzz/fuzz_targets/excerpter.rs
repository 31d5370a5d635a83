//! See `sweeps::targets::excerpter`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    if let Err(why) = sweeps::targets::excerpter(input) {
        panic!("{why}");
    }
});
