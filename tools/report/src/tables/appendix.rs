//! Appendix A of Fuentes 2014: every merge factor and level of a scene.

use portolan_measure::mean;

use super::anchor;
use crate::figures::{FastestCell, fastest_cell, level_and_mu};
use crate::jobs::METHODS;
use crate::model::{EngineCell, GridCell, LevelCell, Report};
use crate::page_item::{ItemBody, PageItem, PageTable, times, us};
use crate::published::{AppendixRow, THESIS, appendix};

/// Repeats appendix A of Fuentes 2014 for one scene.
pub(crate) fn appendix_a(report: &Report, scene: &str) -> PageItem {
    let rows = appendix();
    let of_paper = |mu: u32, level: u8| {
        let mut found = rows
            .iter()
            .filter(|r| r.scene == scene && r.mu == mu && r.level == level);
        found.next()
    };
    let published_astar = of_paper(0, 0);
    let mut columns = vec!["μ", "level", "nodes", "get"];
    let connects = METHODS.map(|method| format!("connect: {method}"));
    columns.extend(connects.iter().map(String::as_str));
    columns.extend(["A*", "extract"]);
    let totals = METHODS.map(|method| format!("total: {method}"));
    columns.extend(totals.iter().map(String::as_str));
    columns.extend([
        "speed-up as published",
        "best speed-up",
        "noise",
        "paper: nodes",
        "paper: connect (ms)",
        "paper: total (ms)",
        "paper: speed-up",
    ]);
    let mut table = PageTable::new(&columns);
    let mut level_0 = vec![String::new(), "0".to_owned()];
    let polygons = report.scenes.iter().find(|cell| cell.scene == scene);
    level_0.push(polygons.map_or(String::new(), |cell| cell.polygons.to_string()));
    level_0.resize(4 + METHODS.len(), String::new());
    level_0.extend([us(report.astar_us(scene)), String::new()]);
    level_0.extend(METHODS.map(|_| us(report.astar_us(scene))));
    level_0.extend(["1.0x", "1.0x"].map(str::to_owned));
    let noise = mean(report.grid_of(scene).map(|cell| cell.astar.noise()));
    level_0.push(format!("{:.0}%", 100.0 * noise));
    level_0.push(published_astar.map_or(String::new(), |row| row.nodes.to_string()));
    level_0.push(String::new());
    level_0.push(published_astar.map_or(String::new(), |row| row.total_ms.to_string()));
    level_0.push(published_astar.map_or(String::new(), |_| "1.0x".to_owned()));
    table.rows.push(level_0);
    for cell in report.grid_of(scene) {
        for level in &cell.levels {
            let known = of_paper(cell.mu, level.level);
            let mut row = row(cell, level, report.astar_us(scene));
            row.push(known.map_or(String::new(), |known| known.nodes.to_string()));
            row.push(known.map_or(String::new(), |known| known.connect_ms.to_string()));
            row.push(known.map_or(String::new(), |known| known.total_ms.to_string()));
            row.push(match (published_astar, known) {
                (Some(astar), Some(known)) => times(astar.total_ms / known.total_ms),
                _ => String::new(),
            });
            table.rows.push(row);
        }
    }
    let find = |mu: u32, level: u8, table: &PageTable| {
        let (mu, level) = (mu.to_string(), level.to_string());
        table
            .rows
            .iter()
            .position(|row| row[0] == mu && row[1] == level)
    };
    let plain = fastest_cell(report, scene, |_, method| method == "astar");
    let any = fastest_cell(report, scene, |_, method| method != "pccp");
    for found in [plain, any].into_iter().flatten() {
        let index = find(found.mu, found.level, &table);
        table
            .best
            .extend(index.filter(|index| !table.best.contains(index)));
    }
    let published = rows
        .iter()
        .filter(|row| row.scene == scene && row.level > 0)
        .min_by(|a, b| a.total_ms.total_cmp(&b.total_ms));
    PageItem {
        id: format!("thesis-a-{}", anchor(scene)),
        title: format!("Appendix A: {scene}"),
        source: match published {
            Some(_) => format!("{THESIS}, appendix A"),
            None => format!("like {THESIS}, appendix A"),
        },
        body: ItemBody::Table(table),
        caption: format!(
            "Mean search time in µs over {} queries, per step and in total, for each merge factor μ and \
             level; the thesis's columns are in ms. Rows marked ★ are the fastest with the published \
             connect step (one A* per portal) and the fastest of all exact connecting methods. The columns \
             get, A* and extract belong to the published method. If start and goal share a node, the entire \
             mesh is searched.",
            report.effort.queries
        ),
        verdict: appendix_verdict(plain, any, published.zip(published_astar)),
    }
}

fn appendix_verdict(
    plain: Option<FastestCell<'_>>,
    any: Option<FastestCell<'_>>,
    published: Option<(&AppendixRow, &AppendixRow)>,
) -> String {
    let (Some(plain), Some(any)) = (plain, any) else {
        return "This scene is too small for a level above the polygons.".to_owned();
    };
    let here = format!(
        "In this run, the best speed-up is {} at {} with the published connect step, and {} at {} with the \
         method {}.",
        times(plain.speed_up),
        level_and_mu(plain.level, plain.mu),
        times(any.speed_up),
        level_and_mu(any.level, any.mu),
        any.method
    );
    let Some((best, published_astar)) = published else {
        return format!("{here} The thesis has no table for this scene.");
    };
    let known = published_astar.total_ms / best.total_ms;
    let one = "the thesis times one query, this run the mean of many";
    let faster = published_astar.total_ms * 1e3 / (plain.us * plain.speed_up);
    let compared = if (plain.speed_up / known - 1.0).abs() < 0.25 {
        "The two agree within 25%".to_owned()
    } else if plain.speed_up < known && faster > 2.0 {
        format!(
            "This run's speed-up is smaller: its A* is {} as fast as the thesis's, and {one}",
            times(faster)
        )
    } else if plain.speed_up < known {
        format!("This run's speed-up is smaller: {one}")
    } else {
        format!("This run's speed-up is larger: {one}")
    };
    format!(
        "Published: a best speed-up of {} at {}. {here} {compared}.",
        times(known),
        level_and_mu(best.level, best.mu)
    )
}

fn row(cell: &GridCell, level: &LevelCell, astar: f64) -> Vec<String> {
    let mut row = vec![
        cell.mu.to_string(),
        level.level.to_string(),
        level.nodes.to_string(),
    ];
    let plain = level.engine("astar");
    let of_plain =
        |value: fn(&EngineCell) -> f64| plain.map_or(String::new(), |engine| us(value(engine)));
    row.push(of_plain(|engine| engine.get_us));
    let each = |value: fn(&EngineCell) -> f64| {
        METHODS.map(|method| level.engine(method).map_or(String::new(), |e| us(value(e))))
    };
    row.extend(each(|engine| engine.connect_us));
    row.push(of_plain(|engine| engine.search_us));
    row.push(of_plain(|engine| engine.extract_us));
    row.extend(each(|engine| engine.time.mean_us));
    let exact = level
        .engines
        .iter()
        .filter(|engine| engine.mismatches.is_some());
    let fastest = exact.map(|engine| engine.time.mean_us).reduce(f64::min);
    row.push(plain.map_or(String::new(), |e| times(astar / e.time.mean_us)));
    row.push(fastest.map_or(String::new(), |us| times(astar / us)));
    row.push(plain.map_or(String::new(), |e| format!("{:.0}%", 100.0 * e.time.noise())));
    row
}
