use proptest::prelude::*;

use super::*;

/// Zone, south, longitude and latitude, easting and northing. The program PROJ, version 9, computed them.
const KNOWN: [(u8, bool, [f64; 2], [f64; 2]); 10] = [
    (31, false, [1.4447, 42.5917], [372_392.5655, 4_716_647.6858]),
    (31, false, [3.0, 0.0], [500_000.0, 0.0]),
    (31, false, [5.9, 71.3], [603_737.8884, 7_913_343.6147]),
    (31, false, [0.0, 84.0], [465_005.3449, 9_329_005.1824]),
    (31, true, [5.0, -33.25], [686_318.1921, 6_319_214.0611]),
    (1, false, [-179.9, 12.0], [184_184.6019, 1_328_216.4047]),
    (60, true, [179.99, -79.5], [560_803.362, 1_172_660.6337]),
    (33, false, [10.5, 47.25], [159_511.2775, 5_242_774.6685]),
    (
        19,
        true,
        [-70.0109, -32.6532],
        [405_196.1527, 6_386_706.9928],
    ),
    (
        45,
        false,
        [86.925_278, 27.988_056],
        [492_652.3333, 3_095_881.5222],
    ),
];

#[test]
fn utm_is_that_of_proj() {
    for (zone, is_south, degrees, metres) in KNOWN {
        let projection = TransverseMercator::utm(zone, is_south);
        let found = projection.project(degrees);
        let back = projection.unproject(metres);
        for axis in 0..2 {
            assert!(
                (found[axis] - metres[axis]).abs() < 1e-4,
                "{degrees:?}: {found:?}"
            );
            assert!(
                (back[axis] - degrees[axis]).abs() < 1e-8,
                "{metres:?}: {back:?}"
            );
        }
    }
}

#[test]
fn web_mercator_is_that_of_proj() {
    for (degrees, metres) in [
        (
            [1.4447, 42.5917],
            [160_823.268_349_042, 5_250_029.484_885_643],
        ),
        (
            [-122.5, -37.8],
            [-13_636_637.622_176_01, -4_551_210.919_691_89],
        ),
        (
            [179.0, 85.0],
            [19_926_188.851_995_97, 19_971_868.880_408_57],
        ),
    ] {
        let (found, back) = (web_mercator(degrees), web_mercator_to_degrees(metres));
        for axis in 0..2 {
            assert!(
                (found[axis] - metres[axis]).abs() < 1e-6,
                "{degrees:?}: {found:?}"
            );
            assert!(
                (back[axis] - degrees[axis]).abs() < 1e-12,
                "{metres:?}: {back:?}"
            );
        }
    }
    let half = std::f64::consts::PI * EQUATOR;
    assert!((web_mercator([180.0, 0.0])[0] - half).abs() < 1e-6);
}

proptest! {
    #![proptest_config(portolan_oracle::cases(512))]

    #[test]
    fn projected_points_come_back(
        centre in [-180.0..180.0f64, -85.0..85.0],
        offset in [-10.0..10.0f64, -4.0..4.0],
    ) {
        let projection = TransverseMercator::around(centre);
        let degrees = [wrapped(centre[0] + offset[0]), centre[1] + offset[1]];
        let back = projection.unproject(projection.project(degrees));
        let east = wrapped(back[0] - degrees[0]).abs();
        prop_assert!(east < 1e-11 && (back[1] - degrees[1]).abs() < 1e-11, "{:?} {:?}", degrees, back);
    }
}

#[test]
fn poles_and_huge_numbers_are_no_panic() {
    let projection = TransverseMercator::around([0.0, 90.0]);
    for point in [
        [0.0, 90.0],
        [0.0, -90.0],
        [1e300, 1e300],
        [f64::NAN, f64::INFINITY],
    ] {
        projection.project(point);
        projection.unproject(point);
    }
    assert!((projection.unproject([0.0, 0.0])[1] - 90.0).abs() < 1e-9);
}
