//! Tables as CSV, numbers without their units.

use std::io::{self, Write};

use crate::exhibit::Table;
use crate::model::Report;

/// Writes a table. Where every number of a column has the same unit behind it, the unit goes into
/// the heading.
pub(super) fn write(table: &Table, out: &mut dyn Write) -> io::Result<()> {
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

/// Every timed cell of a report, a row each.
pub(super) fn cells(report: &Report) -> Table {
    let mut table = Table::new(&[
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
                let wrong = engine.mismatches;
                row.push(wrong.map_or(String::new(), |count| count.to_string()));
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
    fn units_go_into_the_heading() {
        let mut table = Table::new(&["scene", "gain", "noise", "best"]);
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
