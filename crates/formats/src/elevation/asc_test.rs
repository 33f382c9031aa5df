use proptest::prelude::*;

use super::*;

const SMALL: &[u8] =
    b"ncols 3\nNROWS 2\nxllcorner 384000\nyllcorner 5200000.25\ncellsize 0.5\nNODATA_value -9999\n\
    1 2.5 -9999\n4 5e1 6\n";

fn message(bytes: &[u8]) -> String {
    read(bytes).unwrap_err().to_string()
}

#[test]
fn a_grid_is_read() {
    let ground = read(SMALL).unwrap();
    assert_eq!((ground.width(), ground.height()), (3, 2));
    assert_eq!(ground.lattice().position(0, 0), [384_000.25, 5_200_001.0]);
    assert_eq!(ground.lattice().position(2, 1), [384_001.25, 5_200_000.5]);
    let heights = ground.heights();
    assert_eq!(heights[..2], [1.0, 2.5]);
    assert!(heights[2].is_nan());
    assert_eq!(heights[3..], [4.0, 50.0, 6.0]);
    let centres = b"ncols 2 nrows 2 xllcenter 10 yllcenter 20 dx 1 dy 2 nan 2 3 4";
    let ground = read(centres).unwrap();
    assert_eq!(ground.lattice().position(0, 0), [10.0, 22.0]);
    assert!(ground.heights()[0].is_nan());
}

#[test]
fn every_truncation_is_an_error() {
    // A number that is cut off is another number, so the last one is not cut.
    for end in 0..SMALL.len() - 2 {
        assert!(read(&SMALL[..end]).is_err(), "cut at {end}");
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(256))]

    #[test]
    fn changed_bytes_never_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let mut bytes = SMALL.to_vec();
        for (position, byte) in changes {
            let position = position.index(bytes.len());
            bytes[position] = byte;
        }
        let _ = read(&bytes);
    }

    #[test]
    fn heights_survive_a_round_trip(
        (width, heights) in (2..6usize, 2..6usize).prop_flat_map(|(width, height)| {
            (Just(width), prop::collection::vec(-500.0..9000.0f32, width * height))
        }),
    ) {
        let height = heights.len() / width;
        let mut text = format!("ncols {width}\nnrows {height}\nxllcorner 1\nyllcorner 2\ncellsize 3\n");
        for height in &heights {
            text += &format!("{height} ");
        }
        let ground = read(text.as_bytes()).unwrap();
        prop_assert_eq!(ground.heights(), heights);
    }
}

#[test]
fn errors_name_the_line() {
    let with = |from: &str, to: &str| {
        let text = String::from_utf8(SMALL.to_vec()).unwrap();
        message(text.replace(from, to).as_bytes())
    };
    assert!(with("ncols 3", "ncols -3").starts_with("line 1: '-3' is not a count"));
    assert!(with("ncols 3", "colour 3").starts_with("line 1: 'colour' is not a keyword"));
    assert!(with("ncols 3\n", "").contains("no ncols"));
    assert!(with("cellsize 0.5\n", "").contains("no cellsize"));
    assert!(with("cellsize 0.5", "cellsize 0").contains("step"));
    assert!(with("cellsize 0.5", "cellsize inf").contains("line 5"));
    assert!(with("5e1", "high").starts_with("line 8: 'high' is not a height"));
    assert!(with("5e1", "1e39").starts_with("line 8"));
    assert!(with("5e1 6", "5e1 6 7").starts_with("line 8: '7' comes after"));
    assert!(with("ncols 3", "ncols 1").contains("at least 2 x 2"));
    assert!(with("ncols 3", "ncols 99999999").contains("incomplete"));
    assert!(with("ncols 3", "ncols 18446744073709551615").contains("distinct"));
    assert!(message(b"").contains("empty"));
    assert!(message(b"II*\0").contains("header"));
    assert!(message(&[0xff; 64]).contains("ncols"));
}
