//! Changes of the ground, per scene and generated world.

use portolan_measure::{CHANGES, UpdateResults};

use crate::model::Report;
use crate::page_item::{ItemBody, PageItem, PageTable, bytes, percent, times, us};

/// Lists the cost of changes, what queries pay next to them, and how long paths are in between.
pub(crate) fn changes(report: &Report) -> PageItem {
    let mut table = PageTable::new(&[
        "scene",
        "polygons",
        "repair, median (µs)",
        "repair, mean (µs)",
        "repair, 99% (µs)",
        "repair, max (µs)",
        "publish, mean (µs)",
        "publish, max (µs)",
        "changed arcs",
        "query, quiet (µs)",
        "query, quiet, 99% (µs)",
        "updates per second",
        "query beside (µs)",
        "query beside, 99% (µs)",
        "excess at once",
        "excess settled",
        "settled in (ms)",
        "memory of the writer",
        "mismatches",
    ]);
    let all = || report.changes.iter().map(|cell| &cell.updates);
    for updates in all() {
        let beside = updates.query_us_beside;
        let of_beside = |value: Option<f64>| value.map_or(String::new(), us);
        table.rows.push(vec![
            updates.world.clone(),
            updates.polygons.to_string(),
            us(updates.update_us.median),
            us(updates.update_us.mean),
            us(updates.update_us.p99),
            us(updates.update_us.max),
            us(updates.publish_us.mean),
            us(updates.publish_us.max),
            format!("{:.0}", updates.arcs),
            us(updates.query_us_quiet.mean),
            us(updates.query_us_quiet.p99),
            updates
                .beside_per_second
                .map_or(String::new(), |rate| format!("{rate:.0}")),
            of_beside(beside.map(|times| times.mean)),
            of_beside(beside.map(|times| times.p99)),
            in_percent(updates.excess_after),
            in_percent(updates.excess_settled),
            us(updates.background_ms),
            bytes(updates.writer_bytes),
            updates.mismatches.to_string(),
        ]);
    }
    let (checked, mismatches) = all().fold((0, 0), |(checked, mismatches), updates| {
        (checked + updates.checked, mismatches + updates.mismatches)
    });
    let exactness = match mismatches {
        0 => format!("All {checked} answers that were compared have Dijkstra's status and cost."),
        _ => format!(
            "{mismatches} of {checked} comparisons differ from Dijkstra's. This is a bug; please report it."
        ),
    };
    let slowest = all().filter_map(|updates| Some((slow_down(updates)?, updates)));
    let slowest = slowest.max_by(|a, b| a.0.total_cmp(&b.0));
    let slowest = slowest.map_or(String::new(), |(ratio, updates)| {
        format!(
            " The 99th percentile of queries next to updates is at most {} that of a quiet world ({}).",
            times(ratio),
            updates.world
        )
    });
    PageItem {
        id: "changes-table".to_owned(),
        title: "Changes, queries next to them, and excess in between".to_owned(),
        source: "this run".to_owned(),
        body: ItemBody::Table(table),
        caption: format!(
            "{} random polygons are closed and opened again, one per update. Repair is the time until all costs are right, publish \
             the time until readers have them. Queries are whole queries by auto, first in a quiet world, then next to another \
             thread that makes up to 1 000 updates per second while the world settles in the background. The excess is the \
             mean over {} queries after {CHANGES} polygons have been closed, relative to the shortest path that any engine \
             of the index finds, at once and when the world is settled. On small scenes, {CHANGES} polygons are much of the ground. After \
             every tenth update, an answer of each tier is compared with Dijkstra's: the status, and at the tier fast the cost.",
            report.effort.updates.div_ceil(2),
            report.effort.length_queries,
        ),
        verdict: format!("{exactness}{slowest}"),
    }
}

/// Returns how many times as long as in a quiet world the 99th percentile of queries is next to updates.
pub(crate) fn slow_down(updates: &UpdateResults) -> Option<f64> {
    let beside = updates.query_us_beside?;
    Some(beside.p99 / updates.query_us_quiet.p99.max(1e-6))
}

fn in_percent(fraction: f64) -> String {
    match fraction {
        0.0 => "0%".to_owned(),
        tiny if tiny < 1e-4 => format!("{:.4}%", 100.0 * fraction),
        small if small < 1e-3 => format!("{:.3}%", 100.0 * fraction),
        _ => percent(100.0 * fraction),
    }
}
