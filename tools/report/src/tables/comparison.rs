//! The tables that compare all engines.

use portolan_measure::{geometric_mean, percentile};

use crate::model::{BuildCell, ComparedEngine, EngineComparison, Report};
use crate::page_item::{ItemBody, PageItem, PageTable, percent, times, us};

/// Formats milliseconds with the same number of digits as microseconds.
fn ms(value: f64) -> String {
    us(value)
}

/// Returns the engines to list. Of HNA* and of PCCP only the fastest level is listed.
fn listed(cell: &EngineComparison) -> Vec<&ComparedEngine> {
    let best = ["hna", "pccp"].map(|name| cell.fastest(name));
    let is_listed = |engine: &&ComparedEngine| {
        let has_levels = ["hna", "pccp"].contains(&engine.engine.split(':').next().unwrap_or(""));
        !has_levels || best.iter().flatten().any(|best| best == engine)
    };
    cell.engines.iter().filter(is_listed).collect()
}

/// Lists every engine on every generated world, or on every scene and map.
pub(crate) fn engines(report: &Report, are_worlds: bool) -> PageItem {
    let mut table = PageTable::new(&[
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
    let all = report.comparisons.iter();
    let cells: Vec<&EngineComparison> = all
        .filter(|cell| cell.world.is_some() == are_worlds)
        .collect();
    for cell in &cells {
        let astar = cell.fastest("astar").map_or(0.0, |e| e.time.mean_us);
        let listed = listed(cell);
        let exact = listed
            .iter()
            .filter(|e| e.mismatches.is_some() && e.want == "path");
        let best = exact.min_by(|a, b| a.time.mean_us.total_cmp(&b.time.mean_us));
        for engine in &listed {
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
    let (id, meshes) = match are_worlds {
        true => ("beyond-worlds", "the generated worlds"),
        false if report.scenes.iter().any(|scene| scene.is_map) => {
            ("beyond-scenes", "the papers' scenes and your maps")
        }
        false => ("beyond-scenes", "the papers' scenes"),
    };
    PageItem {
        id: id.to_owned(),
        title: format!("All engines on {meshes}"),
        source: "this run".to_owned(),
        body: ItemBody::Table(table),
        caption: format!(
            "Search time, memory and build time of each engine, on {} queries per navmesh. Engines \
             alternate round by round. Before each round an engine runs all queries once untimed, so these \
             are times with warm caches; a first query takes longer. Of HNA* and PCCP (μ {}, up to three \
             levels) only the fastest level is listed; report.json has all of them. The bytes are those in \
             addition to the navmesh and its graph: levels and tables, contraction and shortcuts, or \
             labels. Cost mismatches are answers whose cost differs from Dijkstra's; \"-\" means that the \
             engine is not exact. Rows marked ★ are the fastest exact engines that return a path.",
            report.effort.queries,
            cells.first().map_or(0, |cell| cell.mu)
        ),
        verdict: verdict(&cells),
    }
}

fn verdict(cells: &[&EngineComparison]) -> String {
    let engines = || cells.iter().flat_map(|cell| &cell.engines);
    let mismatches: usize = engines().filter_map(|engine| engine.mismatches).sum();
    let exact = engines().filter(|engine| engine.mismatches.is_some());
    let answers: usize = exact.map(|engine| engine.time.queries).sum();
    let checked = match mismatches {
        0 => format!("All {answers} answers of exact engines have the same cost as Dijkstra's."),
        mismatches => format!(
            "{mismatches} of {answers} answers of exact engines differ in cost from Dijkstra's. This is a bug; \
             please report it."
        ),
    };
    let ratios_over = |name: &str| {
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
    let findings = ["astar", "hna", "pccp"].map(|name| {
        let (mean, min, max) = ratios_over(name);
        format!("{mean} as fast as {name} ({min} to {max})")
    });
    let without_labels = cells.iter().filter_map(|cell| {
        let why = cell.no_labels.as_ref()?;
        Some(format!(" {} has no hub labels: {why}.", cell.scene))
    });
    format!(
        "{checked} As a geometric mean (and from minimum to maximum), the contraction is {}.{}",
        findings.join(", "),
        without_labels.collect::<String>()
    )
}

/// Lists the build time of each part of an index, and the time to customize it for another profile.
pub(crate) fn builds(report: &Report) -> PageItem {
    let mut table = PageTable::new(&[
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
    for cell in &report.comparisons {
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
    let order_percent = report.comparisons.iter().map(|cell| {
        let BuildCell {
            order_ms,
            contraction_ms,
            customization_ms,
            ..
        } = cell.build;
        100.0 * order_ms / (order_ms + contraction_ms + customization_ms).max(1e-9)
    });
    let percents: Vec<f64> = order_percent.collect();
    PageItem {
        id: "beyond-builds".to_owned(),
        title: "Build times".to_owned(),
        source: "this run".to_owned(),
        body: ItemBody::Table(table),
        caption: format!(
            "Time in ms to build each part of an index from a navmesh, on {} cores, and to customize it for \
             another profile. HNA* and PCCP need the partition, the levels and the tables; the contraction \
             needs the order, the contraction and the customization; hub labels need the contraction, too.",
            report.machine.cores
        ),
        verdict: format!(
            "In the median, computing the order takes {} of the contraction's build time. The order is \
             computed once and shared by all profiles.",
            percent(percentile(&percents, 0.5))
        ),
    }
}
