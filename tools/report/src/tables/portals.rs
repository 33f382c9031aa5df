//! Table 4.2 of Fuentes 2014: why the connect step is slow.

use portolan_measure::mean;

use crate::model::Report;
use crate::page_item::{ItemBody, PageItem, PageTable, us};
use crate::published::{PORTALS, THESIS};

/// Repeats table 4.2 of Fuentes 2014. `note` is empty if `scene` is the thesis's.
pub(crate) fn portals(report: &Report, scene: &str, note: &str) -> PageItem {
    let is_paper = note.is_empty();
    let mut table = PageTable::new(&[
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
    let (mut level_1, mut above): (Vec<f64>, Vec<f64>) = (Vec::new(), Vec::new());
    for cell in report.grid_of(scene) {
        for level in &cell.levels {
            let known = PORTALS
                .iter()
                .find(|k| k.0 == cell.mu && k.1 == level.level && is_paper);
            let is_listed = known.is_some() || matches!(cell.mu, 2 | 10 | 20);
            if !is_listed && report.effort.merge_factors.len() > 4 {
                continue;
            }
            let connect = |method: &str| {
                let engine = level.engine(method);
                engine.map_or(String::new(), |engine| us(engine.connect_us))
            };
            let plain = level
                .engine("astar")
                .map_or(0.0, |engine| engine.connect_us);
            let per_portal = plain / level.portals_mean.max(1.0);
            if level.level <= 1 {
                level_1.push(per_portal);
            } else {
                above.push(per_portal);
            }
            let mut row = vec![cell.mu.to_string(), level.level.to_string()];
            row.push(level.probe.portals_start.to_string());
            row.push(level.probe.portals_goal.to_string());
            row.push(us(level.probe.connect_us));
            row.push(format!("{:.1}", level.portals_mean));
            row.push(us(plain));
            row.push(us(per_portal));
            row.extend(["dijkstra", "table", "pccp"].map(connect));
            row.push(known.map_or(String::new(), |known| known.2.to_string()));
            row.push(known.map_or(String::new(), |known| known.3.to_string()));
            row.push(known.map_or(String::new(), |known| known.4.to_string()));
            table.rows.push(row);
        }
    }
    let rises = mean(above.iter().copied()) > mean(level_1.iter().copied());
    PageItem {
        id: "thesis-table-4-2".to_owned(),
        title: format!("Connect time over the number of portals: {scene}"),
        source: format!("{THESIS}, table 4.2"),
        body: ItemBody::Table(table),
        caption: format!(
            "Time of HNA*'s connect step and number of portals of the nodes of start S and goal G. The \
             first columns are of one query, the same in all rows; a connect time of 0 means that S and G \
             share a node. The other columns are means over {} queries, for the published connect step (one \
             A* per portal) and for the other connecting methods.{note}",
            report.effort.queries
        ),
        verdict: format!(
            "Published: the connect step runs one A* per portal and takes 0.077 ms for 3 and 6 portals, and \
             17.5 ms for 21 and 36. In this run, the mean time per portal is {} µs at L1 and {} µs above: {}.",
            us(mean(level_1.iter().copied())),
            us(mean(above.iter().copied())),
            if rises {
                "as published, the time grows faster than the number of portals, because each search is \
                 longer in a larger node"
            } else {
                "unlike published, the time does not grow faster than the number of portals"
            }
        ),
    }
}
