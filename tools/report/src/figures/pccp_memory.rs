//! Figure 6 of Rahmani and Pelechano 2020: the memory of PCCP.

use super::{line, published};
use crate::jobs::{MEMORY_FACTORS, PCCP_AT};
use crate::model::{MemoryCell, Report};
use crate::page_item::{ItemBody, PageItem, PageTable, bytes, times};
use crate::published::{MA_HNA, PCCP_MEMORY};
use portolan_draw::chart::{Axis, Chart, Panel, Scale, Series};

/// Returns the memory of a scene's hierarchy with the most levels, up to three.
fn memory<'a>(report: &'a Report, scene: &str, mu: u32) -> Option<&'a MemoryCell> {
    let cells = report.memory.iter();
    cells
        .filter(|cell| cell.scene == scene && cell.mu == mu)
        .max_by_key(|cell| cell.levels)
}

/// Repeats figure 6: the memory of PCCP over the number of polygons.
pub(crate) fn figure_6(report: &Report) -> PageItem {
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
    let published_points = PCCP_MEMORY.map(|(_, polygons, megabytes)| [polygons.into(), megabytes]);
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
    pccp.push(published("PCCP, published", 0, published_points.to_vec()));
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
                "On {scene}, PCCP takes {} in this run with {}, and {megabytes} MB published with {polygons} \
                 polygons, {} as much",
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
        "This run includes neither map for which the paper gives the memory".to_owned()
    } else {
        compared.join(". ")
    };
    let all = points(mu, |cell| cell.pccp);
    let growth = match (all.first(), all.last()) {
        (Some(small), Some(large)) if large[1] > small[1] => format!(
            "As published, memory grows with the scene: {} per polygon on the smallest scene and {} on the \
             largest.",
            bytes((small[1] * 1e6 / small[0]) as usize),
            bytes((large[1] * 1e6 / large[0]) as usize)
        ),
        _ => "Unlike published, memory does not grow with the scene.".to_owned(),
    };
    PageItem {
        id: "ma-hna-figure-6".to_owned(),
        title: "Memory of PCCP".to_owned(),
        source: format!("{MA_HNA}, figure 6"),
        body: ItemBody::Svg(
            Chart {
                id: "ma6".to_owned(),
                description: "Memory of PCCP over the number of polygons".to_owned(),
                columns: 2,
                panels: vec![
                    panel("PCCP, up to three levels".to_owned(), pccp),
                    panel("all parts, up to three levels".to_owned(), parts),
                ],
            }
            .svg(),
        ),
        caption: "Memory of PCCP's tables, and of the other parts of a hierarchy of up to three levels. Each \
                  marker is a scene; both axes are logarithmic. Stars are the paper's two numbers, for \
                  which it names neither level nor μ."
            .to_owned(),
        verdict: format!(
            "{compared}. {growth} Portolan's tables are flat arrays of costs and of the next step of each \
             path; the paper stores entire paths in a hash table and says that storing the next cell would \
             save memory."
        ),
    }
}

/// Formats bytes as kilobytes.
fn kilobytes(bytes: usize) -> String {
    format!("{:.1}", bytes as f64 / 1e3)
}

/// Lists the memory of hierarchies for every scene.
pub(crate) fn numbers(report: &Report) -> PageItem {
    let mut table = PageTable::new(&[
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
    PageItem {
        id: "ma-hna-figure-6-numbers".to_owned(),
        title: "Memory of hierarchies".to_owned(),
        source: format!("{MA_HNA}, section 7.1.1"),
        body: ItemBody::Table(table),
        caption: "Memory of hierarchies of one, two and three levels, per part. Exact tables serve HNA* with \
                  the method table; PCCP's tables serve PCCP."
            .to_owned(),
        verdict: largest.map_or_else(String::new, |cell| {
            format!(
                "The maximum memory of PCCP in this run is {}, on {} with μ {} and {} levels. The paper \
                 calls tens of megabytes insignificant.",
                bytes(cell.pccp),
                cell.scene,
                cell.mu,
                cell.levels
            )
        }),
    }
}
