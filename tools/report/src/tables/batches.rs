//! Agents within 40 ms and memory, per engine: table 3 of Rahmani and Pelechano 2020 for batches.

use crate::model::Report;
use crate::page_item::{ItemBody, PageItem, PageTable, bytes, times, us};
use crate::published::{AGENTS, MA_HNA, PCCP_MEMORY};

/// Lists the batches of every engine.
pub(crate) fn batches(report: &Report) -> PageItem {
    let mut table = PageTable::new(&[
        "scene",
        "engine",
        "returns",
        "agents within 40 ms",
        "largest batch (agents)",
        "time (ms)",
        "agents per second",
        "mean speed-up",
        "index",
        "answers",
        "mismatches",
        "paper: agents within 40 ms, one by one",
        "paper: PCCP memory",
    ]);
    let mut findings = Vec::new();
    // No larger batch is measured.
    let largest = report
        .effort
        .agents
        .last()
        .map_or(0, |&agents| agents as usize);
    for cell in &report.batches {
        let known = AGENTS.iter().find(|known| known.0 == cell.scene);
        let memory = PCCP_MEMORY.iter().find(|known| known.0 == cell.scene);
        for engine in &cell.engines {
            let (mut agents, mut ms, mut rate, mut answers) = Default::default();
            if let Some(last) = engine.batches.last() {
                agents = last.agents.to_string();
                ms = us(last.ms);
                rate = format!("{:.0}", last.agents as f64 / last.ms.max(1e-6) * 1e3);
                answers = bytes(last.answer_bytes);
            }
            let of_paper = match engine.engine.split(':').next() {
                Some("astar") => known.map(|known| known.3[0]),
                Some("hna") => known.map(|known| known.3[1]),
                Some("pccp") => known.map(|known| known.3[3]),
                _ => None,
            };
            let is_pccp = engine.engine.starts_with("pccp");
            let memory = memory.filter(|_| is_pccp);
            table.rows.push(vec![
                cell.scene.clone(),
                engine.engine.clone(),
                engine.want.clone(),
                match engine.frame_agents == largest {
                    true => format!("at least {largest}"),
                    false => engine.frame_agents.to_string(),
                },
                agents,
                ms,
                rate,
                cell.mean_speed_up(engine).map_or(String::new(), times),
                bytes(engine.bytes),
                answers,
                engine.mismatches.to_string(),
                of_paper.map_or(String::new(), |agents| agents.to_string()),
                memory.map_or(String::new(), |(_, _, megabytes)| format!("{megabytes} MB")),
            ]);
        }
        let most = cell.corridors().max_by_key(|engine| engine.frame_agents);
        if let (Some(astar), Some(most)) = (cell.astar(), most) {
            findings.push(format!(
                "On {}, A* serves {} agents within 40 ms and {} serves {}",
                cell.scene, astar.frame_agents, most.engine, most.frame_agents
            ));
        }
    }
    PageItem {
        id: "ma-hna-batches".to_owned(),
        title: "Agents within 40 ms in one batch, and memory".to_owned(),
        source: format!("{MA_HNA}, table 3 and section 7.1.1, for batches"),
        body: ItemBody::Table(table),
        caption: format!(
            "The largest measured batch of at most 40 ms; the largest batch within the time limit, with its time; the mean \
             speed-up over A* of all batches that A* answers; the memory of the index in addition to the navmesh and its \
             graph, and of the answers of the largest batch. Batches run on {} threads. Mismatches are costs that differ \
             from those of single queries. The paper's table 3 serves agents one after another, on one core or with one \
             GPU kernel per agent, and its memory is that of PCCP's hash table.",
            report.machine.cores
        ),
        verdict: format!("{}.", findings.join(". ")),
    }
}
