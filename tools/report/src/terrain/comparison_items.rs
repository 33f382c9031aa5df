//! The tables and pictures of the comparisons.

use super::page_items::labelled;
use super::published::TERRAIN_THESIS;
use super::{EditCell, TerrainReport, TerrainVariant};
use crate::page_item::{ItemBody, PageItem, PageTable, us};

fn ratio(value: f64) -> String {
    format!("{value:.2}")
}

/// Compares the two methods of compression on the other hills.
pub(super) fn compression(report: &TerrainReport) -> PageItem {
    let mut table = PageTable::new(&[
        "seed",
        "valley: 10 layers",
        "valley: 10 balanced",
        "valley: 5 layers",
        "valley: 5 balanced",
        "hill: 10 layers",
        "hill: 10 balanced",
        "hill: 5 layers",
        "hill: 5 balanced",
    ]);
    let mut better = [0, 0];
    for cell in &report.hills {
        let mut words = vec![cell.seed.to_string()];
        for ([_, ten, five], [balanced_ten, balanced_five]) in cell.means.iter().zip(cell.balanced)
        {
            let pairs = [[*ten, balanced_ten], [*five, balanced_five]];
            words.extend(pairs.as_flattened().iter().map(|&mean| ratio(mean)));
            for (better, [thesis, balanced]) in better.iter_mut().zip(pairs) {
                *better += usize::from(balanced < thesis);
            }
        }
        table.rows.push(words);
    }
    let waves = 2 * report.hills.len();
    let children = report.grounds.iter().map(|ground| {
        let most = ground
            .structures
            .iter()
            .filter(|s| s.engine != TerrainVariant::Full);
        let most = most.map(|s| format!("{} {}", s.engine.name(), s.max_children));
        format!(
            "{}: {}",
            ground.name,
            most.collect::<Vec<String>>().join(", ")
        )
    });
    PageItem {
        id: "compression".to_owned(),
        title: "Methods of compression".to_owned(),
        source: format!("{TERRAIN_THESIS}, chapter 6"),
        body: ItemBody::Table(table),
        caption: "Mean cost relative to A* with compression as in chapter 6 of the thesis (terrain build \
                  --compression thesis: of the meshes whose compression lowers the tree, those with the fewest \
                  children are compressed, step by step), and with balanced compression (the largest number of \
                  children is as small as possible)."
            .to_owned(),
        verdict: format!(
            "Balanced compression has the lower mean with 10 layers in {} and with 5 layers in {} of {waves} waves. \
             Largest number of children: {}.",
            better[0],
            better[1],
            children.collect::<Vec<String>>().join("; ")
        ),
    }
}

/// Compares the two unit distances.
pub(super) fn units(report: &TerrainReport) -> PageItem {
    let names = TerrainVariant::HIGH_MESHES.map(TerrainVariant::name);
    let of = |ground: &str| names.map(|name| format!("{ground}: {name}"));
    let columns = ["unit distance".to_owned()];
    let columns = columns.into_iter().chain(of("cone")).chain(of("hills"));
    let columns: Vec<String> = columns.collect();
    let mut table = PageTable::new(&columns.iter().map(String::as_str).collect::<Vec<_>>());
    let sum = |means: &[f64]| means.iter().sum::<f64>();
    for cell in &report.units {
        let mut words = vec![cell.unit.clone()];
        words.extend(cell.cone.iter().chain(&cell.hills).map(|&mean| ratio(mean)));
        table.rows.push(words);
    }
    let best = |of: fn(&super::UnitCell) -> [f64; 3]| {
        let cells = report.units.iter();
        let best = cells.min_by(|a, b| sum(&of(a)).total_cmp(&sum(&of(b))));
        best.map_or("-", |cell| cell.unit.as_str())
    };
    PageItem {
        id: "units".to_owned(),
        title: "Unit distances".to_owned(),
        source: format!("{TERRAIN_THESIS}, section 5.2.1"),
        body: ItemBody::Table(table),
        caption: "Mean cost relative to A* of structures that were merged with each unit distance (terrain build \
                  --unit). The thesis halves the sum of both directions and divides the price by the length, but does \
                  not say in which order."
            .to_owned(),
        verdict: format!(
            "The lower mean over the three structures has {} on the cone and {} on the other hills.",
            best(|cell| cell.cone),
            best(|cell| cell.hills)
        ),
    }
}

/// Shows all merge steps of the simple map.
pub(super) fn simple(report: &TerrainReport) -> Vec<PageItem> {
    let simple = &report.simple;
    let labels = simple.steps.iter().map(|step| {
        format!(
            "{}: {} tops, {:.0}% pure",
            step.iteration,
            step.tops,
            100.0 * step.purity
        )
    });
    let labels: Vec<String> = labels.collect();
    let files: Vec<String> = simple
        .steps
        .iter()
        .map(|step| step.picture.clone())
        .collect();
    let pure = simple
        .steps
        .iter()
        .take_while(|step| step.purity > 0.999)
        .last();
    let ground = [simple.picture.clone()];
    vec![
        PageItem {
            id: "simple".to_owned(),
            title: "Simple map: relief".to_owned(),
            source: format!("{TERRAIN_THESIS}, picture 8.1"),
            body: ItemBody::Pictures(labelled(&ground, &["relief".to_owned()])),
            caption: format!(
                "A primitive maze of {} triangles: a path between walls.",
                simple.triangles
            ),
            verdict: "The thesis expects meshes of the path, of the tops of the walls, and of their sides.".to_owned(),
        },
        PageItem {
            id: "simple-steps".to_owned(),
            title: "Simple map: all merge steps".to_owned(),
            source: format!("{TERRAIN_THESIS}, picture 8.2"),
            body: ItemBody::Pictures(labelled(&files, &labels)),
            caption: "Tops after every iteration. A triangle is pure if most of its top is of its kind: path, top of \
                      a wall, or side of a wall."
                .to_owned(),
            verdict: match pure {
                Some(step) => format!(
                    "All triangles are pure until {} of {} iterations, when {} tops are left.",
                    step.iteration,
                    simple.steps.len(),
                    step.tops
                ),
                None => "Tops of different kinds merge in the first iteration.".to_owned(),
            },
        },
    ]
}

/// Compares the grid with triangles along contour lines.
pub(super) fn contours(report: &TerrainReport) -> PageItem {
    let mut table = PageTable::new(&[
        "ground",
        "triangles of",
        "number",
        "layers",
        "full",
        "10 layers",
        "5 layers",
    ]);
    for cell in &report.contours {
        let mut words = vec![
            cell.ground.clone(),
            cell.triangulation.clone(),
            cell.triangles.to_string(),
            cell.layers.to_string(),
        ];
        words.extend(cell.means.map(ratio));
        table.rows.push(words);
    }
    let findings = report.contours.chunks(2).filter_map(|pair| {
        let [grid, contours] = pair else { return None };
        let below = grid.means.iter().zip(contours.means);
        let below = below.filter(|(grid, contours)| *contours < **grid).count();
        Some(format!("{}: {below} of 3", grid.ground))
    });
    PageItem {
        id: "contours".to_owned(),
        title: "Triangles along contour lines".to_owned(),
        source: format!("{TERRAIN_THESIS}, chapter 10"),
        body: ItemBody::Table(table),
        caption: "Mean cost relative to A* on the same triangles, over both waves: a grid with four triangles per \
                  square, and a grid with two triangles per square that is cut at contour lines until it has as many \
                  triangles (terrain build --contours)."
            .to_owned(),
        verdict: format!(
            "The thesis expects fewer artefacts if edges follow contour lines. Structures with a lower mean than on \
             the grid: {}.",
            findings.collect::<Vec<String>>().join(", ")
        ),
    }
}

/// Lists the starts with expensive paths.
pub(super) fn bad(report: &TerrainReport) -> PageItem {
    let mut table = PageTable::new(&[
        "ground",
        "start",
        "engine",
        "mean",
        "median",
        "maximum",
        "time (µs)",
    ]);
    for cell in &report.bad {
        for answer in &cell.answers {
            table.rows.push(vec![
                cell.ground.clone(),
                cell.start.clone(),
                answer.engine.clone(),
                ratio(answer.mean),
                ratio(answer.median),
                ratio(answer.max),
                us(answer.path_us),
            ]);
        }
    }
    let findings = report.bad.iter().filter_map(|cell| {
        let of = |name: &str| {
            cell.answers
                .iter()
                .find(|answer| answer.engine.contains(name))
        };
        let (plain, repaired, astar) = (of("10 layers, balanced")?, of("repaired")?, of("A*")?);
        Some(format!(
            "{} ({}): {:.2} with 10 balanced layers, {:.2} repaired, in {:.2} times the time of A*",
            cell.ground,
            cell.start,
            plain.mean,
            repaired.mean,
            repaired.path_us / astar.path_us
        ))
    });
    PageItem {
        id: "bad".to_owned(),
        title: "Expensive paths".to_owned(),
        source: "this run".to_owned(),
        body: ItemBody::Table(table),
        caption: "Cost relative to A*'s from starts where High Meshes do badly. Merging can join a piece of a valley's \
                  floor to the slope beside it before it joins the pieces of the floor; a path from one piece to the \
                  next then leaves the valley and comes back. And a search in High Meshes leaves a mesh where the \
                  border to the next one is nearest, whatever crossing it costs. The engine repaired replaces windows \
                  of 64 triangles by the cheapest path between their ends, and the whole path if there is one at a \
                  quarter of its cost."
            .to_owned(),
        verdict: findings.collect::<Vec<String>>().join("; ") + ".",
    }
}

/// Lists the times of edits.
pub(super) fn edits(report: &TerrainReport) -> PageItem {
    let mut table = PageTable::new(&[
        "triangles",
        "layers",
        "edit",
        "High Meshes (µs)",
        "next step (µs)",
        "contraction (µs)",
        "its query (µs)",
    ]);
    for cell in &report.edits {
        let mut words = vec![
            cell.triangles.to_string(),
            cell.layers.to_string(),
            cell.edit.clone(),
        ];
        let times = [
            cell.meshes_us,
            cell.step_us,
            cell.contraction_us,
            cell.query_us,
        ];
        words.extend(times.map(us));
        table.rows.push(words);
    }
    let factor =
        |cell: &EditCell| (cell.contraction_us + cell.query_us) / (cell.meshes_us + cell.step_us);
    let factors: Vec<f64> = report.edits.iter().map(factor).collect();
    let [min, max] = [f64::min, f64::max].map(|pick| factors.iter().copied().reduce(pick));
    PageItem {
        id: "edits".to_owned(),
        title: "Edits while a path is being walked".to_owned(),
        source: format!("{TERRAIN_THESIS}, chapter 10"),
        body: ItemBody::Table(table),
        caption: "Time to recompute the prices of High Meshes after an edit of heights and to take the next step, for \
                  which a navigator may find its path again; and time to customize the contraction again and to \
                  find a whole path with it. Medians over 20 edits."
            .to_owned(),
        verdict: min.zip(max).map_or_else(String::new, |(min, max)| {
            format!(
                "Customizing the contraction and one query take {min:.2} to {max:.2} times as long as updating High \
                 Meshes and one step."
            )
        }),
    }
}
