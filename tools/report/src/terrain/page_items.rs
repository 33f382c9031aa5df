//! The tables and pictures of the page, each with a verdict that is generated from its numbers.

use super::published::{ENGINES, PublishedPathTable, PublishedWaveTable, TERRAIN_THESIS};
use super::{
    GroundCell, GroundKind, PathAnswer, PathCell, TerrainReport, TerrainVariant, WaveAnswer,
    WaveCell, published,
};
use crate::page_item::{ItemBody, PageItem, PagePicture, PageTable, times, us};
use crate::tables::anchor;

/// Lists the criteria and whether they are met.
pub(super) fn criteria(report: &TerrainReport) -> PageItem {
    let mut table = PageTable::new(&["what", "ground", "measured", "wanted", ""]);
    for criterion in &report.criteria {
        table.rows.push(vec![
            criterion.requirement.clone(),
            criterion.ground.clone(),
            criterion.measured.clone(),
            criterion.threshold.clone(),
            if criterion.is_met { "met" } else { "not met" }.to_owned(),
        ]);
    }
    let missed: Vec<String> = report
        .criteria
        .iter()
        .filter(|criterion| !criterion.is_met)
        .map(|criterion| format!("{} ({})", criterion.requirement, criterion.ground))
        .collect();
    let met = report.criteria.len() - missed.len();
    PageItem {
        id: "bars".to_owned(),
        title: "Criteria of the evaluation".to_owned(),
        source: "this run".to_owned(),
        body: ItemBody::Table(table),
        caption: "Measured values and thresholds, per ground. Two values belong to the two waves. The \
                  thresholds of costs are the thesis's results; criteria about times are subject to noise."
            .to_owned(),
        verdict: if missed.is_empty() {
            format!("All {met} criteria are met.")
        } else {
            format!(
                "{met} of {} criteria are met. Not met: {}.",
                report.criteria.len(),
                missed.join("; ")
            )
        },
    }
}

/// Shows the relief of a ground and its merge steps.
pub(super) fn ground(ground: &GroundCell) -> Vec<PageItem> {
    let name = &ground.name;
    let [picture, section] = match ground.kind {
        GroundKind::Cone => ["pictures 8.3 and 9.1", "sections 8.2 and 8.3"],
        GroundKind::OtherCone => ["picture 8.3", "sections 8.2 and 8.3"],
        GroundKind::Realistic => ["pictures 8.6 and 9.6", "section 8.4"],
    };
    let relief = PageItem {
        id: format!("{name}-ground"),
        title: format!("{}: relief", ground.title),
        source: format!("{TERRAIN_THESIS}, {picture}"),
        body: ItemBody::Pictures(labelled(&ground.pictures, &["relief".to_owned()])),
        caption: format!(
            "Relief of the height map: {} x {} pixels, {} triangles. North is up.",
            ground.pixels[0], ground.pixels[1], ground.triangles
        ),
        verdict: layers(ground),
    };
    let labels: Vec<String> = ground
        .steps
        .iter()
        .map(|step| format!("iteration {}: {} tops", step.iteration, step.tops))
        .collect();
    let files: Vec<String> = ground
        .steps
        .iter()
        .map(|step| step.picture.clone())
        .collect();
    let merging = PageItem {
        id: format!("{name}-steps"),
        title: format!("{}: merge steps", ground.title),
        source: format!("{TERRAIN_THESIS}, {section}"),
        body: ItemBody::Pictures(labelled(&files, &labels)),
        caption: format!(
            "Tops (meshes without a parent) after {} of {} iterations of merging, each in its own colour. \
             The iterations are selected so that the number of tops falls by about the same factor.",
            ground.steps.len(),
            ground.tops.len()
        ),
        verdict: follows_contours(ground),
    };
    vec![relief, merging]
}

/// Describes the structures of a ground.
fn layers(ground: &GroundCell) -> String {
    let structures = ground.structures.iter().map(|structure| {
        format!(
            "{}: {} layers, {} meshes, {:.1} children per High Mesh on average and {} at most",
            structure.engine.name(),
            structure.layers,
            structure.meshes,
            structure.mean_children,
            structure.max_children
        )
    });
    structures.collect::<Vec<String>>().join("; ") + "."
}

/// The height spread below which tops are said to follow contour lines. A spread of almost 1 says nothing.
const CLEARLY_BELOW: f64 = 0.9;

/// Describes whether tops follow contour lines.
fn follows_contours(ground: &GroundCell) -> String {
    let spreads: Vec<String> = ground
        .steps
        .iter()
        .map(|step| format!("{:.2}", step.height_spread))
        .collect();
    let below = ground
        .steps
        .iter()
        .filter(|step| step.height_spread < CLEARLY_BELOW)
        .count();
    format!(
        "The standard deviation of heights within a top, relative to a compact piece of as many triangles \
         at the same position, is {} in these iterations. It is below {CLEARLY_BELOW}, that is, tops \
         clearly follow contour lines, in {below} of {} iterations.",
        spreads.join(", "),
        spreads.len()
    )
}

/// Returns the tables of a ground, each followed by its pictures.
pub(super) fn tables(ground: &GroundCell) -> Vec<PageItem> {
    let mut items = Vec::new();
    for (cell, table) in ground.paths.iter().zip(published::paths(ground.kind)) {
        items.push(path_table(ground, cell, &table));
        items.push(path_pictures(ground, cell, table.number));
    }
    for (cell, table) in ground.waves.iter().zip(published::waves(ground.kind)) {
        items.push(wave_table(ground, cell, &table));
        items.push(wave_pictures(ground, cell, table.number));
    }
    items
}

/// Returns an empty table with the columns of all variants and of the thesis.
fn columns() -> PageTable {
    let own = TerrainVariant::ALL.map(|engine| engine.name().to_owned());
    let published = ENGINES.map(|engine| format!("paper: {}", engine.name()));
    PageTable {
        columns: [String::new()]
            .into_iter()
            .chain(own)
            .chain(published)
            .collect(),
        ..PageTable::default()
    }
}

/// Names the table of the thesis.
fn source(ground: &GroundCell, number: &str) -> String {
    match ground.kind {
        GroundKind::OtherCone => {
            format!("{TERRAIN_THESIS}, table {number}, which has four triangles per square")
        }
        _ => format!("{TERRAIN_THESIS}, table {number}"),
    }
}

/// Formats a value and its ratio to the first column: `19.260 (148%)`.
fn relative_to_first(value: f64, first: f64) -> String {
    if first > 0.0 {
        format!("{value:.3} ({:.0}%)", 100.0 * value / first)
    } else {
        format!("{value:.3}")
    }
}

/// Repeats the table of a path.
fn path_table(ground: &GroundCell, cell: &PathCell, thesis: &PublishedPathTable) -> PageItem {
    let mut table = columns();
    let answers: Vec<Option<&PathAnswer>> = TerrainVariant::ALL
        .iter()
        .map(|&engine| cell.answers.iter().find(|answer| answer.engine == engine))
        .collect();
    let mut row = |name: &str, of: fn(&PathAnswer) -> f64, paper: [f64; 4], is_time: bool| {
        let first = answers[0].map_or(0.0, of);
        let mut words = vec![name.to_owned()];
        words.extend(answers.iter().map(|answer| match answer {
            None => "-".to_owned(),
            Some(answer) if is_time => format!("{} µs", us(of(answer))),
            Some(answer) => relative_to_first(of(answer), first),
        }));
        words.extend(paper.map(|value| {
            if is_time {
                format!("{value} ms")
            } else {
                relative_to_first(value, paper[0])
            }
        }));
        table.rows.push(words);
    };
    row("time", |answer| answer.time_us, thesis.ms, true);
    row(
        "distance (price)",
        |answer| answer.price,
        thesis.price,
        false,
    );
    row("XYZ", |answer| answer.xyz, thesis.xyz, false);
    row("XY", |answer| answer.xy, thesis.xy, false);
    row("Z", |answer| answer.z, thesis.z, false);
    PageItem {
        id: format!("{}-{}", ground.name, cell.name),
        title: format!("{}: {} path", ground.title, cell.name),
        source: source(ground, thesis.number),
        body: ItemBody::Table(table),
        caption: format!(
            "Search time and cost of one path from ({:.2}, {:.2}) to ({:.2}, {:.2}), with percentages \
             relative to A*; A* crosses {} triangles. Times are medians of all rounds.",
            cell.from[0],
            cell.from[1],
            cell.to[0],
            cell.to[1],
            answers[0].map_or(0, |answer| answer.triangles.len())
        ),
        verdict: compare_with_thesis(|engine, column| {
            let [astar, own] = [TerrainVariant::Astar, engine]
                .map(|engine| cell.answers.iter().find(|answer| answer.engine == engine));
            let (astar, own) = (astar?, own?);
            Some(ThesisComparison {
                costs: [
                    own.price / astar.price,
                    thesis.price[column] / thesis.price[0],
                ],
                speed_ups: [
                    astar.time_us / own.time_us,
                    thesis.ms[0] / thesis.ms[column],
                ],
            })
        }),
    }
}

/// A result of Portolan and the corresponding result of the thesis, in this order.
struct ThesisComparison {
    /// The costs relative to A*'s.
    costs: [f64; 2],
    /// The speed-ups, each relative to its own A*.
    speed_ups: [f64; 2],
}

/// Compares the cost and the speed-up of each structure with the thesis's.
fn compare_with_thesis(of: impl Fn(TerrainVariant, usize) -> Option<ThesisComparison>) -> String {
    let structures = TerrainVariant::HIGH_MESHES.into_iter().zip(1..);
    let findings = structures.filter_map(|(engine, column)| {
        let comparison = of(engine, column)?;
        let [own, published] = comparison.costs;
        let relation = if own < published - 0.005 {
            "below"
        } else if own > published + 0.005 {
            "above"
        } else {
            "equal to"
        };
        let [speed_up, published_speed_up] = comparison.speed_ups.map(times);
        Some(format!(
            "{}: {own:.2} times A*'s cost, {relation} the thesis's {published:.2}, and {speed_up} as fast \
             as A* (thesis: {published_speed_up})",
            engine.name(),
        ))
    });
    findings.collect::<Vec<String>>().join("; ") + "."
}

/// Repeats the table of a wave.
fn wave_table(ground: &GroundCell, cell: &WaveCell, thesis: &PublishedWaveTable) -> PageItem {
    let mut table = columns();
    let answers = TerrainVariant::ALL.map(|engine| cell.answer(engine));
    let percent = |value: f64| format!("{:.1}%", 100.0 * value);
    let mut row = |name: &str, of: &dyn Fn(&WaveAnswer) -> String, paper: [String; 4]| {
        let own = answers.map(|answer| answer.map_or("-".to_owned(), of));
        let words = [name.to_owned()].into_iter().chain(own).chain(paper);
        table.rows.push(words.collect());
    };
    row(
        "computing time",
        &|answer| format!("{:.0} ms", answer.all_ms(cell)),
        thesis.ms.map(|value| format!("{value} ms")),
    );
    row(
        "time per path",
        &|answer| format!("{} µs", us(answer.path_us)),
        [const { String::new() }; 4],
    );
    for (quartile, paper) in thesis.quartiles.iter().enumerate() {
        row(
            ["Q1", "Q2", "Q3", "Q4 (maximum)"][quartile],
            &|answer| percent(answer.quartiles[quartile]),
            paper.map(|value| format!("{value}%")),
        );
    }
    row(
        "mean",
        &|answer| percent(answer.mean),
        thesis.mean.map(|value| format!("{value}%")),
    );
    let missing: usize = cell.answers.iter().map(|answer| answer.missing).sum();
    let complete = match missing {
        0 => String::new(),
        _ => format!(" {missing} paths are missing or invalid. This is a bug; please report it."),
    };
    PageItem {
        id: format!("{}-wave-{}", ground.name, anchor(&cell.name)),
        title: format!("{}: wave (start: {})", ground.title, cell.name),
        source: source(ground, thesis.number),
        body: ItemBody::Table(table),
        caption: format!(
            "Search time, and quartiles of the cost relative to A*'s, of {} paths from ({:.2}, {:.2}). \
             Every engine was timed on the same {} paths{}.",
            cell.targets,
            cell.from[0],
            cell.from[1],
            cell.timed,
            if cell.timed < cell.targets {
                "; the computing time is extrapolated from them to all paths"
            } else {
                ""
            }
        ),
        verdict: compare_with_thesis(|engine, column| {
            let (astar, own) = (cell.answer(TerrainVariant::Astar)?, cell.answer(engine)?);
            Some(ThesisComparison {
                costs: [own.mean, thesis.mean[column] / 100.0],
                speed_ups: [
                    astar.path_us / own.path_us,
                    thesis.ms[0] / thesis.ms[column],
                ],
            })
        }) + &complete,
    }
}

/// Pairs files with labels.
pub(super) fn labelled(files: &[String], labels: &[String]) -> Vec<PagePicture> {
    let pairs = files.iter().zip(labels);
    let picture = |(file, label): (&String, &String)| PagePicture {
        file: file.clone(),
        label: label.clone(),
    };
    pairs.map(picture).collect()
}

/// Shows the paths of all engines.
fn path_pictures(ground: &GroundCell, cell: &PathCell, number: &str) -> PageItem {
    let picture = match number {
        "9.1" => "9.2",
        "9.2" => "9.3",
        "9.5" => "9.7",
        _ => "9.8",
    };
    let labels = ["full", "10 layers", "5 layers", "HNA* and contraction"].map(str::to_owned);
    PageItem {
        id: format!("{}-{}-pictures", ground.name, cell.name),
        title: format!("{}: {} path, pictures", ground.title, cell.name),
        source: format!("{TERRAIN_THESIS}, picture {picture}"),
        body: ItemBody::Pictures(labelled(&cell.pictures, &labels)),
        caption: "Paths of A* (red) and High Meshes (light blue); in the last picture, HNA* (yellow) and the \
                  contraction (light blue). Where paths coincide, the one drawn later covers the other."
            .to_owned(),
        verdict: {
            let astar = cell.answers.first();
            let overlaps = cell.answers.iter().skip(1).filter_map(|answer| {
                let common = common_fraction(astar?, answer);
                Some(format!("{} {:.0}%", answer.engine.name(), 100.0 * common))
            });
            let overlaps: Vec<String> = overlaps.collect();
            format!(
                "Percentage of A*'s triangles that are also on the path: {}.",
                overlaps.join(", ")
            )
        },
    }
}

/// Returns the fraction of a path's triangles that are also on the other path.
fn common_fraction(of: &PathAnswer, other: &PathAnswer) -> f64 {
    let on: std::collections::HashSet<u32> = other.triangles.iter().copied().collect();
    let common = of.triangles.iter().filter(|triangle| on.contains(triangle));
    common.count() as f64 / of.triangles.len().max(1) as f64
}

/// Shows the costs of a wave.
fn wave_pictures(ground: &GroundCell, cell: &WaveCell, number: &str) -> PageItem {
    let picture = match number {
        "9.3" => "9.4",
        "9.4" => "9.5",
        "9.7" => "9.9",
        _ => "9.10",
    };
    let labels = ENGINES.map(|engine| engine.name().to_owned());
    PageItem {
        id: format!("{}-wave-{}-pictures", ground.name, anchor(&cell.name)),
        title: format!("{}: wave (start: {}), pictures", ground.title, cell.name),
        source: format!("{TERRAIN_THESIS}, picture {picture}"),
        body: ItemBody::Pictures(labelled(&cell.pictures, &labels)),
        caption: "Cost to reach each triangle: the darkest colour for the lowest cost, the most saturated one for \
                  A*'s highest cost. All four pictures have this scale. Higher costs are blue, and the legend says \
                  how many triangles have them."
            .to_owned(),
        verdict: {
            let means = cell
                .answers
                .iter()
                .map(|answer| format!("{} {:.2}", answer.engine.name(), answer.mean));
            format!(
                "Mean cost relative to A*: {}.",
                means.collect::<Vec<String>>().join(", ")
            )
        },
    }
}
