//! Figure 6 of Rahmani and Pelechano: what PCCP takes.

use super::{line, published};
use crate::exhibit::{Body, Exhibit, Table, bytes, times};
use crate::jobs::{MEMORY_FACTORS, PCCP_AT};
use crate::model::{MemoryCell, Report};
use crate::published::{MA_HNA, PCCP_MEMORY};
use portolan_draw::chart::{Axis, Chart, Panel, Scale, Series};

/// The memory of a scene with the most levels there are, up to three.
fn memory<'a>(report: &'a Report, scene: &str, mu: u32) -> Option<&'a MemoryCell> {
    let cells = report.memory.iter();
    cells
        .filter(|cell| cell.scene == scene && cell.mu == mu)
        .max_by_key(|cell| cell.levels)
}

/// Figure 6: what PCCP takes.
pub(crate) fn figure_6(report: &Report) -> Exhibit {
    let points = |mu: u32, value: fn(&MemoryCell) -> usize| {
        let mut points: Vec<[f64; 2]> = report
            .scenes
            .iter()
            .filter_map(|scene| {
                let cell = memory(report, &scene.scene, mu)?;
                Some([scene.polygons as f64, value(cell) as f64 / 1e6])
            })
            .collect();
        points.sort_by(|a, b| a[0].total_cmp(&b[0]));
        points
    };
    let paper = PCCP_MEMORY.map(|(_, polygons, megabytes)| [polygons.into(), megabytes]);
    let panel = |title: String, series| Panel {
        title,
        x: Axis::new("polygons", Scale::Log),
        y: Axis::new("memory (MB)", Scale::Log),
        series,
        bars: None,
    };
    let mut pccp: Vec<Series> = MEMORY_FACTORS
        .iter()
        .enumerate()
        .map(|(i, &mu)| {
            line(
                &format!("PCCP, μ {mu}"),
                i + 1,
                points(mu, |cell| cell.pccp),
            )
        })
        .collect();
    pccp.push(published("PCCP by the paper", 0, paper.to_vec()));
    let (mu, _) = PCCP_AT;
    let parts = vec![
        line("PCCP, μ 10", 2, points(mu, |cell| cell.pccp)),
        line("exact tables, μ 10", 4, points(mu, |cell| cell.tables)),
        line("intra-edges, μ 10", 5, points(mu, |cell| cell.intra_edges)),
        line(
            "nodes and inter-edges, μ 10",
            6,
            points(mu, |cell| cell.hierarchy),
        ),
    ];
    let compared: Vec<String> = PCCP_MEMORY
        .iter()
        .filter_map(|&(scene, polygons, megabytes)| {
            let cell = memory(report, scene, mu)?;
            let ratio = megabytes * 1e6 / cell.pccp.max(1) as f64;
            Some(format!(
                "{scene} takes {} here with {}, {megabytes} MB published with {polygons} polygons, {} as much",
                bytes(cell.pccp),
                if cell.levels == 1 {
                    "1 level".to_owned()
                } else {
                    format!("{} levels", cell.levels)
                },
                times(ratio)
            ))
        })
        .collect();
    let compared = if compared.is_empty() {
        "Neither map that the paper names is in this run".to_owned()
    } else {
        compared.join("; ")
    };
    let all = points(mu, |cell| cell.pccp);
    let growth = match (all.first(), all.last()) {
        (Some(small), Some(large)) if large[1] > small[1] => format!(
            "As published, memory grows with the scene, here by {} a polygon at the smallest and {} at \
             the largest.",
            bytes((small[1] * 1e6 / small[0]) as usize),
            bytes((large[1] * 1e6 / large[0]) as usize)
        ),
        _ => "Memory does not grow with the scene here.".to_owned(),
    };
    Exhibit {
        id: "ma-hna-figure-6".to_owned(),
        title: "Memory of PCCP".to_owned(),
        source: format!("{MA_HNA}, figure 6"),
        body: Body::Svg(
            Chart {
                id: "ma6".to_owned(),
                description: "Memory of PCCP over the polygons of the scenes".to_owned(),
                columns: 2,
                panels: vec![
                    panel("PCCP, up to three levels".to_owned(), pccp),
                    panel("all parts, up to three levels".to_owned(), parts),
                ],
            }
            .svg(),
        ),
        caption: "Bytes of the tables for the centres of polygons, and of the rest of a hierarchy. A \
                  marker is a scene; both axes logarithmic. The paper does not say at which level and \
                  μ; its two numbers are stars."
            .to_owned(),
        verdict: format!(
            "{compared}. {growth} These tables are flat arrays of \
             costs and of the next step on each way; the paper stores whole paths in a hash table, and \
             says that storing the next cell would save memory."
        ),
    }
}

fn kilobytes(bytes: usize) -> String {
    format!("{:.1}", bytes as f64 / 1e3)
}

/// Memory in numbers.
pub(crate) fn numbers(report: &Report) -> Exhibit {
    let mut table = Table::new(&[
        "scene",
        "μ",
        "levels",
        "nodes and inter-edges (kB)",
        "intra-edges (kB)",
        "exact tables (kB)",
        "PCCP (kB)",
        "PCCP a polygon (bytes)",
    ]);
    for cell in &report.memory {
        let scene = report.scenes.iter().find(|scene| scene.scene == cell.scene);
        let polygons = scene.map_or(1, |scene| scene.polygons.max(1));
        table.rows.push(vec![
            cell.scene.clone(),
            cell.mu.to_string(),
            cell.levels.to_string(),
            kilobytes(cell.hierarchy),
            kilobytes(cell.intra_edges),
            kilobytes(cell.tables),
            kilobytes(cell.pccp),
            format!("{:.0}", cell.pccp as f64 / polygons as f64),
        ]);
    }
    let largest = report.memory.iter().max_by_key(|cell| cell.pccp);
    Exhibit {
        id: "ma-hna-figure-6-numbers".to_owned(),
        title: "Memory in numbers".to_owned(),
        source: format!("{MA_HNA}, section 7.1.1"),
        body: Body::Table(table),
        caption: "What hierarchies of one, two and three levels take.".to_owned(),
        verdict: largest.map_or_else(String::new, |cell| {
            format!(
                "The most that PCCP takes in this run is {}, on {} with μ {} and {} levels; the paper \
                 calls tens of megabytes insignificant.",
                bytes(cell.pccp),
                cell.scene,
                cell.mu,
                cell.levels
            )
        }),
    }
}
