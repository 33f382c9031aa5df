//! Damage behind a checksum that fits: without it no input would get past the envelope.
#![no_main]

use libfuzzer_sys::fuzz_target;
use twox_hash::XxHash3_64;

/// Where the header keeps the size of the file.
const SIZE: std::ops::Range<usize> = 16..24;

/// The checksum is what the file ends with.
const HASH: usize = size_of::<u64>();

fuzz_target!(|bytes: &[u8]| {
    let _ = portolan_io::pnav::from_bytes(bytes);
    // In place of the old checksum and not behind it: then a whole file, as the seeds are, stays one.
    let Some(end) = bytes.len().checked_sub(HASH) else {
        return;
    };
    let mut sealed = bytes.to_vec();
    if let Some(field) = sealed.get_mut(SIZE) {
        field.copy_from_slice(&(bytes.len() as u64).to_le_bytes());
    }
    let hash = XxHash3_64::oneshot(&sealed[..end]);
    sealed[end..].copy_from_slice(&hash.to_le_bytes());
    if let Ok(mesh) = portolan_io::pnav::from_bytes(&sealed) {
        portolan_fuzz::walk(mesh);
    }
});
