//! The tables: the summary and the sizes of scenes; those with more to them have files of their own.

mod agents;
mod appendix;
mod beyond;
mod portals;

pub(crate) use agents::agents;
pub(crate) use appendix::appendix_a;
pub(crate) use beyond::{builds, engines};
pub(crate) use portals::portals;

use portolan_measure::percentile;

use crate::exhibit::{Body, Exhibit, Table, percent, times, us};
use crate::figures::{Best, best, place};
use crate::model::Report;
use crate::published::{HNA, MA_HNA, SIZES, THESIS, appendix};

/// What people ask first: the best of each engine on each scene.
pub(crate) fn summary(report: &Report) -> Exhibit {
    let mut table = Table::new(&[
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
        let said = |found: Option<Best<'_>>, level: bool| {
            found.map_or("-".to_owned(), |best| {
                let at = if level {
                    format!("μ {}", best.mu)
                } else {
                    place(best.level, best.mu)
                };
                format!("{} ({at})", times(best.speed_up))
            })
        };
        let of = |method: &'static str| best(report, name, move |_, m| m == method);
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
            row.push(said(
                best(report, name, |l, m| l == level && m == "astar"),
                true,
            ));
        }
        row.extend(["dijkstra", "table", "pccp"].map(|method| said(of(method), false)));
        let exact = best(report, name, |_, method| method != "pccp");
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
    let wrong: usize = engines().filter_map(|engine| engine.mismatches).sum();
    let noise: Vec<f64> = engines().map(|engine| engine.time.noise()).collect();
    let checked = if wrong == 0 {
        format!("All {answers} answers of exact engines cost what A*'s do.")
    } else {
        format!(
            "{wrong} of {answers} answers of exact engines do not cost what A*'s do: this is a bug, \
             please report it."
        )
    };
    Exhibit {
        id: "summary".to_owned(),
        title: "The best of each engine".to_owned(),
        source: "this run".to_owned(),
        body: Body::Table(table),
        caption:
            "Speed-ups over Portolan's A* on the same queries, the best over all μ (and levels), \
                  with where it is."
                .to_owned(),
        verdict: format!(
            "{checked} The rounds of a cell lie {} apart in the median and {} in the worst 5% of cells: \
             differences below that are noise.",
            percent(100.0 * percentile(&noise, 0.5)),
            percent(100.0 * percentile(&noise, 0.95))
        ),
    }
}

/// Table 1 of HNA*.
pub(crate) fn sizes(report: &Report) -> Exhibit {
    let mut table = Table::new(&[
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
    let mut apart: Vec<f64> = Vec::new();
    for scene in &report.scenes {
        let known = SIZES
            .iter()
            .find(|known| known.0 == scene.scene && !scene.is_map);
        // Polygons of the smaller maps stand in the thesis.
        let nodes = known.map(|known| known.3).or_else(|| {
            let rows = appendix().into_iter();
            let mut level_0 = rows.filter(|row| row.level == 0 && row.scene == scene.scene);
            level_0.next().map(|row| row.nodes)
        });
        if let Some(nodes) = nodes {
            apart.push(100.0 * (scene.polygons as f64 / f64::from(nodes) - 1.0));
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
    let most = apart.iter().copied().map(f64::abs).fold(0.0, f64::max);
    Exhibit {
        id: "hna-table-1".to_owned(),
        title: "Triangles in, triangles and polygons out".to_owned(),
        source: format!("{HNA}, table 1; {MA_HNA}, table 2; {THESIS}, table 4.1"),
        body: Body::Table(table),
        caption: "Built-in scenes after the papers' maps, baked with Recast's default options. \
                  Triangles out: before they are merged into polygons."
            .to_owned(),
        verdict: format!(
            "Polygons are within {} of the published numbers; the geometry is ours, for the papers' \
             models are not to be had, so triangles differ.",
            percent(most)
        ),
    }
}

/// A name as an id and a file take it.
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
