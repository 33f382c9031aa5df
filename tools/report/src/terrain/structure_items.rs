//! The tables about properties of the structure: other hills, ties, entry prices, distances and sizes.

use portolan_measure::percentile;

use super::page_items::labelled;
use super::published::TERRAIN_THESIS;
use super::{GroundKind, TerrainReport, TerrainVariant, TieCell, published};
use crate::page_item::{ItemBody, PageItem, PageTable, times, us};

/// Lists the mean costs on other hills.
pub(super) fn hills(report: &TerrainReport) -> PageItem {
    let mut table = PageTable::new(&[
        "seed",
        "layers",
        "valley: full",
        "valley: 10 layers",
        "valley: 5 layers",
        "hill: full",
        "hill: 10 layers",
        "hill: 5 layers",
    ]);
    for cell in &report.hills {
        let mut words = vec![cell.seed.to_string(), cell.layers.to_string()];
        words.extend(cell.means.iter().flatten().map(|mean| format!("{mean:.2}")));
        table.rows.push(words);
    }
    let findings = TerrainVariant::HIGH_MESHES.iter().enumerate().map(|(column, &engine)| {
        let all = report.hills.iter().flat_map(|cell| cell.means.map(|means| means[column]));
        let all: Vec<f64> = all.collect();
        let max = published::mean_range(GroundKind::Realistic, engine).map_or(0.0, |range| range[1]);
        let met = all.iter().filter(|&&mean| mean < max + 0.005).count();
        format!(
            "{}: median {:.2}, range {:.2} to {:.2}, not above the thesis's {max:.2} in {met} of {} waves",
            engine.name(),
            percentile(&all, 0.5),
            percentile(&all, 0.0),
            percentile(&all, 1.0),
            all.len()
        )
    });
    PageItem {
        id: "other-hills".to_owned(),
        title: "Other hills".to_owned(),
        source: "this run".to_owned(),
        caption: format!(
            "Mean cost relative to A* on generated hills with other seeds, on up to {} targets per wave; \
             the thesis has one map and two waves. If a wave starts on a hill whose mesh shares a long \
             border with the mesh of a valley, every path across that border leaves where the border is \
             nearest, regardless of its goal.",
            report.effort.timed_targets
        ),
        verdict: findings.collect::<Vec<String>>().join("; ") + ".",
        body: ItemBody::Table(table),
    }
}

/// Lists the mean costs per tie tolerance.
pub(super) fn ties(report: &TerrainReport) -> PageItem {
    let structures = TerrainVariant::HIGH_MESHES.map(|engine| engine.name());
    let of = |ground: &str| structures.map(|structure| format!("{ground}: {structure}"));
    let header: Vec<String> = ["tie".to_owned()]
        .into_iter()
        .chain(of("cone"))
        .chain(of("hills"))
        .collect();
    let mut table = PageTable::new(&header.iter().map(String::as_str).collect::<Vec<_>>());
    for cell in &report.ties {
        let mut words = vec![cell.tie.to_string()];
        words.extend(
            cell.cone
                .iter()
                .chain(&cell.hills)
                .map(|mean| format!("{mean:.2}")),
        );
        table.rows.push(words);
    }
    let within = |cell: &&TieCell| {
        let kinds = [
            (GroundKind::Cone, cell.cone),
            (GroundKind::Realistic, cell.hills),
        ];
        kinds.iter().all(|&(kind, means)| {
            TerrainVariant::HIGH_MESHES
                .iter()
                .zip(means)
                .all(|(&engine, mean)| {
                    published::mean_range(kind, engine).is_none_or(|range| mean < range[1] + 0.005)
                })
        })
    };
    let all: Vec<String> = report
        .ties
        .iter()
        .filter(within)
        .map(|cell| cell.tie.to_string())
        .collect();
    PageItem {
        id: "ties".to_owned(),
        title: "Tie tolerance".to_owned(),
        source: "this run".to_owned(),
        body: ItemBody::Table(table),
        caption: format!(
            "Mean cost relative to A* of structures that were merged with a tie tolerance (terrain build \
             --tie): a neighbour that is farther by at most this fraction also counts as nearest. Both \
             waves together, on the cone and on {} other hills. Without ties only pairs are merged.",
            report.hills.len()
        ),
        verdict: match all.is_empty() {
            true => {
                "No tolerance is within or below all of the thesis's ranges on the cone and on hills.".to_owned()
            }
            false => format!(
                "Tolerances within or below all of the thesis's ranges: {}.",
                all.join(", ")
            ),
        },
    }
}

/// Lists the mean costs per entry price.
pub(super) fn entries(report: &TerrainReport) -> PageItem {
    let mut table = PageTable::new(&[
        "ground",
        "entry price",
        "layers",
        "full",
        "10 layers",
        "5 layers",
    ]);
    let mean = |means: [f64; 3]| means.iter().sum::<f64>() / 3.0;
    let best = report
        .entries
        .iter()
        .min_by(|a, b| mean(a.means).total_cmp(&mean(b.means)));
    for (row, cell) in report.entries.iter().enumerate() {
        let mut words = vec![
            cell.ground.clone(),
            cell.entry.clone(),
            cell.layers.to_string(),
        ];
        words.extend(cell.means.map(|mean| format!("{mean:.3}")));
        table.rows.push(words);
        if Some(cell) == best {
            table.best.push(row);
        }
    }
    PageItem {
        id: "entries".to_owned(),
        title: "Entry prices".to_owned(),
        source: format!("{TERRAIN_THESIS}, section 5.2.2"),
        body: ItemBody::Table(table),
        caption: format!(
            "Mean cost relative to A* of structures that were merged with each of the four entry prices \
             (terrain build --entry), over both waves with up to {} targets each. The row marked ★ has the \
             lowest mean over the three structures.",
            report.effort.timed_targets
        ),
        verdict: best.map_or_else(String::new, |best| {
            let choice = "worst-unit";
            format!(
                "The thesis considers {choice} the best. In this run, {} has the lowest mean over the three \
                 structures, on {}.",
                best.entry, best.ground
            )
        }),
    }
}

/// Compares the two distance functions on a hillside (picture 5.2 of the thesis).
pub(super) fn hillside(report: &TerrainReport) -> Vec<PageItem> {
    let mut table = PageTable::new(&["distances", "along", "up", "down", "up over along"]);
    for cell in &report.hillside {
        let mut words = vec![cell.distances.clone()];
        words.extend([cell.along, cell.up, cell.down].map(|price| format!("{price:.2}")));
        words.push(times(cell.up / cell.along));
        table.rows.push(words);
    }
    let files: Vec<String> = report
        .hillside
        .iter()
        .map(|cell| cell.picture.clone())
        .collect();
    let labels: Vec<String> = report
        .hillside
        .iter()
        .map(|cell| cell.distances.clone())
        .collect();
    let slope = report.hillside.first().map_or(0.0, |cell| cell.slope);
    let findings = report.hillside.iter().map(|cell| {
        format!(
            "with {}, walking up costs {} as much as walking along the contour line",
            cell.distances,
            times(cell.up / cell.along)
        )
    });
    let findings = findings.collect::<Vec<String>>().join(", ");
    vec![
        PageItem {
            id: "hillside".to_owned(),
            title: "Distance functions on a hillside".to_owned(),
            source: format!("{TERRAIN_THESIS}, section 5.1.1"),
            body: ItemBody::Table(table),
            caption: format!(
                "Cost per unit of length along the contour line, straight up and straight down, on ground \
                 that rises to the north with slope {slope}, with two triangles per square."
            ),
            verdict: format!(
                "The thesis says that with centroids, the distance along a contour line grows almost as \
                 fast as across it. In this run, {findings}."
            ),
        },
        PageItem {
            id: "hillside-pictures".to_owned(),
            title: "Waves on a hillside".to_owned(),
            source: format!("{TERRAIN_THESIS}, picture 5.2"),
            body: ItemBody::Pictures(labelled(&files, &labels)),
            caption: "Cost to reach each triangle from the centre; a higher cost is more saturated.".to_owned(),
            verdict: "If walking along a contour line is cheap, the wave is a flat lens; otherwise it is round."
                .to_owned(),
        },
    ]
}

/// Lists build time, memory and search time per size of the ground.
pub(super) fn sizes(report: &TerrainReport) -> PageItem {
    let mut table = PageTable::new(&[
        "pixels",
        "triangles",
        "crossings (ms)",
        "merge (ms)",
        "price (ms)",
        "layers",
        "meshes",
        "bytes a triangle",
        "joint bytes a triangle",
        "A* (µs)",
        "full (µs)",
        "10 layers (µs)",
        "5 layers (µs)",
        "best over A*",
    ]);
    for cell in &report.sizes {
        let each = |bytes: usize| format!("{:.1}", bytes as f64 / cell.triangles as f64);
        let ms = |value: f64| format!("{value:.1}");
        let mut words = vec![
            format!("{0} x {0}", cell.size),
            cell.triangles.to_string(),
            ms(cell.crossings_ms),
            ms(cell.merge_ms),
            ms(cell.price_ms),
            cell.layers.to_string(),
            cell.meshes.to_string(),
            each(cell.bytes),
            each(cell.joint_bytes),
        ];
        words.extend(cell.path_us.iter().map(|&(_, time)| us(time)));
        let of = |is_astar: bool| {
            let some = cell.path_us.iter();
            let some =
                some.filter(move |(engine, _)| (*engine == TerrainVariant::Astar) == is_astar);
            some.map(|&(_, time)| time).fold(f64::INFINITY, f64::min)
        };
        words.push(times(of(true) / of(false)));
        table.rows.push(words);
    }
    let each: Vec<f64> = report
        .sizes
        .iter()
        .map(|cell| cell.joint_bytes as f64 / cell.triangles as f64)
        .collect();
    let [min, max] = [f64::min, f64::max].map(|pick| each.iter().copied().reduce(pick));
    PageItem {
        id: "sizes".to_owned(),
        title: "Build time, memory and search time per size".to_owned(),
        source: format!("{TERRAIN_THESIS}, chapter 7"),
        body: ItemBody::Table(table),
        caption: format!(
            "Generated hills with the same seed and four triangles per square. The bytes are of ground, \
             crossings and full structure together. Search times are means over {} pairs of triangles \
             spread over the map.",
            report.effort.size_paths
        ),
        verdict: min.zip(max).map_or_else(String::new, |(min, max)| {
            format!(
                "Joints take {min:.1} to {max:.1} bytes per triangle at every size, so their memory is \
                 linear; in the thesis it is quadratic in the worst case."
            )
        }),
    }
}
