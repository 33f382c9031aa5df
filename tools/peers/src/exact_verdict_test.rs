use super::*;
use crate::exactness::{LongerPath, OracleComparison};
use crate::report::{ExactTier, Times};

fn row(name: &str, mean_us: f64, max_us: f64) -> EngineFigures {
    EngineFigures {
        engine: name.to_owned(),
        found: 10,
        failed: 0,
        partial: 0,
        no_path: 0,
        off_mesh: 0,
        times: Times {
            mean_us,
            max_us,
            ..Times::default()
        },
        excess: None,
        build_ms: 1.0,
        bytes: None,
        bytes_per_polygon: None,
        detour_ratio: None,
    }
}

fn exactness() -> Exactness {
    let comparison = OracleComparison {
        queries: 1000,
        ..OracleComparison::default()
    };
    Exactness {
        queries: comparison.clone(),
        borders: comparison,
        longer: LongerPath::default(),
        longer_as_returned: LongerPath::default(),
    }
}

/// Returns a map on which all targets are met.
fn map(name: &str) -> MapFigures {
    MapFigures {
        map: name.to_owned(),
        polygons: 1,
        portals: 0,
        components: 1,
        queries: 10,
        query_source: "by hand".to_owned(),
        optimum: "by hand".to_owned(),
        exact_tier: ExactTier {
            is_auto: true,
            auto_method: Some("labels".to_owned()),
            ..ExactTier::default()
        },
        exactness: Some(exactness()),
        engines: vec![
            row("auto", 5.0, 9.0),
            row("auto:exact", 5.0, 9.0),
            row("auto:exact+corridor", 10.0, 20.0),
            row("contraction", 10.0, 20.0),
            row("astar", 1.0, 9.0),
            row("polyanya", 100.0, 500.0),
        ],
        ratios: Vec::new(),
        reference: None,
        faults: Vec::new(),
        notes: Vec::new(),
    }
}

/// Returns the targets that are not met after a change of a map on which all are.
fn not_met(name: &str, change: impl Fn(&mut MapFigures)) -> Vec<ExactTarget> {
    let mut changed = map(name);
    change(&mut changed);
    let verdicts = of_maps(&[changed]);
    let not_met = verdicts.iter().filter(|verdict| !verdict.check.is_met);
    not_met.map(|verdict| verdict.target).collect()
}

fn change_exactness(change: impl Fn(&mut Exactness)) -> impl Fn(&mut MapFigures) {
    move |map| change(map.exactness.as_mut().unwrap())
}

fn set_mean(name: &'static str, mean_us: f64) -> impl Fn(&mut MapFigures) {
    move |map| {
        let row = map.engines.iter_mut().find(|row| row.engine == name);
        row.unwrap().times.mean_us = mean_us;
    }
}

#[test]
fn each_map_has_the_targets_of_all_maps_and_its_own() {
    let count = |name| of_maps(&[map(name)]).len();
    assert_eq!(
        ["dungeon", "vaduz", "lqdm5", "lq_e1m1"].map(count),
        [5, 6, 7, 8]
    );
    for name in ["dungeon", "vaduz", "lqdm5", "lq_e1m1"] {
        assert_eq!(not_met(name, |_| ()), []);
    }
}

#[test]
fn every_wrong_length_fails_its_target() {
    let fails = |change: fn(&mut Exactness)| not_met("dungeon", change_exactness(change));
    assert_eq!(fails(|exact| exact.queries.max_difference = 1e-5), []);
    let difference = [ExactTarget::Difference];
    assert_eq!(
        fails(|exact| exact.queries.max_difference = 1.1e-5),
        difference
    );
    assert_eq!(fails(|exact| exact.queries.lost = 1), difference);
    assert_eq!(fails(|exact| exact.queries.invalid = 1), difference);
    assert_eq!(fails(|exact| exact.longer.fraction = 1e-6), []);
    let longer = [ExactTarget::Longer];
    assert_eq!(fails(|exact| exact.longer.fraction = 1.1e-6), longer);
    assert_eq!(fails(|exact| exact.longer_as_returned.fraction = 1.0), []);
    let lost = [ExactTarget::LostOnBorders];
    assert_eq!(fails(|exact| exact.borders.lost = 1), lost);
    assert_eq!(fails(|exact| exact.borders.invalid = 1), lost);
    let on_borders = [ExactTarget::DifferenceOnBorders];
    assert_eq!(
        fails(|exact| exact.borders.max_difference = 1.1e-5),
        on_borders
    );
}

#[test]
fn every_slow_row_fails_its_target() {
    let slowest = [ExactTarget::SlowestOverAStar];
    assert_eq!(not_met("dungeon", set_mean("astar", 0.9)), []);
    assert_eq!(not_met("dungeon", set_mean("astar", 0.89)), slowest);
    // 20 times faster than `polyanya` on one map, 10 times on the other.
    let polyanya = [ExactTarget::PolyanyaRatio];
    assert_eq!(not_met("lq_e1m1", set_mean("polyanya", 99.0)), polyanya);
    assert_eq!(not_met("vaduz", set_mean("polyanya", 99.0)), []);
    assert_eq!(not_met("vaduz", set_mean("polyanya", 49.0)), polyanya);
    assert_eq!(not_met("dungeon", set_mean("polyanya", 1.0)), []);
    let contraction = [ExactTarget::ContractionRatio];
    assert_eq!(not_met("lqdm5", set_mean("contraction", 9.9)), contraction);
    assert_eq!(not_met("lq_e1m1", set_mean("auto", 5.1)), contraction);
    assert_eq!(not_met("vaduz", set_mean("contraction", 1.0)), []);
}

#[test]
fn a_target_without_its_rows_is_not_met() {
    let without_polyanya = |map: &mut MapFigures| map.engines.truncate(5);
    let polyanya = [ExactTarget::PolyanyaRatio];
    assert_eq!(not_met("vaduz", without_polyanya), polyanya);
    let auto = |map: &mut MapFigures| map.exact_tier.is_auto = false;
    assert_eq!(not_met("lqdm5", auto), [ExactTarget::AutoIsExact]);
    assert_eq!(not_met("vaduz", auto), []);
    let without_rows = |map: &mut MapFigures| map.engines.clear();
    assert_eq!(
        not_met("dungeon", without_rows),
        [ExactTarget::SlowestOverAStar]
    );
}

#[test]
fn a_map_with_links_has_no_verdicts_on_lengths() {
    let mut with_links = map("dungeon");
    with_links.exactness = None;
    let verdicts = of_maps(&[with_links]);
    let targets: Vec<ExactTarget> = verdicts.iter().map(|verdict| verdict.target).collect();
    assert_eq!(targets, [ExactTarget::SlowestOverAStar]);
    assert_eq!(table(&[]), "");
}

#[test]
fn the_table_has_a_line_per_verdict_and_counts_those_that_are_met() {
    let mut slow = map("lq_e1m1");
    set_mean("auto", 500.0)(&mut slow);
    let longer = &mut slow.exactness.as_mut().unwrap().longer;
    *longer = LongerPath {
        fraction: 2e-5,
        metres: 3e-4,
        row: "Detour, 65 535 nodes".to_owned(),
        query: 826,
        queries: 9,
    };
    let mut moved = map("undulating");
    let as_returned = &mut moved.exactness.as_mut().unwrap().longer_as_returned;
    (as_returned.row, as_returned.queries) = ("polyanya".to_owned(), 550);
    as_returned.fraction = 2.8e-5;
    let table = table(&of_maps(&[slow, moved]));
    assert!(
        table.contains("met  as returned: polyanya 2.8e-5, 550 queries"),
        "{table}"
    );
    assert!(table.contains("11 of 13 met"), "{table}");
    assert_eq!(table.matches("NOT MET").count(), 2);
    assert!(table.contains("Detour, 65 535 nodes, query 826, 3.0e-4 m; 9 queries"));
    assert!(
        table.lines().all(|line| line.chars().count() <= 130),
        "{table}"
    );
}
