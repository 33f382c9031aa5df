//! Engines beyond the papers, in numbers.

use portolan_measure::{geometric_mean, percentile};

use crate::exhibit::{Body, Exhibit, Table, percent, times, us};
use crate::model::{BeyondCell, BeyondEngine, BuildCell, Report};

/// Milliseconds, with as many digits as mean anything.
fn ms(value: f64) -> String {
    us(value)
}

/// The engines to show: of HNA* and PCCP the fastest.
fn shown(cell: &BeyondCell) -> Vec<&BeyondEngine> {
    let best = ["hna", "pccp"].map(|name| cell.fastest(name));
    let is_shown = |engine: &&BeyondEngine| {
        let is_papers = ["hna", "pccp"].contains(&engine.engine.split(':').next().unwrap_or(""));
        !is_papers || best.iter().flatten().any(|best| best == engine)
    };
    cell.engines.iter().filter(is_shown).collect()
}

/// Every engine on every scene and map, or on every world.
pub(crate) fn engines(report: &Report, are_worlds: bool) -> Exhibit {
    let mut table = Table::new(&[
        "scene",
        "polygons",
        "engine",
        "mean (µs)",
        "median (µs)",
        "99% (µs)",
        "speed-up",
        "noise",
        "bytes a polygon",
        "build (ms)",
        "cost mismatches",
    ]);
    let all = report.beyond.iter();
    let cells: Vec<&BeyondCell> = all
        .filter(|cell| cell.world.is_some() == are_worlds)
        .collect();
    for cell in &cells {
        let astar = cell.fastest("astar").map_or(0.0, |e| e.time.mean_us);
        let shown = shown(cell);
        let exact = shown
            .iter()
            .filter(|e| e.mismatches.is_some() && e.want == "path");
        let best = exact.min_by(|a, b| a.time.mean_us.total_cmp(&b.time.mean_us));
        for engine in &shown {
            if best == Some(engine) {
                table.best.push(table.rows.len());
            }
            table.rows.push(vec![
                cell.scene.clone(),
                cell.polygons.to_string(),
                engine.name(),
                us(engine.time.mean_us),
                us(engine.time.median_us),
                us(engine.time.p99_us),
                times(astar / engine.time.mean_us),
                percent(100.0 * engine.time.noise()),
                format!("{:.0}", engine.bytes as f64 / cell.polygons.max(1) as f64),
                ms(engine.build_ms),
                engine
                    .mismatches
                    .map_or("-".to_owned(), |count| count.to_string()),
            ]);
        }
    }
    let (id, what) = match are_worlds {
        true => ("beyond-worlds", "the worlds rooms and open"),
        false => ("beyond-scenes", "the papers' scenes"),
    };
    Exhibit {
        id: id.to_owned(),
        title: format!("Every engine, on {what}"),
        source: "this run".to_owned(),
        body: Body::Table(table),
        caption: format!(
            "The search alone, all engines in turns on the same queries, each asked them once untimed \
             before every round, or the second of two that read the same would seem faster: these are times of warm queries, and \
             a first one takes longer. Of HNA* and PCCP (μ {}, up to \
             three levels) the fastest level stands here, and all in report.json. Bytes are those beyond \
             the navmesh and its graph: levels up to that one and its table, contraction and shortcuts, labels. \
             Costs are compared with Dijkstra's; ★ is the fastest exact engine that gives a path.",
            cells.first().map_or(0, |cell| cell.mu)
        ),
        verdict: verdict(&cells),
    }
}

fn verdict(cells: &[&BeyondCell]) -> String {
    let engines = || cells.iter().flat_map(|cell| &cell.engines);
    let wrong: usize = engines().filter_map(|engine| engine.mismatches).sum();
    let exact = engines().filter(|engine| engine.mismatches.is_some());
    let answers: usize = exact.map(|engine| engine.time.queries).sum();
    let checked = match wrong {
        0 => format!("All {answers} answers of exact engines cost what Dijkstra's do."),
        wrong => format!(
            "{wrong} of {answers} answers of exact engines do not cost what Dijkstra's do: this is a \
             bug, please report it."
        ),
    };
    let over = |name: &str| {
        let ratios = cells.iter().filter_map(|cell| {
            let us = |name| cell.fastest(name).map(|engine| engine.time.mean_us);
            Some(us(name)? / us("contraction")?)
        });
        let ratios: Vec<f64> = ratios.collect();
        let mean = geometric_mean(ratios.iter().copied());
        (
            times(mean),
            times(percentile(&ratios, 0.0)),
            times(percentile(&ratios, 1.0)),
        )
    };
    let said = ["astar", "hna", "pccp"].map(|name| {
        let (mean, least, most) = over(name);
        format!("{mean} as fast as {name} ({least} to {most})")
    });
    let refused = cells.iter().filter_map(|cell| {
        let why = cell.no_labels.as_ref()?;
        Some(format!(" {} has no labels: {why}.", cell.scene))
    });
    format!(
        "{checked} The contraction is {}, as a geometric mean and from least to most.{}",
        said.join(", "),
        refused.collect::<String>()
    )
}

/// What building takes, part by part, and another profile.
pub(crate) fn builds(report: &Report) -> Exhibit {
    let mut table = Table::new(&[
        "scene",
        "polygons",
        "partition (ms)",
        "levels and tables (ms)",
        "order (ms)",
        "contraction (ms)",
        "customization (ms)",
        "labels (ms)",
        "another profile: contraction (ms)",
        "another profile: levels and tables (ms)",
        "cost mismatches with that profile",
    ]);
    for cell in &report.beyond {
        let build = &cell.build;
        table.rows.push(vec![
            cell.scene.clone(),
            cell.polygons.to_string(),
            ms(build.partition_ms),
            ms(build.levels_ms),
            ms(build.order_ms),
            ms(build.contraction_ms),
            ms(build.customization_ms),
            build.labels_ms.map_or("-".to_owned(), ms),
            ms(cell.other_profile.contraction_ms),
            ms(cell.other_profile.levels_ms),
            cell.other_profile.mismatches.to_string(),
        ]);
    }
    let order_share = report.beyond.iter().map(|cell| {
        let BuildCell {
            order_ms,
            contraction_ms,
            customization_ms,
            ..
        } = cell.build;
        100.0 * order_ms / (order_ms + contraction_ms + customization_ms).max(1e-9)
    });
    let shares: Vec<f64> = order_share.collect();
    Exhibit {
        id: "beyond-builds".to_owned(),
        title: "What building takes".to_owned(),
        source: "this run".to_owned(),
        body: Body::Table(table),
        caption: format!(
            "Milliseconds on {} cores. Levels and tables are those of HNA* and PCCP; the contraction \
             needs neither them nor the partition.",
            report.machine.cores
        ),
        verdict: format!(
            "The order takes {} of what the contraction takes in all, in the median; it is kept for all \
             profiles.",
            percent(percentile(&shares, 0.5))
        ),
    }
}
