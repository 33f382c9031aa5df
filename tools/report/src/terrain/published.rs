//! The published numbers of the terrain thesis: tables 9.1 to 9.8, for A*, full structure, 10 layers and 5
//! layers.
//!
//! The thesis's maps and computer are not known. Times are milliseconds. Costs and lengths are in the
//! thesis's unit, and it does not give the extent of its maps.

use super::{GroundKind, TerrainVariant};

/// The source of the numbers.
pub(crate) const TERRAIN_THESIS: &str = "terrain thesis";

/// The columns of the thesis's tables.
pub(crate) const ENGINES: [TerrainVariant; 4] = [
    TerrainVariant::Astar,
    TerrainVariant::Full,
    TerrainVariant::Layers10,
    TerrainVariant::Layers5,
];

/// A table of one path. The columns are [`ENGINES`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct PublishedPathTable {
    pub(crate) number: &'static str,
    pub(crate) ms: [f64; 4],
    pub(crate) price: [f64; 4],
    pub(crate) xyz: [f64; 4],
    pub(crate) xy: [f64; 4],
    pub(crate) z: [f64; 4],
}

/// A table of one wave. The columns are [`ENGINES`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct PublishedWaveTable {
    pub(crate) number: &'static str,
    pub(crate) ms: [f64; 4],
    /// The quartiles of costs in percent of A*'s, by quartile and column. The fourth is the maximum.
    pub(crate) quartiles: [[f64; 4]; 4],
    /// The mean cost in percent of A*'s.
    pub(crate) mean: [f64; 4],
}

/// Returns tables 9.1 and 9.2 for the cone, or 9.5 and 9.6 for the realistic map.
pub(crate) fn paths(kind: GroundKind) -> [PublishedPathTable; 2] {
    match kind {
        GroundKind::Cone | GroundKind::OtherCone => [
            PublishedPathTable {
                number: "9.1",
                ms: [20.0, 1.0, 1.0, 1.0],
                price: [13.0464, 19.262, 25.4282, 15.2613],
                xyz: [9.89917, 14.5619, 19.2511, 11.5852],
                xy: [3.82813, 3.54688, 5.42188, 4.54688],
                z: [7.58003, 12.8352, 16.4742, 8.8681],
            },
            PublishedPathTable {
                number: "9.2",
                ms: [1.0, 1.0, 1.0, 1.0],
                price: [4.49656, 4.99551, 5.3718, 11.8126],
                xyz: [3.40662, 3.78218, 4.06915, 8.9607],
                xy: [1.0, 1.0, 1.1875, 2.75],
                z: [2.90314, 3.28274, 3.4585, 7.49692],
            },
        ],
        GroundKind::Realistic => [
            PublishedPathTable {
                number: "9.5",
                ms: [29.0, 4.0, 2.0, 3.0],
                price: [49.6366, 106.466, 99.4923, 87.4739],
                xyz: [30.4352, 63.3988, 59.8186, 52.6614],
                xy: [5.15625, 11.0938, 10.7188, 9.21875],
                z: [28.0187, 57.7287, 54.4523, 48.1411],
            },
            PublishedPathTable {
                number: "9.6",
                ms: [8.0, 2.0, 1.0, 1.0],
                price: [25.7126, 32.8563, 27.9763, 27.3685],
                xyz: [16.1252, 20.6323, 18.0453, 17.517],
                xy: [4.4375, 5.625, 5.375, 5.125],
                z: [13.5792, 17.4259, 14.8647, 14.5071],
            },
        ],
    }
}

/// Returns tables 9.3 and 9.4 for the cone, or 9.7 and 9.8 for the realistic map.
pub(crate) fn waves(kind: GroundKind) -> [PublishedWaveTable; 2] {
    match kind {
        GroundKind::Cone | GroundKind::OtherCone => [
            PublishedWaveTable {
                number: "9.3",
                ms: [40020.0, 2585.0, 2378.0, 2354.0],
                quartiles: [
                    [100.0, 113.0, 116.0, 111.0],
                    [100.0, 143.0, 146.0, 119.0],
                    [100.0, 200.0, 204.0, 137.0],
                    [100.0, 327.0, 577.0, 280.0],
                ],
                mean: [100.0, 158.0, 185.0, 130.0],
            },
            PublishedWaveTable {
                number: "9.4",
                ms: [52927.0, 2273.0, 1837.0, 2656.0],
                quartiles: [
                    [100.0, 135.0, 146.0, 142.0],
                    [100.0, 160.0, 172.0, 167.0],
                    [100.0, 193.0, 207.0, 201.0],
                    [100.0, 819.0, 757.0, 503.0],
                ],
                mean: [100.0, 173.0, 182.0, 189.0],
            },
        ],
        GroundKind::Realistic => [
            PublishedWaveTable {
                number: "9.7",
                ms: [72457.0, 7094.0, 4029.0, 4733.0],
                quartiles: [
                    [100.0, 153.0, 150.0, 132.0],
                    [100.0, 211.0, 202.0, 175.0],
                    [100.0, 255.0, 247.0, 217.0],
                    [100.0, 906.0, 921.0, 707.0],
                ],
                mean: [100.0, 215.0, 207.0, 182.0],
            },
            PublishedWaveTable {
                number: "9.8",
                ms: [73761.0, 8150.0, 4690.0, 5953.0],
                quartiles: [
                    [100.0, 152.0, 132.0, 126.0],
                    [100.0, 223.0, 200.0, 192.0],
                    [100.0, 297.0, 266.0, 246.0],
                    [100.0, 1144.0, 1110.0, 677.0],
                ],
                mean: [100.0, 239.0, 213.0, 197.0],
            },
        ],
    }
}

/// Returns the lower and the higher mean of the two waves, relative to A*.
pub(crate) fn mean_range(kind: GroundKind, engine: TerrainVariant) -> Option<[f64; 2]> {
    let column = ENGINES.iter().position(|&known| known == engine)?;
    let means = waves(kind).map(|table| table.mean[column] / 100.0);
    Some([means[0].min(means[1]), means[0].max(means[1])])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_those_of_the_tables() {
        use GroundKind::{Cone, Realistic};
        use TerrainVariant::{Full, Hna, Layers5, Layers10};
        assert_eq!(mean_range(Cone, Full), Some([1.58, 1.73]));
        assert_eq!(mean_range(Cone, Layers10), Some([1.82, 1.85]));
        assert_eq!(mean_range(Cone, Layers5), Some([1.30, 1.89]));
        assert_eq!(mean_range(Realistic, Full), Some([2.15, 2.39]));
        assert_eq!(mean_range(Realistic, Layers10), Some([2.07, 2.13]));
        assert_eq!(mean_range(Realistic, Layers5), Some([1.82, 1.97]));
        assert_eq!(mean_range(Realistic, Hna), None);
    }

    #[test]
    fn in_every_table_astar_is_cheapest_and_parts_add_up() {
        for kind in [GroundKind::Cone, GroundKind::Realistic] {
            for table in paths(kind) {
                for column in 0..4 {
                    let [xyz, xy, z] = [table.xyz, table.xy, table.z].map(|row| row[column]);
                    assert!(xy.max(z) <= xyz && xyz <= xy + z, "{}", table.number);
                    assert!(table.price[0] <= table.price[column] && xyz < table.price[column]);
                }
            }
            for table in waves(kind) {
                let columns = 0..4;
                let rises = |column: usize| {
                    table
                        .quartiles
                        .windows(2)
                        .all(|pair| pair[0][column] <= pair[1][column])
                };
                assert!(columns.into_iter().all(rises), "{}", table.number);
            }
        }
    }
}
