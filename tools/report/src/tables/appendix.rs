//! Appendix A of the thesis: every merge factor and level of a scene.

use portolan_measure::mean;

use super::anchor;
use crate::exhibit::{Body, Exhibit, Table, times, us};
use crate::figures::{Best, best, place};
use crate::jobs::METHODS;
use crate::model::{EngineCell, GridCell, LevelCell, Report};
use crate::published::{AppendixRow, THESIS, appendix};

/// Appendix A of the thesis, for one scene.
pub(crate) fn appendix_a(report: &Report, scene: &str) -> Exhibit {
    let rows = appendix();
    let of_paper = |mu: u32, level: u8| {
        let mut found = rows
            .iter()
            .filter(|r| r.scene == scene && r.mu == mu && r.level == level);
        found.next()
    };
    let ground = of_paper(0, 0);
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
    let mut table = Table::new(&columns);
    let mut level_0 = vec![String::new(), "0".to_owned()];
    let polygons = report.scenes.iter().find(|cell| cell.scene == scene);
    level_0.push(polygons.map_or(String::new(), |cell| cell.polygons.to_string()));
    level_0.resize(4 + METHODS.len(), String::new());
    level_0.extend([us(report.astar_us(scene)), String::new()]);
    level_0.extend(METHODS.map(|_| us(report.astar_us(scene))));
    level_0.extend(["1.0x", "1.0x"].map(str::to_owned));
    let noise = mean(report.grid_of(scene).map(|cell| cell.astar.noise()));
    level_0.push(format!("{:.0}%", 100.0 * noise));
    level_0.push(ground.map_or(String::new(), |row| row.nodes.to_string()));
    level_0.push(String::new());
    level_0.push(ground.map_or(String::new(), |row| row.total_ms.to_string()));
    level_0.push(ground.map_or(String::new(), |_| "1.0x".to_owned()));
    table.rows.push(level_0);
    for cell in report.grid_of(scene) {
        for level in &cell.levels {
            let known = of_paper(cell.mu, level.level);
            let mut row = row(cell, level, report.astar_us(scene));
            row.push(known.map_or(String::new(), |known| known.nodes.to_string()));
            row.push(known.map_or(String::new(), |known| known.connect_ms.to_string()));
            row.push(known.map_or(String::new(), |known| known.total_ms.to_string()));
            row.push(match (ground, known) {
                (Some(ground), Some(known)) => times(ground.total_ms / known.total_ms),
                _ => String::new(),
            });
            table.rows.push(row);
        }
    }
    let find = |mu: u32, level: u8, table: &Table| {
        let (mu, level) = (mu.to_string(), level.to_string());
        table
            .rows
            .iter()
            .position(|row| row[0] == mu && row[1] == level)
    };
    let plain = best(report, scene, |_, method| method == "astar");
    let any = best(report, scene, |_, method| method != "pccp");
    for found in [plain, any].into_iter().flatten() {
        let place = find(found.mu, found.level, &table);
        table
            .best
            .extend(place.filter(|place| !table.best.contains(place)));
    }
    let published = rows
        .iter()
        .filter(|row| row.scene == scene && row.level > 0)
        .min_by(|a, b| a.total_ms.total_cmp(&b.total_ms));
    Exhibit {
        id: format!("thesis-a-{}", anchor(scene)),
        title: format!("Appendix A: {scene}"),
        source: match published {
            Some(_) => format!("{THESIS}, appendix A"),
            None => format!("as {THESIS}, appendix A"),
        },
        body: Body::Table(table),
        caption: "Mean µs a path; the paper's columns are ms. Marked rows: the fastest as published \
                  (connecting by one A* a portal) and the fastest of all exact ways to connect. A* and \
                  extract are those of the published way. Where start and goal share a node, the whole \
                  mesh is searched."
            .to_owned(),
        verdict: appendix_verdict(plain, any, published.zip(ground)),
    }
}

fn appendix_verdict(
    plain: Option<Best<'_>>,
    any: Option<Best<'_>>,
    published: Option<(&AppendixRow, &AppendixRow)>,
) -> String {
    let (Some(plain), Some(any)) = (plain, any) else {
        return "There is no level above the polygons.".to_owned();
    };
    let here = format!(
        "Here at best {} at {} as published and {} at {} with {}.",
        times(plain.speed_up),
        place(plain.level, plain.mu),
        times(any.speed_up),
        place(any.level, any.mu),
        any.method
    );
    let Some((best, ground)) = published else {
        return format!("{here} The thesis has no such table.");
    };
    let known = ground.total_ms / best.total_ms;
    let one = "the thesis times one query where this is a mean of many";
    let faster = ground.total_ms * 1e3 / (plain.us * plain.speed_up);
    let compared = if (plain.speed_up / known - 1.0).abs() < 0.25 {
        "That agrees within a quarter".to_owned()
    } else if plain.speed_up < known && faster > 2.0 {
        format!(
            "That is less: the A* to beat is {} as fast as the thesis's, and {one}",
            times(faster)
        )
    } else if plain.speed_up < known {
        format!("That is less: {one}")
    } else {
        format!("That is more: {one}")
    };
    format!(
        "Published: at best {} at {}. {here} {compared}.",
        times(known),
        place(best.level, best.mu)
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
