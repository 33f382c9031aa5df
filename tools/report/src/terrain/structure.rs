//! Tables of the structure itself: over other hills, ties, entry prices, distances and sizes.

use portolan_measure::percentile;

use super::exhibits::shown;
use super::published::SOURCE;
use super::{GroundKind, TerrainReport, TerrainVariant, TieCell, published};
use crate::exhibit::{Body, Exhibit, Table, times, us};

/// The realistic means once more, on other hills.
pub(super) fn hills(report: &TerrainReport) -> Exhibit {
    let mut table = Table::new(&[
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
    let said = TerrainVariant::HIGH_MESHES.iter().enumerate().map(|(column, &engine)| {
        let all = report.hills.iter().flat_map(|cell| cell.means.map(|means| means[column]));
        let all: Vec<f64> = all.collect();
        let most = published::mean_range(GroundKind::Realistic, engine).map_or(0.0, |range| range[1]);
        let met = all.iter().filter(|&&mean| mean < most + 0.005).count();
        format!(
            "{}: {:.2} in the median, {:.2} to {:.2}, no more than the thesis's {most:.2} in {met} of {} \
             waves",
            engine.name(),
            percentile(&all, 0.5),
            percentile(&all, 0.0),
            percentile(&all, 1.0),
            all.len()
        )
    });
    Exhibit {
        id: "other-hills".to_owned(),
        title: "Other hills".to_owned(),
        source: "this run".to_owned(),
        caption: format!(
            "Mean price over A*, on up to {} targets a wave: the thesis has one map and two waves, and \
             one map is luck. Where a wave begins on a hill whose mesh borders on a valley's all \
             along, every path over that border leaves it where that is nearest, wherever it goes on \
             to.",
            report.effort.timed_targets
        ),
        verdict: said.collect::<Vec<String>>().join("; ") + ".",
        body: Body::Table(table),
    }
}

/// How near is a tie.
pub(super) fn ties(report: &TerrainReport) -> Exhibit {
    let structures = TerrainVariant::HIGH_MESHES.map(|engine| engine.name());
    let of = |ground: &str| structures.map(|structure| format!("{ground}: {structure}"));
    let header: Vec<String> = ["tie".to_owned()]
        .into_iter()
        .chain(of("cone"))
        .chain(of("hills"))
        .collect();
    let mut table = Table::new(&header.iter().map(String::as_str).collect::<Vec<_>>());
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
    Exhibit {
        id: "ties".to_owned(),
        title: "How near is a tie".to_owned(),
        source: "this run".to_owned(),
        body: Body::Table(table),
        caption: format!(
            "Mean price over A* of structures in which neighbours also count as nearest that are farther by \
             this share (terrain build --tie); both waves together, on the cone and over {} other hills. \
             Without ties only pairs are merged.",
            report.hills.len()
        ),
        verdict: match all.is_empty() {
            true => {
                "None keeps within all of the thesis's ranges, on the cone and on hills.".to_owned()
            }
            false => format!(
                "Within all of the thesis's ranges or below: {}.",
                all.join(", ")
            ),
        },
    }
}

/// The four entry prices.
pub(super) fn entries(report: &TerrainReport) -> Exhibit {
    let mut table = Table::new(&[
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
    Exhibit {
        id: "entries".to_owned(),
        title: "The four entry prices".to_owned(),
        source: format!("{SOURCE}, chapter 5.2.2"),
        body: Body::Table(table),
        caption: format!(
            "Mean price over A*, both waves together, on up to {} targets each, of structures that were \
             merged and priced by each.",
            report.effort.timed_targets
        ),
        verdict: best.map_or_else(String::new, |best| {
            let choice = "worst-unit";
            format!(
                "The thesis chose {choice} as seeming the best. Here {} is the lowest over the three \
                 structures, on {}.",
                if best.entry == choice { "it" } else { &best.entry },
                best.ground
            )
        }),
    }
}

/// Picture 5.2.
pub(super) fn hillside(report: &TerrainReport) -> Vec<Exhibit> {
    let mut table = Table::new(&["distances", "along", "up", "down", "up over along"]);
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
    let said = report.hillside.iter().map(|cell| {
        let along = cell.up / cell.along;
        format!(
            "by {} up costs {} what along does",
            cell.distances,
            times(along)
        )
    });
    let said = said.collect::<Vec<String>>().join(", ");
    vec![
        Exhibit {
            id: "hillside".to_owned(),
            title: "Both distances on a hillside".to_owned(),
            source: format!("{SOURCE}, chapter 5.1.1"),
            body: Body::Table(table),
            caption: format!(
                "What a length of 1 costs on ground that rises to the north by {slope} a length, with \
                 two triangles a square."
            ),
            verdict: format!(
                "The thesis says that by centroids the distance along a contour line rises almost as \
                 fast as across it. Here {said}."
            ),
        },
        Exhibit {
            id: "hillside-pictures".to_owned(),
            title: "Waves on a hillside".to_owned(),
            source: format!("{SOURCE}, picture 5.2"),
            body: Body::Pictures(shown(&files, &labels)),
            caption: "From the middle; the dearer to get to, the more saturated, in bands of equal price.".to_owned(),
            verdict: "A wave that follows contour lines is a flat lens; one that does not is round."
                .to_owned(),
        },
    ]
}

/// Building, memory and speed over sizes.
pub(super) fn sizes(report: &TerrainReport) -> Exhibit {
    let mut table = Table::new(&[
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
    let [least, most] = [f64::min, f64::max].map(|pick| each.iter().copied().reduce(pick));
    Exhibit {
        id: "sizes".to_owned(),
        title: "Building over sizes".to_owned(),
        source: format!("{SOURCE}, chapter 7"),
        body: Body::Table(table),
        caption: "Hills of the same seed, four triangles a square. Bytes are of ground, crossings and \
                  full structure together. Times of paths are means over pairs all over the map."
            .to_owned(),
        verdict: least.zip(most).map_or_else(String::new, |(least, most)| {
            format!(
                "Joints take {least:.1} to {most:.1} bytes a triangle at every size: linear, where the \
                 thesis leaves them quadratic."
            )
        }),
    }
}
