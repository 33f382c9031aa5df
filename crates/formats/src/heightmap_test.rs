use proptest::prelude::*;

use super::*;

const ALL: [Coding; 3] = [Coding::Grey8, Coding::Grey16, Coding::Colours];

fn png(map: &HeightMap, coding: Coding) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(map, coding, &mut bytes).unwrap();
    bytes
}

/// Encodes an image that [`write`] would not write.
fn foreign(width: u32, height: u32, color: ColorType, depth: BitDepth, pixels: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(color);
    encoder.set_depth(depth);
    if color == ColorType::Indexed {
        encoder.set_palette(&[0; 6][..]);
    }
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(pixels).unwrap();
    writer.finish().unwrap();
    bytes
}

fn message(bytes: &[u8]) -> String {
    read(bytes).unwrap_err().to_string()
}

proptest! {
    #![proptest_config(portolan_oracle::cases(256))]

    #[test]
    fn height_maps_survive_a_round_trip(
        (width, height, values) in (2..20usize, 2..20usize).prop_flat_map(|(width, height)| {
            let values = prop::collection::vec(0.0..=1.0f32, width * height);
            (Just(width), Just(height), values)
        })
    ) {
        let map = HeightMap::new(width, height, values).unwrap();
        for coding in ALL {
            let bytes = png(&map, coding);
            let back = read(&bytes).unwrap();
            prop_assert_eq!((back.width(), back.height()), (width, height));
            let step = 1.0 / f64::from(coding.max_value());
            for (&a, &b) in map.values().iter().zip(back.values()) {
                prop_assert!((f64::from(a) - f64::from(b)).abs() <= 0.51 * step, "{:?}: {} {}", coding, a, b);
            }
            // Values that are already rounded do not change.
            prop_assert_eq!(png(&back, coding), bytes);
        }
    }

    #[test]
    fn changed_bytes_never_panic(
        coding in prop::sample::select(&ALL[..]),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        end in any::<prop::sample::Index>(),
    ) {
        let map = HeightMap::new(3, 2, vec![0.0, 0.1, 0.2, 0.9, 0.8, 1.0]).unwrap();
        let mut bytes = png(&map, coding);
        for (position, byte) in changes {
            let position = position.index(bytes.len());
            bytes[position] = byte;
        }
        let _ = read(&bytes);
        let _ = read(&bytes[..end.index(bytes.len())]);
    }

    #[test]
    fn arbitrary_bytes_are_errors(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(read(&bytes).is_err());
    }
}

#[test]
fn every_truncation_and_every_flipped_bit_is_an_error() {
    let map = HeightMap::new(3, 2, vec![0.0, 0.1, 0.2, 0.9, 0.8, 1.0]).unwrap();
    for coding in ALL {
        let bytes = png(&map, coding);
        for end in 0..bytes.len() {
            assert!(read(&bytes[..end]).is_err(), "{coding:?} cut at {end}");
        }
        for position in 0..bytes.len() {
            for bit in 0..8 {
                let mut flipped = bytes.clone();
                flipped[position] ^= 1 << bit;
                assert!(
                    read(&flipped).is_err(),
                    "{coding:?}: byte {position}, bit {bit}"
                );
            }
        }
    }
}

#[test]
fn red_is_the_coarsest_digit() {
    let pixels = [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255];
    let map = read(&foreign(2, 2, ColorType::Rgb, BitDepth::Eight, &pixels)).unwrap();
    let max = 16_777_215.0;
    let expected = [16_711_680.0, 65_280.0, 255.0, max].map(|number: f64| (number / max) as f32);
    assert_eq!(map.values(), expected);
}

#[test]
fn a_grey_image_saved_as_rgb_has_the_same_heights() {
    let pixels: Vec<u8> = (0..=255).collect();
    let rgb: Vec<u8> = pixels.iter().flat_map(|&grey| [grey; 3]).collect();
    let [grey, colours] = [(ColorType::Grayscale, &pixels), (ColorType::Rgb, &rgb)]
        .map(|(color, pixels)| read(&foreign(16, 16, color, BitDepth::Eight, pixels)).unwrap());
    assert_eq!(grey, colours);
}

#[test]
fn palettes_and_low_depths_are_expanded() {
    // The palette of `foreign` has two black colours.
    let indexed = read(&foreign(
        2,
        2,
        ColorType::Indexed,
        BitDepth::Eight,
        &[0, 1, 1, 0],
    ))
    .unwrap();
    assert_eq!(indexed.values(), [0.0; 4]);
    let bits = read(&foreign(
        2,
        2,
        ColorType::Grayscale,
        BitDepth::One,
        &[0x40, 0x80],
    ))
    .unwrap();
    assert_eq!(bits.values(), [0.0, 1.0, 1.0, 0.0]);
    let half = read(&foreign(
        2,
        2,
        ColorType::Grayscale,
        BitDepth::Four,
        &[0x0f, 0x3c],
    ))
    .unwrap();
    assert_eq!(half.values(), [0.0, 1.0, 0.2, 0.8]);
}

#[test]
fn transparent_pixels_are_holes() {
    let pixels = [9, 9, 9, 255, 8, 8, 8, 1, 7, 7, 7, 0, 6, 6, 6, 255];
    let bytes = foreign(2, 2, ColorType::Rgba, BitDepth::Eight, &pixels);
    let picture = read_picture(&bytes).unwrap();
    assert_eq!(picture.holes, [false, false, true, false]);
    assert_eq!(picture.numbers[1], 0x08_08_08);
    assert!(message(&bytes).contains("column 0, row 1 is transparent"));
    let opaque = [0, 255, 255, 255, 255, 255, 0, 9];
    let bytes = foreign(2, 2, ColorType::GrayscaleAlpha, BitDepth::Eight, &opaque);
    assert_eq!(read(&bytes).unwrap().values(), [0.0, 1.0, 1.0, 0.0]);
}

#[test]
fn errors_name_the_pixel_format_and_the_size() {
    for (color, bytes) in [(ColorType::Rgb, 24), (ColorType::Rgba, 32)] {
        let error = message(&foreign(2, 2, color, BitDepth::Sixteen, &vec![0; bytes]));
        assert!(
            error.contains("16 bits each; save it as 8- or 16-bit grey"),
            "{error}"
        );
    }
    let thin = foreign(1, 2, ColorType::Grayscale, BitDepth::Eight, &[0; 2]);
    assert!(message(&thin).contains("1 x 2 pixels; at least 2 x 2"));
    assert!(message(b"").contains("the file is empty"));
    assert!(message(b"P5 2 2 255\n....").starts_with("not a height map (PNG)"));
}

#[test]
fn the_size_is_checked_before_memory_is_allocated() {
    // Only the headers of images that would not fit into memory.
    for (width, height, words) in [
        (u32::MAX >> 1, u32::MAX >> 1, "at most"),
        (10_000, 10_000, "incomplete"),
    ] {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(ColorType::Grayscale);
        encoder.set_depth(BitDepth::Sixteen);
        // Dropping the writer ends the file without any pixels.
        drop(encoder.write_header().unwrap());
        let error = message(&bytes);
        assert!(error.contains(words), "{error}");
    }
}
