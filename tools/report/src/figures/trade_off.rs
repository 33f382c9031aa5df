//! The trade-off between query time and path length.

use portolan_draw::chart::trade_off::{self, EnginePoint, MIN_EXCESS, PEERS, ShownEngine, TIER};

use crate::model::{EngineComparison, Report, TradeOffEngine};
use crate::page_item::{ItemBody, PageItem, percent, us};
use crate::peers::PeersRun;

/// The engines of this run that the figure shows.
const ENGINES: [ShownEngine; 5] = [
    shown("contraction:fast", "fast", TIER),
    shown("contraction", "default", TIER),
    shown("contraction:best", "best", TIER),
    shown("astar", "astar", 0),
    shown("hna", "hna", 1),
];

const fn shown(engine: &'static str, name: &'static str, look: usize) -> ShownEngine {
    ShownEngine { engine, name, look }
}

/// Draws the query time over the excess of each engine and quality tier, on the largest measured world of
/// each kind.
pub(crate) fn of_engines(report: &Report) -> Option<PageItem> {
    let mut cells: Vec<&EngineComparison> = Vec::new();
    for cell in report
        .comparisons
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
        trade_off::panel(title, "shortest known", &ENGINES, |name| {
            let engine = cell.trade_off.iter().find(|e| e.engine == name)?;
            Some(EnginePoint {
                excess: engine.mean_percent,
                mean_us: engine.time.mean_us,
            })
        })
    });
    let findings: Vec<String> = cells.iter().map(|cell| finding(cell)).collect();
    Some(PageItem {
        id: "beyond-trade-off".to_owned(),
        title: "Query time over excess length".to_owned(),
        source: "this run".to_owned(),
        body: ItemBody::Svg(trade_off::svg("beyond3", panels.collect())),
        caption: format!(
            "Mean time of a full query, including point location and waypoints, over the excess of the path \
             length in plan, on {} queries per generated world. The excess is relative to the shortest \
             known path: the shortest that any of these engines, or the tier best on very dense samples \
             ({}), finds. The exact optimum is not computed, so the true excess may be slightly larger. A \
             line connects the tiers of the contraction. Both axes are logarithmic; an excess below \
             {MIN_EXCESS}% is drawn at that value.",
            report.effort.queries,
            crate::jobs::DENSE
        ),
        verdict: findings.join(" "),
    })
}

/// Describes the trade-off on one world in a sentence.
fn finding(cell: &EngineComparison) -> String {
    let tiers = ENGINES.iter().filter_map(|shown| {
        let mut engines = cell.trade_off.iter();
        let engine: &TradeOffEngine = engines.find(|e| e.engine == shown.engine)?;
        Some(format!(
            "{} has a mean excess of {}, at most {}, and takes {} µs",
            shown.name,
            percent(engine.mean_percent),
            percent(engine.max_percent),
            us(engine.time.mean_us)
        ))
    });
    let tiers: Vec<String> = tiers.collect();
    format!("On {}: {}.", cell.scene, tiers.join("; "))
}

/// Draws the query time over the excess of Portolan and of other libraries, from a run of
/// `cargo xtask peers`.
pub(crate) fn of_peers(run: &PeersRun) -> PageItem {
    let maps: Vec<&str> = run.maps.iter().map(|map| map.map.as_str()).collect();
    PageItem {
        id: "beyond-peers".to_owned(),
        title: "Query time over excess length, compared with other libraries".to_owned(),
        source: "cargo xtask peers".to_owned(),
        body: ItemBody::Svg(peers_svg(run)),
        caption: format!(
            "Mean time of a full query over the mean excess of the path length over the any-angle optimum \
             in the (x, z) plane, measured on the same navmeshes with cargo xtask peers, in a separate run. \
             A line connects Portolan's tiers. Both axes are logarithmic; an excess below {MIN_EXCESS}% \
             is drawn at that value. Detour's node pool has 65 535 nodes."
        ),
        verdict: format!("Maps: {}.", maps.join(", ")),
    }
}

/// Draws the figure. Maps without a known optimum have no panel.
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
