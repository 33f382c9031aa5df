//! Table 3 of MA-HNA*: what a core can do in a frame.

use portolan_measure::mean;

use crate::exhibit::{Body, Exhibit, Table, percent, times};
use crate::figures::best;
use crate::model::Report;
use crate::published::{AGENTS, MA_HNA};

/// A frame at 25 frames a second.
const FRAME_US: f64 = 40_000.0;

/// Table 3 of MA-HNA*.
pub(crate) fn agents(report: &Report) -> Exhibit {
    let mut table = Table::new(&[
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
    let (mut said, mut ratios): (Vec<String>, Vec<f64>) = (Vec::new(), Vec::new());
    let mut rows: Vec<(&str, u8, u32, Option<[u32; 4]>)> = AGENTS
        .iter()
        .filter(|known| report.grid_of(known.0).next().is_some())
        .map(|&(scene, level, mu, agents)| (scene, level, mu, Some(agents)))
        .collect();
    for scene in &report.scenes {
        if let Some(best) = best(report, &scene.scene, |_, method| method == "pccp") {
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
        let whole = cell.engine(level, "pccp").map_or(String::new(), |engine| {
            agents(engine.time.mean_us + cell.locate_us + cell.waypoints_us).to_string()
        });
        let mut row = vec![scene.to_owned(), level.to_string(), mu.to_string()];
        row.push(agents(report.astar_us(scene)).to_string());
        row.extend(["astar", "dijkstra", "table", "pccp"].map(of));
        row.push(whole);
        row.push("joins with the device".to_owned());
        row.push("joins with the batch engine".to_owned());
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
            said.push(format!(
                "{scene}: A* {astar_here} agents (published {astar}), HNA* as published {hna_here} \
                 ({hna}), PCCP {pccp_here} ({pccp}); the order from the most to the least is {here}, \
                 {agree} as published ({paper}); connecting takes {} of HNA*'s time here",
                percent(connect)
            ));
            ratios.push(astar_here / f64::from(astar));
        }
    }
    let verdict = if said.is_empty() {
        "The cells of the paper are not in this run.".to_owned()
    } else {
        format!(
            "{}. A* alone serves {} as many agents as the paper's: code and machine are others.",
            said.join(". "),
            times(mean(ratios))
        )
    };
    Exhibit {
        id: "ma-hna-table-3".to_owned(),
        title: "Agents that one core serves at 25 frames a second".to_owned(),
        source: format!("{MA_HNA}, table 3"),
        body: Body::Table(table),
        caption:
            "One search an agent and frame, one after the other: 40 ms over the mean time. First \
                  the paper's configurations, then each scene where PCCP is fastest. Location and \
                  waypoints are not in the paper's times; one column adds them."
                .to_owned(),
        verdict,
    }
}
