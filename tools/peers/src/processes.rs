//! The same measurement in several fresh processes.
//!
//! Where memory comes to lie differs from process to process and decides, for one, which of two speeds
//! the search step of our A* has. One process would report one of them, at random.

use std::process::{Command, Stdio};

use portolan_core::Engine;
use portolan_measure::median;
use serde::{Deserialize, Serialize};

use crate::detour;
use crate::measure::Micros;
use crate::ours::name_of;
use crate::report::{EngineFigures, MapFigures, Ratio, Times};

/// What one process says of a map.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Measurement {
    /// With the times of this process, and without ratios.
    pub(crate) figures: MapFigures,
    /// So many of the engines, from the first, are ours.
    pub(crate) ours: usize,
    /// Per engine and query.
    pub(crate) micros: Vec<Vec<Micros>>,
}

/// Starts this program `count` times, one after the other, with its own arguments and the number of
/// the map that it is to measure.
pub(crate) fn measure(count: u32, map: usize) -> Result<MapFigures, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let measurements = (0..count).map(|_| {
        let output = Command::new(&program)
            .args(["--one-process", &map.to_string()])
            .args(std::env::args_os().skip(1))
            .stdin(Stdio::null())
            .stderr(Stdio::inherit())
            .output()
            .map_err(|error| format!("{}: {error}", program.display()))?;
        if !output.status.success() {
            return Err(format!("a measuring process ended with {}", output.status));
        }
        serde_json::from_slice(&output.stdout)
            .map_err(|error| format!("a measuring process wrote something else: {error}"))
    });
    let measurements = measurements.collect::<Result<Vec<_>, _>>()?;
    merge(&measurements).ok_or_else(|| "nothing was measured".to_owned())
}

/// One out of all: the times are medians, faults and notes those of any process.
pub(crate) fn merge(measurements: &[Measurement]) -> Option<MapFigures> {
    // A peer may fail in one process and not in another.
    let fullest = measurements
        .iter()
        .max_by_key(|measurement| measurement.micros.len())?;
    let mut figures = fullest.figures.clone();
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
        add_new(&mut figures.faults, &other.faults);
        add_new(&mut figures.notes, &other.notes);
    }
    compare_with_detour(&mut figures.engines);
    figures.ratios = ratios(&figures.engines, fullest.ours);
    Some(figures)
}

fn add_new(lines: &mut Vec<String>, more: &[String]) {
    for line in more {
        if !lines.contains(line) {
            lines.push(line.clone());
        }
    }
}

/// Mean times of the others over those of our default tier: above 1, ours is faster.
fn ratios(engines: &[EngineFigures], ours: usize) -> Vec<Ratio> {
    let name = name_of(Engine::default());
    let Some(default) = engines.iter().find(|engine| engine.engine == name) else {
        return Vec::new();
    };
    engines[ours..]
        .iter()
        .map(|peer| Ratio {
            peer: peer.engine.clone(),
            wall: peer.times.mean_us / default.times.mean_us,
            cpu: peer.times.cpu_mean_us / default.times.cpu_mean_us,
        })
        .collect()
}

/// Notes how much longer Detour takes than each.
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

    fn measurement(engines: &[(&str, f64)], fault: &str) -> Measurement {
        let micros = |&(_, whole): &(&str, f64)| {
            let query = |whole| Micros {
                whole,
                ..Micros::default()
            };
            vec![query(whole), query(whole + 2.0)]
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
                asked: "by hand".to_owned(),
                optimum: "none".to_owned(),
                engines: engines.iter().map(engine).collect(),
                ratios: Vec::new(),
                reference: None,
                faults: vec![fault.to_owned()],
                notes: Vec::new(),
            },
            ours: 1,
            micros: engines.iter().map(micros).collect(),
        }
    }

    #[test]
    fn times_are_medians_and_nothing_that_one_process_saw_is_lost() {
        let processes = [
            measurement(&[("ours:default", 1.0)], "one"),
            measurement(
                &[("ours:default", 9.0), (detour::WITH_ALL_NODES, 6.0)],
                "two",
            ),
            measurement(
                &[("ours:default", 2.0), (detour::WITH_ALL_NODES, 8.0)],
                "one",
            ),
        ];
        let merged = merge(&processes).unwrap();
        let [ours, theirs] = &merged.engines[..] else {
            panic!("not two");
        };
        assert_eq!((ours.times.mean_us, ours.build_ms), (3.0, 2.0));
        let process_means = (
            ours.times.lowest_process_mean_us,
            ours.times.highest_process_mean_us,
        );
        assert_eq!(process_means, (2.0, 10.0));
        // Of an even number the lower of the two in the middle.
        assert_eq!(theirs.times.mean_us, 7.0);
        let ratio = 7.0 / 3.0;
        assert_eq!((merged.ratios.len(), merged.ratios[0].wall), (1, ratio));
        assert_eq!(
            (ours.detour_ratio, theirs.detour_ratio),
            (Some(ratio), Some(1.0))
        );
        assert_eq!(merged.faults.len(), 2);
        assert!(merge(&[]).is_none());
    }
}
