use std::fs;

use tempfile::TempDir;

use super::*;

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// Writes a grid whose height is 1000 times the row plus the column of the sample, counted from a corner that all
/// grids share.
fn grid(
    folder: &TempDir,
    name: &str,
    [column, row]: [i64; 2],
    [width, height]: [i64; 2],
) -> PathBuf {
    let (x, y) = (
        384_000.0 + column as f64 * 10.0,
        5_200_000.0 - (row + height) as f64 * 10.0,
    );
    let mut text =
        format!("ncols {width}\nnrows {height}\nxllcorner {x}\nyllcorner {y}\ncellsize 10\n");
    for r in row..row + height {
        for c in column..column + width {
            text += &format!("{} ", 1000 * r + c);
        }
    }
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    path
}

fn open(paths: &[PathBuf], options: &GroundOptions) -> Result<GroundFiles, String> {
    GroundFiles::open(paths, options).map_err(|error| error.to_string())
}

fn utm(options: GroundOptions) -> GroundOptions {
    let crs = Crs::from_epsg(32631).map(GroundCrs::Known);
    GroundOptions { crs, ..options }
}

#[test]
fn adjacent_and_overlapping_files_are_joined() {
    let folder = folder();
    let paths = [
        grid(&folder, "east.asc", [3, 1], [3, 2]),
        grid(&folder, "west.asc", [0, 0], [4, 3]),
    ];
    let files = open(&paths, &utm(GroundOptions::default())).unwrap();
    assert_eq!((files.size(), files.kept()), ([6, 3], [6, 3]));
    let ground = files.read().unwrap();
    assert_eq!(ground.lattice().position(0, 0), [384_005.0, 5_199_995.0]);
    for row in 0..3 {
        for column in 0..6 {
            let height = ground.heights()[row * 6 + column];
            match row == 0 && column > 3 {
                true => assert!(height.is_nan()),
                false => assert_eq!(height, (1000 * row + column) as f32),
            }
        }
    }
}

#[test]
fn a_window_and_a_step_keep_a_part() {
    let folder = folder();
    let paths = [
        grid(&folder, "west.asc", [0, 0], [7, 9]),
        grid(&folder, "east.asc", [7, 0], [5, 9]),
    ];
    let window = Some([384_115.0, 5_199_985.0, 384_025.0, 5_199_925.0]);
    let options = utm(GroundOptions {
        window,
        step: 3,
        ..GroundOptions::default()
    });
    let files = open(&paths, &options).unwrap();
    assert_eq!((files.size(), files.kept()), ([12, 9], [4, 3]));
    let ground = files.read().unwrap();
    assert_eq!(ground.lattice().first, [384_025.0, 5_199_985.0]);
    assert_eq!(ground.lattice().step, [30.0, 30.0]);
    let expected = [
        1002, 1005, 1008, 1011, 4002, 4005, 4008, 4011, 7002, 7005, 7008, 7011,
    ];
    assert_eq!(ground.heights(), expected.map(|height| height as f32));
    let far = utm(GroundOptions {
        window: Some([0.0, 0.0, 1.0, 1.0]),
        ..GroundOptions::default()
    });
    let error = open(&paths, &far).unwrap_err();
    assert!(
        error.contains("0 samples") && error.contains("384005,5199915"),
        "{error}"
    );
}

#[test]
fn files_that_do_not_fit_are_errors() {
    let folder = folder();
    let base = grid(&folder, "a.asc", [0, 0], [3, 3]);
    let text = fs::read_to_string(&base).unwrap();
    let other = |name: &str, from: &str, to: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text.replace(from, to)).unwrap();
        let paths = [base.clone(), path];
        open(&paths, &utm(GroundOptions::default())).unwrap_err()
    };
    for (error, words) in [
        (
            other("b.asc", "cellsize 10", "cellsize 20"),
            "farther apart",
        ),
        (
            other("c.asc", "xllcorner 384000", "xllcorner 384004"),
            "between",
        ),
        (
            other("d.asc", "xllcorner 384000", "xllcorner 1e13"),
            "too far",
        ),
    ] {
        assert!(error.contains(words) && error.contains("a.asc"), "{error}");
    }
}

#[test]
fn the_system_comes_from_the_option_or_a_file_beside() {
    let folder = folder();
    let path = grid(&folder, "a.asc", [0, 0], [3, 3]);
    let crs = |options: &GroundOptions| {
        open(std::slice::from_ref(&path), options).map(|files| files.crs())
    };
    assert_eq!(crs(&GroundOptions::default()), Ok(None));
    let wkt = include_bytes!("../../../../fuzz/seeds/prj/32631_wkt1_esri.prj");
    fs::write(folder.path().join("a.prj"), wkt).unwrap();
    assert_eq!(crs(&GroundOptions::default()), Ok(Crs::from_epsg(32631)));
    let wrong = GroundOptions {
        crs: Some(GroundCrs::Known(Crs::Wgs84)),
        ..GroundOptions::default()
    };
    assert!(
        crs(&wrong)
            .unwrap_err()
            .contains("EPSG:32631, not in EPSG:4326")
    );
    let local = GroundOptions {
        crs: Some(GroundCrs::Local),
        ..GroundOptions::default()
    };
    assert_eq!(crs(&local), Ok(None));
    fs::write(folder.path().join("a.prj"), "nonsense").unwrap();
    assert!(
        crs(&GroundOptions::default())
            .unwrap_err()
            .contains("a.prj")
    );
}

#[test]
fn degrees_without_a_system_are_an_error() {
    let folder = folder();
    let path = folder.path().join("a.asc");
    let text = "ncols 2 nrows 2 xllcorner 1 yllcorner 42 cellsize 0.01 1 2 3 4";
    fs::write(&path, text).unwrap();
    let paths = [path];
    let error = open(&paths, &GroundOptions::default()).unwrap_err();
    assert!(error.contains("--crs EPSG:4326"), "{error}");
    for crs in [GroundCrs::Local, GroundCrs::Known(Crs::Wgs84)] {
        let options = GroundOptions {
            crs: Some(crs),
            ..GroundOptions::default()
        };
        assert!(open(&paths, &options).is_ok());
    }
}

#[test]
fn pictures_have_world_files_extents_and_masks() {
    let folder = folder();
    let path = folder.path().join("a.png");
    let map = portolan_terrain::HeightMap::new(3, 2, vec![0.2, 0.4, 1.0, 0.2, 0.4, 0.6]).unwrap();
    crate::save_height_map(&path, &map, crate::heightmap::Coding::Grey8).unwrap();
    let mut options = GroundOptions {
        png: PngHeights::Range([100.0, 180.0]),
        ..GroundOptions::default()
    };
    let paths = [path.clone()];
    let read = |options: &GroundOptions| open(&paths, options).unwrap().read().unwrap();
    let ground = read(&options);
    assert_eq!(ground.heights(), [100.0, 120.0, 180.0, 100.0, 120.0, 140.0]);
    assert_eq!(ground.lattice().position(2, 1), [1.0, -0.5]);
    fs::write(folder.path().join("a.pgw"), "5 0 0 -5 1000 2000").unwrap();
    assert_eq!(read(&options).lattice().position(2, 1), [1010.0, 1995.0]);
    options.extent = Some([0.0, 0.0, 4.0, 1.0]);
    assert_eq!(read(&options).lattice().position(1, 1), [2.0, 0.0]);
    options.step = 2;
    options.window = None;
    let error = open(&paths, &options).unwrap_err();
    assert!(error.contains("2 x 1"), "{error}");
    options.step = 1;
    options.window = Some([2.0, 0.0, 4.0, 1.0]);
    let files = open(&paths, &options).unwrap();
    let mask = files.read_mask(&path).unwrap();
    assert_eq!(mask, [0.4, 1.0, 0.4, 0.6]);
    let other = folder.path().join("b.png");
    let small = portolan_terrain::HeightMap::new(2, 3, vec![0.0; 6]).unwrap();
    crate::save_height_map(&other, &small, crate::heightmap::Coding::Grey8).unwrap();
    let error = files.read_mask(&other).unwrap_err().to_string();
    assert!(
        error.contains("2 x 3 pixels") && error.contains("3 x 2 samples"),
        "{error}"
    );
}
