//! Figures 11 and 12 of Rahmani and Pelechano 2020 on a device.

use super::batches::{agents_axis, level_line, look, name};
use super::{line, published};
use crate::batch_model::{BatchCell, BatchEngine};
use crate::device_model::{DeviceBatches, DeviceRun};
use crate::jobs::FRAME_MS;
use crate::model::Report;
use crate::page_item::{ItemBody, PageItem, times as ratio, us};
use crate::published::{BATCH_SPEED_UPS, MA_HNA, REAL_TIME_AGENTS};
use portolan_draw::chart::{Axis, Chart, Panel, Scale, Series};

/// Returns the curves of the device's engines, which `points` computes.
fn curves(
    device: &DeviceRun,
    cell: &BatchCell,
    points: impl Fn(&BatchEngine) -> Vec<[f64; 2]>,
) -> Vec<Series> {
    let engines = cell.engines.iter();
    let curves = engines.map(|engine| {
        let name = format!("{} on {}", name(engine), device.short_label());
        line(&name, look(engine), points(engine))
    });
    curves.filter(|curve| !curve.points.is_empty()).collect()
}

/// Returns the part of a title that says where the curve of A* ends; empty if it has all batches.
fn end_of_astar(report: &Report, cell: &BatchCell) -> String {
    let largest = report.effort.agents.last();
    let largest = largest.map_or(0, |&agents| agents as usize);
    let last = cell.astar().and_then(|astar| astar.batches.last());
    match last {
        Some(last) if last.agents >= largest => String::new(),
        Some(last) => format!(": astar ends at {}", last.agents),
        None => ": no astar".to_owned(),
    }
}

/// Returns the times of A* on the CPU.
fn astar_on_cpu(report: &Report, scene: &str) -> Option<Series> {
    let cell = report.batches.iter().find(|cell| cell.scene == scene)?;
    let batches = cell.astar()?.batches.iter();
    let points = batches.map(|batch| [batch.agents as f64, batch.ms]);
    Some(line("astar on the threads of the CPU", 5, points.collect()))
}

/// Draws figure 11 for a device: the time of a batch over the number of agents.
pub(crate) fn figure_11(report: &Report, device: &DeviceRun) -> PageItem {
    let panels = device.batches.iter().map(|batches| {
        let cell = &batches.times;
        let mut series = curves(device, cell, |engine| {
            let batches = engine.batches.iter();
            batches
                .map(|batch| [batch.agents as f64, batch.ms])
                .collect()
        });
        series.extend(astar_on_cpu(report, &cell.scene));
        series.push(level_line(cell, "one frame at 25 fps (40 ms)", 7, FRAME_MS));
        let of_paper = vec![[REAL_TIME_AGENTS, FRAME_MS]];
        series.push(published(
            "astar on CUDA, published: in real time",
            0,
            of_paper,
        ));
        Panel {
            title: format!("{}{}", cell.scene, end_of_astar(report, cell)),
            x: agents_axis(),
            y: Axis::new("time of the batch (ms)", Scale::Log),
            series,
            bars: None,
        }
    });
    PageItem {
        id: "ma-hna-figure-11-device".to_owned(),
        title: format!("Time over the number of agents: {}", device.label()),
        source: format!("{MA_HNA}, figure 11"),
        body: ItemBody::Svg(
            Chart {
                id: "mahna11device".to_owned(),
                description: format!(
                    "Time of a batch on {} over the number of agents, per engine and scene",
                    device.label()
                ),
                columns: 2,
                panels: panels.collect(),
            }
            .svg(),
        ),
        caption: format!(
            "Time of one batch on the device {}, with the copies to and from it and the corridors, which the CPU computes; \
             agents, engines and levels as on the CPU, and HNA* connects in parallel on the device. Both axes are \
             logarithmic. A curve ends before the first batch that would take more than {} s, judged by the batch \
             before; nothing is extrapolated.{} The star is the paper's text: more than 500 000 agents in real time on CUDA, even \
             with A*; it calls 25 frames per second real time and does not name the scene. The paper's curves are only \
             drawn, so they are not repeated.",
            device.label(),
            report.effort.batch_ms as f64 / 1e3,
            device.warning()
        ),
        verdict: verdict_11(device),
    }
}

fn verdict_11(device: &DeviceRun) -> String {
    let sentences = device.batches.iter().filter_map(|batches| {
        let cell = &batches.times;
        let rate = |engine: &&BatchEngine| {
            let last = engine.batches.last();
            last.map_or(0.0, |last| last.agents as f64 / last.ms.max(1e-6))
        };
        let fastest = cell
            .corridors()
            .max_by(|a, b| rate(a).total_cmp(&rate(b)))?;
        let last = fastest.batches.last()?;
        Some(format!(
            "On {}, the engine with corridors that answers the most agents per second is {}: {} ms for {} agents",
            cell.scene,
            fastest.engine,
            us(last.ms),
            last.agents
        ))
    });
    let sentences: Vec<String> = sentences.collect();
    format!(
        "Published: more than 500 000 agents in real time on a GPU, even with A*. {}. {}",
        sentences.join(". "),
        checks(device)
    )
}

/// Returns a sentence about answers that differ, agents that the CPU answered, and engines that failed.
pub(crate) fn checks(device: &DeviceRun) -> String {
    let engines = || {
        let cells = device.batches.iter();
        cells.flat_map(|cell: &DeviceBatches| cell.times.engines.iter().zip(&cell.engines))
    };
    let checked: usize = engines().map(|(times, _)| times.checked).sum();
    let different: usize = engines().map(|(times, _)| times.mismatches).sum();
    let failures: Vec<String> = engines()
        .filter_map(|(times, engine)| Some((times, engine.failure.as_ref()?)))
        .map(|(times, failure)| format!("{} failed: {failure}.", times.engine))
        .collect();
    let fallbacks: usize = engines().map(|(_, engine)| engine.fallbacks).sum();
    format!(
        "{different} of {checked} statuses and costs differ from those of the same batch on the CPU, and the CPU answered \
         {fallbacks} agents of the largest batches instead of the device. {}",
        match failures.is_empty() {
            true => "No batch failed.".to_owned(),
            false => failures.join(" "),
        }
    )
}

/// Draws figure 12 for a device: the speed-up over A* on the same device.
pub(crate) fn figure_12(device: &DeviceRun) -> PageItem {
    let [(_, low, high), (_, cuda_low, cuda_high)] = BATCH_SPEED_UPS;
    let panels = device.batches.iter().map(|batches| {
        let cell = &batches.times;
        let mut series = curves(device, cell, |engine| match engine.engine.as_str() {
            "astar" => Vec::new(),
            _ => cell.speed_ups(engine),
        });
        let of_pccp = format!("PCCP on a GPU, published: {low}x and {high}x");
        series.push(level_line(cell, &of_pccp, 4, low));
        series.push(level_line(cell, "", 4, high));
        let of_hna = format!("CUDA-HNA*, published: {cuda_low}x and {cuda_high}x");
        series.push(level_line(cell, &of_hna, 1, cuda_low));
        series.push(level_line(cell, "", 1, cuda_high));
        Panel {
            title: cell.scene.clone(),
            x: agents_axis(),
            y: Axis::new("speed-up (times)", Scale::Log),
            series,
            bars: None,
        }
    });
    PageItem {
        id: "ma-hna-figure-12-device".to_owned(),
        title: format!("Speed-up over A* on the device: {}", device.label()),
        source: format!("{MA_HNA}, figure 12"),
        body: ItemBody::Svg(
            Chart {
                id: "mahna12device".to_owned(),
                description: format!("Speed-up over A* on {}, per scene", device.label()),
                columns: 2,
                panels: panels.collect(),
            }
            .svg(),
        ),
        caption: format!(
            "Time of a batch of A* divided by the time of the same batch of another engine, both on the device {}. Curves end \
             at the largest batch of A*. The horizontal lines are the lowest and the highest mean speed-ups that the paper's text \
             gives for a GPU; it does not name the scenes.{}",
            device.label(),
            device.warning()
        ),
        verdict: verdict_12(device),
    }
}

fn verdict_12(device: &DeviceRun) -> String {
    let sentences = BATCH_SPEED_UPS.iter().zip(["pccp", "hna"]);
    let sentences = sentences.filter_map(|(&(published, low, high), name)| {
        let gains = device.batches.iter().filter_map(|batches| {
            let cell = &batches.times;
            let mut engines = cell.corridors();
            let engine = engines.find(|engine| engine.engine.split(':').next() == Some(name))?;
            cell.mean_speed_up(engine)
        });
        let gains: Vec<f64> = gains.collect();
        let least = gains.iter().copied().reduce(f64::min)?;
        let most = gains.iter().copied().reduce(f64::max)?;
        Some(format!(
            "Published means for {published}: {low}x to {high}x; in this run {} to {}",
            ratio(least),
            ratio(most)
        ))
    });
    let sentences: Vec<String> = sentences.collect();
    match sentences.is_empty() {
        true => "This run has no batch of two engines to compare.".to_owned(),
        false => format!("{}.{}", sentences.join(". "), device.warning()),
    }
}
