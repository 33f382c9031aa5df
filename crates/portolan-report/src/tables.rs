//! The tables: sizes, appendix A, portals, agents, and the summary.

use crate::exhibit::{Body, Exhibit, Table, percent, times, us};
use crate::figures::{best, place};
use crate::jobs::METHODS;
use crate::model::{GridCell, LevelCell, Report};
use crate::published::{AGENTS, HNA, MA_HNA, PORTALS, SIZES, THESIS, appendix};
use crate::statistics::{mean, rank};

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
        let said = |found: Option<crate::figures::Best<'_>>, level: bool| {
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
            us(rank(
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
            percent(100.0 * rank(&noise, 0.5)),
            percent(100.0 * rank(&noise, 0.95))
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
            let mut row = row(cell, level);
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
    plain: Option<crate::figures::Best<'_>>,
    any: Option<crate::figures::Best<'_>>,
    published: Option<(
        &crate::published::AppendixRow,
        &crate::published::AppendixRow,
    )>,
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

fn row(cell: &GridCell, level: &LevelCell) -> Vec<String> {
    let mut row = vec![
        cell.mu.to_string(),
        level.level.to_string(),
        level.nodes.to_string(),
    ];
    let plain = level.engine("astar");
    let of_plain = |value: fn(&crate::model::EngineCell) -> f64| {
        plain.map_or(String::new(), |engine| us(value(engine)))
    };
    row.push(of_plain(|engine| engine.get_us));
    let each = |value: fn(&crate::model::EngineCell) -> f64| {
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
    row.push(plain.map_or(String::new(), |e| {
        times(cell.astar.mean_us / e.time.mean_us)
    }));
    row.push(fastest.map_or(String::new(), |us| times(cell.astar.mean_us / us)));
    row.push(plain.map_or(String::new(), |e| format!("{:.0}%", 100.0 * e.time.noise())));
    row
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

/// Table 4.2 of the thesis.
pub(crate) fn portals(report: &Report, scene: &str, note: &str) -> Exhibit {
    let is_paper = note.is_empty();
    let mut table = Table::new(&[
        "μ",
        "level",
        "portals of S's node",
        "portals of G's node",
        "connect (µs)",
        "mean portals of both",
        "mean connect: astar (µs)",
        "µs a portal",
        "mean connect: dijkstra (µs)",
        "mean connect: table (µs)",
        "mean connect: pccp (µs)",
        "paper: S",
        "paper: G",
        "paper: connect (ms)",
    ]);
    let (mut few, mut many): (Vec<f64>, Vec<f64>) = (Vec::new(), Vec::new());
    for cell in report.grid_of(scene) {
        for level in &cell.levels {
            let known = PORTALS
                .iter()
                .find(|k| k.0 == cell.mu && k.1 == level.level && is_paper);
            let wanted = known.is_some() || matches!(cell.mu, 2 | 10 | 20);
            if !wanted && report.effort.merge_factors.len() > 4 {
                continue;
            }
            let connect = |method: &str| {
                let engine = level.engine(method);
                engine.map_or(String::new(), |engine| us(engine.connect_us))
            };
            let plain = level
                .engine("astar")
                .map_or(0.0, |engine| engine.connect_us);
            let each = plain / level.portals_mean.max(1.0);
            if level.level <= 1 {
                few.push(each);
            } else {
                many.push(each);
            }
            let mut row = vec![cell.mu.to_string(), level.level.to_string()];
            row.push(level.probe.portals_start.to_string());
            row.push(level.probe.portals_goal.to_string());
            row.push(us(level.probe.connect_us));
            row.push(format!("{:.1}", level.portals_mean));
            row.push(us(plain));
            row.push(us(each));
            row.extend(["dijkstra", "table", "pccp"].map(connect));
            row.push(known.map_or(String::new(), |known| known.2.to_string()));
            row.push(known.map_or(String::new(), |known| known.3.to_string()));
            row.push(known.map_or(String::new(), |known| known.4.to_string()));
            table.rows.push(row);
        }
    }
    let rises = mean(many.iter().copied()) > mean(few.iter().copied());
    Exhibit {
        id: "thesis-table-4-2".to_owned(),
        title: format!("Portals of S's and G's node against connect time: {scene}"),
        source: format!("{THESIS}, table 4.2"),
        body: Body::Table(table),
        caption: format!(
            "First columns: one query, the same in all rows. A connect time of 0 means that both ends \
             share a node. Then means over all queries, connecting by one A* a portal as published, and \
             in other ways.{note}"
        ),
        verdict: format!(
            "Published: connecting takes as many A* searches as there are portals, 0.077 ms at 3 and 6 \
             portals and 17.5 ms at 21 and 36. Here a portal costs {} µs at L1 and {} µs above on \
             average: {}.",
            us(mean(few.iter().copied())),
            us(mean(many.iter().copied())),
            if rises {
                "as published, time grows faster than the number of portals, for each search is longer \
                 in a larger node"
            } else {
                "unlike published, time does not grow faster than the number of portals"
            }
        ),
    }
}

/// A frame at 25 frames a second.
const FRAME_US: f64 = 40_000.0;

/// Table 3 of MA-HNA*.
pub(crate) fn agents(report: &Report) -> Exhibit {
    let mut table = Table::new(&[
        "scene",
        "level",
        "μ",
        "A*",
        "HNA* as published",
        "HNA*, one Dijkstra",
        "HNA*, exact tables",
        "PCCP",
        "PCCP, with location and waypoints",
        "CUDA",
        "many agents at once",
        "paper: A*",
        "paper: HNA*",
        "paper: CUDA",
        "paper: PCCP",
    ]);
    let (mut said, mut ratios): (Vec<String>, Vec<f64>) = (Vec::new(), Vec::new());
    let mut rows: Vec<(&str, u8, u32, Option<[u32; 4]>)> = AGENTS
        .iter()
        .filter(|known| report.grid_of(known.0).next().is_some())
        .map(|&(scene, level, mu, agents)| (scene, level, mu, Some(agents)))
        .collect();
    for scene in &report.scenes {
        if let Some(best) = best(report, &scene.scene, |_, method| method == "pccp") {
            rows.push((&scene.scene, best.level, best.mu, None));
        }
    }
    for (scene, level, mu, known) in rows {
        let Some(cell) = report.cell(scene, mu) else {
            continue;
        };
        let agents = |micros: f64| (FRAME_US / micros.max(1e-3)).floor();
        let of = |method: &str| {
            let engine = cell.engine(level, method);
            engine.map_or(String::new(), |engine| {
                agents(engine.time.mean_us).to_string()
            })
        };
        let whole = cell.engine(level, "pccp").map_or(String::new(), |engine| {
            agents(engine.time.mean_us + cell.locate_us + cell.waypoints_us).to_string()
        });
        let mut row = vec![scene.to_owned(), level.to_string(), mu.to_string()];
        row.push(agents(cell.astar.mean_us).to_string());
        row.extend(["astar", "dijkstra", "table", "pccp"].map(of));
        row.push(whole);
        row.push("joins with the device".to_owned());
        row.push("joins with the batch engine".to_owned());
        match known {
            Some(known) => row.extend(known.map(|count| count.to_string())),
            None => row.extend([""; 4].map(str::to_owned)),
        }
        table.rows.push(row);
        if let Some([astar, hna, _, pccp]) = known {
            let hna_here = cell
                .engine(level, "astar")
                .map_or(0.0, |e| agents(e.time.mean_us));
            let pccp_here = cell
                .engine(level, "pccp")
                .map_or(0.0, |e| agents(e.time.mean_us));
            let astar_here = agents(cell.astar.mean_us);
            let order = |a: f64, h: f64, p: f64| match (h > a, p > h, p > a) {
                (true, true, _) => "PCCP, HNA*, A*",
                (false, _, true) => "PCCP, A*, HNA*",
                (true, false, true) => "HNA*, PCCP, A*",
                _ => "another",
            };
            let (here, paper) = (
                order(astar_here, hna_here, pccp_here),
                order(astar.into(), hna.into(), pccp.into()),
            );
            let agree = if here == paper {
                "the same"
            } else {
                "not the same"
            };
            let connect = cell
                .engine(level, "astar")
                .map_or(0.0, |e| 100.0 * e.connect_us / e.time.mean_us);
            said.push(format!(
                "{scene}: A* {astar_here} agents (published {astar}), HNA* as published {hna_here} \
                 ({hna}), PCCP {pccp_here} ({pccp}); the order from the most to the least is {here}, \
                 {agree} as published ({paper}); connecting takes {} of HNA*'s time here",
                percent(connect)
            ));
            ratios.push(astar_here / f64::from(astar));
        }
    }
    let verdict = if said.is_empty() {
        "The cells of the paper are not in this run.".to_owned()
    } else {
        format!(
            "{}. A* alone serves {} as many agents as the paper's: code and machine are others.",
            said.join(". "),
            times(mean(ratios))
        )
    };
    Exhibit {
        id: "ma-hna-table-3".to_owned(),
        title: "Agents that one core serves at 25 frames a second".to_owned(),
        source: format!("{MA_HNA}, table 3"),
        body: Body::Table(table),
        caption:
            "One search an agent and frame, one after the other: 40 ms over the mean time. First \
                  the paper's configurations, then each scene where PCCP is fastest. Location and \
                  waypoints are not in the paper's times; one column adds them."
                .to_owned(),
        verdict,
    }
}
