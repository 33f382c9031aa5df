//! Repetition of a measurement in several processes.
//!
//! The memory layout differs between processes, and query times depend on it. For example, Portolan's A* has one of two
//! speeds. A single process would report one of them at random.

use std::process::{Command, Stdio};

use portolan_core::Engine;
use portolan_measure::median;
use serde::{Deserialize, Serialize};

use crate::detour;
use crate::measure::Micros;
use crate::report::{EngineFigures, MapFigures, Ratio, Times};

/// The results of one process on a map.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Measurement {
    /// The figures with the times of this process, but without ratios.
    pub(crate) figures: MapFigures,
    /// The number of Portolan's engines, which come first.
    pub(crate) portolan_count: usize,
    /// Per engine and query.
    pub(crate) micros: Vec<Vec<Micros>>,
}

/// Measures a map in `count` processes, one after the other. Each runs this program with the same arguments and the
/// index of the map. The first one also compares exact paths with a slow reference. The answers of all processes are the
/// same.
pub(crate) fn measure(count: u32, map: usize) -> Result<MapFigures, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let measurements = (0..count).map(|process| {
        let checks_exactness = (process == 0).then_some("--check-exactness");
        let output = Command::new(&program)
            .args(["--one-process", &map.to_string()])
            .args(checks_exactness)
            .args(std::env::args_os().skip(1))
            .stdin(Stdio::null())
            .stderr(Stdio::inherit())
            .output()
            .map_err(|error| format!("{}: {error}", program.display()))?;
        if !output.status.success() {
            return Err(format!("a measuring process failed with {}", output.status));
        }
        serde_json::from_slice(&output.stdout)
            .map_err(|error| format!("a measuring process wrote invalid results: {error}"))
    });
    let measurements = measurements.collect::<Result<Vec<_>, _>>()?;
    merge(&measurements).ok_or_else(|| "nothing was measured".to_owned())
}

/// Merges the results of all processes. Times are medians, and faults and notes are collected from all processes.
pub(crate) fn merge(measurements: &[Measurement]) -> Option<MapFigures> {
    // A peer may fail in one process and not in another.
    let with_most_peers = measurements
        .iter()
        .max_by_key(|measurement| measurement.micros.len())?;
    let mut figures = with_most_peers.figures.clone();
    for engine in &mut figures.engines {
        let same = measurements.iter().flat_map(|measurement| {
            let engines = measurement.figures.engines.iter();
            engines
                .zip(&measurement.micros)
                .filter(|(other, _)| other.engine == engine.engine)
        });
        let (builds, micros): (Vec<f64>, Vec<&[Micros]>) = same
            .map(|(other, micros)| (other.build_ms, micros.as_slice()))
            .unzip();
        engine.times = Times::of(&micros);
        engine.build_ms = median(builds);
    }
    let others = measurements.iter().map(|measurement| &measurement.figures);
    for other in others {
        if figures.exactness.is_none() {
            figures.exactness.clone_from(&other.exactness);
        }
        add_new(&mut figures.faults, &other.faults);
        add_new(&mut figures.notes, &other.notes);
    }
    compare_with_detour(&mut figures.engines);
    figures.ratios = ratios(&figures.engines, with_most_peers.portolan_count);
    Some(figures)
}

fn add_new(lines: &mut Vec<String>, more: &[String]) {
    for line in more {
        if !lines.contains(line) {
            lines.push(line.clone());
        }
    }
}

/// Returns the mean times of other libraries divided by those of `auto`. Above 1, Portolan is faster.
fn ratios(engines: &[EngineFigures], portolan_count: usize) -> Vec<Ratio> {
    let name = Engine::default().to_string();
    let Some(default) = engines.iter().find(|engine| engine.engine == name) else {
        return Vec::new();
    };
    engines[portolan_count..]
        .iter()
        .map(|peer| Ratio {
            peer: peer.engine.clone(),
            wall: peer.times.mean_us / default.times.mean_us,
            cpu: peer.times.cpu_mean_us / default.times.cpu_mean_us,
        })
        .collect()
}

/// Sets the ratio of Detour's mean time to that of each engine.
fn compare_with_detour(engines: &mut [EngineFigures]) {
    let detour = engines.iter().find(|e| e.engine == detour::WITH_ALL_NODES);
    let Some(detour_us) = detour.map(|detour| detour.times.mean_us) else {
        return;
    };
    for engine in engines {
        engine.detour_ratio = Some(detour_us / engine.times.mean_us);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::ExactTier;

    fn measurement(engines: &[(&str, f64)], fault: &str) -> Measurement {
        let micros = |&(_, total): &(&str, f64)| {
            let query = |total| Micros {
                total,
                ..Micros::default()
            };
            vec![query(total), query(total + 2.0)]
        };
        let engine = |&(name, build_ms): &(&str, f64)| EngineFigures {
            engine: name.to_owned(),
            found: 2,
            failed: 0,
            partial: 0,
            no_path: 0,
            off_mesh: 0,
            times: Times::default(),
            excess: None,
            build_ms,
            bytes: None,
            bytes_per_polygon: None,
            detour_ratio: None,
        };
        Measurement {
            figures: MapFigures {
                map: "a map".to_owned(),
                polygons: 1,
                portals: 0,
                components: 1,
                queries: 2,
                query_source: "by hand".to_owned(),
                optimum: "none".to_owned(),
                exact_tier: ExactTier::default(),
                exactness: None,
                engines: engines.iter().map(engine).collect(),
                ratios: Vec::new(),
                reference: None,
                faults: vec![fault.to_owned()],
                notes: Vec::new(),
            },
            portolan_count: 1,
            micros: engines.iter().map(micros).collect(),
        }
    }

    #[test]
    fn times_are_medians_and_faults_of_all_processes_are_kept() {
        let processes = [
            measurement(&[("auto", 1.0)], "one"),
            measurement(&[("auto", 9.0), (detour::WITH_ALL_NODES, 6.0)], "two"),
            measurement(&[("auto", 2.0), (detour::WITH_ALL_NODES, 8.0)], "one"),
        ];
        let merged = merge(&processes).unwrap();
        let [auto, detour] = &merged.engines[..] else {
            panic!("expected two engines");
        };
        assert_eq!((auto.times.mean_us, auto.build_ms), (3.0, 2.0));
        let process_means = (
            auto.times.lowest_process_mean_us,
            auto.times.highest_process_mean_us,
        );
        assert_eq!(process_means, (2.0, 10.0));
        // The median of an even number of values is the lower of the two in the middle.
        assert_eq!(detour.times.mean_us, 7.0);
        let ratio = 7.0 / 3.0;
        assert_eq!((merged.ratios.len(), merged.ratios[0].wall), (1, ratio));
        assert_eq!(
            (auto.detour_ratio, detour.detour_ratio),
            (Some(ratio), Some(1.0))
        );
        assert_eq!(merged.faults.len(), 2);
        assert!(merge(&[]).is_none());
    }
}
