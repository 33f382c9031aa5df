//! Reads a GeoTIFF and triangulates it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use portolan_formats::elevation::geotiff;

fuzz_target!(|bytes: &[u8]| {
    let Ok(mut file) = geotiff::open(bytes) else {
        return;
    };
    let grid = file.grid();
    // A part of a file of any size can be read.
    let size = [grid.width.min(3), grid.height.min(3)];
    let mut heights = vec![f32::NAN; size[0] * size[1]];
    let mut sink = portolan_formats::elevation::Sink::all(size, &mut heights);
    let _ = file.read(&mut sink);
    // Larger grids only take more time.
    if grid.width.saturating_mul(grid.height) <= 1 << 16 {
        if let Ok(ground) = geotiff::read(bytes) {
            portolan_fuzz::triangulate(&ground);
        }
    }
});
