//! Tests of a small terrain report: its contents, its reproducibility and its criteria.

use std::collections::HashSet;
use std::path::Path;

use portolan_report::{
    GroundKind, ReportError, TerrainEffort, TerrainMeasured, TerrainReport, TerrainReportOptions,
    TerrainVariant, terrain_criteria, terrain_report, write_terrain,
};
use serde_json::Value;

/// Returns options of a run on ground of a thousand triangles.
fn small() -> TerrainReportOptions {
    TerrainReportOptions {
        map: None,
        effort: TerrainEffort {
            size: 17,
            rounds: 1,
            timed_targets: 32,
            sizes: vec![9, 17],
            size_paths: 5,
            other_hills: 1,
            picture_side: 64,
            ..TerrainEffort::quick()
        },
    }
}

fn measured() -> TerrainMeasured {
    terrain_report(&small(), &|_| ()).unwrap()
}

#[test]
fn every_table_has_every_engine_and_plausible_numbers() {
    let report = measured().report;
    let kinds: Vec<GroundKind> = report.grounds.iter().map(|ground| ground.kind).collect();
    let all = [
        GroundKind::Cone,
        GroundKind::OtherCone,
        GroundKind::Realistic,
    ];
    assert_eq!(kinds, all);
    for ground in &report.grounds {
        let name = &ground.name;
        assert_eq!([ground.paths.len(), ground.waves.len()], [2, 2], "{name}");
        for path in &ground.paths {
            let engines: Vec<TerrainVariant> = path.answers.iter().map(|a| a.engine).collect();
            assert_eq!(engines, TerrainVariant::ALL, "{name}");
            let optimum = path.answers[0].price;
            for answer in &path.answers {
                assert!(answer.price >= optimum * (1.0 - 1e-5) && answer.time_us > 0.0);
                assert!(answer.xyz < answer.price && answer.xyz >= answer.xy.max(answer.z));
                assert!(answer.triangles.len() > 2);
            }
        }
        for wave in &ground.waves {
            let engines: Vec<TerrainVariant> = wave.answers.iter().map(|a| a.engine).collect();
            assert_eq!(engines, TerrainVariant::ALL, "{name}");
            assert_eq!((wave.targets, wave.timed), (ground.triangles - 1, 32));
            for answer in &wave.answers {
                assert_eq!(answer.missing, 0);
                assert!(answer.min >= 1.0 - 1e-5 && answer.path_us > 0.0);
                assert!(answer.quartiles.is_sorted() && answer.mean <= answer.quartiles[3]);
                if matches!(
                    answer.engine,
                    TerrainVariant::Astar | TerrainVariant::Contraction
                ) {
                    assert!((answer.quartiles[3] - 1.0).abs() < 1e-5, "{answer:?}");
                }
            }
        }
        let layers: Vec<usize> = ground.structures.iter().map(|s| s.layers).collect();
        assert!(
            layers.len() == 5
                && layers[1..]
                    .iter()
                    .zip([10, 5, 10, 5])
                    .all(|(&own, most)| own <= most),
            "{layers:?}"
        );
        assert!(
            ground.tops.is_sorted_by(|a, b| a > b) && ground.tops.last() == Some(&1),
            "{name}"
        );
        assert!(ground.steps.len() >= 4);
    }
    // The tops of the first steps follow contour lines.
    assert!(report.grounds[0].steps[0].height_spread < 0.9);
    assert_eq!([report.entries.len(), report.hills.len()], [4, 1]);
    // The default tolerance, which all other tables use, allows for rounding alone.
    assert_eq!(report.ties[0].tie, 1e-5);
    let [valley, hill] = report.hills[0].means;
    for (structure, mean) in report.ties[0].hills.iter().enumerate() {
        assert!((mean - f64::midpoint(valley[structure], hill[structure])).abs() < 1e-9);
    }
    let looser = report.ties.iter().flat_map(|cell| [cell.cone, cell.hills]);
    assert!(looser.flatten().all(|mean| mean >= 1.0 - 1e-5));
    assert_ne!(report.ties[0].hills, report.ties[3].hills);
    // The default unit distance is that of all other tables.
    let units: Vec<&str> = report.units.iter().map(|cell| cell.unit.as_str()).collect();
    assert_eq!(units, ["ratio-of-sums", "mean-of-ratios"]);
    assert_eq!(
        (report.units[0].cone, report.units[0].hills),
        (report.ties[0].cone, report.ties[0].hills)
    );
    assert_ne!(report.units[0].hills, report.units[1].hills);
    let simple = &report.simple;
    assert!(simple.steps.len() > 4 && simple.steps[0].purity > 0.9);
    assert!(
        simple
            .steps
            .is_sorted_by(|a, b| a.tops > b.tops && a.purity >= b.purity)
    );
    assert_eq!(report.contours.len(), 4);
    for pair in report.contours.chunks(2) {
        let more = pair[1].triangles as f64 / pair[0].triangles as f64;
        assert!((1.0..1.4).contains(&more), "{more}");
        assert!(
            pair.iter()
                .flat_map(|cell| cell.means)
                .all(|mean| mean >= 1.0)
        );
    }
    for cell in &report.bad {
        let mean = |name: &str| cell.answers.iter().find(|a| a.engine == name).unwrap().mean;
        assert!(mean("10 layers, balanced, repaired") <= mean("10 layers, balanced"));
        assert!((mean("A*") - 1.0).abs() < 1e-4 && mean("full") > 1.0);
    }
    assert!(
        report
            .edits
            .iter()
            .all(|cell| cell.meshes_us > 0.0 && cell.step_us > 0.0)
    );
    let [by_boxes, by_centroids] = &report.hillside[..] else {
        panic!("two distances");
    };
    assert!(by_boxes.up / by_boxes.along > 1.5 * (by_centroids.up / by_centroids.along));
    let joints: Vec<f64> = report
        .sizes
        .iter()
        .map(|cell| cell.joint_bytes as f64 / cell.triangles as f64)
        .collect();
    assert!(
        joints.len() == 2 && joints.iter().all(|&bytes| bytes < 40.0),
        "{joints:?}"
    );
}

/// Removes everything that depends on times.
fn without_times(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            let is_time = |name: &str| {
                let has_unit = ["_us", "_ms"].iter().any(|suffix| name.ends_with(suffix));
                has_unit || ["seconds", "date"].contains(&name)
            };
            fields.retain(|name, _| !is_time(name));
            fields.values_mut().for_each(without_times);
        }
        Value::Array(values) => {
            values.retain(|value| value["is_of_time"] != true);
            values.iter_mut().for_each(without_times);
        }
        _ => {}
    }
}

#[test]
fn everything_except_times_is_reproducible() {
    let [a, b] = [measured(), measured()].map(|measured| {
        let mut json = serde_json::to_value(&measured.report).unwrap();
        without_times(&mut json);
        (json, measured.pictures)
    });
    assert_eq!(a.0, b.0);
    assert_eq!(a.1, b.1);
}

/// Returns the values of an attribute.
fn attributes<'a>(html: &'a str, name: &str) -> Vec<&'a str> {
    let prefix = format!(" {name}=\"");
    let parts = html.split(prefix.as_str()).skip(1);
    parts.filter_map(|part| part.split('"').next()).collect()
}

#[test]
fn the_folder_has_all_files_that_the_page_shows() {
    let folder = tempfile::tempdir().unwrap();
    let measured = measured();
    write_terrain(&measured, folder.path()).unwrap();
    let html = std::fs::read_to_string(folder.path().join("index.html")).unwrap();
    let ids = attributes(&html, "id");
    let known: HashSet<&str> = ids.iter().copied().collect();
    assert_eq!(known.len(), ids.len(), "duplicate id");
    let tables = ["cone-long", "cone-short", "hills-long", "hills-medium"];
    let waves = [
        "cone-wave-near-the-tip",
        "cone-2-wave-bottom-left",
        "hills-wave-on-the-hill",
    ];
    for id in tables.into_iter().chain(waves).chain([
        "bars",
        "sizes",
        "ties",
        "entries",
        "hillside",
        "units",
        "compression",
        "contours",
        "bad",
        "edits",
    ]) {
        assert!(known.contains(id), "{id}");
        assert!(
            folder.path().join(format!("tables/{id}.csv")).is_file(),
            "{id}"
        );
    }
    let header = std::fs::read_to_string(folder.path().join("tables/cone-long.csv")).unwrap();
    let columns = "A*,full,10 layers,5 layers,10 balanced,5 balanced,HNA*,contraction,paper: A*";
    assert!(header.contains(columns), "{header}");
    for link in attributes(&html, "href")
        .into_iter()
        .chain(attributes(&html, "src"))
    {
        match link.strip_prefix('#') {
            Some(id) => assert!(id == "how-to-read" || known.contains(id), "{link}"),
            None => assert!(folder.path().join(link).is_file(), "{link}"),
        }
    }
    // The page shows every picture, and no picture is blank.
    let shown: HashSet<&str> = attributes(&html, "src").into_iter().collect();
    for picture in &measured.pictures {
        assert!(shown.contains(format!("pictures/{}", picture.file).as_str()));
        let colours: HashSet<[u8; 3]> = picture.picture.colours().iter().copied().collect();
        assert!(colours.len() > 1, "{} has only one colour", picture.file);
    }
    let json = std::fs::read(folder.path().join("terrain.json")).unwrap();
    let report: TerrainReport = serde_json::from_slice(&json).unwrap();
    // Floats may differ in the last digit, so the entire reports are not compared.
    assert_eq!(report.criteria, measured.report.criteria);
    assert_eq!(report.grounds.len(), measured.report.grounds.len());
}

/// Returns whether all criteria whose requirement contains a text are met.
fn all_met(report: &TerrainReport, text: &str) -> bool {
    let criteria = terrain_criteria(report).into_iter();
    let matching: Vec<bool> = criteria
        .filter(|criterion| criterion.requirement.contains(text))
        .map(|criterion| criterion.is_met)
        .collect();
    assert!(!matching.is_empty(), "no criterion about {text}");
    matching.into_iter().all(|is_met| is_met)
}

#[test]
fn criteria_follow_from_the_numbers() {
    let mut report = measured().report;
    let kinds = ["speed-up", "mean cost", "exact", "at least as fast"];
    // Numbers that meet all criteria.
    let mut good = report.clone();
    for ground in &mut good.grounds {
        for answer in ground.waves.iter_mut().flat_map(|wave| &mut wave.answers) {
            let is_high = TerrainVariant::HIGH_MESHES.contains(&answer.engine);
            answer.path_us = if is_high { 10.0 } else { 40.0 };
            answer.mean = if is_high { 1.5 } else { 1.0 };
            if answer.engine == TerrainVariant::Contraction {
                answer.path_us = 10.5;
            }
        }
    }
    assert!(kinds.iter().all(|text| all_met(&good, text)));

    // Changes numbers such that exactly one kind of criteria is not met.
    let check_violation = |text: &str, change: &dyn Fn(&mut portolan_report::WaveAnswer)| {
        let mut bad = good.clone();
        let grounds = bad.grounds.iter_mut();
        for wave in grounds.flat_map(|ground| &mut ground.waves).skip(1) {
            wave.answers.iter_mut().for_each(change);
        }
        for kind in kinds {
            assert_eq!(all_met(&bad, kind), kind != text, "{text} changed, {kind}");
        }
    };
    check_violation("speed-up", &|answer| {
        if answer.engine == TerrainVariant::Astar {
            answer.path_us = 29.0;
        }
    });
    check_violation("mean cost", &|answer| {
        if answer.engine == TerrainVariant::Layers10 {
            answer.mean = 2.5;
        }
    });
    check_violation("exact", &|answer| {
        if answer.engine == TerrainVariant::Contraction {
            answer.quartiles[3] = 1.01;
        }
    });
    check_violation("at least as fast", &|answer| {
        if answer.engine == TerrainVariant::Contraction {
            answer.path_us = 12.0;
        }
    });
    // Criteria are not met if paths are missing or nothing was measured.
    let waves = good.grounds.iter_mut().flat_map(|ground| &mut ground.waves);
    for answer in waves.flat_map(|wave| &mut wave.answers) {
        answer.missing = 1;
    }
    assert!(!all_met(&good, "mean cost") && !all_met(&good, "exact"));
    for ground in &mut report.grounds {
        ground.waves.clear();
    }
    assert!(
        terrain_criteria(&report)
            .iter()
            .all(|criterion| !criterion.is_met)
    );
}

#[test]
fn a_missing_map_fails_before_anything_is_measured() {
    let options = TerrainReportOptions {
        map: Some(Path::new("no/such/map.png").to_owned()),
        ..small()
    };
    let watch = |_: portolan_report::ReportProgress<'_>| panic!("measured before the map was read");
    let error = terrain_report(&options, &watch).unwrap_err();
    assert!(matches!(error, ReportError::File(_)), "{error}");
    assert!(error.to_string().contains("no/such/map.png"), "{error}");
}

#[test]
fn a_map_is_measured_as_realistic_ground() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("My map.png");
    let map = portolan_scenes::HeightFunction::Canyon
        .map(33, 25, 1)
        .unwrap();
    portolan_formats::save_height_map(&file, &map, portolan_formats::heightmap::Coding::Grey16)
        .unwrap();
    let options = TerrainReportOptions {
        map: Some(file),
        ..small()
    };
    let measured = terrain_report(&options, &|_| ()).unwrap();
    let ground = &measured.report.grounds[3];
    assert_eq!(
        (ground.name.as_str(), ground.pixels),
        ("map-my-map", [17, 13])
    );
    assert_eq!(ground.kind, GroundKind::Realistic);
    assert_eq!(measured.report.entries.len(), 8);
    write_terrain(&measured, folder.path()).unwrap();
}
