use std::io::Write;

use flate2::Compression;
use flate2::write::DeflateEncoder;

use super::*;

/// Returns a tile with 1 201 x 1 201 samples. The height of a sample is its row times 2 plus its column, and the
/// second sample is a hole.
fn tile() -> Vec<u8> {
    let mut bytes = Vec::new();
    for row in 0..1201i16 {
        for column in 0..1201i16 {
            let height = if (row, column) == (0, 1) {
                HOLE
            } else {
                2 * row + column
            };
            bytes.extend(height.to_be_bytes());
        }
    }
    bytes
}

/// Returns an archive of files, deflated or stored.
fn archive(files: &[(&str, &[u8])], is_deflated: bool) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for (name, contents) in files {
        let mut crc = flate2::Crc::new();
        crc.update(contents);
        let packed = match is_deflated {
            true => {
                let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
                encoder.write_all(contents).unwrap();
                encoder.finish().unwrap()
            }
            false => contents.to_vec(),
        };
        let offset = bytes.len() as u32;
        let method: u16 = if is_deflated { 8 } else { 0 };
        let mut common = vec![20, 0, 0, 0];
        common.extend(method.to_le_bytes());
        common.extend([0; 4]);
        for number in [crc.sum(), packed.len() as u32, contents.len() as u32] {
            common.extend(number.to_le_bytes());
        }
        common.extend((name.len() as u16).to_le_bytes());
        common.extend([0; 2]);
        bytes.extend(b"PK\x03\x04");
        bytes.extend(&common);
        bytes.extend(name.as_bytes());
        bytes.extend(packed);
        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend(&common);
        directory.extend([0; 10]);
        directory.extend(offset.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let start = bytes.len() as u32;
    let count = (files.len() as u16).to_le_bytes();
    bytes.extend(&directory);
    bytes.extend(b"PK\x05\x06\0\0\0\0");
    bytes.extend(count);
    bytes.extend(count);
    bytes.extend((directory.len() as u32).to_le_bytes());
    bytes.extend(start.to_le_bytes());
    bytes.extend([0; 2]);
    bytes
}

fn message(name: &str, bytes: &[u8]) -> String {
    open(name, bytes).unwrap_err().to_string()
}

#[test]
fn a_tile_lies_where_its_name_says() {
    let ground = read("tiles/S33W071.SRTM.hgt", &tile()).unwrap();
    assert_eq!((ground.width(), ground.height()), (1201, 1201));
    assert_eq!(ground.crs(), Some(Crs::Wgs84));
    let at = |column, row| ground.lattice().position(column, row);
    assert_eq!(at(0, 0), [-71.0, -32.0]);
    let [east, south] = at(1200, 1200);
    assert!((east + 70.0).abs() < 1e-12 && (south + 33.0).abs() < 1e-12);
    assert_eq!(ground.heights()[1201 + 5], 7.0);
    assert!(ground.heights()[1].is_nan() && ground.heights()[0] == 0.0);
}

#[test]
fn a_tile_in_an_archive_is_the_same() {
    let plain = read("n42e001.hgt", &tile()).unwrap();
    for is_deflated in [true, false] {
        let files: [(&str, &[u8]); 2] = [("readme.txt", b"hello"), ("dir/N42E001.HGT", &tile())];
        let zip = archive(&files, is_deflated);
        let packed = read("any.zip", &zip).unwrap();
        assert_eq!(packed.lattice(), plain.lattice());
        assert_eq!(packed.heights()[2..], plain.heights()[2..]);
        for end in (0..zip.len()).step_by(if is_deflated { 997 } else { 99_991 }) {
            assert!(read("any.zip", &zip[..end]).is_err(), "cut at {end}");
        }
        let mut flipped = zip.clone();
        let middle = flipped.len() / 2;
        flipped[middle] ^= 4;
        assert!(message("any.zip", &flipped).contains("damaged"));
    }
}

#[test]
fn errors_say_what_is_wrong() {
    let tile = tile();
    assert!(message("N42E001.hgt", &tile[..tile.len() - 1]).contains("2884801 bytes"));
    assert!(message("N42E001.hgt", b"").contains("empty"));
    for name in [
        "andorra.hgt",
        "N42.hgt",
        "N91E001.hgt",
        "X42E001.hgt",
        "N4xE001.hgt",
        "é42E001.hgt",
    ] {
        assert!(message(name, &tile).contains("N42E001.hgt"), "{name}");
    }
    let none = archive(&[("readme.txt", b"hello")], true);
    assert!(message("a.zip", &none).contains("no .hgt"));
    let two = archive(&[("N42E001.hgt", &tile), ("N42E002.hgt", &tile)], true);
    assert!(message("a.zip", &two).contains("several"));
    let small = archive(&[("N42E001.hgt", b"hello")], true);
    assert!(message("a.zip", &small).contains("5 bytes"));
    // An archive that says it holds a tile, but has 100 MB of zeros, is not unpacked as a whole.
    let zeros = archive(&[("N42E001.hgt", &vec![0; 100_000_000])], true);
    let size = 100_000_000u32.to_le_bytes();
    let mut bomb = zeros.clone();
    for at in 0..bomb.len() - 4 {
        if bomb[at..at + 4] == size {
            bomb[at..at + 4].copy_from_slice(&2_884_802u32.to_le_bytes());
        }
    }
    assert!(message("a.zip", &bomb).contains("damaged"));
}
