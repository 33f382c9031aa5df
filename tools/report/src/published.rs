//! The numbers that the HNA* papers publish in text and tables. Numbers that appear only in drawings are
//! not transcribed.
//!
//! `published/appendix_a.csv` is a transcript of the tables of appendix A of Fuentes 2014. Our copy of the
//! table for City Colony lacks mu = 2 and one total; that total is the sum of its parts.

/// N. Pelechano, C. Fuentes: "Hierarchical path-finding for Navigation Meshes (HNA*)", 2016.
pub(crate) const HNA: &str = "Pelechano and Fuentes 2016 (HNA*)";
/// C. Fuentes Paredes: "Study and Development of Hierarchical Path Finding to Speed Up Crowd Simulation",
/// master thesis, Universitat Politècnica de Catalunya, 2014. HNA* is based on it.
pub(crate) const THESIS: &str = "Fuentes 2014 (master thesis)";
/// V. Rahmani, N. Pelechano: "Multi-agent parallel hierarchical path finding in navigation meshes
/// (MA-HNA*)", 2020.
pub(crate) const MA_HNA: &str = "Rahmani and Pelechano 2020 (MA-HNA*)";

/// Table 1 of HNA* and table 2 of MA-HNA*: scene, triangles of the geometry, triangles of the navmesh,
/// polygons.
pub(crate) const SIZES: [(&str, f64, Option<u32>, u32); 4] = [
    ("serpentine", 135.1e3, Some(10_152), 3_908),
    ("city-islands", 110.3e3, Some(14_551), 5_515),
    ("tropical", 239.1e3, Some(29_499), 12_666),
    ("medieval", 774.7e3, None, 16_867),
];

/// A published time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PublishedTime {
    pub(crate) scene: &'static str,
    /// The connecting method, `astar`, `pccp` or `cuda`. At level 0, the engine is A* on the mesh.
    pub(crate) method: &'static str,
    pub(crate) level: u8,
    pub(crate) mu: u32,
    pub(crate) ms: f64,
}

const fn time(
    scene: &'static str,
    method: &'static str,
    level: u8,
    mu: u32,
    ms: f64,
) -> PublishedTime {
    PublishedTime {
        scene,
        method,
        level,
        mu,
        ms,
    }
}

/// HNA*, section 4, on figures 8 to 10. The best time on the serpentine is given for mu 15 to 20.
pub(crate) const HNA_TIMES: [PublishedTime; 5] = [
    time("city-islands", "astar", 0, 0, 2.02),
    time("city-islands", "astar", 1, 15, 0.51),
    time("serpentine", "astar", 0, 0, 1.5),
    time("serpentine", "astar", 1, 15, 0.19),
    time("serpentine", "astar", 1, 20, 0.19),
];

/// HNA*, section 4: scene, best speed-up over A*, level, mu.
pub(crate) const HNA_BEST: [(&str, f64, u8, u32); 3] = [
    ("serpentine", 7.7, 1, 15),
    ("city-islands", 3.9, 1, 15),
    ("tropical", 4.0, 2, 6),
];

/// MA-HNA*, sections 7.1.2 and 7.2, on figures 9, 13 and 14.
pub(crate) const MA_HNA_TIMES: [PublishedTime; 13] = [
    time("city-islands", "astar", 0, 0, 2.2),
    // The text says: 9.3 times as fast as A*.
    time("city-islands", "pccp", 2, 10, 2.2 / 9.3),
    time("tropical", "astar", 0, 0, 1.7),
    time("tropical", "astar", 2, 20, 2.06),
    time("tropical", "astar", 3, 10, 9.9),
    time("tropical", "pccp", 2, 20, 0.39),
    time("tropical", "pccp", 3, 10, 0.25),
    time("medieval", "astar", 0, 0, 3.0),
    time("medieval", "astar", 2, 15, 1.28),
    time("medieval", "astar", 3, 15, 3.29),
    time("medieval", "astar", 3, 10, 9.05),
    time("medieval", "pccp", 2, 20, 1.83),
    time("medieval", "pccp", 3, 10, 1.76),
];

/// MA-HNA*, section 7.2, on figures 9, 13 and 14: HNA* that connects in parallel on a GPU.
pub(crate) const CUDA_TIMES: [PublishedTime; 4] = [
    time("city-islands", "cuda", 2, 20, 0.628),
    time("city-islands", "cuda", 3, 10, 0.33),
    time("tropical", "cuda", 2, 20, 0.404),
    time("medieval", "cuda", 3, 10, 1.88),
];

/// HNA*, section 4: mu, mean error and largest error of path lengths at level 2. [Units: %]
pub(crate) const LENGTH_ERRORS: [(u32, f64, f64); 4] = [
    (5, 0.05, 11.0),
    (10, 0.11, 13.8),
    (15, 0.17, 15.4),
    (20, 0.39, 18.6),
];

/// HNA*, section 4: level, mu, and the fraction of nodes at which searches are fastest. [Units: %]
pub(crate) const BEST_FRACTIONS: [(u8, u32, f64); 2] = [(1, 20, 12.0), (2, 6, 2.5)];

/// MA-HNA*, section 7.1.1: scene, polygons, megabytes of PCCP.
pub(crate) const PCCP_MEMORY: [(&str, u32, f64); 2] =
    [("dungeon", 119, 2.9), ("medieval", 16_867, 49.6)];

/// MA-HNA*, section 7.1.1: the mean excess of PCCP's path lengths above 100 m, and below. [Units: %]
pub(crate) const PCCP_LENGTHS: [f64; 2] = [3.0, 5.0];

/// MA-HNA*, table 3: scene, level, mu, and the number of agents with A*, HNA*, HNA* on CUDA, and PCCP.
pub(crate) const AGENTS: [(&str, u8, u32, [u32; 4]); 2] = [
    ("city-islands", 1, 20, [18, 11, 48, 63]),
    ("tropical", 2, 10, [24, 5, 62, 140]),
];

/// MA-HNA*, section 7.3, on figure 12: the method, and the lowest and the highest mean speed-up over a parallel A* of
/// the four scenes, all on a GPU.
pub(crate) const BATCH_SPEED_UPS: [(&str, f64, f64); 2] =
    [("PCCP", 4.3, 15.7), ("CUDA-HNA*", 3.6, 9.8)];

/// MA-HNA*, section 7.3, on figure 11: the number of agents that a GPU can handle in real time, even with A*.
pub(crate) const REAL_TIME_AGENTS: f64 = 500e3;

/// A row of appendix A of Fuentes 2014.
#[derive(Clone, Debug)]
pub(crate) struct AppendixRow {
    pub(crate) scene: String,
    pub(crate) mu: u32,
    pub(crate) level: u8,
    pub(crate) nodes: u32,
    pub(crate) connect_ms: f64,
    pub(crate) total_ms: f64,
}

/// Returns the rows of all seven tables of appendix A of Fuentes 2014. Level 0 is A*, with mu = 0.
pub(crate) fn appendix() -> Vec<AppendixRow> {
    let lines = include_str!("../published/appendix_a.csv").lines().skip(1);
    let row = |line: &str| {
        let mut words = line.split(',').skip(1);
        let scene = words.next()?.to_owned();
        let numbers: Vec<f64> = words.map_while(|word| word.parse().ok()).collect();
        let &[mu, level, nodes, _, connect_ms, _, _, _, total_ms] = &numbers[..] else {
            return None;
        };
        Some(AppendixRow {
            scene,
            mu: mu as u32,
            level: level as u8,
            nodes: nodes as u32,
            connect_ms,
            total_ms,
        })
    };
    lines.filter_map(row).collect()
}

/// Fuentes 2014, table 4.2, Sirius City: mu, level, portals of the start's node, portals of the goal's
/// node, milliseconds of the connect step.
pub(crate) const PORTALS: [(u32, u8, u32, u32, f64); 10] = [
    (2, 1, 3, 6, 0.077),
    (2, 2, 3, 5, 0.067),
    (2, 3, 6, 4, 0.189),
    (2, 4, 13, 8, 0.986),
    (2, 5, 10, 7, 1.436),
    (2, 6, 16, 8, 7.124),
    (2, 7, 21, 36, 17.546),
    (10, 1, 3, 5, 0.058),
    (10, 2, 5, 3, 0.195),
    (10, 3, 18, 10, 14.381),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_appendix_is_read() {
        let rows = appendix();
        let lines = include_str!("../published/appendix_a.csv").lines().count();
        assert_eq!((rows.len(), lines), (277, 278));
        let best = rows
            .iter()
            .find(|r| r.scene == "sirius" && r.mu == 10 && r.level == 2);
        let best = best.unwrap();
        assert_eq!(
            (best.nodes, best.connect_ms, best.total_ms),
            (243, 0.195, 1.245)
        );
        // A total is at least the connect step, up to rounding.
        assert!(
            rows.iter()
                .all(|row| row.total_ms + 0.003 >= row.connect_ms)
        );
    }
}
