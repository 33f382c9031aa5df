//! Figures 11 and 12 of Rahmani and Pelechano 2020: many agents at once.

use super::line;
use crate::batch_model::{BatchCell, BatchEngine, BatchTime};
use crate::jobs::FRAME_MS;
use crate::model::Report;
use crate::page_item::{ItemBody, PageItem, times as ratio, us};
use crate::published::{BATCH_SPEED_UPS, MA_HNA};
use portolan_draw::chart::{Axis, Chart, Draw, Panel, Scale, Series};

/// The look of each engine, in the order of the legend.
const LOOKS: [(&str, usize); 6] = [
    ("astar", 0),
    ("hna", 1),
    ("pccp", 4),
    ("contraction", 2),
    ("auto", 5),
    ("labels", 3),
];

/// Returns the look of an engine and what it returns.
pub(super) fn look(engine: &BatchEngine) -> usize {
    let name = engine.engine.split(':').next();
    let look = LOOKS.iter().find(|(known, _)| Some(*known) == name);
    match engine.want.as_str() {
        "portal" => 6,
        _ => look.map_or(7, |(_, look)| *look),
    }
}

/// Returns the legend of an engine. All scenes share it, so it has no level.
pub(super) fn name(engine: &BatchEngine) -> String {
    let mut words = engine.engine.split(':');
    let first = words.next().unwrap_or_default();
    let name = match first {
        "hna" | "pccp" => first.to_owned(),
        _ => engine.engine.clone(),
    };
    match engine.want.as_str() {
        "corridor" => name,
        want => format!("{name}, {want} only"),
    }
}

pub(super) fn agents_axis() -> Axis {
    Axis::new("agents", Scale::Log)
}

/// Returns a horizontal line over the agents of a scene.
pub(super) fn level_line(cell: &BatchCell, name: &str, look: usize, y: f64) -> Series {
    let agents = cell.engines.iter().flat_map(|engine| &engine.batches);
    let agents = agents.map(|batch| batch.agents as f64);
    let (low, high) = agents.fold((f64::MAX, f64::MIN), |(low, high), agents| {
        (low.min(agents), high.max(agents))
    });
    Series {
        draw: Draw::Rule,
        ..line(name, look, vec![[low, y], [high, y]])
    }
}

/// Returns the part of a title that says where the curve of A* ends; empty if it has all batches.
fn end_of_astar(report: &Report, cell: &BatchCell) -> String {
    let largest = report
        .effort
        .agents
        .last()
        .map_or(0, |&agents| agents as usize);
    let last = cell.astar().and_then(|astar| astar.batches.last());
    let last = last.map_or(0, |batch| batch.agents);
    match last < largest {
        true => format!(": astar ends at {last}"),
        false => String::new(),
    }
}

/// Draws figure 11: the time of a batch over the number of agents.
pub(crate) fn figure_11(report: &Report) -> PageItem {
    let panels = report.batches.iter().map(|cell| {
        let mut series: Vec<Series> = cell
            .engines
            .iter()
            .map(|engine| {
                let points = engine.batches.iter();
                let points = points.map(|batch| [batch.agents as f64, batch.ms]);
                line(&name(engine), look(engine), points.collect())
            })
            .collect();
        series.push(level_line(cell, "one frame at 25 fps (40 ms)", 7, FRAME_MS));
        Panel {
            title: format!("{}{}", cell.scene, end_of_astar(report, cell)),
            x: agents_axis(),
            y: Axis::new("time of the batch (ms)", Scale::Log),
            series,
            bars: None,
        }
    });
    PageItem {
        id: "ma-hna-figure-11".to_owned(),
        title: "Time over the number of agents".to_owned(),
        source: format!("{MA_HNA}, figure 11"),
        body: ItemBody::Svg(
            Chart {
                id: "mahna11".to_owned(),
                description: "Time of a batch over the number of agents, per engine and scene"
                    .to_owned(),
                columns: 2,
                panels: panels.collect(),
            }
            .svg(),
        ),
        caption: format!(
            "Time of one batch, a call of find_paths, on {} threads; both axes are logarithmic. Agents have random starts and \
             goals, whose polygons are known, as in the paper. Engines return corridors and their lengths, and labels \
             only the first waypoint (next) or the first portal. HNA* and PCCP search level {}, μ {}, with tables. The \
             fastest of up to three runs counts. A curve ends before the first batch that would take more than {} s, \
             judged by the batch before; nothing is extrapolated. The paper's curves are only drawn, so they \
             are not repeated.",
            report.machine.cores,
            report
                .batches
                .iter()
                .map(|cell| cell.level)
                .max()
                .unwrap_or(0),
            report.batches.first().map_or(0, |cell| cell.mu),
            report.effort.batch_ms as f64 / 1e3,
        ),
        verdict: verdict_11(report),
    }
}

fn verdict_11(report: &Report) -> String {
    let sentences = report.batches.iter().filter_map(|cell| {
        let last = |engine: &BatchEngine| engine.batches.last().cloned();
        let astar = last(cell.astar()?)?;
        let fastest = cell.corridors().filter_map(|engine| Some((engine, last(engine)?)));
        let fastest = fastest.max_by(|a, b| {
            let rate = |batch: &(&BatchEngine, _)| {
                let (_, BatchTime { agents, ms, .. }) = batch;
                *agents as f64 / ms
            };
            rate(a).total_cmp(&rate(b))
        });
        let (engine, batch) = fastest?;
        Some(format!(
            "On {}, the curve of astar ends at {} agents with {} ms, and the fastest engine with corridors, {}, \
             takes {} ms for {} agents",
            cell.scene,
            astar.agents,
            us(astar.ms),
            engine.engine,
            us(batch.ms),
            batch.agents
        ))
    });
    let sentences: Vec<String> = sentences.collect();
    let mismatches: usize = engines(report).map(|engine| engine.mismatches).sum();
    let checked: usize = engines(report).map(|engine| engine.checked).sum();
    format!(
        "Published: more than 500 000 agents in real time on a GPU, even with A*. {}. {mismatches} of {checked} costs \
         differ from those of single queries.",
        sentences.join(". ")
    )
}

fn engines(report: &Report) -> impl Iterator<Item = &BatchEngine> {
    report.batches.iter().flat_map(|cell| &cell.engines)
}

/// Draws figure 12: the speed-up over a parallel A*.
pub(crate) fn figure_12(report: &Report) -> PageItem {
    let [(_, low, high), _] = BATCH_SPEED_UPS;
    let panels = report.batches.iter().map(|cell| {
        let others = cell
            .engines
            .iter()
            .filter(|engine| engine.engine != "astar");
        let mut series: Vec<Series> = others
            .map(|engine| line(&name(engine), look(engine), cell.speed_ups(engine)))
            .collect();
        let published = "PCCP on a GPU, published: 4.3x and 15.7x";
        series.push(level_line(cell, published, 7, low));
        series.push(level_line(cell, "", 7, high));
        Panel {
            title: cell.scene.clone(),
            x: agents_axis(),
            y: Axis::new("speed-up (times)", Scale::Log),
            series,
            bars: None,
        }
    });
    PageItem {
        id: "ma-hna-figure-12".to_owned(),
        title: "Speed-up over a parallel A*".to_owned(),
        source: format!("{MA_HNA}, figure 12"),
        body: ItemBody::Svg(
            Chart {
                id: "mahna12".to_owned(),
                description: "Speed-up over a parallel A*, per engine and scene".to_owned(),
                columns: 2,
                panels: panels.collect(),
            }
            .svg(),
        ),
        caption: format!(
            "Time of a batch of A* divided by the time of the same batch of another engine, both on {} threads in this \
             run; both axes are logarithmic. Curves end at the largest batch that A* answers within the time limit. The \
             horizontal lines are the lowest and the highest mean speed-up that the paper's text gives for PCCP on a GPU; \
             it does not name the scenes.",
            report.machine.cores
        ),
        verdict: verdict_12(report),
    }
}

/// Compares the mean speed-ups with the published ones.
fn verdict_12(report: &Report) -> String {
    let [(_, low, high), (_, cuda_low, cuda_high)] = BATCH_SPEED_UPS;
    // The fastest engine that returns corridors, and PCCP, per scene.
    let of = |accept: fn(&BatchEngine) -> bool| -> Vec<(f64, String)> {
        let cells = report.batches.iter().filter_map(|cell| {
            let engines = cell.corridors().filter(|engine| accept(engine));
            let gains = engines.filter_map(|engine| Some((cell.mean_speed_up(engine)?, engine)));
            let (gain, engine) = gains.max_by(|a, b| a.0.total_cmp(&b.0))?;
            Some((gain, format!("{} with {}", cell.scene, engine.engine)))
        });
        let mut gains: Vec<(f64, String)> = cells.collect();
        gains.sort_by(|a, b| a.0.total_cmp(&b.0));
        gains
    };
    let holds = |is_met: bool| if is_met { "holds" } else { "does not hold" };
    let best = of(|engine| engine.engine != "astar");
    let pccp = of(|engine| engine.engine.starts_with("pccp"));
    let (Some(least), Some(most)) = (best.first(), best.last()) else {
        return "This run has no batches.".to_owned();
    };
    let pccp = match (pccp.first(), pccp.last()) {
        (Some(least), Some(most)) => format!(
            " PCCP alone is {} ({}) to {} ({}) as fast.",
            ratio(least.0),
            least.1,
            ratio(most.0),
            most.1
        ),
        _ => String::new(),
    };
    format!(
        "Published means: {low}x to {high}x for PCCP, {cuda_low}x to {cuda_high}x for HNA* that connects on the GPU. \
         In this run, means over all batches that A* answers. Corridors at least {low}x as fast on every scene: {} \
         ({} on {}). Corridors at least {high}x as fast on the best scene: {} ({} on {}).{pccp}",
        holds(least.0 >= low),
        ratio(least.0),
        least.1,
        holds(most.0 >= high),
        ratio(most.0),
        most.1
    )
}
