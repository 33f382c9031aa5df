//! Time over excess: what a better path costs.

use portolan_draw::chart::trade_off::{self, EnginePoint, MIN_EXCESS, PEERS, ShownEngine, TIER};

use crate::exhibit::{Body, Exhibit, percent, us};
use crate::model::{BeyondCell, Report, TradeOffEngine};
use crate::peers::PeersRun;

/// The engines of this run that are drawn.
const OURS: [ShownEngine; 5] = [
    shown("contraction:fast", "fast", TIER),
    shown("contraction", "default", TIER),
    shown("contraction:best", "best", TIER),
    shown("astar", "astar", 0),
    shown("hna", "hna", 1),
];

const fn shown(engine: &'static str, name: &'static str, look: usize) -> ShownEngine {
    ShownEngine { engine, name, look }
}

/// Of our tiers and engines, on the largest world of each kind that was measured.
pub(crate) fn of_engines(report: &Report) -> Option<Exhibit> {
    let mut cells: Vec<&BeyondCell> = Vec::new();
    for cell in report
        .beyond
        .iter()
        .filter(|cell| !cell.trade_off.is_empty())
    {
        match cells.iter_mut().find(|known| known.world == cell.world) {
            Some(known) if known.polygons < cell.polygons => *known = cell,
            Some(_) => {}
            None => cells.push(cell),
        }
    }
    if cells.is_empty() {
        return None;
    }
    let panels = cells.iter().filter_map(|cell| {
        let title = format!("{}, {} polygons", cell.scene, cell.polygons);
        trade_off::panel(title, "shortest known", &OURS, |name| {
            let engine = cell.trade_off.iter().find(|e| e.engine == name)?;
            Some(EnginePoint {
                excess: engine.mean_percent,
                mean_us: engine.time.mean_us,
            })
        })
    });
    let said: Vec<String> = cells.iter().map(|cell| said(cell)).collect();
    Some(Exhibit {
        id: "beyond-trade-off".to_owned(),
        title: "Time over excess".to_owned(),
        source: "this run".to_owned(),
        body: Body::Svg(trade_off::svg("beyond3", panels.collect())),
        caption: format!(
            "Whole queries, location and waypoints included; excess is that of the path's length from \
             above over the shortest known: the least of what all engines here and the best tier on \
             very dense samples ({}) find. No exact optimum is at hand, so the truth may be a little \
             more. A line joins the tiers of the contraction; both axes are logarithmic, and less than \
             {MIN_EXCESS}% is drawn as that.",
            crate::jobs::DENSE
        ),
        verdict: said.join(" "),
    })
}

fn said(cell: &BeyondCell) -> String {
    let tiers = OURS.iter().filter_map(|shown| {
        let mut engines = cell.trade_off.iter();
        let engine: &TradeOffEngine = engines.find(|e| e.engine == shown.engine)?;
        Some(format!(
            "{} {} in the mean and {} at most in {} µs",
            shown.name,
            percent(engine.mean_percent),
            percent(engine.max_percent),
            us(engine.time.mean_us)
        ))
    });
    let tiers: Vec<String> = tiers.collect();
    format!("On {}: {}.", cell.scene, tiers.join(", "))
}

/// Of ours and others, on the maps of a run of `cargo xtask peers`.
pub(crate) fn of_peers(run: &PeersRun) -> Exhibit {
    let maps: Vec<&str> = run.maps.iter().map(|map| map.map.as_str()).collect();
    Exhibit {
        id: "beyond-peers".to_owned(),
        title: "Time over excess, beside others".to_owned(),
        source: "cargo xtask peers".to_owned(),
        body: Body::Svg(peers_svg(run)),
        caption: format!(
            "Whole queries on the same navmeshes in one run of their own, not this one; excess is over \
             the any-angle optimum in (x, z), both axes are logarithmic, and less than {MIN_EXCESS}% is drawn \
             as that. A line joins our tiers. Detour has 65 535 nodes."
        ),
        verdict: format!("Maps: {}.", maps.join(", ")),
    }
}

/// The figure alone. Maps without an optimum have no panel.
pub(crate) fn peers_svg(run: &PeersRun) -> String {
    let panels = run.maps.iter().filter_map(|map| {
        let title = format!("{}, {} polygons", map.map, map.polygons);
        trade_off::panel(title, "optimum", &PEERS, |name| {
            let engine = map.engines.iter().find(|engine| engine.engine == name)?;
            Some(EnginePoint {
                excess: 100.0 * engine.excess?.mean,
                mean_us: engine.mean_us,
            })
        })
    });
    trade_off::svg("peers", panels.collect())
}
