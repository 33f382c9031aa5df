//! Reads the prices of a terrain. They must be valid.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(price) = portolan_formats::read_price(bytes) {
        assert_eq!(price.check(), Ok(()));
    }
});
