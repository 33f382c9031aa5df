//! Table 3 of Rahmani and Pelechano 2020: how many agents one core serves per frame.

use portolan_measure::mean;

use crate::figures::fastest_cell;
use crate::model::Report;
use crate::page_item::{ItemBody, PageItem, PageTable, percent, times};
use crate::published::{AGENTS, MA_HNA};

/// The duration of a frame at 25 frames per second. [Units: µs]
const FRAME_US: f64 = 40_000.0;

/// Repeats table 3 of Rahmani and Pelechano 2020.
pub(crate) fn agents(report: &Report) -> PageItem {
    let mut table = PageTable::new(&[
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
    // The stable name of the column is that of a report without a device.
    if let Some(device) = &report.device {
        let cuda = table.columns.iter_mut().find(|name| *name == "CUDA");
        cuda.into_iter()
            .for_each(|name| *name = format!("HNA* that connects on {}", device.label()));
    }
    let (mut findings, mut ratios): (Vec<String>, Vec<f64>) = (Vec::new(), Vec::new());
    let mut rows: Vec<(&str, u8, u32, Option<[u32; 4]>)> = AGENTS
        .iter()
        .filter(|known| report.grid_of(known.0).next().is_some())
        .map(|&(scene, level, mu, agents)| (scene, level, mu, Some(agents)))
        .collect();
    for scene in &report.scenes {
        if let Some(best) = fastest_cell(report, &scene.scene, |_, method| method == "pccp") {
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
        let full_query = cell.engine(level, "pccp").map_or(String::new(), |engine| {
            agents(engine.time.mean_us + cell.locate_us + cell.waypoints_us).to_string()
        });
        let mut row = vec![scene.to_owned(), level.to_string(), mu.to_string()];
        row.push(agents(report.astar_us(scene)).to_string());
        row.extend(["astar", "dijkstra", "table", "pccp"].map(of));
        row.push(full_query);
        row.push(on_device(report, scene, level, mu));
        row.push(in_one_batch(report, scene, level, mu));
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
            let astar_here = agents(report.astar_us(scene));
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
            findings.push(format!(
                "On {scene}, A* serves {astar_here} agents (published: {astar}), HNA* with the published \
                 connect step {hna_here} ({hna}), and PCCP {pccp_here} ({pccp}). The order from the most \
                 agents to the fewest is {here}, {agree} as published ({paper}). The connect step takes {} \
                 of HNA*'s time",
                percent(connect)
            ));
            ratios.push(astar_here / f64::from(astar));
        }
    }
    let verdict = if findings.is_empty() {
        "This run does not include the paper's configurations.".to_owned()
    } else {
        format!(
            "{}. A* serves {} as many agents as the paper's A*, because the code and the machine differ.",
            findings.join(". "),
            times(mean(ratios))
        )
    };
    PageItem {
        id: "ma-hna-table-3".to_owned(),
        title: "Agents that one core serves at 25 frames per second".to_owned(),
        source: format!("{MA_HNA}, table 3"),
        body: ItemBody::Table(table),
        caption: "Number of agents, computed as 40 ms divided by the mean search time: one search per agent \
                  and frame, one after another. The first rows have the paper's configurations; the others \
                  have, per scene, the configuration at which PCCP is fastest. The column of many agents at once has one batch \
                  of PCCP on all threads, in the configuration in which batches are measured. The times exclude point \
                  location and waypoints, as in the paper; one column includes them."
            .to_owned(),
        verdict,
    }
}

/// Returns the number of agents that HNA* serves one after another if it connects on a device, if it was measured.
fn on_device(report: &Report, scene: &str, level: u8, mu: u32) -> String {
    let device = report.device.as_ref();
    let mut cells = device
        .into_iter()
        .flat_map(|of| of.connects_at(scene, level));
    let cell = cells.find(|cell| cell.mu == mu);
    cell.map_or("not measured".to_owned(), |cell| {
        (FRAME_US / cell.time.mean_us.max(1e-3)).floor().to_string()
    })
}

/// Returns the number of agents that PCCP serves within a frame in one batch on all threads, if it was measured.
fn in_one_batch(report: &Report, scene: &str, level: u8, mu: u32) -> String {
    let cells = report.batches.iter();
    let mut cells =
        cells.filter(|cell| (&cell.scene[..], cell.level, cell.mu) == (scene, level, mu));
    let pccp = cells.next().and_then(|cell| {
        let mut engines = cell.engines.iter();
        engines.find(|engine| engine.engine.starts_with("pccp"))
    });
    pccp.map_or("not measured".to_owned(), |pccp| {
        pccp.frame_agents.to_string()
    })
}
