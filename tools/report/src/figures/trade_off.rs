//! Time over excess: what a better path costs.

use super::line;
use crate::chart::{Axis, Chart, Draw, Panel, Scale, Series};
use crate::exhibit::{Body, Exhibit, percent, us};
use crate::model::{BeyondCell, Report, TradeOffEngine};
use crate::peers::{PeersMap, PeersRun};

/// Less excess than this is drawn as this. [Units: %]
const LEAST: f64 = 0.001;

/// One engine or peer in a panel.
struct Point<'a> {
    name: &'a str,
    look: usize,
    /// Whether it is a tier of ours: those are joined by a line.
    is_tier: bool,
    /// [Units: %]
    excess: f64,
    us: f64,
}

/// What is drawn of our own engines, and the look of each.
const OURS: [(&str, &str, usize); 5] = [
    ("contraction:fast", "fast", 2),
    ("contraction", "default", 2),
    ("contraction:best", "best", 2),
    ("astar", "astar", 0),
    ("hna", "hna", 1),
];

/// What is drawn of a run of peers. Detour with fewer nodes leaves queries without an answer, so its means are of
/// others.
const PEERS: [(&str, &str, usize); 8] = [
    ("ours:fast", "ours:fast", 2),
    ("ours:default", "ours:default", 2),
    ("ours:best", "ours:best", 2),
    ("astar", "our astar", 0),
    ("Detour, 65 535 nodes", "Detour", 1),
    ("polyanya", "polyanya", 3),
    ("landmass", "landmass", 4),
    ("fast_paths", "fast_paths", 5),
];

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
    let panels = cells.iter().map(|cell| {
        let points = points(&OURS, |name| {
            let engine = cell.trade_off.iter().find(|e| e.engine == name)?;
            Some([engine.mean_percent, engine.time.mean_us])
        });
        let title = format!("{}, {} polygons", cell.scene, cell.polygons);
        panel(title, "shortest known", &points)
    });
    let said: Vec<String> = cells.iter().map(|cell| said(cell)).collect();
    Some(Exhibit {
        id: "beyond-trade-off".to_owned(),
        title: "Time over excess".to_owned(),
        source: "this run".to_owned(),
        body: Body::Svg(chart("beyond3", panels.collect())),
        caption: format!(
            "Whole queries, location and waypoints included; excess is that of the path's length from \
             above over the shortest known: the least of what all engines here and the best tier on \
             very dense samples ({}) find. No exact optimum is at hand, so the truth may be a little \
             more. A line joins the tiers of the contraction; both axes are logarithmic, and less than \
             {LEAST}% is drawn as that.",
            crate::jobs::DENSE
        ),
        verdict: said.join(" "),
    })
}

fn said(cell: &BeyondCell) -> String {
    let tiers = OURS.iter().filter_map(|(name, tier, _)| {
        let engine: &TradeOffEngine = cell.trade_off.iter().find(|e| e.engine == *name)?;
        Some(format!(
            "{tier} {} in the mean and {} at most in {} µs",
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
             the any-angle optimum in (x, z), both axes are logarithmic, and less than {LEAST}% is drawn \
             as that. A line joins our tiers. Detour has 65 535 nodes."
        ),
        verdict: format!("Maps: {}.", maps.join(", ")),
    }
}

/// The figure alone. Maps without an optimum have no panel.
pub(crate) fn peers_svg(run: &PeersRun) -> String {
    let panels = run.maps.iter().filter_map(|map| {
        let points = points(&PEERS, |name| placed(map, name));
        let title = format!("{}, {} polygons", map.map, map.polygons);
        (!points.is_empty()).then(|| panel(title, "optimum", &points))
    });
    chart("peers", panels.collect())
}

/// Excess in percent and time of an engine that found something.
fn placed(map: &PeersMap, name: &str) -> Option<[f64; 2]> {
    let engine = map.engines.iter().find(|engine| engine.engine == name)?;
    Some([100.0 * engine.excess?.mean, engine.mean_us])
}

fn points<'a>(
    wanted: &'a [(&str, &str, usize)],
    place: impl Fn(&str) -> Option<[f64; 2]>,
) -> Vec<Point<'a>> {
    let point = |&(name, shown, look): &(&str, &'a str, usize)| {
        let [excess, us] = place(name)?;
        Some(Point {
            name: shown,
            look,
            is_tier: look == 2,
            excess,
            us,
        })
    };
    wanted.iter().filter_map(point).collect()
}

fn panel(title: String, over: &str, points: &[Point<'_>]) -> Panel {
    let place = |point: &Point<'_>| [point.excess, point.us];
    let (tiers, others): (Vec<_>, Vec<_>) = points.iter().partition(|point| point.is_tier);
    let mut series = vec![Series {
        labels: tiers.iter().map(|point| point.name.to_owned()).collect(),
        ..line("", 2, tiers.iter().map(|&point| place(point)).collect())
    }];
    series.extend(others.iter().map(|point| Series {
        draw: Draw::Dots(5.0),
        labels: vec![point.name.to_owned()],
        ..line("", point.look, vec![place(point)])
    }));
    let mut x = Axis::new(&format!("mean excess over the {over} (%)"), Scale::Log);
    x.floor = Some(LEAST);
    // The same in all panels, but for what is beyond.
    x.at = vec![LEAST, 0.01, 0.1, 1.0, 10.0];
    Panel {
        title,
        x,
        y: Axis::new("mean time a query (µs)", Scale::Log),
        series,
        bars: None,
    }
}

fn chart(id: &str, panels: Vec<Panel>) -> String {
    Chart {
        id: id.to_owned(),
        description: "Mean time a query over mean excess of the path's length, by engine"
            .to_owned(),
        columns: if panels.len() > 4 { 3 } else { 2 },
        panels,
    }
    .svg()
}
