//! The tables of a device: its batches, its single queries, and the estimate for other devices.

use crate::device_model::{DeviceEngine, DeviceRun, KernelWork};
use crate::figures::device::checks;
use crate::jobs::DEVICE_QUERIES;
use crate::model::Report;
use crate::page_item::{ItemBody, PageItem, PageTable, times, us};
use crate::published::{BATCH_SPEED_UPS, CUDA_TIMES, MA_HNA};
use crate::roofline::{DEVICE_MODELS, bounds_ms};

/// The number of agents that the estimate is for, as in Rahmani and Pelechano 2020.
const ESTIMATED_AGENTS: usize = 500_000;

/// Lists the batches of a device.
pub(crate) fn device_batches(device: &DeviceRun) -> PageItem {
    let mut table = PageTable::new(&[
        "scene",
        "engine",
        "returns",
        "agents within 40 ms",
        "largest batch (agents)",
        "time (ms)",
        "agents per second",
        "mean speed-up over A* on the device",
        "compared",
        "mismatches",
        "answered by the CPU",
        "failure",
        "paper: mean speed-up on a GPU",
    ]);
    for cell in &device.batches {
        for (engine, of_device) in cell.times.engines.iter().zip(&cell.engines) {
            let last = engine.batches.last();
            let of_last = |text: fn(usize, f64) -> String| {
                last.map_or(String::new(), |last| text(last.agents, last.ms))
            };
            let published = match engine.engine.split(':').next() {
                Some("pccp") => Some(BATCH_SPEED_UPS[0]),
                Some("hna") => Some(BATCH_SPEED_UPS[1]),
                _ => None,
            };
            table.rows.push(vec![
                cell.times.scene.clone(),
                engine.engine.clone(),
                engine.want.clone(),
                engine.frame_agents.to_string(),
                of_last(|agents, _| agents.to_string()),
                of_last(|_, ms| us(ms)),
                of_last(|agents, ms| format!("{:.0}", agents as f64 / ms.max(1e-6) * 1e3)),
                cell.times
                    .mean_speed_up(engine)
                    .map_or(String::new(), times),
                engine.checked.to_string(),
                engine.mismatches.to_string(),
                of_device.fallbacks.to_string(),
                of_device.failure.clone().unwrap_or_default(),
                published.map_or(String::new(), |(_, low, high)| {
                    format!("{low}x to {high}x over four scenes")
                }),
            ]);
        }
    }
    PageItem {
        id: "device-batches".to_owned(),
        title: format!("Batches on {}", device.label()),
        source: format!("{MA_HNA}, section 7.3"),
        body: ItemBody::Table(table),
        caption: format!(
            "The largest measured batch of at most 40 ms, the largest batch within the time limit with its time, and the mean \
             speed-up over A* on the same device. Mismatches are agents of those compared whose status differs from that of \
             the same batch on the CPU, or whose cost differs by more than 1e-4 of it. The CPU answers agents whose memory on the device is \
             too small, or where rounding decides.{}",
            device.warning()
        ),
        verdict: checks(device),
    }
}

/// Lists the single queries that connect on a device, next to those on the CPU and the published ones.
pub(crate) fn device_connects(report: &Report, device: &DeviceRun) -> PageItem {
    let mut table = PageTable::new(&[
        "scene",
        "level",
        "μ",
        "portals",
        "device (µs)",
        "device, connect step (µs)",
        "CPU, parallel connect (µs)",
        "CPU, connect step (µs)",
        "CPU, A* (µs)",
        "queries",
        "mismatches",
        "answered by the CPU",
        "paper: CUDA (µs)",
    ]);
    for cell in &device.connects {
        let on_cpu = report.cell(&cell.scene, cell.mu);
        let parallel = on_cpu.and_then(|of| of.engine(cell.level, "parallel"));
        let published = CUDA_TIMES.iter().find(|time| {
            (time.scene, time.level, time.mu) == (&cell.scene[..], cell.level, cell.mu)
        });
        let or_empty = |value: Option<f64>| value.map_or(String::new(), us);
        table.rows.push(vec![
            cell.scene.clone(),
            cell.level.to_string(),
            cell.mu.to_string(),
            format!("{:.1}", cell.portals_mean),
            us(cell.time.mean_us),
            us(cell.connect_us),
            or_empty(parallel.map(|engine| engine.time.mean_us)),
            or_empty(parallel.map(|engine| engine.connect_us)),
            or_empty(on_cpu.map(|of| of.astar.mean_us)),
            cell.time.queries.to_string(),
            cell.mismatches.to_string(),
            cell.fallbacks.to_string(),
            or_empty(published.map(|time| 1e3 * time.ms)),
        ]);
    }
    let queries: usize = device.connects.iter().map(|cell| cell.time.queries).sum();
    let mismatches: usize = device.connects.iter().map(|cell| cell.mismatches).sum();
    let fallbacks: usize = device.connects.iter().map(|cell| cell.fallbacks).sum();
    PageItem {
        id: "device-connects".to_owned(),
        title: format!("One path at a time, connected on {}", device.label()),
        source: format!("{MA_HNA}, section 7.2, figures 9, 13 and 14"),
        body: ItemBody::Table(table),
        caption: format!(
            "Mean time of one query of HNA* on the device {}, from the query to the vertices of its path on the CPU, and of its \
             connect step, which is submitted and waited for separately in rounds of its own. Up to {DEVICE_QUERIES} queries per row. The paper's column has \
             the times that its text states for its CUDA method.{}",
            device.label(),
            device.warning()
        ),
        verdict: format!(
            "{mismatches} of {queries} statuses and costs differ from those of the same queries on the CPU, and the CPU answered \
             {fallbacks} of them instead of the device."
        ),
    }
}

/// Lists what each kernel reads, writes and computes per agent.
pub(crate) fn kernel_work(device: &DeviceRun) -> PageItem {
    let mut table = PageTable::new(&[
        "scene",
        "engine",
        "returns",
        "kernel",
        "agents counted",
        "bytes read from the index per agent",
        "bytes read from own arrays per agent",
        "bytes written per agent",
        "operations per agent",
        "operations per byte",
        "operations in lockstep per agent",
    ]);
    for cell in &device.batches {
        for (times, engine) in cell.times.engines.iter().zip(&cell.engines) {
            for kernel in &engine.kernels {
                let per_agent = |count: u64| count as f64 / engine.counted_agents.max(1) as f64;
                let whole = |value: f64| format!("{value:.0}");
                let bytes = 4.0 * kernel.words() as f64;
                table.rows.push(vec![
                    cell.times.scene.clone(),
                    times.engine.clone(),
                    times.want.clone(),
                    kernel.kernel.clone(),
                    engine.counted_agents.to_string(),
                    whole(4.0 * per_agent(kernel.index_words)),
                    whole(4.0 * per_agent(kernel.own_words)),
                    whole(4.0 * per_agent(kernel.written_words)),
                    whole(per_agent(kernel.operations)),
                    format!("{:.2}", kernel.operations as f64 / bytes.max(1.0)),
                    whole(per_agent(kernel.lockstep_operations)),
                ]);
            }
        }
    }
    PageItem {
        id: "device-kernels".to_owned(),
        title: "Bytes and operations per agent and kernel".to_owned(),
        source: "this run".to_owned(),
        body: ItemBody::Table(table),
        caption: format!(
            "Counted by kernels with counters, which ran on {} for the agents of the smallest batch. Bytes are those of storage \
             arrays: the index is shared by all agents, and own arrays are queries, labels, open lists, results and paths. \
             Operations are scalar: one per component of an arithmetic, comparison or selection, one per address, read, \
             write and branch, 7 per distance of two points. A compiler may merge or split them. In lockstep, 32 \
             consecutive agents take as long as the longest of them. A search that pauses, which happens more often on \
             an emulated device, reads its state again.",
            device.label()
        ),
        verdict: "These counts do not depend on the speed of the device.".to_owned(),
    }
}

/// Estimates the time of the kernels for 500 000 agents on devices of stated bandwidth.
pub(crate) fn estimate(device: &DeviceRun) -> PageItem {
    let mut columns = vec![
        "scene".to_owned(),
        "engine".to_owned(),
        "returns".to_owned(),
    ];
    for model in DEVICE_MODELS {
        columns.push(format!("estimate: {}, at least (ms)", model.name));
        columns.push(format!("estimate: {}, at most (ms)", model.name));
    }
    let mut table = PageTable {
        columns,
        ..PageTable::default()
    };
    let total = |engine: &DeviceEngine, model| {
        bounds_ms(
            &engine.kernels,
            engine.counted_agents,
            ESTIMATED_AGENTS,
            model,
        )
    };
    let (mut by_memory, mut kernels) = (0, 0);
    for cell in &device.batches {
        for (times, engine) in cell.times.engines.iter().zip(&cell.engines) {
            if engine.kernels.is_empty() {
                continue;
            }
            let mut row = vec![
                cell.times.scene.clone(),
                times.engine.clone(),
                times.want.clone(),
            ];
            row.extend(
                DEVICE_MODELS
                    .iter()
                    .flat_map(|model| total(engine, model).map(us)),
            );
            table.rows.push(row);
            let middle = DEVICE_MODELS[1];
            let is_by_memory = |kernel: &&KernelWork| {
                4.0 * kernel.words() as f64 / middle.bandwidth
                    > kernel.operations as f64 / middle.rate
            };
            by_memory += engine.kernels.iter().filter(is_by_memory).count();
            kernels += engine.kernels.len();
        }
    }
    let models: Vec<String> = DEVICE_MODELS
        .iter()
        .map(|model| {
            format!(
                "{}: {:.0} GB/s and {:.0} thousand million operations per second",
                model.name,
                model.bandwidth / 1e9,
                model.rate / 1e9
            )
        })
        .collect();
    PageItem {
        id: "device-estimate".to_owned(),
        title: "Estimate, not measured: 500 000 agents on other devices".to_owned(),
        source: "this run".to_owned(),
        body: ItemBody::Table(table),
        caption: format!(
            "An estimate, not a measurement: the time of the kernels for 500 000 agents from the counts above, as the larger of \
             bytes / bandwidth and operations / rate, kernel by kernel. Assumed devices, which are not products: {}. \"At least\": \
             a word moves 4 bytes, and all lanes work all the time. \"At most\": a word moves a sector of 32 bytes, as if no \
             cache existed and no two words were neighbours, and 32 lanes wait for the slowest. Neither includes the latency of \
             memory, copies to and from the device, or the corridors, which the CPU computes, so \"at most\" is no \
             guarantee.",
            models.join("; ")
        ),
        verdict: format!(
            "Estimate: at 4 bytes per word, bandwidth limits {by_memory} of {kernels} kernels on the mid-range device, and operations \
             limit {}. No graphics card was measured for this table.",
            kernels - by_memory
        ),
    }
}
