//! Writes tables as CSV, with numbers without units.

use std::io::{self, Write};

use crate::model::Report;
use crate::page_item::PageTable;

/// Writes a table. If every number of a column has the same unit, the unit moves into the column name.
pub(super) fn write(table: &PageTable, out: &mut dyn Write) -> io::Result<()> {
    let unit = |column: usize| {
        let cells = || table.rows.iter().map(|row| row[column].as_str());
        let all = |unit: &str| {
            let bare = |cell: &str| {
                cell.strip_suffix(unit)
                    .is_some_and(|n| n.parse::<f64>().is_ok())
            };
            cells().all(|cell| cell.is_empty() || bare(cell)) && cells().any(|c| !c.is_empty())
        };
        ["%", "x"].into_iter().find(|unit| all(unit))
    };
    let units: Vec<Option<&str>> = (0..table.columns.len()).map(unit).collect();
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(
        table
            .columns
            .iter()
            .zip(&units)
            .map(|(name, unit)| match unit {
                Some("x") => format!("{name} (times)"),
                Some(unit) => format!("{name} ({unit})"),
                None => name.clone(),
            }),
    )?;
    for row in &table.rows {
        let cells = row.iter().zip(&units);
        csv.write_record(cells.map(|(cell, unit)| match unit {
            Some(unit) => cell.strip_suffix(unit).unwrap_or(cell),
            None => cell,
        }))?;
    }
    csv.flush()
}

/// Lists every timed cell of a report, one per row.
pub(super) fn cells(report: &Report) -> PageTable {
    let mut table = PageTable::new(&[
        "scene",
        "mu",
        "level",
        "method",
        "nodes",
        "islands",
        "inter_edges_mean",
        "inter_edges_max",
        "bound",
        "published_bound",
        "same_node",
        "portals_mean",
        "get_us",
        "connect_us",
        "search_us",
        "extract_us",
        "mean_us",
        "median_us",
        "p99_us",
        "max_us",
        "noise",
        "rounds",
        "queries",
        "speed_up",
        "mismatches",
    ]);
    for cell in &report.grid {
        for level in &cell.levels {
            for engine in &level.engines {
                let time = &engine.time;
                let mut row = vec![
                    cell.scene.clone(),
                    cell.mu.to_string(),
                    level.level.to_string(),
                    engine.method.clone(),
                    level.nodes.to_string(),
                    level.islands.to_string(),
                    level.inter_edges_mean.to_string(),
                    level.inter_edges_max.to_string(),
                    level.bound.to_string(),
                    level.published_bound.to_string(),
                    level.same_node.to_string(),
                ];
                let numbers = [
                    level.portals_mean,
                    engine.get_us,
                    engine.connect_us,
                    engine.search_us,
                    engine.extract_us,
                    time.mean_us,
                    time.median_us,
                    time.p99_us,
                    time.max_us,
                ];
                row.extend(numbers.map(|number| number.to_string()));
                row.push(format!("{:.4}", time.noise()));
                row.push(time.rounds_us.len().to_string());
                row.push(time.queries.to_string());
                row.push(format!(
                    "{:.4}",
                    report.astar_us(&cell.scene) / time.mean_us
                ));
                let mismatches = engine.mismatches;
                row.push(mismatches.map_or(String::new(), |count| count.to_string()));
                table.rows.push(row);
            }
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_move_into_the_column_names() {
        let mut table = PageTable::new(&["scene", "gain", "noise", "best"]);
        let row = |cells: [&str; 4]| cells.map(str::to_owned).to_vec();
        table.rows.push(row(["a, b", "1.5x", "", "2.0x (μ 4)"]));
        table.rows.push(row(["x", "12x", "7%", "-"]));
        let mut out = Vec::new();
        write(&table, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(
            text,
            "scene,gain (times),noise (%),best\n\"a, b\",1.5,,2.0x (μ 4)\nx,12,7,-\n"
        );
    }
}
