use proptest::prelude::*;

use super::*;

/// WKT that PROJ wrote, as ESRI's and GDAL's version 1 and as version 2.
macro_rules! wkt {
    ($code:literal) => {
        [
            &include_bytes!(concat!(
                "../../../../fuzz/seeds/prj/",
                $code,
                "_wkt1_esri.prj"
            ))[..],
            include_bytes!(concat!(
                "../../../../fuzz/seeds/prj/",
                $code,
                "_wkt1_gdal.prj"
            )),
            include_bytes!(concat!(
                "../../../../fuzz/seeds/prj/",
                $code,
                "_wkt2_2019.prj"
            )),
        ]
    };
}

fn without_codes(text: &[u8]) -> String {
    // Without the codes, the parameters decide.
    let text = std::str::from_utf8(text).unwrap();
    text.replace("\"EPSG\"", "\"X\"")
}

#[test]
fn systems_are_recognized_with_and_without_codes() {
    let utm = Crs::from_epsg(32631);
    for (texts, expected) in [
        (wkt!("4326"), Some(Crs::Wgs84)),
        (wkt!("32631"), utm),
        (wkt!("25831"), utm),
        (wkt!("2154"), None),
    ] {
        for text in texts {
            assert_eq!(read_wkt(text), Ok(expected));
            assert_eq!(read_wkt(without_codes(text).as_bytes()), Ok(expected));
        }
    }
    for text in wkt!("3857") {
        assert_eq!(read_wkt(text), Ok(Some(Crs::WebMercator)));
    }
    let south = without_codes(wkt!("32631")[0])
        .replace("False_Northing\",0.0", "False_Northing\",10000000.0");
    assert_eq!(read_wkt(south.as_bytes()), Ok(Crs::from_epsg(32731)));
}

#[test]
fn feet_and_other_datums_are_errors() {
    for text in wkt!("2225") {
        let error = read_wkt(text).unwrap_err().to_string();
        assert!(error.to_lowercase().contains("foot"), "{error}");
    }
    let old = "GEOGCS[\"OSGB36\",DATUM[\"D_OSGB_1936\",SPHEROID[\"Airy\",6377563.4,299.3]],UNIT[\"Degree\",0.017]]";
    let error = read_wkt(old.as_bytes()).unwrap_err().to_string();
    assert!(error.contains("OSGB"), "{error}");
}

#[test]
fn every_truncation_is_an_error() {
    for text in [wkt!("4326"), wkt!("32631"), wkt!("3857")].concat() {
        for end in 0..text.trim_ascii_end().len() {
            assert!(read_wkt(&text[..end]).is_err(), "cut at {end}");
        }
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(512))]

    #[test]
    fn changed_letters_never_panic(
        text in prop::sample::select(wkt!("32631").to_vec()),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<char>()), 1..6),
    ) {
        let mut letters: Vec<char> = std::str::from_utf8(text).unwrap().chars().collect();
        for (position, letter) in changes {
            let position = position.index(letters.len());
            letters[position] = letter;
        }
        let _ = read_wkt(letters.into_iter().collect::<String>().as_bytes());
    }
}

#[test]
fn nonsense_is_one_line() {
    let deep = "A[".repeat(100_000);
    for bad in [
        &b""[..],
        b"Projection UTM\nZone 31",
        b"PROJCS[]x",
        b"A[\"",
        b"A[1e]",
        b"\xff",
        deep.as_bytes(),
    ] {
        let error = read_wkt(bad).unwrap_err().to_string();
        assert!(!error.contains('\n'), "{error}");
    }
}

#[test]
fn world_files_have_six_numbers() {
    let lattice = read_world_file(b"0.5\n0\n0.0\n-0.25\n 384000.25 \n5200000\n").unwrap();
    assert_eq!(
        (lattice.first, lattice.step),
        ([384_000.25, 5_200_000.0], [0.5, 0.25])
    );
    let message = |text: &[u8]| read_world_file(text).unwrap_err().to_string();
    assert!(message(b"1 0 0 -1 5").contains("six"));
    assert!(message(b"1 0 0 -1 5 6 7").contains("six"));
    assert!(message(b"1 0 0 -1 5 nan").contains("'nan'"));
    assert!(message(b"1 0.1 0 -1 5 6").contains("rotated"));
    assert!(message(b"1 0 0 1 5 6").contains("north"));
}
