//! Table 4.2 of the thesis: what makes connecting slow.

use portolan_measure::mean;

use crate::exhibit::{Body, Exhibit, Table, us};
use crate::model::Report;
use crate::published::{PORTALS, THESIS};

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
