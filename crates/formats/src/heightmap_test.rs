use proptest::prelude::*;

use super::*;

const ALL: [Coding; 3] = [Coding::Grey8, Coding::Grey16, Coding::Colours];

fn png(map: &HeightMap, coding: Coding) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(map, coding, &mut bytes).unwrap();
    bytes
}

/// A picture that we would not write.
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
    fn what_was_written_is_read(
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
            let step = 1.0 / f64::from(coding.highest());
            for (&a, &b) in map.values().iter().zip(back.values()) {
                prop_assert!((f64::from(a) - f64::from(b)).abs() <= 0.51 * step, "{:?}: {} {}", coding, a, b);
            }
            // Once rounded, they stay.
            prop_assert_eq!(png(&back, coding), bytes);
        }
    }

    #[test]
    fn hostile_bytes_are_errors(
        coding in prop::sample::select(&ALL[..]),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        end in any::<prop::sample::Index>(),
    ) {
        let map = HeightMap::new(3, 2, vec![0.0, 0.1, 0.2, 0.9, 0.8, 1.0]).unwrap();
        let mut bytes = png(&map, coding);
        for (place, byte) in cuts {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        let _ = read(&bytes);
        let _ = read(&bytes[..end.index(bytes.len())]);
    }

    #[test]
    fn noise_is_no_picture(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(read(&bytes).is_err());
    }
}

#[test]
fn every_cut_and_every_flipped_bit_is_an_error() {
    let map = HeightMap::new(3, 2, vec![0.0, 0.1, 0.2, 0.9, 0.8, 1.0]).unwrap();
    for coding in ALL {
        let bytes = png(&map, coding);
        for end in 0..bytes.len() {
            assert!(read(&bytes[..end]).is_err(), "{coding:?} cut at {end}");
        }
        for place in 0..bytes.len() {
            for bit in 0..8 {
                let mut flipped = bytes.clone();
                flipped[place] ^= 1 << bit;
                assert!(
                    read(&flipped).is_err(),
                    "{coding:?}: byte {place}, bit {bit}"
                );
            }
        }
    }
}

#[test]
fn red_is_the_coarsest() {
    let pixels = [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255];
    let map = read(&foreign(2, 2, ColorType::Rgb, BitDepth::Eight, &pixels)).unwrap();
    let whole = 16_777_215.0;
    let expected =
        [16_711_680.0, 65_280.0, 255.0, whole].map(|number: f64| (number / whole) as f32);
    assert_eq!(map.values(), expected);
}

#[test]
fn grey_in_colours_is_grey() {
    let pixels: Vec<u8> = (0..=255).collect();
    let in_colours: Vec<u8> = pixels.iter().flat_map(|&grey| [grey; 3]).collect();
    let [grey, colours] = [
        (ColorType::Grayscale, &pixels),
        (ColorType::Rgb, &in_colours),
    ]
    .map(|(color, pixels)| read(&foreign(16, 16, color, BitDepth::Eight, pixels)).unwrap());
    assert_eq!(grey, colours);
}

#[test]
fn other_pictures_are_refused_by_name() {
    let of = |color, depth, bytes: usize| message(&foreign(2, 2, color, depth, &vec![0; bytes]));
    for (error, words) in [
        (of(ColorType::Grayscale, BitDepth::One, 2), "grey, 1 bit"),
        (
            of(ColorType::Rgb, BitDepth::Sixteen, 24),
            "in colours, 16 bit",
        ),
        (of(ColorType::Indexed, BitDepth::Eight, 4), "of a palette"),
        (of(ColorType::Rgba, BitDepth::Eight, 16), "transparent"),
        (
            of(ColorType::GrayscaleAlpha, BitDepth::Eight, 8),
            "transparent",
        ),
    ] {
        assert!(error.contains(words), "{error}");
        assert!(error.contains("it takes grey of 8 or 16 bit"), "{error}");
    }
    let thin = foreign(1, 2, ColorType::Grayscale, BitDepth::Eight, &[0; 2]);
    assert!(message(&thin).contains("1 x 2 pixels; it takes 2 x 2"));
    assert!(message(b"").contains("the file is empty"));
    assert!(message(b"P5 2 2 255\n....").starts_with("not a height map (PNG)"));
}

#[test]
fn declared_sizes_are_checked_before_anything_is_set_aside() {
    // The header alone, of pictures that nobody could hold.
    for (width, height, words) in [
        (u32::MAX >> 1, u32::MAX >> 1, "more than"),
        (10_000, 10_000, "incomplete"),
    ] {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(ColorType::Grayscale);
        encoder.set_depth(BitDepth::Sixteen);
        // Its end is written although no picture is.
        drop(encoder.write_header().unwrap());
        let error = message(&bytes);
        assert!(error.contains(words), "{error}");
    }
}
