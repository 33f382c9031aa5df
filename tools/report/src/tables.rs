//! The tables of the page. This module has the summary and the sizes of the scenes.

mod agents;
mod appendix;
mod batches;
mod changes;
mod comparison;
mod device;
mod portals;

pub(crate) use agents::agents;
pub(crate) use appendix::appendix_a;
pub(crate) use batches::batches;
pub(crate) use changes::{changes, slow_down};
pub(crate) use comparison::{builds, engines};
pub(crate) use device::{device_batches, device_connects, estimate, kernel_work};
pub(crate) use portals::portals;

use portolan_measure::percentile;

use crate::figures::{FastestCell, fastest_cell, level_and_mu};
use crate::model::Report;
use crate::page_item::{ItemBody, PageItem, PageTable, percent, times, us};
use crate::published::{HNA, MA_HNA, SIZES, THESIS, appendix};

/// Lists the best speed-up of each engine on each scene.
pub(crate) fn summary(report: &Report) -> PageItem {
    let mut table = PageTable::new(&[
        "scene",
        "polygons",
        "A* (µs)",
        "closest-point A* (µs)",
        "HNA* as published, L1",
        "HNA* as published, L2",
        "HNA* as published, L3",
        "HNA*, one Dijkstra, best",
        "HNA*, exact tables, best",
        "PCCP, best",
        "fastest exact (µs)",
    ]);
    for scene in &report.scenes {
        let name = scene.scene.as_str();
        let speed_up = |found: Option<FastestCell<'_>>, is_level_fixed: bool| {
            found.map_or("-".to_owned(), |best| {
                let at = if is_level_fixed {
                    format!("μ {}", best.mu)
                } else {
                    level_and_mu(best.level, best.mu)
                };
                format!("{} ({at})", times(best.speed_up))
            })
        };
        let of = |method: &'static str| fastest_cell(report, name, move |_, m| m == method);
        let mut row = vec![
            name.to_owned(),
            scene.polygons.to_string(),
            us(report.astar_us(name)),
            us(percentile(
                &report
                    .grid_of(name)
                    .map(|c| c.closest.mean_us)
                    .collect::<Vec<_>>(),
                0.5,
            )),
        ];
        for level in 1..=3 {
            row.push(speed_up(
                fastest_cell(report, name, |l, m| l == level && m == "astar"),
                true,
            ));
        }
        row.extend(["dijkstra", "table", "pccp"].map(|method| speed_up(of(method), false)));
        let exact = fastest_cell(report, name, |_, method| method != "pccp");
        row.push(exact.map_or("-".to_owned(), |best| us(best.us)));
        table.rows.push(row);
    }
    let engines = || {
        let levels = report.grid.iter().flat_map(|cell| &cell.levels);
        levels.flat_map(|level| &level.engines)
    };
    let answers: usize = engines()
        .filter(|engine| engine.mismatches.is_some())
        .map(|engine| engine.time.queries)
        .sum();
    let mismatches: usize = engines().filter_map(|engine| engine.mismatches).sum();
    let noise: Vec<f64> = engines().map(|engine| engine.time.noise()).collect();
    let checked = if mismatches == 0 {
        format!("All {answers} answers of exact engines have the same cost as A*'s.")
    } else {
        format!(
            "{mismatches} of {answers} answers of exact engines differ in cost from A*'s. This is a bug; \
             please report it."
        )
    };
    PageItem {
        id: "summary".to_owned(),
        title: "The best speed-up of each engine".to_owned(),
        source: "this run".to_owned(),
        body: ItemBody::Table(table),
        caption: format!(
            "Mean search time of Portolan's A* and of the papers' closest-point A*, and the largest speed-up \
             of each engine over Portolan's A* on the same {} queries per scene, with the merge factor μ and \
             the level L at which it is reached.",
            report.effort.queries
        ),
        verdict: format!(
            "{checked} The rounds of a cell differ by {} in the median cell and by at least {} in the \
             noisiest 5% of cells. Smaller differences are noise.",
            percent(100.0 * percentile(&noise, 0.5)),
            percent(100.0 * percentile(&noise, 0.95))
        ),
    }
}

/// Repeats table 1 of Pelechano and Fuentes 2016.
pub(crate) fn sizes(report: &Report) -> PageItem {
    let mut table = PageTable::new(&[
        "scene",
        "triangles in",
        "triangles out",
        "polygons out",
        "portals",
        "components",
        "bake (ms)",
        "paper: triangles in",
        "paper: triangles out",
        "paper: polygons out",
    ]);
    let mut differences: Vec<f64> = Vec::new();
    for scene in &report.scenes {
        let known = SIZES
            .iter()
            .find(|known| known.0 == scene.scene && !scene.is_map);
        // Fuentes 2014 gives the polygon counts of the smaller maps.
        let nodes = known.map(|known| known.3).or_else(|| {
            let rows = appendix().into_iter();
            let mut level_0 = rows.filter(|row| row.level == 0 && row.scene == scene.scene);
            level_0.next().map(|row| row.nodes)
        });
        if let Some(nodes) = nodes {
            differences.push(100.0 * (scene.polygons as f64 / f64::from(nodes) - 1.0));
        }
        table.rows.push(vec![
            scene.scene.clone(),
            scene
                .triangles_in
                .map_or("-".to_owned(), |count| count.to_string()),
            scene.triangles_out.to_string(),
            scene.polygons.to_string(),
            scene.portals.to_string(),
            scene.components.to_string(),
            if scene.is_map {
                "-".to_owned()
            } else {
                format!("{:.0}", scene.bake_ms)
            },
            known.map_or(String::new(), |known| format!("{:.1}K", known.1 / 1e3)),
            known
                .and_then(|known| known.2)
                .map_or(String::new(), |count| count.to_string()),
            nodes.map_or(String::new(), |nodes| nodes.to_string()),
        ]);
    }
    let max_difference = differences
        .iter()
        .copied()
        .map(f64::abs)
        .fold(0.0, f64::max);
    PageItem {
        id: "hna-table-1".to_owned(),
        title: "Sizes of the scenes".to_owned(),
        source: format!("{HNA}, table 1; {MA_HNA}, table 2; {THESIS}, table 4.1"),
        body: ItemBody::Table(table),
        caption: "Triangles of the input geometry, and triangles, polygons, portals and connected \
                  components of the navmesh. The built-in scenes are modelled on the papers' maps and baked \
                  with Recast's default options. \"Triangles out\" counts triangles before they are merged \
                  into polygons."
            .to_owned(),
        verdict: format!(
            "The polygon counts are within {} of the published ones. The triangle counts differ, because the \
             papers' models are not available and the geometry is our own.",
            percent(max_difference)
        ),
    }
}

/// Converts a name to an HTML id that is also a valid file name.
pub(crate) fn anchor(name: &str) -> String {
    let keep = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
    name.chars()
        .map(|letter| {
            if keep(letter) {
                letter.to_ascii_lowercase()
            } else {
                '-'
            }
        })
        .collect()
}
