#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Some((_, target)) = beeline_fuzz::target("eventb") {
        target(bytes);
    }
});
