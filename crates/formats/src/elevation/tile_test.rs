use png::{BitDepth, ColorType};

use super::*;

/// Writes a square picture with colours, given as numbers.
fn png(side: u32, colours: &[u32]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, side, side);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    let mut writer = encoder.write_header().unwrap();
    let pixels: Vec<u8> = colours
        .iter()
        .flat_map(|colour| colour.to_be_bytes()[1..].to_vec())
        .collect();
    writer.write_image_data(&pixels).unwrap();
    writer.finish().unwrap();
    bytes
}

#[test]
fn colours_are_heights() {
    let bytes = png(2, &[0x80_00_00, 0x88_b4_80, 0x86_e8_40, 0x01_a2_c8]);
    let terrarium = read("a.png", &bytes, TileCoding::Terrarium).unwrap();
    assert_eq!(terrarium.heights()[..3], [0.0, 2228.5, 1768.25]);
    let mapbox = read("a.png", &bytes, TileCoding::Mapbox).unwrap();
    assert_eq!(mapbox.heights()[3], 720.8);
    assert_eq!(mapbox.crs(), None);
}

#[test]
fn the_name_says_where_a_tile_lies() {
    let bytes = png(2, &[0x80_00_00; 4]);
    let ground = read(
        "tiles/12/2064/1512.terrarium.png",
        &bytes,
        TileCoding::Terrarium,
    )
    .unwrap();
    assert_eq!(ground.crs(), Some(Crs::WebMercator));
    let lattice = ground.lattice();
    let corner = [
        lattice.first[0] - lattice.step[0] / 2.0,
        lattice.first[1] + lattice.step[1] / 2.0,
    ];
    let [longitude, latitude] = Crs::WebMercator.to_degrees(corner);
    // The formula of OpenStreetMap's wiki, computed for 12/2064/1512.
    assert!((longitude - 1.40625).abs() < 1e-9, "{longitude}");
    assert!((latitude - 42.553_080_289).abs() < 1e-8, "{latitude}");
    for name in [
        "12/4096/0.png",
        "12/0.png",
        "a/b/c.png",
        "40/1/1.png",
        "12/-1/3.png",
    ] {
        let ground = read(name, &bytes, TileCoding::Terrarium).unwrap();
        assert_eq!(ground.crs(), None, "{name}");
    }
}

#[test]
fn grey_pictures_are_errors() {
    let mut grey = Vec::new();
    let mut encoder = png::Encoder::new(&mut grey, 2, 2);
    encoder.set_color(ColorType::Grayscale);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&[0; 4]).unwrap();
    writer.finish().unwrap();
    let error = read("a.png", &grey, TileCoding::Mapbox)
        .unwrap_err()
        .to_string();
    assert!(error.contains("grey"), "{error}");
}
