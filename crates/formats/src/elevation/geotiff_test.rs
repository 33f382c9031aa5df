use std::io::Cursor;

use portolan_terrain::Crs;
use proptest::prelude::*;
use tiff::encoder::TiffEncoder;
use tiff::encoder::colortype::{ColorType, Gray32Float, RGB8};

use super::*;

/// Files that GDAL wrote. The height in row r and column c is 100 r + c.
const FLOATS: &[u8] = include_bytes!("../../../../fuzz/seeds/geotiff/utm_f32_lzw_predictor3.tif");
const TILES: &[u8] = include_bytes!("../../../../fuzz/seeds/geotiff/wgs84_i16_tiled_deflate.tif");
const LAMBERT: &[u8] = include_bytes!("../../../../fuzz/seeds/geotiff/plain_u16.tif");
const DOUBLES: &[u8] = include_bytes!("../../../../fuzz/seeds/geotiff/f64_strips.tif");
const INTEGERS: &[u8] = include_bytes!("../../../../fuzz/seeds/geotiff/point_i32.tif");
const ALL: [&[u8]; 5] = [FLOATS, TILES, LAMBERT, DOUBLES, INTEGERS];

fn message(bytes: &[u8]) -> String {
    read(bytes).unwrap_err().to_string()
}

/// Writes an uncompressed image with tags of real numbers.
fn written<C: ColorType<Inner = T>, T>(
    size: [u32; 2],
    samples: &[T],
    tags: &[(Tag, &[f64])],
) -> Vec<u8>
where
    [T]: tiff::encoder::TiffValue,
{
    let mut bytes = Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new(&mut bytes).unwrap();
    let mut image = encoder.new_image::<C>(size[0], size[1]).unwrap();
    for &(tag, numbers) in tags {
        image.encoder().write_tag(tag, numbers).unwrap();
    }
    image.write_data(samples).unwrap();
    bytes.into_inner()
}

#[test]
fn files_of_gdal_are_read() {
    for (bytes, width, crs, first, step) in [
        (
            FLOATS,
            5,
            Crs::from_epsg(32631),
            [384_000.25, 5_199_999.75],
            0.5,
        ),
        (
            TILES,
            20,
            Some(Crs::Wgs84),
            [1.0 + 1.0 / 2400.0, 43.0 - 1.0 / 2400.0],
            1.0 / 1200.0,
        ),
        (LAMBERT, 5, None, [700_012.5, 6_599_987.5], 25.0),
        (
            DOUBLES,
            5,
            Some(Crs::WebMercator),
            [100_012.5, 4_999_987.5],
            25.0,
        ),
        (INTEGERS, 5, Some(Crs::Wgs84), [-69.995, -32.005], 0.01),
    ] {
        let ground = read(bytes).unwrap();
        assert_eq!((ground.width(), ground.crs()), (width, crs));
        let found = ground.lattice();
        for axis in 0..2 {
            assert!((found.first[axis] - first[axis]).abs() < 1e-9, "{found:?}");
            assert!((found.step[axis] - step).abs() < 1e-12, "{found:?}");
        }
        for (index, &height) in ground.heights().iter().enumerate() {
            let expected = (index / width * 100 + index % width) as f32;
            let is_float = std::ptr::eq(bytes, FLOATS);
            match is_float && expected == 203.0 {
                true => assert!(height.is_nan()),
                false => assert_eq!(height, expected + if is_float { 0.5 } else { 0.0 }),
            }
        }
    }
}

#[test]
fn parts_are_those_of_the_whole() {
    for bytes in ALL {
        let whole = read(bytes).unwrap();
        let mut heights = [f32::NAN; 6];
        let mut sink = Sink {
            first: [1, 0],
            step: 2,
            size: [2, 2],
            offset: [0, 0],
            heights: &mut heights[..4],
        };
        open(bytes).unwrap().read(&mut sink).unwrap();
        let width = whole.width();
        let expected = [1, 3, 2 * width + 1, 2 * width + 3].map(|index| whole.heights()[index]);
        for (found, expected) in heights.iter().zip(expected) {
            assert!(*found == expected || found.is_nan() && expected.is_nan());
        }
    }
}

#[test]
fn every_truncation_is_an_error() {
    for bytes in ALL {
        for end in 0..bytes.len() {
            // The tags come first. At the end are checksums, which the decoder does not compare, and padding: without
            // them, the heights are still the same.
            let is_same = read(&bytes[..end]).is_ok_and(|cut| {
                let whole = read(bytes).unwrap();
                let pairs = cut.heights().iter().zip(whole.heights());
                pairs
                    .into_iter()
                    .all(|(a, b)| a == b || a.is_nan() && b.is_nan())
            });
            assert!(
                read(&bytes[..end]).is_err() || is_same && end + 16 > bytes.len(),
                "cut at {end}"
            );
        }
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(512))]

    #[test]
    fn changed_bytes_never_panic(
        file in prop::sample::select(&ALL[..]),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let mut bytes = file.to_vec();
        for (position, byte) in changes {
            let position = position.index(bytes.len());
            bytes[position] = byte;
        }
        // The size may have become large.
        if open(&bytes).is_ok_and(|file| file.grid().width * file.grid().height < 1 << 20) {
            let _ = read(&bytes);
        }
    }
}

#[test]
fn positions_come_from_scale_or_matrix() {
    let samples = [1.0f32, 2.0, 3.0, 4.0];
    let scale = [2.0, 3.0, 0.0];
    let tie = [1.0, 1.0, 0.0, 100.0, 200.0, 0.0];
    let tags = [
        (Tag::ModelPixelScaleTag, &scale[..]),
        (Tag::ModelTiepointTag, &tie),
    ];
    let ground = read(&written::<Gray32Float, _>([2, 2], &samples, &tags)).unwrap();
    assert_eq!(ground.heights(), samples);
    assert_eq!(ground.lattice().first, [99.0, 201.5]);
    let mut matrix = [0.0; 16];
    (matrix[0], matrix[3], matrix[5], matrix[7], matrix[15]) = (2.0, 98.0, -3.0, 203.0, 1.0);
    let file = |matrix: &[f64]| {
        let tags = [(Tag::ModelTransformationTag, matrix)];
        written::<Gray32Float, _>([2, 2], &samples, &tags)
    };
    let same = read(&file(&matrix)).unwrap();
    assert_eq!((same.lattice(), same.crs()), (ground.lattice(), None));
    matrix[1] = 0.5;
    assert!(message(&file(&matrix)).contains("rotated"));
    (matrix[1], matrix[5]) = (0.0, 3.0);
    assert!(message(&file(&matrix)).contains("north"));
    let nowhere = written::<Gray32Float, _>([2, 2], &samples, &[]);
    assert_eq!(open(&nowhere).unwrap().grid().lattice, None);
}

#[test]
fn errors_say_what_is_wrong() {
    assert!(message(b"").contains("empty"));
    assert!(message(b"ncols 3\nnrows 3\n").starts_with("not an elevation model (GeoTIFF)"));
    let colours = written::<RGB8, _>([2, 2], &[0u8; 12], &[]);
    assert!(message(&colours).contains("3 bands"));
    let thin = written::<Gray32Float, _>([1, 4], &[0.0f32; 4], &[]);
    assert!(message(&thin).contains("1 x 4 samples"));
}
